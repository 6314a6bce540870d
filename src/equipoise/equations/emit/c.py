"""Programs as C: plain functions on arrays, with no name of a robot in them.

``NAME_init(p, w)`` does the work on parameters, ``NAME_step(w, x, y)`` the rest. Both
are straight lines of sums and products. Sines and cosines are computed by the file's
own code from sums and products alone, so that one precision gives the same bits on
every processor (where the compiler is told not to fuse products with sums).
"""

from collections.abc import Sequence

import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.core.kinds import Precision
from equipoise.equations.tape.program import Program
from equipoise.equations.tape.schedule import stages
from equipoise.equations.tape.tape import Op, Tape
from equipoise.equations.tape.trigonometry import trigonometry_c

__all__ = ["c_source"]

C_TYPES = {"double": "double", "single": "float"}


def c_literal(value: float, precision: Precision) -> str:
    """Return a number as C text, exact."""
    if precision == "double":
        return repr(float(value))
    with np.errstate(over="ignore"):
        single = np.float32(value)
    if not np.isfinite(single):
        problem = f"the number {float(value)!r} is too large for single precision"
        raise ConfigError("the generated code", [problem])
    return f"{float(single)!r}f"


class CWriter:
    """Writes operations as C statements."""

    def __init__(self, tape: Tape, precision: Precision) -> None:
        self.tape = tape
        self.precision: Precision = precision
        self.real = C_TYPES[precision]
        self.suffix = "" if precision == "double" else "f"
        self.names: dict[int, str] = {}

    def at(self, reference: int) -> str:
        """Return an operand."""
        i = abs(reference)
        if self.tape.ops[i] is Op.CONSTANT:
            text = c_literal(self.tape.value[i], self.precision)
        else:
            text = self.names[i]
        return text if reference > 0 else f"-{text}"

    def value(self, i: int) -> str:
        """Return the right-hand side of an operation."""
        op, args = self.tape.ops[i], [self.at(a) for a in self.tape.args[i]]
        f = self.suffix
        match op:
            case Op.ADD:
                return f"{args[0]} + {args[1]}".replace("+ -", "- ")
            case Op.MULTIPLY:
                return f"{args[0]} * {args[1]}"
            case Op.RECIPROCAL:
                return f"({self.real})1 / {args[0]}"
            case Op.SQUARE_ROOT:
                return f"sqrt{f}({args[0]})"
            case Op.EXPONENTIAL:
                return f"{'exponential' if f else 'exp'}({args[0]})"
            case Op.LOGARITHM:
                return f"{'logarithm' if f else 'log'}({args[0]})"
            case Op.ARC_TANGENT_2:
                return f"{'arc_tangent' if f else 'atan2'}({args[0]}, {args[1]})"
            case Op.ABSOLUTE:
                return f"fabs{f}({args[0]})"
            case Op.MINIMUM:
                return f"{args[0]} < {args[1]} ? {args[0]} : {args[1]}"
            case Op.MAXIMUM:
                return f"{args[1]} < {args[0]} ? {args[0]} : {args[1]}"
            case Op.LESS:
                return f"{args[0]} < {args[1]} ? ({self.real})1 : ({self.real})0"
            case Op.SELECT:
                return f"{args[0]} != ({self.real})0 ? {args[1]} : {args[2]}"
            case _:
                raise AssertionError(op)

    def statements(self, nodes: Sequence[int]) -> list[str]:
        """Return the lines that compute some operations, in order."""
        lines: list[str] = []
        for number, stage in enumerate(stages(self.tape, nodes)):
            lines += self.trigonometry(number, stage.angles)
            for i in stage.nodes:
                self.names[i] = f"t{i}"
                lines.append(f"const {self.real} t{i} = {self.value(i)};")
        return lines

    def trigonometry(self, number: int, angles: Sequence[int]) -> list[str]:
        """Return the lines that compute sines and cosines of some angles."""
        if not angles:
            return []
        n, real = len(angles), self.real
        given = ", ".join(self.at(a) for a in angles)
        tape = self.tape
        for k, a in enumerate(angles):
            for op, name in ((Op.SINE, "s"), (Op.COSINE, "c")):
                found = tape.existing(op, (a,))
                if found is not None:
                    self.names[abs(found)] = f"{name}{number}[{k}]"
        return [
            f"const {real} a{number}[{n}] = {{{given}}};",
            f"{real} s{number}[{n}], c{number}[{n}];",
            f"sine_cosine({n}, a{number}, s{number}, c{number});",
        ]


def c_source(program: Program, name: str, precision: Precision = "double") -> str:
    """Return a C file.

    Args:
        program: what to compute.
        name: prefix of its functions, a C identifier.
        precision: ``double`` or ``single``.
    """
    w = CWriter(program.tape, precision)
    real = w.real
    for k, i in enumerate(program.parameters):
        w.names[i] = f"p[{k}]"
    init = w.statements(program.init)
    init += [f"w[{k}] = {w.at(i)};" for k, i in enumerate(program.kept)]
    w.names = {i: f"w[{k}]" for k, i in enumerate(program.kept)}
    w.names |= {i: f"x[{k}]" for k, i in enumerate(program.inputs)}
    step = w.statements(program.step)
    step += [f"y[{k}] = {w.at(r)};" for k, r in enumerate(program.outputs)]
    return "\n".join(
        [
            "#include <math.h>",
            "#include <stdint.h>",
            trigonometry_c(precision),
            function(f"{name}_init", f"const {real} *p, {real} *restrict w", init),
            function(
                f"{name}_step",
                f"const {real} *restrict w, const {real} *restrict x, "
                f"{real} *restrict y",
                step,
            ),
        ]
    )


def function(name: str, arguments: str, lines: Sequence[str]) -> str:
    """Return a C function."""
    body = "\n".join(f"  {line}" for line in lines)
    return f"void {name}({arguments})\n{{\n{body}\n}}\n"
