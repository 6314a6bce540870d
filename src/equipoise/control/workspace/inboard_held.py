"""Inboard recursion with feet that do not move at all, instead of very heavy ones.

The recursion of ``inboard`` on mobilities (acceleration per wrench), where a held foot
is simply zero. Nothing is inverted that can be singular, and square roots of mobilities
are kept, so that almost straight legs cost few digits: 1e-12 with knees at 0.1 degrees.
"""

from equipoise.control.workspace.inboard import pass_inboard
from equipoise.control.workspace.scratch import HeldRoom, LinkMotion, Scratch
from equipoise.control.workspace.small import (
    add_column6,
    add_inverse6,
    invert_lower6,
    lower_root6,
)
from equipoise.control.workspace.tree import TreeArrays, TreeLink
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["inboard_exact"]


@compiled(allocates=False)
def inboard_exact(t: TreeArrays, s: Scratch) -> None:
    """Gather the workspace's inertia and bias with the feet held exactly.

    A link that a foot holds is described by V' = Ω f + α, Ω = S Sᵀ. Seen through its
    free joints and with the mass M of the inboard link added (z its bias)::

        S ← S (1 + Sᵀ M S)^(-1/2)
        S ← [S, w]  with  w = (h - Ω M h) / √(hᵀ (M - M Ω M) h)  for every joint h
        α ← γ - Ω (M γ + z)  with  γ = α - a

    S begins as zero in a foot. Where several legs meet, each takes a share of the
    link's mass and their inertias Ω⁻¹ add up: ``S`` and ``drift`` of such a link hold
    the sums of inertias and biases until all legs have been added.

    Args:
        t: the tree.
        s: the links' own ``P`` and ``z`` are read and overwritten; those of link 0
            become the workspace's. ``S``, ``drift`` and ``held`` are scratch.
    """
    n = t.links.shape[0]
    for k in range(n - 1, 0, -1):  # what hangs freely becomes part of what it hangs on
        if t.links[k].foot < 0 and t.links[k].carriers == 0:
            pass_inboard(t.links[k], s, s.links[k])
    for k in range(n):
        _begin_link(t.links[k], s.links[k])
    room = s.held[0]
    for k in range(n - 1, 0, -1):
        link = t.links[k]
        if link.foot < 0 and link.carriers == 0:
            continue
        if link.foot < 0 and link.carriers > 1:  # met: what was summed is an inertia
            _to_mobility(s.links[k].S, s.links[k].drift, room.alpha)
        i = link.inboard
        if t.links[i].foot >= 0:
            continue  # whatever it carries, it is held
        inner = s.links[i]
        _hold(link, s, s.links[k], inner, room)
        if t.links[i].carriers > 1:
            add_inverse6(room.S, room.alpha, inner.S, inner.drift)
        else:
            _copy6(room.S, room.alpha, inner.S, inner.drift)
    trunk = s.links[0]
    P, z = trunk.P, trunk.z
    for r in range(6):
        z[r] = 0.0
        for c in range(6):
            P[r, c] = 0.0
    if t.links[0].carriers == 1:
        add_inverse6(room.S, room.alpha, P, z)
        return
    _copy6(trunk.S, trunk.drift, P, z)


@compiled(allocates=False)
def _begin_link(link: TreeLink, moved: LinkMotion) -> None:
    """Set sums to zero in feet and where legs meet; a share of such a link's mass."""
    is_foot, legs = link.foot >= 0, link.carriers
    S, drift, P, z = moved.S, moved.drift, moved.P, moved.z
    if is_foot or legs > 1:
        for r in range(6):
            drift[r] = 0.0
            for c in range(6):
                S[r, c] = 0.0
    if legs > 1:
        for r in range(6):
            z[r] /= legs
            for c in range(6):
                P[r, c] /= legs


@compiled(allocates=False, force_inline=True)
def _copy6(P: Array, z: Array, to_P: Array, to_z: Array) -> None:
    """Copy a matrix and a vector."""
    for r in range(6):
        to_z[r] = z[r]
        for c in range(6):
            to_P[r, c] = P[r, c]


@compiled(allocates=False)
def _to_mobility(S: Array, drift: Array, room: Array) -> None:
    """Turn f = P a + z into a = S Sᵀ f + α in place: S Sᵀ = P⁻¹, α = -P⁻¹ z.

    Args:
        S: P, overwritten by S.
        drift: z, overwritten by α.
        room: (6,), scratch.
    """
    lower_root6(S)
    invert_lower6(S)
    for c in range(6):
        room[c] = 0.0
        for r in range(c, 6):
            room[c] += S[r, c] * drift[r]
    for r in range(6):
        drift[r] = 0.0
        for c in range(r + 1):
            drift[r] -= S[r, c] * room[c]


@compiled(allocates=False)
def _hold(
    link: TreeLink,
    s: Scratch,
    moved: LinkMotion,
    inner: LinkMotion,
    room: HeldRoom,
) -> None:
    """Write into the room the S and α of a link's inboard link held through it.

    Args:
        link: the link.
        s: joint twists are read.
        moved: the link's motion, its own ``S`` and ``drift``.
        inner: that of its inboard link.
        room: ``S`` and ``alpha`` are written.
    """
    S_k, drift, a, M, z = moved.S, moved.drift, moved.a, inner.P, inner.z
    S, MS, root, alpha, w = room.S, room.MS, room.root, room.alpha, room.w
    for r in range(6):
        for c in range(6):  # M S
            MS[r, c] = 0.0
            for d in range(c, 6):
                MS[r, c] += M[r, d] * S_k[d, c]
    for r in range(6):
        for c in range(r + 1):  # 1 + Sᵀ M S, lower half
            root[r, c] = 1.0 if r == c else 0.0
            for d in range(r, 6):
                root[r, c] += S_k[d, r] * MS[d, c]
    lower_root6(root)
    for r in range(6):
        for c in range(r, -1, -1):  # S (root)⁻¹, row by row
            total = S_k[r, c]
            for d in range(c + 1, r + 1):
                total -= S[r, d] * root[d, c]
            S[r, c] = total / root[c, c]
    for j in range(link.first, link.end):
        _free_joint(s.joints[j].H, M, room)
    for r in range(6):
        alpha[r] = drift[r] - a[r]
    for r in range(6):
        w[r] = z[r]
        for c in range(6):
            w[r] += M[r, c] * alpha[c]
    for c in range(6):
        seen = 0.0
        for r in range(c, 6):
            seen += S[r, c] * w[r]
        for r in range(c, 6):
            alpha[r] -= S[r, c] * seen


@compiled(allocates=False)
def _free_joint(h: Array, M: Array, room: HeldRoom) -> None:
    """Add to S the column of what a joint of twist h lets through."""
    S, w, Mh = room.S, room.w, room.Mh
    square = 0.0
    for r in range(6):
        w[r] = h[r]
        Mh[r] = 0.0
        for c in range(6):
            Mh[r] += M[r, c] * h[c]
        square += h[r] * Mh[r]
    for c in range(6):
        along = 0.0
        for r in range(c, 6):
            along += S[r, c] * Mh[r]
        square -= along * along
        for r in range(c, 6):
            w[r] -= along * S[r, c]
    for r in range(6):
        w[r] /= square**0.5
    add_column6(S, w)
