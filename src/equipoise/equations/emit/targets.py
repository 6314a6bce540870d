"""Exported blocks run on their target: real tool chains, emulated processors.

The block is exported, compiled with a small program around it, and run on a table of
states. What comes back are the outputs with all their bits, what a step costs and how
much memory it takes.
"""

import re
import tempfile
import zlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.core.errors import (
    ConfigError,
    EquipoiseError,
    ShapeError,
    UnknownNameError,
)
from equipoise.equations.blocks.block import Block
from equipoise.equations.blocks.export import export_block, safe_name
from equipoise.equations.emit.toolchains import (
    BOARDS,
    TargetBoard,
    Tool,
    call,
    found,
    sizes,
)

__all__ = ["TargetTrial", "run_on"]

LINE = re.compile(r"([cyre])([0-9a-f]{8})\.?")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
NONE_LEFT = 0xFFFFFFFF
HARNESS = 6000  # bytes of flash, generously, for the program around a block


@final
@dataclass(frozen=True)
class TargetTrial:
    """Result of running a block on its target: outputs, cost and memory."""

    target: str
    outputs: NDArray[Any]
    """Rates and outputs, (states, results), in the precision of the export."""
    cost: int | None
    """Cost of the most expensive step, in ``unit``; None if it is not counted."""
    unit: str
    """Unit of the cost: cycles, instructions, or nothing."""
    code_bytes: int
    """Size of the block alone, before unused functions are left out."""
    flash_bytes: int
    """Flash used by everything except the table of states."""
    memory_bytes: int
    """Data and the deepest stack."""

    @property
    def crc(self) -> int:
        """CRC-32 of the outputs' bytes, least significant first."""
        kind = self.outputs.dtype.newbyteorder("<")
        return zlib.crc32(self.outputs.astype(kind, copy=False).tobytes())


def run_on(
    block: Block,
    states: ArrayLike,
    *,
    target: str = "host",
    precision: str = "single",
    parameters: ArrayLike | None = None,
) -> TargetTrial:
    """Run a block on a target and return its outputs and cost.

    Args:
        block: what to run.
        states: states and inputs, (n, states + inputs), at least one row.
        target: ``host``, ``simd`` (there too), ``cortex-m`` (a Cortex-M4F under qemu)
            or ``atmega128`` (under simavr).
        precision: ``double`` or ``single``.
        parameters: values, (parameters,); the block's own if None.

    Raises:
        UnknownNameError: no such target.
        ShapeError: another number of states or parameters.
        ConfigError: the target has too little memory, or no such precision.
        MissingToolError: a program is not installed; names its package.
        EquipoiseError: a program failed.
    """
    if target not in BOARDS:
        raise UnknownNameError("target", target, BOARDS, "the list of boards")
    board, kind = BOARDS[target], np.dtype("<f8" if precision == "double" else "<f4")
    x = np.ascontiguousarray(states, dtype=kind)
    p = np.asarray(block.values if parameters is None else parameters, dtype=kind)
    given, wanted = len(block.program.inputs), len(block.parameters)
    if x.ndim != 2 or x.shape[1] != given or not len(x):
        raise ShapeError(f"states should have shape (n, {given}), got {x.shape}.")
    if p.shape != (wanted,):
        raise ShapeError(f"parameters should have shape ({wanted},), got {p.shape}.")
    for tool in (board.compiler, board.size, board.emulator):
        if tool is not None:
            found(tool)
    with tempfile.TemporaryDirectory(prefix="equipoise-") as name:
        folder = Path(name)
        export_block(block, folder, target, precision)
        code = _prepare(block, board, folder)
        _refuse_too_many(block, target, kind.itemsize)
        rows = _rows_at_once(block, target, code, x)
        parts = [
            _once(block, target, folder, p, x[k : k + rows])
            for k in range(0, len(x), rows)
        ]
    return TargetTrial(
        target=target,
        outputs=np.concatenate([part.outputs for part in parts]),
        cost=max((part.cost for part in parts if part.cost is not None), default=None),
        unit=board.unit,
        code_bytes=code,
        flash_bytes=max(part.flash_bytes for part in parts),
        memory_bytes=max(part.memory_bytes for part in parts),
    )


def _prepare(block: Block, board: TargetBoard, folder: Path) -> int:
    """Put the program around a block beside it, compile it; return its code's bytes."""
    shelf = files("equipoise.equations") / "firmware"
    for source, name in (
        ("harness.c", "harness.c"),
        (board.header, "board.h"),
        ("cortex_m.ld", "cortex_m.ld"),
    ):
        (folder / name).write_text((shelf / source).read_text("utf-8"), "utf-8")
    source = f"{safe_name(block.name)}.c"
    call(board.compiler, [*board.flags, "-c", source, "-o", "block.o"], folder)
    return sizes(board, "block.o", folder)[0]


def _refuse_too_many(block: Block, target: str, itemsize: int) -> None:
    """Raise a ConfigError where a block's numbers alone fill the memory."""
    program, memory = block.program, BOARDS[target].memory
    arrays = (program.parameters, program.kept, program.inputs, program.outputs)
    size = itemsize * sum(map(len, arrays))
    if memory is not None and size > memory:
        problem = f"its numbers take {size} of the {memory} bytes of the {target}"
        raise ConfigError(f"block '{block.name}'", [problem])


def _rows_at_once(block: Block, target: str, code: int, x: NDArray[Any]) -> int:
    """Return how many states fit beside the code.

    Raises:
        ConfigError: none.
    """
    board = BOARDS[target]
    room = board.table
    if board.flash is not None:
        room = min(room, board.flash - code - HARNESS)
    rows = (room - len(block.parameters) * x.itemsize) // max(1, x[0].nbytes)
    if rows < 1:
        problem = (
            f"its code takes {code} bytes and leaves no room for states in the "
            f"{board.flash} of the {target}; export less of it"
        )
        raise ConfigError(f"block '{block.name}'", [problem])
    return min(rows, 50_000)  # the program counts with 16 bits


def _once(
    block: Block, target: str, folder: Path, p: NDArray[Any], x: NDArray[Any]
) -> TargetTrial:
    """Return what a block does with so many states as fit in one program."""
    board, name = BOARDS[target], safe_name(block.name)
    table = np.concatenate([p, x.ravel()])
    (folder / "trial.h").write_text(_trial_header(name, len(x), table), "utf-8")
    inputs = ["harness.c", "block.o", "-o", "program", *board.link]
    call(board.compiler, [*board.flags, *inputs], folder)
    flash, _ = sizes(board, "program", folder)
    if board.emulator is None:
        printed = _own_output(folder)
    else:
        printed = call(board.emulator, [*board.arguments, "program"], folder)
    lines = [m.groups() for m in map(LINE.fullmatch, without_colours(printed)) if m]
    values = {kind: [v for k, v in lines if k == kind] for kind in "cyre"}
    memory = int(values["r"][0], 16) if values["r"] else NONE_LEFT
    if memory == NONE_LEFT:
        problem = f"its stack runs into its numbers, the {target} has too little memory"
        raise ConfigError(f"block '{block.name}'", [problem])
    words = np.array([int(v, 16) for v in values["y"]], dtype="<u4")
    shape = (len(x), len(block.program.outputs))
    if words.nbytes != x.itemsize * shape[0] * shape[1] or len(values["e"]) != 1:
        raise EquipoiseError(f"the program on the {target} stopped before its end.")
    return TargetTrial(
        target=target,
        outputs=words.view(x.dtype).reshape(shape),
        cost=max((int(v, 16) for v in values["c"]), default=None),
        unit=board.unit,
        code_bytes=0,
        flash_bytes=max(0, flash - table.nbytes),
        memory_bytes=memory,
    )


def _own_output(folder: Path) -> str:
    """Return what a program prints that runs on this machine."""
    return call(Tool((str(folder / "program"),), "the exported block"), [], folder)


def without_colours(text: str) -> list[str]:
    """Return lines without colours."""
    return [line.strip() for line in COLOUR.sub("", text).splitlines()]


def _trial_header(name: str, trials: int, table: NDArray[Any]) -> str:
    """Return the C header with sizes and the table: parameters, then states."""
    words = np.frombuffer(table.tobytes(), dtype="<u4")
    macro = name.upper()
    lines = [
        f'#include "{name}.h"',
        f"typedef {name}_real real;",
        f"#define INIT {name}_init",
        f"#define STEP {name}_step",
        f"#define PARAMETERS {macro}_PARAMETERS",
        f"#define WORK {macro}_WORK",
        f"#define GIVEN ({macro}_STATES + {macro}_INPUTS)",
        f"#define RESULTS ({macro}_STATES + {macro}_OUTPUTS)",
        f"#define TRIALS {trials}",
        "static const uint32_t TABLE[] IN_FLASH = {",
        *(
            " ".join(f"0x{word:08x}," for word in words[k : k + 8])
            for k in range(0, len(words), 8)
        ),
        "};",
    ]
    return "\n".join(lines) + "\n"
