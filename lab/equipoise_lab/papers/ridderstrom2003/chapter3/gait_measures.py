"""What gait a record of swings shows: duty, lags, tripods, how many legs are up."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Ints, VecN

__all__ = ["EmergentGait", "emergent_gait", "tripod_strength"]

Flags = NDArray[np.bool_]
TRIPODS = ((0, 3, 4), (1, 2, 5))
"""Front and rear of one side with the middle of the other; pairs, left before right."""


@final
@dataclass(frozen=True, slots=True)
class EmergentGait:
    """Gait as it was walked."""

    duty: float
    """Share of the time for which a leg stands, on average."""
    ipsilateral: float
    """Lag of a leg's footfall after that of the one behind it, in cycles, 0 to 1."""
    contralateral: float
    """Lag of a right leg after the left one beside it, in cycles, 0 to 1."""
    tripod: float
    """Tripod coordination strength, 0 to 1; see ``tripod_strength``."""
    up: VecN
    """Share of the time with so many legs in the air, (nl + 1,)."""


def emergent_gait(time: VecN, swings: Flags, begun: float) -> EmergentGait:
    """Return the gait of a record.

    Args:
        time: evenly spaced, (nt,).
        swings: which legs do, (nt, nl).
        begun: time from which on it counts.
    """
    seen, nl = swings[time >= begun], swings.shape[1]
    falls = [_footfalls(seen[:, leg]) for leg in range(nl)]
    ipsilateral = [_lag(falls[leg + 2], falls[leg]) for leg in range(nl - 2)]
    contralateral = [_lag(falls[leg], falls[leg + 1]) for leg in range(0, nl, 2)]
    up = seen.sum(axis=1)
    return EmergentGait(
        duty=float(1.0 - seen.mean()),
        ipsilateral=_circular_mean(np.concatenate(ipsilateral)),
        contralateral=_circular_mean(np.concatenate(contralateral)),
        tripod=tripod_strength(seen) if nl == 6 else float("nan"),
        up=np.array([np.mean(up == k) for k in range(nl + 1)]),
    )


def _footfalls(swings: Flags) -> Ints:
    """Return the samples at which a leg lands."""
    return np.flatnonzero(swings[:-1] & ~swings[1:]) + 1


def _lag(before: Ints, after: Ints) -> VecN:
    """Return how long after one leg's footfalls another's come, in cycles of the first.

    Args:
        before: footfalls of the one, in samples.
        after: of the other.
    """
    if len(before) < 2:
        return np.zeros(0)
    own = after[(after >= before[0]) & (after < before[-1])]
    k = np.searchsorted(before, own, side="right") - 1
    return (own - before[k]) / (before[k + 1] - before[k])


def _circular_mean(shares: VecN) -> float:
    """Return the mean of shares of a cycle, those near 0 and 1 being near; or nan."""
    if len(shares) == 0:
        return float("nan")
    angle = 2.0 * np.pi * shares
    mean = np.arctan2(np.sin(angle).mean(), np.cos(angle).mean())
    return float(mean / (2.0 * np.pi) % 1.0)


def tripod_strength(swings: Flags) -> float:
    """Return the tripod coordination strength, averaged over all tripods' swings.

    Of each swing of a middle leg: the time for which all three legs of its tripod are
    up, over the time from the first one's lift-off to the last one's footfall
    ([Wosnitza2013]); 1 where they step together, 0 where they never are up at once.

    Args:
        swings: which of six legs do, (nt, 6).
    """
    found: list[float] = []
    for legs in TRIPODS:
        middle = legs[1]
        spans = {leg: _swing_spans(swings[:, leg]) for leg in legs}
        for first, last in spans[middle]:
            own = [(first, last)]
            for leg in (legs[0], legs[2]):
                near = [s for s in spans[leg] if s[1] > first and s[0] < last]
                if near:
                    own.append(
                        max(near, key=lambda s: min(s[1], last) - max(s[0], first))
                    )
            if len(own) < 3:
                found.append(0.0)
                continue
            both = min(s[1] for s in own) - max(s[0] for s in own)
            whole = max(s[1] for s in own) - min(s[0] for s in own)
            found.append(max(both, 0) / whole)
    return float(np.mean(found)) if found else float("nan")


def _swing_spans(swings: Flags) -> list[tuple[int, int]]:
    """Return first and last sample of each whole swing."""
    edges = np.diff(swings.astype(np.int8))
    lifts, falls = np.flatnonzero(edges == 1) + 1, np.flatnonzero(edges == -1) + 1
    falls = falls[falls > (lifts[0] if len(lifts) else 0)]
    return [(int(a), int(b)) for a, b in zip(lifts, falls, strict=False)]
