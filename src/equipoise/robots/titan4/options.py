"""What can be chosen of titan4: nothing, it is as it was built."""

from equipoise.robots.as_built import sliding_robot
from equipoise.robots.size import Scale

__all__ = ["ROBOT", "SIZE", "SPEED"]
SIZE = Scale(mass=160.0, height=0.9)
SPEED = 0.4  # as it walks unless told otherwise [m/s]

ROBOT = sliding_robot(
    "titan4",
    "TITAN IV, four pantograph legs, 160 kg; an expanded trot",
    "titan4",
    size=SIZE,
    speed=SPEED,
)
