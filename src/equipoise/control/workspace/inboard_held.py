"""Inboard recursion with feet that do not move at all, instead of very heavy ones.

The recursion of ``inboard`` on mobilities (acceleration per wrench), where a held foot
is simply zero. Nothing is inverted that can be singular, and square roots of mobilities
are kept, so that almost straight legs cost few digits: 1e-12 with knees at 0.1 degrees.
"""

from equipoise.control.workspace.inboard import pass_inboard
from equipoise.control.workspace.small import (
    add_column6,
    add_inverse6,
    invert_lower6,
    lower_root6,
)
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["inboard_exact"]


@compiled(allocates=False)
def inboard_exact(
    inboard: Ints,
    first: Ints,
    foot_of: Ints,
    carriers: Ints,
    H: Array,
    a: Array,
    P: Array,
    z: Array,
    mobility: Array,
    drift: Array,
    room: Array,
) -> None:
    """Gather the workspace's inertia and bias with the feet held exactly.

    A link that a foot holds is described by V' = Ω f + α, Ω = S Sᵀ. Seen through its
    free joints and with the mass M of the inboard link added (z its bias)::

        S ← S (1 + Sᵀ M S)^(-1/2)
        S ← [S, w]  with  w = (h - Ω M h) / √(hᵀ (M - M Ω M) h)  for every joint h
        α ← γ - Ω (M γ + z)  with  γ = α - a

    S begins as zero in a foot. Where several legs meet, each takes a share of the
    link's mass and their inertias Ω⁻¹ add up.

    Args:
        inboard: the tree: which link carries each one.
        first: where each link's joints begin.
        foot_of: a link's number as a foot, or -1.
        carriers: (nl,) how many outboard links of each one lead to a foot.
        H: joint twists about O.
        a: velocity terms of the links.
        P: links' own inertias, overwritten; P[0] becomes the workspace's.
        z: links' own biases, overwritten; z[0] becomes the workspace's.
        mobility: S, or the sum of inertias where legs meet, (nl, 6, 6), scratch.
        drift: α, or the sum of biases, (nl, 6), scratch.
        room: (4, 6, 6), scratch.
    """
    n = inboard.shape[0]
    for k in range(n - 1, 0, -1):  # what hangs freely becomes part of what it hangs on
        if foot_of[k] < 0 and carriers[k] == 0:
            pass_inboard(k, inboard[k], first[k], first[k + 1], H, a, P, z)
    for k in range(n):  # shares of the links where legs meet
        if foot_of[k] >= 0 or carriers[k] > 1:
            for r in range(6):
                drift[k, r] = 0.0
                for c in range(6):
                    mobility[k, r, c] = 0.0
        if carriers[k] > 1:
            for r in range(6):
                z[k, r] /= carriers[k]
                for c in range(6):
                    P[k, r, c] /= carriers[k]
    for k in range(n - 1, 0, -1):
        if foot_of[k] < 0 and carriers[k] == 0:
            continue
        if foot_of[k] < 0 and carriers[k] > 1:  # met: what was summed is an inertia
            to_mobility(k, mobility, drift, room)
        i = inboard[k]
        if foot_of[i] >= 0:
            continue  # whatever it carries, it is held
        hold(k, i, first[k], first[k + 1], H, a, P, z, mobility, drift, room)
        if carriers[i] > 1:
            add_inverse6(room, mobility, i, drift)
        else:
            for r in range(6):
                drift[i, r] = room[2, 0, r]
                for c in range(6):
                    mobility[i, r, c] = room[0, r, c]
    for r in range(6):
        z[0, r] = 0.0
        for c in range(6):
            P[0, r, c] = 0.0
    if carriers[0] == 1:
        add_inverse6(room, P, 0, z)
        return
    for r in range(6):
        z[0, r] = drift[0, r]
        for c in range(6):
            P[0, r, c] = mobility[0, r, c]


@compiled(allocates=False)
def to_mobility(k: int, mobility: Array, drift: Array, room: Array) -> None:
    """Turn f = P a + z into a = S Sᵀ f + α in place: S Sᵀ = P⁻¹, α = -P⁻¹ z."""
    lower_root6(mobility, k)
    invert_lower6(mobility, k)
    for c in range(6):
        room[2, 0, c] = 0.0
        for r in range(c, 6):
            room[2, 0, c] += mobility[k, r, c] * drift[k, r]
    for r in range(6):
        drift[k, r] = 0.0
        for c in range(r + 1):
            drift[k, r] -= mobility[k, r, c] * room[2, 0, c]


@compiled(allocates=False)
def hold(
    k: int,
    i: int,
    begin: int,
    end: int,
    H: Array,
    a: Array,
    P: Array,
    z: Array,
    mobility: Array,
    drift: Array,
    room: Array,
) -> None:
    """Write into room[0] and room[2, 0] the S and α of link i held through k."""
    for r in range(6):
        for c in range(6):  # M S
            room[1, r, c] = 0.0
            for d in range(c, 6):
                room[1, r, c] += P[i, r, d] * mobility[k, d, c]
    for r in range(6):
        for c in range(r + 1):  # 1 + Sᵀ M S, lower half
            room[3, r, c] = 1.0 if r == c else 0.0
            for d in range(r, 6):
                room[3, r, c] += mobility[k, d, r] * room[1, d, c]
    lower_root6(room, 3)
    for r in range(6):
        for c in range(r, -1, -1):  # S (root)⁻¹, row by row
            total = mobility[k, r, c]
            for d in range(c + 1, r + 1):
                total -= room[0, r, d] * room[3, d, c]
            room[0, r, c] = total / room[3, c, c]
    for j in range(begin, end):
        free_joint(j, i, H, P, room)
    for r in range(6):
        room[2, 0, r] = drift[k, r] - a[k, r]
    for r in range(6):
        room[2, 1, r] = z[i, r]
        for c in range(6):
            room[2, 1, r] += P[i, r, c] * room[2, 0, c]
    for c in range(6):
        seen = 0.0
        for r in range(c, 6):
            seen += room[0, r, c] * room[2, 1, r]
        for r in range(c, 6):
            room[2, 0, r] -= room[0, r, c] * seen


@compiled(allocates=False)
def free_joint(j: int, i: int, H: Array, P: Array, room: Array) -> None:
    """Add to S in room[0] the column of what joint j lets through."""
    square = 0.0
    for r in range(6):
        room[2, 1, r] = H[j, r]
        room[2, 2, r] = 0.0  # M h
        for c in range(6):
            room[2, 2, r] += P[i, r, c] * H[j, c]
        square += H[j, r] * room[2, 2, r]
    for c in range(6):
        along = 0.0
        for r in range(c, 6):
            along += room[0, r, c] * room[2, 2, r]
        square -= along * along
        for r in range(c, 6):
            room[2, 1, r] -= along * room[0, r, c]
    for r in range(6):
        room[2, 1, r] /= square**0.5
    add_column6(room, 0, room, 1)
