"""What a walking machine makes of its own sensors: legs, attitude, posture."""

from equipoise.control.observer.attitude import (
    AttitudeConfig,
    AttitudeObserver,
    observe_attitude,
)
from equipoise.control.observer.legs import hold_last, observe_legs
from equipoise.control.observer.posture import observe_posture

__all__ = [
    "AttitudeConfig",
    "AttitudeObserver",
    "hold_last",
    "observe_attitude",
    "observe_legs",
    "observe_posture",
]
