"""What can be chosen of tum: nothing, it is as it was built."""

from equipoise.robots.as_built import chained_robot

__all__ = ["ROBOT"]

ROBOT = chained_robot(
    "tum",
    "the hexapod of TU Munich, six insect's legs, 23 kg",
    legs="sprawling",
    controller="walknet",
)
