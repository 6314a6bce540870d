"""Force and moment that shall hold the trunk's posture, [Ridderstrom2003] 11.2.2.

PID controllers on height, roll and pitch, and the weight carried in advance,

    f3 = k_P e + k_D e' + k_I ∫ e dt + m g,   m_i = k_α e_i - d_α w_i + k_I ∫ e_i dt

in the trunk's frame. As printed the weight is taken along the trunk's own b3. The other
way takes it along the true vertical and at the true centre of mass: a force in three
directions and the moment that holds its offset.
"""

import math

from equipoise.control.observer.posture import PostureEstimate
from equipoise.control.posture.config import PostureControllerConfig
from equipoise.control.posture.reference import LedReference
from equipoise.control.records import LegEstimate, TrunkEstimate
from equipoise.core.arrays import Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = [
    "PostureWrench",
    "attitude_of",
    "posture_wrench",
    "weight_moment",
]


class PostureWrench(Record):
    """Force and moment that shall hold the trunk's posture, in B."""

    f3: float = entry("upright", "N")
    m1: float = entry("about the forward axis", "N m")
    m2: float = entry("about the axis to the left", "N m")


@compiled(allocates=False)
def attitude_of(trunk: TrunkEstimate) -> tuple[float, float]:
    """Return roll and pitch [rad]."""
    up = trunk.R_WB[2]
    return math.atan2(up[1], up[2]), math.asin(min(max(-up[0], -1.0), 1.0))


@compiled(allocates=False)
def posture_wrench(
    posture: PostureEstimate,
    trunk: TrunkEstimate,
    reference: LedReference,
    gains: PostureControllerConfig,
    integral: Vec3,
    out: PostureWrench,
) -> None:
    """Write f3, m1 and m2 without the weight.

    Args:
        posture: how the trunk stands over its feet.
        trunk: its attitude and rate of turn.
        reference: what its posture shall be.
        gains: a record of them.
        integral: its effect so far, (3,) [N, N m, N m]; advanced.
        out: overwritten.
    """
    roll, pitch = attitude_of(trunk)
    w, at, going = trunk.w_WB_B, reference.at, reference.rate
    # rates of roll and pitch from w_B: e' of the angles themselves
    s, c = math.sin(roll), math.cos(roll)
    pitch_rate = c * w[1] - s * w[2]
    lean = math.tan(min(max(pitch, -1.2), 1.2))
    roll_rate = w[0] + (s * w[1] + c * w[2]) * lean
    errors = (at[2] - posture.place[2], at[0] - roll, at[1] - pitch)
    rates = (going[2] - posture.rate[2], going[0] - roll_rate, going[1] - pitch_rate)
    axes = gains.height, gains.roll, gains.pitch
    for i in range(3):
        stiffness, damping, growth = axes[i][0], axes[i][1], axes[i][2]
        grown = integral[i] + growth * errors[i] * trunk.dt
        integral[i] = min(max(grown, -gains.most[i]), gains.most[i])
        push = stiffness * errors[i] + damping * rates[i] + integral[i]
        if i == 0:
            out.f3 = push
        elif i == 1:
            out.m1 = push
        else:
            out.m2 = push


@compiled(allocates=False)
def weight_moment(
    weight: float,
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
    out: PostureWrench,
) -> None:
    """Add the weight along the true vertical, at its true place.

    The trunk shall feel m g u at the centre of mass, u the vertical in B. Its parts
    along b1 and b2 are shared evenly by the standing legs; their moment is counted.

    Args:
        weight: m g [N].
        trunk: its attitude and the centre of mass.
        legs: with their feet; those that stood count, (nl,).
        out: added to.
    """
    up, centre = trunk.R_WB[2], trunk.p_BC
    fx, fy = weight * up[0], weight * up[1]
    fz = weight * up[2]
    out.f3 += fz
    out.m1 += centre[1] * fz - centre[2] * fy
    out.m2 += centre[2] * fx - centre[0] * fz
    count, low = 0.0, 0.0
    for leg in legs:
        if leg.stood > 0.0:
            count += 1.0
            low += leg.hip[2] + leg.foot[2]
    if count > 0.0:  # level forces at the feet turn the trunk too: z f_y and -z f_x
        out.m1 += low / count * fy
        out.m2 -= low / count * fx
