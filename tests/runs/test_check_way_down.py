"""The way of a robot down to a plane: how often, where and for what it is looked at."""

import math
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.robots.scene.scene import robot_scene
from equipoise.robots.stance.stance import shapes_extent
from equipoise.runs.check import settle
from equipoise.runs.check.rest import lands_on
from oracles import box_robots
from oracles.box_robots import FLOOR

BOX = mujoco.MjModel.from_xml_string(
    '<mujoco><worldbody><body name="box"><freejoint/><geom size=".1"/></body>'
    "</worldbody></mujoco>"
)
SIZE, PLANE = 0.5, 4


def looks(monkeypatch, start, end, *, turned, grounds=lambda pose: ()):
    """Return whether it is alone, and the poses in which it is looked at."""
    seen = []

    def data_at(robot, pose):
        seen.append(np.array(pose))
        return seen[-1]

    def touched(scene, data, near):
        assert near == settle.NEAR * SIZE
        return [SimpleNamespace(ground=ground) for ground in grounds(data)]

    robot: Any = SimpleNamespace(model=BOX, base="box")
    scene: Any = SimpleNamespace(data_at=data_at)
    found: Any = SimpleNamespace(pose=np.asarray(end), turned=turned, data="rest")
    monkeypatch.setattr(settle, "robot_bodies", lambda model, base: [1])
    monkeypatch.setattr(settle, "own_qpos", lambda model, bodies: range(7))
    monkeypatch.setattr(settle, "shapes_extent", lambda scene, data: SIZE)
    monkeypatch.setattr(settle, "touches", touched)
    alone = settle._is_alone(robot, scene, np.asarray(start), found, PLANE)
    return alone, np.array(seen)


UPRIGHT = [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("turned", "count"),
    # 0.1 m of 0.5 m is a fifth of its size: ten looks of a fiftieth, and both ends;
    # a turn of 0.3 rad counts as three tenths of its size
    [(0.0, 12), (None, 12), (0.3, 27), (50.0, 102)],
)
def test_it_is_looked_at_each_fiftieth_of_its_size_and_turn(monkeypatch, turned, count):
    start, end = [0.0, 0.0, 0.4 + 1e-12, *UPRIGHT], [0.06, 0.0, 0.32 + 2e-12, *UPRIGHT]
    alone, seen = looks(monkeypatch, start, end, turned=turned)
    assert alone and len(seen) == count
    assert seen[0] == pytest.approx(start) and seen[-1] == pytest.approx(end)
    steps = np.linalg.norm(np.diff(seen[:, :3], axis=0), axis=1)
    assert steps == pytest.approx(0.1 / (count - 1))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_it_turns_the_short_way_whatever_the_sign_of_its_quaternion(monkeypatch, sign):
    """By the angle of a half, evenly to either side of the middle."""
    angle = 1.2
    end = [0.0, 0.0, 0.3, *(sign * np.array([math.cos(0.6), 0.0, math.sin(0.6), 0.0]))]
    start = [0.0, 0.0, 0.3, *UPRIGHT]
    _, seen = looks(monkeypatch, start, end, turned=angle)
    turns = 2.0 * np.arctan2(seen[:, 5] * np.sign(seen[:, 3]), np.abs(seen[:, 3]))
    assert np.linalg.norm(seen[:, 3:], axis=1) == pytest.approx(1.0)
    assert (turns[0], turns[-1]) == pytest.approx((0.0, angle))
    assert (np.diff(turns) > 0.0).all()
    assert turns + turns[::-1] == pytest.approx(angle)


def test_other_ground_anywhere_on_the_way_is_seen_and_the_plane_is_none(monkeypatch):
    start, end = [0.0, 0.0, 0.4, *UPRIGHT], [0.0, 0.0, 0.3, *UPRIGHT]

    def ground(low, high, which):
        return lambda pose: (which,) if low <= pose[2] <= high else ()

    for low, high in ((0.39999, 0.5), (0.34, 0.36), (0.2, 0.30001)):
        found = looks(monkeypatch, start, end, turned=0.0, grounds=ground(low, high, 2))
        assert not found[0]
    on_it = looks(monkeypatch, start, end, turned=0.0, grounds=ground(0.0, 1.0, PLANE))
    assert on_it[0]


@pytest.mark.parametrize("has_ground", [True, False])
@pytest.mark.parametrize(("gap", "lowest"), [(0.9e-3, True), (1.1e-3, False)])
def test_what_is_lowest_in_the_end_is_named(has_ground, gap, lowest):
    """Within a thousandth of the robot's size, on ground or without any."""
    shapes = (
        '<geom name="low" size=".1" mass="1"/>'
        '<geom name="raised" size=".1" mass="1" pos="2 0 {}"/>'
        '<geom name="far" size=".1" mass="1" pos="1 0 .3"/>'
    )
    made = box_robots.robot(shapes.format(0.0), world=FLOOR if has_ground else "")
    scene = robot_scene(made)
    size = shapes_extent(scene, scene.data_at(made, made.model.qpos0))
    made = box_robots.robot(
        shapes.format(gap * size), world=FLOOR if has_ground else ""
    )
    scene, pose = robot_scene(made), np.array(made.model.qpos0)
    pose[2] = 0.1
    data = scene.data_at(made, pose)
    assert shapes_extent(scene, data) == pytest.approx(size, rel=1e-3)
    named = [
        name for name in ("low", "raised", "far") if name in str(lands_on(scene, data))
    ]
    assert named == (["low", "raised"] if lowest else ["low"])
