"""The same equations for scripts that describe a tree of links, and cheaper ones.

A script says where frames and points are, not which joint carries what. Here joints are
read off: a frame is carried by a hinge where a point that turns with it is fixed in its
parent, or in a frame turned beside it about the same axis (a knee angle counted from
the hip's plane); a coordinate in a vector's components is a slide; a point with stated
velocity and a frame with stated angular velocity are a floating body.

Link by link gives M and F for the rates ν of the joints. The speeds w are free to be
others: with ν = A w, A' M A dw/dt = A' (F - M dA/dt w); [Ridderstrom2003] eq. (6.3).
"""

from collections.abc import Mapping, Sequence

from equipoise.equations.mechanism.frames import Vector
from equipoise.equations.mechanism.grow import Growth
from equipoise.equations.mechanism.kane import as_vec
from equipoise.equations.mechanism.mechanism import Mechanism, Torque
from equipoise.equations.mechanism.nodes import NotATreeError
from equipoise.equations.robot.recursions import (
    LinkLoad,
    generalised_forces,
    mass_matrix,
)
from equipoise.equations.robot.tree import LinkTree, RigidLink
from equipoise.equations.tape.derivatives import jacobian
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Vec, cross_product, plus, total

__all__ = ["NotATreeError", "composite"]

Upper = dict[tuple[int, int], Expr]


def composite(mechanism: Mechanism) -> tuple[Upper, list[Expr], tuple[int, ...]]:
    """Return M (upper triangle), F, and the speeds from the root outwards.

    Args:
        mechanism: bodies, forces and how they move.

    Raises:
        NotATreeError: the script is not seen to describe a tree of links.
    """
    growth = Growth(mechanism)
    for body in mechanism.bodies:
        growth.add_body(body)
    loads = _outside(mechanism, growth)
    direct = _driven(mechanism, growth, loads)
    nu = [e for node in growth.nodes for e in node.nu]
    bias = mechanism.motion.rate(nu)
    M: Upper = {}
    F: list[Expr] = list(direct)
    for links in growth.parts():
        tree = _planted(mechanism, growth, links)
        columns = [growth.column(k) + i for k in links for i in range(growth.size(k))]
        own = {links.index(k): load for k, load in loads.items() if k in links}
        given = [bias[c] for c in columns]
        tau = generalised_forces(tree, given, own)
        for c, e in zip(columns, tau, strict=True):
            F[c] = F[c] - e
        M |= {(columns[i], columns[j]): e for (i, j), e in mass_matrix(tree).items()}
    return _projected(M, F, nu, mechanism.speeds)


def _planted(mechanism: Mechanism, growth: Growth, links: Sequence[int]) -> LinkTree:
    """Return some nodes as a tree for the recursions."""
    tape, fall = mechanism.tape, mechanism.field.fall
    zero = tape.constant(0.0)
    still = (zero, zero, zero)
    first = growth.nodes[links[0]]
    gravity = still if fall is None else fall.in_(mechanism.root)
    base = still if fall is None else fall.in_(first.frame)
    found: list[RigidLink] = []
    for k in links:
        node = growth.nodes[k]
        parent = links.index(node.parent) if node.parent >= 0 else -1
        found.append(
            RigidLink(
                node.frame.name,
                parent,
                node.joint,
                node.axis,
                node.turn,
                node.place,
                node.inertia,
                None,
                tuple(node.nu),
            )
        )
    return LinkTree(tape, tuple(found), gravity, base)


def _outside(mechanism: Mechanism, growth: Growth) -> dict[int, LinkLoad]:
    """Return outside forces by node."""
    loads: dict[int, LinkLoad] = {}
    for force in mechanism.field.others:
        k, arm = growth.carrier(force.point, force.body)
        if k >= 0:
            f = _carried_in(mechanism, growth, force.vector, k)
            _add_load(loads, k, f, cross_product(arm, f))
    return loads


def _carried_in(mechanism: Mechanism, growth: Growth, vector: Vector, k: int) -> Vec:
    """Return a vector in a node's axes, turned from link to link on the way there."""
    way = growth.way(k)[::-1]
    left = dict(vector.unfolded().parts)
    own = {
        f: left.pop(f) for f in list(left) if f in [growth.nodes[i].frame for i in way]
    }
    outer = Vector(left, None, mechanism.root)
    first = growth.nodes[way[0]]
    found = outer.in_(first.frame if first.joint == "free" else mechanism.root)
    for i in way:
        node = growth.nodes[i]
        if node.joint != "free":
            found = node.turn.back(found)
        if node.frame in own:
            found = plus(found, own.pop(node.frame))
    return found


def _add_load(loads: dict[int, LinkLoad], k: int, force: Vec, moment: Vec) -> None:
    """Add to what acts on a node."""
    if k in loads:
        force, moment = plus(loads[k].force, force), plus(loads[k].moment, moment)
    loads[k] = LinkLoad(force, moment)


def _driven(
    mechanism: Mechanism, growth: Growth, loads: dict[int, LinkLoad]
) -> list[Expr]:
    """Return torques between links as forces on ν; others join the loads."""
    zero = mechanism.tape.constant(0.0)
    turning = [
        (growth.turning(t.frame), growth.turning(t.reaction), t)
        for t in mechanism.torques
    ]  # all nodes there are, before they are numbered
    found = [zero] * sum(len(node.nu) for node in growth.nodes)
    for a, b, torque in turning:
        if b < 0 or growth.root_of(a) != growth.root_of(b):
            for k, sign in ((a, 1.0), (b, -1.0)):
                if k >= 0:
                    moment = _carried_in(mechanism, growth, torque.vector * sign, k)
                    _add_load(loads, k, (zero, zero, zero), moment)
            continue
        up, down = growth.way(a), growth.way(b)
        for k in up:
            if k not in down:
                _spread(growth, found, torque, k, 1.0)
        for k in down:
            if k not in up:
                _spread(growth, found, torque, k, -1.0)
    return found


def _spread(
    growth: Growth, found: list[Expr], torque: Torque, k: int, sign: float
) -> None:
    """Add a torque's power along the rate of one joint."""
    node = growth.nodes[k]
    at = growth.column(k)
    if node.joint == "ball":
        moment = (torque.vector * sign).in_(node.frame)
        found[at : at + 3] = plus(as_vec(found[at : at + 3]), moment)
    if node.joint != "hinge":
        return
    unit = [0.0, 0.0, 0.0]
    unit[node.axis] = sign
    found[at] = found[at] + node.frame[tuple(unit)].dot(torque.vector)


def _projected(
    M: Mapping[tuple[int, int], Expr],
    F: Sequence[Expr],
    nu: Sequence[Expr],
    speeds: Sequence[Expr],
) -> tuple[Upper, list[Expr], tuple[int, ...]]:
    """Return A' M A, A' F and the order in which speeds appear in ν = A w."""
    rows = [list(row) for row in jacobian(nu, speeds)]
    A = [
        {i: row[k] for i, row in enumerate(rows) if not row[k].is_zero}
        for k in range(len(speeds))
    ]
    zero = speeds[0].tape.constant(0.0)
    images: list[dict[int, Expr]] = []
    for a in A:  # M A, column by column
        row: dict[int, Expr] = {}
        for (i, j), e in M.items():
            for p, q in ((i, j), (j, i)) if i != j else ((i, j),):
                if q in a:
                    row[p] = row[p] + e * a[q] if p in row else e * a[q]
        images.append(row)
    found: Upper = {}
    for j, row in enumerate(images):
        for i in range(j + 1):
            e = _product(A[i], row, zero)
            if not e.is_zero:
                found[i, j] = e
    force = dict(enumerate(F))
    right = [_product(a, force, zero) for a in A]
    first = [min(a, default=len(nu)) for a in A]
    order = sorted(range(len(speeds)), key=lambda k: (first[k], k))
    return found, right, tuple(order)


def _product(a: Mapping[int, Expr], b: Mapping[int, Expr], zero: Expr) -> Expr:
    """Return the inner product of sparse vectors."""
    return total([e * b[i] for i, e in a.items() if i in b] or [zero])
