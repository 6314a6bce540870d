"""What a scanner has seen of the ground, kept as the machine goes on.

Heights are kept in cells of a grid that is rolled over the ground: a place's cell is
that of its column and row modulo the grid's size, and says which place it is of, so
that what lies far behind is forgotten by being written over. A foothold is taken that
is as near as can be to the wanted one and not too steep, [Ridderstrom2003] section
3.2.2: slopes are estimated, and a foot is lifted over what lies between.
"""

import math

from equipoise.control.records import TrunkEstimate
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["SeenCell", "ground_at", "highest_between", "near_foothold", "see", "unseen"]

COLUMNS, ROWS = 80, 40
FEWEST = 5  # cells of nine that must be known to tell a slope
NEWER = 0.5  # share of a newer height in the mean
AROUND = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (2, 0), (-2, 0), (1, 1), (1, -1))
"""Cells ahead and aside that are tried for a foothold, the nearest first."""
PLACES = 6  # looked at between two footholds


class SeenCell(Record):
    """Scanned height of one cell of the ground."""

    column: float = entry("which place it is of, along x of W")
    row: float = entry("and along y")
    height: float = entry("of the ground", "m")
    known: float = entry("1 where anything was seen")


def unseen() -> Records[SeenCell]:
    """Return a grid in which nothing has been seen yet."""
    return SeenCell.zeros(COLUMNS * ROWS)


@compiled(allocates=False)
def _cell_of(column: float, row: float) -> int:
    """Return where in the grid a place's cell is."""
    return int(column % COLUMNS) * ROWS + int(row % ROWS)


@compiled(allocates=False)
def see(
    trunks: Records[TrunkEstimate], points: Array, edge: float, grid: Records[SeenCell]
) -> None:
    """Store the points of a scan in their cells.

    Args:
        trunks: where the trunk is, (1,).
        points: of the ground in B, (n, 3) [m].
        edge: of a cell [m].
        grid: overwritten where points are.
    """
    R, p = trunks[0].R_WB, trunks[0].p_WB
    for k in range(points.shape[0]):
        q = points[k]
        x = p[0] + R[0, 0] * q[0] + R[0, 1] * q[1] + R[0, 2] * q[2]
        y = p[1] + R[1, 0] * q[0] + R[1, 1] * q[1] + R[1, 2] * q[2]
        z = p[2] + R[2, 0] * q[0] + R[2, 1] * q[1] + R[2, 2] * q[2]
        if not math.isfinite(x + y + z):
            continue
        column, row = math.floor(x / edge), math.floor(y / edge)
        cell = grid[_cell_of(column, row)]
        same = cell.known > 0.0 and cell.column == column and cell.row == row
        cell.height = cell.height + NEWER * (z - cell.height) if same else z
        cell.column, cell.row, cell.known = column, row, 1.0


@compiled(allocates=False)
def ground_at(
    x: float, y: float, edge: float, grid: Records[SeenCell]
) -> tuple[float, float]:
    """Return height and slope of the ground about a place; nan where it is not known.

    Args:
        x: in W [m].
        y: in W [m].
        edge: of a cell [m].
        grid: what was seen.
    """
    column, row = math.floor(x / edge), math.floor(y / edge)
    low, high, total, count = math.inf, -math.inf, 0.0, 0
    for i in range(-1, 2):
        for j in range(-1, 2):
            cell = grid[_cell_of(column + i, row + j)]
            if cell.known > 0.0 and cell.column == column + i and cell.row == row + j:
                low, high = min(low, cell.height), max(high, cell.height)
                total, count = total + cell.height, count + 1
    if count < FEWEST:
        return math.nan, math.nan
    return total / count, (high - low) / (2.0 * edge)


@compiled(allocates=False)
def near_foothold(
    x: float, y: float, edge: float, steepest: float, grid: Records[SeenCell]
) -> tuple[float, float, float]:
    """Return the nearest place that is not too steep, with its height; nan if none is.

    Args:
        x: of the wanted place in W [m].
        y: of the wanted place in W [m].
        edge: of a cell [m].
        steepest: slope that is taken.
        grid: what was seen.
    """
    for i, j in AROUND:
        a, b = x + i * edge, y + j * edge
        height, slope = ground_at(a, b, edge, grid)
        if slope <= steepest:
            return a, b, height
    return math.nan, math.nan, math.nan


@compiled(allocates=False)
def highest_between(
    start: tuple[float, float],
    end: tuple[float, float],
    edge: float,
    grid: Records[SeenCell],
) -> float:
    """Return the highest ground known between two places; -inf if none is known [m].

    Args:
        start: in W [m].
        end: in W [m].
        edge: of a cell [m].
        grid: what was seen.
    """
    most = -math.inf
    for k in range(PLACES + 1):
        s = k / PLACES
        x, y = start[0] + s * (end[0] - start[0]), start[1] + s * (end[1] - start[1])
        height, _ = ground_at(x, y, edge, grid)
        if height > most:
            most = height
    return most
