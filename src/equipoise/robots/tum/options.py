"""What can be chosen of tum: nothing, it is as it was built."""

from equipoise.robots.as_built import chained_robot
from equipoise.robots.size import Scale

__all__ = ["ROBOT", "SIZE", "SPEED"]
SIZE = Scale(mass=23.0, height=0.186)
SPEED = 0.3  # as it walks unless told otherwise [m/s]

ROBOT = chained_robot(
    "tum",
    "the hexapod of TU Munich, six insect's legs, 23 kg",
    legs="sprawling",
    controller="walknet",
    size=SIZE,
    speed=SPEED,
)
