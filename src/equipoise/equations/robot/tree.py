"""A tree of rigid links on a tape: what the recursions work on.

Each link hangs on its parent by one joint: ``hinge`` and ``slide`` along or about a
coordinate axis of the link's own frame, ``ball`` about its origin, or ``free`` for a
link that floats. Mass, first moment and inertia are about the origin of the link's
frame, which lies on the joint's axis.
"""

from dataclasses import dataclass
from typing import Literal, final

from equipoise.equations.mechanism.attitude import MatrixTurn
from equipoise.equations.mechanism.turns import Turns
from equipoise.equations.tape.tape import Expr, Tape
from equipoise.equations.tape.vectors import (
    Sym,
    Turn,
    Vec,
    scaled_vector,
    shifted,
    total,
)

__all__ = ["AnyTurn", "Inertia", "JointKind", "LinkTree", "RigidLink", "regrouped"]

JointKind = Literal["ball", "free", "hinge", "slide"]
AnyTurn = Turn | Turns | MatrixTurn


@final
@dataclass(frozen=True)
class Inertia:
    """Mass, first moment and moment of inertia about a link's origin."""

    mass: Expr
    moment: Vec
    inertia: Sym

    def plus(self, *others: "Inertia") -> "Inertia":
        """Return all together; the others are summed first."""
        if not others:
            return self
        h = [
            a + total(b)
            for a, *b in zip(*(x.moment for x in (self, *others)), strict=True)
        ]
        i = [
            a + total(b)
            for a, *b in zip(*(x.inertia for x in (self, *others)), strict=True)
        ]
        mass = self.mass + total([x.mass for x in others])
        return Inertia(mass, (h[0], h[1], h[2]), (i[0], i[1], i[2], i[3], i[4], i[5]))


@final
@dataclass(frozen=True)
class RigidLink:
    """One rigid link and the joint that carries it."""

    name: str
    parent: int
    """Number of the parent, -1 for the world."""
    joint: JointKind
    axis: int
    """The joint's axis: 0, 1 or 2 of the link's frame."""
    turn: AnyTurn
    """Orientation in the parent, the joint's angle included."""
    place: Vec
    """Origin in the parent, in the parent's axes, the joint's slide included."""
    inertia: Inertia
    q: Expr | None
    """The coordinate of a hinge or slide."""
    v: tuple[Expr, ...]
    """The speeds: one, three of a ball, or six of a free link, linear first, in the
    link's own axes."""
    armature: Expr | None = None
    """Inertia of the drive, seen at the joint, for each of its speeds."""
    gravity: Vec | None = None
    """Free fall in the axes of a free link, where the tree has more than one."""


@final
@dataclass(frozen=True)
class LinkTree:
    """Links, parents before children."""

    tape: Tape
    links: tuple[RigidLink, ...]
    gravity: Vec
    """Acceleration of free fall, in the world's axes."""
    base_gravity: Vec
    """The same in the axes of the free link, if there is one."""

    @property
    def zero(self) -> Expr:
        """The number zero."""
        return self.tape.constant(0.0)

    @property
    def nv(self) -> int:
        """How many speeds there are."""
        return sum(len(link.v) for link in self.links)

    def columns(self) -> list[int]:
        """Return the number of each link's first speed."""
        found, at = [], 0
        for link in self.links:
            found.append(at)
            at += len(link.v)
        return found


def regrouped(
    tree: LinkTree, free_of: Literal["inertia", "second moment"]
) -> list[Inertia]:
    """Return inertias with what a joint cannot feel moved to the parent.

    Turning a link about an axis n leaves some of its mass where it is: as if its mass,
    its first moment along n and a thin rod along n belonged to the parent. Moving that
    changes no equation of motion, energy or momentum of the whole, and, since it is
    work on parameters, makes each step cheaper. [Khalil1987]
    """
    found = [link.inertia for link in tree.links]
    zero = tree.zero
    for k in reversed(range(len(tree.links))):
        link = tree.links[k]
        if link.parent < 0 or link.joint != "hinge":
            continue
        own, n = found[k], link.axis
        i, j = (n + 1) % 3, (n + 2) % 3
        a = list(own.inertia)
        rod = a[i] if free_of == "inertia" else 0.5 * (a[i] + a[j] - a[n])
        a[i] = a[i] - rod  # a rod along n has it about both other axes
        a[j] = a[j] - rod
        moment = list(own.moment)
        along = moment[n]
        moment[n] = zero
        found[k] = Inertia(
            zero,
            (moment[0], moment[1], moment[2]),
            (a[0], a[1], a[2], a[3], a[4], a[5]),
        )
        found[link.parent] = found[link.parent].plus(
            _moved(tree, link, own.mass, along, rod)
        )
    return found


def _moved(
    tree: LinkTree, link: RigidLink, mass: Expr, along: Expr, rod: Expr
) -> Inertia:
    """Return mass, first moment and rod along a joint's axis as part of the parent."""
    zero = tree.zero
    one = tree.tape.constant(1.0)
    unit = [zero, zero, zero]
    unit[link.axis] = one
    n = Turn(link.turn.fixed).out((unit[0], unit[1], unit[2]))
    sym = (
        rod * (one - n[0] * n[0]),
        rod * (one - n[1] * n[1]),
        rod * (one - n[2] * n[2]),
        -(rod * (n[0] * n[1])),
        -(rod * (n[0] * n[2])),
        -(rod * (n[1] * n[2])),
    )
    inertia, moment = shifted(sym, scaled_vector(along, n), mass, link.place)
    return Inertia(mass, moment, inertia)
