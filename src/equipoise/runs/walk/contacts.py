"""The gait that feet went, seen from when they touched the ground, not from a schedule.

Names are those of ``control.gaits``: legs come in pairs, left before right, front to
rear. A contact, or a gap in one, of less than 20 ms is a bounce and does not count.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Ints, VecN

__all__ = ["gait_from_contacts"]

Flags = NDArray[np.bool_]
BOUNCE = 0.02  # [s]


def gait_from_contacts(
    time: VecN, touches: Flags, begun: int, places: Ints | None = None
) -> dict[str, Any]:
    """Return duty factors, cycle and phases as feet had them.

    Args:
        time: evenly spaced, (nt,) [s].
        touches: whether each foot does, (nt, nl).
        begun: first sample that counts.
        places: of the legs among all that there were, where some are lost, (nl,).

    Returns:
        ``duty`` by leg, ``cycle_s``, ``lag_ipsilateral`` (of a foot after the one
        behind it, the last two on the left, in cycles), ``phase_contralateral`` (of a
        right foot after the left one beside it, the first such pair),
        ``in_the_air_share`` (share of the time with so many feet in the air, 0 to nl);
        None where too few steps were made.
    """
    legs = touches.shape[1]
    step = float(time[1] - time[0]) if len(time) > 1 else BOUNCE
    width = max(1, round(BOUNCE / step))
    stands = np.stack(
        [without_bounces(touches[begun:, leg], width) for leg in range(legs)], axis=1
    )
    falls = [
        np.flatnonzero(np.diff(stands[:, leg].astype(int)) == 1) for leg in range(legs)
    ]
    enough = all(len(own) >= 3 for own in falls)
    cycle = (
        float(np.median(np.concatenate([np.diff(f) for f in falls]))) if enough else 0.0
    )
    up = legs - stands.sum(axis=1)
    behind, beside = _pairs_among(range(legs) if places is None else places)
    return {
        "duty": [float(share) for share in stands.mean(axis=0)]
        if len(stands)
        else None,
        "cycle_s": cycle * step if enough else None,
        "lag_ipsilateral": _phase(falls[behind[0]], falls[behind[1]], cycle)
        if enough and behind
        else None,
        "phase_contralateral": _phase(falls[beside[0]], falls[beside[1]], cycle)
        if enough and beside
        else None,
        "in_the_air_share": [float((up == k).mean()) for k in range(legs + 1)]
        if len(up)
        else None,
    }


def _pairs_among(places: Sequence[int] | Ints) -> tuple[list[int], list[int]]:
    """Return the last two legs on the left, rear first, and the first whole pair.

    Args:
        places: of the legs, left ones even, (nl,).
    """
    at = {int(place): leg for leg, place in enumerate(places)}
    left = sorted((place for place in at if place % 2 == 0), reverse=True)
    behind = [at[place] for place in left[:2]] if len(left) > 1 else []
    beside = [[at[p], at[p + 1]] for p in sorted(at) if p % 2 == 0 and p + 1 in at]
    return behind, beside[0] if beside else []


def without_bounces(touches: Flags, width: int) -> Flags:
    """Return contacts with the short ones, and short gaps, taken out.

    Args:
        touches: of one foot, (nt,).
        width: samples that a contact lasts at least.
    """
    out = touches.copy()
    edges = np.flatnonzero(np.diff(out.astype(int))) + 1
    bounds = [0, *edges, len(out)]
    for first, last in pairwise(bounds[1:-1]):
        if last - first < width:
            out[first:last] = out[first - 1]
    return out


def _phase(before: NDArray[np.int64], after: NDArray[np.int64], cycle: float) -> float:
    """Return how long after one foot's falls another's come, in cycles, 0 to 1.

    The mean is that of directions on a circle, as phases near 0 and 1 are near.
    """
    late = [
        (own - before[before <= own][-1]) / cycle for own in after if own >= before[0]
    ]
    angle = 2.0 * np.pi * np.array(late)
    mean = np.arctan2(np.sin(angle).mean(), np.cos(angle).mean())
    return float(mean / (2.0 * np.pi) % 1.0)
