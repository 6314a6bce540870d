"""Where the centre of mass shall be: on a line, or at a point.

The paper steers to the support line, the vertical through the point of contact, and
wants other positions for gaits [Moll2006] section I. Any line and any point will do.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from equipoise.control.com.geometry.circle_line import frame_along
from equipoise.core.arrays import Array, expect_array
from equipoise.core.errors import ConfigError

__all__ = ["ComGoal", "distance_to", "line_goal", "point_goal"]


class ComGoal(NamedTuple):
    """Target of the centre of mass, in the form that the laws read."""

    point: Array
    """Point of the line, or the point itself, (1, 3) [m]."""
    frame: Array
    """Unit vectors as rows; the third is the line's direction, (3, 3)."""
    is_point: bool
    """Whether all three directions count, or only the first two."""


def line_goal(point: ArrayLike, direction: ArrayLike = (0.0, 0.0, 1.0)) -> ComGoal:
    """Return a line as a goal; the default direction makes it a support line.

    Args:
        point: a point on the line, (3,) or (2,) [m].
        direction: along the line, any length but zero, (3,).
    """
    return ComGoal(_place(point), frame_along(direction), False)


def point_goal(point: ArrayLike) -> ComGoal:
    """Return a point, (3,) [m], as a goal."""
    return ComGoal(_place(point), np.eye(3), True)


def _place(point: ArrayLike) -> Array:
    """Return a point as a row of three; two numbers lie on the ground."""
    row = expect_array("point", point, (-1,))
    size = row.size
    if size not in (2, 3):
        raise ConfigError("a goal", [f"its point needs 2 or 3 numbers, got {size}"])
    return np.concatenate([row, np.zeros(3 - size)]).reshape(1, 3)


def distance_to(goal: ComGoal, p_WC: ArrayLike) -> Array:
    """Return the distance of points, (..., 3), from the goal [m]."""
    away = np.asarray(p_WC, dtype=np.float64) - goal.point[0]
    axes = goal.frame if goal.is_point else goal.frame[:2]
    return np.linalg.norm(away @ axes.T, axis=-1)
