"""Maps of ways: cells and places, obstacles as wide as machines, the next place."""

import numpy as np
import pytest

from equipoise.control.ground_map import GroundMap, MapFrame
from equipoise.control.harmonic.field import harmonic_field
from equipoise.control.harmonic.grid import MOST_CELLS, way_grid
from equipoise.core.errors import ConfigError


def test_cells_hold_their_middles_and_the_goal_is_where_it_is(rng):
    grid = way_grid((1.3, -0.7), 0.1, 0.5)
    nx, ny = grid.is_obstacle.shape
    for _ in range(50):
        cell = (int(rng.integers(nx)), int(rng.integers(ny)))
        assert grid.cell_of(*grid.middle(cell)) == cell
    assert grid.middle(grid.goal) == (1.3, -0.7)
    assert grid.cell_of(-99.0, 99.0) == (0, ny - 1)
    room = [grid.cell_of(x, y) for x, y in ((-0.49, 0.0), (1.79, 0.0))]
    assert room[0][0] == 0 and room[1][0] == nx - 1


def test_an_obstacle_is_as_wide_as_the_machine_and_spares_the_goal():
    grid = way_grid((1.0, 0.0), 0.1, 1.0).blocked(np.array([0.9, 0.0]), 0.35)
    for cell in np.argwhere(np.ones_like(grid.is_obstacle)):
        x, y = grid.middle((int(cell[0]), int(cell[1])))
        is_near = np.hypot(x - 0.9, y) <= 0.35 + 1e-12
        assert grid.is_obstacle[tuple(cell)] == (is_near and tuple(cell) != grid.goal)


def test_what_stands_tall_on_a_turned_map_is_in_the_way():
    frame = MapFrame.zeros()
    frame[0].west, frame[0].south, frame[0].cell = 0.5, 0.2, 0.1
    frame[0].turn = np.pi / 2
    height = np.zeros((3, 3))
    height[2, 0], height[0, 0] = 0.4, np.nan
    grid = way_grid((1.0, 1.0), 0.1, 0.5)
    grid = grid.mapped(GroundMap(frame, height, 0.0 * height), 0.1, 0.0)
    blocked = np.argwhere(grid.is_obstacle)
    assert len(blocked) == 1  # (2.5, 0.5) cells of the map, turned by a right angle
    x, y = grid.middle(tuple(int(k) for k in blocked[0]))
    assert (x, y) == pytest.approx((0.45, 0.45), abs=0.051)


def test_the_next_place_is_in_sight_and_machines_that_are_caught_get_out():
    grid = way_grid((2.0, 0.0), 0.1, 1.0)
    for y in np.arange(-0.5, 0.51, 0.05):
        grid = grid.blocked(np.array([1.0, y]), 0.05)
    field = harmonic_field(grid.is_obstacle, grid.goal)
    here = grid.cell_of(0.6, 0.0)
    place = grid.next_place(field, here, 8)
    x, y = np.linspace(grid.middle(here), place, 200).T
    assert not any(grid.is_obstacle[grid.cell_of(*p)] for p in zip(x, y, strict=True))
    caught = grid.cell_of(1.0, 0.0)
    assert grid.is_obstacle[caught]
    place = grid.next_place(field, caught, 0)
    assert np.hypot(place[0] - 1.0, place[1]) < 0.2
    assert not grid.is_obstacle[grid.cell_of(*place)]


def test_a_goal_beyond_the_map_is_refused():
    with pytest.raises(ConfigError, match=r"goal must be within 23.6 m in x and y"):
        way_grid((0.1 * MOST_CELLS, 0.0), 0.1, 1.0)
