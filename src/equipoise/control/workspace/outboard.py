"""Outboard recursion: poses, velocities and velocity-dependent terms, link to link.

Algorithms 1 and 2 of [Wendlandt1997], with a_1 = 0 in six numbers and the velocity term
a_k = ad(V) H θ' written out. Every twist and wrench is linear first, refers to one
common point O, the central body's centre of mass at this instant, and is expressed in
the world's axes: the adjoint between two links is then the identity, which saves most
of the arithmetic and changes no result.
"""

import math

from equipoise.control.workspace.scratch import JointMotion, LinkMotion, Scratch
from equipoise.control.workspace.tree import TreeArrays, TreeJoint
from equipoise.control.workspace.twists import halves, put, turned_by
from equipoise.core.jit import compiled

__all__ = ["outboard_links", "outboard_velocities"]


@compiled(allocates=False)
def outboard_links(t: TreeArrays, s: Scratch) -> None:
    """Place every link and every joint.

    Args:
        t: the tree.
        s: joint values and the central body's frame are read; ``R_WL``, ``p_OL`` and
            ``r_O`` of the links and ``H`` of the joints are written.
    """
    for k in range(t.links.shape[0]):
        link, moved = t.links[k], s.links[k]
        R_WL, p_OL, com = moved.R_WL, moved.p_OL, link.com
        if link.inboard >= 0:
            inner, R_IL, p_IL = s.links[link.inboard], link.R_IL, link.p_IL
            R_WI, p_OI = inner.R_WL, inner.p_OL
            for a in range(3):
                p_OL[a] = p_OI[a]
                for b in range(3):
                    p_OL[a] += R_WI[a, b] * p_IL[b]
                    R_WL[a, b] = (
                        R_WI[a, 0] * R_IL[0, b]
                        + R_WI[a, 1] * R_IL[1, b]
                        + R_WI[a, 2] * R_IL[2, b]
                    )
            for j in range(link.first, link.end):
                _move(t.joints[j], s.joints[j], moved)
        x, y, z = turned_by(R_WL, com)
        moved.r_O[0], moved.r_O[1], moved.r_O[2] = p_OL[0] + x, p_OL[1] + y, p_OL[2] + z


@compiled(allocates=False, force_inline=True)
def _move(joint: TreeJoint, motion: JointMotion, link: LinkMotion) -> None:
    """Turn or shift a link by one of its joints and write the joint's twist about O."""
    R, p_OL, value = link.R_WL, link.p_OL, motion.q - joint.reference
    axis, anchor = joint.axis, joint.anchor
    a, b, c = turned_by(R, axis)
    if joint.is_slide == 1:
        put(motion.H, (a, b, c), (0.0, 0.0, 0.0))
        p_OL[0] += value * a
        p_OL[1] += value * b
        p_OL[2] += value * c
        return
    u, v, w = turned_by(R, anchor)
    u, v, w = u + p_OL[0], v + p_OL[1], w + p_OL[2]
    put(motion.H, (v * c - w * b, w * a - u * c, u * b - v * a), (a, b, c))
    x, y, z = axis[0], axis[1], axis[2]
    s, t = math.sin(value), math.cos(value)
    for row in range(3):  # R ← R exp(axis^ value), Rodrigues
        e, f, g = R[row, 0], R[row, 1], R[row, 2]
        along = (1.0 - t) * (e * x + f * y + g * z)
        R[row, 0] = t * e + s * (f * z - g * y) + along * x
        R[row, 1] = t * f + s * (g * x - e * z) + along * y
        R[row, 2] = t * g + s * (e * y - f * x) + along * z
    px, py, pz = turned_by(R, anchor)
    p_OL[0], p_OL[1], p_OL[2] = u - px, v - py, w - pz


@compiled(allocates=False)
def outboard_velocities(t: TreeArrays, s: Scratch) -> None:
    """Write every link's twist V and the velocity term a of its acceleration.

    Between neighbours V_o = V_i + H θ' and V'_o = V'_i + H θ'' + a with
    a = V x H θ' = [w x h_v + v x h_w; w x h_w] θ'.

    Args:
        t: the tree.
        s: the central body's ``V``, joint rates and ``H`` are read; ``V`` and ``a`` of
            the links are written.
    """
    for d in range(6):
        s.links[0].a[d] = 0.0
    for k in range(1, t.links.shape[0]):
        link, moved = t.links[k], s.links[k]
        V, V_inner, a = moved.V, s.links[link.inboard].V, moved.a
        for d in range(6):
            V[d] = V_inner[d]
            a[d] = 0.0
        for j in range(link.first, link.end):
            rate = s.joints[j].v
            (x, y, z), (p, q, r) = halves(s.joints[j].H)
            x, y, z = rate * x, rate * y, rate * z
            p, q, r = rate * p, rate * q, rate * r
            (vx, vy, vz), (wx, wy, wz) = halves(V)
            (ax, ay, az), (bx, by, bz) = halves(a)
            put(
                a,
                (
                    ax + (wy * z - wz * y + vy * r - vz * q),
                    ay + (wz * x - wx * z + vz * p - vx * r),
                    az + (wx * y - wy * x + vx * q - vy * p),
                ),
                (
                    bx + (wy * r - wz * q),
                    by + (wz * p - wx * r),
                    bz + (wx * q - wy * p),
                ),
            )
            put(V, (vx + x, vy + y, vz + z), (wx + p, wy + q, wz + r))
