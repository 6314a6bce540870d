"""Equations of motion as a block: states with rates, inputs and outputs by name."""

from collections.abc import Mapping, Sequence

from equipoise.core.errors import ConfigError
from equipoise.equations.blocks.block import (
    Block,
    Output,
    Parameter,
    Signal,
    State,
    free_symbols,
)
from equipoise.equations.mechanism.frames import Vector
from equipoise.equations.tape.tape import Expr, Tape

__all__ = ["OutputValue", "block_of"]

OutputValue = Expr | Vector | Sequence[Expr]


def block_of(
    name: str,
    states: Sequence[State],
    inputs: Mapping[str, Sequence[Expr]],
    outputs: Mapping[str, Sequence[Expr]],
    values: Mapping[str, float],
    texts: Mapping[str, str],
) -> Block:
    """Return a block whose parameters are those it depends on, by name.

    Args:
        name: of the block.
        states: with their rates.
        inputs: scalars by the name of their signal.
        outputs: scalars by the name of their signal.
        values: of all parameters.
        texts: what parameters and signals are, by name, where that is known.

    Raises:
        ConfigError: a symbol is none of states, inputs and parameters.
    """
    results = [s.rate for s in states]
    results += [e for several in outputs.values() for e in several]
    tape = results[0].tape if results else Tape()
    known = {i: symbol for symbol, i in tape.names.items()}
    given = {s.symbol.ref for s in states}
    given |= {e.ref for several in inputs.values() for e in several}
    used: list[str] = []
    for symbol in free_symbols(results):
        if symbol.ref in given:
            continue
        label = known[symbol.ref]
        if label not in values:
            problem = f"the symbol '{label}' is no state, no input and no parameter"
            raise ConfigError(f"block '{name}'", [problem])
        used.append(label)
    parameters = [
        Parameter(n, tape.find(n), values[n], texts.get(n, "")) for n in sorted(used)
    ]
    return Block(
        name,
        tuple(parameters),
        tuple(states),
        tuple(
            Signal(n, tuple(several), texts.get(n, "")) for n, several in inputs.items()
        ),
        tuple(
            Output(n, tuple(several), texts.get(n, ""))
            for n, several in outputs.items()
        ),
    )
