"""Where feet belong in a wave, which of them leads, and where a map allows them."""

import math

import numpy as np

from equipoise.control.ground_map import GroundMap
from equipoise.control.planners.body import PlannedMachine, rotated_by_yaw
from equipoise.control.planners.segments import Course, PlanSegment
from equipoise.control.signals import Estimate, WalkingStance
from equipoise.core.arrays import Array, Vec2

__all__ = ["allowed_near", "leading", "seen_feet", "standing"]


def allowed_near(ground: GroundMap, wanted: Vec2, reach: float) -> Vec2 | None:
    """Return the place itself if it is allowed, else the nearest cell that is.

    Off the map everything is allowed. None where no cell within reach is.

    Args:
        ground: the map.
        wanted: where the foot belongs, in W, (2,) [m].
        reach: how far from there it may be put down [m].
    """
    frame, (nx, ny) = ground.frame[0], ground.banned.shape
    cell, low = float(frame.cell), np.array([frame.west, frame.south])
    i, j = (math.floor(x) for x in (wanted - low) / cell)
    if not (0 <= i < nx and 0 <= j < ny) or not ground.banned[i, j] > 0.0:
        return wanted
    far = math.ceil(reach / cell)
    rows = np.arange(max(i - far, 0), min(i + far + 1, nx))
    columns = np.arange(max(j - far, 0), min(j + far + 1, ny))
    free = ~(ground.banned[np.ix_(rows, columns)] > 0.0)
    x, y = (low[0] + (rows + 0.5) * cell)[:, None], low[1] + (columns + 0.5) * cell
    away = np.where(free, np.hypot(x - wanted[0], y - wanted[1]), np.inf)
    row, column = np.unravel_index(int(np.argmin(away)), away.shape)
    if away[row, column] > reach:
        return None
    return np.array([x[row, 0], y[column]])


def seen_feet(estimate: Estimate, stance: WalkingStance, segment: PlanSegment) -> Array:
    """Return where feet stand; those still in the air where they were to, (4, 2) [m].

    Args:
        estimate: of this tick.
        stance: of the last one.
        segment: that begins.
    """
    stands = stance.legs["stands"][:, None] > 0.0
    return np.where(stands, estimate.footholds[:, :2], segment.before)


def standing(course: Course, body: PlannedMachine, lasts: float) -> Array:
    """Return where feet belong around the centre of mass amid their support, (4, 2).

    Args:
        course: of the wave that brings them there.
        body: of the machine.
        lasts: duration of the wave [s].
    """
    middle = body.stand.mean(axis=0)
    return rotated_by_yaw(body.stand - middle, course.yaw + 1.5 * lasts * course.turn)


def leading(
    course: Course, body: PlannedMachine, number: int, lasts: float
) -> tuple[int, int]:
    """Return the leg that leads in a wave, and the one across.

    Args:
        course: of the wave.
        body: of the machine.
        number: of the wave; diagonals take turns.
        lasts: its duration [s].
    """
    pair = (0, 3) if number % 2 == 0 else (1, 2)
    ahead = standing(course, body, lasts) @ course.axes[0]
    return pair if ahead[pair[0]] >= ahead[pair[1]] else (pair[1], pair[0])
