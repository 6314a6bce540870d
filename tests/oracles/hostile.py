"""Hostile input against the command: what every answer must look like, and a driver.

``python -m oracles.hostile SEED COUNT FOLDER`` runs cases in a process of its own, so
that an end by a signal is seen, and prints what was wrong.
"""

import contextlib
import io
import json
import os
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xarray as xr

from equipoise.cli.app import run
from equipoise.core.seeds import stream
from oracles import hostile_files as files
from oracles.stick_quadruped import stick_quadruped

LONGEST, WAITED = 60.0, 300.0
"""Seconds of the processor and of the clock for one answer, however busy the machine is
and though kernels may have to be compiled; a pipe is waited for without end."""
NUMBER_OPTIONS = {
    "check": ("friction", "ground-stiffness", "leg-stiffness", "slope", "torque-limits",
              "mass-tolerance", "com-tolerance", "stiffness-tolerance", "seed", "at",
              "keyframe", "pose", "run"),
    "mass": ("seed", "modules", "branches", "angles", "mass-scale", "height",
             "body-mass"),
    "gait": ("duty", "legs", "angle", "turn", "stroke", "speed", "swing", "lift",
             "machine", "seed"),
    "linearize": ("keyframe", "pose", "ground-stiffness", "ground-damping", "modules"),
    "derive": ("target", "precision", "parameters", "attitude", "outputs", "modules"),
    "lint": ("seed",),
    "view": ("seed",),
    "robots": ("seed",),
    "modules firmware": ("robot", "states", "seed"),
    "modules torture": ("seed", "seeds", "faults"),
}  # fmt: skip
FIRST = {
    "check": ("warp1", "biped", "superbot", "nope", ""),
    "mass": ("superbot", "biped", "warp1", "nope.yaml"),
    "gait": ("crawl", "trot", "wave", "tripod", "nope", "turning", "crab"),
    "linearize": ("warp1", "biped", "nope"),
    "derive": ("warp1", "nope", "x.py:y"),
    "lint": ("nope.urdf", ".", "/dev/null"),
    "view": ("nope.nc", ".", "/dev/null"),
}
SMALL = ("1", "2", "0.5", "3", "0.7", "10:90", "own", "worst", "host", "simd", "com")
TOLD = "Settings in "  # a line beside a refusal: which description is taken
HEAVY = ("seeds", "states", "modules")


@dataclass(frozen=True)
class Case:
    """One call of the command."""

    typed: tuple[str, ...]
    named: str = ""
    """A file that a refusal must name; empty where there is none."""


def verdict(case: Case) -> str:
    """Run a case in this process and return what is wrong with the answer, or ''."""
    out, err = io.StringIO(), io.StringIO()
    start, spent = time.perf_counter(), time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(list(case.typed))
    waited, spent = time.perf_counter() - start, time.process_time() - spent
    said = err.getvalue()
    if code not in (0, 1, 2, 3):
        return f"exit code {code}: {said[-1500:]}"
    if spent > LONGEST or waited > WAITED:
        return f"took {spent:.0f} s of the processor, {waited:.0f} s in all"
    if "Traceback" in said or "Warning" in said:
        return f"noise: {said[:500]}"
    for text in (said, out.getvalue()):
        if not all(line.isprintable() for line in text.splitlines()):
            return f"control characters: {text[:300]!r}"
    if "--json" in case.typed and code != 2:
        json.loads(out.getvalue())
    lines = [line for line in said.splitlines() if not line.startswith(TOLD)]
    if code == 2 and (out.getvalue() or len(lines) != 1 or len(said) > 2300):
        return f"a refusal is one line: {out.getvalue()[:200]!r}, {said[:800]!r}"
    if code == 2 and case.named and case.named not in said:
        return f"names no file: {said[:500]}"
    return ""


def robot_case(rng: np.random.Generator, folder: Path) -> Case:
    """Return a command on a damaged robot file or assembly."""
    kind = int(rng.integers(5))
    if kind == 4:
        name, content = "bad.yaml", files.damaged_yaml(files.ASSEMBLY, rng)
    elif kind in (0, 1):
        name, content = "bad.urdf", files.damaged_xml(files.URDF, rng)
    else:
        name, content = "bad.xml", files.damaged_xml(files.MJCF, rng)
    path = folder / name
    path.write_bytes(content)
    commands = ("check", "lint", "mass", "linearize", "check", "lint", "derive")
    command = commands[int(rng.integers(len(commands)))]
    if kind == 4 and command in ("lint", "derive", "linearize"):
        command = "mass"
    typed = [command, str(path)]
    if rng.random() < 0.3:
        typed.append("--json")
    if rng.random() < 0.2:
        typed += ["--out", str(folder / f"out{rng.integers(10**9)}")]
    return Case(tuple(typed), name)


def legged_case(rng: np.random.Generator, folder: Path) -> Case:
    """Return a command on a damaged file with legs, or on a damaged description."""
    path, told = folder / "dog.urdf", folder / "dog.robot.yaml"
    content, said = stick_quadruped(), files.DESCRIPTION.encode()
    kind = int(rng.integers(3))
    path.write_bytes(files.damaged_xml(content, rng) if kind else content.encode())
    told.unlink(missing_ok=True)
    if kind != 1:
        told.write_bytes(said if kind else files.damaged_yaml(said.decode(), rng))
    commands = ("describe", "describe", "describe", "check", "walk", "balance", "mass")
    typed = [files.drawn(rng, commands), str(path)]
    typed += ["--seconds", "2.5"] if typed[0] == "walk" else []
    if rng.random() < 0.3:
        typed.append("--json")
    return Case(tuple(typed), "dog" if typed[0] not in ("walk", "balance") else "")


def run_case(
    rng: np.random.Generator, folder: Path, runs: dict[str, xr.Dataset]
) -> Case:
    """Return a command on a damaged recording."""
    robot = files.drawn(rng, list(runs))
    path = folder / "bad.nc"
    files.damaged_run(runs[robot].copy(deep=True), path, rng)
    if rng.random() < 0.6:
        typed = ("view", str(path), "--json", "--out", str(folder / "page"))
        return Case(typed, "bad.nc")
    at = files.drawn(rng, ("worst", "last", "0.02", "nan", "1e300"))
    return Case(("check", robot, "--run", str(path), "--at", at), "")


def option_case(rng: np.random.Generator, folder: Path) -> Case:
    """Return a command with strange values for its options."""
    command = files.drawn(rng, list(NUMBER_OPTIONS))
    typed = command.split()
    if command in FIRST:
        typed.append(files.drawn(rng, FIRST[command]))
    if command == "modules torture":
        typed += ["--seeds", "1"]  # unless the next says otherwise
    for _ in range(int(rng.integers(1, 3))):
        option = files.drawn(rng, NUMBER_OPTIONS[command])
        odd = rng.random() < 0.7 and option not in HEAVY
        words = files.NUMBERS + files.NAMES if odd else SMALL
        if option in HEAVY:  # a large one is only slow
            words = ("0", "-1", "1", "2", "nan", "x", "1e9", "", "2001")
        typed += [f"--{option}", files.drawn(rng, words)]
    if rng.random() < 0.3:
        typed.append("--json")
    return Case(tuple(typed))


def cases(seed: int, count: int, folder: Path, runs: dict[str, xr.Dataset]):
    """Yield cases, each only when the one before is done: they share their files."""
    for k in range(seed, seed + count):
        rng = stream(k, "hostile")
        share = rng.random()
        if share < 0.4:
            yield k, robot_case(rng, folder)
        elif share < 0.5:
            yield k, legged_case(rng, folder)
        elif share < 0.8 and runs:
            yield k, run_case(rng, folder, runs)
        else:
            yield k, option_case(rng, folder)


def recordings(folder: Path) -> dict[str, xr.Dataset]:
    """Return the recordings in a folder by robot."""
    return {p.stem: xr.load_dataset(p, engine="h5netcdf") for p in folder.glob("*.nc")}


def main() -> None:
    """Run cases and print a line for each that is wrong; one before each that runs."""
    seed, count, runs = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    real = os.dup(1)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        for k, case in cases(seed, count, Path(name), recordings(runs)):
            os.write(real, f"start {k} {case.typed!r}\n".encode(errors="replace"))
            if wrong := verdict(case):
                os.write(real, f"wrong {k} {wrong!r}\n".encode(errors="replace"))
        left = sorted(p.name for p in Path(name).glob(".*.part*"))
        if left:
            os.write(real, f"wrong 0 left behind {left}\n".encode())


if __name__ == "__main__":
    main()
