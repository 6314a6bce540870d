"""Sections 2.3 and 2.4: duty factors, speeds, and what static balance takes and gives.

Legs are searched over, not looked up: every phase on a grid, refined, by the margin of
the support polygon.
"""

import math

import numpy as np

from equipoise.control.gaits.best_gait import best_gait
from equipoise.control.gaits.footprint import row_footprint
from equipoise.control.gaits.margin_kernel import least_longitudinal, least_static
from equipoise.control.gaits.named import named_gait
from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.seeds import stream
from equipoise.robots.warp1.warp1 import HIP, HIP_HEIGHT
from equipoise.runs.gait.config import GaitConfig
from equipoise.runs.gait.gait import gait_report
from equipoise_lab.papers.check import above, at_most, below, near
from equipoise_lab.papers.claim import Claim, compared, not_checkable, shown
from equipoise_lab.papers.ridderstrom2003.part1.setting import PRINTED

__all__ = ["fixed_claims", "least_duty", "legs_claims"]

LONG, WIDE = 2.0 * HIP[0], 2.0 * HIP[1]  # from row to row and side to side [m]
STRIDE = 0.1  # [m]
FINE = 1e-4  # of a duty factor
TRIES = 4000  # gaits of two and three legs
FIFTY = (0.76, 0.8, 0.85, 0.9)  # duty factors of crawls
GRID = 1e-9  # what refining the phases leaves of a margin [m]


def legs_claims(seed: int) -> list[Claim]:
    """Return the claim that rests on random gaits.

    Args:
        seed: which gaits of few legs are tried.
    """
    return [legs_claim(seed)]


def fixed_claims() -> list[Claim]:
    """Return the claims about gaits that no seed touches."""
    return [
        duty_claim(),
        *speed_claims(),
        optimal_claim(),
        _froude_claim(),
    ]


def _few_legs(count: int) -> Array:
    """Return where two or three feet stand about the centre of mass, (n, 2) [m]."""
    turn = 2.0 * math.pi * np.arange(count) / count
    return 0.3 * np.stack([np.cos(turn), np.sin(turn)], axis=1)


def best_of_few(count: int, seed: int) -> float:
    """Return the best least margin of random gaits of two or three legs [m].

    Args:
        count: of the legs.
        seed: which gaits.
    """
    rng, feet = stream(seed, f"gaits of {count} legs"), _few_legs(count)
    best = -math.inf
    for _ in range(TRIES):
        phases, duty = rng.uniform(0.0, 1.0, count), rng.uniform(0.3, 0.99, count)
        way = np.array([rng.uniform(0.01, 0.2), 0.0])
        best = max(best, float(least_static(phases, duty, feet, way)))
    return best


def legs_claim(seed: int) -> Claim:
    """Return how many legs locomotion with static balance takes."""
    few = {count: best_of_few(count, seed) for count in (2, 3)}
    footprint = row_footprint(PRINTED.least_legs, LONG, WIDE)
    four = best_gait(footprint, 0.9, STRIDE, criterion="static").margin
    return shown(
        "2.4",
        "legs that locomotion with static balance takes, at least",
        PRINTED.least_legs,
        f"best margins {1e3 * few[2]:.1f} mm with two, {1e3 * few[3]:.1f} mm with"
        f" three and {1e3 * four:.1f} mm with four legs",
        [at_most(few[2], 0.0), at_most(few[3], 0.0), above(four, 0.0)],
        f"least static margin over a cycle, the best of {TRIES} random gaits of two and"
        " of three legs, each of which lifts every leg once; and of all phases of four"
        " legs that stand for 0.9 of the cycle",
        tolerance="a positive margin with four, none with fewer",
    )


def least_duty() -> float:
    """Return the duty factor from which on some phases of four legs balance."""
    footprint, low, high = row_footprint(4, LONG, WIDE), 0.6, 0.9
    while high - low > FINE:
        middle = 0.5 * (low + high)
        found = best_gait(footprint, middle, STRIDE, criterion="static")
        low, high = (low, middle) if found.margin > 0.0 else (middle, high)
    return 0.5 * (low + high)


def duty_claim() -> Claim:
    """Return the duty factor that static balance takes."""
    return compared(
        "2.4",
        "least duty factor of a quadruped with static balance",
        PRINTED.least_duty,
        least_duty(),
        "all phases of four legs are searched for a positive margin, and the duty"
        " factor is halved in on; 1e-4 is where that ends",
        tolerance=FINE,
    )


def speed_claims() -> list[Claim]:
    """Return how fast a trunk goes in crawl and trot, over the speed of its feet."""
    found = {
        name: gait_report(GaitConfig(name=name)).summary for name in ("crawl", "trot")
    }
    ratio = found["trot"]["speed_limit_mps"] / found["crawl"]["speed_limit_mps"]
    theirs = PRINTED.trot / PRINTED.crawl
    return [
        shown(
            "2.4",
            "largest speed of the trunk in a trot over that in a crawl",
            theirs,
            ratio,
            near(ratio, theirs, 0.01 * theirs),
            "WARP1's legs with their own geometry and the speeds of their joints, the"
            " same stroke; feet swing along an ellipse, which costs both as much. A"
            " hundredth: joint rates are sampled along the way",
            tolerance=0.01 * theirs,
        ),
    ]


def optimal_claim() -> Claim:
    """Return that no phases have a larger longitudinal margin than the crawl's."""
    footprint = row_footprint(4, LONG, WIDE)
    feet, way = footprint.feet - footprint.centre, np.array([STRIDE, 0.0])
    lacks = []
    for duty in FIFTY:
        gait = named_gait("crawl", 4, duty)
        own = least_longitudinal(np.array(gait.phases), np.array(gait.duty), feet, way)
        lacks.append(best_gait(footprint, duty, STRIDE).margin - float(own))
    return shown(
        "2.3",
        "the crawl is an optimal statically stable gait for quadrupeds",
        "optimal",
        f"no phases are better by more than {max(lacks):.0e} m",
        below(max(lacks), GRID),
        "longitudinal margin over a cycle, all phases of four legs on a grid and"
        f" refined, duty factors {', '.join(f'{duty:g}' for duty in FIFTY)}",
        tolerance=GRID,
    )


def _froude_claim() -> Claim:
    """Return WARP1's Froude numbers."""
    speeds = {
        name: gait_report(GaitConfig(name=name)).summary["speed_limit_mps"]
        for name in ("crawl", "trot")
    }
    told = ", ".join(
        f"{name} {speed**2 / (GRAVITY * HIP_HEIGHT):.4f} at {speed:.2f} m/s"
        for name, speed in speeds.items()
    )
    return not_checkable(
        "2.1",
        "the Froude number u² / (g h) tells walking from running",
        "one way to differentiate",
        "no number is printed that parts the two. WARP1 at its largest speeds is far"
        " below 1, where a leg's weight could no longer hold it down",
        ours=told,
    )
