"""What can be chosen of insect: nothing, it is as it was built."""

from equipoise.robots.as_built import chained_robot

__all__ = ["ROBOT"]

ROBOT = chained_robot(
    "insect",
    "a stick insect ten times as long, 0.9 kg",
    legs="sprawling",
    controller="walknet",
)
