"""What touches and what does not: each tolerance of a stance from both sides."""

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.load import load
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import robot_scene
from equipoise.robots.stance.shapes import (
    balls_of,
    corners_of,
    curvature_radius,
    outermost,
)
from equipoise.robots.stance.stance import (
    Plane,
    is_free,
    label_of,
    pose_of,
    scaled_tolerance,
    stance_of,
)
from equipoise.robots.stance.turns import ground_turn, turned_stance

G = mujoco.mjtGeom
UP = np.array([0.0, 0.0, 1.0])


def about_y(angle):
    return (math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0)


def robot_of(kind, size, z, *, turn=(1, 0, 0, 0), feet=(), gravity=(0, 0, -9.81)):
    """Return a robot of one shape over the model's own level ground."""
    spec = mujoco.MjSpec()
    spec.option.gravity = gravity
    spec.worldbody.add_geom(type=G.mjGEOM_PLANE, size=[0, 0, 1])
    body = spec.worldbody.add_body(name="trunk", pos=[0.1, 0.2, z], quat=turn)
    body.add_freejoint()
    body.add_geom(name="shape", type=kind, size=size, mass=2.0)
    return Robot("one", spec, base="trunk", feet=feet, has_world=True)


def count(robot, **given):
    return len(stance_of(robot, **given).points)


@pytest.mark.parametrize(
    ("half", "gap", "given", "touching"),
    [
        (0.2, 1.9e-3, {}, 4),  # two millimetres
        (0.2, 2.1e-3, {}, 0),
        (0.2, 0.99e-3, {"tolerance": 1e-3}, 4),
        (0.2, 1.01e-3, {"tolerance": 1e-3}, 0),
        # of a box of 0.1 m 0.004 of its diagonal, which is 0.69 mm
        (0.05, 0.68e-3, {}, 4),
        (0.05, 0.70e-3, {}, 0),
        (0.05, 0.49e-3, {"tolerance": 0.5e-3}, 4),
        (0.05, 0.51e-3, {"tolerance": 0.5e-3}, 0),
    ],
)
def test_how_near_a_shape_is_that_touches(half, gap, given, touching):
    assert count(robot_of(G.mjGEOM_BOX, [half] * 3, half + gap), **given) == touching


@pytest.mark.parametrize(
    ("half", "rise", "rocking", "touching"),
    [
        (0.2, 1.9e-4, 0.0, 4),  # a fifth of a millimetre
        (0.2, 2.1e-4, 0.0, 2),
        # a small one: 0.004 of a tenth of its diagonal, 0.069 mm
        (0.05, 0.68e-4, 0.0, 4),
        (0.05, 0.70e-4, 0.0, 2),
        (0.2, 0.99e-3, 1e-3, 4),
        (0.2, 1.01e-3, 1e-3, 2),
        (0.05, 0.68e-3, 2e-3, 4),  # 0.004 of its diagonal at most
        (0.05, 0.70e-3, 2e-3, 2),
    ],
)
def test_how_level_a_sole_lies_that_touches_with_all_corners(
    half, rise, rocking, touching
):
    """One edge is on the ground, the other one higher."""
    angle = math.asin(rise / (2.0 * half))
    z = half * (math.cos(angle) + math.sin(angle))
    robot = robot_of(G.mjGEOM_BOX, [half] * 3, z, turn=about_y(angle))
    assert count(robot, rocking=rocking) == touching


@pytest.mark.parametrize(("tilt", "touching"), [(0.9e-4, 32), (1.1e-4, 1)])
def test_a_cylinder_stands_on_its_rim_or_on_a_point_of_it(tilt, touching):
    """On a wheel of 0.5 m a tilt of 1e-4 leaves the other side 0.1 mm up."""
    z = 0.3 * math.cos(tilt) + 0.5 * math.sin(tilt)
    robot = robot_of(G.mjGEOM_CYLINDER, [0.5, 0.3, 0], z, turn=about_y(tilt))
    assert count(robot) == touching


def test_a_tolerance_is_of_the_size_where_it_has_one():
    assert scaled_tolerance(2e-3, 0.0) == 2e-3
    assert scaled_tolerance(2e-3, 0.499) == pytest.approx(0.004 * 0.499)
    assert scaled_tolerance(2e-3, 0.501) == 2e-3


def posed(robot):
    """Return a robot's model and data, and its shape's number."""
    data = mujoco.MjData(robot.model)
    mujoco.mj_kinematics(robot.model, data)
    return robot.model, data, robot.model.geom("shape").id


TILT = np.array([0.9, 0.2, -0.3, 0.1]) / np.linalg.norm([0.9, 0.2, -0.3, 0.1])
SLOPE = np.array([0.6, 0.0, 0.8])


def lowest_of(kind, size, R, normal):
    """Return how far below its middle a shape gets, in closed form."""
    down = R.T @ -normal
    if kind == G.mjGEOM_SPHERE:
        return size[0]
    if kind == G.mjGEOM_CAPSULE:
        return size[0] + size[1] * abs(down[2])
    if kind == G.mjGEOM_CYLINDER:
        return size[0] * math.hypot(down[0], down[1]) + size[1] * abs(down[2])
    if kind == G.mjGEOM_ELLIPSOID:
        return float(np.linalg.norm(np.array(size) * down))
    return float(np.abs(np.array(size) * down).sum())


KINDS = [
    (G.mjGEOM_BOX, [0.1, 0.2, 0.3], 8, 8, 0.0),
    (G.mjGEOM_SPHERE, [0.25, 0, 0], 1, 1, 0.25),
    (G.mjGEOM_CAPSULE, [0.1, 0.4, 0], 2, 2, 0.1),
    (G.mjGEOM_CYLINDER, [0.1, 0.4, 0], 2, 192, 0.0),
    (G.mjGEOM_ELLIPSOID, [0.1, 0.2, 0.3], 1, 401, 0.0),
]


@pytest.mark.parametrize(("kind", "size", "corners", "balls", "radius"), KINDS)
@pytest.mark.parametrize("normal", [UP, SLOPE])
def test_corners_and_balls_are_as_low_as_the_shape(
    kind, size, corners, balls, radius, normal
):
    model, data, geom = posed(robot_of(kind, size, 1.0, turn=TILT))
    R, p = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom]
    low = float(p @ normal) - lowest_of(kind, size, R, normal)
    found = corners_of(model, data, geom, normal)
    assert len(found) == corners
    assert float((found @ normal).min()) == pytest.approx(low, abs=1e-12)
    middles, radii = balls_of(model, data, geom, normal)
    assert len(middles) == len(radii) == balls
    assert set(radii.tolist()) == {radius} and curvature_radius(model, geom) == radius
    assert float((middles @ normal - radii).min()) == pytest.approx(low, abs=1e-12)
    # none is outside of the shape
    inside = (middles - p) @ R
    for way in np.vstack([np.eye(3), -np.eye(3), SLOPE, -SLOPE]):
        far = lowest_of(kind, size, np.eye(3), -way)
        assert float((inside @ way).max()) + radius <= far + 1e-12
    if normal is UP:
        np.testing.assert_array_equal(corners_of(model, data, geom), found)


def test_a_capsules_balls_are_its_ends():
    model, data, geom = posed(robot_of(G.mjGEOM_CAPSULE, [0.1, 0.4, 0], 1.0))
    middles, _ = balls_of(model, data, geom, UP)
    assert sorted(middles[:, 2].tolist()) == pytest.approx([0.6, 1.4])
    np.testing.assert_allclose(middles[:, :2], [[0.1, 0.2]] * 2, atol=1e-15)


def test_a_cylinders_corners_turn_with_its_lowest_point():
    """One of its rim's points is the lowest, wherever that is."""
    for yaw in (0.0, 0.02, 0.7, 3.0):
        lean = [math.cos(0.4), -math.sin(0.4) * math.sin(yaw),
                math.sin(0.4) * math.cos(yaw), 0.0]  # fmt: skip
        model, data, geom = posed(
            robot_of(G.mjGEOM_CYLINDER, [0.1, 0.4, 0], 1.0, turn=lean)
        )
        middles, _ = balls_of(model, data, geom, UP)
        low = 1.0 - 0.1 * math.sin(0.8) - 0.4 * math.cos(0.8)
        assert middles[:, 2].min() == pytest.approx(low, abs=1e-12)


def test_a_mesh_has_the_corners_of_its_hull():
    spec = mujoco.MjSpec()
    cube = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    inside = [[0.5, 0.2, 0.1], [0.0, 0.0, 0.3]]
    points = 0.1 * np.array(cube + inside, float)
    spec.add_mesh(name="m", uservert=points.ravel())
    body = spec.worldbody.add_body(name="trunk", pos=[0, 0, 1.0], quat=TILT)
    body.add_freejoint()
    body.add_geom(name="shape", type=G.mjGEOM_MESH, meshname="m", mass=1.0)
    model, data, geom = posed(Robot("mesh", spec, base="trunk"))
    R = data.xmat[1].reshape(3, 3)
    wanted = points[:8] @ R.T + data.xpos[1]
    found = corners_of(model, data, geom)
    order = lambda a: a[np.lexsort(np.round(a, 6).T)]  # noqa: E731
    # vertices are kept as float32
    np.testing.assert_allclose(order(found), order(wanted), atol=1e-7)
    middles, radii = balls_of(model, data, geom, UP)
    assert len(middles) == 8 and not radii.any()


def test_a_shape_whose_form_is_not_known_has_no_corners():
    robot = robot_of(G.mjGEOM_BOX, [0.1] * 3, 1.0)
    model, data, _ = posed(robot)
    plane = next(g for g in range(model.ngeom) if model.geom_bodyid[g] == 0)
    assert corners_of(model, data, plane) is None
    assert balls_of(model, data, plane, UP) is None


@pytest.mark.parametrize("normal", [UP, SLOPE, np.array([1.0, 0, 0]), [0, 1.0, 0]])
def test_corners_of_a_patch_seen_along_its_normal(normal):
    normal = np.array(normal, float)
    x = np.cross(normal, [0.36, 0.48, 0.8])
    x /= np.linalg.norm(x)
    axes = np.stack([x, np.cross(normal, x)])
    square = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1], [0.2, 0.1], [0, 0.9]], float)
    lifted = square @ axes + np.outer([0, 0.1, 0, 0.3, 0.2, 0], normal)
    assert sorted(outermost(lifted, normal)) == [0, 1, 2, 3]
    line = np.array([[k, 2 * k] for k in (0.3, -1, 0.5, 2, 1, 0)], float) @ axes
    assert sorted(outermost(line, normal)) == [1, 3]
    assert outermost(lifted[:4], normal) == [0, 1, 2, 3]
    assert outermost(line[:2], normal) == [0, 1]
    assert len(outermost(lifted[[0, 1, 2, 3, 4]], normal)) == 4


def test_shapes_without_names_are_numbered_where_a_body_has_several():
    spec = mujoco.MjSpec()
    trunk = spec.worldbody.add_body(name="trunk")
    trunk.add_freejoint()
    for _ in range(2):
        trunk.add_geom(type=G.mjGEOM_SPHERE, size=[0.1, 0, 0])
    one = trunk.add_body()
    one.add_geom(type=G.mjGEOM_SPHERE, size=[0.1, 0, 0])
    last = trunk.add_body(name="toe")
    last.add_geom(type=G.mjGEOM_SPHERE, size=[0.1, 0, 0])
    last.add_geom(name="tip", type=G.mjGEOM_SPHERE, size=[0.1, 0, 0])
    model = spec.compile()
    found = [label_of(model, g) for g in range(model.ngeom)]
    assert found == ["trunk[0]", "trunk[1]", "body 2", "toe[0]", "tip"]


def test_which_planes_are_level():
    for tilt, is_level in ((4e-5, True), (5e-5, False)):
        normal = np.array([math.sin(tilt), 0.0, math.cos(tilt)])
        assert Plane(normal, 0.0).is_level is is_level


@pytest.mark.parametrize(
    ("off", "turned", "is_planar"),
    [
        (0.0, 0.0, True),
        (1.9e-3, 0.0, True),
        (-1.9e-3, 0.0, True),
        (2.1e-3, 0.0, False),
        (-2.1e-3, 0.0, False),
        (0.0, 0.9e-6, True),
        (0.0, 1.1e-6, False),
        (0.0, -1.1e-6, False),
    ],
)
def test_points_are_in_one_plane(off, turned, is_planar):
    """On a slope; one of them is off it, or its ground faces elsewhere."""
    level = stance_of(robot_of(G.mjGEOM_BOX, [0.2] * 3, 0.2))
    assert level.is_level and level.is_planar
    across = np.array([[1, 0, -0.75], [0, 1, 0], [-1, 0, 0.75], [0, -1, 0]])
    points, normals = across + 0.0, np.tile(SLOPE, (4, 1))
    points[2] += off * SLOPE
    normals[2, 1] += turned
    found = replace(level, ground=math.nan, points=points, normals=normals)
    assert not found.is_level
    assert found.is_planar is is_planar
    assert not replace(found, points=points[:0], normals=normals[:0]).is_planar


def test_a_part_that_is_no_foot_touches_off_the_feet():
    spec = robot_of(G.mjGEOM_BOX, [0.2] * 3, 0.2).spec
    spec.body("trunk").add_geom(
        name="heel", type=G.mjGEOM_SPHERE, size=[0.05, 0, 0], pos=[0.5, 0, -0.15]
    )
    robot = Robot("one", spec, base="trunk", feet=("heel",))
    stance = stance_of(robot)
    assert stance.feet == ("heel",) and stance.is_off_feet
    assert (stance.radii.tolist(), stance.bodies.tolist()) == ([0.05], [1])
    both = Robot("one", spec, base="trunk", feet=("heel", "shape"))
    assert not stance_of(both).is_off_feet
    assert set(stance_of(both).feet) == {"heel", "shape"}
    rolling = Robot("one", spec, base="trunk", feet=("shape",), wheels=("heel",))
    assert not stance_of(rolling).is_off_feet
    assert not stance_of(Robot("one", spec, base="trunk")).is_off_feet


def test_how_deep_it_is_in_the_ground_is_of_all_its_parts():
    robot = robot_of(G.mjGEOM_BOX, [0.2] * 3, 0.19)
    assert stance_of(robot).sunk == pytest.approx(0.01)
    assert stance_of(robot_of(G.mjGEOM_BOX, [0.2] * 3, 0.201)).sunk == 0.0


# --- turned as a whole ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("slope", "heading", "said"),
    [
        (90.0, 0.0, "slope must be 0 to below 90 degrees, got 90.0"),
        (-0.1, 0.0, "slope must be 0 to below 90 degrees, got -0.1"),
        (math.nan, 0.0, "slope must be 0 to below 90"),
        ("5", 0.0, "slope must be 0 to below 90 degrees, got '5'"),
        (5.0, math.inf, "heading must be a finite angle, got inf"),
        (5.0, None, None),
    ],
)
def test_slopes_that_cannot_be(slope, heading, said):
    robot = load("warp1")
    if said is None:
        heading, said = "x", "heading must be a finite angle, got 'x'"
    with pytest.raises(ConfigError, match=said):
        ground_turn(robot, robot_scene(robot), slope, heading)


def test_a_slope_is_for_free_robots_without_ground_of_their_own():
    fixed = mujoco.MjSpec()
    arm = fixed.worldbody.add_body(name="arm", pos=[0, 0, 1])
    arm.add_joint(name="j")
    arm.add_geom(type=G.mjGEOM_BOX, size=[0.1] * 3)
    robot = Robot("arm", fixed, base="arm")
    assert not is_free(robot) and is_free(load("warp1"))
    with pytest.raises(ConfigError, match="slope is for robots with a free base"):
        ground_turn(robot, robot_scene(robot), 5.0, 0.0)
    for gravity in ((0, 0, -9.81), (1.0, 0, -9.81)):
        stepped = robot_of(G.mjGEOM_BOX, [0.2] * 3, 0.3, gravity=gravity)
        if gravity[0] == 0:
            stepped.spec.worldbody.add_geom(type=G.mjGEOM_BOX, size=[1, 1, 0.1])
        robot = Robot("one", stepped.spec, base="trunk", has_world=True)
        with pytest.raises(ConfigError, match="robots without ground of their own"):
            ground_turn(robot, robot_scene(robot), 5.0, 0.0)


@pytest.mark.parametrize(
    "gravity",
    [(3.0, 0.0, -4.0), (0.0, -3.0, -4.0), (1.0, 2.0, 2.0), (0.0, 0.0, 5.0)],
)
def test_gravity_that_points_elsewhere_is_turned_down_the_short_way(gravity):
    robot = robot_of(G.mjGEOM_BOX, [0.2] * 3, 0.2, gravity=gravity)
    scene = robot_scene(robot)
    turn = ground_turn(robot, scene, 0.0, 0.0)
    up = -np.array(gravity) / np.linalg.norm(gravity)
    np.testing.assert_allclose(turn.up, up, atol=1e-12)
    np.testing.assert_allclose(turn.R @ up, UP, atol=1e-12)
    np.testing.assert_allclose(turn.R @ turn.R.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turn.R) == pytest.approx(1.0)
    # 1 + 2 cos of the angle between both
    assert np.trace(turn.R) == pytest.approx(1.0 + 2.0 * up[2])


@pytest.mark.parametrize("gravity", [(0, 0, -9.81), (0, 0, 0), (1e-7, 0, -1.0)])
def test_gravity_that_points_down_needs_no_turn(gravity):
    robot = robot_of(G.mjGEOM_BOX, [0.2] * 3, 0.2, gravity=gravity)
    turn = ground_turn(robot, robot_scene(robot), 0.0, 0.0)
    assert turn.R is None and turn.up.tolist() == [0.0, 0.0, 1.0]
    pose, stance = pose_of(robot), stance_of(robot)
    assert turned_stance(robot, pose, stance, turn) == (pose, stance)


def test_a_heading_alone_turns_nothing_that_counts():
    robot = load("warp1")
    turn = ground_turn(robot, robot_scene(robot), 0.0, 30.0)
    np.testing.assert_allclose(turn.R @ UP, UP, atol=1e-12)


def test_a_stance_that_comes_to_lie_level_is_level_again():
    """On a plane of its own that is square to a gravity which is not along z."""
    for turn_by, is_level in ((0.0, True), (1e-4, False)):
        robot = robot_of(G.mjGEOM_BOX, [0.2] * 3, 0.2, gravity=(3.0, 0.0, -4.0))
        spec = robot.spec
        quat = about_y(-math.atan2(3.0, 4.0) + turn_by)
        spec.worldbody.first_geom().quat = quat
        spec.body("trunk").quat = quat
        normal = np.zeros(3)
        mujoco.mju_rotVecQuat(normal, UP, np.array(quat))
        spec.body("trunk").pos = 0.2 * normal
        robot = Robot("one", spec, base="trunk", has_world=True)
        pose, stance = pose_of(robot), stance_of(robot)
        assert not stance.is_level and len(stance.points) == 4
        turn = ground_turn(robot, robot_scene(robot), 0.0, 0.0)
        turned, found = turned_stance(robot, pose, stance, turn)
        assert found.is_level is is_level
        np.testing.assert_allclose(found.com, turn.R @ stance.com, atol=1e-12)
        np.testing.assert_allclose(found.points, stance.points @ turn.R.T, atol=1e-12)
        assert found.lowest == pytest.approx(found.points[:, 2].min())
        np.testing.assert_allclose(turned[:3], turn.R @ pose[:3], atol=1e-12)
        if is_level:
            assert found.ground == pytest.approx(0.0, abs=1e-12)
