"""Inboard recursion: what the central body's wrench does, the feet being held.

F_1 = P_1 V'_1 + z_1 relates the wrench on the central body to its acceleration when all
joints are free and the feet do not move. Two ways to hold the feet:

* ``inboard_big``: Algorithm 3 of [Wendlandt1997], each foot as heavy as 1e6 trunks.
  Bias near 1e-7, growing as a knee straightens. The printed L_k lacks the adjoint from
  inboard to outboard, which is the identity in the coordinates used here.
* ``inboard_exact`` in ``inboard_held``: the feet do not move at all.

Coordinates as in ``outboard``: linear first, about O, in the world's axes.
"""

from equipoise.control.workspace.scratch import LinkMotion, Scratch
from equipoise.control.workspace.tree import TreeArrays, TreeLink
from equipoise.control.workspace.twists import (
    Triple,
    dot6,
    halves,
    put,
    row_times,
    speed_at,
)
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["BIG", "inboard_big", "link_inertias", "pass_inboard"]

BIG = 1e6
"""Mass of a foot in trunks; the paper's factor. The best, 1e7, errs by 1e-8."""
ANGULAR = 3  # where the angular half of six numbers begins


@compiled(allocates=False)
def link_inertias(t: TreeArrays, s: Scratch) -> None:
    """Write every link's own inertia P about O and its bias z = V x* P V - weight.

    Args:
        t: the tree.
        s: ``R_WL``, ``r_O`` and ``V`` of the links are read, ``P`` and ``z`` written.
    """
    for k in range(t.links.shape[0]):
        link, moved = t.links[k], s.links[k]
        _own_inertia(link, moved)
        m, weight = link.mass, link.mass * t.gravity
        x, y, c = moved.r_O[0], moved.r_O[1], moved.r_O[2]
        (vx, vy, vz), (wx, wy, wz) = halves(moved.V)
        fx, fy, fz = speed_at(moved.V, (x, y, c))
        fx, fy, fz = m * fx, m * fy, m * fz
        nx, ny, nz = _angular_momentum(moved.P, (vx, vy, vz), (wx, wy, wz))
        put(
            moved.z,
            (wy * fz - wz * fy, wz * fx - wx * fz, wx * fy - wy * fx + weight),
            (
                wy * nz - wz * ny + vy * fz - vz * fy + y * weight,
                wz * nx - wx * nz + vz * fx - vx * fz - x * weight,
                wx * ny - wy * nx + vx * fy - vy * fx,
            ),
        )


@compiled(allocates=False, force_inline=True)
def _angular_momentum(P: Array, v: Triple, w: Triple) -> Triple:
    """Return the angular half of P times a twist, about O."""
    return _half_row(P, 0, v, w), _half_row(P, 1, v, w), _half_row(P, 2, v, w)


@compiled(allocates=False, force_inline=True)
def _half_row(P: Array, axis: int, v: Triple, w: Triple) -> float:
    """Return one axis of the angular half of P times a twist."""
    r = ANGULAR + axis
    linear = P[r, 0] * v[0] + P[r, 1] * v[1] + P[r, 2] * v[2]
    return linear + (P[r, 3] * w[0] + P[r, 4] * w[1] + P[r, 5] * w[2])


@compiled(allocates=False, force_inline=True)
def _own_inertia(body: TreeLink, moved: LinkMotion) -> None:
    """Write a body's inertia, taken to be where a link is.

    P = [[m, -m r^], [m r^, R I Rᵀ - m r^ r^]] for the link's centre of mass r.

    Args:
        body: whose mass and inertia are meant.
        moved: the link; its ``P`` is written.
    """
    m, inertia, R, r, P = body.mass, body.inertia, moved.R_WL, moved.r_O, moved.P
    for a in range(3):
        for b in range(a, 3):
            total = 0.0
            for c in range(3):
                part = (
                    inertia[c, 0] * R[b, 0]
                    + inertia[c, 1] * R[b, 1]
                    + inertia[c, 2] * R[b, 2]
                )
                total += R[a, c] * part
            P[ANGULAR + a, ANGULAR + b] = total
            P[a, b] = P[b, a] = 0.0
        P[a, a] = m
        P[a, ANGULAR + a] = P[ANGULAR + a, a] = 0.0
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        P[ANGULAR + a, ANGULAR + a] += m * (r[b] * r[b] + r[c] * r[c])
        for b in range(a + 1, 3):
            P[ANGULAR + a, ANGULAR + b] -= m * r[a] * r[b]
            P[ANGULAR + b, ANGULAR + a] = P[ANGULAR + a, ANGULAR + b]
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        P[b, ANGULAR + c] = P[ANGULAR + c, b] = m * r[a]
        P[c, ANGULAR + b] = P[ANGULAR + b, c] = -m * r[a]


@compiled(allocates=False)
def inboard_big(t: TreeArrays, s: Scratch) -> None:
    """Gather articulated inertias and biases; P_1, z_1 become the workspace's.

    Args:
        t: the tree.
        s: the links' own ``P`` and ``z`` are read and overwritten.
    """
    for f in range(t.foot.shape[0]):
        foot = s.links[t.foot[f]]
        P, z = foot.P, foot.z
        _own_inertia(t.links[0], foot)
        for r in range(6):
            z[r] = 0.0
            for c in range(6):
                P[r, c] *= BIG
    for k in range(t.links.shape[0] - 1, 0, -1):
        pass_inboard(t.links[k], s, s.links[k])


@compiled(allocates=False, force_inline=True)
def pass_inboard(link: TreeLink, s: Scratch, moved: LinkMotion) -> None:
    """Add what a link is through its free joints to its inboard link i.

    P_i += P - P H D⁻¹ Hᵀ P and z_i += (1 - P H D⁻¹ Hᵀ)(P a + z), with D = Hᵀ P H.

    Args:
        link: the link.
        s: joint twists are read, the inboard link's ``P`` and ``z`` added to.
        moved: the link's part of ``s``; ``P`` and ``z`` are overwritten.
    """
    P, z, a = moved.P, moved.z, moved.a
    P_inner, z_inner = s.links[link.inboard].P, s.links[link.inboard].z
    for r in range(6):
        for c in range(6):
            z[r] += P[r, c] * a[c]
    for j in range(link.end - 1, link.first - 1, -1):
        H = s.joints[j].H
        u = (
            row_times(P, 0, H),
            row_times(P, 1, H),
            row_times(P, 2, H),
            row_times(P, 3, H),
            row_times(P, 4, H),
            row_times(P, 5, H),
        )
        d = 1.0 / dot6(u, H)
        push = d * dot6(z, H)
        for r in range(6):
            z[r] -= u[r] * push
            for c in range(r, 6):
                P[r, c] -= u[r] * d * u[c]
                P[c, r] = P[r, c]
    for r in range(6):
        z_inner[r] += z[r]
        for c in range(6):
            P_inner[r, c] += P[r, c]
