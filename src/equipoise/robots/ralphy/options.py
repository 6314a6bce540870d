"""What can be chosen of ralphy: nothing, it is as it was built."""

from equipoise.robots.as_built import chained_robot
from equipoise.robots.size import Scale

__all__ = ["ROBOT", "SIZE", "SPEED"]
SIZE = Scale(mass=12.0, height=0.31)
SPEED = 0.4  # as it walks unless told otherwise [m/s]

ROBOT = chained_robot(
    "ralphy",
    "RALPHY of Paris, four legs on pneumatic valves, 12 kg",
    legs="articulated",
    controller="ralphy",
    size=SIZE,
    speed=SPEED,
)
