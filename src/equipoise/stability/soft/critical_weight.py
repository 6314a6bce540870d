"""Where a followed stance ends, to nine digits.

Between two points of the path the feet that press stay the same and all is smooth. A
step that goes too far, because the stance is lost or a foot has changed sides, is cut
at the first such event: the zero of the margin or of that foot's load.
"""

from dataclasses import dataclass

import numpy as np

from equipoise.stability.soft.foot import Bools
from equipoise.stability.soft.path import PathPoint, SoftPath

__all__ = ["CriticalWeight", "critical_weight"]

_FIRST, _LARGEST, _SMALLEST = 0.1, 0.3, 1e-10
"""Arc lengths of a step, in units of the stance; the largest grows with the sinking."""
_CLOSE = 1e-9  # of the margin's start at 1, and of a foot's load over the weight
_EDGE = 1e-8  # load over the weight of a foot that is lifting or touching
_AT_ONCE = (1e-5, 1e-8)  # arc lengths within which nothing else is likely
_SNAP = 0.05
"""Move, in units of the stance, when a foot lets go of a sideways force; beyond it the
next equilibrium is another stance."""
_MARGIN = -1
"""The event that the margin vanishes; others are the foot that lifts or touches."""
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
    last: PathPoint
    """The last stance that was found, at that weight."""
    presses: Bools
    """Feet that press after it, those that lift there left out, (n,)."""


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
    if (np.abs(base.loads) < _EDGE).any():
        base = _resolved(path, base) or base
    for _ in range(_STEPS):
        ahead = path.step(base, length)
        event = None
        if ahead is not None and not _jumped(ahead, base, length):
            event = _first_event(path, base, ahead, length)
        if event is None:
            length /= 4
            if length < _SMALLEST:
                return _end(base, found)
            continue
        now = event.point
        if found is None and base.weight < target <= now.weight:
            found = _at(path, base, target)
        if event.is_end:
            return _end(now, found)
        if float(np.abs(now.p).max()) > _FAR:
            return _end(now, found, is_bound=True)
        length = _next_length(base, now, length)
        base = now
        if event.changing.any():
            after = path.switched(now, event.changing)
            after = None if after is None else _resolved(path, after)
            if after is None:
                return _end(now, found, event.changing)
            if found is None and now.weight < target <= after.weight:
                found = _at(path, after, target)
            base, length = after, max(length, _FIRST)
    return _end(base, found, is_bound=True)


def _end(
    last: PathPoint,
    found: PathPoint | None,
    changing: Bools | None = None,
    *,
    is_bound: bool = False,
) -> CriticalWeight:
    """Return the end of a path, at which some feet may change sides."""
    down = last.springs.presses
    after = down if changing is None else down ^ changing
    return CriticalWeight(last.weight, found, is_bound, last, after)


def _next_length(base: PathPoint, ahead: PathPoint, length: float) -> float:
    """Aim a little beyond where the margin would vanish on a straight line."""
    longest = min(2 * length, _LARGEST * (1 + float(np.abs(ahead.p).max())))
    fall = base.margin - ahead.margin
    if fall <= 0:
        return longest
    return min(longest, max(1.05 * length * ahead.margin / fall, 0.01 * length))


def _jumped(ahead: PathPoint, base: PathPoint, length: float) -> bool:
    """Return whether Newton went to another branch: far aside from the tangent."""
    aside = ahead.moved - base.tangent * length
    return float(np.linalg.norm(aside)) > 0.5 * length


def _resolved(path: SoftPath, base: PathPoint) -> PathPoint | None:
    """Return a point just after base, at which some feet have changed sides.

    Where several do at once, those that would change back on the first bit of the way
    do. None where the stance ends here, or a foot that let go of a sideways force has
    thrown the body far.
    """
    for _ in range(2 * len(base.loads)):
        if base.margin < _CLOSE or float(np.linalg.norm(base.moved)) > _SNAP:
            return None
        edge = np.abs(base.loads) < _EDGE
        for length in _AT_ONCE:
            after = path.step(base, length)
            if (
                after is not None
                and after.margin > 0
                and not (after.wrong & ~edge).any()
            ):
                break
        else:
            return None
        back = after.wrong & edge
        if not back.any():
            return after
        other = path.switched(base, back)
        if other is None:
            return None
        base = other
    return None


@dataclass(frozen=True, eq=False)
class _Event:
    """Where a step ends."""

    point: PathPoint
    changing: Bools
    """Feet that lift or touch there, (n,)."""
    is_end: bool
    """Whether the stance is lost there."""


def _first_event(
    path: SoftPath, base: PathPoint, ahead: PathPoint, length: float
) -> _Event | None:
    """Return what comes first on a step, its own end if nothing; None if not found."""
    never: Bools = np.zeros(len(base.loads), np.bool_)
    wrong = ahead.wrong
    now, reach = ahead, length
    for _ in range(2 + len(never)):
        late = now.wrong & (np.abs(now.loads) >= _CLOSE)
        events = [_MARGIN] if now.margin < -_CLOSE else []
        events += [int(foot) for foot in np.flatnonzero(late)]
        if not events:
            break
        # The one that a straight line has come first; if it is not, another turn is.
        event = min(events, key=lambda e: _share(_value(base, e), _value(now, e)))
        zero = _zero(path, base, now, reach, event)
        if zero is None:
            return None
        now, reach = zero
    else:
        return None
    return _Event(now, wrong & (np.abs(now.loads) < _EDGE), now.margin < _CLOSE)


def _value(point: PathPoint, event: int) -> float:
    """Return what changes its sign at an event: the margin, or a foot's load."""
    return point.margin if event == _MARGIN else float(point.loads[event])


def _share(start: float, end: float) -> float:
    """Return where on the way a straight line from start to end is zero."""
    return start / (start - end)


def _zero(
    path: SoftPath, base: PathPoint, beyond: PathPoint, reach: float, event: int
) -> tuple[PathPoint, float] | None:
    """Return the point at which an event comes, and its arc length from base.

    Regula falsi with halved ends (Illinois); None where the path was lost on the way.
    """
    low, high = 0.0, reach
    below, above = _value(base, event), _value(beyond, event)
    points = {low: base, high: beyond}
    side = 0
    for _ in range(60):
        at = low + _share(below, above) * (high - low)
        near = min(points, key=lambda known: abs(known - at))
        now = path.between(base, points[near], near, at)
        if now is None or _jumped(now, base, at):
            high, above, side = at, -below, 0
            continue
        value = _value(now, event)
        if abs(value) < _CLOSE or high - low < _SMALLEST * reach:
            return now, at
        points[at] = now
        if (value > 0) == (below > 0):
            low, below = at, value
            above, side = (above / 2 if side > 0 else above), 1
        else:
            high, above = at, value
            below, side = (below / 2 if side < 0 else below), -1
    return None


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
            pulls = ahead.wrong & (np.abs(ahead.loads) > _EDGE)
            return None if pulls.any() else ahead
        point, goal = ahead, target
    return None
