"""From a wrench on the trunk to the forces of the feet."""

from equipoise.control.forces.bounded import share_within
from equipoise.control.forces.two_step import (
    FootForce,
    ForceMiss,
    TrunkWrench,
    distribute,
)

__all__ = ["FootForce", "ForceMiss", "TrunkWrench", "distribute", "share_within"]
