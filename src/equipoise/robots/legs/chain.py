"""Legs of any kind: chains of hinges and slides, from the trunk to the foot.

Joint by joint from the foot inwards, a leg whose joints are all at zero is turned (or
slid) as one piece about each axis where that axis is at zero, which is the product of
exponentials [Lynch2017] section 4.1 taken from its right end. What was turned so far
are the foot, the columns of its Jacobian, the last link's rate of turn and the mass.
"""

import math

import numpy as np

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.jit import compiled
from equipoise.robots.legs.build import LegBuild

__all__ = ["add_chain", "moment_columns", "place_foot", "reach_for"]

Triple = tuple[float, float, float]
ROUNDS = 60  # of Newton's method at most, from any pose
NEAR = 1e-9  # where a foot has come to its place [m]
DAMPING = 1e-6  # of its steps, over the square of the leg's length
LONGEST = 0.3  # that a joint goes in a round [rad or m]


@compiled(allocates=False, force_inline=True)
def _turned(axis: Vec3, c: float, s: float, x: float, y: float, z: float) -> Triple:
    """Return a vector turned about an axis by an angle of cosine c and sine s."""
    along = (1.0 - c) * (axis[0] * x + axis[1] * y + axis[2] * z)
    return (
        c * x + s * (axis[1] * z - axis[2] * y) + along * axis[0],
        c * y + s * (axis[2] * x - axis[0] * z) + along * axis[1],
        c * z + s * (axis[0] * y - axis[1] * x) + along * axis[2],
    )


@compiled(allocates=False)
def place_foot(
    leg: LegBuild, q: VecN, v: VecN, foot: Vec3, jacobian: Array, spin: Vec3
) -> None:
    """Write a foot's position, its Jacobian, and the rotation of its link, in B.

    Args:
        leg: how it is built.
        q: joint angles, (nj,) [rad or m].
        v: joint speeds, (nj,) [rad/s or m/s].
        foot: hip to foot, (3,) [m]; overwritten.
        jacobian: d foot / d q, (3, nj); overwritten.
        spin: of the last link against the trunk, (3,) [rad/s]; overwritten.
    """
    x, y, z = leg.pad[0], leg.pad[1], leg.pad[2]
    a, b, d = 0.0, 0.0, 0.0
    many = q.shape[0]
    for back in range(many):
        j = many - 1 - back
        axis, anchor, by = leg.axis[j], leg.anchor[j], q[j] - leg.zero[j]
        if leg.slides[j] > 0.0:
            x, y, z = x + by * axis[0], y + by * axis[1], z + by * axis[2]
            for i in range(3):
                jacobian[i, j] = axis[i]
            continue
        c, s = math.cos(by), math.sin(by)
        u, w, t = _turned(axis, c, s, x - anchor[0], y - anchor[1], z - anchor[2])
        x, y, z = anchor[0] + u, anchor[1] + w, anchor[2] + t
        for k in range(j + 1, many):
            e, f, g = _turned(
                axis, c, s, jacobian[0, k], jacobian[1, k], jacobian[2, k]
            )
            jacobian[0, k], jacobian[1, k], jacobian[2, k] = e, f, g
        jacobian[0, j] = axis[1] * t - axis[2] * w
        jacobian[1, j] = axis[2] * u - axis[0] * t
        jacobian[2, j] = axis[0] * w - axis[1] * u
        a, b, d = _turned(axis, c, s, a, b, d)
        a, b, d = a + v[j] * axis[0], b + v[j] * axis[1], d + v[j] * axis[2]
    foot[0], foot[1], foot[2] = x - leg.hip[0], y - leg.hip[1], z - leg.hip[2]
    spin[0], spin[1], spin[2] = a, b, d


@compiled(allocates=False)
def add_chain(
    leg: LegBuild, q: VecN, mass: float, x: float, y: float, z: float
) -> tuple[float, float, float, float]:
    """Return a mass and its first moments in B, with those of a leg added."""
    m, a, b, d = 0.0, 0.0, 0.0, 0.0
    many = q.shape[0]
    for back in range(many):
        j = many - 1 - back
        axis, anchor, by = leg.axis[j], leg.anchor[j], q[j] - leg.zero[j]
        own, centre = float(leg.link_mass[j]), leg.link_centre[j]
        m += own
        a, b, d = a + own * centre[0], b + own * centre[1], d + own * centre[2]
        if leg.slides[j] > 0.0:
            a, b, d = a + m * by * axis[0], b + m * by * axis[1], d + m * by * axis[2]
            continue
        c, s = math.cos(by), math.sin(by)
        u, w, t = m * anchor[0], m * anchor[1], m * anchor[2]
        a, b, d = _turned(axis, c, s, a - u, b - w, d - t)
        a, b, d = a + u, b + w, d + t
    return mass + m, x + a, y + b, z + d


@compiled(allocates=False)
def moment_columns(leg: LegBuild, q: VecN, out: Array) -> None:
    """Write d (Σ m c) / d q, the Jacobian of a leg's first moment of mass, in B.

    Args:
        leg: how it is built.
        q: joint angles, (nj,) [rad or m].
        out: (3, nj) [kg m/rad]; overwritten.
    """
    m, x, y, z = 0.0, 0.0, 0.0, 0.0
    many = q.shape[0]
    for back in range(many):
        j = many - 1 - back
        axis, anchor, by = leg.axis[j], leg.anchor[j], q[j] - leg.zero[j]
        own, centre = float(leg.link_mass[j]), leg.link_centre[j]
        m += own
        x, y, z = x + own * centre[0], y + own * centre[1], z + own * centre[2]
        if leg.slides[j] > 0.0:
            x, y, z = x + m * by * axis[0], y + m * by * axis[1], z + m * by * axis[2]
            for i in range(3):
                out[i, j] = m * axis[i]
            continue
        c, s = math.cos(by), math.sin(by)
        a, b, d = m * anchor[0], m * anchor[1], m * anchor[2]
        u, w, t = _turned(axis, c, s, x - a, y - b, z - d)
        x, y, z = a + u, b + w, d + t
        for k in range(j + 1, many):
            e, f, g = _turned(axis, c, s, out[0, k], out[1, k], out[2, k])
            out[0, k], out[1, k], out[2, k] = e, f, g
        out[0, j] = axis[1] * t - axis[2] * w
        out[1, j] = axis[2] * u - axis[0] * t
        out[2, j] = axis[0] * w - axis[1] * u


@compiled
def reach_for(leg: LegBuild, place: Vec3, lower: VecN, upper: VecN, q: VecN) -> bool:
    """Move a leg's joints so that its foot reaches a point; return whether it does.

    Newton's method with a little damping and steps of bounded length, joints kept in
    their ranges.

    Args:
        leg: how it is built.
        place: hip to foot, (3,) [m].
        lower: of the joints, (nj,).
        upper: of the joints, (nj,).
        q: where it begins, (nj,); overwritten by where it ends.
    """
    many, size = q.shape[0], leg.lengths[0] + leg.lengths[1]
    foot, spin, rest = np.zeros(3), np.zeros(3), np.zeros(many)
    J = np.zeros((3, many))
    for _ in range(ROUNDS):
        place_foot(leg, q, rest, foot, J, spin)
        miss = place - foot
        if np.abs(miss).max() < NEAR:
            return True
        step = J.T @ np.linalg.solve(J @ J.T + DAMPING * size * size * np.eye(3), miss)
        for j in range(many):
            by = min(max(step[j], -LONGEST), LONGEST)
            q[j] = min(max(q[j] + by, lower[j]), upper[j])
    return False
