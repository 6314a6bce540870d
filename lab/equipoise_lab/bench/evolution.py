"""A plain evolution strategy: better settings by trying many at once.

Each generation draws settings about the present ones, in mirrored pairs, scores them
all, and goes to the mean of the better half, weighted by rank. The spread shrinks by
the same share every generation. Settings are searched by their logarithms, so that none
changes sign and a spread is a share. Scores of a generation may be noisy; only their
order counts. Nothing is learned about which settings belong together: for tens of
settings and thousands of trials a second that is not needed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ConfigError

__all__ = ["Evolved", "evolve"]

Score = Callable[[Array, int], Array]


@final
@dataclass(frozen=True)
class Evolved:
    """What a search came to."""

    settings: VecN
    """The mean of the last generation, (n,)."""
    scores: VecN
    """Of the settings at the middle of each generation, (generations + 1,)."""


def evolve(
    score: Score,
    start: VecN,
    *,
    spread: float = 0.2,
    shrinks: float = 0.97,
    pairs: int = 32,
    generations: int = 60,
    seed: int = 0,
    progress: Callable[[float], object] | None = None,
) -> Evolved:
    """Return settings with a higher score than those given, if the search finds any.

    Args:
        score: of rows of settings, (k, n), in a generation of some number; the higher
            the better; NaN counts as the worst.
        start: settings to begin with, (n,), all above zero.
        spread: standard deviation of the logarithms in the first generation.
        shrinks: what is left of the spread after each generation.
        pairs: mirrored draws in each generation.
        generations: how many.
        seed: of the draws.
        progress: told the share that is done.

    Raises:
        ConfigError: settings or numbers that cannot be searched with.
    """
    _expect_search(start, spread, shrinks, pairs, generations)
    draws = np.random.default_rng(seed)
    middle = np.log(np.asarray(start, float))
    weights = _rank_weights(pairs)
    scores: list[float] = []
    for generation in range(generations + 1):
        half = draws.standard_normal((pairs, len(middle))) * spread
        rows = np.vstack([np.zeros_like(middle), half, -half])
        found = score(np.exp(middle + rows), generation)
        scores.append(float(found[0]))
        if generation < generations:
            worst = np.where(np.isnan(found[1:]), -math.inf, found[1:])
            best = np.argsort(-worst, kind="stable")[:pairs]
            middle = middle + weights @ rows[1:][best]
            spread *= shrinks
        if progress is not None:
            progress((generation + 1) / (generations + 1))
    return Evolved(np.exp(middle), np.array(scores))


def _rank_weights(count: int) -> VecN:
    """Return weights that fall with the logarithm of the rank, of sum one, (count,).

    Args:
        count: of those that are kept.
    """
    weights = np.log(count + 0.5) - np.log(np.arange(1, count + 1))
    return weights / weights.sum()


def _expect_search(
    start: VecN, spread: float, shrinks: float, pairs: int, generations: int
) -> None:
    """Refuse what cannot be searched with; arguments as in ``evolve``.

    Raises:
        ConfigError: names all that is wrong.
    """
    problems = [
        f"setting {k + 1} must be above zero and finite, got {x}"
        for k, x in enumerate(np.asarray(start, float))
        if not 0.0 < x < math.inf
    ]
    if not 0.0 < spread < math.inf:
        problems.append(f"spread must be > 0, got {spread}")
    if not 0.0 < shrinks <= 1.0:
        problems.append(f"shrinks must be above 0 and at most 1, got {shrinks}")
    problems += [
        f"{name} must be at least 1, got {value}"
        for name, value in (("pairs", pairs), ("generations", generations))
        if value < 1
    ]
    if problems:
        raise ConfigError("the search for better settings", problems)
