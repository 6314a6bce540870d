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
from equipoise.equations.emit.toolchains import BOARDS, Tool, call, found, sizes
from equipoise.runs.firmware.trials import ALSO, PROGRAM

__all__ = ["ONE", "TWO", "ModulePair", "pair_log", "program_sizes", "replayed"]

CLOCK = "-DF_CPU=16000000UL"
PACKAGE = "libsimavr-dev"
INCLUDES = (Path("/usr/include"), Path("/usr/local/include"))
MEMORY = 4096  # bytes, of the ATmega128
NAMES, BOOTS = (5, 9), (7, 8)  # what pair.c puts into their EEPROMs
MIDDLE, APART = 2500, 300  # of what it puts to their angles' sensors [mV]
FULL_SCALE = 5000  # [mV]
KINDS = ("R ", "S ", "B ", "M ")  # of lines that pair.c prints
ONE, TWO = ("module.elf",), ("links.elf", "joints.elf")
PROGRAMS = {
    "module.elf": ("main.c", 100),
    "links.elf": ("main_links.c", 100),
    "joints.elf": ("main_joints.c", 400),
}
"""Programs for one processor a module and for two: their main file and rate [Hz]."""
DOCKED = 0  # the connector by which they hold each other


@final
@dataclass(frozen=True)
class ModulePair:
    """Result of two emulated modules."""

    frames: int
    """Frames that both sent."""
    equal: int
    """How many of them are the twins', bit for bit."""
    known_frames: int
    """How many were sent by a module that knew the robot of two."""
    memory_bytes: int
    """Data and the deepest stack of any processor."""
    busiest: tuple[int, ...]
    """Cycles of the longest round, by processor."""


def program_sizes(folder: Path) -> tuple[int, int]:
    """Build the programs of a module for one ATmega128 and for two.

    Args:
        folder: of ``workshop``.

    Returns:
        Bytes of flash, and of memory without the stack, of the one for one.

    Raises:
        MissingToolError: a program is not installed; names its package.
        EquipoiseError: a program failed.
    """
    board = BOARDS["atmega128"]
    every = ["board_atmega128.c", "link.c", *PROGRAM, *ALSO["atmega128"]]
    for name, (main, hertz) in PROGRAMS.items():
        flags = [*board.flags, CLOCK, f"-DROUND_HZ={hertz}", main, *every]
        call(board.compiler, [*flags, "-o", name, *board.link], folder)
    return sizes(board, ONE[0], folder)


def pair_log(
    folder: Path, rounds: int, programs: Sequence[str] = ONE
) -> list[list[str]]:
    """Return what ``pair.c`` prints about two modules, line by line, in words.

    Args:
        folder: of ``workshop``, after ``program_sizes``.
        rounds: to run.
        programs: ``ONE``, or ``TWO`` for modules of two processors.

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
    printed = call(tool, [*programs, str(rounds)], folder)
    return [line.split() for line in printed.splitlines() if line[:2] in KINDS]


def _sensed_angles(module: SmallModule, k: int) -> list[float]:
    """Return the joint angles of module k of ``pair.c``, as its board reads them."""
    sign = 1 if k else -1
    millivolts = [MIDDLE + APART * (j + 1) * sign for j in range(3)]
    counts = [v * (2 * STEPS - 1) // FULL_SCALE - STEPS for v in millivolts]
    return [
        float(np.float32(rest) + np.float32(count) * np.float32(limit / STEPS))
        for rest, count, limit in zip(module.rest, counts, module.limits, strict=True)
    ]


def replayed(module: SmallModule, log: Sequence[Sequence[str]]) -> ModulePair:
    """Let twins hear what two emulated modules heard, and compare what they say.

    Args:
        module: numbers of both.
        log: what ``pair_log`` returned.
    """
    twins: list[Twin] = []
    for name, boots in zip(NAMES, BOOTS, strict=True):
        seq, epoch, join = drawn(name, boots + 1)
        twins.append(Twin(module, id=name, seq=seq, epoch=epoch, join=join))
    angles = [_sensed_angles(module, k) for k in (0, 1)]
    # processors 2 and 3 have the joints; what they say stays inside their module
    events = [
        (int(line[2]), line) for line in log if line[0] in "RS" and line[1] in "01"
    ]
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
    busiest = tuple(int(line[2]) for line in log if line[0] == "B")
    return ModulePair(frames, equal, known, MEMORY - unused, busiest)
