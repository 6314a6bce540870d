"""Where a foot may be put down, by a map of the ground."""

import math

import numpy as np

from equipoise.control.ground_map import GroundMap
from equipoise.core.arrays import Vec2

__all__ = ["allowed_near"]


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
