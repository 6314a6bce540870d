"""Force and moment that shall hold the trunk's posture, [Ridderstrom2003] 11.2.2.

PID controllers on height, roll and pitch, and the weight carried in advance,

    f3 = k_P e + k_D e' + k_I ∫ e dt + m g,   m_i = k_α e_i - d_α w_i + k_I ∫ e_i dt

in the trunk's frame. As printed the weight is taken along the trunk's own b3. The other
way takes it along the true vertical and at the true centre of mass: a force in three
directions and the moment that holds its offset.
"""

import math

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.jit import compiled

__all__ = ["attitude_of", "posture_wrench", "weight_moment"]


@compiled(allocates=False)
def attitude_of(trunk: Array) -> tuple[float, float]:
    """Return roll and pitch [rad] of rows R_WB, (4, 3)."""
    sine = min(max(-trunk[2, 0], -1.0), 1.0)
    return math.atan2(trunk[2, 1], trunk[2, 2]), math.asin(sine)


@compiled(allocates=False)
def posture_wrench(
    posture: VecN,
    trunk: Array,
    reference: VecN,
    gains: Array,
    dt: float,
    integral: Vec3,
    out: Vec3,
) -> None:
    """Write f3, m1 and m2 without the weight.

    Args:
        posture: from ``observe_posture``, (6,).
        trunk: R_WB and w_B, (4, 3).
        reference: roll, pitch [rad], height [m], and their rates, (6,).
        gains: rows height, roll, pitch; columns stiffness, damping, integral gain and
            the most that the integral may do [N or N m], (3, 4).
        dt: control period [s].
        integral: its effect so far, (3,) [N, N m, N m]; advanced.
        out: overwritten, (3,) [N, N m, N m].
    """
    roll, pitch = attitude_of(trunk)
    # rates of roll and pitch from w_B: e' of the angles themselves
    s, c = math.sin(roll), math.cos(roll)
    pitch_rate = c * trunk[3, 1] - s * trunk[3, 2]
    lean = math.tan(min(max(pitch, -1.2), 1.2))
    roll_rate = trunk[3, 0] + (s * trunk[3, 1] + c * trunk[3, 2]) * lean
    for i in range(3):
        if i == 0:
            error, rate = reference[2] - posture[2], reference[5] - posture[5]
        elif i == 1:
            error, rate = reference[0] - roll, reference[3] - roll_rate
        else:
            error, rate = reference[1] - pitch, reference[4] - pitch_rate
        grown = integral[i] + gains[i, 2] * error * dt
        integral[i] = min(max(grown, -gains[i, 3]), gains[i, 3])
        out[i] = gains[i, 0] * error + gains[i, 1] * rate + integral[i]


@compiled(allocates=False)
def weight_moment(
    weight: float,
    centre: Vec3,
    trunk: Array,
    places: Array,
    stands: VecN,
    out: Vec3,
) -> None:
    """Add the weight along the true vertical, at its true place.

    The trunk shall feel m g u at the centre of mass, u the vertical in B. Its parts
    along b1 and b2 are shared evenly by the standing legs; their moment is counted.

    Args:
        weight: m g [N].
        centre: of mass in B, (3,) [m].
        trunk: R_WB and w_B, (4, 3).
        places: of the feet in B, (nl, 3) [m].
        stands: above zero for legs that stand, (nl,).
        out: f3, m1 and m2; added to, (3,).
    """
    fx, fy = weight * trunk[2, 0], weight * trunk[2, 1]
    fz = weight * trunk[2, 2]
    out[0] += fz
    out[1] += centre[1] * fz - centre[2] * fy
    out[2] += centre[2] * fx - centre[0] * fz
    count, low = 0.0, 0.0
    for leg in range(places.shape[0]):
        if stands[leg] > 0.0:
            count += 1.0
            low += places[leg, 2]
    if count > 0.0:  # level forces at the feet turn the trunk too: z f_y and -z f_x
        out[1] += low / count * fy
        out[2] -= low / count * fx
