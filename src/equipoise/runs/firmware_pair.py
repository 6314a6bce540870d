"""Two modules on emulated ATmega128 that talk over their serial lines, and their twins.

``pair.c`` writes down when each module starts a round and every line that it sends. The
twins in Python get the same mail between the same rounds, and have to say the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np

from equipoise.control.com.small.small_module import SmallModule
from equipoise.control.com.small.texts import STEPS
from equipoise.control.com.small.twin import Twin, drawn, unstuffed
from equipoise.core.errors import MissingToolError
from equipoise.equations.toolchains import BOARDS, Tool, call, found, sizes
from equipoise.runs.firmware_trials import ALSO, PROGRAM

__all__ = ["Pair", "pair_log", "program_sizes", "replayed"]

CLOCK = "-DF_CPU=16000000UL"
PACKAGE = "libsimavr-dev"
INCLUDES = (Path("/usr/include"), Path("/usr/local/include"))
MEMORY = 4096  # bytes, of the ATmega128
NAMES, BOOTS = (5, 9), (7, 8)  # what pair.c puts into their EEPROMs
MIDDLE, APART = 2500, 300  # of what it puts to their angles' sensors [mV]
FULL_SCALE = 5000  # [mV]
KINDS = ("R ", "S ", "M ")  # of lines that pair.c prints
DOCKED = 0  # the connector by which they hold each other


@final
@dataclass(frozen=True)
class Pair:
    """What two emulated modules did."""

    frames: int
    """Frames that both sent."""
    equal: int
    """How many of them are the twins', bit for bit."""
    known_frames: int
    """How many were sent by a module that knew the robot of two."""
    memory_bytes: int
    """Data and the deepest stack."""


def program_sizes(folder: Path) -> tuple[int, int]:
    """Build the program of a whole module for the ATmega128.

    Args:
        folder: of ``workshop``.

    Returns:
        Bytes of flash, and of memory without the stack.

    Raises:
        MissingToolError: a program is not installed; names its package.
        EquipoiseError: a program failed.
    """
    board = BOARDS["atmega128"]
    sources = ["main.c", "board_atmega128.c", *PROGRAM, *ALSO["atmega128"]]
    flags = [*board.flags, CLOCK, *sources, "-o", "module.elf", *board.link]
    call(board.compiler, flags, folder)
    return sizes(board, "module.elf", folder)


def pair_log(folder: Path, rounds: int) -> list[list[str]]:
    """Return what ``pair.c`` prints about two modules, line by line, in words.

    Args:
        folder: of ``workshop``, after ``program_sizes``.
        rounds: to run.

    Raises:
        MissingToolError: a program or libsimavr is not installed.
        EquipoiseError: a program failed.
    """
    found(BOARDS["host"].compiler)
    if not any((place / "simavr" / "sim_avr.h").is_file() for place in INCLUDES):
        raise MissingToolError(
            "libsimavr's headers are not installed; on Debian or Ubuntu: "
            f"apt-get install {PACKAGE}."
        )
    flags = ["-O1", "pair.c", "-o", "emulator", "-lsimavr"]
    call(BOARDS["host"].compiler, flags, folder)
    tool = Tool((str(folder / "emulator"),), PACKAGE)
    printed = call(tool, ["module.elf", str(rounds)], folder)
    return [line.split() for line in printed.splitlines() if line[:2] in KINDS]


def sensed_angles(module: SmallModule, k: int) -> list[float]:
    """Return the joint angles of module k of ``pair.c``, as its board reads them."""
    sign = 1 if k else -1
    millivolts = [MIDDLE + APART * (j + 1) * sign for j in range(3)]
    counts = [v * (2 * STEPS - 1) // FULL_SCALE - STEPS for v in millivolts]
    return [
        float(np.float32(rest) + np.float32(count) * np.float32(limit / STEPS))
        for rest, count, limit in zip(module.rest, counts, module.limits, strict=True)
    ]


def replayed(module: SmallModule, log: Sequence[Sequence[str]]) -> Pair:
    """Let twins hear what two emulated modules heard, and compare what they say.

    Args:
        module: numbers of both.
        log: what ``pair_log`` returned.
    """
    twins: list[Twin] = []
    for name, boots in zip(NAMES, BOOTS, strict=True):
        seq, epoch, join = drawn(name, boots + 1)
        twins.append(Twin(module, id=name, seq=seq, epoch=epoch, join=join))
    angles = [sensed_angles(module, k) for k in (0, 1)]
    events = [(int(line[2]), line) for line in log if line[0] != "M"]
    said: list[bytes | None] = [None, None]
    frames = equal = known = 0
    for _, line in sorted(events, key=lambda event: event[0]):
        k = int(line[1])
        if line[0] == "R":
            # the second one stands on the ground, for the first time: its foot is 1
            twins[k].round(angles[k], touching=k == 1, foot=k, attached=1 << DOCKED)
            said[k] = twins[k].frame(DOCKED)
            continue
        frame = unstuffed(bytes.fromhex(line[3]))
        frames += 1
        equal += frame is not None and frame == said[k]
        known += twins[k].known
        if frame is not None:
            twins[1 - k].mail(DOCKED, frame)
    unused = min((int(line[2]) for line in log if line[0] == "M"), default=0)
    return Pair(frames, equal, known, MEMORY - unused)
