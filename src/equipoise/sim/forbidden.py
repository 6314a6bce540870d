"""Cells of the ground in which no foot may be put down, drawn by the seed.

They are as firm as all others: only the map that the machine is given knows them.
"""

from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.seeds import stream
from equipoise.sim.terrain import FLAT_START, Terrain

__all__ = ["ForbiddenCells", "forbidden_cells"]

CELL = 0.0275  # edge of a cell for a machine of WARP1's size, 5 cm for TITAN III [m]
FARTHEST = 10.0  # to each side that is drawn, for such a machine [m]


class ForbiddenCells(NamedTuple):
    """A grid about the start."""

    corner: VecN
    """Where x and y are least, (2,) [m]."""
    cell: float
    """Edge of a cell [m]."""
    banned: Array
    """1 where no foot may be put down, (n, n)."""


def forbidden_cells(terrain: Terrain, seed: int, size: float) -> ForbiddenCells | None:
    """Return the forbidden cells of a terrain; None where it has none.

    Each is so with the same chance, but for those about the start.

    Args:
        terrain: which ground.
        seed: >= 0.
        size: of the machine over WARP1's.
    """
    if terrain.kind != "banned":
        return None
    cell, many = CELL * size, 2 * round(FARTHEST / CELL)
    draw = stream(seed, "forbidden cells")
    banned = (draw.random((many, many)) < terrain.forbidden).astype(np.float64)
    middle = cell * (np.arange(many) + 0.5 - 0.5 * many)
    near = np.abs(middle) < FLAT_START * size
    banned[np.ix_(near, near)] = 0.0
    return ForbiddenCells(np.full(2, -0.5 * many * cell), cell, banned)
