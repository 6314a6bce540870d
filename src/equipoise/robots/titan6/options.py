"""What can be chosen of titan6: nothing, it is as it was built."""

from equipoise.robots.as_built import sliding_robot

__all__ = ["ROBOT"]

ROBOT = sliding_robot(
    "titan6",
    "TITAN VI, four legs on slides, 195 kg; an intermittent trot on a sky-hook",
    controller="titan6",
)
