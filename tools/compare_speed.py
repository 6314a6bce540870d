"""Speed of whole runs of two checkouts, measured in turns.

    python tools/compare_speed.py OTHER [--checkout .] [--rounds 9] [--processes 3]
        [--only walk] [--out FILE.json]

A process of each checkout loads a robot and runs it once, which compiles what is not
stored yet; then both run it in turns, each beginning as often as the other, and all
that some times with new processes. What counts is processor time of the loop, which
every run tells as ``realtime_factor``, and beside it that of the whole call. Printed
are the medians, their ratio (above 1: this checkout is faster) and the ratios between
which half of the rounds lie. Exits 1 when the loop of a row has a ratio below 0.95.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
ASKED = 0.95
MACHINE = {"actuators": "motor", "sensors": "real", "seconds": 6.0}
CHILD = """
import json, sys, time
import equipoise as eq
name, build, settings = json.loads(sys.argv[1])
robot = eq.load(name, **build)
eq.simulate(robot, **settings)
for _ in sys.stdin:
    began = time.process_time()
    factor = eq.simulate(robot, **settings).summary["realtime_factor"]
    print(settings["seconds"] / factor, time.process_time() - began, flush=True)
"""


class Row(NamedTuple):
    """One run, told by what ``eq.load`` and ``eq.simulate`` of both checkouts take."""

    robot: str
    build: dict[str, Any]
    settings: dict[str, Any]


ROWS = {
    "balance superbot": Row("superbot", {"seed": 4}, {"seconds": 3.0}),
    "balance biped": Row("biped", {}, {"seconds": 3.0}),
    "walk trot": Row("warp1", {}, {"gait": "trot", **MACHINE}),
    "walk crawl": Row("warp1", {}, {"gait": "crawl", **MACHINE}),
}


class Runner:
    """A process of a checkout that is ready to run one row."""

    def __init__(self, checkout: Path, row: Row) -> None:
        """Start it; it is ready when it first answers."""
        own = {"PYTHONPATH": str(checkout / "src"), "OPENBLAS_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", CHILD, json.dumps(row)],
            cwd=checkout,
            env={**os.environ, **own},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self) -> tuple[float, float]:
        """Return processor time of the loop, and of the whole call [s]."""
        ask, answer = self.process.stdin, self.process.stdout
        if ask is None or answer is None:
            raise SystemExit("the process of a checkout has no pipes")
        ask.write("run\n")
        ask.flush()
        said = answer.readline().split()
        if len(said) != 2:
            raise SystemExit(f"a run ended with exit code {self.process.wait()}")
        return float(said[0]), float(said[1])

    def end(self) -> None:
        """Let it end."""
        self.process.communicate()


def in_turns(
    checkouts: tuple[Path, Path], row: Row, rounds: int, processes: int
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return for each round the times of the other checkout and of this one."""
    pairs: list[tuple[tuple[float, float], tuple[float, float]]] = []
    for _ in range(processes):
        other, own = (Runner(checkout, row) for checkout in checkouts)
        for runner in (other, own):
            runner.run()
        for k in range(rounds):
            if k % 2 == 0:
                first = other.run()
                pairs.append((first, own.run()))
            else:
                first = own.run()
                pairs.append((other.run(), first))
        for runner in (other, own):
            runner.end()
    return pairs


def judged(pairs: list[tuple[tuple[float, float], tuple[float, float]]]) -> Any:
    """Return medians and ratios, of the loop and of the whole call."""
    report: dict[str, Any] = {"rounds": len(pairs)}
    for k, name in enumerate(("loop", "call")):
        other, own = [pair[0][k] for pair in pairs], [pair[1][k] for pair in pairs]
        ratios = [a / b for a, b in zip(other, own, strict=True)]
        low, _, high = quantiles(ratios, n=4)
        report[name] = {
            "other_s": median(other),
            "own_s": median(own),
            "ratio": median(other) / median(own),
            "half_between": (low, high),
        }
    return report


def line(name: str, report: Any) -> str:
    """Return a row of the table."""
    cells = [f"{name:18}"]
    for part in ("loop", "call"):
        one = report[part]
        low, high = one["half_between"]
        times = f"{1e3 * one['other_s']:6.0f} {1e3 * one['own_s']:6.0f} ms"
        cells.append(f"{part} {times}  {one['ratio']:.3f} ({low:.3f} to {high:.3f})")
    return "  ".join(cells)


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("other", type=Path, help="checkout to compare with")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="default: this one")
    parser.add_argument("--rounds", type=int, default=3, help="with each process")
    parser.add_argument("--processes", type=int, default=3, help="of each checkout")
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    checkouts = args.other.resolve(), args.checkout.resolve()
    reports: dict[str, Any] = {}
    for name, row in ROWS.items():
        if args.only in name:
            pairs = in_turns(checkouts, row, args.rounds, args.processes)
            reports[name] = judged(pairs)
            print(line(name, reports[name]), flush=True)
    if args.out is not None:
        args.out.write_text(json.dumps(reports, indent=2) + "\n", encoding="utf-8")
    return int(any(one["loop"]["ratio"] < ASKED for one in reports.values()))


if __name__ == "__main__":
    sys.exit(main())
