"""The heaviest weight under which a held robot still stands."""

import math
from dataclasses import dataclass
from typing import final

from equipoise.stability.multibody.path import HeldRobot, RestPoint

__all__ = ["HeaviestShare", "heaviest_share"]

_FIRST, _LARGEST_RATIO, _SMALLEST = 0.1, 1.5, 1e-9
_FAR = 1e3
"""Times the weight from which on nobody asks."""
_STEPS = 300
_LIFT = 1e-7  # of the share at which a foot lifts
_CLOSE = 1e-10  # of the share at which the margin vanishes


@final
@dataclass(frozen=True, eq=False)
class HeaviestShare:
    """The end of a path of equilibria."""

    share: float
    """Of the weight, the largest that stands."""
    at_one: RestPoint | None
    """The equilibrium under the robot's own weight, where it was reached."""
    is_bound: bool
    """Whether it was not followed further though it still stood."""
    why: str
    """What ended the path."""


def heaviest_share(robot: HeldRobot, start: RestPoint) -> HeaviestShare:
    """Follow the equilibria from no weight to where they stop being stable.

    Args:
        robot: with its springs' rest.
        start: the stable, unloaded pose.

    Returns:
        The end, and the equilibrium under the robot's own weight.
    """
    base, step = start, _FIRST
    one: RestPoint | None = None
    for _ in range(_STEPS):
        goal = base.share + step
        if one is None and base.share < 1.0 < goal + 0.2 * step:
            goal = 1.0
        ahead = robot.equilibrium_at(base, goal)
        share = None
        if ahead is not None and ahead.margin <= 0:
            share = _crossing(robot, base, ahead)
        if ahead is None or not (ahead.margin > 0 or share is not None):
            step /= 4
            if step < _SMALLEST * max(base.share, 1e-3):
                return HeaviestShare(base.share, one, False, "the equilibrium ends")
            continue
        if share is not None:
            at = ahead if goal == 1.0 else one
            return HeaviestShare(share, at, False, "an eigenvalue vanishes")
        if (foot := _pulling(ahead)) is not None:
            why = f"foot {foot} would have to pull at the ground"
            return HeaviestShare(_lifting(robot, base, ahead), one, True, why)
        if goal == 1.0:
            one = ahead
        if goal > _FAR:
            return HeaviestShare(goal, one, True, "it stands at any stiffness asked")
        step = min(2 * step, _FIRST + _LARGEST_RATIO * goal)
        base = ahead
    return HeaviestShare(base.share, one, True, "the path was too long")


def _pulling(point: RestPoint) -> int | None:
    """Return a pinned foot that the ground would have to hold down."""
    up = point.forces[:, 2]
    lowest = int(up.argmin())
    return lowest if up[lowest] < -1e-9 * float(up.max()) else None


def _lifting(robot: HeldRobot, low: RestPoint, high: RestPoint) -> float:
    """Return the share up to which every pinned foot pushes, by halving."""
    for _ in range(40):
        if high.share - low.share <= _LIFT * high.share:
            break
        now = robot.equilibrium_at(low, 0.5 * (low.share + high.share))
        if now is None:
            break
        low, high = (low, now) if _pulling(now) is not None else (now, high)
    return low.share


def _crossing(robot: HeldRobot, low: RestPoint, high: RestPoint) -> float | None:
    """Return the share at which the margin vanishes: regula falsi, Illinois.

    None where some share in between has no equilibrium near: then the far end is not
    on the path, or the path has a fold before it, and smaller steps must tell.
    """
    below, above, side = low.margin, high.margin, 0
    for _ in range(100):
        gap = high.share - low.share
        if gap <= _CLOSE * high.share:
            break
        mixed = (low.presses != high.presses).any()  # the margin jumps
        share = 0.5 if mixed else below / (below - above)
        now = robot.equilibrium_at(low, low.share + share * gap)
        if now is None or math.isnan(now.margin):
            return None
        if abs(now.margin) <= 1e-12:
            return now.share
        if now.margin > 0:
            low, below = now, now.margin
            above, side = (above / 2 if side > 0 else above), 1
        else:
            high, above = now, now.margin
            below, side = (below / 2 if side < 0 else below), -1
    return low.share
