"""Leg observer: where each foot is, how fast it moves, and how joints move it.

One pass over the joint readings gives, for each leg, the hip-to-foot vector r, its
velocity v = J q' and the Jacobian J = ∂r/∂q, all in the trunk's frame B:
[Ridderstrom2003] section 5.3.
"""

import math

from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled

__all__ = ["JACOBIAN", "PLACE", "VELOCITY", "hold_last", "observe_legs"]

PLACE = 0
"""Row of what is observed of a leg: hip to foot [m]."""
VELOCITY = 1
"""Row: its velocity seen from the trunk [m/s]."""
JACOBIAN = 2
"""First of three rows: ∂r/∂q [m/rad]."""


@compiled(allocates=False)
def observe_legs(q: VecN, v: VecN, lengths: Array, feet: Array) -> None:
    """Write place, velocity and Jacobian of each foot, in B.

    Args:
        q: joint angles, (3 nl,) [rad].
        v: joint speeds, (3 nl,) [rad/s].
        lengths: of thighs and shanks, (nl, 2) [m].
        feet: rows PLACE, VELOCITY and JACOBIAN onwards, (nl, 5, 3); overwritten.
    """
    for leg in range(lengths.shape[0]):
        a, p = q[3 * leg], q[3 * leg + 1]
        s = p + q[3 * leg + 2]
        ca, sa = math.cos(a), math.sin(a)
        x1, d1 = lengths[leg, 0] * math.sin(p), lengths[leg, 0] * math.cos(p)
        x2, d2 = lengths[leg, 1] * math.sin(s), lengths[leg, 1] * math.cos(s)
        x, d = x1 + x2, d1 + d2
        foot = feet[leg]
        foot[0, 0], foot[0, 1], foot[0, 2] = x, d * sa, -d * ca
        foot[2, 0], foot[2, 1], foot[2, 2] = 0.0, d, d2
        foot[3, 0], foot[3, 1], foot[3, 2] = d * ca, -x * sa, -x2 * sa
        foot[4, 0], foot[4, 1], foot[4, 2] = d * sa, x * ca, x2 * ca
        for i in range(3):
            rate = 0.0
            for j in range(3):
                rate += foot[2 + i, j] * v[3 * leg + j]
            foot[1, i] = rate


@compiled(allocates=False)
def hold_last(reading: VecN, held: VecN) -> int:
    """Take over what is finite, keep the last value of what is not.

    Args:
        reading: from the sensors, (n,).
        held: the last good values, (n,); overwritten.

    Returns:
        How many readings were not finite.
    """
    missing = 0
    for i in range(reading.shape[0]):
        if math.isfinite(reading[i]):
            held[i] = reading[i]
        else:
            missing += 1
    return missing
