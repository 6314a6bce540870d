"""What a machine knows of the ground around it: heights and forbidden cells."""

from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.records import Record, Records, entry

__all__ = ["GroundMap", "MapFrame", "no_map"]


class MapFrame(Record):
    """Where a map's cells lie in W."""

    west: float = entry("least x", "m")
    south: float = entry("least y", "m")
    cell: float = entry("edge of a cell", "m")


@final
@dataclass(slots=True, eq=False)
class GroundMap:
    """A grid of cells; a machine without a map has one of no cells."""

    frame: Records[MapFrame]
    """(1,)."""
    height: Array
    """Of each cell, (nx, ny) [m]; nan where it is not known."""
    banned: Array
    """1 where no foot may be put down, (nx, ny)."""


def no_map() -> GroundMap:
    """Return a map of no cells."""
    frame = MapFrame.zeros()
    frame["cell"] = 1.0
    return GroundMap(frame, np.zeros((0, 0)), np.zeros((0, 0)))
