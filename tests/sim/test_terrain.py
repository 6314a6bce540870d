"""Terrain by name, and its surface against MuJoCo's distances between shapes."""

import math

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError, EquipoiseError, UnknownNameError
from equipoise.core.terrains import TERRAINS
from equipoise.sim.machine.scene import runs_of
from equipoise.sim.terrain import (
    SURFACES,
    Terrain,
    ball_depth,
    parse_terrain,
    surface_of,
)

RADIUS = 0.025
EPS = np.finfo(float).eps


@pytest.mark.parametrize("text", ["flat", "slope:20", "slope:-7.5", "blocks:4",
    "soft:3000", "wall"])  # fmt: skip
def test_names_are_read_and_written(text):
    terrain = parse_terrain(text)
    assert str(terrain) == text
    assert parse_terrain(str(terrain)) == terrain


@pytest.mark.parametrize("name", TERRAINS)
def test_every_kind_of_ground_has_an_example_a_geometry_and_help(name):
    kind = TERRAINS[name]
    terrain = parse_terrain(kind.example(name))
    assert terrain.kind == name
    surface = surface_of(terrain, seed=1)
    assert np.isfinite(surface.tiles).all() and np.isfinite(surface.height(2.0, 0.3))
    assert set(SURFACES) == set(TERRAINS)
    assert kind.what and kind.what[0].islower() and not kind.what.endswith(".")
    if kind.number is not None:
        assert kind.number.least < kind.number.example < kind.number.most


def test_numbers_are_si():
    assert parse_terrain("slope:20").slope == 0.2
    assert parse_terrain("blocks:4").block_height == 0.04
    assert parse_terrain("soft:3000").stiffness == 3000.0
    assert parse_terrain("slope:20%") == Terrain("slope", 20.0)
    assert parse_terrain("blocks:40mm") == Terrain("blocks", 4.0)
    assert parse_terrain("soft:3kN/m") == Terrain("soft", 3000.0)
    assert parse_terrain("blocks:0.1h", 0.5) == Terrain("blocks", 5.0)
    assert parse_terrain("slope:10deg").slope == math.tan(math.radians(10.0))
    assert parse_terrain("flat") == Terrain()
    assert Terrain().stiffness == math.inf


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("slop:20", "no terrain 'slop'. Did you mean 'slope'?"),
        ("", "no terrain ''."),
        ("slope", "slope needs a number, as in slope:10, got 'slope'"),
        ("blocks:high", "terrain 'blocks' takes a length: 0.2m, 2cm or 20mm, got"),
        ("blocks:4kg", "terrain 'blocks' takes a length: 0.2m, 2cm or 20mm, got"),
        ("slope:", "slope needs a number, as in slope:10, got 'slope:'"),
        ("slope:89deg", "slope must be -60 to 60 %, got 5728"),
        ("slope:180deg", "takes an angle or a grade: 20deg, 0.35rad or 35%, got"),
        ("slope:80", "slope must be -60 to 60 %, got 80.0"),
        ("blocks:-1", "blocks must be 0 to 20 cm, got -1.0"),
        ("soft:100", "soft must be 200 to 1e+06 N/m, got 100.0"),
        ("soft:nan", "takes a stiffness: 3000N/m or 15kN/m, got 'nan'"),
        ("flat:3", "flat takes no number, got 'flat:3'"),
        ("wall:2", "wall takes no number, got 'wall:2'"),
    ],
)
def test_bad_names_get_one_sentence(text, said):
    with pytest.raises(EquipoiseError) as caught:
        parse_terrain(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_terrain_made_by_hand_is_checked_too():
    with pytest.raises(UnknownNameError, match="'mud'"):
        Terrain("mud", 1.0)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigError, match="takes no number, got 2"):
        Terrain("flat", 2.0)


def test_tiles_cover_the_way_ahead_and_leave_the_start_level():
    surface = surface_of(parse_terrain("blocks:4"), seed=3)
    x, y = np.meshgrid(np.arange(-0.55, 15.0, 0.1), np.arange(-2.05, 2.1, 0.1))
    at = np.array([surface.height(*p) for p in np.c_[x.ravel(), y.ravel()]])
    near = (np.abs(x.ravel()) < 0.6) & (np.abs(y.ravel()) < 0.6)
    assert np.all(at[near] == 0.0)
    assert np.all((at[~near] > 0.0) & (at[~near] <= 0.04))
    assert len(np.unique(at)) == 52 * 14 - 16 + 1
    for place in ((-0.7, 0.0), (15.1, 0.0), (3.0, 2.2), (3.0, -2.2)):
        assert surface.height(*place) == 0.0
    # uniform in 0 to 4 cm: mean 2 cm, sd 4 / sqrt(12) cm of 712 tiles; five of them
    tiles = surface.tiles[surface.tiles > 0.0]
    assert abs(tiles.mean() - 0.02) < 5 * 0.04 / math.sqrt(12 * tiles.size)


def test_tiles_belong_to_their_seed():
    same = [surface_of(parse_terrain("blocks:4"), seed=s).tiles for s in (1, 1, 2)]
    np.testing.assert_array_equal(same[0], same[1])
    assert not np.array_equal(same[0], same[2])


@pytest.mark.parametrize("percent", [-20.0, 0.0, 35.0])
def test_depth_in_a_slope_is_that_across_it(percent):
    surface = surface_of(Terrain("slope", percent))
    angle = math.atan(percent / 100.0)
    normal = np.array([-math.sin(angle), 0.0, math.cos(angle)])
    np.testing.assert_allclose(surface.normal, normal, atol=4 * EPS)
    on = np.array([1.7, -0.4, 1.7 * percent / 100.0])
    assert surface.height(1.7, -0.4) == pytest.approx(on[2])
    found = np.zeros(3)
    for depth in (-0.1, 0.0, 0.004):
        place = on + (RADIUS - depth) * normal
        got = ball_depth(surface, place, RADIUS, found)
        assert got == pytest.approx(depth, abs=32 * EPS)  # places of some 2 m
        np.testing.assert_allclose(found, normal, atol=4 * EPS)


def boxes(surface, around, reach):
    """A model with the floor and the tiles near a place, and a ball to be moved."""
    spec = mujoco.MjSpec()
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[50, 50, 0.5],
        pos=[0, 0, -0.5])  # fmt: skip
    (x0, y0), edge = surface.plane[0].corner, surface.plane[0].edge
    for (i, j), height in np.ndenumerate(surface.tiles):
        middle = np.array([x0 + (i + 0.5) * edge, y0 + (j + 0.5) * edge])
        if height > 0.0 and np.abs(middle - around).max() < reach:
            spec.worldbody.add_geom(
                type=mujoco.mjtGeom.mjGEOM_BOX,
                size=[edge / 2, edge / 2, 0.25],
                pos=[*middle, height - 0.25],
            )
    ball = spec.worldbody.add_body(mocap=True)
    ball.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[RADIUS, 0, 0])
    return spec.compile()


def test_depth_among_tiles_is_the_engines_distance(rng):
    surface = surface_of(parse_terrain("blocks:6"), seed=1)
    model = boxes(surface, (3.0, 0.0), 1.0)
    data = mujoco.MjData(model)
    ball, tops, sides = model.ngeom - 1, 0, 0
    normal, line = np.zeros(3), np.zeros(6)
    for _ in range(1500):
        place = rng.uniform([2.5, -0.5, 0.0], [3.5, 0.5, 0.09])
        if surface.height(place[0], place[1]) >= place[2]:
            continue  # the centre is in the ground
        data.mocap_pos[0] = place
        mujoco.mj_kinematics(model, data)
        far = [mujoco.mj_geomDistance(model, data, g, ball, 1.0, line)
            for g in range(ball)]  # fmt: skip
        depth = ball_depth(surface, place, RADIUS, normal)
        if depth < 0.0:  # neighbours are looked at within the radius only
            assert min(far) >= 0.0
            continue
        # the engine's own distance of a ball and a box is closed too: rounding
        assert depth == pytest.approx(-min(far), abs=1e-12)
        assert np.linalg.norm(normal) == pytest.approx(1.0)
        tops += normal[2] == 1.0
        sides += normal[2] < 0.9
        if normal[2] < 0.9:  # out of the ground along it, it is as much less deep
            data.mocap_pos[0] = place + 1e-6 * normal
            mujoco.mj_kinematics(model, data)
            out = [mujoco.mj_geomDistance(model, data, g, ball, 1.0, line)
                for g in range(ball)]  # fmt: skip
            assert min(out) - min(far) == pytest.approx(1e-6, rel=1e-4)  # rounding
    assert tops > 20
    assert sides > 20


def test_depth_in_any_plane_is_the_distance_along_its_normal(rng):
    """A board's surface: rises along x and y, and a height; n . (p - p0) by hand."""
    flat, found = surface_of(Terrain()), np.zeros(3)
    for along, aside, height in rng.uniform(-0.4, 0.4, (20, 3)):
        flat.plane[0].rise[:] = along, aside
        flat.plane[0].height = height
        way = np.cross([1.0, 0.0, along], [0.0, 1.0, aside])
        normal = way / np.linalg.norm(way)
        place = rng.uniform(-1.0, 1.0, 3)
        wanted = RADIUS - normal @ (place - [0.0, 0.0, height])
        got = ball_depth(flat, place, RADIUS, found)
        assert got == pytest.approx(wanted, abs=32 * EPS)
        np.testing.assert_allclose(found, normal, atol=8 * EPS)
        np.testing.assert_allclose(flat.normal, normal, atol=8 * EPS)


def test_a_wall_is_across_the_way_and_as_large_as_the_machine():
    for size in (0.25, 1.0):
        surface = surface_of(parse_terrain("wall"), size=size)
        assert surface.height(2.06 * size, 1.2 * size) == pytest.approx(0.3 * size)
        assert surface.height(2.06 * size, 1.3 * size) == 0.0
        assert surface.height(1.99 * size, 0.0) == surface.height(2.2 * size, 0.0) == 0


def test_plates_lie_one_upon_the_other_askew_and_as_the_seed_has_it():
    surface = surface_of(parse_terrain("plates"), seed=3, size=0.224)
    levels = np.unique(surface.tiles.round(9))
    np.testing.assert_allclose(levels, [0.0, 0.01, 0.02, 0.03], atol=1e-12)
    assert surface.height(0.0, 0.0) == 0.0
    assert surface.height(2.4 * 0.224, 0.0) == pytest.approx(0.03)
    # sides of a plate are not along the grid: its corner's row is shorter
    lowest = (surface.tiles > 0.005).sum(axis=1)
    assert len(np.unique(lowest[lowest > 0])) > 5
    other = surface_of(parse_terrain("plates"), seed=4, size=0.224)
    assert not np.array_equal(surface.tiles, other.tiles)
    assert str(parse_terrain("plates")) == "plates:1"
    assert parse_terrain("plates:0.1h", 0.112).unseen == pytest.approx(0.0112)


def test_tiles_of_one_height_in_a_row_are_one_box():
    heights = np.array([0.0, 0.01, 0.01, 0.02, 0.0, 0.02])
    assert runs_of(heights) == [(1, 3, 0.01), (3, 4, 0.02), (5, 6, 0.02)]
    assert runs_of(np.zeros(3)) == []


@pytest.mark.parametrize(
    ("terrain", "unseen"),
    [("flat", 0.0), ("slope:20", 0.0), ("soft:3000", 0.0), ("banned:30", 0.0),
     ("blocks:4", 0.04)],
)  # fmt: skip
def test_only_heights_are_unseen(terrain, unseen):
    assert parse_terrain(terrain).unseen == pytest.approx(unseen)
