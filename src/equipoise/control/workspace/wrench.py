"""From errors to wrenches to torques: Algorithms 4, 5 and 6 of [Wendlandt1997].

Coordinates as in ``outboard``: linear first, about O, the central body's centre of
mass, in the world's axes. The corrected forms are used: w x p' (printed w x p), the
quaternion's sign flip (missing), X_R from X_R (printed X_c), and the inverse adjoints
of both feet in G (printed one foot's twice, not inverted).
"""

from typing import TYPE_CHECKING

from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.small import solve_spd6
from equipoise.control.workspace.tree import TreeArrays
from equipoise.control.workspace.twists import Triple, halves, put, speed_at
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Records

if TYPE_CHECKING:
    from equipoise.control.workspace.balancer import BalancerConfig

__all__ = ["desired_acceleration", "joint_torques", "minimum_norm"]

Quat = tuple[float, float, float, float]


@compiled(allocates=False)
def desired_acceleration(s: Scratch, gains: "Records[BalancerConfig]") -> None:
    """Write the acceleration X asked of the central body, a spatial one.

    With e = p - p_d, the error quaternion q_e = q q_d* of non-negative real part, R_e
    its rotation and w_e = w - R_e w_d::

        X_v = p_d'' - K_v e' - K_p e - w x p'
        X_w = R_e w_d' + w x R_e w_d - K_v w_e - K_p vec(q_e)

    Args:
        s: the central body and its set point are read, its ``X`` is written.
        gains: K_p and K_v of the position and of the three rotations, (1,).
    """
    trunk, aim = s.trunk[0], s.aim[0]
    p, p_d, v_d, a_d = trunk.p_WO, aim.p, aim.v, aim.a
    K_p, K_v = gains[0].position_gain, gains[0].position_damping
    turn_p, turn_v = gains[0].turning_gain, gains[0].turning_damping
    (vx, vy, vz), (wx, wy, wz) = halves(s.links[0].V)
    e = _error_quaternion(trunk.quat, aim.quat)
    _, ex, ey, ez = e
    rx, ry, rz = _turned(e, aim.w)
    gx, gy, gz = _turned(e, aim.w_rate)
    put(
        trunk.X,
        (
            a_d[0]
            - K_v[0] * (vx - v_d[0])
            - K_p[0] * (p[0] - p_d[0])
            - (wy * vz - wz * vy),
            a_d[1]
            - K_v[1] * (vy - v_d[1])
            - K_p[1] * (p[1] - p_d[1])
            - (wz * vx - wx * vz),
            a_d[2]
            - K_v[2] * (vz - v_d[2])
            - K_p[2] * (p[2] - p_d[2])
            - (wx * vy - wy * vx),
        ),
        (
            gx + wy * rz - wz * ry - turn_v[0] * (wx - rx) - turn_p[0] * ex,
            gy + wz * rx - wx * rz - turn_v[1] * (wy - ry) - turn_p[1] * ey,
            gz + wx * ry - wy * rx - turn_v[2] * (wz - rz) - turn_p[2] * ez,
        ),
    )


@compiled(allocates=False, force_inline=True)
def _error_quaternion(quat: Array, quat_d: Array) -> Quat:
    """Return q q_d*, turned to a non-negative real part."""
    s, x, y, z = _components(quat)
    t, a, b, c = _components(quat_d)
    a, b, c = -a, -b, -c
    e = s * t - x * a - y * b - z * c
    ex = s * a + x * t + y * c - z * b
    ey = s * b - x * c + y * t + z * a
    ez = s * c + x * b - y * a + z * t
    if e < 0.0:
        e, ex, ey, ez = -e, -ex, -ey, -ez
    return e, ex, ey, ez


@compiled(allocates=False, force_inline=True)
def _components(quat: Array) -> Quat:
    """Return a quaternion's w, x, y, z."""
    return quat[0], quat[1], quat[2], quat[3]


@compiled(allocates=False, force_inline=True)
def _turned(quat: Quat, vector: Array) -> Triple:
    """Return a vector turned by a unit quaternion."""
    s, a, b, c = quat
    x, y, z = vector[0], vector[1], vector[2]
    u, v, w = b * z - c * y + s * x, c * x - a * z + s * y, a * y - b * x + s * z
    return (
        x + 2.0 * (b * w - c * v),
        y + 2.0 * (c * u - a * w),
        z + 2.0 * (a * v - b * u),
    )


@compiled(allocates=False)
def minimum_norm(t: TreeArrays, s: Scratch) -> None:
    """Divide a wrench among the feet, the sum of squares of their wrenches least.

    [F_l; F_r] = Gᵀ (G Gᵀ)⁻¹ F_1, each foot's wrench taken at its own centre of mass;
    rotations do not change the norm, so the feet's axes do not matter.

    Args:
        t: the tree; its feet stand.
        s: ``F`` of the central body and ``r_O`` of the feet are read, each foot's share
            about O is written to ``feet``.
    """
    x, gram = s.trunk[0].x, s.trunk[0].gram
    for r in range(6):
        x[r] = s.trunk[0].F[r]
        for c in range(6):
            gram[r, c] = 0.0
    for f in range(t.foot.shape[0]):
        _add_gram(s.links[t.foot[f]].r_O, gram)
    solve_spd6(gram, x)
    for f in range(t.foot.shape[0]):
        r_O = s.links[t.foot[f]].r_O
        a, b, c = r_O[0], r_O[1], r_O[2]
        fx, fy, fz = speed_at(x, (a, b, c))  # x_v + x_w x r: a twist seen at the foot
        _, (nx, ny, nz) = halves(x)
        put(
            s.feet[f].F,
            (fx, fy, fz),
            (nx + b * fz - c * fy, ny + c * fx - a * fz, nz + a * fy - b * fx),
        )


@compiled(allocates=False, force_inline=True)
def _add_gram(r_O: Array, gram: Array) -> None:
    """Add [[1, -r^], [r^, 1 - r^ r^]] for a foot at r = (a, b, c), lower half."""
    a, b, c = r_O[0], r_O[1], r_O[2]
    rows = (
        (1.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, 1.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, 0.0, 1.0, 0.0, 0.0, 0.0),
        (0.0, -c, b, 1.0 + b * b + c * c, 0.0, 0.0),
        (c, 0.0, -a, -a * b, 1.0 + a * a + c * c, 0.0),
        (-b, a, 0.0, -a * c, -b * c, 1.0 + a * a + b * b),
    )
    for r in range(6):
        for d in range(r + 1):
            gram[r, d] += rows[r][d]


@compiled(allocates=False)
def joint_torques(t: TreeArrays, s: Scratch) -> None:
    """Write the torques that let the legs press with given wrenches: -Hᵀ F.

    The wrench that a link hands on is that of all feet outboard of it.

    Args:
        t: the tree.
        s: what each foot does to the central body, ``F``, and the joints' ``H`` are
            read; the joints' ``tau`` is written, the links' ``through`` is scratch.
    """
    for k in range(t.links.shape[0]):
        for d in range(6):
            s.links[k].through[d] = 0.0
    for f in range(t.foot.shape[0]):
        for d in range(6):
            s.links[t.foot[f]].through[d] += s.feet[f].F[d]
    for k in range(t.links.shape[0] - 1, 0, -1):
        link, through = t.links[k], s.links[k].through
        inner = s.links[link.inboard].through
        for d in range(6):
            inner[d] += through[d]
        for j in range(link.first, link.end):
            joint = s.joints[j]
            tau = 0.0
            for d in range(6):
                tau -= joint.H[d] * through[d]
            joint.tau = tau
