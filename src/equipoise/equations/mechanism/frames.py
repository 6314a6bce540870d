"""Frames, vectors that know their frame, and points: how a mechanism is written down.

A frame is its parent turned about one coordinate axis. A vector is a sum of parts, each
with its components in a frame of its own; nothing is turned until components in some
frame are asked for. This is the notation of Lesser's Sophia as [Ridderstrom2003]
sections 6.2 and 7.2.1 use it: ``f0[0, 0, z0] + f2[L, 0, 0]``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Mat3
from equipoise.core.errors import ConfigError
from equipoise.equations.tape.tape import Expr, Tape, Value
from equipoise.equations.tape.vectors import (
    Sym,
    Turn,
    Vec,
    cross_product,
    inner_product,
    plus,
    scaled_vector,
)

__all__ = ["Dyad", "Frame", "Point", "Vector"]


@final
class Frame:
    """Right-handed coordinate frame, rotated about one axis of its parent.

    ``f[a, b, c]`` is the vector with these components in it.
    """

    def __init__(
        self,
        tape: Tape,
        name: str,
        parent: "Frame | None" = None,
        axis: int = 2,
        angle: Expr | None = None,
    ) -> None:
        self.tape, self.name, self.parent, self.axis = tape, name, parent, axis
        self.angle = angle
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.family: dict[str, Frame] = {} if parent is None else parent.family
        self.spin: Vec | None = None
        """Angular velocity against the inertial frame as stated, in its own axes."""
        fixed = None if angle is None else angle.number
        self.is_fixed: bool = fixed is not None
        """Whether it is turned against its parent by a number."""
        if fixed is not None:
            self.turn: Turn = Turn(_turned(axis, fixed))
        else:
            self.turn = Turn(np.eye(3), axis, angle)
        if name in self.family:
            raise ConfigError(f"frame '{name}'", ["there is one of that name"])
        self.family[name] = self

    def __repr__(self) -> str:
        return f"Frame({self.name!r})"

    def __getitem__(self, components: Sequence[Value]) -> "Vector":
        if len(components) != 3:
            problem = f"a vector has 3 components, got {len(components)}"
            raise ConfigError(f"a vector in frame '{self.name}'", [problem])
        return Vector({self: constant_vector(self.tape, components)})

    def rot(self, name: str, axis: int, angle: Value) -> "Frame":
        """Return a frame that is rotated from this one by a simple rotation.

        Args:
            name: its name.
            axis: 1, 2 or 3, of this frame and of the new one.
            angle: by the right hand [rad].

        Raises:
            ConfigError: no such axis, or the name is taken.
        """
        if axis not in (1, 2, 3):
            problem = f"the axis of a simple rotation is 1, 2 or 3, got {axis!r}"
            raise ConfigError(f"frame '{name}'", [problem])
        turn = expr(self.tape, angle)
        return Frame(self.tape, name, self, axis - 1, turn)

    def inertia(
        self,
        x: Value,
        y: Value,
        z: Value,
        xy: Value = 0.0,
        xz: Value = 0.0,
        yz: Value = 0.0,
    ) -> "Dyad":
        """Return an inertia, given by the entries of its matrix in this frame.

        Args:
            x: about the first axis [kg m²].
            y: about the second.
            z: about the third.
            xy: entry off the diagonal, minus the integral of x y dm.
            xz: likewise.
            yz: likewise.
        """
        a, b, c = constant_vector(self.tape, (x, y, z))
        d, e, f = constant_vector(self.tape, (xy, xz, yz))
        return Dyad(self, (a, b, c, d, e, f))

    def lineage(self) -> "list[Frame]":
        """Return the frames from the first ancestor down to this one."""
        found: list[Frame] = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]


@final
@dataclass(frozen=True)
class Dyad:
    """A symmetric dyad, an inertia for example, by its components in a frame."""

    frame: Frame
    entries: Sym


@final
@dataclass(eq=False)
class Point:
    """A point whose velocity is stated rather than derived."""

    name: str
    position: "Vector"
    velocity: "Vector"


@final
class Vector:
    """Vector as a sum of parts, each in a frame of its own."""

    def __init__(
        self,
        parts: dict[Frame, Vec],
        base: Point | None = None,
        home: Frame | None = None,
    ) -> None:
        self.parts = {f: v for f, v in parts.items() if not all(e.is_zero for e in v)}
        self.base = base
        frames = [*parts, *([] if home is None else [home])]
        self.home: Frame = deepest(frames)
        """Its deepest frame; zero has one too."""

    def __repr__(self) -> str:
        names = [] if self.base is None else [self.base.name]
        names += [f"{f.name}[...]" for f in self.parts]
        return f"Vector({' + '.join(names) or '0'})"

    def __add__(self, other: "Vector") -> "Vector":
        _check_meet(self.home, other.home)
        a, b = self, other
        if a.base is not None and b.base is not None:
            b = b.unfolded()
        frames = dict.fromkeys((*a.parts, *b.parts))
        parts = {
            f: optional_sum(a.parts.get(f), b.parts.get(f), f.tape) for f in frames
        }
        return Vector(parts, a.base or b.base, deepest([a.home, b.home]))

    def __neg__(self) -> "Vector":
        return self * -1.0

    def __sub__(self, other: "Vector") -> "Vector":
        if self.base is not None and self.base is other.base:
            return self.arm() - other.arm()
        return self + -other

    def __mul__(self, factor: Value) -> "Vector":
        a = self.unfolded()
        s = expr(a.home.tape, factor)
        return Vector(
            {f: scaled_vector(s, v) for f, v in a.parts.items()}, None, a.home
        )

    __rmul__ = __mul__

    def __truediv__(self, divisor: Value) -> "Vector":
        return self * (1 / expr(self.home.tape, divisor))

    def arm(self) -> "Vector":
        """Return the vector without the named point from which it starts."""
        return Vector(self.parts, None, self.home)

    def unfolded(self) -> "Vector":
        """Return the vector from the origin, without a named point."""
        base = self.base
        return self if base is None else base.position.unfolded() + self.arm()

    def in_(self, frame: Frame) -> Vec:
        """Return the three components in a frame.

        Raises:
            ConfigError: no rotations lead from one of its frames to that one.
        """
        _check_meet(self.home, frame)
        left = dict(self.unfolded().parts)
        way = frame.lineage()
        while beside := [f for f in left if f not in way]:
            f = deepest(beside)
            up = f.turn.out(left.pop(f))
            if f.parent is not None:
                left[f.parent] = optional_sum(left.get(f.parent), up, f.tape)
        found: Vec | None = None
        for f in way:
            found = None if found is None else f.turn.back(found)
            if f in left:
                found = optional_sum(found, left[f], f.tape)
        return found or constant_vector(frame.tape, (0.0, 0.0, 0.0))

    def dot(self, other: "Vector") -> Expr:
        """Return the inner product."""
        frame = self._meeting(other)
        return inner_product(self.in_(frame), other.in_(frame))

    def cross(self, other: "Vector") -> "Vector":
        """Return the cross product."""
        frame = deepest([self.home, other.home])
        return Vector({frame: cross_product(self.in_(frame), other.in_(frame))})

    def _meeting(self, other: "Vector") -> Frame:
        """Return where a product is cheap: few numbers should have to be turned."""
        a, b = self.unfolded().parts, other.unfolded().parts
        for one, two in ((a, b), (b, a)):
            if len(one) == 1 and len(two) == 1:
                (v,), (frame,) = one.values(), two
                if sum(not e.is_zero for e in v) == 1:
                    return frame
        return deepest([self.home, other.home, *a, *b])


def deepest(frames: Sequence[Frame]) -> Frame:
    """Return the frame with most rotations before it, the first of several."""
    return max(frames, key=lambda f: f.depth)


def _check_meet(a: Frame, b: Frame) -> None:
    """Refuse frames that no rotations connect."""
    if a.family is not b.family:
        problem = f"no rotations connect it to frame '{b.name}'"
        raise ConfigError(f"frame '{a.name}'", [problem])


def expr(tape: Tape, value: Value) -> Expr:
    """Return a value as an expression of a tape."""
    return tape.constant(0.0) + value


def constant_vector(tape: Tape, values: Sequence[Value]) -> Vec:
    """Return three values as expressions of a tape."""
    a, b, c = (expr(tape, x) for x in values)
    return (a, b, c)


def optional_sum(a: Vec | None, b: Vec | None, tape: Tape) -> Vec:
    """Return the sum of two vectors, either of which may be missing."""
    if a is None or b is None:
        return a or b or constant_vector(tape, (0.0, 0.0, 0.0))
    return plus(a, b)


def _turned(axis: int, angle: float) -> Mat3:
    """Return the matrix of a turn about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    c, s = math.cos(angle), math.sin(angle)
    matrix = np.eye(3)
    matrix[i, i], matrix[j, j], matrix[i, j], matrix[j, i] = c, c, -s, s
    return matrix
