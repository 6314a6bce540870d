"""Gains that an evolution strategy found on a graphics card, against those by hand.

    python benchmarks/evolved_gains.py GAINS.json [--walks 100] [--first 20000]

GAINS.json is what ``benchmarks/gpu/evolve_gains.py`` wrote. Each seed draws a speed, a
push, its heading and instant; WARP1 then walks with both sets of gains, with its own
motors, sensors, bus and delay, once on MuJoCo's contacts and once on ground that gives
way by a law of force. Nothing of this was in the search, which knew exact readings and
ground of that law alone. What is told is how often each fell, and how often only one
of both did, with the two-sided sign test's probability of as uneven a split by luck.
"""

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from equipoise.runs.process_map import process_map
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.walk import walk

AXES = "xyz"


def settings_of(gains: dict[str, float]) -> dict[str, Any]:
    """Return gains as a walk takes them: those of three axes together."""
    found: dict[str, Any] = {}
    for name, value in gains.items():
        whole, _, axis = name.rpartition(".")
        if axis in AXES:
            found.setdefault(whole, [0.0, 0.0, 0.0])[AXES.index(axis)] = value
        else:
            found[name] = value
    return {k: tuple(v) if isinstance(v, list) else v for k, v in found.items()}


def fell(job: tuple[int, str, str, dict[str, Any]]) -> bool:
    """Return whether WARP1 fell in a walk that a seed drew."""
    seed, ground, sensors, gains = job
    draws = np.random.default_rng(seed)
    config = WalkConfig(
        speed=draws.uniform(0.2, 0.6),
        push=draws.uniform(40.0, 160.0),
        push_heading=draws.uniform(0.0, 360.0),
        push_at=draws.uniform(2.0, 3.0),
        seconds=6.0,
        ground=ground,  # type: ignore[arg-type]
        sensors=sensors,  # type: ignore[arg-type]
        gains=gains,
        seed=seed,
    )
    return bool(walk(config).summary["fell"])


def luck(one: int, other: int) -> float:
    """Return how likely a split at least as uneven is, were both as good."""
    n, k = one + other, max(one, other)
    tail = sum(math.comb(n, i) for i in range(k, n + 1)) / 2**n
    return min(1.0, 2.0 * tail)


def main() -> None:
    """Print a table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("gains", type=Path)
    asked.add_argument("--walks", type=int, default=100)
    asked.add_argument("--first", type=int, default=20_000)
    asked.add_argument("--sensors", choices=("real", "ideal"), default="real")
    given = asked.parse_args()
    found = settings_of(json.loads(given.gains.read_text())["gains"])
    seeds = range(given.first, given.first + given.walks)
    for ground in ("mujoco", "weak"):
        jobs = [(s, ground, given.sensors, g) for s in seeds for g in ({}, found)]
        down = np.array(process_map(fell, jobs, processes=2), object).reshape(-1, 2)
        down = down[[all(isinstance(x, bool) for x in row) for row in down]].astype(
            bool
        )
        by_hand, evolved = down.T
        only = int((by_hand & ~evolved).sum()), int((evolved & ~by_hand).sum())
        print(
            f"{ground}: of {len(down)} walks fell by hand {by_hand.sum()}, evolved "
            f"{evolved.sum()}; only by hand {only[0]}, only evolved {only[1]} "
            f"(by luck alone: {luck(*only):.2g})",
            flush=True,
        )


if __name__ == "__main__":
    main()
