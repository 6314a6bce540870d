"""Speed of the test on soft feet, beside slow loading and halving in plain Python.

Run: ``python benchmarks/compliance.py [--quick] [--out FILE.json]``. Times are of this
process's own work, medians over random stances; the other way takes turns on the same
stances, so that other programs' load falls on both, and the ratio is of medians. First
calls are in fresh processes, import aside, with compiled kernels on disk and without.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from equipoise.core.constants import GRAVITY
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.critical_size import critical_height, critical_width
from equipoise.stability.soft.foot import Foot
from equipoise.stability.soft.pose import SoftBody
from equipoise.stability.soft.softest_mode import softest_mode
from equipoise.stability.soft.tipping_barrier import tipping_barrier

MASS = 12.0
INERTIA = np.diag([0.4, 0.5, 0.6])
FIRST = """
import time
from equipoise.stability import Foot, compliant_stance
feet = [Foot((x, y, -0.5), 3000.0) for x in (-0.3, 0.25) for y in (-0.2, 0.2)]
start = time.process_time()
compliant_stance(10.0, feet)
print(time.process_time() - start)
"""


def stance(kind: str, rng: np.random.Generator) -> list[Foot]:
    """Return four to six feet: even, or uneven and off the middle so that some lift."""
    n = int(rng.integers(4, 7))
    if kind == "even":
        turns, reach = 2 * math.pi * np.arange(n) / n, np.full(n, 0.3)
        heights, k, off = np.full(n, -0.6), np.full(n, 2500.0), np.zeros(2)
    else:
        turns = 2 * math.pi * (np.arange(n) + rng.uniform(-0.2, 0.2, n)) / n
        reach, heights = rng.uniform(0.25, 0.4, n), rng.uniform(-0.7, -0.5, n)
        k, off = rng.uniform(1000, 4000, n), rng.uniform(-0.12, 0.12, 2)
    arms = np.c_[
        reach * np.cos(turns) + off[0], reach * np.sin(turns) + off[1], heights
    ]
    C = np.diag([1e-4, 1e-4, 1.5e-4]) if kind == "soft legs" else None
    return [Foot(arm, float(x), C) for arm, x in zip(arms, k, strict=True)]


def naive(feet: list[Foot]) -> float:
    """Return the multiplier to 1 %, by halving, each time loading little by little."""
    arms = np.array([foot.position for foot in feet])
    k = np.array([foot.ground_stiffness[2, 2] for foot in feet])

    def energy(q: np.ndarray, scale: float, load: float) -> float:
        angle = float(np.hypot(q[1], q[2]))
        share = np.sinc(angle / np.pi)
        up = np.array([-q[2] * share, q[1] * share, np.cos(angle)])
        depth = np.maximum(arms[:, 2] - q[0] - arms @ up, 0.0)
        return load * q[0] + 0.5 * scale * float(k @ depth**2)

    def holds(scale: float) -> bool:
        q = np.zeros(3)
        for share in np.linspace(0, 1, 9)[1:]:
            load = share * MASS * GRAVITY
            q = minimize(energy, q, (scale, load), options={"gtol": 1e-6}).x
            if np.abs(q[1:]).max() > 0.8:
                return False
        return True

    low, high = 1e-3, 64.0
    while high > 1.01 * low:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def milliseconds(job: Callable[[], object]) -> float:
    start = time.process_time()
    job()
    return 1e3 * (time.process_time() - start)


def multipliers(kind: str, count: int, slow: int) -> dict[str, Any]:
    """Return how long the critical multiplier takes, and the other way."""
    rng = np.random.default_rng(4)
    ours: list[float] = []
    other: list[float] = []
    lifts, apart = 0, 0.0
    for k in range(count):
        feet = stance(kind, rng)
        ours.append(milliseconds(lambda feet=feet: compliant_stance(MASS, feet)))
        found = compliant_stance(MASS, feet)
        lifts += int(found.stable and not found.forces.any(axis=1).all())
        if k < slow and math.isfinite(found.multiplier):
            other.append(milliseconds(lambda feet=feet: naive(feet)))
            apart = max(apart, abs(naive(feet) / found.multiplier - 1))
    out: dict[str, Any] = {"kind": kind, "stances": count, "with_lifted_feet": lifts}
    out |= {"ours_ms": float(np.median(ours))}
    out |= {"ours_ms_95": float(np.percentile(ours, 95)), "naive_ms": None}
    if other:
        out["naive_ms"] = float(np.median(other))
        out["naive_over_ours"] = out["naive_ms"] / out["ours_ms"]
        out["largest_difference"] = apart
    return out


def margins(count: int) -> dict[str, float]:
    """Return medians of the other margins on uneven feet [ms]."""
    rng = np.random.default_rng(5)
    stances = [stance("uneven", rng) for _ in range(count)]
    jobs: dict[str, Callable[[list[Foot]], object]] = {
        "critical_height": lambda feet: critical_height(MASS, feet),
        "critical_width": lambda feet: critical_width(MASS, feet),
        "softest_mode": lambda feet: softest_mode(MASS, INERTIA, feet),
        "tipping_barrier": lambda feet: tipping_barrier(MASS, feet),
    }
    out: dict[str, float] = {}
    for name, job in jobs.items():
        times = [milliseconds(lambda feet=feet, job=job: job(feet)) for feet in stances]
        out[f"{name}_ms"] = float(np.median(times))
    return out


def pose_test(kind: str) -> float:
    """Return the median time of one pose whose equilibrium is known [ms]."""
    feet = stance(kind, np.random.default_rng(6))
    found, body = compliant_stance(MASS, feet), SoftBody(MASS, feet)
    times = [
        milliseconds(
            lambda: [body.test(found.displacement, found.R_WB) for _ in range(100)]
        )
        for _ in range(20)
    ]
    return float(np.median(times)) / 100


def first_call(cache: str | None) -> float:
    """Return the first call's time in a fresh process [s]; None keeps its cache."""
    environment = dict(os.environ)
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = cache
    done = subprocess.run(
        [sys.executable, "-c", FIRST], env=environment, capture_output=True, check=True
    )
    return float(done.stdout)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, help="JSON file to write")
    options.add_argument("--quick", action="store_true", help="a tenth of the stances")
    chosen = options.parse_args()
    count, slow = (10, 1) if chosen.quick else (100, 5)
    compliant_stance(MASS, stance("even", np.random.default_rng(0)))  # warm
    with tempfile.TemporaryDirectory() as cache:
        compiling = first_call(cache)
    result = {
        "multiplier": [
            multipliers("even", count, 0),
            multipliers("uneven", count, slow),
            multipliers("soft legs", count, 0),
        ],
        "pose_test_ms": {kind: pose_test(kind) for kind in ("uneven", "soft legs")},
        "margins": margins(3 if chosen.quick else 20),
        "first_call_s": first_call(None),
        "first_call_compiling_s": compiling,
    }
    text = json.dumps(result, indent=1)
    print(text)
    if chosen.out:
        chosen.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
