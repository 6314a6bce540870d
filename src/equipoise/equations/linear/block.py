"""A block's equations about a state: dx/dt ≈ A (x - x0) + B (u - u0) + rates there.

The derivatives are expressions on the block's tape, so that A and B can be evaluated at
any state, exported, or looked at; [Ridderstrom2003] eq. (6.16).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ShapeError, UnknownNameError
from equipoise.equations.blocks.block import Block, Output, Signal, free_symbols
from equipoise.equations.tape.derivatives import jacobian
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import Program, program
from equipoise.equations.tape.tape import Expr

__all__ = ["Linearization", "SymbolicLinearization", "linearized"]

Point = Mapping[str, float] | Sequence[float] | VecN | None


@final
@dataclass(frozen=True)
class Linearization:
    """A and B at a state; ``A, B = ...`` takes the two out."""

    A: Array
    """(n, n), of the rates by the states."""
    B: Array
    """(n, m), of the rates by the inputs."""
    x: VecN
    u: VecN
    rates: VecN
    """Of the states there, zero where it is an equilibrium."""

    def __iter__(self) -> Iterator[Array]:
        return iter((self.A, self.B))

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """The poles."""
        return np.linalg.eigvals(self.A).astype(np.complex128)


@final
@dataclass(frozen=True)
class SymbolicLinearization:
    """A and B as expressions."""

    block: Block
    A: tuple[tuple[Expr, ...], ...]
    B: tuple[tuple[Expr, ...], ...]

    @cached_property
    def program(self) -> Program:
        """From states and inputs to A and B, row by row, and the rates."""
        block = self.block
        rows = [e for row in (*self.A, *self.B) for e in row]
        given = [s.symbol for s in block.states] + _scalars(block)
        parameters = [p.symbol for p in block.parameters]
        return program([*rows, *(s.rate for s in block.states)], given, parameters)

    def as_block(self) -> Block:
        """Return A and B as the outputs of a block, row by row, to run or export.

        Its inputs are ``x``, the states, and those of the block.
        """
        block = self.block
        outputs = {"A": self.A, "B": self.B}
        found = [
            Output(name, tuple(e for row in rows for e in row))
            for name, rows in outputs.items()
        ]
        used = {s.ref for s in free_symbols([e for o in found for e in o.values])}
        states = Signal("x", tuple(s.symbol for s in block.states))
        return Block(
            f"{block.name}_linear",
            tuple(p for p in block.parameters if p.symbol.ref in used),
            (),
            (states, *block.inputs),
            tuple(o for o in found if o.values),
            f"A and B of {block.name}, row by row",
        )

    def at(self, x: Point = None, u: Point = None) -> Linearization:
        """Return A and B at a state.

        Args:
            x: the states in order, or some by name, else the initial values.
            u: the inputs' scalars in order, or some by name, else zero.

        Raises:
            ShapeError: another number of states or inputs.
            UnknownNameError: a name is no state or input.
        """
        block = self.block
        inputs = _input_names(block)
        states = filled("state", [s.name for s in block.states], block.initial, x)
        given = filled("input", inputs, np.zeros(len(inputs)), u)
        n, m = len(states), len(given)
        out = interpret(self.program, np.concatenate([states, given]), block.values)
        A, B, rates = np.split(out, [n * n, n * (n + m)])
        return Linearization(A.reshape(n, n), B.reshape(n, m), states, given, rates)


def linearized(block: Block) -> SymbolicLinearization:
    """Return the matrices A and B of a linearised block as expressions."""
    rates = [s.rate for s in block.states]
    A = jacobian(rates, [s.symbol for s in block.states])
    B = jacobian(rates, _scalars(block))
    return SymbolicLinearization(block, tuple(map(tuple, A)), tuple(map(tuple, B)))


def _scalars(block: Block) -> list[Expr]:
    """Return the inputs' symbols in order."""
    return [e for signal in block.inputs for e in signal.symbols]


def _input_names(block: Block) -> list[str]:
    """Return a name for each scalar of the inputs: that of its symbol."""
    names = {i: name for name, i in block.tape.names.items()}
    return [names[e.ref] for e in _scalars(block)]


def filled(kind: str, names: Sequence[str], start: VecN, given: Point) -> VecN:
    """Return values in order from values in order, by name, or none."""
    if given is None:
        return start
    if isinstance(given, Mapping):
        found = start.copy()
        for name, value in given.items():
            if name not in names:
                raise UnknownNameError(kind, name, names, "the block")
            found[names.index(name)] = value
        return found
    found = np.asarray(given, dtype=float)
    if found.shape != start.shape:
        problem = f"{kind}s should have shape {start.shape}, got {found.shape}."
        raise ShapeError(problem)
    return found
