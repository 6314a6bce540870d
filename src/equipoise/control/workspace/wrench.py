"""From errors to wrenches to torques: Algorithms 4, 5 and 6 of [Wendlandt1997].

Coordinates as in ``outboard``: linear first, about O, the central body's centre of
mass, in the world's axes. The corrected forms are used: w x p' (printed w x p), the
quaternion's sign flip (missing), X_R from X_R (printed X_c), and the inverse adjoints
of both feet in G (printed one foot's twice, not inverted).
"""

from equipoise.control.workspace.small import solve_spd6
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["desired_acceleration", "joint_torques", "minimum_norm"]


@compiled(allocates=False)
def desired_acceleration(
    p: Array, quat: Array, V: Array, aim: Array, gains: Array, X: Array
) -> None:
    """Write the acceleration X asked of the central body, a spatial one, (6,).

    With e = p - p_d, the error quaternion q_e = q q_d* of non-negative real part, R_e
    its rotation and w_e = w - R_e w_d::

        X_v = p_d'' - K_v e' - K_p e - w x p'
        X_w = R_e w_d' + w x R_e w_d - K_v w_e - K_p vec(q_e)

    Args:
        p: centre of mass of the central body, (3,) [m].
        quat: its orientation, w first, (4,).
        V: its twist, (nl, 6), row 0.
        aim: position, quaternion, velocity, acceleration, angular velocity and angular
            acceleration wanted, (19,).
        gains: K_p and K_v of x, y, z, then of the three rotations, (2, 6).
        X: written, row 0 of (n, 6).
    """
    wx, wy, wz = V[0, 3], V[0, 4], V[0, 5]
    vx, vy, vz = V[0, 0], V[0, 1], V[0, 2]
    for d in range(3):
        X[0, d] = aim[10 + d] - gains[1, d] * (V[0, d] - aim[7 + d])
        X[0, d] -= gains[0, d] * (p[d] - aim[d])
    X[0, 0] -= wy * vz - wz * vy
    X[0, 1] -= wz * vx - wx * vz
    X[0, 2] -= wx * vy - wy * vx
    s, x, y, z = quat[0], quat[1], quat[2], quat[3]
    t, a, b, c = aim[3], -aim[4], -aim[5], -aim[6]
    e = s * t - x * a - y * b - z * c
    ex = s * a + x * t + y * c - z * b
    ey = s * b - x * c + y * t + z * a
    ez = s * c + x * b - y * a + z * t
    if e < 0.0:
        e, ex, ey, ez = -e, -ex, -ey, -ez
    rx, ry, rz = turned(e, ex, ey, ez, aim[13], aim[14], aim[15])
    gx, gy, gz = turned(e, ex, ey, ez, aim[16], aim[17], aim[18])
    X[0, 3] = gx + wy * rz - wz * ry - gains[1, 3] * (wx - rx) - gains[0, 3] * ex
    X[0, 4] = gy + wz * rx - wx * rz - gains[1, 4] * (wy - ry) - gains[0, 4] * ey
    X[0, 5] = gz + wx * ry - wy * rx - gains[1, 5] * (wz - rz) - gains[0, 5] * ez


@compiled(allocates=False, melts=True)
def turned(
    s: float, a: float, b: float, c: float, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """Return a vector turned by a unit quaternion."""
    u, v, w = b * z - c * y + s * x, c * x - a * z + s * y, a * y - b * x + s * z
    return (
        x + 2.0 * (b * w - c * v),
        y + 2.0 * (c * u - a * w),
        z + 2.0 * (a * v - b * u),
    )


@compiled(allocates=False)
def minimum_norm(
    foot: Ints, r_O: Array, F: Array, room: Array, x: Array, F_foot: Array
) -> None:
    """Divide a wrench among the feet, the sum of squares of their wrenches least.

    [F_l; F_r] = Gᵀ (G Gᵀ)⁻¹ F_1, each foot's wrench taken at its own centre of mass;
    rotations do not change the norm, so the feet's axes do not matter.

    Args:
        foot: (nf,) links that stand.
        r_O: links' centres of mass from O, (nl, 3).
        F: the wrench wanted on the central body, row 0 of (n, 6).
        room: (n, 6, 6), scratch; slot 0 is used.
        x: (6,), scratch.
        F_foot: each foot's share about O, written, (nf, 6).
    """
    for r in range(6):
        x[r] = F[0, r]
        for c in range(6):
            room[0, r, c] = 0.0
    for f in range(foot.shape[0]):
        add_gram(r_O[foot[f], 0], r_O[foot[f], 1], r_O[foot[f], 2], room)
    solve_spd6(room, 0, x)
    for f in range(foot.shape[0]):
        a, b, c = r_O[foot[f], 0], r_O[foot[f], 1], r_O[foot[f], 2]
        fx = x[0] + x[4] * c - x[5] * b  # x_v + x_w x r: a twist seen at the foot
        fy = x[1] + x[5] * a - x[3] * c
        fz = x[2] + x[3] * b - x[4] * a
        F_foot[f, 0], F_foot[f, 1], F_foot[f, 2] = fx, fy, fz
        F_foot[f, 3] = x[3] + b * fz - c * fy
        F_foot[f, 4] = x[4] + c * fx - a * fz
        F_foot[f, 5] = x[5] + a * fy - b * fx


@compiled(allocates=False, melts=True)
def add_gram(a: float, b: float, c: float, room: Array) -> None:
    """Add [[1, -r^], [r^, 1 - r^ r^]] for a foot at r = (a, b, c), lower half."""
    room[0, 0, 0] += 1.0
    room[0, 1, 1] += 1.0
    room[0, 2, 2] += 1.0
    room[0, 3, 1] -= c
    room[0, 3, 2] += b
    room[0, 4, 0] += c
    room[0, 4, 2] -= a
    room[0, 5, 0] -= b
    room[0, 5, 1] += a
    room[0, 3, 3] += 1.0 + b * b + c * c
    room[0, 4, 4] += 1.0 + a * a + c * c
    room[0, 5, 5] += 1.0 + a * a + b * b
    room[0, 4, 3] -= a * b
    room[0, 5, 3] -= a * c
    room[0, 5, 4] -= b * c


@compiled(allocates=False)
def joint_torques(
    inboard: Ints,
    first: Ints,
    foot: Ints,
    H: Array,
    F_foot: Array,
    through: Array,
    tau: Array,
) -> None:
    """Write the torques that let the legs press with given wrenches: -Hᵀ F.

    The wrench that a link hands on is that of all feet outboard of it.

    Args:
        inboard: the tree: which link carries each one.
        first: where each link's joints begin.
        foot: the links that stand.
        H: joint twists about O, (nd, 6).
        F_foot: what each foot does to the central body, about O, (nf, 6).
        through: (nl, 6), scratch.
        tau: joint torques, written, (nd,).
    """
    for k in range(inboard.shape[0]):
        for d in range(6):
            through[k, d] = 0.0
    for f in range(foot.shape[0]):
        for d in range(6):
            through[foot[f], d] += F_foot[f, d]
    for k in range(inboard.shape[0] - 1, 0, -1):
        for d in range(6):
            through[inboard[k], d] += through[k, d]
        for j in range(first[k], first[k + 1]):
            tau[j] = 0.0
            for d in range(6):
                tau[j] -= H[j, d] * through[k, d]
