"""Steps: where a foot lands, against the pendulum's closed form and the constraints."""

import math

import numpy as np
import pytest

from equipoise.control.workspace import balancer
from equipoise.control.workspace.capture import (
    Pendulum,
    best_foot,
    landing,
    sole_middle,
    timing,
)
from equipoise.control.workspace.laws.step import STANDING, TIMED
from equipoise.robots.biped.biped import biped
from equipoise.robots.load import load
from oracles.held_feet import sensed_of

RATE, LEFT, RIGHT = 3.2, 0, 1


@pytest.fixture(scope="module")
def stood():
    """Scratch and memory of the biped at its set point."""
    robot = biped()
    controller = balancer("workspace-step", robot)
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    _, state = controller.step(sensed_of(robot, q, v), controller.init())
    return state.scratch, state.memory


def land(stood, foot, x, y, left):
    s, e = stood
    u, fall = e.stand.problem.u, Pendulum(x, y, RATE)
    return landing(foot, fall, left, u, s.trunk[0].p_WO, e.stride, e.points)


def integrated(x, p, time, n=20000):
    """The capture point of a pendulum that is integrated step by step."""
    h = time / n
    for _ in range(n):
        middle = x + 0.5 * h * RATE * (x - p)
        x += h * RATE * (middle - p)
    return x


def test_a_foot_lands_beyond_where_the_capture_point_will_be(stood):
    x, left = -0.18, 0.2
    lx, ly, px, py, _ = land(stood, LEFT, x, -0.02, left)
    s, e = stood
    corners = e.stand.problem.u.corners["p_O"]
    toe = corners[:, 0].min() + s.trunk[0].p_WO[0]
    assert px == pytest.approx(toe, abs=1e-12)
    grown = integrated(x, px, left)
    ahead = math.hypot(lx - grown, ly - ly)
    assert lx < grown
    assert ahead <= e.stride.ahead * 1.000001
    inner = 0.086 - 0.5 * 0.055 * 1.72  # of the right sole, on which it presses
    assert py == pytest.approx(inner, abs=1e-12)


def test_feet_do_not_cross(stood):
    _, e = stood
    other = 0.086
    for y in (-0.3, 0.0, 0.3):
        _, ly, *_ = land(stood, LEFT, -0.2, y, 0.2)
        assert ly <= other - e.stride.apart[LEFT] + 1e-12
        _, ly, *_ = land(stood, RIGHT, -0.2, y, 0.2)
        assert ly >= -other + e.stride.apart[RIGHT] - 1e-12


def test_a_step_is_no_longer_than_the_reach(stood):
    s, e = stood
    lx, ly, *_ = land(stood, LEFT, -3.0, 0.0, 0.25)
    ox, oy = sole_middle(RIGHT, e.stand.problem.u, s.trunk[0].p_WO)
    assert math.hypot(lx - ox, ly - oy) == pytest.approx(e.stride.reach, rel=1e-12)


@pytest.mark.parametrize(("y", "foot"), [(-0.25, LEFT), (0.25, RIGHT)])
def test_the_foot_on_the_side_of_the_fall_steps(stood, y, foot):
    s, e = stood
    u, fall, p_WO = e.stand.problem.u, Pendulum(0.0, y, RATE), s.trunk[0].p_WO
    assert best_foot(fall, u, p_WO, e.stride, e.points) == foot


@pytest.mark.parametrize(("y", "is_hurried"), [(-0.05, False), (-0.22, True)])
def test_a_step_that_would_be_too_long_is_hurried(stood, y, is_hurried):
    s, e = stood
    u, p_WO = e.stand.problem.u, s.trunk[0].p_WO
    times = {
        n: e.stride.swing_time / 0.85 * TIMED[n] for n in ("swing_time", "hurried")
    }
    stride = e.stride._replace(**times)
    fall = Pendulum(0.0, y, RATE)
    _, ly, *_ = land(stood, LEFT, 0.0, y, stride.swing_time)
    assert (0.086 - ly > stride.easy) == is_hurried
    time = timing(LEFT, fall, u, p_WO, stride, e.points)
    assert time == (stride.hurried if is_hurried else stride.swing_time)
    assert stride.hurried < stride.swing_time


def test_it_stands_while_the_capture_point_is_between_the_feet(stood):
    _, e = stood
    assert e.swung[0] == STANDING


@pytest.mark.parametrize("speed", [-0.2, -0.7])
def test_a_step_begins_when_the_capture_point_has_left_the_soles(speed):
    robot = biped()
    controller = balancer("workspace-step", robot)
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    v[0] = speed
    _, state = controller.step(sensed_of(robot, q, v), controller.init())
    e, p_WO = state.memory, state.scratch.trunk[0].p_WO
    whole = e.stand.problem.whole[0]
    toe = (e.stand.problem.u.corners["p_O"][:, 0] + p_WO[0]).min()
    is_out = whole.p_WC[0] + whole.v_WC[0] / whole.rate < toe - e.trigger
    assert is_out == (speed < -0.5)
    assert (e.swung[0] != STANDING) == is_out


def test_a_bigger_robot_steps_farther_and_slower():
    strides = []
    for height in (1.0, 2.0):
        controller = balancer("workspace-step", load("biped", height=height))
        strides.append(controller.init().memory.stride)
    small, large = strides
    assert large.reach == pytest.approx(2.0 * small.reach)
    assert large.lift == pytest.approx(2.0 * small.lift)
    assert large.swing_time == pytest.approx(math.sqrt(2.0) * small.swing_time)
