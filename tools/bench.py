"""Run every script in benchmarks/ and keep what it printed, as JSON.

One file a script: the commit, the machine, the time it took, and its standard output,
parsed where that is one JSON value. Files whose name starts with _ are helpers.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def commit() -> str:
    """Return the checkout's commit, marked where files differ from it."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def processor() -> str:
    """Return the processor's name, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()


def parsed(text: str) -> Any:
    """Return the output as JSON where it is, else as its lines."""
    try:
        return json.loads(text)
    except ValueError:
        return text.splitlines()


def measure(script: Path) -> tuple[dict[str, Any], int]:
    """Run one benchmark; its error output goes straight to the terminal."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(script)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    record = {
        "benchmark": script.stem,
        "commit": commit(),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "seconds": round(time.perf_counter() - start, 3),
        "exit_code": done.returncode,
        "result": parsed(done.stdout),
    }
    return record, done.returncode


def main() -> int:
    """Run all benchmarks, or those named, and return 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="benchmarks to run; default: all")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "bench")
    options = parser.parse_args()
    scripts = {
        script.stem: script
        for script in sorted((ROOT / "benchmarks").glob("*.py"))
        if not script.name.startswith("_")
    }
    if unknown := sorted(set(options.names) - set(scripts)):
        parser.error(f"no benchmark {', '.join(unknown)}; known: {', '.join(scripts)}")
    options.out.mkdir(parents=True, exist_ok=True)
    failures = 0
    for name in options.names or scripts:
        record, code = measure(scripts[name])
        failures += code != 0
        path = options.out / f"{name}.json"
        path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        print(f"{name}: {record['seconds']} s, {'failed, ' if code else ''}{path}")
    if not scripts:
        print("There are no benchmarks yet.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
