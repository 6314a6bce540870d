"""What can be chosen of titan3: nothing, it is as it was built."""

from equipoise.robots.as_built import sliding_robot

__all__ = ["ROBOT"]

ROBOT = sliding_robot(
    "titan3",
    "TITAN III, four pantograph legs of 1.2 m, 80 kg; a static crab walker",
    controller="titan3",
)
