"""Posture observer: how high the trunk stands over its feet, and how it moves.

The trunk's place is measured from the feet's mean G, seen from the trunk,
[Ridderstrom2003] section 11.2.1, with P_l the foot of leg l and L legs that count,

    r_GB = -(1/L) Σ r_BP_l,   v_GB = -(1/L) Σ d/dt r_BP_l

Its third component is the height there. The other height offered is the mean of what
each hip has above its own foot along the vertical, in words "average of hip heights";
its rate counts the trunk's turning.
"""

from equipoise.control.records import LegEstimate, TrunkEstimate
from equipoise.core.arrays import Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["PostureEstimate", "observe_posture"]


class PostureEstimate(Record):
    """Estimate of the trunk's place over its feet."""

    place: Vec3 = entry("over the feet's mean, in B; its third is the height", "m", 3)
    rate: Vec3 = entry("of that", "m/s", 3)


@compiled(allocates=False)
def observe_posture(
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
    is_plumb: bool,
    out: PostureEstimate,
) -> None:
    """Write the trunk's position over its feet, and the rate of it.

    Args:
        trunk: its attitude and rate of turn.
        legs: those that stood count; if none did all count, (nl,).
        is_plumb: whether the height is that of the hips along the vertical.
        out: r_GB and v_GB in B, the third of each being the height's; overwritten.
    """
    place, rate, up, turn = out.place, out.rate, trunk.R_WB[2], trunk.w_WB_B
    count = 0.0
    for i in range(3):
        place[i], rate[i] = 0.0, 0.0
    is_idle = True
    for leg in legs:
        if leg.stood > 0.0:
            is_idle = False
    for leg in legs:
        if not (is_idle or leg.stood > 0.0):
            continue
        count += 1.0
        x, y, z = leg.foot[0], leg.foot[1], leg.foot[2]
        u, v, w = leg.foot_rate[0], leg.foot_rate[1], leg.foot_rate[2]
        place[0] -= leg.hip[0] + x
        place[1] -= leg.hip[1] + y
        rate[0] -= u
        rate[1] -= v
        if is_plumb:  # up · r and up · (r' + w × r), hip to foot
            a, b, c = turn[0], turn[1], turn[2]
            place[2] -= up[0] * x + up[1] * y + up[2] * z
            rate[2] -= up[0] * (u + b * z - c * y)
            rate[2] -= up[1] * (v + c * x - a * z)
            rate[2] -= up[2] * (w + a * y - b * x)
        else:
            place[2] -= leg.hip[2] + z
            rate[2] -= w
    for i in range(3):
        place[i] /= count
        rate[i] /= count
