"""Walks of which the documentation states a number or two, on seeds nobody tuned on.

Run: ``python benchmarks/stated_walks.py [--seeds 20] [--first-seed 1000] [--only
"trot;titan"] [--processes 2] [--out FILE.json]``. Of each number median, least and
most over the seeds; of each test of recovery also how many say yes, no and unknown.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from equipoise.runs.process_map import Lost, process_map
from equipoise.runs.walk.walk import WalkConfig, walk

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lab"))
from equipoise_lab.papers.ridderstrom2003.chapter3.titan_claims import (
    ASKED,
    FAST,
    suspension,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.walks import walked

TESTS = ("posture", "path", "gait")
TROT = {"gait": "trot", "speed": 0.4, "push_at": 4.0, "seconds": 12.0}
CRAWL = {"gait": "crawl", "speed": 0.15, "push_at": 10.0, "seconds": 30.0}
STEADY = 5.0  # from when on power counts: the ramp is over [s]
TITAN4 = {"settle": 6.0, "seconds": 20.0, "speed": FAST, "controller": "titan4"}
HUNG = {"balance": "skyhook", "gains": suspension()}


def warp1(seed: int, **how: Any) -> dict[str, Any]:
    """Return how WARP1 recovered, and what its motors took."""
    result = walk(WalkConfig(seed=seed, **how))
    told, run = result.summary, result.run
    first = min(int(np.searchsorted(run.time, STEADY)), len(run.time) - 2)
    power = (run.drawn[-1] - run.drawn[first]) / (run.time[-1] - run.time[first])
    back = told["recovery"]
    tests = {
        f"{name}_{key}": back[name][key] if back else None
        for name in TESTS
        for key in ("answer", "after_s")
    }
    return {"fell": told["fell"], "electrical_power_w": float(power), **tests}


def other(seed: int, *, machine: str, **how: Any) -> dict[str, Any]:
    """Return how a machine of others walked."""
    found = walked(machine, seed=seed, **how)
    return {
        key: getattr(found, key)
        for key in ("fell", "speed", "tilt", "rms", "sway", "power")
    }


WALKS: dict[str, Callable[[int], dict[str, Any]]] = {
    **{
        f"trot 0.4, push {push}": partial(warp1, **TROT, push=float(push))
        for push in (15, 60)
    },
    **{
        f"crawl 0.15, push {push}": partial(warp1, **CRAWL, push=float(push))
        for push in (15, 40)
    },
    "trot 0.5": partial(warp1, gait="trot", speed=0.5, seconds=25.0),
    "crawl 0.15": partial(warp1, gait="crawl", speed=0.15, seconds=25.0),
    **{
        name: partial(other, machine=name, speed=speed, seconds=seconds, settle=settle)
        for name, (speed, seconds, settle) in ASKED.items()
    },
    "titan4 fast, stiff": partial(other, machine="titan4", **TITAN4),
    "titan4 fast, skyhook": partial(other, machine="titan4", **TITAN4, **HUNG),
}


def one(job: tuple[str, int]) -> dict[str, Any]:
    """Return the numbers of one walk."""
    name, seed = job
    return WALKS[name](seed)


def summed(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the spread of each number, and how often each answer was given."""
    told: dict[str, Any] = {
        "seeds": len(rows),
        "falls": sum(bool(row["fell"]) for row in rows),
    }
    for key in rows[0]:
        values = [row[key] for row in rows if row[key] is not None]
        if key.endswith("_answer"):
            told[key] = dict(Counter(values))
        elif key != "fell" and values:
            told[key] = {
                "of": len(values),
                "median": float(np.median(values)),
                "least": min(values),
                "most": max(values),
            }
    return told


def main() -> int:
    """Walk, print, and return 1 if a walk was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--only", default="", help="names that begin so")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    seeds = range(asked.first_seed, asked.first_seed + asked.seeds)
    report: dict[str, Any] = {"seeds": [seeds.start, seeds.stop - 1], "walks": {}}
    lost = 0
    for name in WALKS:
        if not name.startswith(tuple(asked.only.split(";"))):
            continue
        jobs = [(name, seed) for seed in seeds]
        rows = process_map(one, jobs, processes=asked.processes)
        good = [row for row in rows if not isinstance(row, Lost)]
        lost += len(rows) - len(good)
        report["walks"][name] = summed(good)
        print(f"{name}: {json.dumps(report['walks'][name])}", flush=True)
    if asked.out is not None:
        asked.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
