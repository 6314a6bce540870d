"""What two processes gain: a sweep of 200 walks against the same walks one by one.

Run: ``python benchmarks/sweep.py [--walks 200] [--workers 2] [--rounds 3]``, on a
machine that does nothing else. Each measurement is a process of its own, started anew,
one by one and side by side in turns; the tables must be equal to the last bit. Told are
the clock's time and the processor's, and the load that the machine had before: where
others work on it the clock tells nothing, and the ratio of processor times is what a
quiet machine would come to at best. Exits 1 when a quiet machine misses 1.8 times.
"""

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import Any

ASKED, TO_REACH = 1.8, 1.95
QUIET = 0.5  # load below which the clock counts


def measured(walks: int, workers: int) -> dict[str, Any]:
    """Return the times of one sweep in this process, its imports among them."""
    began = time.perf_counter()
    import equipoise as eq

    result = eq.sweep(
        "walk", "warp1", vary={"speed": "0.2:0.5:4"}, seeds=walks // 4, workers=workers
    )
    seconds = time.perf_counter() - began
    own = resource.getrusage(resource.RUSAGE_SELF)
    theirs = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": seconds,
        "own_s": own.ru_utime + own.ru_stime,
        "workers_s": theirs.ru_utime + theirs.ru_stime,
        "table": hashlib.sha256(result.csv().encode()).hexdigest(),
        "failed": result.summary["failed"],
    }


def in_a_process(walks: int, workers: int, stored: str) -> dict[str, Any]:
    """Return the times of one sweep in a new process.

    Args:
        walks: how many.
        workers: processes.
        stored: folder of Python's bytecode, so that nobody compiles sources anew.
    """
    load = os.getloadavg()[0]
    words = [sys.executable, __file__, "--walks", str(walks), "--measure", str(workers)]
    around = {**os.environ, "PYTHONPYCACHEPREFIX": stored}
    around.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(words, check=True, capture_output=True, text=True, env=around)
    return {**json.loads(done.stdout), "load": load}


def main() -> int:
    """Read what was typed, measure, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--walks", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", type=int, default=0, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(measured(asked.walks, asked.measure)))
        return 0
    with tempfile.TemporaryDirectory() as stored:
        in_a_process(4, 1, stored)  # compiles what is not compiled yet
        return compared(asked, stored)


def compared(asked: argparse.Namespace, stored: str) -> int:
    """Measure in turns, print a table, and return the exit code."""
    ratios, loads = [], []
    print("round  one by one [s]  side by side [s]  times  processor [s]  load")
    for turn in range(asked.rounds):
        one = in_a_process(asked.walks, 1, stored)
        many = in_a_process(asked.walks, asked.workers, stored)
        if one["table"] != many["table"] or one["failed"] or many["failed"]:
            print("The tables differ, or rows failed.")
            return 1
        ratio = one["seconds"] / many["seconds"]
        ratios.append(ratio)
        loads.append(max(one["load"], many["load"]))
        times = f"{one['own_s']:.1f}, {many['own_s']:.1f} + {many['workers_s']:.1f}"
        print(
            f"{turn:5}  {one['seconds']:14.1f}  {many['seconds']:16.1f}  {ratio:5.2f}"
            f"  {times}  {loads[-1]:.1f}"
        )
        best = one["own_s"] / (many["own_s"] + many["workers_s"] / asked.workers)
        print(f"       by processor times at best {best:.2f} times")
    middle = sorted(ratios)[len(ratios) // 2]
    told = f"asked {ASKED}, to reach {TO_REACH}"
    print(f"median {middle:.2f} times with {asked.workers} workers; {told}")
    is_quiet = max(loads) < QUIET
    if not is_quiet:
        print(f"Others worked on this machine (load {max(loads):.1f}): no verdict.")
    return int(is_quiet and middle < ASKED)


if __name__ == "__main__":
    sys.exit(main())
