"""What a local cluster of Dask's adds to a sweep over our own pool, short jobs.

Run: ``python benchmarks/sweep_cluster.py [--rows 200] [--workers 2] [--rounds 5]``.
Each round does the same rows by the pool and by the cluster, one after the other, so
that both meet the same load; all counts, from the first import of Dask to the end of
the last process. Answers must be the same. Give it a quiet machine.
"""

import argparse
import statistics
import subprocess
import sys
import time

JOBS = {
    "check": "check warp1 --slope={share:.6f}%",
    "walk": "walk warp1 --seconds=2.5 --speed={speed:.4f}",
}
ONE = """
import sys
from equipoise.cli.ask import ask
from equipoise.runs.sweep.cluster.cluster import Cluster
from equipoise.runs.sweep.crew import Pool
from hashlib import sha256
way, workers, *lines = sys.argv[1:]
crew = Pool(int(workers)) if way == "pool" else Cluster("local", int(workers))
found = {}
if __name__ == "__main__":
    crew.work(ask, [line.split() for line in lines], found.__setitem__)
    print(sha256(repr([found[k] for k in range(len(lines))]).encode()).hexdigest())
"""


def timed(way: str, workers: int, lines: list[str]) -> tuple[float, str]:
    """Return how long all rows take [s], and what tells their answers."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", ONE, way, str(workers), *lines],
        capture_output=True,
        text=True,
        check=True,
    )
    return time.perf_counter() - began, done.stdout.strip()


def lines_of(job: str, rows: int) -> list[str]:
    """Return the rows of a job, as they are typed."""
    line = JOBS[job]
    shares = [k / rows for k in range(rows)]
    texts = [line.format(share=30 * s, speed=0.2 + 0.3 * s) for s in shares]
    return [f"{text} --seed={k % 5}" for k, text in enumerate(texts)]


def main() -> None:
    """Print a row a job."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", nargs="+", choices=list(JOBS), default=list(JOBS))
    asked = parser.parse_args()
    print("| job | pool [s] | cluster [s] | added, median | least to most | same |")
    print("| --- | --- | --- | --- | --- | --- |")
    for job in asked.jobs:
        lines = lines_of(job, asked.rows)
        times: dict[str, list[float]] = {"pool": [], "cluster": []}
        told: set[str] = set()
        for k in range(asked.rounds):
            for way in ("pool", "cluster") if k % 2 else ("cluster", "pool"):
                taken, answers = timed(way, asked.workers, lines)
                times[way].append(taken)
                told.add(answers)
        pairs = zip(times["pool"], times["cluster"], strict=True)
        added = sorted(100 * (b / a - 1) for a, b in pairs)
        pool, cluster = (statistics.median(times[w]) for w in ("pool", "cluster"))
        print(
            f"| {job} | {pool:.1f} | {cluster:.1f} | {statistics.median(added):+.1f} % "
            f"| {added[0]:+.1f} to {added[-1]:+.1f} % | {len(told) == 1} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
