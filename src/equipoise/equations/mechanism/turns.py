"""Several simple rotations, one after the other, as one turn."""

from collections.abc import Sequence
from typing import final

import numpy as np

from equipoise.core.arrays import Mat3
from equipoise.equations.tape.vectors import Sym, Turn, Vec

__all__ = ["Turns"]


@final
class Turns:
    """The orientation of a frame in an ancestor, the frame's own turn first."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.turns = tuple(turns)
        self.fixed: Mat3 = np.eye(3)
        """For a joint about one axis, which this is not."""

    def out(self, v: Vec) -> Vec:
        """Return a vector of the frame in axes of the ancestor."""
        for turn in self.turns:
            v = turn.out(v)
        return v

    def back(self, v: Vec) -> Vec:
        """Return a vector of the ancestor in axes of the frame."""
        for turn in reversed(self.turns):
            v = turn.back(v)
        return v

    def out_sym(self, a: Sym) -> Sym:
        """Return a symmetric matrix of the frame in axes of the ancestor."""
        for turn in self.turns:
            a = turn.out_sym(a)
        return a
