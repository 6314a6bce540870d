"""Knocker: a small square wave on the torques that frees joints from static friction.

[Ridderstrom2003] section 11.2.3, τ_fc, 40 Hz. Legs on one diagonal knock against those
on the other, so that the trunk does not feel it.
"""

import math

from equipoise.core.arrays import VecN
from equipoise.core.jit import compiled

__all__ = ["add_knock"]


@compiled(allocates=False)
def add_knock(
    time: float, frequency: float, amplitude: float, limits: VecN, tau: VecN
) -> None:
    """Add the square wave to the torques, within their limits.

    Args:
        time: [s].
        frequency: [1/s].
        amplitude: half its height [N m].
        limits: largest torques, (3 nl,) [N m].
        tau: torques, (3 nl,) [N m]; changed.
    """
    cycle = time * frequency
    up = amplitude if cycle - math.floor(cycle) < 0.5 else -amplitude
    for k in range(tau.shape[0]):
        leg = k // 3
        is_against = (leg + leg // 2) % 2 == 1
        knocked = tau[k] + (-up if is_against else up)
        tau[k] = min(max(knocked, -limits[k]), limits[k])
