"""When a planned step happens, and how the trunk goes meanwhile.

A leg is in the air as long as its foot's peak speed, 1.5 times the mean of a cubic,
allows, and as its rise and fall allow; the centre of mass goes no faster than it may.
If there is time left until the commanded speed is kept, the leg takes it.

Between lift-off and footfall the trunk makes room for the leg's own mass, so that the
centre of mass goes on evenly whatever the leg does: its feet stand at both ends, so
that v = A⁻¹ v_c holds at every knot, see ``crab.regions``.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.control.crab.search import CrabTry
from equipoise.core.arrays import Array, Vec2
from equipoise.core.records import Records

__all__ = ["CrabPace", "CrabTimes", "knot_bends", "knot_velocities", "step_times"]

PEAK = 1.5  # largest speed of a cubic between rests over its mean
BEND = 6.0  # largest acceleration of a cubic between rests, over way by time squared
RISE = 0.5 * math.pi  # of a bump's fastest rise over twice its height in its time


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CrabPace:
    """Largest speeds and shortest times of a step."""

    speed: float
    """Commanded, of the centre of mass along the path [m/s]."""
    foot: float
    """Largest of a foot seen from the trunk [m/s]."""
    rise: float
    """Largest of a foot upwards [m/s]."""
    shift: float
    """Largest of the centre of mass [m/s]."""
    eased: float
    """Least time on four feet [s]."""
    clearance: float
    """Of a foot over the line between its footholds [m]."""
    acceleration: float
    """Of the centre of mass where it is shifted from rest [m/s²]; inf: on its way."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CrabTimes:
    """Times of a step by the clock."""

    began: float
    """Where the last one ended [s]."""
    lift: float
    """[s]."""
    land: float
    """[s]."""

    def later(self, by: float) -> "CrabTimes":
        """Return the same, some time later.

        Args:
            by: [s].
        """
        return CrabTimes(
            began=self.began + by, lift=self.lift + by, land=self.land + by
        )


def step_times(
    centre: Vec2,
    left: Vec2,
    step: Records[CrabTry],
    ahead: Vec2,
    pace: CrabPace,
    began: float,
) -> CrabTimes:
    """Return when a step's leg lifts and lands.

    Args:
        centre: of mass where the step begins, (2,) [m].
        left: where its foot stood, (2,) [m].
        step: (1,).
        ahead: direction of the path, (2,).
        pace: how fast things may go.
        began: when the step begins [s].
    """
    one = step[0]
    shift = float(np.hypot(*(one.lifts - centre)))
    way = float(ahead @ (one.lands - centre))
    from_rest = math.sqrt(BEND * shift / pace.acceleration)
    on_four = max(shift / pace.shift, pace.eased, from_rest)
    swung = float(np.hypot(*(one.feet[one.leg] - left - (one.lands - one.lifts))))
    on_three = max(
        PEAK * swung / pace.foot,
        2.0 * RISE * pace.clearance / pace.rise,
        float(np.hypot(*(one.lands - one.lifts))) / pace.shift,
    )
    spare = way / max(pace.speed, 1e-6) - on_four - on_three
    if spare > 0.0:
        whole = shift + float(np.hypot(*(one.lands - one.lifts)))
        share = min(
            max(shift * (spare + on_four + on_three) / whole - on_four, 0.0), spare
        )
        on_four, on_three = on_four + share, on_three + spare - share
    return CrabTimes(began=began, lift=began + on_four, land=began + on_four + on_three)


def knot_velocities(
    times: list[float], places: Array, first: Vec2, *, rests: bool
) -> Array:
    """Return the velocity at each knot of the smoothest way through all, (n, 2).

    A cubic spline: acceleration does not jump, and its square summed up is the least.

    Args:
        times: of the knots, ascending [s].
        places: (n, 2) [m].
        first: velocity at the first, (2,) [m/s].
        rests: whether it stands at the last; else it goes on unaccelerated.
    """
    count, step = len(times), np.maximum(np.diff(times), 1e-6)
    pieces = np.diff(places, axis=0) / step[:, None]
    matrix, right = np.zeros((count, count)), np.zeros((count, 2))
    matrix[0, 0], right[0] = 1.0, first
    for k in range(1, count - 1):
        a, b = 1.0 / step[k - 1], 1.0 / step[k]
        matrix[k, k - 1 : k + 2] = a, 2.0 * (a + b), b
        right[k] = 3.0 * (a * pieces[k - 1] + b * pieces[k])
    matrix[-1, -1] = 1.0
    if not rests:
        matrix[-1, -2:], right[-1] = (1.0, 2.0), 3.0 * pieces[-1]
    return np.asarray(np.linalg.solve(matrix, right), np.float64)


def knot_bends(times: list[float], places: Array, velocity: Array) -> Array:
    """Return the acceleration of a spline at its knots, (n, 2) [m/s²].

    Args:
        times: of the knots, ascending [s].
        places: (n, 2) [m].
        velocity: of ``knot_velocities``, (n, 2) [m/s].
    """
    step = np.maximum(np.diff(times), 1e-6)[:, None]
    pieces = np.diff(places, axis=0) / step
    out = np.empty_like(places)
    out[0] = (6.0 * pieces[0] - 4.0 * velocity[0] - 2.0 * velocity[1]) / step[0]
    out[1:] = (2.0 * velocity[:-1] + 4.0 * velocity[1:] - 6.0 * pieces) / step
    return out
