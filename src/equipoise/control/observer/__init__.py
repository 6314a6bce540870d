"""What a walking machine makes of its own sensors: legs, attitude, posture."""

from equipoise.control.observer.attitude import AttitudeConfig, AttitudeObserver
from equipoise.control.observer.inertial import observe_attitude
from equipoise.control.observer.legs import observe_legs, read_legs
from equipoise.control.observer.posture import observe_posture

__all__ = [
    "AttitudeConfig",
    "AttitudeObserver",
    "observe_attitude",
    "observe_legs",
    "observe_posture",
    "read_legs",
]
