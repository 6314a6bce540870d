"""A map of what is in the way, in the machine's own frame, and the next place on it."""

import math
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from equipoise.control.ground_map import GroundMap
from equipoise.control.harmonic.field import Cell, HarmonicField
from equipoise.core.arrays import VecN
from equipoise.core.errors import ConfigError

__all__ = ["MOST_CELLS", "WayGrid", "way_grid"]

MOST_CELLS = 256
"""Along one side of a map."""
Flags = NDArray[np.bool_]
Place = tuple[float, float]


@final
@dataclass(frozen=True, eq=False)
class WayGrid:
    """Grid of cells, some of them obstacles."""

    west: float
    """x of the corner where it is least [m]."""
    south: float
    """y of that corner [m]."""
    edge: float
    """Of a cell [m]."""
    goal: Cell
    place: Place
    """Of the goal itself [m]."""
    is_obstacle: Flags
    """(nx, ny)."""

    def cell_of(self, x: float, y: float) -> Cell:
        """Return the cell of a place, the nearest one of those outside.

        Args:
            x: of the place [m].
            y: of the place [m].
        """
        nx, ny = self.is_obstacle.shape
        i = math.floor((x - self.west) / self.edge)
        j = math.floor((y - self.south) / self.edge)
        return min(max(i, 0), nx - 1), min(max(j, 0), ny - 1)

    def middle(self, cell: Cell) -> Place:
        """Return the middle of a cell; of the goal's cell, the goal [m]."""
        if cell == self.goal:
            return self.place
        return (
            self.west + (cell[0] + 0.5) * self.edge,
            self.south + (cell[1] + 0.5) * self.edge,
        )

    def blocked(self, place: VecN, wide: float) -> "WayGrid":
        """Return the map with an obstacle more; the goal's cell stays free.

        Args:
            place: of the obstacle, (2,) [m].
            wide: half the machine's width, by which it keeps away [m].
        """
        nx, ny = self.is_obstacle.shape
        x = self.west + self.edge * (np.arange(nx) + 0.5) - place[0]
        y = self.south + self.edge * (np.arange(ny) + 0.5) - place[1]
        near = np.hypot(x[:, None], y) <= max(wide, 0.5 * self.edge)
        near[self.cell_of(float(place[0]), float(place[1]))] = True
        near[self.goal] = False
        return replace(self, is_obstacle=self.is_obstacle | near)

    def mapped(self, ground: GroundMap, tall: float, wide: float) -> "WayGrid":
        """Return the map with what is known to be in the way.

        Args:
            ground: what is known; a map of no cells adds nothing.
            tall: height over the ground from which on a cell is in the way [m].
            wide: half the machine's width, by which it keeps away [m].
        """
        frame, grid = ground.frame[0], self
        c, s = math.cos(frame.turn), math.sin(frame.turn)
        for i, j in np.argwhere(np.nan_to_num(ground.height) > tall):
            x, y = (i + 0.5) * frame.cell, (j + 0.5) * frame.cell
            west, south = frame.west + c * x - s * y, frame.south + s * x + c * y
            grid = grid.blocked(np.array([west, south]), wide)
        return grid

    def next_place(self, field: HarmonicField, cell: Cell, ahead: int) -> Place | None:
        """Return where to head for; None without a way.

        It is the farthest cell of the way that is in sight, at most so many ahead, and
        at least half as many: too near a place is passed by who sways. Where an
        obstacle has come to cover the machine itself, the way begins at the nearest
        cell that has one.

        Args:
            field: of this map.
            cell: where the machine is.
            ahead: how many cells to look ahead.
        """
        if self.is_obstacle[cell]:
            free = np.argwhere(field.is_free)
            near = free[np.hypot(*(free - np.array(cell)).T).argmin()]
            cell = (int(near[0]), int(near[1]))
        way = field.way(cell)[: ahead + 1]
        if not way:
            return None
        seen = [k for k, other in enumerate(way) if self.sees(cell, other)]
        return self.middle(way[max(seen[-1], min(ahead // 2, len(way) - 1))])

    def sees(self, here: Cell, there: Cell) -> bool:
        """Return whether the line between two cells' centres meets no obstacle.

        Args:
            here: one cell.
            there: the other.
        """
        steps = 2 * max(abs(there[0] - here[0]), abs(there[1] - here[1])) + 1
        at = np.linspace(here, there, steps)
        down, up = np.floor(at + 0.5).astype(int), np.ceil(at - 0.5).astype(int)
        return not (
            self.is_obstacle[down[:, 0], down[:, 1]].any()
            or self.is_obstacle[up[:, 0], up[:, 1]].any()
        )


def way_grid(goal: Place, edge: float, room: float) -> WayGrid:
    """Return an empty map about the way from the origin to a goal.

    Args:
        goal: where to get to [m].
        edge: of a cell [m].
        room: around both [m].

    Raises:
        ConfigError: a goal too far away for the map.
    """
    low = [min(0.0, x) - room for x in goal]
    shape = [math.ceil((abs(x) + 2.0 * room) / edge) for x in goal]
    if max(shape) > MOST_CELLS:
        most = MOST_CELLS * edge - 2.0 * room
        problem = (
            f"goal must be within {most:.3g} m in x and y, got {goal[0]:g},{goal[1]:g}"
        )
        raise ConfigError("the pilot", [problem])
    grid = WayGrid(
        west=low[0],
        south=low[1],
        edge=edge,
        goal=(0, 0),
        place=goal,
        is_obstacle=np.zeros(shape, dtype=np.bool_),
    )
    return replace(grid, goal=grid.cell_of(*goal))
