"""Programs as C for small processors: few values alive, one sine at a time.

The same functions as in ``emit_c`` and the same bits, in another order: what is needed
next is computed next, and an output is written as soon as it is known. A program that
would not fit is written as calls of functions for one operation, a sixth slower and a
fifth shorter; see ``emit_calls``.
"""

from collections.abc import Sequence

from equipoise.core.kinds import Precision
from equipoise.equations.emit.c import CWriter, function
from equipoise.equations.emit.calls import call_statements, helpers
from equipoise.equations.tape.order import depth_first
from equipoise.equations.tape.program import Program
from equipoise.equations.tape.tape import Op
from equipoise.equations.tape.trigonometry import trigonometry_c

__all__ = ["small_source"]


def small_source(
    program: Program,
    name: str,
    precision: Precision = "single",
    *,
    most: int | None = None,
) -> str:
    """Return a C file.

    Args:
        program: what to compute.
        name: prefix of its functions, a C identifier.
        precision: ``double`` or ``single``.
        most: operations of a step that are written in line; with more, all are calls.
    """
    w = CWriter(program.tape, precision)
    real = w.real
    w.names = {i: f"p[{k}]" for k, i in enumerate(program.parameters)}
    init = statements(w, program.init, program.kept, "w")
    w.names = {i: f"w[{k}]" for k, i in enumerate(program.kept)}
    w.names |= {i: f"x[{k}]" for k, i in enumerate(program.inputs)}
    is_long = most is not None and len(program.step) > most
    write = call_statements if is_long else statements
    step = write(w, program.step, program.outputs, "y")
    return "\n".join(
        [
            "#include <math.h>",
            trigonometry_c(precision),
            helpers(real, step),
            function(f"{name}_init", f"const {real} *p, {real} *restrict w", init),
            function(
                f"{name}_step",
                f"const {real} *restrict w, const {real} *restrict x, "
                f"{real} *restrict y",
                step,
            ),
        ]
    )


def statements(
    w: CWriter, nodes: Sequence[int], outputs: Sequence[int], array: str
) -> list[str]:
    """Return the lines that fill an array with outputs."""
    lines: list[str] = []
    places: dict[int, list[str]] = {}
    for k, r in enumerate(outputs):
        sign = "" if r > 0 else "-"
        places.setdefault(abs(r), []).append(f"{array}[{k}] = {sign}")
    for i in depth_first(w.tape, nodes, outputs):
        if i not in w.names:
            lines += _one(w, i)
        lines += [f"{place}{w.at(i)};" for place in places.pop(i, [])]
    for i, there in places.items():
        lines += [f"{place}{w.at(i)};" for place in there]
    return lines


def _one(w: CWriter, i: int) -> list[str]:
    """Return the lines that compute one operation, and a sine's cosine with it."""
    if w.tape.ops[i] not in (Op.SINE, Op.COSINE):
        w.names[i] = f"t{i}"
        return [f"const {w.real} t{i} = {w.value(i)};"]
    angle = w.tape.args[i][0]
    for op, name in ((Op.SINE, "s"), (Op.COSINE, "c")):
        found = w.tape.existing(op, (angle,))
        if found is not None:
            w.names[abs(found)] = f"{name}{i}"
    return [
        f"const {w.real} a{i} = {w.at(angle)};",
        f"{w.real} s{i}, c{i};",
        f"sine_cosine(1, &a{i}, &s{i}, &c{i});",
    ]
