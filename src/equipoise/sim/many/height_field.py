"""Ground whose height comes from a table, evenly spaced, bent between its points.

Between four points the height is bilinear; beyond the table's edges it goes on level.
"""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError

__all__ = ["PROBE_TEXT", "HeightField"]

FEWEST, MOST = 2, 1 << 14  # points along an edge


@final
@dataclass(frozen=True, eq=False)
class HeightField:
    """Grid of heights over a plane.

    Raises:
        ConfigError: a table or a place that is none; all problems are named.
    """

    heights: Array = field(repr=False)
    """Heights along x and y, (nx, ny) [m]."""
    cell: float = 0.05
    """Distance between two points [m]."""
    corner: tuple[float, float] = (0.0, 0.0)
    """Position of the first point along x and y [m]."""

    def __post_init__(self) -> None:
        """Refuse what is no ground."""
        table, problems = np.asarray(self.heights, np.float64), list[str]()
        object.__setattr__(self, "heights", table)
        if table.ndim != 2 or not all(FEWEST <= n <= MOST for n in table.shape):
            problems.append(f"heights must be 2 to {MOST} rows and columns")
        elif not np.isfinite(table).all():
            problems.append("heights must be finite")
        if not (is_number(self.cell) and 0.0 < self.cell < np.inf):
            problems.append(f"cell must be > 0 m, got {self.cell!r}")
        if len(self.corner) != 2 or not np.isfinite(self.corner).all():
            problems.append(f"corner must be two finite numbers, got {self.corner!r}")
        if problems:
            raise ConfigError("a height field", problems)

    def at(self, x: Array, y: Array) -> Array:
        """Return height and slopes along x and y at some points, (3, n).

        Args:
            x: along which the table's rows are [m].
            y: and its columns [m].
        """
        table = self.heights
        (i, a, by_x), (j, b, by_y) = self.cells(x, 0), self.cells(y, 1)
        low, high = table[i, j], table[i, j + 1]
        far, corner = table[i + 1, j] - low, table[i + 1, j + 1] - high
        height = (low + a * far) * (1.0 - b) + (high + a * corner) * b
        ahead = (far * (1.0 - b) + corner * b) * by_x
        left = (high + a * corner - low - a * far) * by_y
        return np.stack([height, ahead, left])

    def cells(self, place: Array, axis: int) -> tuple[Ints, Array, Array]:
        """Return the cells of points, the shares of the way in them, and slopes.

        Args:
            place: along the axis [m].
            axis: 0 for x, 1 for y.
        """
        steps = (np.asarray(place) - self.corner[axis]) / self.cell
        most = self.heights.shape[axis]
        inside = (steps >= 0.0) & (steps <= most - 1)
        whole = np.clip(np.floor(steps), 0, most - 2).astype(np.int64)
        share = np.clip(steps - whole, 0.0, 1.0)
        return whole, share, np.where(inside, 1.0 / self.cell, 0.0)


PROBE_TEXT = """
DEVICE void probe_ground(const REAL *restrict table, const int nx, const int ny,
                         const REAL west, const REAL south, const REAL per,
                         const REAL x, const REAL y, REAL *out)
{
  const REAL u = (x - west) * per, v = (y - south) * per;
  int i = (int)u, j = (int)v;
  i = i < 0 ? 0 : (i > nx - 2 ? nx - 2 : i);
  j = j < 0 ? 0 : (j > ny - 2 ? ny - 2 : j);
  REAL a = u - (REAL)i, b = v - (REAL)j;
  const REAL on_x = a >= (REAL)0 && a <= (REAL)1 ? per : (REAL)0;
  const REAL on_y = b >= (REAL)0 && b <= (REAL)1 ? per : (REAL)0;
  a = a < (REAL)0 ? (REAL)0 : (a > (REAL)1 ? (REAL)1 : a);
  b = b < (REAL)0 ? (REAL)0 : (b > (REAL)1 ? (REAL)1 : b);
  const REAL *cell = table + (size_t)i * ny + j;
  const REAL low = cell[0], high = cell[1];
  const REAL far_off = cell[ny] - low, corner = cell[ny + 1] - high;
  out[0] = (low + a * far_off) * ((REAL)1 - b) + (high + a * corner) * b;
  out[1] = (far_off * ((REAL)1 - b) + corner * b) * on_x;
  out[2] = (high + a * corner - low - a * far_off) * on_y;
}
"""
"""Height and slopes of a table at a place, as ``HeightField.at``."""
