"""The module program built and run: on this machine, or on an emulated ATmega128.

What comes back is every bit of what the program computed, what its parts cost and how
much memory it takes.
"""

import re
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np

from equipoise.control.com.small.float_steering import FloatSteeringConfig
from equipoise.control.com.small.small_module import SmallModule
from equipoise.control.com.small.texts import firmware_texts
from equipoise.core.errors import EquipoiseError
from equipoise.equations.emit.toolchains import BOARDS, Tool, call
from equipoise.modules.frame import FRAME_SIZE
from equipoise.runs.firmware.star import Star
from equipoise.runs.firmware.states import RESULTS, States, Words

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = [
    "ALSO",
    "PROGRAM",
    "Trial",
    "board_texts",
    "compile_parts",
    "floats_on",
    "protocol_on",
    "run_program",
    "table_text",
    "workshop",
]

LINE = re.compile(r"([a-z])([0-9a-f]{8})\.?")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PROGRAM = ("program.c", "drive.c", "frame.c", "member.c", "sums.c", "mass.c", "steer.c")
ALSO = {"atmega128": ("float_avr.S",), "host": ()}
"""What is built beside the C, by target."""
HEADERS = ("atmega128.h", "host.h")
ROWS = 80  # states in one program: 28 kB of 32 that 16-bit addresses reach


@final
@dataclass(frozen=True, eq=False)
class Trial:
    """Outputs and cost of a run."""

    words: Words
    """Results, bit by bit, in the order in which they were printed."""
    cycles: Mapping[str, tuple[int, ...]]
    """By the letter of each part; empty where nobody counts."""


@contextmanager
def workshop(
    module: SmallModule, gains: FloatSteeringConfig | None = None
) -> "Generator[Path, None, None]":
    """Yield a folder with all sources, which is gone afterwards.

    Args:
        module: its numbers.
        gains: of the steering; the defaults if None.
    """
    with tempfile.TemporaryDirectory(prefix="equipoise-") as name:
        folder = Path(name)
        for file, text in {**firmware_texts(module, gains), **board_texts()}.items():
            (folder / file).write_text(text, "utf-8")
        yield folder


def board_texts() -> dict[str, str]:
    """Return the headers by which the counting programs print, by file name."""
    shelf = files("equipoise.equations") / "firmware"
    return {name: (shelf / name).read_text("utf-8") for name in HEADERS}


def table_text(words: Words, defines: Mapping[str, str]) -> str:
    """Return a C header with a table in flash, and some names for numbers."""
    flat = np.ascontiguousarray(words, dtype=np.uint32).ravel()
    lines = [f"#define {name} {value}" for name, value in defines.items()]
    lines.append("static const uint32_t TABLE[] IN_FLASH = {")
    for k in range(0, len(flat), 8):
        lines.append(" ".join(f"0x{word:08x}," for word in flat[k : k + 8]))
    return "\n".join([*lines, "};", ""])


def floats_on(target: str, folder: Path, states: States) -> Trial:
    """Return what mass update, steering and holding give for many states.

    Args:
        target: ``host`` or ``atmega128``.
        folder: of ``workshop``.
        states: as many as you like.

    Raises:
        MissingToolError: a program is not installed; names its package.
        EquipoiseError: a program failed.
    """
    words = states.words
    parts: list[Trial] = []
    compiled = compile_parts(target, folder, ("mass.c", "steer.c"))
    for k in range(0, len(words), ROWS):
        some = words[k : k + ROWS]
        text = table_text(some, {"TRIALS": str(len(some))})
        (folder / "states.h").write_text(text, "utf-8")
        trial = run_program(target, folder, "bench_float.c", compiled)
        if trial.words.size != RESULTS * len(some):
            raise EquipoiseError(f"the program on the {target} stopped before its end.")
        parts.append(trial)
    return Trial(
        words=np.concatenate([t.words for t in parts]).reshape(len(words), RESULTS),
        cycles={
            kind: sum((t.cycles[kind] for t in parts), start=())
            for kind in parts[0].cycles
        },
    )


def protocol_on(target: str, folder: Path, star: Star) -> Trial:
    """Return the frames that the module in the middle of a star sends.

    Args:
        target: ``host`` or ``atmega128``.
        folder: of ``workshop``.
        star: what it hears.

    Raises:
        MissingToolError: a program is not installed; names its package.
        EquipoiseError: a program failed.
    """
    none = bytes(FRAME_SIZE)
    data = b"".join(frame or none for row in star.mail for frame in row)
    text = table_text(np.frombuffer(data, np.uint32), star.defines)
    (folder / "mail.h").write_text(text, "utf-8")
    compiled = compile_parts(target, folder, PROGRAM)
    return run_program(target, folder, "bench_protocol.c", compiled)


def compile_parts(target: str, folder: Path, sources: Sequence[str]) -> list[str]:
    """Compile sources once; return the objects' names."""
    board, every = BOARDS[target], [*sources, *ALSO[target]]
    call(board.compiler, [*board.flags, "-c", *every], folder)
    return [str(Path(source).with_suffix(".o")) for source in every]


def run_program(
    target: str, folder: Path, source: str, objects: Sequence[str]
) -> Trial:
    """Build a counting program and return what it printed.

    Args:
        target: ``host`` or ``atmega128``.
        folder: of ``workshop``.
        source: its file, which includes ``BOARD``.
        objects: what ``compile_parts`` returned.

    Raises:
        MissingToolError: a program is not installed; names its package.
        EquipoiseError: a program failed.
    """
    board = BOARDS[target]
    header = f'-DBOARD="{board.header}"'
    inputs = [header, source, *objects, "-o", "program", *board.link]
    call(board.compiler, [*board.flags, *inputs], folder)
    if board.emulator is None:
        printed = call(Tool((str(folder / "program"),), "gcc"), [], folder)
    else:
        printed = call(board.emulator, [*board.arguments, "program"], folder)
    return _parsed(printed, target)


def _parsed(printed: str, target: str) -> Trial:
    """Return the numbers of a program's lines."""
    plain = (line.strip() for line in COLOUR.sub("", printed).splitlines())
    lines = [m.groups() for m in map(LINE.fullmatch, plain) if m]
    if [kind for kind, _ in lines[-1:]] != ["e"]:
        raise EquipoiseError(f"the program on the {target} stopped before its end.")
    counted: dict[str, list[int]] = {}
    for kind, word in lines:
        counted.setdefault(kind, []).append(int(word, 16))
    words = np.array(counted.pop("y", []), np.uint32)
    if target == "host":
        counted = {}
    return Trial(words, {k: tuple(v) for k, v in counted.items() if k not in "er"})
