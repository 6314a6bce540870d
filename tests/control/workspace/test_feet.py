"""What is asked of the feet: held flat, or swung to a place in a time."""

import mujoco
import numpy as np
import pytest

from equipoise.control.workspace import balancer, tree_of
from equipoise.control.workspace.feet import hold_foot, swing_foot
from equipoise.robots.biped import biped
from oracles.held_feet import sensed_of


@pytest.fixture(scope="module")
def robot():
    """The paper's biped."""
    return biped()


def placed(robot, q, v):
    """Return scratch, memory and tree of a state."""
    controller = balancer("workspace-cone", robot)
    _, state = controller.step(sensed_of(robot, q, v), controller.init())
    return state.scratch, state.memory, tree_of(robot).arrays


def classical(s, u, f, k):
    """Return the acceleration of a foot's centre and its angular acceleration."""
    A, V, r = u.A_foot[f], s.V[k], s.r_O[k]
    speed = V[:3] + np.cross(V[3:], r)
    return A[:3] + np.cross(A[3:], r) + np.cross(V[3:], speed), A[3:]


def test_a_flat_foot_at_rest_is_left_alone(robot):
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    _, e, _ = placed(robot, q, v)
    assert np.abs(e.program.u.A_foot).max() < 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_a_moving_foot_is_slowed_at_its_centre(robot, seed):
    rng = np.random.default_rng(seed)
    q, v = np.array(robot.model.key("set").qpos), 0.3 * rng.normal(size=18)
    s, e, t = placed(robot, q, v)
    for f, side in enumerate(("left", "right")):
        k = t.foot[f]
        hold_foot(
            f, k, e.manner.sole_up, s.R_WL, s.r_O, s.V, s.p_WO[2], 0.0, 20.0,
            e.program.u,
        )  # fmt: skip
        linear, turning = classical(s, e.program.u, f, k)
        data = mujoco.MjData(robot.model)
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_forward(robot.model, data)
        twist = np.zeros(6)
        body = robot.model.body(f"{side}_foot").id
        kind = mujoco.mjtObj.mjOBJ_BODY
        mujoco.mj_objectVelocity(robot.model, data, kind, body, twist, 0)
        np.testing.assert_allclose(linear, -20.0 * twist[3:], atol=1e-12)
        np.testing.assert_allclose(turning, -20.0 * twist[:3], atol=1e-12)


def test_a_tipped_foot_is_turned_back_and_a_floating_one_lowered(robot):
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    q[2] += 0.02
    q[12] += 0.1  # left ankle pitch: about +y, the toe goes up
    s, e, t = placed(robot, q, v)
    linear, turning = classical(s, e.program.u, 0, t.foot[0])
    assert turning[1] < 0.0
    assert abs(turning[0]) < 1e-9
    assert linear[2] < 0.0
    linear, turning = classical(s, e.program.u, 1, t.foot[1])
    assert np.abs(turning).max() < 1e-9
    # 1000 / s² on 20 mm less the 1 mm at which a sole touches
    np.testing.assert_allclose(linear, [0.0, 0.0, -19.0], atol=1e-6)


def test_a_swing_ends_over_its_place_at_rest(robot):
    """The law's own differential equation: a point does what is asked."""
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    s, e, t = placed(robot, q, v)
    u, k, dt, time = e.program.u, t.foot[0], 1e-4, 0.25
    goal = np.array([-0.2, -0.05])
    place, speed, top = np.zeros(3), np.zeros(3), 0.0
    still = u.p_O.copy()
    for n in range(round(time / dt)):
        u.p_O[:] = still + place * [0.0, 0.0, 1.0]
        s.V[k, :3], s.V[k, 3:] = speed, 0.0
        swing_foot(
            0, k, e.manner.sole_up, s.R_WL, s.r_O, s.V, s.p_WO[2],
            goal[0] - place[0], goal[1] - place[1], n * dt, time, 0.04, u,
        )  # fmt: skip
        linear, _ = classical(s, u, 0, k)
        speed = speed + dt * linear
        place = place + dt * speed
        top = max(top, place[2])
    u.p_O[:] = still
    assert top == pytest.approx(0.04, abs=5e-4)  # first order in dt of 1e-4 of 0.25 s
    assert abs(place[2]) < 1e-3
    # in the last 0.05 s the law is a spring of that time: exp(-sqrt(6)) of a way that
    # is (0.05/0.25)² of the whole by then
    np.testing.assert_allclose(place[:2], goal, atol=0.04 * 0.2)
    assert np.linalg.norm(speed[:2]) < 0.3
