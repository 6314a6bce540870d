"""What can be chosen of ralphy: nothing, it is as it was built."""

from equipoise.robots.as_built import articulated_robot

__all__ = ["ROBOT"]

ROBOT = articulated_robot(
    "ralphy",
    "RALPHY of Paris, four legs on pneumatic valves, 12 kg",
    controller="ralphy",
)
