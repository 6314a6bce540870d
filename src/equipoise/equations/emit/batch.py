"""Programs as C for many states at once, one state to a lane of the processor.

``NAME_batch(w, n, x, y)`` does what n calls of ``NAME_step`` do, for states and results
row by row, with the same bits. It needs the vectors that GCC and Clang know on every
processor, as wide as the flags of the compiler allow; other compilers get a plain loop.
With WITHOUT_BATCH defined it is left out, which halves the time to compile.
"""

from collections.abc import Mapping
from typing import final

from equipoise.core.kinds import Precision
from equipoise.equations.emit.c import C_TYPES, CWriter
from equipoise.equations.tape.program import Program
from equipoise.equations.tape.schedule import stages
from equipoise.equations.tape.tape import Op

__all__ = ["batch_source"]

VECTORS = (Op.ADD, Op.MULTIPLY, Op.RECIPROCAL)
LANES = """#if !defined(WITHOUT_BATCH)
#if defined(__GNUC__)
#if defined(__AVX512F__)
#define STATE_BYTES 64
#elif defined(__AVX__)
#define STATE_BYTES 32
#else
#define STATE_BYTES 16
#endif
#define AT_ONCE ((int)(STATE_BYTES / sizeof({real})))
typedef {real} states __attribute__((vector_size(STATE_BYTES), may_alias));

static void {name}_lanes(const {real} *restrict w, const states *restrict x,
                         states *restrict y)
{{
{body}
}}
#endif
"""
BATCH = """
void {name}_batch(const {real} *w, size_t n, const {real} *x, {real} *y)
{{
  size_t k = 0;
#if defined(__GNUC__)
  for (; k + AT_ONCE <= n; k += AT_ONCE) {{
    states a[{given} + 1], b[{results}];
    for (int i = 0; i < {given}; ++i)
      for (int l = 0; l < AT_ONCE; ++l) a[i][l] = x[(k + l) * {given} + i];
    {name}_lanes(w, a, b);
    for (int i = 0; i < {results}; ++i)
      for (int l = 0; l < AT_ONCE; ++l) y[(k + l) * {results} + i] = b[i][l];
  }}
#endif
  for (; k < n; ++k) {name}_step(w, x + k * {given}, y + k * {results});
}}
#endif
"""


def batch_source(
    program: Program, name: str, precision: Precision, work: Mapping[int, str]
) -> str:
    """Return C to put behind the functions ``NAME_init`` and ``NAME_step``.

    Args:
        program: what to compute.
        name: prefix of the functions, a C identifier.
        precision: ``double`` or ``single``.
        work: the C text of each kept number.
    """
    body = "\n".join(
        f"  {line}" for line in StateLanes(program, precision, work).lines()
    )
    real = C_TYPES[precision]
    given, results = len(program.inputs), len(program.outputs)
    return LANES.format(name=name, real=real, body=body) + BATCH.format(
        name=name, real=real, given=given, results=results
    )


@final
class StateLanes:
    """Writes a step for a state in each lane."""

    def __init__(
        self, program: Program, precision: Precision, work: Mapping[int, str]
    ) -> None:
        self.program = program
        self.real = C_TYPES[precision]
        self.whole = CWriter(program.tape, precision)
        self.whole.names = dict(work)
        self.lane = CWriter(program.tape, precision)
        self.lane.names = dict(work)
        for k, i in enumerate(program.inputs):
            self.note(i, f"x[{k}]")

    def note(self, i: int, name: str) -> None:
        """Keep the name of a vector."""
        self.whole.names[i] = name
        self.lane.names[i] = f"{name}[l]"

    def lines(self) -> list[str]:
        """Return the statements."""
        tape, out = self.program.tape, list[str]()
        for number, stage in enumerate(stages(tape, self.program.step)):
            out += self.sines(number, stage.angles)
            for i in stage.nodes:
                self.note(i, f"t{i}")
                if tape.ops[i] in VECTORS:
                    out.append(f"const states t{i} = {self.whole.value(i)};")
                else:
                    out.append(f"states t{i};")
                    value = self.lane.value(i)
                    out.append(f"for (int l = 0; l < AT_ONCE; ++l) t{i}[l] = {value};")
        for k, r in enumerate(self.program.outputs):
            # less nothing: the number itself in every lane, its sign kept
            out.append(f"y[{k}] = {self.whole.at(r)} - (states){{0}};")
        return ["(void)w;", "(void)x;", *out]

    def sines(self, number: int, angles: tuple[int, ...]) -> list[str]:
        """Return the lines that compute sines and cosines of some angles."""
        if not angles:
            return []
        n, tape = len(angles), self.program.tape
        given = ", ".join(f"{self.whole.at(a)}" for a in angles)
        for k, a in enumerate(angles):
            for op, name in ((Op.SINE, "s"), (Op.COSINE, "c")):
                found = tape.existing(op, (a,))
                if found is not None:
                    self.note(abs(found), f"{name}{number}[{k}]")
        arrays = (f"(const {self.real} *)a", f"({self.real} *)s", f"({self.real} *)c")
        return [
            f"const states a{number}[{n}] = {{{given}}};",
            f"states s{number}[{n}], c{number}[{n}];",
            f"sine_cosine({n} * AT_ONCE, {', '.join(f'{x}{number}' for x in arrays)});",
        ]
