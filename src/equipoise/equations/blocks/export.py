"""Blocks as files: C, its header and an info file with the names.

``NAME.c`` and ``NAME.h`` hold some functions: ``NAME_defaults(p, x)`` writes the
parameters' values and the initial state, ``NAME_init(p, w)`` does the work on
parameters, ``NAME_step(w, x, y)`` goes from states and inputs to rates and outputs; for
large processors ``NAME_batch(w, n, x, y)`` does so for many states. For graphics cards
``NAME.cu`` takes the place of ``NAME.c``.
What the numbers in p, x and y are called stands in ``NAME_info.json`` and nowhere else.
"""

import json
import math
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast, get_args

from equipoise.core.errors import ConfigError
from equipoise.core.files import Written, atomic_write, write_together
from equipoise.core.kinds import Precision, Target
from equipoise.equations.blocks.block import Block
from equipoise.equations.blocks.cuda_block import block_cuda
from equipoise.equations.blocks.info import help_lines, info
from equipoise.equations.emit.batch import batch_source
from equipoise.equations.emit.c import C_TYPES, c_literal, c_source, function
from equipoise.equations.emit.simd import simd_source
from equipoise.equations.emit.small import small_source
from equipoise.equations.tape.lanes import kept_places, packing
from equipoise.equations.tape.tape import Op

__all__ = [
    "complaints",
    "export_block",
    "export_texts",
    "safe_name",
    "texts",
]

SMALL = ("cortex-m", "atmega128")
MOST = {"atmega128": 3300}  # operations in line: some 115 kB, where 128 have to do
LARGEST = 3.4e38  # in single precision
SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_. -]{0,47}")
TAKEN = (
    "assert complex ctype errno fenv float inttypes limits locale main math setjmp "
    "signal stdarg stdbool stddef stdint stdio stdlib string tgmath time wchar"
).split()  # NAME.h would stand in for a header of C
LIBRARY = {
    Op.EXPONENTIAL: "exp",
    Op.LOGARITHM: "log",
    Op.ARC_TANGENT_2: "atan2",
}
GUARD = """#if defined(__FAST_MATH__)
#error "sine and cosine need sums in the order in which they are written"
#endif
"""
EXACT = """#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__AVR__)
#pragma GCC optimize("no-tree-ter")
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
"""


def export_block(
    block: Block,
    folder: str | Path,
    target: str = "host",
    precision: str = "double",
) -> list[Path]:
    """Write a block as ``NAME.c``, ``NAME.h`` and ``NAME_info.json``; return the paths.

    NAME is the block's name where that is plain, else a made-up one.
    Single precision gives the same bits on every target.

    Args:
        block: what to write.
        folder: where to; made if needed.
        target: ``host``, ``simd`` (equal legs side by side, where there are some),
            ``cortex-m``, ``atmega128``, or ``cuda``: in place of ``NAME.c`` a
            ``NAME.cu`` with a kernel for many blocks at once.
        precision: ``double`` or ``single``.

    Raises:
        ConfigError: no such target or precision, a double on the ATmega128, or a
            parameter or initial state that is not finite; nothing is written.
        BadFileError: the folder cannot be written; nothing is left there.
    """
    written = texts(block, target, precision)
    return export_texts(written, folder).files


def export_texts(written: dict[str, str], folder: str | Path) -> Written:
    """Write the texts of a block, all of them or none.

    Args:
        written: from ``texts``.
        folder: where to; made if needed.

    Raises:
        BadFileError: the folder cannot be written; nothing is left there.
    """
    return write_together(
        folder,
        lambda to: [atomic_write(to / name, text) for name, text in written.items()],
    )


def texts(block: Block, target: str, precision: str) -> dict[str, str]:
    """Return what ``export_block`` writes, by file name.

    Args:
        block: what to write.
        target: see ``export_block``.
        precision: ``double`` or ``single``.

    Raises:
        ConfigError: see ``export_block``.
    """
    problems = complaints(block, target, precision)
    if problems:
        raise ConfigError(f"an export of block '{block.name}'", problems)
    return _ordered_texts(block, target, cast(Precision, precision))


def _ordered_texts(block: Block, target: str, precision: Precision) -> dict[str, str]:
    """Return what ``texts`` returns, for an order that can be filled."""
    name = safe_name(block.name)
    if target == "cuda":
        known = {"name": block.name, "help": help_lines(block)}
        return block_cuda(block, name, precision).texts(**known)
    work = _work_of(block, target)
    parts = [GUARD, EXACT if precision == "single" else "", f'#include "{name}.h"']
    parts += [_source_of(block, target, precision), _defaults(block, name, precision)]
    if target not in SMALL:
        parts.append(batch_source(block.program, name, precision, work))
    known = info(block, name)
    known["target"], known["precision"] = target, precision
    known["arrays"]["w"] = len(work)
    known["library_functions"] = _library_functions(block, precision)
    known["files"] = [f"{name}.c", f"{name}.h", f"{name}_info.json"]
    return {
        f"{name}.c": "\n".join(parts),
        f"{name}.h": _header(known, name, precision),
        f"{name}_info.json": json.dumps(known, indent=2) + "\n",
    }


def _source_of(block: Block, target: str, precision: Precision) -> str:
    """Return the C functions that set up and compute a block."""
    name = safe_name(block.name)
    if target == "simd" and block.legs:
        return simd_source(block.program, block.legs, name, precision)
    if target in SMALL:
        return small_source(block.program, name, precision, most=MOST.get(target))
    return c_source(block.program, name, precision)


def _work_of(block: Block, target: str) -> dict[int, str]:
    """Return the C text of each number kept from the work on parameters."""
    program = block.program
    if target == "simd" and block.legs:
        places = kept_places(program, packing(program, block.legs))
        return {abs(r): f"w[{k}]" if r > 0 else f"(-w[{k}])" for r, k in places.items()}
    return {i: f"w[{k}]" for k, i in enumerate(program.kept)}


def complaints(block: Block, target: str, precision: str) -> list[str]:
    """Return what is wrong with an order for an export."""
    found: list[str] = []
    if target not in get_args(Target):
        known = ", ".join(get_args(Target))
        found.append(f"there is no target '{target}'; the targets are {known}")
    if precision not in get_args(Precision):
        known = " and ".join(get_args(Precision))
        found.append(f"there is no precision '{precision}'; there are {known}")
    if target == "atmega128" and precision == "double":
        problem = "the ATmega128's compiler has no double; ask for precision 'single'"
        found.append(problem)
    for kind, items in (
        ("parameter", [(p.name, p.value) for p in block.parameters]),
        ("initial state", [(s.name, s.initial) for s in block.states]),
    ):
        limit = LARGEST if precision == "single" else math.inf
        bad = [(n, float(v)) for n, v in items if not abs(v) < limit]
        size = "finite" if limit == math.inf else f"below {limit:g} in size"
        found += [f"its {kind} '{n}' must be {size}, got {v}" for n, v in bad[:1]]
    return found


def safe_name(name: str) -> str:
    """Return a name for files and C functions.

    In a name of plain letters, digits, ``_ . -`` and blanks, the last three become
    ``_``. No part of any other name gets into C: it is replaced by a code.
    """
    if SAFE.fullmatch(name) and name.lower() not in TAKEN:
        return re.sub("[. -]", "_", name)
    return f"block_{zlib.crc32(name.encode(errors='surrogatepass')):08x}"


def _library_functions(block: Block, precision: Precision) -> list[str]:
    """Return the functions whose last bit is up to the target's library."""
    program = block.program
    ops = {program.tape.ops[i] for i in (*program.init, *program.step)}
    names = LIBRARY if precision == "double" else {}
    return [name for op, name in names.items() if op in ops]


def _defaults(block: Block, name: str, precision: Precision) -> str:
    """Return the C function that writes parameters and initial values."""
    real = C_TYPES[precision]
    lines = ["(void)p;", "(void)x;"]
    for array, values in (("p", block.values), ("x", block.initial)):
        for k, value in enumerate(values):
            lines.append(f"{array}[{k}] = {c_literal(value, precision)};")
    first, last = len(block.states), len(block.program.inputs)
    if last > first:
        lines.append(f"for (int i = {first}; i < {last}; ++i) x[i] = 0;")
    return function(f"{name}_defaults", f"{real} *p, {real} *x", lines)


def _header(known: dict[str, Any], name: str, precision: Precision) -> str:
    """Return the header: sizes, places, functions."""
    macro, real, arrays = name.upper(), C_TYPES[precision], known["arrays"]
    sizes = {
        "PARAMETERS": arrays["p"],
        "WORK": arrays["w"],
        "STATES": len(known["states"]),
        "INPUTS": arrays["x"] - len(known["states"]),
        "OUTPUTS": arrays["y"] - len(known["states"]),
    }
    lines = [
        f"#ifndef {macro}_H",
        f"#define {macro}_H",
        "",
        "#include <stddef.h>",
        "",
        f"typedef {real} {name}_real;",
    ]
    lines += ["", *(f"#define {macro}_{k} {n}" for k, n in sizes.items())]
    lines += _places("x: states, then inputs", known["inputs"])
    lines += _places("y: rates of the states, then outputs", known["outputs"])
    lines += ["", "#ifdef __cplusplus", 'extern "C" {', "#endif"]
    lines += [
        f"void {name}_defaults({real} *p, {real} *x);",
        f"void {name}_init(const {real} *p, {real} *w);",
        f"void {name}_step(const {real} *w, const {real} *x, {real} *y);",
    ]
    if known["target"] not in SMALL:
        batch = f"const {real} *w, size_t n, const {real} *x, {real} *y"
        lines.append(f"void {name}_batch({batch});")
    lines += ["#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {macro}_H */", ""]
    return "\n".join(lines)


def _places(title: str, signals: Sequence[dict[str, Any]]) -> list[str]:
    """Return macros for the place and width of each signal in an array."""
    lines = ["", f"/* {title} */"]
    for signal in signals:
        lines.append(f"#define {signal['macro']} {signal['index']}")
        lines.append(f"#define {signal['macro']}_WIDTH {signal['width']}")
    return lines
