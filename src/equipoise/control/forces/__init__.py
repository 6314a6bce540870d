"""From a wrench on the trunk to the forces of the feet."""

from equipoise.control.forces.bounded import share_within
from equipoise.control.forces.constraints import LoadLimits, constraints
from equipoise.control.forces.two_step import (
    FootForce,
    ForceMiss,
    TrunkWrench,
    distribute,
)
from equipoise.control.forces.vertical import (
    VerticalLoad,
    VerticalShare,
    share_vertical,
)

__all__ = [
    "FootForce",
    "ForceMiss",
    "LoadLimits",
    "TrunkWrench",
    "VerticalLoad",
    "VerticalShare",
    "constraints",
    "distribute",
    "share_vertical",
    "share_within",
]
