"""Robots with bodies and shapes elsewhere: what moved, and what must not have."""

import math

import mujoco
import numpy as np
import pytest

from equipoise.robots.robot import Robot
from equipoise.runs.check.remedies import changed_shapes
from equipoise.runs.check.remedies.changed import (
    data_of_pose,
    edited,
    is_moved,
    lighter_body,
    moved_bodies,
    stronger_joints,
    with_moved_centre,
)
from equipoise.runs.check.remedies.changed_shapes import (
    Shape,
    moved_shapes,
    shapes_named,
    wider_soles,
)
from equipoise.runs.check.remedies.feet import feet_of
from oracles.remedy_robots import (
    ANGLE,
    BALL,
    four_legs,
    pose_of,
    robot_of,
    searching,
    sizes,
    soles,
)

WAYS = [(0.03, 0.0, 0.0), (0.0, -0.02, 0.0), (0.01, 0.02, -0.03)]


@pytest.mark.parametrize("way", WAYS)
def test_a_body_moves_with_all_that_hangs_on_it_and_nothing_else(way):
    robot, way = four_legs(), np.array(way)
    pose = pose_of(robot)
    new = moved_bodies(robot, pose, {"fr": way, "rl": -2.0 * way})
    old, now = (data_of_pose(r.model, pose) for r in (robot, new))
    meant = {"fr": way, "fr_shank": way, "rl": -2.0 * way, "rl_shank": -2.0 * way}
    for body in range(robot.model.nbody):
        step = meant.get(robot.model.body(body).name, np.zeros(3))
        np.testing.assert_allclose(now.xpos[body] - old.xpos[body], step, atol=1e-12)
    # in the trunk's frame, that is turned by the yaw
    c, s = math.cos(ANGLE), math.sin(ANGLE)
    moved = new.model.body("fr").pos - robot.model.body("fr").pos
    mine = (c * way[0] + s * way[1], -s * way[0] + c * way[1], way[2])
    np.testing.assert_allclose(moved, mine, atol=1e-12)


def test_what_moved_is_told_from_what_did_not():
    robot = four_legs()
    pose, way = pose_of(robot), np.array([0.02, -0.01, 0.005])
    new = moved_bodies(robot, pose, {"fl": way})
    ids = [int(robot.model.body(name).id) for name in ("fl", "fl_shank")]
    whole = dict.fromkeys(ids, way)
    assert is_moved(robot, new, pose, whole, geoms=True)
    assert not is_moved(robot, new, pose, whole, geoms=False)  # its shapes went along
    assert not is_moved(robot, new, pose, {ids[0]: way}, geoms=True)
    assert not is_moved(robot, new, pose, dict.fromkeys(ids, -way), geoms=True)
    near, off = np.array([5e-10, 0, 0]), np.array([0, 0, 2e-9])
    assert is_moved(robot, new, pose, dict.fromkeys(ids, way + near), geoms=True)
    assert not is_moved(robot, new, pose, dict.fromkeys(ids, way + off), geoms=True)
    assert is_moved(robot, robot, pose, {}, geoms=False)
    lighter = lighter_body(robot, "rr", 0.5 * (1.0 - 1e-9))
    assert not is_moved(robot, lighter, pose, {}, geoms=False)


@pytest.mark.parametrize("way", WAYS)
def test_a_centre_of_mass_moves_in_its_body_and_no_shape_does(way):
    robot, way = four_legs(), np.array(way)
    pose = pose_of(robot)
    pose[7] = 0.6  # a bent hip: the body's own frame is turned about two axes
    new = with_moved_centre(robot, pose, "fl_shank", way)
    old, now = (data_of_pose(r.model, pose) for r in (robot, new))
    body = int(robot.model.body("fl_shank").id)
    np.testing.assert_allclose(now.xipos[body] - old.xipos[body], way, atol=1e-12)
    others = np.arange(robot.model.nbody) != body
    np.testing.assert_allclose(now.xipos[others], old.xipos[others], atol=1e-12)
    np.testing.assert_allclose(now.geom_xpos, old.geom_xpos, atol=1e-12)
    for name in ("body_mass", "body_inertia"):
        np.testing.assert_allclose(
            getattr(new.model, name), getattr(robot.model, name), rtol=1e-12
        )


def test_a_lighter_body_has_its_spread_and_its_centre():
    robot = four_legs()
    new = lighter_body(robot, "trunk", 2.0)  # of 5 kg
    body = int(robot.model.body("trunk").id)
    assert new.model.body_mass[body] == pytest.approx(2.0, rel=1e-12)
    share = new.model.body_inertia[body] / robot.model.body_inertia[body]
    np.testing.assert_allclose(share, 0.4, rtol=1e-12)
    np.testing.assert_allclose(new.model.body_ipos, robot.model.body_ipos, atol=1e-15)
    others = np.arange(robot.model.nbody) != body
    np.testing.assert_array_equal(
        new.model.body_mass[others], robot.model.body_mass[others]
    )


def test_an_edit_that_fails_or_makes_another_robot_is_none():
    robot = four_legs()

    def raising(error):
        def edit(spec):
            raise error

        return edit

    for error in (KeyError("a"), ValueError("b"), AttributeError("c"), IndexError()):
        assert edited(robot, raising(error)) is None
    assert edited(robot, lambda spec: spec.body("trunk").add_body(mass=1.0)) is None
    ball = mujoco.mjtGeom.mjGEOM_SPHERE
    more = {"type": ball, "size": [0.1, 0.0, 0.0]}
    assert edited(robot, lambda spec: spec.body("trunk").add_geom(**more)) is None
    assert edited(robot, lambda spec: None).model.nbody == robot.model.nbody
    assert robot.model.nbody == 10  # the robot itself is never edited


def test_joints_and_their_actuators_become_stronger_together():
    spec = mujoco.MjSpec.from_string(
        '<mujoco><compiler autolimits="true"/><worldbody><body name="box"><freejoint/>'
        '<geom type="box" size="0.1 0.1 0.1"/>'
        + "".join(
            f'<body name="{n}"><joint name="{n}" type="hinge" actuatorfrcrange="{r}"/>'
            '<geom type="sphere" size="0.1"/></body>'
            for n, r in (("a", "-3 4"), ("b", "-5 6"))
        )
        + '</body></worldbody><actuator><motor name="x" joint="b" ctrlrange="-1 2" '
        'forcerange="-7 8"/><motor joint="a" ctrlrange="-2 3" forcerange="-1 1"/>'
        "</actuator></mujoco>"
    )
    new = stronger_joints(Robot("two", spec, base="box"), {"b": 2.5}).model
    _, a, b = new.jnt_actfrcrange
    assert a == pytest.approx([-3.0, 4.0])
    assert b == pytest.approx([-12.5, 15.0])
    assert new.actuator("x").forcerange == pytest.approx([-17.5, 20.0])
    assert new.actuator("x").ctrlrange == pytest.approx([-2.5, 5.0])
    assert new.actuator_forcerange[1] == pytest.approx([-1.0, 1.0])
    assert new.actuator_ctrlrange[1] == pytest.approx([-2.0, 3.0])


CAPSULE = '<geom name="c_foot" type="capsule" size="0.01" fromto="0 0 0 0.1 0 -0.1"/>'


def flat_feet():
    """Return a robot whose feet are shapes: two on the trunk, one on a turned part."""
    part = (
        '<body name="part" pos="0.1 0 0" euler="0 0 0.9"><inertial pos="0 0 0" mass="1"'
        ' diaginertia="0.01 0.01 0.01"/><geom type="box" size="0.1 0.1 0.1" mass="0"/>'
        f"{CAPSULE}</body>"
    )
    return robot_of(f"{BALL}{part}")


def test_shapes_are_found_by_body_and_place():
    robot = flat_feet()
    model = robot.scene_model
    ball, bar = (int(model.geom(name).id) for name in ("b_foot", "c_foot"))
    assert shapes_named(robot, [bar, ball]) == [
        Shape("trunk", 1, ball),
        Shape("part", 1, bar),
    ]
    assert shapes_named(robot, [bar, bar]) == [Shape("part", 1, bar)]
    assert shapes_named(robot, [bar, 99]) is None
    assert shapes_named(robot, []) == []
    nameless = robot_of(f"<body>{BALL}</body>")
    number = int(nameless.scene_model.geom("b_foot").id)
    assert shapes_named(nameless, [number]) is None
    assert shapes_named(nameless, [0]) == [Shape("trunk", 0, 0)]


@pytest.mark.parametrize("way", WAYS)
def test_shapes_move_on_their_bodies(way):
    robot, way = flat_feet(), np.array(way)
    pose = pose_of(robot)
    model = robot.scene_model
    names = ("b_foot", "c_foot")
    ball, bar = shapes_named(robot, [int(model.geom(name).id) for name in names])
    new = moved_shapes(robot, pose, {ball: way, bar: -way})
    old, now = (data_of_pose(r.scene_model, pose) for r in (robot, new))
    meant = {ball.number: way, bar.number: -way}
    for geom in range(model.ngeom):
        step = meant.get(geom, np.zeros(3))
        off = now.geom_xpos[geom] - old.geom_xpos[geom]
        np.testing.assert_allclose(off, step, atol=1e-9)
    np.testing.assert_allclose(now.geom_xmat, old.geom_xmat, atol=1e-9)


def test_bodies_beside_those_of_the_shapes_stay_alike():
    robot = flat_feet()
    pose = pose_of(robot)
    trunk, part = Shape("trunk", 1, 1), Shape("part", 1, 3)
    alike = changed_shapes._is_elsewhere_alike
    assert alike(robot, robot, pose, {part: 0})
    heavier = lighter_body(robot, "part", 1.0 + 1e-9)
    assert alike(robot, heavier, pose, {part: 0})
    assert not alike(robot, heavier, pose, {trunk: 0})
    centre = with_moved_centre(robot, pose, "part", np.array([0.0, 0.0, 1e-3]))
    assert not alike(robot, centre, pose, {trunk: 0})
    assert alike(robot, centre, pose, {part: 0})
    away = moved_bodies(robot, pose, {"part": np.array([0.0, -2e-9, 0.0])})
    assert not alike(robot, away, pose, {part: 0, trunk: 0})
    near = moved_bodies(robot, pose, {"part": np.array([0.0, -5e-10, 0.0])})
    assert alike(robot, near, pose, {part: 0, trunk: 0})


def test_soles_become_larger_along_their_axes():
    robot = soles()
    one, two = feet_of(searching(robot, None))
    new = wider_soles(robot, pose_of(robot), {one: 0, two: 1}, 0.04)
    assert sizes(new)["one"] == pytest.approx([0.07, 0.03, 0.01])
    assert sizes(new)["two"] == pytest.approx([0.05, 0.05, 0.01])
    assert sizes(robot)["one"] == pytest.approx([0.05, 0.03, 0.01])
