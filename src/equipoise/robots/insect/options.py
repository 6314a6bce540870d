"""What can be chosen of insect: nothing, it is as it was built."""

from equipoise.robots.as_built import chained_robot

__all__ = ["ROBOT"]
START = 0.2
"""Acceleration as it starts to walk [m/s²]: a long trunk low over the ground touches it
where front legs swing together, as they may before a gait has come about."""

ROBOT = chained_robot(
    "insect",
    "a stick insect ten times as long, 0.9 kg",
    legs="sprawling",
    controller="walknet",
    acceleration=START,
)
