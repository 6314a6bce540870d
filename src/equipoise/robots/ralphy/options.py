"""What can be chosen of ralphy: nothing, it is as it was built."""

from equipoise.robots.as_built import chained_robot

__all__ = ["ROBOT"]

ROBOT = chained_robot(
    "ralphy",
    "RALPHY of Paris, four legs on pneumatic valves, 12 kg",
    legs="articulated",
    controller="ralphy",
)
