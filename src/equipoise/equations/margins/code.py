"""A margin's programs as text: CUDA, and C for anything that has a C compiler.

All margins are written alike: straight-line functions made from a tape, and a short
piece of C around them, the margin's ``driver``. State i of n has number k of its
description at ``given[k * n + i]``, and number k of the answer goes to
``told[k * n + i]``; a single state has them side by side.
"""

from dataclasses import dataclass
from typing import final

from equipoise.core.errors import ConfigError
from equipoise.core.kinds import Precision
from equipoise.equations.cuda.text import BLOCK, device_function, preamble
from equipoise.equations.emit.c import C_TYPES, CWriter, function
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
TRIES = """
void {name}(const REAL *restrict given, REAL *restrict told, size_t apart)
{{
  (void){name}_tries(given, told, apart, {tries});
}}
"""
PASSES = """
#if !defined(__CUDACC__)
static inline int atomicAdd(int *sum, int more)
{{
  *sum += more;
  return *sum - more;
}}
#endif

KERNEL __launch_bounds__({block}) {name}_pass(
  unsigned int n, const REAL *restrict given, REAL *restrict told, int *waiting,
  int pass)
{{
  unsigned int state = blockIdx.x * blockDim.x + threadIdx.x;
  if (state >= (pass ? (unsigned int)waiting[0] : n)) return;
  if (pass) state = (unsigned int)waiting[1 + state];
  const int tries = pass ? {tries} : 1;
  if ({name}_tries(given + state, told + state, n, tries))
    waiting[1 + atomicAdd(waiting, 1)] = (int)state;
}}
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
    results: tuple[tuple[str, int], ...]
    """What comes out before the derivatives, which are in the order of ``given`` and
    ``each``, with no derivative by whether a contact is there."""
    tries: int = 0
    """For a margin that tries several times: how often at most. Its driver then is that
    of ``NAME_tries``, takes ``tries`` too, and returns 1 where these were too few."""

    @property
    def inputs(self) -> int:
        """How many numbers describe a state."""
        own, each = (sum(w for _, w in part) for part in (self.given, self.each))
        return own + self.contacts * each

    @property
    def outputs(self) -> int:
        """How many numbers come out."""
        first = sum(width for _, width in self.results)
        return first + self.inputs - self.contacts


def cuda_text(code: MarginCode, precision: Precision) -> str:
    """Return CUDA with a kernel ``NAME_many(n, given, told)``.

    A margin that tries several times has ``NAME_pass(n, given, told, waiting, pass)``
    instead, to be started twice: pass 0 tries once and puts the states that need more
    on a list, pass 1 judges those. States side by side then take equally long.
    ``waiting`` has n + 1 whole numbers, of which the first is zero at the start.

    Args:
        code: the margin.
        precision: ``double`` or ``single``.
    """
    parts = [device_function(p, name, precision) for name, p in code.parts]
    kernel = PASSES if code.tries else KERNEL
    return "\n".join(
        [
            preamble(precision),
            LOOPS,
            *parts,
            _function(code, "DEVICE"),
            kernel.format(name=code.name, block=BLOCK, tries=code.tries),
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
        _function(code, "static" if code.tries else ""),
        TRIES.format(name=name, tries=code.tries) if code.tries else "",
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


def _function(code: MarginCode, kind: str) -> str:
    """Return the function that judges a state, or tries to."""
    arguments = "const REAL *restrict given, REAL *restrict told, size_t apart"
    if not code.tries:
        return f"{kind} void {code.name}({arguments})\n{code.driver}"
    return f"{kind} int {code.name}_tries({arguments}, int tries)\n{code.driver}"
