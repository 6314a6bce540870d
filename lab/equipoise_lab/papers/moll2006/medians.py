"""The median of a few trees, and how far it is known."""

from collections.abc import Sequence
from math import comb

import numpy as np

__all__ = ["median_interval"]

SURE = 0.975  # of each end


def median_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median's 95 % interval and, between its ends, the median.

    The ends are order statistics, whatever the distribution: of n values the number
    below the true median is binomial. Of fewer than six they are the extremes.

    Args:
        values: at least one.
    """
    ranked, n = np.sort(values), len(values)
    chance = np.cumsum([comb(n, k) for k in range(n + 1)]) / 2.0**n
    rank = min(int(np.searchsorted(chance, SURE)), n - 1)
    low, high = ranked[n - 1 - rank], ranked[rank]
    return float(low), float(np.median(ranked)), float(high)
