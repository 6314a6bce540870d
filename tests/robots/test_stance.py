"""Where robots touch the ground: shapes in closed form, built-in robots, odd cases."""

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError, ShapeError, UnknownNameError
from equipoise.robots.load import load
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import robot_scene
from equipoise.robots.stance.stance import pose_of, stance_of
from equipoise.robots.stance.turns import ground_turn, turned_stance
from equipoise.robots.standing.soles import FoundSole


def standing(kind, size, z, *, ground=False, turn=(1, 0, 0, 0), feet=()):
    """Return a robot of one body and one shape at a height."""
    spec = mujoco.MjSpec()
    if ground:
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    body = spec.worldbody.add_body(name="trunk", pos=[0.1, 0.2, z], quat=turn)
    body.add_freejoint()
    body.add_geom(name="shape", type=kind, size=size, mass=2.0)
    return Robot("one", spec, base="trunk", feet=feet)


G = mujoco.mjtGeom
HALF = np.sqrt(0.5)


@pytest.mark.parametrize(
    ("kind", "size", "turn", "count", "low"),
    [
        (G.mjGEOM_BOX, [0.1, 0.2, 0.3], (1, 0, 0, 0), 4, 0.3),
        (G.mjGEOM_BOX, [0.1, 0.2, 0.3], (HALF, 0, HALF, 0), 4, 0.1),
        (G.mjGEOM_SPHERE, [0.25, 0, 0], (1, 0, 0, 0), 1, 0.25),
        (G.mjGEOM_CAPSULE, [0.1, 0.4, 0], (1, 0, 0, 0), 1, 0.5),
        (G.mjGEOM_CAPSULE, [0.1, 0.4, 0], (HALF, HALF, 0, 0), 2, 0.1),
        (G.mjGEOM_CYLINDER, [0.1, 0.4, 0], (1, 0, 0, 0), 32, 0.4),
        (G.mjGEOM_CYLINDER, [0.1, 0.4, 0], (HALF, HALF, 0, 0), 2, 0.1),
        (G.mjGEOM_ELLIPSOID, [0.1, 0.2, 0.3], (HALF, HALF, 0, 0), 1, 0.2),
    ],
)
def test_a_shape_touches_where_it_is_lowest(kind, size, turn, count, low):
    stance = stance_of(standing(kind, size, 1.0, turn=turn))
    assert len(stance.points) == count
    # rims have 32 corners: none lower than the true one by more than rounding
    assert stance.ground == pytest.approx(1.0 - low, abs=1e-12)
    assert stance.feet == ("shape",)
    assert stance.mass == pytest.approx(2.0)
    np.testing.assert_allclose(stance.com, [0.1, 0.2, 1.0], atol=1e-12)


def test_a_tilted_ellipsoids_lowest_point_is_found_by_search_too():
    quat = np.array([0.9, 0.2, -0.3, 0.1])
    quat /= np.linalg.norm(quat)
    size = np.array([0.1, 0.2, 0.3])
    stance = stance_of(standing(G.mjGEOM_ELLIPSOID, size, 1.0, turn=quat))
    rng = np.random.default_rng(0)
    unit = rng.normal(size=(200_000, 3))
    unit /= np.linalg.norm(unit, axis=1)[:, None]
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, quat)
    heights = 1.0 + (unit * size) @ R.reshape(3, 3)[2]
    assert stance.ground <= heights.min() + 1e-12
    assert stance.ground == pytest.approx(heights.min(), abs=1e-4)


def test_a_robot_above_the_models_own_ground_touches_nothing():
    stance = stance_of(standing(G.mjGEOM_BOX, [0.1] * 3, 0.5, ground=True))
    assert (stance.ground, len(stance.points)) == (0.0, 0)
    assert stance.lowest == pytest.approx(0.4)


def test_the_bipeds_feet_are_its_soles():
    robot = load("biped")
    stance = stance_of(robot, robot.model.key("set").qpos)
    assert stance.feet == ("left_sole", "right_sole")
    assert len(stance.points) == 8
    assert stance.mass == pytest.approx(70.0)
    assert np.ptp(stance.points[:, 0]) == pytest.approx(0.152 * 1.72)


def test_warp1_stands_on_four_spheres():
    stance = stance_of(load("warp1"))
    assert len(stance.feet) == len(stance.points) == 4
    xy = [(0.29, 0.25), (0.29, -0.25), (-0.33, 0.25), (-0.33, -0.25)]
    np.testing.assert_allclose(stance.points[:, :2], xy, atol=1e-12)
    np.testing.assert_allclose(stance.points[:, 2], 0.0, atol=1e-12)


def test_a_tilted_box_stands_on_an_edge_only():
    tilt = (np.cos(0.01), 0.0, np.sin(0.01), 0.0)  # 1.1 degrees about y: 2 mm over 0.1
    stance = stance_of(standing(G.mjGEOM_BOX, [0.05, 0.2, 0.3], 1.0, turn=tilt))
    assert len(stance.points) == 2


def test_a_round_foot_made_of_a_mesh_is_not_taken_for_a_flat_one():
    spec = mujoco.MjSpec()
    rng = np.random.default_rng(1)
    unit = rng.normal(size=(4000, 3))
    unit /= np.linalg.norm(unit, axis=1)[:, None]
    spec.add_mesh(name="ball", uservert=(0.02 * unit).ravel())
    body = spec.worldbody.add_body(name="trunk", pos=[0, 0, 1.0])
    body.add_freejoint()
    body.add_geom(type=G.mjGEOM_MESH, meshname="ball", mass=1.0)
    stance = stance_of(Robot("ball", spec, base="trunk"))
    # a cap of 0.2 mm of a ball of 20 mm is 2.8 mm wide on each side
    assert np.ptp(stance.points[:, :2], axis=0).max() < 2.0 * 2.9e-3


def test_keyframes_are_found_by_name():
    robot = load("biped")
    np.testing.assert_array_equal(pose_of(robot), robot.model.key("start").qpos)
    np.testing.assert_array_equal(pose_of(robot, "set"), robot.model.key("set").qpos)
    with pytest.raises(UnknownNameError, match=r"no keyframe 'sit'.*set, start"):
        pose_of(robot, "sit")


def test_bad_input_gets_a_sentence():
    robot = load("warp1")
    with pytest.raises(ShapeError, match="qpos must have shape"):
        stance_of(robot, np.zeros(3))
    with pytest.raises(ConfigError, match="tolerance must be > 0 m, got 0"):
        stance_of(robot, tolerance=0.0)
    lost = Robot("lost", robot.spec, base="trunk", feet=("toe",))
    with pytest.raises(ConfigError, match="foot 'toe' is not one of its geoms"):
        stance_of(lost)


def test_a_shape_without_a_name_is_called_by_its_body():
    robot = standing(G.mjGEOM_BOX, [0.1] * 3, 0.5)
    spec = robot.spec.copy()
    spec.geom("shape").name = ""
    assert stance_of(Robot("one", spec, base="trunk")).feet == ("trunk",)


def on_terrain(z=0.1):
    """Return a box of 0.2 m on a plane that falls towards x by 0.2 rad."""
    robot = standing(G.mjGEOM_BOX, [0.1] * 3, z, turn=(np.cos(0.1), 0, np.sin(0.1), 0))
    spec = robot.spec.copy()
    quat = [np.cos(0.1), 0.0, np.sin(0.1), 0.0]
    spec.worldbody.add_geom(type=G.mjGEOM_PLANE, size=[0, 0, 1], quat=quat)
    return Robot("one", spec, base="trunk")


def test_a_slope_of_the_models_own_is_found_by_collision():
    normal = np.array([np.sin(0.2), 0.0, np.cos(0.2)])
    centre = np.array([0.1, 0.2, 1.0])
    height = (0.1 - 0.1 * normal[0]) / normal[2]  # at which the lower face is in it
    stance = stance_of(on_terrain(height))
    assert (stance.is_level, stance.is_planar, len(stance.points)) == (False, True, 4)
    np.testing.assert_allclose(stance.normals, np.tile(normal, (4, 1)), atol=1e-9)
    np.testing.assert_allclose(stance.points @ normal, 0.0, atol=1e-9)
    assert stance.bodies.tolist() == [1] * 4
    centre[2] = height
    np.testing.assert_allclose(stance.points.mean(axis=0), centre - 0.1 * normal,
                               atol=1e-9)  # fmt: skip
    assert len(stance_of(on_terrain(height + 0.01)).points) == 0
    sunk = stance_of(on_terrain(height - 0.02)).sunk
    assert sunk == pytest.approx(0.02 * normal[2], abs=1e-9)


def tilted(robot, pose, stance, slope_deg, heading_deg=0.0):
    """Return a pose and its stance on level ground that is tilted as a whole."""
    turn = ground_turn(robot, robot_scene(robot), slope_deg, heading_deg)
    return turned_stance(robot, pose, stance, turn)


def test_a_tilted_stance_is_that_of_the_tilted_pose():
    robot = load("warp1")
    pose = pose_of(robot)
    turned, stance = tilted(robot, pose, stance_of(robot), 20.0, 40.0)
    data = mujoco.MjData(robot.model)
    data.qpos[:] = turned
    mujoco.mj_kinematics(robot.model, data)
    mujoco.mj_comPos(robot.model, data)
    np.testing.assert_allclose(stance.com, data.subtree_com[0], atol=1e-12)
    centres = np.array([data.geom(name).xpos for name in robot.feet])
    np.testing.assert_allclose(stance.points, centres - 0.025 * stance.normals,
                               atol=1e-12)  # fmt: skip
    fall = np.deg2rad(40.0)
    ahead = np.array([np.cos(fall), np.sin(fall)])
    np.testing.assert_allclose(
        stance.normals[0],
        [*(np.sin(np.deg2rad(20)) * ahead), np.cos(np.deg2rad(20))],
        atol=1e-12,
    )


def test_corners_that_are_below_the_ground_touch_too():
    tilt = (np.cos(0.01), 0.0, np.sin(0.01), 0.0)  # 2 mm over 0.1 m
    shape = (G.mjGEOM_BOX, [0.05, 0.2, 0.3])
    edge = stance_of(standing(*shape, 0.2999, turn=tilt, ground=True))
    whole = stance_of(standing(*shape, 0.298, turn=tilt, ground=True))
    assert (len(edge.points), len(whole.points)) == (2, 4)
    assert whole.sunk == pytest.approx(0.003, abs=1e-4)


def test_feet_of_a_tilted_stance_stay_in_one_plane():
    robot = load("warp1")
    pose = pose_of(robot)
    pose[9] += 1e-3  # a knee that lets one foot hang lower
    stance = stance_of(robot, pose)
    assert 1e-6 < np.ptp(stance.points[:, 2]) < 1e-3
    assert tilted(robot, pose, stance, 10.0)[1].is_planar


@pytest.mark.parametrize(
    ("height", "is_flat"), [(0.5, True), (1.9, True), (2.1, False)]
)
def test_a_sole_is_flat_by_its_width_over_the_height(height, is_flat):
    corners = np.array([[0.1, 0.01, 0.0], [0.1, -0.01, 0.0], [-0.1, 0.0, 0.0]])
    sole = FoundSole("foot", corners, 0.0, (0.2, 0.02), 0.02)
    assert sole.is_flat(height) == is_flat
    assert not FoundSole("foot", corners[:2], 0.0, (0.2, 0.02), 0.02).is_flat(height)


@pytest.mark.parametrize("name", ["asv", "titan3", "titan4", "titan6"])
def test_boxes_that_touch_stand_on_their_bodys_origin(name):
    model = load(name).model
    box = int(mujoco.mjtGeom.mjGEOM_BOX)
    hidden = np.flatnonzero((model.geom_type == box) & (model.geom_group == 3))
    assert len(hidden)
    for k in hidden:
        assert model.geom_pos[k, 2] == pytest.approx(model.geom_size[k, 2], abs=1e-12)
