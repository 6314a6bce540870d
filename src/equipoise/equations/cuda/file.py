"""Kernels put together to one file, with a header and an info file.

``NAME.cu`` needs nothing else. ``NAME_info.json`` says which rows of which arrays each
kernel takes and what they are called: names of a robot stand there and nowhere else.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from equipoise.core.kinds import Precision
from equipoise.equations.cuda.kernel import StraightKernel
from equipoise.equations.cuda.text import preamble, statement
from equipoise.equations.emit.c import C_TYPES, CWriter
from equipoise.equations.tape.program import Program

__all__ = ["CudaFile", "init_kernel", "joined_work"]

LAYOUT = "number k of robot i is at k * n + i; one thread a robot"


@final
@dataclass(frozen=True)
class CudaFile:
    """The text of a file and what it holds."""

    prefix: str
    """Of its kernels and files, a C identifier."""
    precision: Precision
    kernels: tuple[StraightKernel, ...]
    init: str = ""
    """The kernel that does the work on parameters, where there are any."""
    parameters: tuple[dict[str, Any], ...] = ()
    """Name, value, index and help of each."""
    work: int = 0
    """How many numbers ``w`` holds."""

    @property
    def text(self) -> str:
        """The whole file."""
        parts = [preamble(self.precision), self.init, *(k.text for k in self.kernels)]
        return "\n".join(part for part in parts if part)

    def info(self, **more: Any) -> dict[str, Any]:
        """Return what the info file says.

        Args:
            more: what else is known.
        """
        return {
            "prefix": self.prefix,
            "target": "cuda",
            "precision": self.precision,
            "layout": LAYOUT,
            "parameters": list(self.parameters),
            "arrays": {"p": len(self.parameters), "w": self.work},
            "kernels": [kernel.info for kernel in self.kernels],
            **more,
        }

    def texts(self, **more: Any) -> dict[str, str]:
        """Return what is written, by file name.

        Args:
            more: what else is known, for the info file.
        """
        names = [f"{self.prefix}{end}" for end in (".cu", ".h", "_info.json")]
        known = self.info(**more, files=names)
        contents = (self.text, self.header, json.dumps(known, indent=2) + "\n")
        return dict(zip(names, contents, strict=True))

    @property
    def header(self) -> str:
        """The header: sizes, and the kernels for those who compile by nvcc."""
        macro, real = self.prefix.upper(), C_TYPES[self.precision]
        lines = [f"#ifndef {macro}_H", f"#define {macro}_H", ""]
        lines += [f"typedef {real} {self.prefix}_real;", f"/* {LAYOUT} */"]
        lines += [f"#define {k.name.upper()}_BLOCK {k.block}" for k in self.kernels]
        lines += [f"#define {macro}_PARAMETERS {len(self.parameters)}"]
        lines += [f"#define {macro}_WORK {self.work}"]
        rows = {
            a.name: len(a.rows) for k in self.kernels for a in (*k.inputs, *k.outputs)
        }
        lines += [
            f"#define {macro}_{n.upper()}_ROWS {size}" for n, size in rows.items()
        ]
        lines.append("")
        if self.init:
            arguments = f"const {real} *p, {real} *w"
            lines.append(f'extern "C" __global__ void {self.prefix}_init({arguments});')
        for kernel in self.kernels:
            pointers = [f"const {real} *w"] if kernel.has_parameters else []
            pointers += [f"const {real} *{a.name}" for a in kernel.inputs]
            pointers += [f"{real} *{a.name}" for a in kernel.outputs]
            arguments = ", ".join(["unsigned int n", *pointers])
            lines.append(f'extern "C" __global__ void {kernel.name}({arguments});')
        return "\n".join([*lines, "", f"#endif /* {macro}_H */", ""])


def joined_work(programs: Sequence[Program]) -> dict[int, str]:
    """Return a place in ``w`` for all that the work on parameters of programs keeps."""
    kept = sorted({i for program in programs for i in program.kept})
    return {i: f"w[{k}]" for k, i in enumerate(kept)}


def init_kernel(
    prefix: str,
    programs: Sequence[Program],
    work: Mapping[int, str],
    precision: Precision,
) -> str:
    """Return the kernel ``PREFIX_init(p, w)``, for one thread; "" without parameters.

    Args:
        prefix: of the kernel.
        programs: of one tape, with the same parameters.
        work: where each kept number belongs.
        precision: ``double`` or ``single``.
    """
    if not work:
        return ""
    first = programs[0]
    w = CWriter(first.tape, precision)
    w.names = {i: f"p[{k}]" for k, i in enumerate(first.parameters)}
    lines = ["if (blockIdx.x + threadIdx.x > 0) return;"]
    for i in sorted({i for program in programs for i in program.init}):
        if i not in w.names:
            lines += statement(w, i)
    lines += [f"{place} = {w.at(i)};" for i, place in work.items()]
    inside = "\n".join(f"  {line}" for line in lines)
    arguments = "const REAL *restrict p, REAL *restrict w"
    return f"KERNEL {prefix}_init({arguments})\n{{\n{inside}\n}}\n"
