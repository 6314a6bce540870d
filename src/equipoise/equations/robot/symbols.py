"""A robot's numbers as named parameters, or folded into the equations as numbers.

``sparse``: what is zero stays out of the equations, the rest are parameters.
``general``: every component is a parameter, so that any of them can be set later.
``numbers``: nothing is a parameter.
"""

from collections.abc import Sequence
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.core.kinds import Parameters
from equipoise.equations.blocks.block import Parameter
from equipoise.equations.tape.tape import Expr, Kind, Tape
from equipoise.equations.tape.vectors import Sym, Vec

__all__ = ["Symbols"]

AXES = ("x", "y", "z")
ENTRIES = (
    ("xx", 0, 0),
    ("yy", 1, 1),
    ("zz", 2, 2),
    ("xy", 0, 1),
    ("xz", 0, 2),
    ("yz", 1, 2),
)
ROUNDING = 1e-14  # a component this much smaller than its vector is zero


@final
class Symbols:
    """Makes the symbols of a robot on a tape; no name is given twice."""

    def __init__(self, parameters: Parameters) -> None:
        self.tape = Tape()
        self.kind: Parameters = parameters
        self.found: list[Parameter] = []

    def symbol(self, name: str, kind: Kind) -> tuple[str, Expr]:
        """Return a new symbol and its name, which is changed where it is taken."""
        free, count = name, 1
        while free in self.tape.names:
            count += 1
            free = f"{name} ({count})"
        return free, self.tape.symbol(free, kind)

    def scalar(self, name: str, value: float, what: str, always: bool = False) -> Expr:
        """Return a parameter, or the number; zero stays a number unless ``always``."""
        if self.kind == "numbers" or (value == 0.0 and not always):
            return self.tape.constant(value)
        name, symbol = self.symbol(name, "parameter")
        self.found.append(Parameter(name, symbol, value, what))
        return symbol

    def several(
        self, name: str, ends: Sequence[str], values: Array, what: str
    ) -> list[Expr]:
        """Return components; all are parameters where parameters are general."""
        size = float(np.abs(values).max(initial=0.0))
        always = self.kind == "general"
        kept = [0.0 if abs(x) <= ROUNDING * size else float(x) for x in values]
        return [
            self.scalar(f"{name}.{end}", x, f"{what}, {end}", always)
            for end, x in zip(ends, kept, strict=True)
        ]

    def vector(self, name: str, values: Vec3, what: str) -> Vec:
        """Return a vector of parameters or numbers."""
        x, y, z = self.several(name, AXES, values, what)
        return (x, y, z)

    def inertia(self, name: str, matrix: Mat3, what: str) -> Sym:
        """Return a symmetric matrix of parameters or numbers."""
        ends = [end for end, _, _ in ENTRIES]
        values = np.array([matrix[i, j] for _, i, j in ENTRIES])
        xx, yy, zz, xy, xz, yz = self.several(name, ends, values, what)
        return (xx, yy, zz, xy, xz, yz)
