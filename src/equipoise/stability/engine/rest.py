"""Where a rigid robot comes to rest on a physics engine's contacts, put down gently.

Downhill in the energy of ``engine_well``, at rest in height all the way: with damping
so heavy that nothing swings, the robot ends in the first hollow. Newton's steps, short
ones, made to go down where the energy bends down; before a long step is believed the
way is looked at, so that no hollow is jumped over. A hollow that is gone sends the
robot beyond every lean: it falls.
"""

import math
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from equipoise.core.arrays import Array, Mat3
from equipoise.stability.engine.well import EngineWell, WellState

__all__ = ["EngineRest", "at_rest"]

LEAN = math.radians(10.0)  # beyond, it has fallen [rad]
CAUGHT = math.radians(5.0)
"""Lean beyond which a robot that went over a ridge was caught by something else than
its feet [rad]."""
_FIRST, _LONGEST = 5e-3, 4e-2
"""Longest step at first, and after steps that went on down without a bend [rad]."""
_STEPS = 150
_STILL = 1e-10  # step at which it rests [rad]
_SHORT, _STUCK = 1e-7, 12
"""Steps shorter than this [rad], and how many in a row say that it is stuck where a
contact comes and goes: all steps there are would lead it no farther than 15 µrad."""
_NEUTRAL = 1e-5
"""Stiffness against a tilt over weight times height below which nothing holds it: a
ball that balances on a ball; 1e-5 is 5 nm of contact's softness per metre."""


@final
@dataclass(frozen=True, eq=False)
class EngineRest:
    """Rest of a robot on its engine's contacts."""

    how: Literal["rests", "falls", "unknown"]
    state: WellState
    """At rest, or the last before it fell."""
    tilts: Array
    """Stiffness against both tilts, least first, at rest in height, (2,) [N m]."""
    ways: Array
    """Axes of these tilts, columns, in the two axes of the well, (2, 2)."""


def at_rest(
    well: EngineWell, start: WellState, factor: float = 1.0, begin: Mat3 | None = None
) -> EngineRest:
    """Return where the robot comes to rest, begun at a tilt.

    Args:
        well: the energy.
        start: where to begin.
        factor: on every stiffness.
        begin: turn from which the lean is counted; None for that of the start.
    """
    upright = start.R if begin is None else begin
    now = well.relaxed(start.lift, start.R, factor)
    tilts, ways = _bends(well, now, factor)
    unit, longest, went_over, short = well.weight * well.size, _FIRST, False, 0
    for _ in range(_STEPS):
        slope = ways.T @ now.slope[1:]
        if np.abs(slope).max() < 1e-12 * unit and tilts[0] <= 0:
            slope[0] = 1e-6 * unit  # on the very top: off it, either way
        step = -slope / np.maximum(np.abs(tilts), 1e-6 * unit)
        size = float(np.linalg.norm(step))
        if size < _STILL and tilts[0] > 0:
            is_caught = went_over and well.lean(upright, now.R) > CAUGHT
            is_held = tilts[0] > _NEUTRAL * unit and not is_caught
            return EngineRest("rests" if is_held else "unknown", now, tilts, ways)
        step = ways @ (step * min(1.0, longest / size))
        ahead = downhill(well, now, step, factor)
        if ahead is None:
            return EngineRest("unknown", now, tilts, ways)
        is_short = tilts[0] < 0 and well.lean(now.R, ahead.R) < _SHORT
        now, short = ahead, short + 1 if is_short else 0
        if short > _STUCK:  # as many as are left would not lead away either
            return EngineRest("unknown", now, tilts, ways)
        if well.lean(upright, now.R) > LEAN:
            return EngineRest("falls", now, tilts, ways)
        tilts, ways = _bends(well, now, factor)
        went_over |= bool(tilts[0] < 0)
        longest = min(1.5 * longest, _LONGEST) if tilts[0] < 0 else _FIRST
    return EngineRest("unknown", now, tilts, ways)


def _bends(well: EngineWell, at: WellState, factor: float) -> tuple[Array, Array]:
    """Return the stiffness against tilts, least first, and their axes."""
    H = well.hessian(at, factor)
    across = np.outer(H[1:, 0], H[0, 1:]) / H[0, 0] if H[0, 0] > 0 else 0.0
    values, ways = np.linalg.eigh(H[1:, 1:] - across)
    return values, ways


def downhill(
    well: EngineWell, now: WellState, step: Array, factor: float
) -> WellState | None:
    """Return the robot one step on, or as much of it as goes down; None if none does.

    A step at whose end it would go on is kept unless it climbed on the way, which is a
    hollow that must not be jumped over; one that overshoots must end lower.
    """
    floor = 1e-13 * well.weight * well.size
    for _ in range(12):
        ahead = well.relaxed(now.lift, well.tilted(now.R, step), factor)
        if ahead.slope[1:] @ step <= 0:
            half = well.tilted(now.R, 0.5 * step)
            inner = well.relaxed(0.5 * (now.lift + ahead.lift), half, factor)
            if inner.slope[1:] @ step <= floor:
                return ahead
        elif ahead.energy <= now.energy + floor:
            return ahead
        step = 0.5 * step
    return None
