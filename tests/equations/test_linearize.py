"""A and B of robots on springs against central differences of MuJoCo, and by hand."""

import importlib.util
import sys
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError, MissingToolError, UnknownNameError
from equipoise.equations.linear.linearize import linearize
from equipoise.equations.motion import derive
from equipoise.equations.robot.ground import SpringGround, standing_points
from equipoise.equations.tape.interpret import interpret
from equipoise.robots.load import load
from equipoise.robots.robot import Robot
from oracles.random_trees import random_robot

STEP = 1e-6
# The promise. Central differences err by STEP^2 times third derivatives, and by 1e-16
# of forces of 1e4 N over STEP, both far below it.
CLOSE = 1e-7


class Standing:
    """A robot in MuJoCo, held by torques, on springs at points of its bodies."""

    def __init__(self, robot, points, shares, ground, found):
        self.model, self.data = robot.model, mujoco.MjData(robot.model)
        self.points, self.ground, self.shares = points, ground, shares
        self.tau = found.tau
        self.place(found.q, found.v)
        self.anchors = []
        for point, share in zip(points, shares, strict=True):
            p, J = self.point(point)
            force = np.array(found.forces[point.name])
            slow = share * ground.damping * (J @ found.v)
            self.anchors.append(p + (force + slow) / (share * ground.stiffness))

    def place(self, q, v):
        self.data.qpos[:], self.data.qvel[:] = q, v
        mujoco.mj_forward(self.model, self.data)

    def point(self, point):
        body = point.body
        R = self.data.xmat[body].reshape(3, 3)
        p = self.data.xpos[body] + R @ np.array(point.place)
        J = np.zeros((3, self.model.nv))
        mujoco.mj_jac(self.model, self.data, J, None, p, body)
        return p, J

    def acceleration(self, q, v, tau):
        self.place(q, v)
        force = tau - self.data.qfrc_bias
        for point, share, end in zip(
            self.points, self.shares, self.anchors, strict=True
        ):
            p, J = self.point(point)
            spring = self.ground.stiffness * (end - p) - self.ground.damping * (J @ v)
            force = force + share * J.T @ spring
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        return np.linalg.solve(M, force)

    def differences(self, q, v, driven):
        """Return the lower halves of A and B."""
        nv, columns = self.model.nv, []
        for k in range(2 * nv + len(driven)):
            ends = []
            for step in (STEP, -STEP):
                there, u, tau = q.copy(), v.copy(), self.tau.copy()
                if k < nv:
                    direction = np.eye(nv)[k]
                    mujoco.mj_integratePos(self.model, there, direction, step)
                elif k < 2 * nv:
                    u[k - nv] += step
                else:
                    tau[driven[k - 2 * nv]] += step
                ends.append(self.acceleration(there, u, tau))
            columns.append((ends[0] - ends[1]) / (2 * STEP))
        both = np.array(columns).T
        return both[:, : 2 * nv], both[:, 2 * nv :]


def check(robot, found, ground, driven):
    feet = standing_points(robot, found.q)
    points = [point for foot in feet.values() for point in foot]
    shares = [1.0 / len(foot) for foot in feet.values() for _ in foot]
    peer = Standing(robot, points, shares, ground, found)
    nv = robot.model.nv
    A, B = peer.differences(found.q, found.v, driven)
    assert np.abs(found.A[nv:] - A).max() < CLOSE * np.abs(A).max()
    assert np.abs(found.B[nv:] - B).max() < CLOSE * np.abs(B).max()
    at_rest = peer.acceleration(found.q, found.v, found.tau)
    np.testing.assert_allclose(found.vdot, at_rest, rtol=0, atol=1e-8)
    assert not found.B[:nv].any()
    return points


@pytest.mark.parametrize(("name", "count"), [("warp1", 4), ("biped", 8)])
def test_a_standing_robot_is_that_of_central_differences(name, count):
    robot, ground = load(name), SpringGround(stiffness=40e3, damping=900.0)
    found = linearize(robot, ground=ground)
    points = check(robot, found, ground, list(range(6, 18)))
    assert len(points) == count
    assert found.is_equilibrium
    assert found.A.shape == (36, 36)
    assert found.B.shape == (36, 12)
    np.testing.assert_array_equal(found.A[:18], np.eye(18, 36, 18))
    assert (found.eigenvalues.real > 1e-6).sum() == 6  # its joints are not controlled
    assert not found.tau[:6].any()


def test_a_foot_that_is_a_ball_is_held_at_its_middle():
    robot = load("warp1")
    data = mujoco.MjData(robot.model)
    data.qpos[:] = derive(robot).start
    mujoco.mj_kinematics(robot.model, data)
    feet = standing_points(robot, data.qpos)
    assert len(feet) == 4
    for foot, (point,) in feet.items():
        R = data.xmat[point.body].reshape(3, 3)
        assert np.abs(R - np.eye(3)).max() > 0.1  # shanks are bent, so axes matter
        p = data.xpos[point.body] + R @ point.place
        np.testing.assert_allclose(p, data.geom(foot).xpos, atol=1e-12)  # rounding


def test_a_tilted_pose_that_moves_is_that_of_central_differences(rng):
    robot, ground = load("warp1"), SpringGround()
    q, v = derive(robot).start, rng.normal(size=18)
    mujoco.mj_integratePos(robot.model, q, 0.2 * rng.normal(size=18), 1.0)
    found = linearize(robot, q=q, v=v, tau=rng.normal(size=18), ground=ground)
    check(robot, found, ground, list(range(6, 18)))
    assert not found.is_equilibrium
    turning = found.A[3:6, 3:6]
    np.testing.assert_allclose(turning, np.cross(np.eye(3), v[3:6]).T, atol=1e-15)


@pytest.mark.parametrize("seed", range(4))
def test_kinematics_are_those_of_a_motion_nearby(seed, rng):
    """What is between two motions changes as the upper half of A says."""
    robot = random_robot(seed)
    model, q = robot.model, robot.model.qpos0.copy()
    v, dx = rng.normal(size=model.nv), 1e-4 * rng.normal(size=2 * model.nv)
    found = linearize(robot, q=q, v=v)
    other, gaps, step = q.copy(), [], 1e-4
    mujoco.mj_integratePos(model, other, dx[: model.nv], 1.0)
    for time in (step, -step):
        there, near, gap = q.copy(), other.copy(), np.zeros(model.nv)
        mujoco.mj_integratePos(model, there, v, time)
        mujoco.mj_integratePos(model, near, v + dx[model.nv :], time)
        mujoco.mj_differentiatePos(model, gap, 1.0, there, near)
        gaps.append(gap)
    rate = (gaps[0] - gaps[1]) / (2 * step)
    # products of changes, 1e-8, and third derivatives times step^2, are left out
    np.testing.assert_allclose(rate, found.A[: model.nv] @ dx, rtol=0, atol=3e-7)
    assert np.abs(rate).max() > 1e-5


@pytest.mark.parametrize("seed", range(3))
def test_any_tree_without_ground_is_that_of_central_differences(seed, rng):
    robot = random_robot(seed, bodies=5)
    q, v = robot.model.qpos0.copy(), rng.normal(size=robot.model.nv)
    found = linearize(robot, q=q, v=v, tau=rng.normal(size=robot.model.nv))
    free = 6 if robot.model.jnt_type[0] == 0 else 0
    assert check(robot, found, SpringGround(), list(range(free, robot.model.nv))) == []


def ball(mass):
    text = (
        '<mujoco><worldbody><body name="b" pos="0 0 0.1"><freejoint/>'
        f'<geom name="g" size="0.1" mass="{mass}"/></body></worldbody></mujoco>'
    )
    return Robot("ball", mujoco.MjSpec.from_string(text), base="b", feet=("g",))


def test_a_ball_has_the_poles_of_a_mass_on_a_spring():
    found = linearize(ball(3.0), ground=SpringGround(stiffness=1200.0, damping=30.0))
    wanted = np.roots([3.0, 30.0, 1200.0])
    translation = [p for p in found.eigenvalues if abs(p) > 1e-3]
    assert len(translation) == 6
    for pole in translation:
        assert np.abs(wanted - pole).min() < 1e-9 * abs(pole)
    np.testing.assert_allclose(found.forces["g"], [0.0, 0.0, 3.0 * 9.81], atol=1e-12)


def test_a_pendulum_falls_at_the_root_of_g_over_l():
    text = (
        '<mujoco><worldbody><body name="b"><joint axis="0 1 0"/>'
        '<inertial mass="2" pos="0 0 0.5" diaginertia="1e-9 1e-9 1e-9"/>'
        "</body></worldbody></mujoco>"
    )
    robot = Robot("pendulum", mujoco.MjSpec.from_string(text), base="b")
    found = linearize(robot)
    rate = np.sqrt(9.81 / 0.5)
    # the point mass has an inertia of 1e-9 beside 0.5 kg m²
    np.testing.assert_allclose(found.eigenvalues, [rate, -rate], rtol=3e-9)
    np.testing.assert_allclose(found.B[:, 0], [0.0, 1 / (2 * 0.5**2)], rtol=3e-9)
    assert found.inputs == ("joint0.v",)


def test_the_block_of_expressions_gives_the_same_numbers(rng):
    robot = load("warp1")
    q = derive(robot).start
    mujoco.mj_integratePos(robot.model, q, 0.1 * rng.normal(size=18), 1.0)
    found = linearize(robot, q=q, v=rng.normal(size=18))
    block = found.block()
    at = np.concatenate([found.q, found.v, found.vdot, found.tau])
    numbers = interpret(block.program, at, block.values)
    A, B = np.split(numbers, [36 * 36])
    # the same derivatives, solved in another order; M has a condition of 1e4
    scale = np.abs(found.A).max()
    np.testing.assert_allclose(A.reshape(36, 36), found.A, rtol=0, atol=1e-12 * scale)
    scale = np.abs(found.B).max()
    np.testing.assert_allclose(B.reshape(36, 12), found.B, rtol=0, atol=1e-12 * scale)


def test_parameters_that_were_changed_count():
    name = "b.mass"
    motion = derive(ball(3.0), engine="numpy")
    found = motion.with_parameters({name: 5.0}).linearize()
    A, B = found
    assert A is found.A
    assert B is found.B
    wanted = linearize(ball(5.0))
    assert motion.parameters[name] == 3.0
    np.testing.assert_allclose(found.forces["g"], wanted.forces["g"], atol=1e-12)
    np.testing.assert_allclose(found.A[8, 2], wanted.A[8, 2], rtol=1e-12)


@pytest.mark.parametrize("name", ["", ' name="b"'])
def test_shapes_without_a_name_are_found_by_their_body(name):
    text = (
        f'<mujoco><worldbody><body{name} pos="0 0 0.1"><freejoint/>'
        '<geom size="0.1" mass="2"/></body></worldbody></mujoco>'
    )
    robot = Robot(
        "ball", mujoco.MjSpec.from_string(text), base="b" if name else "world"
    )
    if name:
        assert list(linearize(robot).forces) == ["b"]
    else:
        with pytest.raises(ConfigError, match="has no name, nor has its body"):
            linearize(robot)


def test_bad_input_is_refused():
    robot = load("warp1")
    with pytest.raises(UnknownNameError, match="no keyframe 'sit'"):
        linearize(robot, keyframe="sit")
    with pytest.raises(ConfigError, match="stiffness must be > 0 N/m, got -1"):
        SpringGround(stiffness=-1.0)


def test_python_control_gets_the_system_or_is_named():
    found = linearize(ball(1.0))
    if importlib.util.find_spec("control.statesp") is None:  # tests have a 'control'
        with pytest.raises(MissingToolError, match="pip install control"):
            found.state_space()
    else:
        system = found.state_space()
        np.testing.assert_array_equal(system.A, found.A)
        np.testing.assert_array_equal(system.B, found.B)


def test_names_for_python_control_have_no_dots(monkeypatch):
    given = {}
    stand_in = SimpleNamespace(ss=lambda *_, **names: given.update(names))
    monkeypatch.setitem(sys.modules, "control", stand_in)
    found = linearize(load("warp1"))
    found.state_space()
    assert any("." in name for name in found.states)
    for names in given.values():
        assert names and not any("." in name for name in names)
