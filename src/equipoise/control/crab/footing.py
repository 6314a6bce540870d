"""Footholds that a map allows, nearest first."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from equipoise.control.ground_map import GroundMap
from equipoise.core.arrays import Array, Ints, Vec2

__all__ = ["Footing", "footholds_near", "footing_of"]


SHY = 2.5  # cells farther away that are better than one beside a forbidden cell


@final
@dataclass(frozen=True, eq=False)
class Footing:
    """Cells of a map in the planner's frame."""

    corner: Vec2
    """Where the map's own x and y are lowest, in the planner's frame, (2,) [m]."""
    turn: float
    """From the planner's frame to the map's axes [rad]."""
    cell: float
    """Edge of a cell [m]."""
    banned: Array
    """1 where no foot may stand, (nx, ny); what is not on the map is allowed."""
    forbidden: Array
    """Places that turned out bad, (n, 2) [m]."""
    radius: float
    """About each of them in which no foot may stand [m]."""


def footing_of(
    ground: GroundMap, yaw: float, forbidden: Array, radius: float, cell: float
) -> Footing | None:
    """Return a map as the planner sees it; None where nothing is known against a place.

    Args:
        ground: the map, in W.
        yaw: of the planner's frame in W, turned about the same origin [rad].
        forbidden: places in W that turned out bad, (n, 2) [m].
        radius: about each of them [m].
        cell: edge of the cells that are looked at where there is no map [m].
    """
    if ground.banned.size == 0 and len(forbidden) == 0:
        return None
    c, s = math.cos(yaw), math.sin(yaw)
    back = np.array([[c, s], [-s, c]])
    frame = ground.frame[0]
    return Footing(
        corner=back @ np.array([frame.west, frame.south]),
        turn=frame.turn - yaw,
        cell=frame.cell if ground.banned.size else cell,
        banned=ground.banned,
        forbidden=forbidden @ back.T,
        radius=radius,
    )


def footholds_near(
    ground: Footing | None, wish: Vec2, low: Vec2, high: Vec2, most: int
) -> Iterator[Vec2]:
    """Give allowed footholds within a box, the nearest to a wish first.

    Where nothing is known against any place that is the wish itself; else the middles
    of cells, rather such as have no forbidden neighbours, since a foot never lands
    quite where it shall.

    Args:
        ground: the map; None where there is none.
        wish: (2,) [m].
        low: corner of the box, (2,) [m].
        high: and the opposite one, (2,) [m].
        most: how many are given.
    """
    if ground is None:
        yield wish
        return
    c, s = math.cos(ground.turn), math.sin(ground.turn)
    x, y = wish - ground.corner
    i = math.floor((c * x + s * y) / ground.cell)
    j = math.floor((c * y - s * x) / ground.cell)
    reach = math.ceil(float(np.max(high - low)) / ground.cell)
    span = np.arange(-reach, reach + 1)
    a, b = np.meshgrid(i + span, j + span, indexing="ij")
    x, y = (a + 0.5) * ground.cell, (b + 0.5) * ground.cell
    px, py = ground.corner[0] + c * x - s * y, ground.corner[1] + s * x + c * y
    bad = (px < low[0]) | (px > high[0]) | (py < low[1]) | (py > high[1])
    bad |= _forbidden_at(ground, a, b)
    for place in ground.forbidden:
        bad |= np.hypot(px - place[0], py - place[1]) < ground.radius
    far = np.hypot(px - wish[0], py - wish[1])
    for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        far += SHY * ground.cell * _forbidden_at(ground, a + i, b + j)
    far[bad] = np.inf
    for k in np.argsort(far, axis=None, kind="stable")[:most]:
        if not np.isfinite(far.flat[k]):
            return
        yield np.array([px.flat[k], py.flat[k]])


def _forbidden_at(ground: Footing, i: Ints, j: Ints) -> NDArray[np.bool_]:
    """Return which cells the map forbids; those beyond it are allowed.

    Args:
        ground: the map.
        i: of the cells along the map's x, any shape.
        j: and along its y.
    """
    nx, ny = ground.banned.shape
    out = np.zeros(i.shape, np.bool_)
    on = (i >= 0) & (i < nx) & (j >= 0) & (j < ny)
    out[on] = ground.banned[i[on], j[on]] > 0.0
    return out
