"""Dither: a small square wave on the torques that frees joints from static friction.

[Ridderstrom2003] section 11.2.3, τ_fc, 40 Hz. Legs on one diagonal knock against those
on the other, so that the trunk does not feel it.
"""

import math

from equipoise.control.legs.law import LegGuards
from equipoise.core.arrays import VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Records

__all__ = ["add_dither"]


@compiled(allocates=False)
def add_dither(
    time: float,
    frequency: float,
    amplitude: float,
    guards: Records[LegGuards],
    tau: VecN,
) -> None:
    """Add the square wave to the torques, within their limits.

    Args:
        time: [s].
        frequency: [1/s].
        amplitude: half its height [N m].
        guards: of the leg law, with the largest torques, (nl,).
        tau: torques, leg by leg, (nu,) [N m]; changed.
    """
    cycle = time * frequency
    up, k = amplitude if cycle - math.floor(cycle) < 0.5 else -amplitude, 0
    for leg in range(guards.shape[0]):
        is_against = (leg + leg // 2) % 2 == 1
        most = guards[leg].torque
        for joint in range(most.shape[0]):
            knocked = tau[k] + (-up if is_against else up)
            tau[k] = min(max(knocked, -most[joint]), most[joint])
            k += 1
