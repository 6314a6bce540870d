"""Equations of motion of a tree, link by link: M(q) dv/dt = tau - bias(q, v).

The bias comes from the recursion of Newton and Euler [Luh1980], written with the
acceleration tensor U = [dw] + [w][w] of each link, which serves the link's own force
and the places of its children alike [Balafoutis1988]. The mass matrix comes from
composite inertias [Walker1982].
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from equipoise.equations.robot.tree import Inertia, LinkTree, RigidLink, regrouped
from equipoise.equations.tape.tape import Expr, Tape
from equipoise.equations.tape.vectors import (
    Rows,
    Sym,
    Vec,
    cross_product,
    matrix_times,
    plus,
    scaled_vector,
    shifted,
    total,
    vector_difference,
)

__all__ = ["LinkLoad", "MovingLink", "generalised_forces", "mass_matrix", "motions"]


class LinkLoad(NamedTuple):
    """A force on a link and its moment about the link's origin, in the link's axes."""

    force: Vec
    moment: Vec


class MovingLink(NamedTuple):
    """Motion of a link, in its own axes."""

    w: Vec
    """Angular velocity."""
    tensor: Rows
    """U, so that a point at r from the origin accelerates by a + U r."""
    a: Vec
    """Acceleration of the origin less that of free fall."""


def motions(tree: LinkTree, vdot: Sequence[Expr] | None = None) -> list[MovingLink]:
    """Return how each link moves.

    Args:
        tree: the links.
        vdot: accelerations, zero if not given.
    """
    zero = tree.zero
    still = (zero, zero, zero)
    rates: list[tuple[Vec, Vec]] = []
    found: list[MovingLink] = []
    given = [zero] * tree.nv if vdot is None else list(vdot)
    for link, at in zip(tree.links, tree.columns(), strict=True):
        dv = given[at : at + len(link.v)]
        if link.joint == "free":
            w, dw = vector(link.v[3:]), vector(dv[3:])
            a = plus(cross_product(w, vector(link.v[:3])), vector(dv[:3]))
            a = vector_difference(a, link.gravity or tree.base_gravity)
        elif link.parent < 0:
            w, dw, a = _joint_motion(
                link, dv, still, still, vector_difference(still, tree.gravity)
            )
        else:
            p = found[link.parent]
            a = plus(p.a, matrix_times(p.tensor, link.place))
            w, dw, a = _joint_motion(link, dv, *rates[link.parent], a)
        rates.append((w, dw))
        found.append(MovingLink(w, _tensor(w, dw), a))
    return found


def _joint_motion(
    link: RigidLink, vdot: Sequence[Expr], w: Vec, dw: Vec, a: Vec
) -> tuple[Vec, Vec, Vec]:
    """Return a link's motion from that of its place on the parent, parent's axes."""
    w, dw, a = link.turn.back(w), link.turn.back(dw), link.turn.back(a)
    if link.joint == "ball":
        spin = vector(link.v)
        return plus(w, spin), plus(plus(dw, cross_product(w, spin)), vector(vdot)), a
    dv, v = vdot[0], link.v[0]
    n = axis(dv.tape, link.axis)
    if link.joint == "hinge":
        along = scaled_vector(v, n)
        return (
            plus(w, along),
            plus(plus(dw, cross_product(w, along)), scaled_vector(dv, n)),
            a,
        )
    twice = cross_product(w, scaled_vector(2.0 * v, n))
    return w, dw, plus(plus(a, twice), scaled_vector(dv, n))


def generalised_forces(
    tree: LinkTree,
    vdot: Sequence[Expr] | None = None,
    loads: Mapping[int, LinkLoad] | None = None,
    inertias: Sequence[Inertia] | None = None,
) -> list[Expr]:
    """Return the generalised forces that a motion takes, (nv,).

    Args:
        tree: the links.
        vdot: accelerations; without them the result is the bias.
        loads: outside forces by link; they help.
        inertias: of the links, regrouped if not given.
    """
    zero = tree.zero
    own = regrouped(tree, "second moment") if inertias is None else inertias
    wrenches = [_wrench(i, m) for i, m in zip(own, motions(tree, vdot), strict=True)]
    for k, load in (loads or {}).items():
        force, moment = wrenches[k]
        wrenches[k] = LinkLoad(
            vector_difference(force, load.force), vector_difference(moment, load.moment)
        )
    tau = [zero] * tree.nv
    columns = tree.columns()
    parts: list[list[LinkLoad]] = [[] for _ in tree.links]
    for k in reversed(range(len(tree.links))):
        link, (force, moment) = tree.links[k], _summed(wrenches[k], parts[k])
        at = columns[k]
        tau[at : at + len(link.v)] = _felt(link, force, moment)
        if link.armature is not None:
            for i, rate in enumerate(_speed_rates(link, vdot, at)):
                tau[at + i] = tau[at + i] + link.armature * rate
        if link.parent >= 0:
            parts[link.parent].append(_carried(link, force, moment))
    return tau


def _felt(link: RigidLink, force: Vec, moment: Vec) -> list[Expr]:
    """Return what of a wrench on a link acts along each of its joint's speeds."""
    if link.joint == "free":
        return [*force, *moment]
    if link.joint == "ball":
        return list(moment)
    return [(moment if link.joint == "hinge" else force)[link.axis]]


def _speed_rates(link: RigidLink, vdot: Sequence[Expr] | None, at: int) -> list[Expr]:
    """Return the rates of a joint's speeds, those of a free link seen from outside."""
    zero = 0.0 * link.inertia.mass
    dv = [zero] * len(link.v) if vdot is None else list(vdot[at : at + len(link.v)])
    if link.joint != "free":
        return dv
    turning = cross_product(vector(link.v[3:]), vector(link.v[:3]))
    return [*plus(vector(dv[:3]), turning), *dv[3:]]


def _summed(own: LinkLoad, parts: Sequence[LinkLoad]) -> LinkLoad:
    """Return a wrench with those of the children; they are summed first."""
    if not parts:
        return own
    both = (
        [*zip(*(getattr(p, kind) for p in parts), strict=True)] for kind in own._fields
    )
    force, moment = ([total(terms) for terms in rows] for rows in both)
    return LinkLoad(plus(own.force, vector(force)), plus(own.moment, vector(moment)))


def _carried(link: RigidLink, force: Vec, moment: Vec) -> LinkLoad:
    """Return a wrench on a link as one on its parent."""
    f = link.turn.out(force)
    return LinkLoad(f, plus(link.turn.out(moment), cross_product(link.place, f)))


def _wrench(inertia: Inertia, motion: MovingLink) -> LinkLoad:
    """Return what it takes to move a link, about its origin.

    F = m a + U h; N = h x a + vee(U J - (U J)'), with J = tr(I)/2 - I.
    """
    u, h = motion.tensor, inertia.moment
    force = plus(scaled_vector(inertia.mass, motion.a), matrix_times(u, h))
    xx, yy, zz, xy, xz, yz = _second_moment(inertia.inertia)
    spin = (
        u[2][0] * xy
        - u[1][0] * xz
        + (u[2][2] - u[1][1]) * yz
        + (u[2][1] * yy - u[1][2] * zz),
        u[0][1] * yz
        - u[2][1] * xy
        + (u[0][0] - u[2][2]) * xz
        + (u[0][2] * zz - u[2][0] * xx),
        u[1][2] * xz
        - u[0][2] * yz
        + (u[1][1] - u[0][0]) * xy
        + (u[1][0] * xx - u[0][1] * yy),
    )
    return LinkLoad(force, plus(cross_product(h, motion.a), spin))


def _second_moment(inertia: Sym) -> Sym:
    """Return the integral of r r' dm from a moment of inertia."""
    xx, yy, zz, xy, xz, yz = inertia
    return (
        0.5 * (yy + zz - xx),
        0.5 * (xx + zz - yy),
        0.5 * (xx + yy - zz),
        -xy,
        -xz,
        -yz,
    )


def mass_matrix(
    tree: LinkTree, inertias: Sequence[Inertia] | None = None
) -> dict[tuple[int, int], Expr]:
    """Return the upper triangle of the mass matrix, entries by row and column.

    What is zero by the tree's structure is left out.

    Args:
        tree: the links.
        inertias: of the links, regrouped if not given.
    """
    whole = list(regrouped(tree, "inertia") if inertias is None else inertias)
    columns = tree.columns()
    entries: dict[tuple[int, int], Expr] = {}
    parts: list[list[Inertia]] = [[] for _ in tree.links]
    for k in reversed(range(len(tree.links))):
        link, whole[k] = tree.links[k], whole[k].plus(*parts[k])
        at = columns[k]
        if link.joint == "free":
            entries |= _free_block(whole[k], at)
        for n, load in enumerate(_unit_wrenches(link, whole[k])):
            own = _felt(link, *load)[: n + 1]
            entries |= {(at + i, at + n): e for i, e in enumerate(own)}
            entries |= _seen_above(tree, columns, k, at + n, load)
        if link.armature is not None:
            for n in range(at, at + len(link.v)):
                entries[n, n] = entries[n, n] + link.armature
        if link.parent >= 0:
            parts[link.parent].append(as_part(link, whole[k]))
    return {key: e for key, e in entries.items() if not e.is_zero}


def as_part(link: RigidLink, own: Inertia) -> Inertia:
    """Return a link's inertia as a part of its parent."""
    moment, inertia = link.turn.out(own.moment), link.turn.out_sym(own.inertia)
    inertia, moment = shifted(inertia, moment, own.mass, link.place)
    return Inertia(own.mass, moment, inertia)


def _seen_above(
    tree: LinkTree, columns: Sequence[int], k: int, at: int, load: LinkLoad
) -> dict[tuple[int, int], Expr]:
    """Return the entries of a column of the mass matrix above link k."""
    entries: dict[tuple[int, int], Expr] = {}
    child = tree.links[k]
    while child.parent >= 0:
        load = _carried(child, *load)
        row, child = columns[child.parent], tree.links[child.parent]
        entries |= {(row + i, at): e for i, e in enumerate(_felt(child, *load))}
    return entries


def _unit_wrenches(link: RigidLink, own: Inertia) -> list[LinkLoad]:
    """Return what accelerates a link and all it carries by one along each speed.

    A free link has none here: it has a block of its own and nothing above it.
    """
    if link.joint == "free":
        return []
    tape, h, a = own.mass.tape, own.moment, own.inertia
    axes = range(3) if link.joint == "ball" else (link.axis,)
    found: list[LinkLoad] = []
    for k in axes:
        n = axis(tape, k)
        if link.joint == "slide":
            found.append(LinkLoad(scaled_vector(own.mass, n), cross_product(h, n)))
        else:
            x, y, z = ((0, 3, 4), (3, 1, 5), (4, 5, 2))[k]
            found.append(LinkLoad(cross_product(n, h), (a[x], a[y], a[z])))
    return found


def _free_block(own: Inertia, at: int) -> dict[tuple[int, int], Expr]:
    """Return the mass matrix of a floating body."""
    h, a = own.moment, own.inertia
    zero = 0.0 * own.mass
    square = ((0, 3, 4), (3, 1, 5), (4, 5, 2))
    block = {(i, i): own.mass for i in range(3)}
    skew = ((zero, h[2], -h[1]), (-h[2], zero, h[0]), (h[1], -h[0], zero))
    block |= {(i, 3 + j): skew[i][j] for i in range(3) for j in range(3)}
    block |= {(3 + i, 3 + j): a[square[i][j]] for i in range(3) for j in range(i, 3)}
    return {(at + i, at + j): e for (i, j), e in block.items()}


def axis(tape: Tape, k: int) -> Vec:
    """Return a coordinate axis."""
    found = [tape.constant(0.0)] * 3
    found[k] = tape.constant(1.0)
    return (found[0], found[1], found[2])


def vector(three: Sequence[Expr]) -> Vec:
    """Return three expressions as a vector."""
    return (three[0], three[1], three[2])


def _tensor(w: Vec, dw: Vec) -> Rows:
    """Return the rows of [dw] + [w][w]."""
    x, y, z = w
    xx, yy, zz = x * x, y * y, z * z
    xy, xz, yz = x * y, x * z, y * z
    return (
        (-(yy + zz), xy - dw[2], xz + dw[1]),
        (xy + dw[2], -(xx + zz), yz - dw[0]),
        (xz - dw[1], yz + dw[0], -(xx + yy)),
    )
