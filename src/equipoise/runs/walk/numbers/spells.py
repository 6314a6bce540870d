"""Stretches of time in which something was so: how many, and how long."""

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import VecN

__all__ = ["beginnings", "event_count", "lasting", "longest"]

Flags = NDArray[np.bool_]


def beginnings(is_so: Flags) -> int:
    """Return how often it began to be so; from the first sample on counts too.

    Args:
        is_so: at each sample, (nt,).
    """
    return int(np.count_nonzero(is_so[1:] & ~is_so[:-1])) + int(is_so[:1].any())


def lasting(time: VecN, is_so: Flags) -> float:
    """Return for how long it was so, a sample counting until the next one [s].

    Args:
        time: of the samples, (nt,) [s].
        is_so: at each of them, (nt,).
    """
    return float(np.diff(time) @ is_so[:-1])


def longest(time: VecN, is_so: Flags) -> float:
    """Return the longest time for which it was so without a break [s].

    Args:
        time: of the samples, (nt,) [s].
        is_so: at each of them, (nt,).
    """
    edges = np.diff(np.concatenate([[0], is_so.astype(int), [0]]))
    first, last = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    if not len(first):
        return 0.0
    return float(np.max(time[np.minimum(last, len(time) - 1)] - time[first]))


def event_count(signal: VecN) -> int:
    """Return how often something happened, of a signal that counts it.

    Args:
        signal: that rises by one each time, (nt,); NaN is passed over.
    """
    known = signal[np.isfinite(signal)]
    if not len(known):
        return 0
    return round(float(known[0] + np.maximum(np.diff(known), 0.0).sum()))
