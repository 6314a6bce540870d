"""Wired blocks as one block, on a tape of its own."""

from collections.abc import Mapping, Sequence

from equipoise.core.errors import ConfigError
from equipoise.equations.blocks.block import Block, Output, Parameter, Signal, State
from equipoise.equations.blocks.wiring import (
    OUTSIDE,
    Function,
    SignalSource,
    Wiring,
    part_label,
)
from equipoise.equations.tape.program import live_operations
from equipoise.equations.tape.tape import Expr, Tape

__all__ = ["ParameterTable", "assembled", "parameter_value"]

ParameterTable = Mapping[str, float | Sequence[float]]
"""Values by name; a list holds one for each occurrence."""


def assembled(
    name: str,
    wiring: Wiring,
    outputs: Sequence[str] | None = None,
    parameters: ParameterTable | None = None,
) -> Block:
    """Return wired blocks as a single block.

    States and parameters carry the name of their part in front, outputs too where
    several parts give one of that name. Parameters that are in the table take their
    values from there, the others keep their own.

    Args:
        name: of the new block.
        wiring: the parts; all of them blocks.
        outputs: which signals to give; all if not said.
        parameters: values by name, a list where each occurrence has its own.

    Raises:
        ConfigError: a part is a Python function, signals go round in a circle, an
            output is not there, or the table lacks an occurrence.
    """
    whole = Whole(name, wiring, dict(parameters or {}))
    return whole.block(outputs)


def parameter_value(
    wiring: Wiring, k: int, parameter: Parameter, table: ParameterTable
) -> float:
    """Return a parameter's value for a part: the table's, else its own.

    Raises:
        ConfigError: the table has a list, but nothing for the part's occurrence.
    """
    found = table.get(parameter.name, parameter.value)
    if isinstance(found, (int, float)):
        return float(found)
    occurrence = wiring.parts[k].occurrence
    if occurrence is None or not 1 <= occurrence <= len(found):
        problem = (
            f"parameter '{parameter.name}' of '{wiring.label(k)}' has {len(found)} "
            f"values, none for its occurrence {occurrence}"
        )
        raise ConfigError("the wiring", [problem])
    return float(found[occurrence - 1])


class Whole:
    """Copies blocks onto one tape, following signals to where they come from."""

    def __init__(self, name: str, wiring: Wiring, table: ParameterTable) -> None:
        self.name, self.wiring, self.table = name, wiring, table
        self.tape = Tape()
        self.blocks: list[Block] = []
        for k, part in enumerate(wiring.parts):
            if isinstance(part.what, Function):
                problem = (
                    f"part '{wiring.label(k)}' is written in Python, not equations"
                )
                raise ConfigError(f"block '{name}'", [problem])
            self.blocks.append(part.what)
        self.inputs = {
            signal: tuple(
                self.tape.symbol(f"{signal}[{i}]", "input") for i in range(width)
            )
            for signal, width in wiring.outside.items()
        }
        self.known: list[dict[int, Expr]] = [{} for _ in self.blocks]
        self.parameters: list[Parameter] = []
        self.symbols: list[list[Expr]] = []
        for k, block in enumerate(self.blocks):
            self.add_symbols(k, block)
        self.done: dict[SignalSource, tuple[Expr, ...]] = {}
        self.open: list[SignalSource] = []

    def add_symbols(self, k: int, block: Block) -> None:
        """Make the states and parameters of a part."""
        label = self.wiring.label(k)
        for p in block.parameters:
            symbol = self.tape.symbol(f"{label}.{p.name}", "parameter")
            self.known[k][p.symbol.ref] = symbol
            value = parameter_value(self.wiring, k, p, self.table)
            self.parameters.append(
                Parameter(f"{label}.{p.name}", symbol, value, p.help)
            )
        states = [self.tape.symbol(f"{label}.{s.name}", "state") for s in block.states]
        self.known[k] |= {
            s.symbol.ref: symbol for s, symbol in zip(block.states, states, strict=True)
        }
        self.symbols.append(states)

    def block(self, wanted: Sequence[str] | None) -> Block:
        """Return the whole."""
        outputs = self.outputs(wanted)
        states: list[State] = []
        for k, block in enumerate(self.blocks):
            label = self.wiring.label(k)
            rates = self.copied(k, [s.rate for s in block.states])
            states += [
                State(f"{label}.{s.name}", symbol, rate, s.initial, s.help)
                for s, symbol, rate in zip(
                    block.states, self.symbols[k], rates, strict=True
                )
            ]
        inputs = tuple(Signal(n, symbols) for n, symbols in self.inputs.items())
        return Block(
            self.name, tuple(self.parameters), tuple(states), inputs, tuple(outputs)
        )

    def outputs(self, wanted: Sequence[str] | None) -> list[Output]:
        """Return the signals that the whole gives."""
        there = [
            SignalSource(k, o.name)
            for k, b in enumerate(self.blocks)
            for o in b.outputs
        ]
        names = [s.signal for s in there]
        found: list[Output] = []
        for source in there:
            label = part_label(self.wiring.parts[source.part])
            is_alone = names.count(source.signal) == 1
            full = source.signal if is_alone else f"{label}.{source.signal}"
            if wanted is None or full in wanted or source.signal in wanted:
                found.append(Output(full, self.signal(source)))
        missing = [
            n for n in wanted or () if n not in {*names, *(o.name for o in found)}
        ]
        if missing or not found:
            problem = f"no part gives an output '{missing[0] if missing else ''}'"
            raise ConfigError(f"block '{self.name}'", [problem])
        return found

    def signal(self, source: SignalSource) -> tuple[Expr, ...]:
        """Return a signal's components, copied from the part that gives it."""
        if source.part == OUTSIDE:
            return self.inputs[source.signal]
        if source in self.open:
            chain = [*self.open[self.open.index(source) :], source]
            way = " -> ".join(f"{self.wiring.label(s.part)}.{s.signal}" for s in chain)
            problem = f"signals form a loop without a state in it: {way}"
            raise ConfigError(f"block '{self.name}'", [problem])
        if source not in self.done:
            self.open.append(source)
            outputs = self.blocks[source.part].outputs
            values = next(o.values for o in outputs if o.name == source.signal)
            self.done[source] = tuple(self.copied(source.part, values))
            self.open.pop()
        return self.done[source]

    def copied(self, k: int, expressions: Sequence[Expr]) -> list[Expr]:
        """Return expressions of a part on the new tape."""
        if not expressions:
            return []
        block, known = self.blocks[k], self.known[k]
        tape = expressions[0].tape
        needed = live_operations(tape, [e.ref for e in expressions])
        for signal in block.inputs:
            refs = [e.ref for e in signal.symbols]
            if not set(refs) <= set(known) and set(refs) & set(needed):
                source = self.wiring.sources[k, signal.name]
                known |= dict(zip(refs, self.signal(source), strict=True))
        for i in needed:
            if i not in known:
                known[i] = self.redone(tape, i, known)
        return [known[abs(e.ref)] if e.ref > 0 else -known[-e.ref] for e in expressions]

    def redone(self, tape: Tape, i: int, known: Mapping[int, Expr]) -> Expr:
        """Return one operation on the new tape."""
        if not tape.args[i]:
            return self.tape.constant(tape.value[i])
        args = tuple(known[abs(a)].ref * (1 if a > 0 else -1) for a in tape.args[i])
        return Expr(self.tape, self.tape.apply(tape.ops[i], args))
