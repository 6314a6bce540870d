"""The module program for small processors: what ``equipoise modules firmware`` does."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from equipoise.control.com.small.float_steering import FloatSteeringConfig
from equipoise.control.com.small.small_module import SmallModule, small_module
from equipoise.control.com.small.texts import firmware_texts
from equipoise.core.errors import BadFileError, ConfigError, MissingToolError
from equipoise.equations.blocks.export import export_texts
from equipoise.equations.emit.toolchains import BOARDS, found
from equipoise.runs.firmware.config import FirmwareConfig
from equipoise.runs.firmware.pair import ONE, TWO, pair_log, program_sizes, replayed
from equipoise.runs.firmware.star import star_of
from equipoise.runs.firmware.states import random_states, twin_words
from equipoise.runs.firmware.trials import (
    board_texts,
    floats_on,
    protocol_on,
    table_text,
    workshop,
)
from equipoise.runs.robot import RobotChoice, find_robot

__all__ = ["FirmwareResult", "firmware_to_files", "measured", "module_of"]

CLOCK_HZ = 16_000_000
PORTS = 6
STAR_ROUNDS = 42  # enough for a star to know itself from a cold start
PAIR_ROUNDS = 45  # and for a pair
MARK = "firmware.json"
SHOWN = 8  # states in the table that is written for `make cycles`
PARTS = {
    "frames": "f",
    "mass_update": "m",
    "steering": "s",
    "hold": "h",
    "routes": "q",
    "protocol_round": "d",
    "frame_in": "t",
    "frame_out": "p",
}
"""Parts of the program, and the letter by which the counting programs print them."""


MEASURED = (
    "states",
    "equal_bits",
    "cycles",
    "cycles_update",
    "cycles_links",
    "cycles_joints",
    "rate_hz",
    "rate_links_hz",
    "rate_joints_hz",
    "flash_bytes",
    "memory_bytes",
    "pair_frames",
    "pair_equal",
)
"""What stands in a summary only after a run."""


@dataclass(frozen=True)
class FirmwareResult:
    """Result of writing and measuring firmware."""

    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    files: list[Path]
    replaced: list[Path]
    """Those of them that were there before."""

    @property
    def is_equal(self) -> bool:
        """Whether nothing that was run differs from Python by a bit."""
        s = self.summary
        return s["equal_bits"] is not False and s["pair_equal"] in (None, True)


def module_of(choice: RobotChoice) -> SmallModule:
    """Return the numbers of a robot's modules.

    Raises:
        ConfigError: the robot has no modules, or others than the program can do.
    """
    robot = find_robot(choice)
    if robot.assembly is None:
        problem = "it is not made of modules; give 'superbot' or an assembly file"
        raise ConfigError(f"the robot '{robot.name}'", [problem])
    return small_module(robot.assembly.body)


def firmware_to_files(
    config: FirmwareConfig,
    out: Path | None = None,
    gains: FloatSteeringConfig | None = None,
) -> FirmwareResult:
    """Write the program of a robot's modules; build, run and measure it if asked to.

    Args:
        config: a robot made of modules, and whether its program is run.
        out: folder for the files; None to write none.
        gains: of the steering; the defaults if None.

    Raises:
        BadFileError: the folder cannot be used; nothing is written.
        ConfigError: the robot's modules are of another kind; nothing is written.
        MissingToolError: what is needed to run is not installed.
        EquipoiseError: a program failed.
    """
    if out is not None:
        expect_own_folder(out)
    choice = RobotChoice(name=config.robot, seed=config.seed)
    module, used = module_of(choice), gains or FloatSteeringConfig()
    written = _texts_of(module, used, config.seed)
    summary: dict[str, Any] = {"robot": config.robot, "files": [], "missing": None}
    summary |= dict.fromkeys(MEASURED)
    if config.run:
        summary |= measured(module, used, states=config.states, seed=config.seed)
    written[MARK] = json.dumps({**summary, "files": sorted(written)}, indent=2) + "\n"
    if out is None:
        return FirmwareResult(summary, [], [])
    arrived = export_texts(written, out)
    summary["files"] = [str(path) for path in arrived.files]
    return FirmwareResult(summary, arrived.files, arrived.replaced)


def _texts_of(
    module: SmallModule, gains: FloatSteeringConfig, seed: int
) -> dict[str, str]:
    """Return all files, by name, with small tables for the counting programs."""
    some = random_states(module, SHOWN, seed)
    star = star_of(module, STAR_ROUNDS)
    mail = b"".join(frame or bytes(64) for row in star.mail for frame in row)
    return {
        **firmware_texts(module, gains),
        **board_texts(),
        "states.h": table_text(some.words, {"TRIALS": str(SHOWN)}),
        "mail.h": table_text(np.frombuffer(mail, np.uint32), star.defines),
    }


def expect_own_folder(out: Path) -> None:
    """Refuse a folder with foreign files in it.

    Raises:
        BadFileError: it is a file, or there is something that we did not write.
    """
    if out.is_dir():
        if any(out.iterdir()) and not (out / MARK).is_file():
            raise BadFileError(
                f"{out}: is not empty and has no {MARK}, so it holds other files; "
                "choose an empty or new folder."
            )
    elif out.exists():
        raise BadFileError(f"{out}: is not a folder; choose another one.")


def measured(
    module: SmallModule, gains: FloatSteeringConfig, *, states: int, seed: int
) -> dict[str, Any]:
    """Return what the program does and costs on an emulated ATmega128.

    Args:
        module: its numbers.
        gains: of the steering.
        states: how many random states to compare with Python.
        seed: draws the states.

    Raises:
        MissingToolError: compiler or emulator are not installed.
        EquipoiseError: a program failed.
    """
    board = BOARDS["atmega128"]
    for tool in (board.compiler, board.size, board.emulator):
        if tool is not None:
            found(tool)
    drawn, star = random_states(module, states, seed), star_of(module, STAR_ROUNDS)
    with workshop(module, gains) as folder:
        floats = floats_on("atmega128", folder, drawn)
        protocol = protocol_on("atmega128", folder, star)
        flash, memory = program_sizes(folder)
        found_pair = pair_numbers(module, folder)
    counted = {**floats.cycles, **protocol.cycles}
    cycles = {name: max(counted[letter]) for name, letter in PARTS.items()}
    same = np.array_equal(floats.words, twin_words(module, gains, drawn))
    return {
        "states": states,
        "equal_bits": bool(same and np.array_equal(protocol.words, star.words)),
        "flash_bytes": flash,
        "memory_bytes": memory,
        **rates(cycles),
        **found_pair,
    }


def pair_numbers(module: SmallModule, folder: Path) -> dict[str, Any]:
    """Return what two modules did that talk; or what is missing for that."""
    try:
        one = replayed(module, pair_log(folder, PAIR_ROUNDS, ONE))
        two = replayed(module, pair_log(folder, PAIR_ROUNDS, TWO))
    except MissingToolError as missing:
        return {"missing": str(missing)}
    same = all(p.equal == p.frames and p.known_frames > 0 for p in (one, two))
    return {
        "pair_frames": one.frames + two.frames,
        "pair_equal": same,
        "memory_bytes": max(one.memory_bytes, two.memory_bytes),
    }


def rates(cycles: dict[str, int]) -> dict[str, Any]:
    """Return what an update costs, on one processor and on two.

    Of two, one has links, protocol and mass sums, and a line to the other, which has
    the joints. Reading sensors and setting drives is not counted.
    """
    talk = cycles["protocol_round"]
    talk += PORTS * (cycles["frame_in"] + cycles["frame_out"])
    links = talk + cycles["frames"] + cycles["mass_update"]
    joints = cycles["frames"] + cycles["steering"]
    line = cycles["frame_in"] + cycles["frame_out"]
    return {
        "cycles": cycles,
        "cycles_update": links + cycles["steering"],
        "cycles_links": links + line,
        "cycles_joints": joints + line,
        "rate_hz": CLOCK_HZ / (links + cycles["steering"]),
        "rate_links_hz": CLOCK_HZ / (links + line),
        "rate_joints_hz": CLOCK_HZ / (joints + line),
    }
