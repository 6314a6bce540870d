"""What a script says: bodies, forces and torques on them, coordinates and speeds."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, final

from equipoise.equations.mechanism.frame_motion import FrameMotion
from equipoise.equations.mechanism.frames import Dyad, Frame, Vector, deepest
from equipoise.equations.tape.tape import Expr, Op, Tape
from equipoise.equations.tape.vectors import Vec

__all__ = ["Body", "Force", "Mechanism", "Torque", "as_frame"]


@final
@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body, or a particle where it has no inertia."""

    name: str
    mass: Expr
    point: Vector
    """Its centre of mass, from the origin."""
    inertia: Dyad | None = None
    """About its centre of mass."""

    @property
    def frame(self) -> Frame:
        """The frame that turns with it."""
        if self.inertia is not None:
            return self.inertia.frame
        return deepest([self.point.home, *self.point.parts])


class Force(NamedTuple):
    """A force at a point."""

    point: Vector
    vector: Vector
    body: Body | None
    """Whose centre of mass the point is."""


class Torque(NamedTuple):
    """A torque on whatever turns with a frame."""

    frame: Frame
    vector: Vector
    reaction: Frame | None
    """What feels the opposite torque."""


class Field(NamedTuple):
    """Free fall of everything, and the forces beside it."""

    fall: Vector | None
    others: tuple[Force, ...]


@final
@dataclass(frozen=True)
class Mechanism:
    """A script, read."""

    tape: Tape
    root: Frame
    coordinates: tuple[Expr, ...]
    speeds: tuple[Expr, ...]
    motion: FrameMotion
    bodies: tuple[Body, ...]
    forces: tuple[Force, ...]
    torques: tuple[Torque, ...]
    gravity: Vector | None = None
    """Acceleration of free fall of all bodies, beside the forces."""

    @cached_property
    def field(self) -> Field:
        """Free fall, also where it was written as one force m g on each body."""
        if self.gravity is not None:
            return Field(self.gravity, self.forces)
        weights: dict[Body, tuple[Force, Vec]] = {}
        for force in self.forces:
            fall = self._fall(force)
            if fall is not None and force.body is not None:
                weights.setdefault(force.body, (force, fall))
        massive = [b for b in self.bodies if not b.mass.is_zero]
        falls = [weights[b][1] for b in massive if b in weights]
        if len(falls) < len(massive) or not falls:
            return Field(None, self.forces)
        if not all(_same(falls[0], fall) for fall in falls):
            return Field(None, self.forces)
        taken = [weights[b][0] for b in massive]
        others = tuple(f for f in self.forces if not any(f is t for t in taken))
        return Field(Vector({self.root: falls[0]}), others)

    def _fall(self, force: Force) -> Vec | None:
        """Return force over mass if that is the same everywhere, for all we see."""
        parts = force.vector.unfolded().parts
        if force.body is None or list(parts) != [self.root]:
            return None
        a, b, c = (_per(e, force.body.mass) for e in parts[self.root])
        return None if a is None or b is None or c is None else (a, b, c)


def _per(e: Expr, mass: Expr) -> Expr | None:
    """Return e / mass where mass is a factor of it, else None."""
    if e.is_zero or mass.number is not None:
        return e if e.is_zero else e / mass
    if e.ref == mass.ref:
        return e.tape.constant(1.0)
    if e.ref < 0:
        found = _per(-e, mass)
        return None if found is None else -found
    if e.tape.ops[e.ref] is Op.MULTIPLY:
        x, y = (Expr(e.tape, a) for a in e.tape.args[e.ref])
        for one, other in ((x, y), (y, x)):
            found = _per(one, mass)
            if found is not None:
                return found * other
    return None


def _same(a: Sequence[Expr], b: Sequence[Expr]) -> bool:
    """Return whether vectors are the same, numbers up to rounding."""
    pairs = [(x, y, x.number, y.number) for x, y in zip(a, b, strict=True)]
    return all(
        x.ref == y.ref
        or (p is not None and q is not None and math.isclose(p, q, rel_tol=1e-14))
        for x, y, p, q in pairs
    )


def as_frame(where: Body | Frame) -> Frame:
    """Return what a body turns with, or the frame itself."""
    return where.frame if isinstance(where, Body) else where
