"""Programs as LLVM's intermediate language for eight states at once, one to a lane.

``wide(w, x, y)`` does what eight calls of ``step`` do: number k of the state in lane l
is at ``x[8 k + l]``. For programs without parameters and without sines; processors with
narrower vectors do it in parts.
"""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from equipoise.core.arrays import Ints
from equipoise.core.errors import ConfigError
from equipoise.equations.emit.callable import engine_of
from equipoise.equations.emit.llvm import FUSED, bits
from equipoise.equations.tape.program import Program
from equipoise.equations.tape.tape import Op, Tape

__all__ = ["WIDTH", "WideCode", "wide_source"]

WIDTH = 8
"""States at once: a vector of AVX-512."""
VECTOR = f"<{WIDTH} x double>"
MASK = f"<{WIDTH} x i1>"
CALLS = {
    Op.SQUARE_ROOT: f"llvm.sqrt.v{WIDTH}f64",
    Op.ABSOLUTE: f"llvm.fabs.v{WIDTH}f64",
}


def _every(value: float) -> str:
    """Return a number in every lane."""
    return "<" + ", ".join([f"double {bits(value)}"] * WIDTH) + ">"


@final
class WideWriter:
    """Writes operations as instructions on vectors."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.lines: list[str] = []
        self.names: dict[int, str] = {}
        self.negatives: dict[int, str] = {}

    def fresh(self, text: str) -> str:
        """Write an instruction and return the name of its result."""
        name = f"%r{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def at(self, reference: int) -> str:
        """Return an operand, sign included."""
        i = abs(reference)
        if self.tape.ops[i] is Op.CONSTANT:
            value = self.tape.value[i]
            return _every(value if reference > 0 else -value)
        if reference > 0:
            return self.names[i]
        if i not in self.negatives:
            self.negatives[i] = self.fresh(f"fneg {VECTOR} {self.names[i]}")
        return self.negatives[i]

    def operation(self, i: int) -> str:
        """Write one operation and return its name.

        Raises:
            ConfigError: there is no such operation on vectors.
        """
        op, args = self.tape.ops[i], self.tape.args[i]
        if op is Op.ADD:
            kind = "fadd" if args[1] > 0 else "fsub"
            a, b = self.at(args[0]), self.at(abs(args[1]))
            return self.fresh(f"{kind} {FUSED} {VECTOR} {a}, {b}")
        x = [self.at(a) for a in args]
        if op is Op.MULTIPLY:
            return self.fresh(f"fmul {FUSED} {VECTOR} {x[0]}, {x[1]}")
        if op is Op.RECIPROCAL:
            return self.fresh(f"fdiv {VECTOR} {_every(1.0)}, {x[0]}")
        if op in CALLS:
            return self.fresh(f"call {VECTOR} @{CALLS[op]}({VECTOR} {x[0]})")
        if op is Op.SELECT:
            test = self.fresh(f"fcmp une {VECTOR} {x[0]}, {_every(0.0)}")
            return self.either(test, x[1], x[2])
        if op not in (Op.LESS, Op.MINIMUM, Op.MAXIMUM):
            problem = f"there is no {op.name.lower()} for several states at once"
            raise ConfigError("the generated code", [problem])
        first = x[::-1] if op is Op.MAXIMUM else x
        test = self.fresh(f"fcmp olt {VECTOR} {first[0]}, {first[1]}")
        if op is Op.LESS:
            return self.either(test, _every(1.0), _every(0.0))
        return self.either(test, x[0], x[1])

    def either(self, test: str, a: str, b: str) -> str:
        """Write a choice."""
        return self.fresh(f"select {MASK} {test}, {VECTOR} {a}, {VECTOR} {b}")

    def place(self, array: str, index: int) -> str:
        """Return the address of a number of all lanes."""
        return self.fresh(f"getelementptr {VECTOR}, ptr %{array}, i64 {index}")


def wide_source(program: Program) -> str:
    """Return a module with ``wide(w, x, y)``.

    Args:
        program: without parameters, sines, exponentials and their like.

    Raises:
        ConfigError: it has some.
    """
    if program.parameters:
        problem = "a program for several states at once must have no parameters"
        raise ConfigError("the generated code", [problem])
    w = WideWriter(program.tape)
    for k, i in enumerate(program.inputs):
        w.names[i] = w.fresh(f"load {VECTOR}, ptr {w.place('x', k)}, align 8")
    for i in program.step:
        w.names[i] = w.operation(i)
    for k, r in enumerate(program.outputs):
        value = w.at(r)
        w.lines.append(f"  store {VECTOR} {value}, ptr {w.place('y', k)}, align 8")
    declared = [f"declare {VECTOR} @{name}({VECTOR})" for name in CALLS.values()]
    body = "\n".join(w.lines)
    head = "define void @wide(ptr %w, ptr noalias %x, ptr noalias %y) noinline"
    return "\n".join([*declared, f"{head} {{\n{body}\n  ret void\n}}\n"])


@final
class WideCode:
    """Programs as machine code for eight states at once.

    Args:
        programs: as ``wide_source`` takes them.
    """

    def __init__(self, programs: Sequence[Program]) -> None:
        self._kept: list[Any] = [engine_of(wide_source(p)) for p in programs]
        found = [engine.get_function_address("wide") for engine in self._kept]
        self.addresses: Ints = np.array(found, np.int64)
        """Of machine code that takes three pointers: none, inputs, outputs."""
