"""Light and shadow of a movie's points, by the geometry of rays; kernels as Python."""

import math

import numpy as np
import pytest

from equipoise.viz.movie import light
from equipoise.viz.raycast import (
    FLOOR_DARK,
    FLOOR_LIGHT,
    LAMP,
    SHADOW_FLOOR,
    SHADOW_ROBOT,
)


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Let the kernels run as Python: nothing is compiled for a few points."""
    for name, kernel in list(vars(light).items()):
        if hasattr(kernel, "py_func"):
            monkeypatch.setattr(light, name, kernel.py_func)


def looking_down(height=2.0, focal=10.0, size=(8, 10)):
    """Return the view of a lamp above the origin, and what it sees at depth 1."""
    rows, columns = size
    lamp = np.array(
        [
            [0, 0, height],
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, -1],
            [focal, columns / 2, rows / 2],
        ],
        float,
    )
    return lamp, np.zeros(size)


# --- shadows ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "x, y, cell",
    [
        (0.05, 0.05, (3, 5)),
        (-0.05, 0.05, (3, 4)),
        (0.05, -0.05, (4, 5)),
        (0.35, 0.25, (1, 8)),
        (0.49, 0.39, (0, 9)),
        (-0.49, -0.39, (7, 0)),
    ],
)
def test_a_point_is_dark_behind_what_the_lamp_sees_there(x, y, cell):
    lamp, near = looking_down()
    # what the lamp sees in that cell is one metre away, so that z = 1 is at it
    near[cell] = 1.0
    for depth, slack, is_lit in (
        (0.9, 0, 1),
        (1.1, 0, 0),
        (1.1, 0.2, 1),
        (1.1, 0.05, 0),
    ):
        p = np.array([x * depth, y * depth, 2.0 - depth])
        assert light._is_lit(p, lamp, near, slack) == is_lit
    near[:], near[cell] = 1.0, 0.0  # nothing in this cell, all around it
    p = np.array([x * 1.1, y * 1.1, 0.9])
    assert light._is_lit(p, lamp, near, 0.0)


@pytest.mark.parametrize(
    "p", [(0, 0, 2.5), (0.51, 0, 1), (0, 0.52, 1), (0, -0.41, 1), (-0.61, 0, 1)]
)
def test_what_the_lamp_does_not_look_at_is_lit(p):
    lamp, near = looking_down()
    near[:] = 100.0
    assert light._is_lit(np.array(p, float), lamp, near, 0.0)
    assert not light._is_lit(np.array([0.3, 0.3, 1.0]), lamp, near, 0.0)


@pytest.mark.parametrize("x, y", [(-0.505, 0.0), (-0.59, 0.1), (0.1, 0.405), (0, 0.49)])
def test_a_point_less_than_a_cell_outside_what_the_lamp_sees_is_lit(x, y):
    # 10 columns of 0.1 m and 8 rows at a depth of 1 m: a cell ends at 0.5 and 0.4 m
    lamp, near = looking_down()
    near[:] = 100.0
    assert light._is_lit(np.array([x, y, 1.0]), lamp, near, 0.0)
    inwards = np.array([np.clip(x, -0.495, 0.495), np.clip(y, -0.395, 0.395), 1.0])
    assert not light._is_lit(inwards, lamp, near, 0.0)


# --- normals ----------------------------------------------------------------------


def test_a_normal_is_weighed_between_the_corners(rng):
    corners = rng.normal(size=(3, 3))
    normals = rng.normal(size=(3, 3))
    surface = np.vstack([corners, normals, [[0.5, 0.5, 0.5]]])
    for weights in ([1, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.3, 0.5], [0.6, 0.1, 0.3]):
        found = np.zeros(3)
        light._weigh(surface, np.array(weights) @ corners, found)
        wanted = np.array(weights) @ normals
        np.testing.assert_allclose(found, wanted / np.linalg.norm(wanted), atol=1e-9)
    flat = surface.copy()
    flat[1] = flat[2] = flat[0]  # no triangle at all: the first corner's
    light._weigh(flat, corners[0], found)
    np.testing.assert_allclose(found, normals[0] / np.linalg.norm(normals[0]))


# --- floors -----------------------------------------------------------------------


def floor(height=0.0, half=(0.0, 0.0), slope=0.0, turn=0.0):
    """Return a floor that rises towards +x, its sides turned about its normal."""
    c, s, a, b = math.cos(slope), math.sin(slope), math.cos(turn), math.sin(turn)
    x, y = np.array([c, 0.0, s]), np.array([0.0, 1.0, 0.0])
    rows = [[0, 0, height], a * x + b * y, a * y - b * x, [-s, 0, c], [*half, 0]]
    return np.array(rows, float)


EYE = np.array([0.3, -0.2, 2.0])


@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_a_ray_meets_a_floor_where_its_plane_is(slope, rng):
    one = floor(0.5, slope=slope)
    normal = one[3]
    for _ in range(20):
        d = rng.normal(size=3)
        found, length = light._floor_at(one[None], EYE, d, 1e9)
        height = normal @ (EYE - one[0])
        if normal @ d < 0.0:
            assert found == 0 and length == pytest.approx(-height / (normal @ d))
        else:
            assert (found, length) == (-1, 1e9)  # it looks away


def test_the_nearest_floor_counts_and_only_from_above():
    floors = np.stack([floor(0.0), floor(1.0), floor(0.5), floor(2.5)])
    down = np.array([0.0, 0.0, -2.0])
    assert light._floor_at(floors, EYE, down, 1e9) == (1, pytest.approx(0.5))
    assert light._floor_at(floors[[0, 2]], EYE, down, 1e9) == (1, pytest.approx(0.75))
    assert light._floor_at(floors, EYE, down, 0.4) == (-1, 0.4)  # something is nearer
    on_it = np.array([0.0, 0.0, 1.0])
    assert light._floor_at(floors[1:2], on_it, down, 9.0) == (-1, 9.0)
    along = np.array([1.0, 0.0, 0.0])
    assert light._floor_at(floors, EYE, along, 9.0) == (-1, 9.0)


@pytest.mark.parametrize("turn", [0.0, 0.7])
@pytest.mark.parametrize("half", [(0.5, 0.3), (0.0, 0.3), (0.5, 0.0)])
def test_a_floor_ends_where_its_sides_are(turn, half):
    one = floor(0.0, half=half, turn=turn)
    for at in ((0.49, 0.29), (0.51, 0.29), (0.49, 0.31), (-0.49, -0.29), (-0.51, 0.0)):
        p = at[0] * one[1] + at[1] * one[2]
        found, length = light._floor_at(one[None], EYE, p - EYE, 9.0)
        is_on = all(h == 0.0 or abs(x) <= h for x, h in zip(at, half, strict=True))
        assert found == (0 if is_on else -1)
        assert length == pytest.approx(1.0 if is_on else 9.0)


def test_a_floor_is_a_chessboard_that_fades_into_white():
    lamp, near = looking_down()
    look = np.array([1.0, 0.25, 0.1, 0.2])  # reach, side, middle

    def bright(x, y):
        return light._floor_light(np.array([x, y, 0.0]), lamp, near, look)

    assert bright(0.1, 0.2) == bright(0.3, 0.3) == FLOOR_LIGHT
    assert bright(0.3, 0.2) == bright(-0.1, 0.2) == FLOOR_DARK
    assert bright(-0.1, -0.1) == FLOOR_LIGHT
    # nothing fades up to 0.9 reaches of the middle, all has at 2.8, half in between
    edge = 0.1 + 0.9 - 1e-6
    assert bright(edge, 0.2) in (
        pytest.approx(FLOOR_LIGHT, abs=1e-6), pytest.approx(FLOOR_DARK, abs=1e-6),
    )  # fmt: skip
    assert bright(0.1 + 2.8, 0.2) == 1.0
    assert bright(0.1, 0.2 - 2.8) == 1.0
    half = {bright(0.1 + 1.85, 0.2), bright(0.1 - 1.85, 0.2)}
    wanted = [1.0 - 0.5 * (1.0 - one) for one in (FLOOR_LIGHT, FLOOR_DARK)]
    assert all(min(abs(x - w) for w in wanted) < 1e-12 for x in half)
    # a quarter of the way the cubic 3 x² - 2 x³ has gone 10 of 64 parts
    quarter = bright(0.1 + 0.9 + 0.475, 0.2)
    wanted = [1.0 - (1.0 - 10 / 64) * (1.0 - one) for one in (FLOOR_LIGHT, FLOOR_DARK)]
    assert min(abs(quarter - w) for w in wanted) < 1e-12
    near[:] = 100.0
    shaded = 1.0 - SHADOW_FLOOR
    assert bright(0.1, 0.2) == pytest.approx(shaded * FLOOR_LIGHT)
    assert bright(0.3, 0.2) == pytest.approx(shaded * FLOOR_DARK)
    wide = np.array([2.0, 0.25, 0.1, 0.2])
    near[:] = 0.0
    ends = [0.5 + 0.5 * one for one in (FLOOR_LIGHT, FLOOR_DARK)]
    far = light._floor_light(np.array([0.1 + 2 * 1.85, 0.2, 0.0]), lamp, near, wide)
    assert min(abs(far - one) for one in ends) < 1e-12


def test_a_shadow_needs_a_thousandth_of_reach_behind_what_casts_it():
    lamp, near = looking_down()
    look = np.array([2.0, 9.0, 0.0, 0.0])
    p = np.array([0.05, 0.05, 0.0])
    for ahead, is_shaded in ((1.9e-3, False), (2.1e-3, True)):
        near[:] = 1.0 / (2.0 - ahead)
        bright = light._floor_light(p, lamp, near, look)
        wanted = FLOOR_LIGHT * (1.0 - SHADOW_FLOOR if is_shaded else 1.0)
        assert bright == pytest.approx(wanted)


# --- solids -----------------------------------------------------------------------


@pytest.mark.parametrize("is_sunny", [True, False])
@pytest.mark.parametrize(
    "normal", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0.6, 0, 0.8), (0, 0.8, -0.6)]
)
def test_a_solid_is_lit_by_sky_viewer_and_lamp(normal, is_sunny):
    lamp, _ = looking_down(height=3.0)
    normal, p = np.array(normal, float), np.array([0.5, -0.3, 1.0])
    d = np.array([0.2, 0.1, -0.7])
    head_on = max(-normal @ d / np.linalg.norm(d), 0.0)
    to_lamp = lamp[0] - p
    facing = max(normal @ to_lamp / np.linalg.norm(to_lamp), 0.0)
    sun = LAMP * facing * (1.0 if is_sunny else 1.0 - SHADOW_ROBOT)
    wanted = min(max(0.42 + 0.10 * normal[2] + 0.18 * head_on + sun, 0.0), 1.05)
    found = light._solid_light(p, normal, d, lamp, is_sunny)
    assert found == pytest.approx(wanted)
    assert 0.3 <= found <= 1.05


# --- a whole point ----------------------------------------------------------------


def scene():
    """Return what a camera above a floor sees: a red triangle in its left half.

    It lies at half the height and looks up; the camera looks straight down.
    """
    height, focal, size = 2.0, 4.0, (4, 6)
    view = np.array(
        [[0, 0, height], [1, 0, 0], [0, 1, 0], [0, 0, -1], [focal, 3.0, 2.0]], float
    )
    lamp = view.copy()
    lamp[0] = 0.0, 0.0, 5.0
    corners = [[-3, -3, 1], [0, -3, 1], [-3, 3, 1]]
    normals = [[0, 0, 1]] * 3
    surface = np.array([[*corners, *normals, [0.8, 0.2, 0.1]]], float)
    near, index = np.zeros(size), np.full(size, -1)
    near[:, :3], index[:, :3] = 1.0, 0
    look = np.array([3.0, 0.25, 0.0, 0.0])
    return (view, lamp), surface, (near, index, np.zeros(size)), look


def painted(views, surface, seen, floors, look):
    rgb = np.zeros((4, 6, 3), np.uint8)
    room = np.zeros(3), np.zeros(3), np.zeros(3)
    for row in range(4):
        for column in range(6):
            light._paint(row, column, views, surface, seen, (floors, look), room, rgb)
    return rgb


@pytest.mark.parametrize("flip", [1.0, -1.0])
def test_points_of_a_picture_are_of_what_is_nearest(flip):
    views, surface, seen, look = scene()
    surface[0, 3:6] *= flip  # a normal that looks away is turned round
    rgb = painted(views, surface, seen, floor()[None], look)
    assert (seen[1][:, :3] == 0).all() and (seen[1][:, 3:] == -1).all()
    for row in range(4):
        for column in range(6):
            x, y = (column + 0.5 - 3.0) / 4.0, (2.0 - row - 0.5) / 4.0
            d = np.array([x, y, -1.0])
            if column >= 3:  # two metres down to the floor
                p = np.array([2.0 * x, 2.0 * y, 0.0])
                bright = light._floor_light(p, views[1], seen[2], look)
                wanted = np.full(3, int(255.0 * bright + 0.5))
            else:
                up = np.array([0.0, 0.0, 1.0])
                p = np.array([x, y, 1.0]) + light.STAND_OFF * look[0] * up
                bright = light._solid_light(p, up, d, views[1], True)
                colour = np.clip(np.array([0.8, 0.2, 0.1]) * bright, 0.0, 1.0)
                wanted = (255.0 * colour + 0.5).astype(int)
            np.testing.assert_array_equal(rgb[row, column], wanted)


def test_a_floor_in_front_hides_a_solid_and_nothing_is_white():
    views, surface, seen, look = scene()
    rgb = painted(views, surface, seen, floor(1.5)[None], look)
    assert (seen[1] == -1).all() and (rgb.std(axis=2) == 0.0).all()
    views, surface, seen, look = scene()
    rgb = painted(views, surface, seen, np.zeros((0, 5, 3)), look)
    assert (rgb[:, 3:] == 255).all() and (rgb[:, :3] < 255).any()


def test_squares_whose_corners_look_alike_are_painted_once():
    views, surface, seen, look = scene()
    whole = painted(views, surface, scene()[2], floor()[None], look)
    rgb = np.zeros((4, 6, 3), np.uint8)
    light.shade(views, surface, seen, (floor()[None], look), rgb)
    index = seen[1]
    assert (index[:, :3] == 0).all() and (index[:, 3:] == -1).all()
    for y in range(0, 4, 2):
        for x in range(0, 6, 2):
            square, wanted = rgb[y : y + 2, x : x + 2], whole[y : y + 2, x : x + 2]
            np.testing.assert_array_equal(square[0, 0], wanted[0, 0])
            np.testing.assert_array_equal(square[1, 1], wanted[1, 1])
            apart = np.abs(wanted[0, 0].astype(int) - wanted[1, 1]).max()
            if x == 2 or apart > light.ALIKE:  # an edge goes through it
                np.testing.assert_array_equal(square, wanted)
            else:
                np.testing.assert_array_equal(square[0, 1], wanted[0, 0])
                np.testing.assert_array_equal(square[1, 0], wanted[1, 1])
