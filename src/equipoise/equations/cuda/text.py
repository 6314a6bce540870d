"""Programs as CUDA functions of one robot, to be called by kernels of many.

Functions index their arrays with constants only; once inlined, everything lives in
registers. A program that is a kernel of its own is written by ``kernel``.
"""

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.errors import ShapeError
from equipoise.core.kinds import Precision
from equipoise.equations.cuda.preamble import preamble
from equipoise.equations.emit.c import C_TYPES, CWriter, c_literal
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.order import depth_first, eager
from equipoise.equations.tape.program import Program
from equipoise.equations.tape.tape import Op

__all__ = [
    "BLOCK",
    "device_function",
    "kept_values",
    "named_work",
    "preamble",
    "statement",
]

BLOCK = 128
"""Threads a block, of all kernels."""
FUNCTIONS = {
    Op.RECIPROCAL: "reciprocal",
    Op.SQUARE_ROOT: "square_root",
    Op.ABSOLUTE: "absolute",
    Op.EXPONENTIAL: "exponential",
    Op.LOGARITHM: "logarithm",
    Op.ARC_TANGENT_2: "arc_tangent",
}


def device_function(
    program: Program,
    name: str,
    precision: Precision,
    values: ArrayLike | None = None,
) -> str:
    """Return a program as a function of one robot, a straight line.

    ``DEVICE void NAME(const REAL (&x)[NX], REAL (&y)[NY])``; where the program has
    parameters and no values are given, ``const REAL *w`` comes first: what the work on
    parameters kept, as ``kept_values`` gives it.

    Args:
        program: what to compute.
        name: of the function, a C identifier.
        precision: ``double`` or ``single``, that of the preamble.
        values: of the parameters, (parameters,), to be written into the text.

    Raises:
        ShapeError: another number of values.
        ConfigError: a number too large for the precision.
    """
    w, real = CWriter(program.tape, precision), C_TYPES[precision]
    w.names, has_parameters = named_work(program, precision, values)
    arguments = f"const {real} *w, " if has_parameters else ""
    w.names |= {i: f"x[{k}]" for k, i in enumerate(program.inputs)}
    order = depth_first(program.tape, program.step, program.outputs)
    lines: list[str] = []
    for i in eager(program.tape, order, program.outputs, program.inputs):
        if i not in w.names:
            lines += statement(w, i)
    lines += [f"y[{k}] = {w.at(r)};" for k, r in enumerate(program.outputs)]
    arguments += f"const {real} (&x)[{max(len(program.inputs), 1)}], "
    arguments += f"{real} (&y)[{len(program.outputs)}]"
    body = "\n".join(f"  {line}" for line in lines)
    return f"DEVICE void {name}({arguments})\n{{\n{body}\n}}\n"


def named_work(
    program: Program, precision: Precision, values: ArrayLike | None
) -> tuple[dict[int, str], bool]:
    """Return the text of what the work on parameters kept, and whether it is ``w``.

    Args:
        program: what to compute.
        precision: ``double`` or ``single``.
        values: of the parameters, to be written into the text; as ``w`` if not given.

    Raises:
        ShapeError: another number of values.
        ConfigError: a number too large for the precision.
    """
    if program.parameters and values is None:
        return {i: f"w[{k}]" for k, i in enumerate(program.kept)}, True
    kept = kept_values(program, () if values is None else values, precision)
    texts = [f"({c_literal(float(x), precision)})" for x in kept]
    return dict(zip(program.kept, texts, strict=True)), False


def statement(w: CWriter, i: int) -> list[str]:
    """Return the lines that compute one operation, and a sine's cosine with it."""
    tape = w.tape
    op, args = tape.ops[i], tape.args[i]
    if op in (Op.SINE, Op.COSINE):
        for other, letter in ((Op.SINE, "s"), (Op.COSINE, "c")):
            found = tape.existing(other, args)
            if found is not None:
                w.names[abs(found)] = f"{letter}{i}"
        return [
            f"const {w.real} a{i} = {w.at(args[0])};",
            f"{w.real} s{i}, c{i};",
            f"sine_cosine(1, &a{i}, &s{i}, &c{i});",
        ]
    w.names[i] = f"t{i}"
    value = w.value(i)
    if op in FUNCTIONS:
        value = f"{FUNCTIONS[op]}({', '.join(map(w.at, args))})"
    return [f"const {w.real} t{i} = {value};"]


def kept_values(
    program: Program, values: ArrayLike, precision: Precision
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return what the work on parameters keeps.

    It is computed as C does it; only a sine of parameters may differ in its last bit.

    Args:
        program: whose parameters they are.
        values: of the parameters, (parameters,).
        precision: in which it is computed.

    Raises:
        ShapeError: another number of values.
    """
    given = np.asarray(values, dtype=np.float64)
    if given.shape != (len(program.parameters),):
        raise ShapeError(
            f"parameters of a program should have shape "
            f"{(len(program.parameters),)}, got {given.shape}."
        )
    early = Program(
        program.tape, program.parameters, (), program.kept, program.init, (), ()
    )
    kind = np.float64 if precision == "double" else np.float32
    if not program.kept:
        return np.zeros(0)
    return interpret(early, np.zeros(0), given, dtype=kind).astype(np.float64)
