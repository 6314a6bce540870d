"""What links are read off a script with: nodes, and how frames hang together."""

from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Mat3
from equipoise.equations.mechanism.frames import Dyad, Frame, Point
from equipoise.equations.mechanism.turns import Turns
from equipoise.equations.robot.tree import AnyTurn, Inertia, JointKind
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Sym, Vec

__all__ = [
    "Node",
    "NotATreeError",
    "Parts",
    "differ",
    "fixed_turn",
    "is_moving",
    "mover",
    "outwards",
    "turns_between",
]

Parts = dict[Frame, Vec]


class NotATreeError(Exception):
    """Links could not be read off a script; the literal form is used instead."""


@final
@dataclass(eq=False)
class Node:
    """A link in the making."""

    frame: Frame
    base: Point | None
    origin: Parts
    parent: int
    joint: JointKind
    axis: int
    turn: AnyTurn
    place: Vec
    nu: list[Expr]
    """Rates of the joint."""
    inertia: Inertia


def mover(frame: Frame) -> Frame:
    """Return the frame itself or the nearest ancestor not turned by a mere number."""
    while frame.is_fixed and frame.parent is not None:
        frame = frame.parent
    return frame


def fixed_turn(frame: Frame) -> Mat3:
    """Return the orientation of a frame in its mover."""
    found = np.eye(3)
    while frame.is_fixed and frame.parent is not None:
        found, frame = frame.turn.fixed @ found, frame.parent
    return found


def outwards(dyad: Dyad) -> Sym:
    """Return a dyad's entries in the mover of its frame."""
    frame, entries = dyad.frame, dyad.entries
    while frame.is_fixed and frame.parent is not None:
        frame, entries = frame.parent, frame.turn.out_sym(entries)
    return entries


def is_moving(e: Expr) -> bool:
    """Return whether it depends on more than parameters."""
    return e.tape.rank[abs(e.ref)] == 2


def differ(a: Vec, b: Vec) -> bool:
    """Return whether vectors are not the same expressions."""
    return any(x.ref != y.ref for x, y in zip(a, b, strict=True))


def turns_between(outer: Frame, inner: Frame) -> Turns:
    """Return the orientation of a frame in one of its ancestors."""
    found: list[Frame] = []
    while inner is not outer and inner.parent is not None:
        found.append(inner)
        inner = inner.parent
    return Turns([f.turn for f in found])
