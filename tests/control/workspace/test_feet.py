"""What is asked of the feet: held flat, or swung to a place in a time."""

import mujoco
import numpy as np
import pytest

from equipoise.control.workspace import balancer
from equipoise.control.workspace.feet import (
    FLAT,
    GRIP,
    hold_foot,
    pivot_of,
    swing_foot,
)
from equipoise.robots.biped.biped import biped
from oracles.held_feet import sensed_of


@pytest.fixture(scope="module")
def robot():
    """The paper's biped."""
    return biped()


def placed(robot, q, v):
    """Return scratch and legs of a state."""
    controller = balancer("workspace-cone", robot)
    _, state = controller.step(sensed_of(robot, q, v), controller.init())
    return state.scratch, state.memory.problem.u


def corners_of(u, f):
    """Return the corners of a foot's sole from O."""
    return u.corners["p_O"][u.corners["foot"] == f]


def classical(s, u, f, r):
    """Return the acceleration of a foot's point r and its angular acceleration."""
    A, V = u.feet[f].A, s.links[u.feet[f].link].V
    speed = V[:3] + np.cross(V[3:], r)
    return A[:3] + np.cross(A[3:], r) + np.cross(V[3:], speed), A[3:]


def test_a_flat_foot_at_rest_is_left_alone(robot):
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    _, u = placed(robot, q, v)
    assert np.abs(u.feet["A"]).max() < 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_a_moving_foot_is_slowed_where_it_touches(robot, seed):
    rng = np.random.default_rng(seed)
    q, v = np.array(robot.model.key("set").qpos), 0.3 * rng.normal(size=18)
    s, u = placed(robot, q, v)
    for f, side in enumerate(("left", "right")):
        hold_foot(f, s, u, 0.0, 20.0)
        middle = corners_of(u, f).mean(axis=0)  # flat: it touches everywhere
        linear, turning = classical(s, u, f, middle)
        jp, jr = np.zeros((3, 18)), np.zeros((3, 18))
        data = mujoco.MjData(robot.model)
        data.qpos[:] = q
        mujoco.mj_kinematics(robot.model, data)
        mujoco.mj_comPos(robot.model, data)
        body = robot.model.body(f"{side}_foot").id
        mujoco.mj_jac(robot.model, data, jp, jr, middle + s.trunk[0].p_WO, body)
        np.testing.assert_allclose(linear, -GRIP * (jp @ v), atol=1e-11)
        turn = jr @ v * [20.0, 20.0, GRIP]
        np.testing.assert_allclose(turning, -turn, atol=1e-11)


def test_a_foot_on_its_heel_turns_about_its_heel(robot):
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    q[12] += 0.1  # left ankle pitch, about +y: the toe goes up, the heel down
    s, u = placed(robot, q, v)
    corners = corners_of(u, 0)
    heel = corners[corners[:, 0] > corners[:, 0].mean()].mean(axis=0)
    np.testing.assert_allclose(pivot_of(0, u), heel, atol=1e-12)
    linear, turning = classical(s, u, 0, heel)
    np.testing.assert_allclose(linear, 0.0, atol=1e-9)
    lean = np.sin(0.1) - FLAT
    np.testing.assert_allclose(turning, [0.0, -1000.0 * lean, 0.0], atol=1e-9)


def test_a_floating_foot_is_lowered(robot):
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    q[2] += 0.02
    s, u = placed(robot, q, v)
    linear, turning = classical(s, u, 1, np.array(pivot_of(1, u)))
    assert np.abs(turning).max() < 1e-9
    # 1000 / s² on 20 mm less the 1 mm at which a sole touches
    np.testing.assert_allclose(linear, [0.0, 0.0, -19.0], atol=1e-6)


def test_a_swing_ends_over_its_place_at_rest(robot):
    """The law's own differential equation: a point does what is asked."""
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    s, u = placed(robot, q, v)
    dt, time, lift = 1e-4, 0.25, 0.04
    foot = s.links[u.feet[0].link]
    p_O = u.corners["p_O"]
    goal = np.array([-0.2, -0.05])
    place, speed, top = np.zeros(3), np.zeros(3), 0.0
    still = p_O.copy()
    for n in range(round(time / dt)):
        p_O[:] = still + place * [0.0, 0.0, 1.0]
        foot.V[:3], foot.V[3:] = speed, 0.0
        way = (goal[0] - place[0], goal[1] - place[1])
        swing_foot(0, s, u, way, n * dt, time, lift)
        linear, _ = classical(s, u, 0, foot.r_O)
        speed = speed + dt * linear
        place = place + dt * speed
        top = max(top, place[2])
    p_O[:] = still
    assert top == pytest.approx(0.04, abs=5e-4)  # first order in dt of 1e-4 of 0.25 s
    assert abs(place[2]) < 1e-3
    # in the last 0.05 s the law is a spring of that time: exp(-sqrt(6)) of a way that
    # is (0.05/0.25)² of the whole by then
    np.testing.assert_allclose(place[:2], goal, atol=0.04 * 0.2)
    assert np.linalg.norm(speed[:2]) < 0.3
