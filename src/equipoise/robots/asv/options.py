"""What can be chosen of asv: nothing, it is as it was built."""

from equipoise.robots.as_built import sliding_robot
from equipoise.robots.size import Scale

__all__ = ["ROBOT", "SIZE", "SPEED"]
SIZE = Scale(mass=2700.0, height=1.5)
SPEED = 3.4  # as it walks unless told otherwise [m/s]

ROBOT = sliding_robot(
    "asv",
    "the Adaptive Suspension Vehicle, six legs, 2700 kg",
    controller="asv",
    size=SIZE,
    speed=SPEED,
)
