"""What a machine knows of the ground around it: heights and forbidden cells."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.core.contracts import Readings
from equipoise.core.records import Record, Records, entry

__all__ = ["GroundMap", "MapFrame", "located", "no_map"]

BELIEVED = 0.3  # share of what a new fix says


class MapFrame(Record):
    """Position of a map's cells in W."""

    west: float = entry("x of the corner where its own are least", "m")
    south: float = entry("y of that corner", "m")
    cell: float = entry("edge of a cell", "m")
    turn: float = entry("from W's axes to the map's", "rad")


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


def located(
    known: GroundMap, ground: GroundMap, readings: Readings, p_WB: Vec3, R_WB: Array
) -> GroundMap:
    """Return the map where a new fix has it in W, which drifts; else as it was.

    The first fix is taken as it is, of the next ones a share, since each is noisy.

    Args:
        known: the map as it was given, its own axes for W's.
        ground: the map in W as it was.
        readings: with the machine's place on the map.
        p_WB: its place in W as it is reckoned, (3,) [m].
        R_WB: its orientation, (3, 3).
    """
    if not known.banned.size or readings.fixed != readings.time:
        return ground
    x, y, heading = readings.fix
    turn = math.atan2(R_WB[1, 0], R_WB[0, 0]) - heading
    before, given = ground.frame[0], known.frame[0]
    c, s = math.cos(turn), math.sin(turn)
    west = p_WB[0] + c * (given.west - x) - s * (given.south - y)
    south = p_WB[1] + s * (given.west - x) + c * (given.south - y)
    share = 1.0 if ground is known else BELIEVED
    frame = MapFrame.zeros()
    one = frame[0]
    one.cell = given.cell
    one.west = before.west + share * (west - before.west)
    one.south = before.south + share * (south - before.south)
    off = (turn - before.turn + math.pi) % (2.0 * math.pi) - math.pi
    one.turn = before.turn + share * off
    return GroundMap(frame, known.height, known.banned)
