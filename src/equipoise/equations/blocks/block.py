"""A block: equations with names on everything that goes in and comes out.

A block takes states and inputs and gives the rates of its states and its outputs;
parameters are set beforehand. It is what gets compiled, exported, wired to other blocks
and described in an info file. Names are free text from the user or a robot file: they
never become part of generated code.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.errors import ConfigError
from equipoise.equations.tape.alike import alike_legs
from equipoise.equations.tape.program import Program, live_operations, program
from equipoise.equations.tape.tape import Expr, Op, Tape

__all__ = ["Block", "Output", "Parameter", "Signal", "State"]


@final
@dataclass(frozen=True)
class Parameter:
    """A number that is set before anything runs."""

    name: str
    symbol: Expr
    value: float
    help: str = ""


@final
@dataclass(frozen=True)
class State:
    """A scalar that is integrated, with its rate."""

    name: str
    symbol: Expr
    rate: Expr
    initial: float = 0.0
    help: str = ""


@final
@dataclass(frozen=True)
class Signal:
    """An input: one name for one or more scalars."""

    name: str
    symbols: tuple[Expr, ...]
    help: str = ""

    @property
    def width(self) -> int:
        """How many scalars it has."""
        return len(self.symbols)


@final
@dataclass(frozen=True)
class Output:
    """An output: one name for one or more scalars."""

    name: str
    values: tuple[Expr, ...]
    help: str = ""

    @property
    def width(self) -> int:
        """How many scalars it has."""
        return len(self.values)


@final
@dataclass(frozen=True)
class Block:
    """Equations with named inputs and outputs.

    Raises:
        ConfigError: a name is used twice within parameters, states, inputs or outputs,
            or a symbol is left that is none of them.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()
    states: tuple[State, ...] = ()
    inputs: tuple[Signal, ...] = ()
    outputs: tuple[Output, ...] = ()
    help: str = ""
    lanes: tuple[tuple[int, ...], ...] = ()
    """Symbols of equal parts, such as legs, by number, as ``lanes`` takes them."""

    def __post_init__(self) -> None:
        for kind in ("parameters", "states", "inputs", "outputs"):
            names = [x.name for x in getattr(self, kind)]
            twice = [n for n in names if names.count(n) > 1]
            if twice:
                problem = f"'{twice[0]}' occurs twice among its {kind}"
                raise ConfigError(f"block '{self.name}'", [problem])
        _ = self.program  # refuses what cannot be computed

    @property
    def tape(self) -> Tape:
        """Tape of the block's expressions."""
        return self._results[0].tape

    @cached_property
    def program(self) -> Program:
        """Program from states and inputs, in order, to rates and outputs, in order."""
        given = [s.symbol for s in self.states]
        given += [e for signal in self.inputs for e in signal.symbols]
        return program(self._results, given, [p.symbol for p in self.parameters])

    @cached_property
    def legs(self) -> tuple[tuple[int, ...], ...]:
        """Symbols of equal parts: ``lanes``, or those found in the equations."""
        return self.lanes or alike_legs(self.program)

    @property
    def values(self) -> VecN:
        """Values of the parameters, in order."""
        return np.array([p.value for p in self.parameters], dtype=float)

    @property
    def initial(self) -> VecN:
        """Initial values of the states, in order."""
        return np.array([s.initial for s in self.states], dtype=float)

    def unused(self) -> tuple[str, ...]:
        """Return the inputs that neither rates nor outputs depend on."""
        used = set(live_operations(self.tape, [e.ref for e in self._results]))
        return tuple(
            s.name for s in self.inputs if not used & {e.ref for e in s.symbols}
        )

    @property
    def _results(self) -> Sequence[Expr]:
        rates = [s.rate for s in self.states]
        return rates + [e for output in self.outputs for e in output.values]


def free_symbols(expressions: Sequence[Expr]) -> list[Expr]:
    """Return the symbols that expressions depend on, oldest first."""
    if not expressions:
        return []
    tape = expressions[0].tape
    return [
        Expr(tape, i)
        for i in live_operations(tape, [e.ref for e in expressions])
        if tape.ops[i] is Op.SYMBOL
    ]
