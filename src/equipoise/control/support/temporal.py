"""Which leg steps next in a free gait, by the time that each still has.

A leg's *temporal limit* is the time until it leaves its workspace at the present
velocity, [Ridderstrom2003] section 3.2.2. Of the legs that can be spared, so that the
centre of mass stays the wanted margin inside the rest until the foot is down again, the
one with the least time left is lifted.
"""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from equipoise.control.gaits.leg_limits import LegLimits
from equipoise.control.gaits.margin_kernel import static_at
from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = [
    "FreeFoot",
    "FreeRule",
    "Margin",
    "half_support",
    "next_to_lift",
    "time_left",
]

LEAD = 0.7  # of the workspace ahead, that a foot is put down in
LONGEST = 1.5  # half of a support at most [s]

Margin = Annotated[
    float,
    Setting("Smallest distance of the centre of mass inside the feet", "m", above=0.0),
]
Three = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class FreeRule(Settings):
    """Settings of how the leg to lift is chosen; the defaults are the ASV's."""

    swing: Annotated[
        float, Setting("Duration of a swing of a free gait", "s", above=0.0)
    ] = 0.6
    margin: Margin = 0.15
    patience: Annotated[
        float,
        Setting(
            "Share of its time in the workspace below which a leg may lift",
            above=0.0,
        ),
    ] = 0.6


class FreeFoot(Record):
    """Foot as the choice of the next leg takes it."""

    off: VecN = entry("from the middle of its workspace, ahead and left", "m", 2)
    stands: float = entry("1 where it does")
    is_next: float = entry("1 where it is its side's turn")


@compiled(allocates=False)
def time_left(limit: LegLimits, foot: FreeFoot, velocity: Three) -> tuple[float, float]:
    """Return how long a foot stays in its workspace, and how long from end to end [s].

    Args:
        limit: of the leg.
        foot: where it is.
        velocity: of the trunk, forward, left and turn.
    """
    vx, vy, w = velocity
    left, full = np.inf, np.inf
    for i in range(2):
        v = vx - w * limit.place[1] if i == 0 else vy + w * limit.place[0]
        if v == 0.0:
            continue
        end = limit.lower[i] if v > 0.0 else limit.upper[i]
        left = min(left, (foot.off[i] - end) / v)
        full = min(full, (limit.upper[i] - limit.lower[i]) / abs(v))
    return left, full


@compiled(allocates=False)
def half_support(limit: LegLimits, velocity: Three) -> float:
    """Return for how long before the middle of its workspace a foot is put down [s].

    Args:
        limit: of the leg.
        velocity: of the trunk, forward, left and turn.
    """
    vx, vy, w = velocity
    half = LONGEST
    for i in range(2):
        v = vx - w * limit.place[1] if i == 0 else vy + w * limit.place[0]
        if v != 0.0:
            room = limit.upper[i] if v > 0.0 else -limit.lower[i]
            half = min(half, LEAD * room / abs(v))
    return half


@compiled(allocates=False)
def next_to_lift(
    velocity: Three,
    centre: tuple[float, float],
    rule: FreeRule,
    by_sides: bool,
    limits: Records[LegLimits],
    feet: Records[FreeFoot],
    places: Array,
) -> int:
    """Return the leg to lift now; -1 if none should or can be.

    Args:
        velocity: of the trunk, forward, left and turn.
        centre: of mass from the trunk, ahead and left [m].
        rule: how legs are chosen.
        by_sides: whether each side steps in its own order, one leg at a time.
        limits: of the legs, (nl,).
        feet: where they are, (nl,).
        places: room, (nl, 2); overwritten.
    """
    best, least = -1, np.inf
    for one in range(limits.shape[0]):
        if feet[one].stands == 0.0:
            continue
        if by_sides and feet[one].is_next == 0.0:
            continue
        left, full = time_left(limits[one], feet[one], velocity)
        if not (left < least and left <= rule.patience * full):
            continue
        now = _margin_without(one, 0.0, velocity, centre, limits, feet, places)
        then = _margin_without(one, rule.swing, velocity, centre, limits, feet, places)
        if min(now, then) >= rule.margin:
            best, least = one, left
    return best


@compiled(allocates=False)
def _margin_without(
    out: int,
    after: float,
    velocity: Three,
    centre: tuple[float, float],
    limits: Records[LegLimits],
    feet: Records[FreeFoot],
    places: Array,
) -> float:
    """Return the margin over all standing feet but one, some time from now [m]."""
    vx, vy, w = velocity
    c, s = math.cos(w * after), math.sin(w * after)
    count = 0
    for one in range(limits.shape[0]):
        if one == out or feet[one].stands == 0.0:
            continue
        a = limits[one].place[0] + feet[one].off[0] - vx * after
        b = limits[one].place[1] + feet[one].off[1] - vy * after
        places[count, 0] = c * a + s * b - centre[0]
        places[count, 1] = c * b - s * a - centre[1]
        count += 1
    return static_at(places, count)
