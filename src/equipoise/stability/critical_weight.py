"""Where a followed stance ends, to nine digits."""

from dataclasses import dataclass

import numpy as np

from equipoise.stability.soft_path import PathPoint, SoftPath

__all__ = ["CriticalWeight", "critical_weight"]

_FIRST, _LARGEST, _SMALLEST = 0.1, 0.3, 1e-10
"""Arc lengths of a step, in units of the stance; the largest grows with the sinking."""
_CLOSE = 1e-9  # of the margin's start at 1, and so of the weight
_FAR = 1e3
"""Sinking, in units of the stance, from which on nobody asks."""
_STEPS = 400


@dataclass(frozen=True, eq=False)
class CriticalWeight:
    """The end of a path of stances."""

    weight: float
    """The largest weight that stands, in the feet's own units."""
    at_target: PathPoint | None
    """The equilibrium at the weight asked for; None at or beyond the end."""
    is_bound: bool
    """Whether the stance was still stable at that weight and not followed further."""


def critical_weight(path: SoftPath, target: float) -> CriticalWeight:
    """Follow a path to where its stance stops being stable.

    Args:
        path: of equilibria by weight.
        target: weight whose equilibrium is wanted.

    Returns:
        The end, and the stance at the target where it comes before.
    """
    base, length = path.start, _FIRST
    found: PathPoint | None = None
    for _ in range(_STEPS):
        ahead = path.step(base, length)
        if ahead is None or _jumped(ahead, base, length):
            length /= 4
            if length < _SMALLEST:
                return CriticalWeight(base.weight, found, False)
            continue
        if ahead.margin <= 0:
            end = _crossing(path, base, ahead, length)
            if found is None and base.weight < target < end:
                found = _at(path, base, target)
            return CriticalWeight(end, found, False)
        if found is None and ahead.weight >= target:
            found = _at(path, base, target)
        if float(np.abs(ahead.p).max()) > _FAR:
            return CriticalWeight(ahead.weight, found, True)
        length = _next_length(base, ahead, length)
        base = ahead
    return CriticalWeight(base.weight, found, True)


def _next_length(base: PathPoint, ahead: PathPoint, length: float) -> float:
    """Aim a little beyond where the margin would vanish on a straight line."""
    longest = min(2 * length, _LARGEST * (1 + float(np.abs(ahead.p).max())))
    fall = base.margin - ahead.margin
    if fall <= 0:
        return longest
    return min(longest, max(1.05 * length * ahead.margin / fall, 0.01 * length))


def _jumped(ahead: PathPoint, base: PathPoint, length: float) -> bool:
    """Say whether Newton went to another branch: far aside from the tangent."""
    aside = ahead.moved - base.tangent * length
    return float(np.linalg.norm(aside)) > 0.5 * length


def _crossing(
    path: SoftPath, base: PathPoint, beyond: PathPoint, length: float
) -> float:
    """Return the weight at which the margin vanishes between two points.

    Regula falsi with halved ends (Illinois); halving where a foot lifts between, since
    the margin then jumps.
    """
    low, high, near = 0.0, length, beyond
    below, above = base.margin, beyond.margin  # halved when an end stays twice
    last, side = base, 0
    for _ in range(80):
        lifts = (last.springs.presses != near.springs.presses).any()
        share = 0.5 if lifts else below / (below - above)
        at = low + share * (high - low)
        now = path.nudge(base, near, at)
        if now is None or _jumped(now, base, at):
            high, above, side = at, -below, 0
        elif now.margin > 0:
            low, below, last = at, now.margin, now
            above, side = (above / 2 if side > 0 else above), 1
        else:
            high, above, near = at, now.margin, now
            below, side = (below / 2 if side < 0 else below), -1
        if now is not None and abs(now.margin) < _CLOSE:
            return now.weight
        if high - low < _SMALLEST * length:
            break
    return last.weight


def _at(path: SoftPath, base: PathPoint, target: float) -> PathPoint | None:
    """Return the stable equilibrium at a weight, in smaller steps where one fails."""
    point, goal = base, target
    for _ in range(60):
        ahead = path.at_weight(point, goal)
        if ahead is None or ahead.margin <= 0:
            goal = (point.weight + goal) / 2
            if goal - point.weight < 1e-12 * target:
                return None
            continue
        if ahead.weight >= target * (1 - 1e-12):
            return ahead
        point, goal = ahead, target
    return None
