"""A potential over a grid whose only extreme is the goal: follow it and arrive.

Laplace's equation has no minimum inside, so whoever goes along the gradient reaches the
goal wherever a way exists, [Ridderstrom2003] section 3.3.2. Obstacles are held at the
potential of the border (Dirichlet: ways keep away from walls) or let nothing through
(Neumann: ways run along walls); a share k of the first and 1 - k of the second is
taken. As printed, obstacles of the second kind with the goal alone held would have the
constant solution: the outer border stays held.

What is solved for is ψ, 1 at the goal and 0 at the border. In corridors the first kind
falls by a constant factor a cell, to 1e-30 and below, and in blind alleys the second is
constant but for rounding: where their sum does not rise by more than that, the first
alone is followed, which leads out of the alley.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints, VecN
from equipoise.core.errors import ConfigError

__all__ = ["Cell", "HarmonicField", "harmonic_field", "reached_from"]

Flags = NDArray[np.bool_]
Cell = tuple[int, int]
ROUNDING = 1e-12  # of a potential, over it
SIDES: tuple[Cell, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))


@final
@dataclass(frozen=True, eq=False)
class HarmonicField:
    """Solved potential."""

    goal: Cell
    is_free: Flags
    """Cells from which the goal can be reached, (nx, ny)."""
    held: Array
    """ψ with obstacles held, (nx, ny); 0 where there is no way."""
    closed: Array
    """ψ with obstacles that let nothing through, (nx, ny)."""
    share: float
    """k, of the first."""

    def next_cell(self, cell: Cell) -> Cell | None:
        """Return the neighbour up the gradient; None at the goal or without a way.

        Args:
            cell: where one is.
        """
        if cell == self.goal or not self.is_free[cell]:
            return None
        near = [(cell[0] + i, cell[1] + j) for i, j in SIDES]
        near = [c for c in near if self._is_inside(c) and self.is_free[c]]
        if not near:
            return None
        best = max(near, key=lambda c: self._rise(cell, c))
        if self._rise(cell, best) > ROUNDING * self.closed[cell]:
            return best
        return max(near, key=lambda c: float(self.held[c]))

    def way(self, cell: Cell) -> list[Cell]:
        """Return the cells to the goal from one, both included; [] without a way.

        Args:
            cell: where one is.
        """
        found = [cell]
        while found[-1] != self.goal:
            after = self.next_cell(found[-1])
            if after is None or len(found) > self.is_free.size:
                return []
            found.append(after)
        return found

    def _is_inside(self, cell: Cell) -> bool:
        nx, ny = self.is_free.shape
        return 0 <= cell[0] < nx and 0 <= cell[1] < ny

    def _rise(self, here: Cell, there: Cell) -> float:
        """Return by how much the potential rises from a cell to another."""
        held = float(self.held[there] - self.held[here])
        closed = float(self.closed[there] - self.closed[here])
        return self.share * held + (1.0 - self.share) * closed


def harmonic_field(is_obstacle: Flags, goal: Cell, share: float = 0.5) -> HarmonicField:
    """Return the potential of a map.

    Args:
        is_obstacle: which cells are, (nx, ny).
        goal: a cell.
        share: k, of obstacles that are held, 0 to 1.

    Raises:
        ConfigError: a goal outside the map or on an obstacle, or a share that is none.
    """
    nx, ny = is_obstacle.shape
    problems: list[str] = []
    if not 0.0 <= share <= 1.0:
        problems.append(f"share must be 0 to 1, got {share!r}")
    if not (0 <= goal[0] < nx and 0 <= goal[1] < ny):
        problems.append(f"the goal must be within {nx} x {ny} cells, got {goal}")
    elif is_obstacle[goal]:
        problems.append(f"the goal must be free, {goal} is an obstacle")
    if problems:
        raise ConfigError("the harmonic field", problems)
    is_free = reached_from(is_obstacle, goal)
    walls = (1.0, 0.0) if is_obstacle.any() else (1.0,)  # else both are the same
    found = _solved(is_free, is_obstacle, goal, walls)
    return HarmonicField(goal, is_free, found[0], found[-1], share)


def reached_from(is_obstacle: Flags, goal: Cell) -> Flags:
    """Return the cells from which a goal can be reached, going from side to side."""
    from scipy import ndimage  # slow to import

    found: Any = ndimage.label(~is_obstacle)
    return np.asarray(found[0] == found[0][goal], dtype=np.bool_)


def _solved(
    is_free: Flags, is_obstacle: Flags, goal: Cell, walls: tuple[float, ...]
) -> list[Array]:
    """Return ψ by sparse factorisations, (nx, ny) each.

    Args:
        is_free: cells that count, all of them connected.
        is_obstacle: which cells are.
        goal: where ψ is 1.
        walls: 1 for obstacles that are held at 0, 0 for those that let nothing through.
    """
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import splu

    unknown = is_free.copy()
    unknown[goal] = False
    at, found = np.argwhere(unknown), [np.zeros(is_free.shape) for _ in walls]
    for out in found:
        out[goal] = 1.0
    if len(at) == 0:
        return found
    number = np.full(is_free.shape, -1)
    number[unknown] = np.arange(len(at))
    rows, columns, hits, right = _sides_of(at, number, is_obstacle, goal)
    every = np.arange(len(at))
    places = (np.concatenate([rows, every]), np.concatenate([columns, every]))
    for wall, out in zip(walls, found, strict=True):
        diagonal = len(SIDES) - (1.0 - wall) * hits
        values = np.concatenate([-np.ones(len(rows)), diagonal])
        factors = splu(
            csc_matrix((values, places), shape=(len(at), len(at))),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            panel_size=2,  # a third faster than the usual 20 on grids of 128 by 128
            options={"SymmetricMode": True},
        )
        out[unknown] = factors.solve(right)
    return found


def _sides_of(
    at: Ints, number: Ints, is_obstacle: Flags, goal: Cell
) -> tuple[Ints, Ints, VecN, VecN]:
    """Return rows and columns of neighbours, sides to obstacles, right-hand side.

    Args:
        at: unknown cells, (n, 2).
        number: of each cell among them, -1 for others, (nx, ny).
        is_obstacle: which cells are.
        goal: where ψ is 1.
    """
    shape = np.array(number.shape)
    rows: list[Ints] = []
    columns: list[Ints] = []
    hits, right = np.zeros(len(at)), np.zeros(len(at))
    for side in SIDES:
        near = at + np.array(side)
        is_inside = np.all((near >= 0) & (near < shape), axis=1)
        kept = np.where(is_inside[:, None], near, 0)
        hits += is_inside & is_obstacle[kept[:, 0], kept[:, 1]]
        right += is_inside & np.all(near == np.array(goal), axis=1)
        other = np.where(is_inside, number[kept[:, 0], kept[:, 1]], -1)
        rows.append(np.flatnonzero(other >= 0))
        columns.append(other[other >= 0])
    return np.concatenate(rows), np.concatenate(columns), hits, right
