"""What can be chosen of titan4: nothing, it is as it was built."""

from equipoise.robots.as_built import sliding_robot

__all__ = ["ROBOT"]

ROBOT = sliding_robot(
    "titan4", "TITAN IV, four pantograph legs, 160 kg; an expanded trot", "titan4"
)
