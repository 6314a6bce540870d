"""Try every command on robot files of others, and see that none fails badly.

    .venv/bin/python tools/try_files.py [FILE|FOLDER ...] [--only NAMES] [--json FILE]

Without files: those of ``example-robot-data`` and ``gymnasium``. A command is well if
it exits 0, 1 or 3 with JSON on stdout, or 2 with one sentence on stderr and nothing on
stdout; a traceback, another code, or no end within the limit is not. Each file has a
process of its own, so that a crash of an engine costs one file. Exits 1 if something is
not well. It takes minutes; it is no part of the tests.
"""

import argparse
import io
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 240.0  # for all commands on one file [s]
DEFECT = 70
COMMANDS: dict[str, list[str]] = {
    "describe": [],
    "lint": [],
    "mass": [],
    "check": [],
    "derive": [],
    "linearize": [],
    "walk": ["--seconds", "2.5"],
    "balance": ["--seconds", "1"],
    "limits": ["--pushes", "0"],
}
"""Each with the options that make it short."""


def files_in(places: list[str]) -> list[Path]:
    """Return the robot files that were named, or are in folders that were."""
    if not places:
        sys.path.insert(0, str(ROOT / "tests"))
        from oracles.robot_files import example_urdfs, gymnasium_mjcfs

        return [*example_urdfs(), *gymnasium_mjcfs()]
    found: list[Path] = []
    for place in map(Path, places):
        inside = [f for end in ("urdf", "xml") for f in place.rglob(f"*.{end}")]
        found += sorted(inside) if place.is_dir() else [place]
    return found


def tried(command: str, file: Path) -> dict[str, Any]:
    """Return how a command went on a file."""
    from equipoise.cli.app import run

    out, err = io.StringIO(), io.StringIO()
    begun = time.perf_counter()
    with redirect_stdout(out), redirect_stderr(err):
        code = run([command, str(file), *COMMANDS[command], "--json"])
    row = {"command": command, "code": code, "seconds": time.perf_counter() - begun}
    return (
        row
        | {"problem": problem(code, out.getvalue(), err.getvalue())}
        | {"said": err.getvalue().strip().splitlines()[-1:]}
    )


def problem(code: int, out: str, err: str) -> str:
    """Return what is wrong with an answer; "" if nothing is."""
    if "Traceback" in err or code == DEFECT:
        return "traceback: " + " ".join(err.strip().splitlines()[-2:-1])
    if code not in (0, 1, 2, 3):
        return f"exit code {code}"
    if code == 2:
        lines = [line for line in err.splitlines() if "counts what" not in line]
        if out.strip():
            return "bad input, but something on stdout"
        return "" if len(lines) == 1 else f"{len(lines)} lines on stderr"
    try:
        json.loads(out)
    except ValueError:
        return "no JSON on stdout"
    return ""


def try_one(file: Path, commands: list[str]) -> list[dict[str, Any]]:
    """Return how all commands went on a file, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "rows"
        call = [sys.executable, __file__, "--one", str(file), "--json", str(place)]
        call += ["--only", ",".join(commands)]
        try:
            ended = subprocess.run(call, timeout=LIMIT, capture_output=True, text=True)
            why = f"the process ended with {ended.returncode}"
        except subprocess.TimeoutExpired:
            why = f"no end within {LIMIT:g} s"
        lines = place.read_text().splitlines() if place.exists() else []
    rows = [json.loads(line) for line in lines]
    if len(rows) < len(commands):
        lost = commands[len(rows)]
        rows.append({"command": lost, "code": None, "problem": why, "said": []})
    return rows


def main() -> int:
    """Try the files, print a line each, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("places", nargs="*")
    parser.add_argument("--only", default=",".join(COMMANDS))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    commands = [name for name in given.only.split(",") if name in COMMANDS]
    if given.one is not None:
        with given.json.open("w") as rows:
            for command in commands:
                print(json.dumps(tried(command, given.one)), file=rows, flush=True)
        return 0
    codes: Counter[str] = Counter()
    every, bad = [], 0
    for file in files_in(given.places):
        rows = try_one(file, commands)
        every.append({"file": str(file), "rows": rows})
        shown = " ".join(f"{row['command']}:{row['code']}" for row in rows)
        print(f"{file.parent.name}/{file.name}  {shown}", flush=True)
        for row in rows:
            codes[f"{row['command']} {row['code']}"] += 1
            if row["problem"]:
                bad += 1
                print(f"    NOT WELL {row['command']}: {row['problem']}", flush=True)
    if given.json is not None:
        given.json.write_text(json.dumps(every, indent=1))
    print(", ".join(f"{name}: {count}" for name, count in sorted(codes.items())))
    print(f"{bad} not well, of {sum(codes.values())}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
