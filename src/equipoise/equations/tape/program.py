"""What has to be computed for some outputs, in order, and what it costs.

A program has two parts. ``init`` holds the work on parameters alone; it is done once
when parameters are set. ``step`` holds the rest, done for every state.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

from equipoise.core.errors import ConfigError
from equipoise.equations.tape.tape import Expr, Op, Tape

__all__ = ["Operations", "Program", "live_operations", "operations", "program"]

TRIGONOMETRIC = (Op.SINE, Op.COSINE)
FREE = (Op.CONSTANT, Op.SYMBOL)


class Operations(NamedTuple):
    """Number of operations; divisions count as products, signs do not count."""

    add: int
    mul: int
    trig: int
    other: int = 0


@final
@dataclass(frozen=True)
class Program:
    """Operations in an order in which they can be executed."""

    tape: Tape
    parameters: tuple[int, ...]
    """Symbols set before ``init``, by number."""
    inputs: tuple[int, ...]
    """Symbols given at every ``step``."""
    outputs: tuple[int, ...]
    """References of the outputs."""
    init: tuple[int, ...]
    """Operations on parameters alone, in order."""
    step: tuple[int, ...]
    """All other operations, in order."""
    kept: tuple[int, ...]
    """Results of ``init``, and parameters, that ``step`` or the outputs use."""

    @property
    def operations(self) -> Operations:
        """Number of operations of one step."""
        return operations(self.tape, self.step)


def live_operations(tape: Tape, references: Sequence[int]) -> list[int]:
    """Return every operation that some references depend on, in order."""
    wanted: set[int] = set()
    stack = [abs(r) for r in references]
    while stack:
        i = stack.pop()
        if i not in wanted:
            wanted.add(i)
            stack += [abs(a) for a in tape.args[i]]
    return sorted(wanted)


def operations(tape: Tape, nodes: Sequence[int]) -> Operations:
    """Return how many of each kind some operations are."""
    ops = [tape.ops[i] for i in nodes if tape.ops[i] not in FREE]
    add = ops.count(Op.ADD)
    mul = ops.count(Op.MULTIPLY) + ops.count(Op.RECIPROCAL)
    trig = sum(ops.count(op) for op in TRIGONOMETRIC)
    return Operations(add, mul, trig, len(ops) - add - mul - trig)


def program(
    outputs: Sequence[Expr], inputs: Sequence[Expr], parameters: Sequence[Expr] = ()
) -> Program:
    """Return the program that computes the given expressions.

    Args:
        outputs: what to compute, at least one, all of one tape.
        inputs: symbols given at every step, in the order in which they are given.
        parameters: symbols set beforehand, in that order.

    Raises:
        ConfigError: nothing to compute, or a symbol that is neither input nor
            parameter.
    """
    if not outputs:
        raise ConfigError("a program", ["there is nothing to compute"])
    tape = outputs[0].tape
    refs = tuple(e.ref for e in outputs)
    ins, params = tuple(e.ref for e in inputs), tuple(e.ref for e in parameters)
    given = {*ins, *params}
    needed = live_operations(tape, refs)
    names = {i: name for name, i in tape.names.items()}
    missing = [names[i] for i in needed if tape.ops[i] is Op.SYMBOL and i not in given]
    if missing:
        problem = f"the symbol '{missing[0]}' is neither an input nor a parameter"
        raise ConfigError("a program", [problem])
    early = {i for i in needed if tape.rank[i] <= 1} - set(ins)
    work = [i for i in needed if tape.ops[i] not in FREE]
    init = tuple(i for i in work if i in early)
    step = tuple(i for i in work if i not in early)
    used = {abs(a) for i in step for a in tape.args[i]} | {abs(r) for r in refs}
    kept = tuple(sorted(i for i in used & early if tape.ops[i] is not Op.CONSTANT))
    return Program(tape, params, ins, refs, init, step, kept)
