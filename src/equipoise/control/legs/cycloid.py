"""Cycloid in the air and a straight way on the ground, [Ridderstrom2003] section 3.2.4.

Seen from the hip, x forward and z up, with ω = 2π / T of a swing that takes T::

    in the air     x = r (ω t - sin ω t),   z = r (1 - cos ω t)
    on the ground  x = -t L / T_support

The printed t_k is the lift-off in the first and the footfall in the second; r is then
L / 2π for a step of length L, and a foot rises by 2 r = L / π: length and height of a
step are tied. A foot leaves and meets the ground without velocity seen from the hip.
"""

import math

from equipoise.core.jit import compiled
from equipoise.core.records import Record, entry

__all__ = ["Stroke", "support", "transfer"]

Moved = tuple[float, float, float, float, float, float]


class Stroke(Record):
    """Length and times of a step."""

    length: float = entry("L", "m")
    swing: float = entry("T, duration in the air", "s")
    support: float = entry("duration on the ground", "s")


@compiled(allocates=False)
def transfer(time: float, stroke: Stroke) -> Moved:
    """Return x, z [m], their rates [m/s] and accelerations [m/s²] in the air.

    Args:
        time: since lift-off; before and after its swing a foot rests at the ends [s].
        stroke: of the step.
    """
    pace, radius = 2.0 * math.pi / stroke.swing, 0.5 * stroke.length / math.pi
    if time <= 0.0 or time >= stroke.swing:
        return 0.0 if time <= 0.0 else stroke.length, 0.0, 0.0, 0.0, 0.0, 0.0
    angle = pace * time
    s, c, speed = math.sin(angle), math.cos(angle), radius * pace
    return (
        radius * (angle - s),
        radius * (1.0 - c),
        speed * (1.0 - c),
        speed * s,
        speed * pace * s,
        speed * pace * c,
    )


@compiled(allocates=False)
def support(time: float, stroke: Stroke) -> tuple[float, float]:
    """Return x from the footfall on [m] and its rate [m/s], on the ground.

    Args:
        time: since footfall [s].
        stroke: of the step.
    """
    rate = -stroke.length / stroke.support
    return rate * time, rate
