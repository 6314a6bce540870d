"""A margin's programs as text: CUDA, and C for anything that has a C compiler.

All margins are written alike: straight-line functions made from a tape, and a short
piece of C around them, the margin's ``driver``. State i of n has number k of its
description at ``given[k * n + i]``, and number k of the answer goes to
``told[k * n + i]``; a single state has them side by side.
"""

from dataclasses import dataclass
from typing import final

from equipoise.core.errors import ConfigError
from equipoise.equations.cuda.text import BLOCK, device_function, preamble
from equipoise.equations.emit.c import C_TYPES, CWriter, Precision, function
from equipoise.equations.emit.small import statements
from equipoise.equations.tape.program import Program
from equipoise.equations.tape.trigonometry import trigonometry_c

__all__ = ["MarginCode", "c_text", "cuda_text"]

LOOPS = """#if defined(__CUDACC__)
#define FLAT _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#else
#define FLAT
#define ROLLED
#endif
"""
KERNEL = """
KERNEL __launch_bounds__({block}) {name}_many(
  unsigned int n, const REAL *restrict given, REAL *restrict told)
{{
  const unsigned int state = blockIdx.x * blockDim.x + threadIdx.x;
  if (state < n) {name}(given + state, told + state, n);
}}
"""


@final
@dataclass(frozen=True)
class MarginCode:
    """A margin as programs and the C that calls them."""

    name: str
    """Of the function, a C identifier."""
    contacts: int
    """A state has at most."""
    parts: tuple[tuple[str, Program], ...]
    """Programs by the name of their function."""
    driver: str
    """C of the function, from its brace; it takes ``given``, ``told`` and ``apart``."""
    given: tuple[tuple[str, int], ...]
    """What describes a state, and in how many numbers."""
    each: tuple[tuple[str, int], ...]
    """What then describes each contact."""
    told: tuple[tuple[str, int], ...]
    """What comes out before the derivatives, which are in the order of ``given`` and
    ``each``, with no derivative by whether a contact is there."""

    @property
    def inputs(self) -> int:
        """How many numbers describe a state."""
        own, each = (sum(w for _, w in part) for part in (self.given, self.each))
        return own + self.contacts * each

    @property
    def outputs(self) -> int:
        """How many numbers come out."""
        first = sum(width for _, width in self.told)
        return first + self.inputs - self.contacts


def cuda_text(code: MarginCode, precision: Precision) -> str:
    """Return CUDA with a kernel ``NAME_many(n, given, told)``.

    Args:
        code: the margin.
        precision: ``double`` or ``single``.
    """
    parts = [device_function(p, name, precision) for name, p in code.parts]
    head = f"DEVICE void {code.name}(const REAL *restrict given, REAL *restrict told, "
    kernel = KERNEL.format(name=code.name, block=BLOCK)
    return "\n".join(
        [
            preamble(precision),
            LOOPS,
            *parts,
            f"{head}size_t apart)",
            _driver(code, precision),
            kernel,
        ]
    )


def c_text(code: MarginCode, precision: Precision) -> dict[str, str]:
    """Return a C file and its header, by file name: ``NAME(given, told, apart)``.

    For any processor with a C99 compiler; the only function it needs is the square
    root.

    Args:
        code: the margin.
        precision: ``double`` or ``single``.

    Raises:
        ConfigError: there is no such precision.
    """
    if precision not in C_TYPES:
        problem = f"there is no precision '{precision}'; there are double and single"
        raise ConfigError(f"the margin '{code.name}'", [problem])
    real, name = C_TYPES[precision], code.name
    signature = f"void {name}(const REAL *restrict given, REAL *restrict told, "
    parts: list[str] = []
    for part, p in code.parts:
        w = CWriter(p.tape, precision)
        w.names = {i: f"x[{k}]" for k, i in enumerate(p.inputs)}
        lines = statements(w, p.step, p.outputs, "y")
        arguments = f"const {real} *restrict x, {real} *restrict y"
        parts.append("static " + function(part, arguments, lines))
    source = [
        f'#include "{name}.h"',
        "#include <math.h>",
        trigonometry_c(precision),
        LOOPS,
        *parts,
        f"{signature}size_t apart)",
        _driver(code, precision),
    ]
    guard = f"EQUIPOISE_{name.upper()}_H"
    header = [
        f"#ifndef {guard}",
        f"#define {guard}",
        "#include <stddef.h>",
        f"typedef {real} REAL;",
        f"#define {name.upper()}_GIVEN {code.inputs}",
        f"#define {name.upper()}_TOLD {code.outputs}",
        f"{signature}size_t apart);",
        "#endif\n",
    ]
    return {f"{name}.c": "\n".join(source), f"{name}.h": "\n".join(header)}


def _driver(code: MarginCode, precision: Precision) -> str:
    suffix = "f" if precision == "single" else ""
    return code.driver.replace("@", suffix)
