"""Inboard recursion: what the central body's wrench does, the feet being held.

F_1 = P_1 V'_1 + z_1 relates the wrench on the central body to its acceleration when all
joints are free and the feet do not move. Two ways to hold the feet:

* ``inboard_big``: Algorithm 3 of [Wendlandt1997], each foot as heavy as 1e6 trunks.
  Bias near 1e-7, growing as a knee straightens. The printed L_k lacks the adjoint from
  inboard to outboard, which is the identity in the coordinates used here.
* ``inboard_exact`` in ``inboard_held``: the feet do not move at all.

Coordinates as in ``outboard``: linear first, about O, in the world's axes.
"""

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["BIG", "inboard_big", "link_inertias", "pass_inboard"]

BIG = 1e6
"""Mass of a foot in trunks; the paper's factor. The best, 1e7, errs by 1e-8."""


@compiled(allocates=False)
def link_inertias(
    mass: Array,
    inertia: Array,
    gravity: float,
    R_WL: Array,
    r_O: Array,
    V: Array,
    P: Array,
    z: Array,
) -> None:
    """Write every link's own inertia P about O and its bias z = V x* P V - weight.

    Args:
        mass: of the links [kg].
        inertia: of the links [kg m²].
        gravity: downwards [m/s²].
        R_WL: links' orientations, (nl, 3, 3).
        r_O: links' centres of mass from O, (nl, 3) [m].
        V: links' twists about O, (nl, 6).
        P: (nl, 6, 6), written.
        z: (nl, 6), written.
    """
    for k in range(mass.shape[0]):
        own_inertia(k, mass[k], inertia, R_WL, k, r_O[k, 0], r_O[k, 1], r_O[k, 2], P)
        m, x, y, c = mass[k], r_O[k, 0], r_O[k, 1], r_O[k, 2]
        vx, vy, vz = V[k, 0], V[k, 1], V[k, 2]
        wx, wy, wz = V[k, 3], V[k, 4], V[k, 5]
        fx = m * (vx + wy * c - wz * y)
        fy = m * (vy + wz * x - wx * c)
        fz = m * (vz + wx * y - wy * x)
        nx = P[k, 3, 0] * vx + P[k, 3, 1] * vy + P[k, 3, 2] * vz
        nx += P[k, 3, 3] * wx + P[k, 3, 4] * wy + P[k, 3, 5] * wz
        ny = P[k, 4, 0] * vx + P[k, 4, 1] * vy + P[k, 4, 2] * vz
        ny += P[k, 4, 3] * wx + P[k, 4, 4] * wy + P[k, 4, 5] * wz
        nz = P[k, 5, 0] * vx + P[k, 5, 1] * vy + P[k, 5, 2] * vz
        nz += P[k, 5, 3] * wx + P[k, 5, 4] * wy + P[k, 5, 5] * wz
        weight = m * gravity
        z[k, 0] = wy * fz - wz * fy
        z[k, 1] = wz * fx - wx * fz
        z[k, 2] = wx * fy - wy * fx + weight
        z[k, 3] = wy * nz - wz * ny + vy * fz - vz * fy + y * weight
        z[k, 4] = wz * nx - wx * nz + vz * fx - vx * fz - x * weight
        z[k, 5] = wx * ny - wy * nx + vx * fy - vy * fx


@compiled(allocates=False, melts=True)
def own_inertia(
    k: int,
    m: float,
    inertia: Array,
    R_WL: Array,
    slot: int,
    x: float,
    y: float,
    z: float,
    P: Array,
) -> None:
    """Write [[m, -m r^], [m r^, R I Rᵀ - m r^ r^]] for the centre r = (x, y, z)."""
    for a in range(3):
        for b in range(a, 3):
            total = 0.0
            for c in range(3):
                part = (
                    inertia[k, c, 0] * R_WL[slot, b, 0]
                    + inertia[k, c, 1] * R_WL[slot, b, 1]
                    + inertia[k, c, 2] * R_WL[slot, b, 2]
                )
                total += R_WL[slot, a, c] * part
            P[slot, 3 + a, 3 + b] = total
            P[slot, a, b] = P[slot, b, a] = 0.0
        P[slot, a, a] = m
    P[slot, 3, 3] += m * (y * y + z * z)
    P[slot, 4, 4] += m * (x * x + z * z)
    P[slot, 5, 5] += m * (x * x + y * y)
    P[slot, 3, 4] -= m * x * y
    P[slot, 3, 5] -= m * x * z
    P[slot, 4, 5] -= m * y * z
    P[slot, 4, 3] = P[slot, 3, 4]
    P[slot, 5, 3] = P[slot, 3, 5]
    P[slot, 5, 4] = P[slot, 4, 5]
    P[slot, 0, 3] = P[slot, 1, 4] = P[slot, 2, 5] = 0.0
    P[slot, 3, 0] = P[slot, 4, 1] = P[slot, 5, 2] = 0.0
    P[slot, 0, 4] = P[slot, 4, 0] = m * z
    P[slot, 0, 5] = P[slot, 5, 0] = -m * y
    P[slot, 1, 3] = P[slot, 3, 1] = -m * z
    P[slot, 1, 5] = P[slot, 5, 1] = m * x
    P[slot, 2, 3] = P[slot, 3, 2] = m * y
    P[slot, 2, 4] = P[slot, 4, 2] = -m * x


@compiled(allocates=False)
def inboard_big(
    inboard: Ints,
    first: Ints,
    foot: Ints,
    mass: Array,
    inertia: Array,
    R_WL: Array,
    r_O: Array,
    H: Array,
    a: Array,
    P: Array,
    z: Array,
) -> None:
    """Gather articulated inertias and biases; P[0], z[0] become the workspace's.

    Args:
        inboard: the tree: which link carries each one.
        first: where each link's joints begin.
        foot: the links that stand.
        mass: of the links [kg].
        inertia: of the links [kg m²].
        R_WL: links' orientations.
        r_O: centres of mass from O [m].
        H: joint twists about O.
        a: velocity terms of the links.
        P: links' own inertias, overwritten, (nl, 6, 6).
        z: links' own biases, overwritten, (nl, 6).
    """
    for f in range(foot.shape[0]):
        k = foot[f]
        own_inertia(0, mass[0], inertia, R_WL, k, r_O[k, 0], r_O[k, 1], r_O[k, 2], P)
        for r in range(6):
            z[k, r] = 0.0
            for c in range(6):
                P[k, r, c] *= BIG
    for k in range(inboard.shape[0] - 1, 0, -1):
        pass_inboard(k, inboard[k], first[k], first[k + 1], H, a, P, z)


@compiled(allocates=False, melts=True)
def pass_inboard(
    k: int, i: int, begin: int, end: int, H: Array, a: Array, P: Array, z: Array
) -> None:
    """Add what link k is through its free joints to its inboard link i.

    P_i += P - P H D⁻¹ Hᵀ P and z_i += (1 - P H D⁻¹ Hᵀ)(P a + z), with D = Hᵀ P H.
    """
    for r in range(6):
        for c in range(6):
            z[k, r] += P[k, r, c] * a[k, c]
    for j in range(end - 1, begin - 1, -1):
        h0, h1, h2 = H[j, 0], H[j, 1], H[j, 2]
        h3, h4, h5 = H[j, 3], H[j, 4], H[j, 5]
        u0 = across(P, k, 0, h0, h1, h2, h3, h4, h5)
        u1 = across(P, k, 1, h0, h1, h2, h3, h4, h5)
        u2 = across(P, k, 2, h0, h1, h2, h3, h4, h5)
        u3 = across(P, k, 3, h0, h1, h2, h3, h4, h5)
        u4 = across(P, k, 4, h0, h1, h2, h3, h4, h5)
        u5 = across(P, k, 5, h0, h1, h2, h3, h4, h5)
        d = 1.0 / (h0 * u0 + h1 * u1 + h2 * u2 + h3 * u3 + h4 * u4 + h5 * u5)
        push = d * (
            h0 * z[k, 0] + h1 * z[k, 1] + h2 * z[k, 2]
            + h3 * z[k, 3] + h4 * z[k, 4] + h5 * z[k, 5]
        )  # fmt: skip
        u = (u0, u1, u2, u3, u4, u5)
        for r in range(6):
            z[k, r] -= u[r] * push
            for c in range(r, 6):
                P[k, r, c] -= u[r] * d * u[c]
                P[k, c, r] = P[k, r, c]
    for r in range(6):
        z[i, r] += z[k, r]
        for c in range(6):
            P[i, r, c] += P[k, r, c]


@compiled(allocates=False, melts=True)
def across(
    P: Array,
    k: int,
    r: int,
    h0: float,
    h1: float,
    h2: float,
    h3: float,
    h4: float,
    h5: float,
) -> float:
    """Return row r of P_k times a twist."""
    return (
        P[k, r, 0] * h0 + P[k, r, 1] * h1 + P[k, r, 2] * h2
        + P[k, r, 3] * h3 + P[k, r, 4] * h4 + P[k, r, 5] * h5
    )  # fmt: skip
