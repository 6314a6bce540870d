"""What a live page shows stands where the robot is, without a page or a server."""

from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

pytest.importorskip("viser", reason="pip install 'equipoise[viewer]'")

from equipoise.viz.camera import Camera
from equipoise.viz.live.scene import (
    SECTION,
    BodyClick,
    LiveScene,
    camera_framing,
    is_still,
)

CAMERA = Camera(eye=(3.0, -4.0, 2.0), target=(1.0, 0.5, 0.4))


def scene(slope: float = 0.0) -> Any:
    """Return a scene that nobody serves, its floor on a slope about y [rad]."""
    made: Any = object.__new__(LiveScene)
    made.shift, made.root = np.zeros(3), SimpleNamespace(position=None)
    made.floor = SimpleNamespace(position=None)
    made.floor_place = np.array([0.1, 0.2, 0.3])
    made.floor_quat = np.array([np.cos(slope / 2), 0.0, np.sin(slope / 2), 0.0])
    return made


def test_a_click_is_told_where_the_robot_is_and_not_where_it_is_shown():
    """The page is moved against the robot's way: a ray at it goes through its body."""
    told: list[BodyClick] = []
    shown = scene()
    shown.follow(np.array([7.0, -5.0, 0.6]))
    body = np.array([7.2, -5.1, 0.5])  # in W
    eye = np.array([2.0, 1.0, 1.5])  # on the page, its middle at the robot
    way = 0.3 * (body + shown.root.position - eye)
    shown.click_on(4, told.append)(SimpleNamespace(ray_origin=eye, ray_direction=way))
    (click,) = told
    assert click.body == 4
    assert np.linalg.norm(click.way) == pytest.approx(1.0, abs=1e-15)
    aside = np.cross(body - click.origin, click.way)
    assert aside == pytest.approx(np.zeros(3), abs=1e-14)  # rounding
    assert click.origin == pytest.approx([9.0, -4.0, 1.5])


def test_the_robot_stays_in_the_middle_and_its_height_counts():
    shown = scene()
    shown.follow(np.array([7.0, -5.0, 0.6]))
    assert shown.root.position.tolist() == [-7.0, 5.0, 0.0]
    shown.follow(None)
    assert shown.root.position.tolist() == [-7.0, 5.0, 0.0]


@pytest.mark.parametrize("slope", [0.0, 0.3, -0.2])
def test_the_grid_goes_along_by_whole_cells_and_stays_in_its_plane(slope):
    shown = scene(slope)
    shown.follow(np.array([7.3, -5.4, 0.6]))
    gone = shown.floor.position - shown.floor_place
    assert (gone[:2] / SECTION).tolist() == [7.0, -5.0]
    normal = np.array([np.sin(slope), 0.0, np.cos(slope)])
    assert gone @ normal == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("aspect", [0.5, 1.0, 1.09, 1.1, 1.5, 2.0])
def test_the_eye_looks_the_same_way_from_farther_where_a_page_is_narrow(aspect):
    eye, target = camera_framing(CAMERA, aspect)
    away = np.array(CAMERA.eye) - np.array(CAMERA.target)
    narrow = aspect < 1.1
    farther = 1.35 * (1.5 / aspect if narrow else 1.0)
    assert eye - target == pytest.approx(farther * away)
    moved = target - np.array(CAMERA.target)
    size = farther * np.linalg.norm(away)
    if narrow:  # the panel is below: the robot is shown above the middle
        assert moved == pytest.approx([0.0, 0.0, -0.1 * size])
    else:  # at the right: the robot is shown left of the middle
        right = np.cross(-away, [0.0, 0.0, 1.0])
        assert moved == pytest.approx(0.14 * size * right / np.linalg.norm(right))


def test_what_is_placed_or_jointed_moves_and_what_is_welded_does_not():
    model = mujoco.MjModel.from_xml_string("""<mujoco><worldbody>
    <body name="wall"><geom size="1"/><body name="shelf"><geom size="1"/></body></body>
    <body name="arm"><joint/><geom size="1"/></body>
    <body name="goal" mocap="true"><geom size="1"/><body name="flag"><geom size="1"/>
    </body></body></worldbody></mujoco>""")
    still = {model.body(b).name: is_still(model, b) for b in range(model.nbody)}
    assert still == {
        "world": True, "wall": True, "shelf": True, "arm": False, "goal": False,
        "flag": False,
    }  # fmt: skip
