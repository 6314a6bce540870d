"""What can be chosen of titan3: nothing, it is as it was built."""

from equipoise.robots.as_built import sliding_robot
from equipoise.robots.size import Scale

__all__ = ["ROBOT", "SIZE", "SPEED"]
SIZE = Scale(mass=80.0, height=0.91)
SPEED = 0.2  # as it walks unless told otherwise [m/s]

ROBOT = sliding_robot(
    "titan3",
    "TITAN III, four pantograph legs of 1.2 m, 80 kg; a static crab walker",
    controller="titan3",
    size=SIZE,
    speed=SPEED,
)
