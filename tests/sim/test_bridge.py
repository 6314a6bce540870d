"""From MuJoCo to ``Sensed``: signs, frames and points of reference."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from equipoise.robots.robot import Robot
from equipoise.robots.superbot.superbot import random_tree
from equipoise.sim.bridge import sense, sensed_buffer
from equipoise.sim.world import WorldConfig, build_world
from equipoise.spatial.rotations import matrix_from_axis_angle, quat_from_matrix

TURNS = [  # axis and angle; none is the identity
    ([1.0, 0.0, 0.0], 0.7),
    ([0.0, 1.0, 1.0], -2.1),
    ([1.0, -2.0, 3.0], 3.0),
]
RADIUS, MASS = 0.1, 0.5


@pytest.mark.parametrize(("axis", "angle"), TURNS)
def test_base_pose_and_velocity_against_mujoco_and_the_state(axis, angle, rng):
    robot = random_tree(6, 2, 3, "random", mount="free")
    world = build_world(robot)
    data = world.start()
    R_WB = matrix_from_axis_angle(axis, angle)
    p_WB, v_WB = rng.normal(size=3), rng.normal(size=3)
    w_WB_B = rng.normal(size=3)
    data.qvel[:] = rng.normal(size=world.model.nv)
    data.qpos[:7] = [*p_WB, *quat_from_matrix(R_WB)]
    data.qvel[:6] = [*v_WB, *w_WB_B]  # MuJoCo: linear in W, angular in B
    mujoco.mj_forward(world.model, data)
    out = sense(world, data, sensed_buffer(world))
    # rounding of a dozen products of numbers near 1
    np.testing.assert_allclose(out.p_WB, p_WB, atol=1e-14)
    np.testing.assert_allclose(out.R_WB, R_WB, atol=1e-14)
    np.testing.assert_allclose(out.V_WB, [*v_WB, *(R_WB @ w_WB_B)], atol=1e-13)


@pytest.mark.parametrize(("axis", "angle"), TURNS)
def test_spatial_velocity_against_mj_object_velocity(axis, angle, rng):
    """Every body of a moving tree, not only the base."""
    world = build_world(random_tree(6, 2, 4, "random", mount="free"))
    model, data = world.model, world.start()
    data.qpos[3:7] = quat_from_matrix(matrix_from_axis_angle(axis, angle))
    data.qpos[7:] = rng.uniform(-1.0, 1.0, model.nq - 7)
    data.qvel[:] = rng.normal(size=model.nv)
    mujoco.mj_forward(model, data)
    out, theirs = sensed_buffer(world), np.zeros(6)
    for body in range(1, model.nbody):
        based = replace(world.robot, base=model.body(body).name)
        sense(replace(world, robot=based), data, out)
        kind = mujoco.mjtObj.mjOBJ_XBODY
        mujoco.mj_objectVelocity(model, data, kind, body, theirs, 0)
        # MuJoCo's answer is angular first; rounding of speeds up to about 30
        np.testing.assert_allclose(out.V_WB, [*theirs[3:], *theirs[:3]], atol=1e-12)


def resting_ball(R_WB: np.ndarray) -> Robot:
    """Return a ball on the ground whose body frame is turned."""
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(
        name="ball", pos=[0.0, 0.0, RADIUS], quat=quat_from_matrix(R_WB)
    )
    body.add_freejoint(name="base")
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[RADIUS, 0, 0], mass=MASS)
    return Robot(name="ball", spec=spec, base="ball")


@pytest.mark.parametrize(("axis", "angle"), TURNS)
def test_a_resting_ball_feels_the_floor_push_its_weight_up(axis, angle):
    R_WB = matrix_from_axis_angle(axis, angle)
    world = build_world(resting_ball(R_WB))
    data = world.start()
    mujoco.mj_step(world.model, data, 2000)
    out = sense(world, data, sensed_buffer(world))
    assert world.skins.names == ("ball",)
    now = out.R_WB  # it may have rolled a little
    # solver: at rest within 1e-4 of the weight, which is 4.9 N
    np.testing.assert_allclose(now @ out.skin[0, :3], [0, 0, MASS * 9.81], atol=5e-4)
    # a push towards the centre has no moment about it
    np.testing.assert_allclose(out.skin[0, 3:], 0.0, atol=1e-12)
    assert out.time == pytest.approx(2.0)
    assert out.dt == 0.001


def test_skins_in_the_air_feel_nothing_and_old_readings_are_wiped():
    world = build_world(resting_ball(np.eye(3)))
    data = world.start()
    mujoco.mj_step(world.model, data, 100)
    out = sense(world, data, sensed_buffer(world))
    assert out.skin[0, 2] > 1.0
    data.qpos[2] = 1.0
    mujoco.mj_forward(world.model, data)
    np.testing.assert_array_equal(sense(world, data, out).skin, 0.0)  # exact


def test_no_skin_feels_anything_without_contacts():
    world = build_world(resting_ball(np.eye(3)), WorldConfig(contacts=False))
    data = world.start()
    mujoco.mj_step(world.model, data, 10)
    np.testing.assert_array_equal(sense(world, data, sensed_buffer(world)).skin, 0.0)


def test_two_modules_that_touch_feel_opposite_pushes(rng: np.random.Generator):
    """Third law between the balls of one robot, without friction or floor."""
    config = WorldConfig(friction=0.0, gravity=0.0)
    world = build_world(random_tree(4, 1, 2), config)
    data = world.start()
    checked = 0
    for _ in range(300):
        data.qpos[:] = rng.uniform(*world.model.jnt_range.T)
        data.qvel[:] = 0.0
        mujoco.mj_forward(world.model, data)
        ground = world.model.geom("ground").id
        if data.ncon != 1 or ground in data.contact[0].geom:
            continue
        out = sense(world, data, sensed_buffer(world))
        pushes = [
            data.xmat[b].reshape(3, 3) @ f
            for b, f in zip(world.skins.body, out.skin[:, :3], strict=True)
            if f.any()
        ]
        if len(pushes) != 2:
            continue
        checked += 1
        # rounding relative to the push
        size = np.linalg.norm(pushes[0])
        np.testing.assert_allclose(pushes[0], -pushes[1], atol=1e-9 * size)
        # and each is pushed away from the other
        one, two = (world.model.geom_bodyid[g] for g in data.contact[0].geom)
        apart = data.xpos[two] - data.xpos[one]
        on_two = next(
            data.xmat[b].reshape(3, 3) @ f
            for b, f in zip(world.skins.body, out.skin[:, :3], strict=True)
            if b == two
        )
        assert on_two @ apart > 0.0
    assert checked >= 5


def test_joint_readings_follow_the_actuator_order(rng: np.random.Generator):
    world = build_world(random_tree(5, 2, 6, "random", mount="free"))
    data = world.start()
    data.qvel[:] = rng.normal(size=world.model.nv)
    mujoco.mj_forward(world.model, data)
    out = sense(world, data, sensed_buffer(world))
    for k in range(world.model.nu):
        joint = data.joint(world.model.actuator(k).name)
        assert out.q[k] == joint.qpos[0]
        assert out.v[k] == joint.qvel[0]
