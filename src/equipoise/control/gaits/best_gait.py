"""Which phases leave the largest margin at a duty factor: a search without a guess.

The wave gait is known to be best along the direction of travel ([Song1989]; for four
legs [McGhee1968]). Here all phases are searched: a grid over the whole torus, then
finer and finer around the best places found. Four and six legs confirm it. Eight legs
do not: with long strokes and low duty factors other lags leave more.
"""

import math
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from equipoise.control.gaits.footprint import Footprint
from equipoise.control.gaits.margin_kernel import least_margin
from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.core.arrays import Array, Ints, expect_array
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled

__all__ = ["BestGait", "best_gait"]

GRID = {1: 240, 2: 60, 3: 24, 4: 12, 5: 8}
"""Steps around the cycle by the number of free phases."""
PLACES, ROUNDS = 24, 34  # how many are followed; each round halves the step
Criterion = Literal["longitudinal", "static"]


@final
@dataclass(frozen=True, eq=False)
class BestGait:
    """Result of a search for the best phases."""

    gait: PhaseGait
    margin: float
    """Smallest margin of the gait over a cycle [m]."""
    tried: int
    """Number of phases that were tried."""


def best_gait(
    footprint: Footprint,
    duty: float,
    stride: float,
    *,
    criterion: Criterion = "longitudinal",
    is_symmetric: bool = False,
) -> BestGait:
    """Return the phases whose smallest margin over a cycle is largest.

    Args:
        footprint: of 4 legs, or of up to 12 if ``is_symmetric``.
        duty: of every leg, in (0, 1).
        stride: of a cycle [m].
        criterion: which margin.
        is_symmetric: each right leg half a cycle after the left one, and only the lags
            between rows are searched.

    Raises:
        ConfigError: too many legs for the search, or a duty factor that is none.
    """
    legs = footprint.legs
    free = legs // 2 - 1 if is_symmetric else legs - 1
    problems: list[str] = []
    if free not in GRID or legs % 2:
        most = 2 * (max(GRID) + 1) if is_symmetric else max(GRID) + 1
        problems.append(f"it needs 4 to {most} legs in pairs, got {legs}")
    if not 0.0 < duty < 1.0:
        problems.append(f"duty must be above 0 and below 1, got {duty!r}")
    if problems:
        raise ConfigError("the search for the best gait", problems)
    feet = expect_array("feet", footprint.feet - footprint.centre, (-1, 2))
    way, duties = np.array([stride, 0.0]), np.full(legs, float(duty))
    scores = np.full(PLACES, -np.inf)
    lags = np.zeros((PLACES, free))
    is_static = criterion == "static"
    tried = _search(lags, scores, feet, duties, way, is_static, GRID[free])
    at = int(np.argmax(scores))
    phases = np.zeros(legs)
    _spread(lags[at], phases)
    return BestGait(PhaseGait(phases, duties, "best"), float(scores[at]), int(tried))


@compiled(allocates=False)
def _spread(lags: Array, phases: Array) -> None:
    """Write the phases of all legs from the free ones; the first leg's is 0."""
    is_paired = len(lags) < len(phases) - 1
    for leg in range(len(phases)):
        k = leg // 2 - 1 if is_paired else leg - 1
        lag = lags[k] if k >= 0 else 0.0
        if is_paired and leg % 2 == 1:
            lag += 0.5
        phases[leg] = lag - math.floor(lag)


@compiled(allocates=False)
def _count_on(digits: Ints, base: int) -> None:
    """Add one to a number written in digits."""
    for k in range(len(digits)):
        digits[k] += 1
        if digits[k] < base:
            return
        digits[k] = 0


@compiled
def _search(
    best: Array,
    scores: Array,
    feet: Array,
    duty: Array,
    stride: Array,
    is_static: bool,
    grid: int,
) -> int:
    """Fill ``best`` and ``scores`` with the best phases found; return how many tried.

    Args:
        best: free phases of each place followed, (k, free).
        scores: their margins, (k,), -inf at first.
        feet: from the centre of mass, (nl, 2).
        duty: factors, (nl,).
        stride: (2,).
        is_static: which margin.
        grid: steps around the cycle.
    """
    free, tried = best.shape[1], 0
    lags, phases, place = np.zeros(free), np.zeros(len(duty)), np.zeros((len(duty), 2))
    digits = np.zeros(free, np.int64)
    for _ in range(grid**free):
        for k in range(free):
            lags[k] = digits[k] / grid
        _spread(lags, phases)
        score = least_margin(phases, duty, feet, stride, is_static, place)
        worst = 0
        for k in range(len(scores)):
            worst = k if scores[k] < scores[worst] else worst
        if score > scores[worst]:
            _keep(score, lags, scores, best, worst)
        _count_on(digits, grid)
        tried += 1
    centre = np.zeros(free)
    for at in range(len(scores)):
        step = 1.0 / grid
        for _ in range(ROUNDS):
            step *= 0.5
            for k in range(free):
                centre[k], digits[k] = best[at, k], 0
            for _ in range(5**free):
                for k in range(free):
                    lags[k] = centre[k] + step * (digits[k] - 2)
                _spread(lags, phases)
                score = least_margin(phases, duty, feet, stride, is_static, place)
                if score > scores[at]:
                    _keep(score, lags, scores, best, at)
                _count_on(digits, 5)
                tried += 1
    return tried


@compiled(allocates=False)
def _keep(score: float, lags: Array, scores: Array, best: Array, at: int) -> None:
    """Store what was found in one of the places."""
    scores[at] = score
    for k in range(len(lags)):
        best[at, k] = lags[k]
