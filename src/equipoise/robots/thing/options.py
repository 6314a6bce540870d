"""What can be chosen of Thing: nothing, it is as it was built."""

from equipoise.robots.as_built import chained_robot

__all__ = ["ROBOT"]

ROBOT = chained_robot(
    "thing",
    "Thing, four insect's legs of hobby servos, 2 kg, learns to turn",
    legs="sprawling",
    controller="thing",
)
