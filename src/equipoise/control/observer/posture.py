"""Posture observer: how high the trunk stands over its feet, and how it moves.

The trunk's place is measured from the feet's mean G, seen from the trunk,
[Ridderstrom2003] section 11.2.1, with P_l the foot of leg l and L legs that count,

    r_GB = -(1/L) Σ r_BP_l,   v_GB = -(1/L) Σ d/dt r_BP_l

Its third component is the height there. The other height offered is the mean of what
each hip has above its own foot along the vertical, in words "average of hip heights";
its rate counts the trunk's turning.
"""

from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["HEIGHT", "HEIGHT_RATE", "observe_posture"]

HEIGHT = 0
"""Where in a posture: the height's first number, x, y and height [m]."""
HEIGHT_RATE = 3
"""Where: its velocity's [m/s]."""


@compiled(allocates=False)
def observe_posture(
    feet: Array,
    hips: Array,
    stands: Array,
    trunk: Array,
    is_plumb: bool,
    out: Array,
) -> None:
    """Write the trunk's place over its feet and its rate, (6,).

    Args:
        feet: from ``observe_legs``, (nl, 5, 3).
        hips: in B, (nl, 3) [m].
        stands: above zero for legs that count, (nl,); if none does all count.
        trunk: R_WB and w_B from ``observe_attitude``, (4, 3).
        is_plumb: whether the height is that of the hips along the vertical.
        out: r_GB and v_GB in B, (6,) [m, m/s]; the third of each is the height's.
    """
    count = 0.0
    for i in range(6):
        out[i] = 0.0
    is_idle = True
    for leg in range(feet.shape[0]):
        if stands[leg] > 0.0:
            is_idle = False
    for leg in range(feet.shape[0]):
        if not (is_idle or stands[leg] > 0.0):
            continue
        count += 1.0
        x, y, z = feet[leg, 0, 0], feet[leg, 0, 1], feet[leg, 0, 2]
        u, v, w = feet[leg, 1, 0], feet[leg, 1, 1], feet[leg, 1, 2]
        out[0] -= hips[leg, 0] + x
        out[1] -= hips[leg, 1] + y
        out[3] -= u
        out[4] -= v
        if is_plumb:  # up · r and up · (r' + w × r), hip to foot
            a, b, c = trunk[3, 0], trunk[3, 1], trunk[3, 2]
            out[2] -= trunk[2, 0] * x + trunk[2, 1] * y + trunk[2, 2] * z
            out[5] -= trunk[2, 0] * (u + b * z - c * y)
            out[5] -= trunk[2, 1] * (v + c * x - a * z)
            out[5] -= trunk[2, 2] * (w + a * y - b * x)
        else:
            out[2] -= hips[leg, 2] + z
            out[5] -= w
    for i in range(6):
        out[i] /= count
