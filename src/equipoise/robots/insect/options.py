"""What can be chosen of insect: nothing, it is as it was built."""

from equipoise.robots.as_built import sprawling_robot

__all__ = ["ROBOT"]

ROBOT = sprawling_robot(
    "insect", "a stick insect ten times as long, 0.9 kg", controller="walknet"
)
