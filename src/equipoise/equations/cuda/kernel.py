"""A program as one kernel: each thread reads a robot, computes, and writes.

A number is read where it is first needed and written as soon as it is known, and
operations come in an order in which few values are alive: the more robots fit on a
multiprocessor at a time, the better the card hides how far away its memory is. What
does not fit into registers waits in shared memory; see ``parking``.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, final

from equipoise.core.kinds import Precision
from equipoise.equations.cuda.spilling import SpillPlan, made_with, spill_plan
from equipoise.equations.cuda.text import BLOCK, statement
from equipoise.equations.emit.c import CWriter
from equipoise.equations.tape.order import alive, depth_first, eager
from equipoise.equations.tape.program import Program

__all__ = ["ArrayRows", "StraightKernel", "straight_kernel"]

REGISTERS = 65536
"""Of a multiprocessor."""
MOST_BLOCKS = 8
FUSED = 0.95  # of the values counted: products fused with sums are never kept
ADDRESSES = 16  # registers of a thread that hold no value
HALF = BLOCK // 2
"""Threads a block where registers are short: their shared memory is smaller."""
SHARED = 48 * 1024
"""Bytes that a block may have without asking."""


class Crowding(NamedTuple):
    """Number of threads side by side, by the number of live values."""

    alive: float
    """Up to this many."""
    room: int
    """Values in registers; the others wait."""
    blocks: int
    """Of half the usual size on a multiprocessor."""


CROWDED = {
    "single": (Crowding(180, 158, 6), Crowding(math.inf, 236, 4)),
    "double": (Crowding(math.inf, 122, 4),),
}
"""Where values wait; measured on an H200, see benchmarks/gpu/dynamics.py."""


@final
@dataclass(frozen=True)
class ArrayRows:
    """An array that a kernel takes: a row of it for each number of a robot."""

    name: str
    """A C identifier."""
    rows: tuple[str, ...]
    """What they are called in the robot; never in the text."""
    help: str = ""


@final
@dataclass(frozen=True)
class StraightKernel:
    """The text of a kernel and what is known about it."""

    name: str
    text: str
    inputs: tuple[ArrayRows, ...]
    outputs: tuple[ArrayRows, ...]
    has_parameters: bool
    """Whether it takes ``w``, what the work on parameters kept."""
    block: int
    """Threads a block."""
    program: Program

    @property
    def info(self) -> dict[str, Any]:
        """What an info file says about it."""

        def listed(arrays: Sequence[ArrayRows]) -> list[dict[str, Any]]:
            return [
                {"name": a.name, "rows": list(a.rows), "help": a.help} for a in arrays
            ]

        return {
            "kernel": self.name,
            "inputs": listed(self.inputs),
            "outputs": listed(self.outputs),
            "takes_w": self.has_parameters,
            "block": self.block,
            "operations": self.program.operations._asdict(),
        }


def straight_kernel(
    program: Program,
    name: str,
    inputs: Sequence[ArrayRows],
    outputs: Sequence[ArrayRows],
    precision: Precision,
    work: Mapping[int, str],
    sequence: Sequence[int] | None = None,
) -> StraightKernel:
    """Return a kernel that does a program for many robots.

    ``NAME(unsigned int n, [const REAL *w,] const REAL *IN..., REAL *OUT...)``, row k
    of robot i at ``k * n + i``.

    Args:
        program: what to compute; its inputs are the rows of all arrays in order.
        name: of the kernel, a C identifier.
        inputs: arrays that go in.
        outputs: arrays that come out.
        precision: ``double`` or ``single``.
        work: the text of what the work on parameters kept; see ``named_work``.
        sequence: the outputs in the order in which they are best computed.

    Raises:
        ConfigError: a number too large for the precision.
    """
    tape = program.tape
    order = depth_first(tape, program.step, sequence or program.outputs)
    order = eager(tape, order, (), program.inputs)
    w = CWriter(tape, precision)
    w.names = dict(work)
    has_parameters = any(work[i].startswith("w[") for i in program.kept)
    layout = _threads_of(program, order, precision)
    lines = _parked(layout) + _body(
        program, w, layout, _places(inputs), _places(outputs)
    )
    pointers = ["const REAL *restrict w"] if has_parameters else []
    pointers += [f"const REAL *restrict {a.name}" for a in inputs]
    pointers += [f"REAL *restrict {a.name}" for a in outputs]
    arguments = ", ".join(["unsigned int n", *pointers])
    inside = "\n".join(f"  {line}" for line in lines)
    bounds = f"__launch_bounds__({layout.block}, {layout.blocks})"
    text = f"KERNEL {bounds} {name}({arguments})\n{{\n{inside}\n}}\n"
    return StraightKernel(
        name, text, tuple(inputs), tuple(outputs), has_parameters, layout.block, program
    )


class KernelLayout(NamedTuple):
    """Layout of a kernel's threads on a multiprocessor."""

    block: int
    """Threads a block."""
    blocks: int
    """That should be on a multiprocessor at a time."""
    shared: int
    """Values of a thread that wait in shared memory; the rest in its own."""
    plan: SpillPlan


def _threads_of(
    program: Program, order: Sequence[int], precision: Precision
) -> KernelLayout:
    """Return how many threads to run at a time, and what waits in shared memory.

    Args:
        program: what to compute.
        order: of the operations.
        precision: ``double`` or ``single``.
    """
    tape, words = program.tape, 2 if precision == "double" else 1
    most = alive(tape, order, program.inputs)
    blocks = int(REGISTERS / (BLOCK * (FUSED * words * most + ADDRESSES)))
    if blocks > 3:  # all of them fit
        plan = spill_plan(tape, order, program.inputs, len(tape))
        return KernelLayout(BLOCK, min(blocks, MOST_BLOCKS), 0, plan)
    crowd = next(c for c in CROWDED[precision] if most <= c.alive)
    plan = spill_plan(tape, order, program.inputs, crowd.room)
    fits = [b for b in (HALF, HALF // 2) if plan.places * 4 * words * b <= SHARED]
    block = fits[0] if fits else HALF // 2
    shared = min(plan.places, SHARED // (4 * words * block))
    return KernelLayout(block, crowd.blocks * HALF // block, shared, plan)


def _parked(layout: KernelLayout) -> list[str]:
    """Return the lines that make room for values that wait."""
    lines: list[str] = []
    if layout.shared:
        lines.append(f"__shared__ REAL waiting[{layout.shared * layout.block}];")
        lines.append("volatile REAL *const near = waiting + threadIdx.x;")
    if layout.plan.places > layout.shared:
        lines.append(f"volatile REAL far[{layout.plan.places - layout.shared}];")
    return lines


def _places(arrays: Sequence[ArrayRows]) -> list[str]:
    """Return where each row is in memory, in order."""
    return [
        f"({a.name} + {k} * (size_t)n)[robot]"
        for a in arrays
        for k in range(len(a.rows))
    ]


def _body(
    program: Program,
    w: CWriter,
    layout: KernelLayout,
    given: Sequence[str],
    wanted: Sequence[str],
) -> list[str]:
    """Return the lines of a kernel.

    Args:
        program: what to compute.
        w: knows the names of what the work on parameters kept.
        layout: what is done in which order, and where values wait.
        given: where each input is.
        wanted: where each output belongs.
    """
    lines = [
        "const unsigned int robot = blockIdx.x * blockDim.x + threadIdx.x;",
        "if (robot >= n) return;",
    ]
    memory = dict(zip(program.inputs, given, strict=True))
    ends: dict[int, list[str]] = {}
    for r, place in zip(program.outputs, wanted, strict=True):
        sign = "" if r > 0 else "-"
        ends.setdefault(abs(r), []).append(f"{place} = {sign}")
    for number, (what, i, place) in enumerate(layout.plan.actions):
        waits = (
            f"near[{place * layout.block}]"
            if place < layout.shared
            else f"far[{place - layout.shared}]"
        )
        if what == "do":
            lines += statement(w, i)
            for j in made_with(program.tape, i):
                lines += [f"{end}{w.at(j)};" for end in ends.pop(j, ())]
        elif what == "park":
            lines.append(f"{waits} = {w.at(i)};")
        else:
            lines.append(
                f"const REAL x{number} = {memory[i] if what == 'read' else waits};"
            )
            w.names[i] = f"x{number}"
    for i, left in ends.items():
        lines += [f"{end}{w.names.get(i) or _at(w, i, memory)};" for end in left]
    return lines


def _at(w: CWriter, i: int, memory: Mapping[int, str]) -> str:
    """Return an output that no operation makes: an input, or a number."""
    return memory[i] if i in memory else w.at(i)
