"""Compilers, emulators and boards on which exported blocks can be tried.

They are found at run time. What is missing is named with the Debian package that has
it. Programs get lists of arguments, never a line for a shell.
"""

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

from equipoise.core.errors import EquipoiseError, MissingToolError

__all__ = ["BOARDS", "TargetBoard", "Tool", "call", "found", "sizes"]

COMMON = ("-std=gnu99", "-ffp-contract=off", "-fno-tree-ter")
"""No fused products; values in the order in which they are written."""
TIME_LIMIT = 300.0


@final
@dataclass(frozen=True)
class Tool:
    """A program and the Debian packages that bring it."""

    names: tuple[str, ...]
    packages: str


@final
@dataclass(frozen=True)
class TargetBoard:
    """Target on which a block can run, and its requirements."""

    header: str
    """Its file in ``firmware``."""
    compiler: Tool
    flags: tuple[str, ...]
    link: tuple[str, ...]
    size: Tool | None
    emulator: Tool | None
    """None where programs run as they are."""
    arguments: tuple[str, ...]
    """Of the emulator, before the program's name."""
    unit: str
    """What a cost is counted in."""
    flash: int | None = None
    """Bytes for code and tables."""
    memory: int | None = None
    """Bytes for numbers and stack."""
    table: int = 1 << 22
    """Bytes that a table of states may have."""


ARM = "gcc-arm-none-eabi libnewlib-arm-none-eabi"
M4F = ("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16")
HOST = TargetBoard(
    header="host.h",
    compiler=Tool(("cc", "gcc", "clang"), "gcc"),
    flags=("-std=gnu99", "-ffp-contract=off", "-O1", "-DWITHOUT_BATCH"),
    link=("-lm",),
    size=None,
    emulator=None,
    arguments=(),
    unit="",
)
BOARDS = {
    "host": HOST,
    "simd": HOST,
    "cortex-m": TargetBoard(
        header="cortex_m.h",
        compiler=Tool(("arm-none-eabi-gcc",), ARM),
        flags=(*COMMON, "-O1", *M4F),
        link=("-nostartfiles", "--specs=nosys.specs", "-Tcortex_m.ld", "-lm"),
        size=Tool(("arm-none-eabi-size",), "binutils-arm-none-eabi"),
        emulator=Tool(("qemu-system-arm",), "qemu-system-arm"),
        arguments=(
            *("-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none"),
            *("-semihosting-config", "enable=on,target=native"),
            *("-icount", "shift=0", "-kernel"),
        ),
        unit="instructions",
    ),
    "atmega128": TargetBoard(
        header="atmega128.h",
        compiler=Tool(("avr-gcc",), "gcc-avr avr-libc"),
        flags=(*COMMON, "-O2", "-mmcu=atmega128", "-ffunction-sections"),
        link=("-Wl,--gc-sections", "-lm"),
        size=Tool(("avr-size",), "binutils-avr"),
        emulator=Tool(("simavr",), "simavr"),
        arguments=("-m", "atmega128", "-f", "16000000"),
        unit="cycles",
        flash=1 << 17,
        memory=1 << 12,
        table=1 << 15,  # tables come first in flash, 16 bits of address reach them
    ),
}


def found(tool: Tool) -> str:
    """Return the path of a program.

    Raises:
        MissingToolError: it is not installed; names the packages.
    """
    paths = [path for name in tool.names if (path := shutil.which(name))]
    if not paths:
        raise MissingToolError(
            f"{tool.names[0]} is not installed; on Debian or Ubuntu: "
            f"apt-get install {tool.packages}."
        )
    return paths[0]


def call(
    tool: Tool, arguments: Sequence[str], folder: Path, limit: float = TIME_LIMIT
) -> str:
    """Run a program in a folder and return what it printed.

    Args:
        tool: the program.
        arguments: a list; no shell sees it.
        folder: where it runs.
        limit: longest time it may take [s].

    Raises:
        MissingToolError: it is not installed.
        EquipoiseError: it failed, or did not end within the limit.
    """
    command = [found(tool), *arguments]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        problem = f"{tool.names[0]} did not end within {limit:.0f} s."
        raise EquipoiseError(problem) from None
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or ["?"]
        errors = [line for line in lines if "error" in line] or lines
        raise EquipoiseError(
            f"{tool.names[0]} ended with code {done.returncode}: "
            f"{errors[0].strip()} (it comes with {tool.packages})."
        )
    return done.stdout + done.stderr


def sizes(board: TargetBoard, file: str, folder: Path) -> tuple[int, int]:
    """Return the bytes of code with constants, and of data, in an object or program."""
    if board.size is None:
        return 0, 0
    last = call(board.size, [file], folder).splitlines()[-1]
    text, data, bss = (int(n) for n in re.findall(r"\d+", last)[:3])
    return text + data, data + bss
