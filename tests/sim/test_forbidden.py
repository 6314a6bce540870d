"""Ground with forbidden cells, one block, one hole."""

import mujoco
import numpy as np
import pytest

from equipoise.core.contracts import Readings
from equipoise.core.errors import EquipoiseError
from equipoise.robots.load import load
from equipoise.sim.forbidden import forbidden_cells
from equipoise.sim.machine.fix import FixConfig, MapFix
from equipoise.sim.machine.world import machine_world
from equipoise.sim.terrain import parse_terrain, surface_of


def test_cells_are_drawn_by_the_seed_and_none_about_the_start():
    terrain = parse_terrain("banned:30")
    cells = forbidden_cells(terrain, 4, 1.82)
    assert cells.cell == pytest.approx(0.05005)
    # 30 % of half a million cells, five standard deviations of the share
    assert cells.banned.mean() == pytest.approx(0.3 * (1 - 0.06**2), abs=0.004)
    again = forbidden_cells(terrain, 4, 1.82)
    assert (again.banned == cells.banned).all()
    assert (forbidden_cells(terrain, 5, 1.82).banned != cells.banned).any()
    middle = len(cells.banned) // 2
    assert not cells.banned[middle - 20 : middle + 20, middle - 20 : middle + 20].any()
    assert forbidden_cells(parse_terrain("flat"), 4, 1.0) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("banned:90", "banned must be 0 to 80 %, got 90.0"),
        ("banned:nan", "terrain 'banned' takes a share: 0.35 or 35%, got 'nan'"),
        ("pit:deep", "terrain 'pit' takes a length: .* got 'deep'"),
        ("bump:-1", "bump must be 0 to 40 cm, got -1.0"),
    ],
)
def test_bad_values_are_refused_in_a_sentence(text, said):
    with pytest.raises(EquipoiseError, match=said):
        parse_terrain(text)


@pytest.mark.parametrize(("text", "high"), [("bump:15", 0.15), ("pit:30", -0.3)])
def test_one_block_or_hole_in_the_way_of_the_left_feet(text, high):
    surface = surface_of(parse_terrain(text), size=1.82)
    x, y = 1.2 * 1.82, 0.25 * 1.82
    assert surface.height(x, y) == pytest.approx(high)
    assert surface.height(x + 0.3, y) == surface.height(0.0, 0.0) == 0.0
    assert surface.height(x, -y) == 0.0  # right feet go by
    world = machine_world(load("titan3"), text, size=1.82)
    data = world.start()
    mujoco.mj_forward(world.model, data)
    down, hit = np.array([0.0, 0.0, -1.0]), np.zeros(1, np.int32)
    for place in ((x, y), (x + 0.3, y), (0.0, 0.9), (x, -y)):
        start = np.array([*place, 0.5])
        far = mujoco.mj_ray(world.model, data, start, down, None, 1, -1, hit)
        assert 0.5 - far == pytest.approx(surface.height(*place), abs=1e-9)


def test_a_place_on_the_map_is_told_at_its_rate():
    readings = Readings(
        0.0, 0.002, *(np.zeros(1) for _ in range(4)), np.zeros(3), np.zeros(3),
        np.zeros(2), np.zeros(4), np.zeros(4),
    )  # fmt: skip
    fix = MapFix(FixConfig(rate=5.0), readings)
    c, s = np.cos(0.3), np.sin(0.3)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    fix.read(0, np.array([1.0, 2.0, 0.9]), R)
    np.testing.assert_allclose(readings.fix, [1.0, 2.0, 0.3], atol=1e-15)
    fix.read(99, np.array([3.0, 2.0, 0.9]), R)
    assert readings.fixed == 0.0 and readings.fix[0] == 1.0
    fix.read(100, np.array([3.0, 2.0, 0.9]), R)
    assert readings.fixed == 0.2 and readings.fix[0] == 3.0
