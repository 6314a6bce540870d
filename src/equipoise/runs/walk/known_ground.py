"""What a machine is told of the ground before it walks."""

import numpy as np

from equipoise.control.ground_map import GroundMap, MapFrame
from equipoise.control.machine import LeggedMachine
from equipoise.control.signals import NO_MAP
from equipoise.control.walker import WARP1
from equipoise.runs.walk.config import WalkConfig
from equipoise.sim.forbidden import forbidden_cells
from equipoise.sim.terrain import Surface, Terrain, surface_of

__all__ = ["known_ground", "size_over_warp1", "track_of"]

USUAL, HALF = 0.25, 0.3  # of a single block: how far to the left, and half its width


def size_over_warp1(machine: LeggedMachine) -> float:
    """Return a machine's size over WARP1's, for what lies about it.

    Args:
        machine: that walks.
    """
    return machine.height / WARP1.height if machine.is_scaled else 1.0


def track_of(machine: LeggedMachine) -> float | None:
    """Return how far to the left feet walk, where the usual track is beside them [m].

    Args:
        machine: that walks.
    """
    size, left = size_over_warp1(machine), machine.side > 0.0
    track = float(np.mean(machine.geometry.hips[left, 1]))  # over feet as they stand
    return track if abs(track - USUAL * size) > HALF * size else None


def known_ground(
    machine: LeggedMachine, config: WalkConfig, terrain: Terrain
) -> GroundMap:
    """Return the map that a machine is given: where no foot may be put down, or walls.

    Args:
        machine: that walks.
        config: whether it is given a map, and the seed of the ground.
        terrain: on what it walks.
    """
    if config.mapped:
        return _map_of(surface_of(terrain, config.seed, size_over_warp1(machine)))
    cells = forbidden_cells(terrain, config.seed, size_over_warp1(machine))
    if cells is None:
        return NO_MAP
    frame = MapFrame.zeros()
    one = frame[0]
    (one.west, one.south), one.cell = cells.corner, cells.cell
    return GroundMap(frame, np.full(cells.banned.shape, np.nan), cells.banned)


def _map_of(surface: Surface) -> GroundMap:
    """Return the heights of a terrain's tiles as a map; no cell is forbidden.

    Args:
        surface: of the terrain.
    """
    frame, plane = MapFrame.zeros(), surface.plane[0]
    (frame[0].west, frame[0].south), frame[0].cell = plane.corner, plane.edge
    return GroundMap(frame, surface.tiles.copy(), np.zeros(surface.tiles.shape))
