"""Does a stationary gait return after a disturbance, stride by stride?

The third of Vukobratović's kinds of stability, see ``recovery``: stride length and
duration, mean speed, duty factors and relative phases, each constant in a stationary
gait, return into a volume around those before the disturbance, and stay there. Here the
volume is the smallest box around the undisturbed strides, widened.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array
from equipoise.stability.walks.recovery import (
    FEWEST,
    DisturbedWalk,
    Flags,
    Recovery,
    mean_velocity,
    short,
    unknown,
)

__all__ = ["footfalls", "gait_factors", "gait_recovery"]


def footfalls(time: Array, stands: Flags, period: float) -> Array:
    """Return when a foot falls, bounces left out, (n,) [s].

    Args:
        time: (nt,) [s].
        stands: whether it stands, (nt,).
        period: of a cycle; two falls within half of it are one [s].
    """
    falls = time[1:][stands[1:] & ~stands[:-1]]
    kept: list[float] = []
    for fall in falls:
        if not kept or fall - kept[-1] > 0.5 * period:
            kept.append(float(fall))
    return np.array(kept)


def gait_factors(walk: DisturbedWalk) -> tuple[Array, Array]:
    """Return the beginning of each stride, (n,) [s], and its factors, (n, m).

    Columns: duration [s], length [m], mean speed [m/s], then every leg's duty factor
    and every leg's phase after the first leg's fall, as shares of the stride.

    Args:
        walk: what happened.
    """
    stands = np.asarray(walk.stands, np.bool_)
    falls = [footfalls(walk.time, row, walk.period) for row in stands.T]
    rows: list[ArrayLike] = []
    for begin, end in zip(falls[0][:-1], falls[0][1:], strict=True):
        inside = (walk.time >= begin) & (walk.time < end)
        v = mean_velocity(walk, begin, end)
        speed = float(np.linalg.norm(v))
        phases = [_phase_in(own, float(begin), float(end)) for own in falls]
        duty = stands[inside].mean(axis=0)
        rows.append([end - begin, speed * (end - begin), speed, *duty, *phases])
    width = 3 + 2 * stands.shape[1]
    return falls[0][:-1], np.array(rows, np.float64).reshape(-1, width)


def _phase_in(falls: Array, begin: float, end: float) -> float:
    """Return a leg's phase in a stride, by its fall nearest to the stride's middle.

    Args:
        falls: of the leg, (n,) [s].
        begin: of the stride [s].
        end: of the stride [s].

    Returns:
        In [0, 1); NaN where it does not fall within a stride of the middle.
    """
    middle, lasts = 0.5 * (begin + end), end - begin
    if not len(falls):
        return math.nan
    nearest = float(falls[int(np.argmin(np.abs(falls - middle)))])
    if abs(nearest - middle) > lasts:
        return math.nan
    return ((nearest - begin) / lasts) % 1.0


def gait_recovery(
    walk: DisturbedWalk, *, share: float = 0.1, phase: float = 0.05
) -> Recovery:
    """Return whether a stationary gait's factors return into their volume, and stay.

    Args:
        walk: what happened.
        share: by which duration, length and speed may differ, >= 0.
        phase: by which duty factors and phases may, >= 0.
    """
    if found := short(walk):
        return found
    begins, factors = gait_factors(walk)
    ends = begins + factors[:, 0]
    calm = factors[(begins >= walk.steady) & (ends <= walk.disturbed[0])]
    is_later = begins >= walk.disturbed[1]
    later, starts = factors[is_later], begins[is_later]
    if min(len(calm), len(later)) < FEWEST:
        return unknown(f"Fewer than {FEWEST} whole strides before or after it.")
    if not np.isfinite(calm).all():
        return unknown(
            "Not every leg steps once per stride, so the test does not apply."
        )
    legs = (factors.shape[1] - 3) // 2
    sizes = np.abs(calm[:, :3].mean(axis=0))
    slack = np.concatenate([share * sizes, np.full(2 * legs, phase)])
    box, moved = (_seen_from(calm[0], rows, 3 + legs) for rows in (calm, later))
    low, high = box.min(axis=0) - slack, box.max(axis=0) + slack
    is_in = ((moved >= low) & (moved <= high)).all(axis=1)  # NaN is outside
    out = np.flatnonzero(~is_in)
    if out.size and len(later) - 1 - int(out[-1]) < FEWEST:
        return Recovery(
            answer="no", reason="Its strides do not come back and stay.", after=math.nan
        )
    first = int(out[-1]) + 1 if out.size else 0
    return Recovery(
        answer="yes",
        reason=f"Its strides have recovered from number {first + 1} on.",
        after=float(starts[first]) - walk.disturbed[1],
    )


def _seen_from(first: Array, rows: Array, plain: int) -> Array:
    """Return factors less those of a stride; phases near 0 and near 1 are neighbours.

    Args:
        first: the stride, (m,).
        rows: (n, m).
        plain: how many columns are no phases.
    """
    less = rows - first
    less[:, plain:] = (less[:, plain:] + 0.5) % 1.0 - 0.5
    return less
