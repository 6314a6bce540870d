"""What a machine is told of the ground before it walks."""

import numpy as np

from equipoise.control.ground_map import GroundMap, MapFrame
from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import NO_MAP
from equipoise.control.walker import WARP1
from equipoise.runs.walk.config import WalkConfig
from equipoise.sim.forbidden import forbidden_cells
from equipoise.sim.terrain import parse_terrain

__all__ = ["known_ground", "size_of"]


def size_of(machine: LeggedMachine) -> float:
    """Return a machine's size over WARP1's, for what lies about it.

    Args:
        machine: that walks.
    """
    return machine.height / WARP1.height if machine.is_scaled else 1.0


def known_ground(machine: LeggedMachine, config: WalkConfig) -> GroundMap:
    """Return the map that a machine is given: where no foot may be put down.

    Args:
        machine: that walks.
        config: on what.
    """
    terrain = parse_terrain(config.terrain, machine.height)
    cells = forbidden_cells(terrain, config.seed, size_of(machine))
    if cells is None:
        return NO_MAP
    frame = MapFrame.zeros()
    one = frame[0]
    (one.west, one.south), one.cell = cells.corner, cells.cell
    return GroundMap(frame, np.full(cells.banned.shape, np.nan), cells.banned)
