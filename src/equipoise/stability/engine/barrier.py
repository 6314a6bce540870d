"""How much work tips a robot over on a physics engine's own contacts.

From where it rests the robot is tilted each way, at rest in height; its energy rises to
a ridge. The ridge closes around the hollow, so that whatever path it falls by crosses
it: its lowest point is the work needed.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.stability.engine.well import EngineWell, WellState

__all__ = ["EngineBarrier", "engine_barrier"]

_WAYS = 16
_FIRST, _LONGEST, _FARTHEST = 5e-4, 4e-2, 1.2
"""Steps of the tilt, and the tilt beyond which no ridge is looked for [rad]."""
_LEFT = 1e-6  # force left over on the way to a ridge, of the weight
_GOLDEN = (math.sqrt(5) - 1) / 2


@final
@dataclass(frozen=True, eq=False)
class EngineBarrier:
    """Energy barrier of the easiest way to tip over."""

    energy: float
    """Work needed [J]; infinite where no ridge was found, nan where too many contacts
    would have to be looked at."""
    direction: Vec3
    """Direction in which its top moves, a unit vector in the ground, (3,)."""
    tilt: float
    """Tilt from rest to the ridge [rad]; nan where there is none."""


def engine_barrier(well: EngineWell, rest: WellState) -> EngineBarrier:
    """Return the work that tips a robot over from where it rests.

    Args:
        well: the energy.
        rest: a hollow of it.

    Raises:
        TooMuchWork: it takes more looks at the contacts than the well allows.
    """
    angles = 2 * math.pi * np.arange(_WAYS) / _WAYS
    tops = [_ridge(well, rest, float(angle)) for angle in angles]
    heights = [math.inf if top is None else top[1].energy for top in tops]
    best = int(np.argmin(heights))
    if not math.isfinite(heights[best]):
        return EngineBarrier(math.inf, np.zeros(3), math.nan)
    tilt, top = _lowest(well, rest, float(angles[best]), tops[best])
    energy = max(0.0, top.energy - rest.energy)
    return EngineBarrier(energy, well.way(rest.R, top.R), tilt)


def _ridge(
    well: EngineWell, rest: WellState, angle: float
) -> tuple[float, WellState] | None:
    """Return tilt and state on the ridge in one direction; None if there is none."""
    way = np.array([math.cos(angle), math.sin(angle)])
    tilt, step, now = 0.0, _FIRST, rest
    rate = bend = last = 0.0  # of its height by tilt, and the step before
    while tilt < _FARTHEST:
        R = well.tilted(rest.R, (tilt + step) * way)
        lift = now.lift + (rate + 0.5 * bend * (last + step)) * step
        ahead = well.relaxed(lift, R, left=_LEFT)
        before, rate = rate, (ahead.lift - now.lift) / step
        bend = 2.0 * (rate - before) / (last + step) if last else 0.0
        last = step
        if ahead.slope[1:] @ way <= 0:
            return _summit(well, rest, way, (tilt, now), (tilt + step, ahead))
        tilt, now = tilt + step, ahead
        step = min(1.4 * step, _LONGEST)
    return None


def _summit(
    well: EngineWell,
    rest: WellState,
    way: Array,
    low: tuple[float, WellState],
    high: tuple[float, WellState],
) -> tuple[float, WellState]:
    """Return the top between two tilts, the first below it and the second beyond."""
    (left, before), (right, after) = low, high
    below, above = float(before.slope[1:] @ way), float(after.slope[1:] @ way)
    top, tilt = (after, right) if after.energy > before.energy else (before, left)
    for _ in range(12):
        share = below / (below - above) if left > 0 else 0.5
        share = min(0.9, max(0.1, share))
        at = left + share * (right - left)
        lift = before.lift + share * (after.lift - before.lift)
        state = well.relaxed(lift, well.tilted(rest.R, at * way))
        value = float(state.slope[1:] @ way)
        if state.energy > top.energy:
            top, tilt = state, at
        if abs(value) < 1e-7 * well.weight * well.size or right - left < 1e-7:
            break
        if value > 0:
            left, below, before = at, value, state
        else:
            right, above, after = at, value, state
    return tilt, top


def _lowest(
    well: EngineWell, rest: WellState, angle: float, top: tuple[float, WellState] | None
) -> tuple[float, WellState]:
    """Return the lowest point of the ridge near a direction, by golden sections."""
    spread = 2 * math.pi / _WAYS
    left, right = angle - spread, angle + spread
    best = (math.nan, rest) if top is None else top
    inner = right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)
    tops = [_ridge(well, rest, a) for a in inner]
    for _ in range(10):  # to 0.3 degree
        heights = [math.inf if t is None else t[1].energy for t in tops]
        lower = 0 if heights[0] <= heights[1] else 1
        chosen = tops[lower]
        if chosen is not None and chosen[1].energy < best[1].energy:
            best = chosen
        if lower == 0:
            right = inner[1]
            inner = right - _GOLDEN * (right - left), inner[0]
            tops = [_ridge(well, rest, inner[0]), tops[0]]
        else:
            left = inner[0]
            inner = inner[1], left + _GOLDEN * (right - left)
            tops = [tops[1], _ridge(well, rest, inner[1])]
    return best
