"""Run the scripts in benchmarks/ and keep what they measured, as JSON.

    .venv/bin/python tools/bench.py [NAME ...] [--out DIR]
    .venv/bin/python tools/bench.py --save NAME [-- COMMAND ...]

The first runs all of them, or those named, and writes ``DIR/NAME.json``. The second
runs one command and writes ``benchmarks/results/NAME.json``, which pages of the
documentation refer to; without COMMAND the one that is written there already, or else
``python benchmarks/NAME.py``. ``{out}`` in it stands for a file that the command writes
as JSON; otherwise its standard output counts. A file has the command, the commit, the
date, the machine, the versions, how long it took, and what it gave. Files whose name
starts with _ are helpers.
"""

import argparse
import json
import os
import platform
import shlex
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PACKAGES = ("numpy", "scipy", "numba", "mujoco", "pin", "casadi", "example-robot-data")
ROWS = 60
"""Longer lists are single trials, which are not kept."""


def commit() -> str:
    """Return the last commit of the library, marked where measured files differ."""
    measured = ["src", "lab", "benchmarks/*.py"]
    last = git("log", "-1", "--format=%h", "--abbrev=12", "--", "src") or "unknown"
    is_dirty = git("status", "--porcelain", "--untracked-files=no", "--", *measured)
    return f"{last}-dirty" if is_dirty else last


def git(*words: str) -> str:
    """Return what git says of this checkout, nothing where there is none."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return done.stdout.strip()


def processor() -> str:
    """Return the processor's name, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that numbers depend on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def parsed(text: str) -> Any:
    """Return the output as JSON where it is, else as its lines."""
    try:
        return json.loads(text)
    except ValueError:
        return text.splitlines()


def kept(value: Any) -> Any:
    """Return what was measured without the rows of single trials."""
    if isinstance(value, dict):
        return {key: kept(part) for key, part in value.items()}
    if isinstance(value, list):
        return [kept(part) for part in value] if len(value) <= ROWS else []
    return value


def measure(name: str, command: list[str]) -> tuple[dict[str, Any], int]:
    """Run a benchmark; its error output goes straight to the terminal.

    Args:
        name: of the file.
        command: program and arguments; python and equipoise are this environment's.
    """
    before, start = commit(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        words = [word.replace("{out}", str(out)) for word in command]
        programs = {
            "python": [sys.executable],
            "equipoise": [sys.executable, "-m", "equipoise"],
        }
        words[:1] = programs.get(words[0], words[:1])
        done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        said = out.read_text(encoding="utf-8") if out.is_file() else done.stdout
    record = {
        "benchmark": name,
        "command": shlex.join(command),
        "commit": before,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{processor()}, {os.cpu_count()} cores, {platform.system()}",
        "versions": versions(),
        "seconds": round(time.perf_counter() - start),
        "exit_code": done.returncode,
        "result": parsed(said),
    }
    return record, done.returncode


def written(path: Path, record: dict[str, Any]) -> None:
    """Write a record, one key a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def saved(name: str, command: list[str]) -> int:
    """Measure what pages refer to, write it, and return 2 if it gave nothing.

    Exit codes of a benchmark say whether its goals were met, which its file tells.
    """
    path = RESULTS / f"{name}.json"
    if not command and path.is_file():
        command = shlex.split(json.loads(path.read_text(encoding="utf-8"))["command"])
    record, code = measure(name, command or ["python", f"benchmarks/{name}.py"])
    record["result"] = kept(record["result"])
    if not record["result"] or not isinstance(record["result"], dict):
        print(f"{name}: no JSON came of it; exit code {code}", file=sys.stderr)
        return 2
    written(path, record)
    print(f"{name}: {record['seconds']} s, exit code {code}, {path.relative_to(ROOT)}")
    return 0


def main() -> int:
    """Run all benchmarks, or those named, and return 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="benchmarks to run; default: all")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "bench")
    parser.add_argument("--save", metavar="NAME", help="a result that pages refer to")
    options = parser.parse_args()
    if options.save:
        return saved(options.save, options.names)
    scripts = {
        script.stem: script
        for script in sorted((ROOT / "benchmarks").glob("*.py"))
        if not script.name.startswith("_")
    }
    if unknown := sorted(set(options.names) - set(scripts)):
        parser.error(f"no benchmark {', '.join(unknown)}; known: {', '.join(scripts)}")
    failures = 0
    for name in options.names or scripts:
        record, code = measure(name, ["python", str(scripts[name])])
        failures += code != 0
        path = options.out / f"{name}.json"
        written(path, record)
        print(f"{name}: {record['seconds']} s, {'failed, ' if code else ''}{path}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
