"""The camera against a pinhole written out by hand."""

import mujoco
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from equipoise.core.errors import ConfigError
from equipoise.viz.camera import Camera, camera_for
from equipoise.viz.shapes import box_corners, data_in_pose, lowest_point

SIZE = (640, 480)
EPS = np.finfo(float).eps
metres = st.floats(-3.0, 3.0)


def test_pinhole_by_hand():
    # Seen from 5 m in front (+x), +y lies to the right and z is up.
    camera = Camera(eye=(5.0, 0.0, 1.0), target=(0.0, 0.0, 1.0), fov_deg=40.0)
    f = 240.0 / np.tan(np.radians(20.0))
    x, y, depth = camera.project(np.array([[2.0, 0.5, 1.3]]), SIZE)[0]
    # rounding: a handful of operations on numbers of the picture's size
    assert abs(x - (320.0 + f * 0.5 / 3.0)) <= 16 * EPS * 640
    assert abs(y - (240.0 - f * 0.3 / 3.0)) <= 16 * EPS * 640
    assert abs(depth - 3.0) <= 16 * EPS * 5


def test_points_behind_have_no_pixel():
    camera = Camera(eye=(5.0, 0.0, 1.0), target=(0.0, 0.0, 1.0))
    assert np.isnan(camera.project(np.array([[6.0, 0.0, 1.0]]), SIZE)[0, :2]).all()


@given(st.tuples(metres, metres, metres), st.tuples(metres, metres, metres))
def test_ray_through_a_points_pixel_passes_through_the_point(p, eye_offset):
    eye = np.add(eye_offset, (9.0, 2.0, 5.0))
    camera = Camera(eye=tuple(eye), target=(0.0, 0.0, 0.0))
    seen = camera.project(np.array([p]), SIZE)
    assume(seen[0, 2] > 0.1)
    ray = camera.rays(seen[:, :2], SIZE)[0]
    away = np.array(p) - eye
    # rounding: pixels up to 1e4 away from the middle, focal length about 1000
    assert np.linalg.norm(np.cross(away, ray)) <= 1e-10
    assert away @ ray > 0.0
    assert abs(np.linalg.norm(ray) - 1.0) <= 8 * EPS


@pytest.mark.parametrize("size", [(640, 480), (300, 700), (900, 200)])
def test_framing_is_whole_and_tight(arm, size):
    poses = [np.array([0.5, -0.9, 1.2]), np.array([2.5, -0.3, 0.9])]
    camera = camera_for(arm, poses, size=size, margin=0.06)
    corners = np.concatenate([box_corners(arm, data_in_pose(arm, q)) for q in poses])
    seen = camera.project(corners.reshape(-1, 3), size)[:, :2] / size
    free = 0.06 - 1e-9  # rounding
    assert (seen >= free).all()
    assert (seen <= 1.0 - free).all()
    slack = np.minimum(seen.min(axis=0), 1.0 - seen.max(axis=0)) - 0.06
    assert slack.min() <= 1e-9  # rounding; one direction is filled


def test_further_points_are_kept_in_view(arm):
    high = np.array((0.0, 0.0, 3.0))
    camera = camera_for(arm, [np.zeros(3)], points=[high])
    x, y, _ = camera.project(high[None], SIZE)[0]
    assert 0.0 < x < SIZE[0]
    assert 0.0 < y < SIZE[1]


def test_spare_floor_lies_under_everything():
    xml = "<mujoco><worldbody><geom pos='0 0 {z}' size='.2'/></worldbody></mujoco>"
    for z, floor in ((1.0, 0.0), (-1.0, -1.2)):
        model = mujoco.MjModel.from_xml_string(xml.format(z=z))
        ground = camera_for(model, [np.zeros(0)]).ground
        assert abs(ground - floor) <= 4 * EPS  # rounding: one sum


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"eye": (0.0, 0.0, 5.0)}, "above each other"),
        ({"eye": (0.0, 0.0, 0.0)}, "above each other"),
        ({"fov_deg": float("nan")}, "fov_deg"),
        ({"fov_deg": 180.0}, "fov_deg"),
    ],
)
def test_cameras_that_see_nothing_are_refused(changes, words):
    good = {"eye": (1.0, 0.0, 0.0), "target": (0.0, 0.0, 0.0)}
    with pytest.raises(ConfigError, match=words):
        Camera(**{**good, **changes})


def test_nothing_to_see_is_one_sentence():
    empty = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujoco>"
    )
    with pytest.raises(ConfigError, match="no visible geom"):
        camera_for(empty, [np.zeros(0)])


def test_the_floor_is_below_the_lowest_point_and_not_below_its_box():
    shapes = {
        "sphere": ("size='.1'", 0.1),
        "capsule": ("size='.1 .2'", 0.1 + 0.2 * np.sqrt(0.5)),
        "cylinder": ("size='.1 .2'", (0.1 + 0.2) * np.sqrt(0.5)),
        "box": ("size='.1 .2 .3'", 0.2 * np.sqrt(0.5) + 0.3 * np.sqrt(0.5)),
        "ellipsoid": ("size='.1 .2 .3'", np.sqrt(0.5 * (0.2**2 + 0.3**2))),
        "mesh": ("mesh='m'", 0.0),  # its own origin is its lowest corner
    }
    for kind, (size, down) in shapes.items():
        model = mujoco.MjModel.from_xml_string(
            "<mujoco><compiler angle='degree'/><asset><mesh name='m' vertex='"
            "0 0 0 .1 0 0 0 .1 0 0 0 .1'/></asset><worldbody>"
            f"<geom type='{kind}' {size} euler='45 0 0' pos='0 0 -1'/>"
            "</worldbody></mujoco>"
        )
        low = lowest_point(model, data_in_pose(model, np.zeros(0)))
        assert low == pytest.approx(-1.0 - down, abs=1e-7), kind  # float32 corners
        assert camera_for(model, [np.zeros(0)]).ground == pytest.approx(low)
