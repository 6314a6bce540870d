"""What can be chosen of asv: nothing, it is as it was built."""

from equipoise.robots.as_built import sliding_robot

__all__ = ["ROBOT"]

ROBOT = sliding_robot(
    "asv", "the Adaptive Suspension Vehicle, six legs, 2700 kg", controller="asv"
)
