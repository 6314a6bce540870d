"""Outboard recursion: poses, velocities and velocity-dependent terms, link to link.

Algorithms 1 and 2 of [Wendlandt1997], with a_1 = 0 in six numbers and the velocity term
a_k = ad(V) H θ' written out. Every twist and wrench is linear first, refers to one
common point O, the central body's centre of mass at this instant, and is expressed in
the world's axes: the adjoint between two links is then the identity, which saves most
of the arithmetic and changes no result.
"""

import math

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["outboard_links", "outboard_velocities"]


@compiled(allocates=False)
def outboard_links(
    inboard: Ints,
    first: Ints,
    R_IL: Array,
    p_IL: Array,
    com: Array,
    is_slide: Ints,
    axis: Array,
    anchor: Array,
    reference: Array,
    q: Array,
    R_WL: Array,
    p_OL: Array,
    r_O: Array,
    H: Array,
) -> None:
    """Place every link and every joint.

    Args:
        inboard: the tree: which link carries each one.
        first: where each link's joints begin.
        R_IL: links' frames in their inboard link's.
        p_IL: their places there [m].
        com: centres of mass in their links [m].
        is_slide: 1 for a sliding joint.
        axis: of the joints in their links.
        anchor: of the joints in their links [m].
        reference: joint values at zero.
        q: joint values, (nd,).
        R_WL: orientations; the central body's is read, the others are written.
        p_OL: frames' origins from O; likewise.
        r_O: centres of mass from O, written, (nl, 3).
        H: joint twists about O, written, (nd, 6).
    """
    for k in range(inboard.shape[0]):
        i = inboard[k]
        if i >= 0:
            for a in range(3):
                p_OL[k, a] = p_OL[i, a]
                for b in range(3):
                    p_OL[k, a] += R_WL[i, a, b] * p_IL[k, b]
                    R_WL[k, a, b] = (
                        R_WL[i, a, 0] * R_IL[k, 0, b]
                        + R_WL[i, a, 1] * R_IL[k, 1, b]
                        + R_WL[i, a, 2] * R_IL[k, 2, b]
                    )
            for j in range(first[k], first[k + 1]):
                move(
                    k, j, is_slide[j], axis, anchor, q[j] - reference[j], R_WL, p_OL, H
                )
        for a in range(3):
            r_O[k, a] = p_OL[k, a] + (
                R_WL[k, a, 0] * com[k, 0]
                + R_WL[k, a, 1] * com[k, 1]
                + R_WL[k, a, 2] * com[k, 2]
            )


@compiled(allocates=False, melts=True)
def move(
    k: int,
    j: int,
    slides: int,
    axis: Array,
    anchor: Array,
    value: float,
    R_WL: Array,
    p_OL: Array,
    H: Array,
) -> None:
    """Turn or shift link k by joint j and write the joint's twist about O."""
    x, y, z = axis[j, 0], axis[j, 1], axis[j, 2]
    a = R_WL[k, 0, 0] * x + R_WL[k, 0, 1] * y + R_WL[k, 0, 2] * z
    b = R_WL[k, 1, 0] * x + R_WL[k, 1, 1] * y + R_WL[k, 1, 2] * z
    c = R_WL[k, 2, 0] * x + R_WL[k, 2, 1] * y + R_WL[k, 2, 2] * z
    if slides == 1:
        H[j, 0], H[j, 1], H[j, 2] = a, b, c
        H[j, 3] = H[j, 4] = H[j, 5] = 0.0
        p_OL[k, 0] += value * a
        p_OL[k, 1] += value * b
        p_OL[k, 2] += value * c
        return
    px, py, pz = anchor[j, 0], anchor[j, 1], anchor[j, 2]
    u = R_WL[k, 0, 0] * px + R_WL[k, 0, 1] * py + R_WL[k, 0, 2] * pz + p_OL[k, 0]
    v = R_WL[k, 1, 0] * px + R_WL[k, 1, 1] * py + R_WL[k, 1, 2] * pz + p_OL[k, 1]
    w = R_WL[k, 2, 0] * px + R_WL[k, 2, 1] * py + R_WL[k, 2, 2] * pz + p_OL[k, 2]
    H[j, 0], H[j, 1], H[j, 2] = v * c - w * b, w * a - u * c, u * b - v * a
    H[j, 3], H[j, 4], H[j, 5] = a, b, c
    s, t = math.sin(value), math.cos(value)
    for row in range(3):  # R ← R exp(axis^ value), Rodrigues
        e, f, g = R_WL[k, row, 0], R_WL[k, row, 1], R_WL[k, row, 2]
        along = (1.0 - t) * (e * x + f * y + g * z)
        R_WL[k, row, 0] = t * e + s * (f * z - g * y) + along * x
        R_WL[k, row, 1] = t * f + s * (g * x - e * z) + along * y
        R_WL[k, row, 2] = t * g + s * (e * y - f * x) + along * z
    p_OL[k, 0] = u - (R_WL[k, 0, 0] * px + R_WL[k, 0, 1] * py + R_WL[k, 0, 2] * pz)
    p_OL[k, 1] = v - (R_WL[k, 1, 0] * px + R_WL[k, 1, 1] * py + R_WL[k, 1, 2] * pz)
    p_OL[k, 2] = w - (R_WL[k, 2, 0] * px + R_WL[k, 2, 1] * py + R_WL[k, 2, 2] * pz)


@compiled(allocates=False)
def outboard_velocities(
    inboard: Ints, first: Ints, H: Array, v: Array, V: Array, a: Array
) -> None:
    """Write every link's twist V and the velocity term a of its acceleration.

    Between neighbours V_o = V_i + H θ' and V'_o = V'_i + H θ'' + a with
    a = V x H θ' = [w x h_v + v x h_w; w x h_w] θ'.

    Args:
        inboard: the tree: which link carries each one.
        first: where each link's joints begin.
        H: joint twists about O, (nd, 6).
        v: joint rates, (nd,).
        V: twists about O; the central body's is read, the others are written, (nl, 6).
        a: velocity terms, written, (nl, 6); zero for the central body.
    """
    for d in range(6):
        a[0, d] = 0.0
    for k in range(1, inboard.shape[0]):
        i = inboard[k]
        for d in range(6):
            V[k, d] = V[i, d]
            a[k, d] = 0.0
        for j in range(first[k], first[k + 1]):
            rate = v[j]
            x, y, z = rate * H[j, 0], rate * H[j, 1], rate * H[j, 2]
            p, q, r = rate * H[j, 3], rate * H[j, 4], rate * H[j, 5]
            vx, vy, vz = V[k, 0], V[k, 1], V[k, 2]
            wx, wy, wz = V[k, 3], V[k, 4], V[k, 5]
            a[k, 0] += wy * z - wz * y + vy * r - vz * q
            a[k, 1] += wz * x - wx * z + vz * p - vx * r
            a[k, 2] += wx * y - wy * x + vx * q - vy * p
            a[k, 3] += wy * r - wz * q
            a[k, 4] += wz * p - wx * r
            a[k, 5] += wx * q - wy * p
            V[k, 0], V[k, 1], V[k, 2] = vx + x, vy + y, vz + z
            V[k, 3], V[k, 4], V[k, 5] = wx + p, wy + q, wz + r
