"""What a local cluster of Dask's adds to a sweep over our own pool, short jobs.

Run: ``python benchmarks/sweep_cluster.py [--rows 200] [--workers 2] [--rounds 5]``.
Each round does the same rows by the pool and by the cluster, one after the other, so
that both meet the same load; all counts, from the start of Python to the end of the
last process. Answers must be the same. Beside the time stands that of the processors,
of all processes until the last answer, which other work on the machine changes less.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from typing import Any

JOBS = {
    "check": "check warp1 --slope={share:.6f}%",
    "walk": "walk warp1 --seconds=2.5 --speed={speed:.4f}",
}
ONE = """
import json
import sys
from hashlib import sha256

import psutil

from equipoise.cli.ask import ask
from equipoise.runs.sweep.cluster.cluster import Cluster
from equipoise.runs.sweep.crew import Pool
from equipoise.runs.sweep.table import flat

def used(process):
    taken = process.cpu_times()
    return taken.user + taken.system

def done(k, answer):
    found[k] = answer
    if len(found) == len(lines):
        own = psutil.Process()
        taken.append(sum(used(one) for one in [own, *own.children(recursive=True)]))

way, workers, *lines = sys.argv[1:]
crew = Pool(int(workers)) if way == "pool" else Cluster("local", int(workers))
found, taken = {}, []
crew.work(ask, [line.split() for line in lines], done)
told = [(found[k].verdict, flat(found[k].numbers)) for k in range(len(lines))]
print(json.dumps([taken[0], sha256(repr(told).encode()).hexdigest()]))
"""


def timed(way: str, workers: int, lines: list[str]) -> tuple[float, float, str]:
    """Return how long all rows take, the processors' time [s], and a digest."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", ONE, way, str(workers), *lines],
        capture_output=True,
        text=True,
        check=True,
    )
    taken = time.perf_counter() - began
    return taken, *json.loads(done.stdout)


def lines_of(job: str, rows: int) -> list[str]:
    """Return the rows of a job, as they are typed."""
    line = JOBS[job]
    shares = [k / rows for k in range(rows)]
    texts = [line.format(share=30 * s, speed=0.2 + 0.3 * s) for s in shares]
    return [f"{text} --seed={k % 5}" for k, text in enumerate(texts)]


def added(pairs: Any) -> str:
    """Return what the second of each pair has more than the first, and the spread."""
    shares = sorted(100 * (more / less - 1) for less, more in pairs)
    middle = statistics.median(shares)
    return f"{middle:+.1f} % ({shares[0]:+.1f} to {shares[-1]:+.1f})"


def main() -> None:
    """Print a row a job."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", nargs="+", choices=list(JOBS), default=list(JOBS))
    asked = parser.parse_args()
    print("| job | pool | cluster | added | processors | cluster | added | same |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for job in asked.jobs:
        lines, found = lines_of(job, asked.rows), {"pool": [], "cluster": []}
        for k in range(asked.rounds):
            for way in ("pool", "cluster") if k % 2 else ("cluster", "pool"):
                found[way].append(timed(way, asked.workers, lines))
        words = [job]
        for which in (0, 1):
            pool, cluster = ([one[which] for one in found[way]] for way in found)
            words += [f"{statistics.median(times):.1f} s" for times in (pool, cluster)]
            words.append(added(zip(pool, cluster, strict=True)))
        digests = {one[2] for way in found for one in found[way]}
        words.append("yes" if len(digests) == 1 else "NO")
        print(f"| {' | '.join(words)} |", flush=True)


if __name__ == "__main__":
    main()
