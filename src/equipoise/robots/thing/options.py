"""What can be chosen of Thing: nothing, it is as it was built."""

from equipoise.robots.as_built import chained_robot
from equipoise.robots.size import Scale

__all__ = ["ROBOT", "SIZE", "SPEED"]
SIZE = Scale(mass=2.0, height=0.112)
SPEED = 0.0125  # as it walks unless told otherwise [m/s]

ROBOT = chained_robot(
    "thing",
    "Thing, four insect's legs of hobby servos, 2 kg, learns to turn",
    legs="sprawling",
    controller="thing",
    size=SIZE,
    speed=SPEED,
)
