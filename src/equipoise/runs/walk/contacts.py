"""The gait that feet went, seen from when they touched the ground, not from a schedule.

Names are those of ``control.gaits``: legs come in pairs, left before right, front to
rear. A contact, or a gap in one, of less than 20 ms is a bounce and does not count.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import VecN

__all__ = ["gait_from_contacts"]

Flags = NDArray[np.bool_]
BOUNCE = 0.02  # [s]


def gait_from_contacts(time: VecN, touches: Flags, begun: int) -> dict[str, Any]:
    """Return duty factors, cycle and phases as feet had them.

    Args:
        time: evenly spaced, (nt,) [s].
        touches: whether each foot does, (nt, nl).
        begun: first sample that counts.

    Returns:
        ``duty`` by leg, ``cycle_s``, ``lag_ipsilateral`` (of a front foot after the
        rear one on its side, in cycles), ``phase_contralateral`` (of a right foot after
        the left one beside it), ``in_the_air_share`` (share of the time with so many
        feet in the air, 0 to nl); None where too few steps were made.
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
    return {
        "duty": [float(share) for share in stands.mean(axis=0)]
        if len(stands)
        else None,
        "cycle_s": cycle * step if enough else None,
        "lag_ipsilateral": phase(falls[legs - 2], falls[legs - 4], cycle)
        if enough and legs >= 4
        else None,
        "phase_contralateral": phase(falls[0], falls[1], cycle) if enough else None,
        "in_the_air_share": [float((up == k).mean()) for k in range(legs + 1)]
        if len(up)
        else None,
    }


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


def phase(before: NDArray[np.int64], after: NDArray[np.int64], cycle: float) -> float:
    """Return how long after one foot's falls another's come, in cycles, 0 to 1.

    The mean is that of directions on a circle, as phases near 0 and 1 are near.
    """
    late = [
        (own - before[before <= own][-1]) / cycle for own in after if own >= before[0]
    ]
    angle = 2.0 * np.pi * np.array(late)
    mean = np.arctan2(np.sin(angle).mean(), np.cos(angle).mean())
    return float(mean / (2.0 * np.pi) % 1.0)
