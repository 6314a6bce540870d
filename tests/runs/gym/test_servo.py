"""From actions to torques and back, by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, ShapeError
from equipoise.runs.gym.servo import Servo, expect_action, expect_servo, servo_of

AT, RATE = np.array([8, 7]), np.array([7, 6])
REST, SPRING, DAMPER = (
    np.array([0.1, -0.2]),
    np.array([30.0, 50.0]),
    np.array([2.0, 3.0]),
)
LIMIT, SCALE = np.array([20.0, 10.0]), np.array([1.0, 1.0])
WORLD: Any = SimpleNamespace(
    q_address=AT, v_address=RATE, model=SimpleNamespace(dof_M0=np.arange(8.0) / 10.0)
)


def torques(kind: Any, asked, q=(0.0, 0.0), v=(0.0, 0.0), weight=(0.0, 0.0)):
    """Return what motors are told, and the effort."""
    servo = Servo(kind=kind, scale=SCALE, rest=REST, stiffness=SPRING, damping=DAMPER)
    data: Any = SimpleNamespace(
        qpos=np.full(9, 9.0), qvel=np.full(8, 9.0), qfrc_bias=np.full(8, 9.0)
    )
    data.qpos[AT], data.qvel[RATE], data.qfrc_bias[RATE] = q, v, weight
    tau = np.zeros(2)
    spent = servo.bound(data, WORLD, LIMIT, np.array(asked), tau)()
    return tau, spent


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("position", [30 * (0.1 + 0.3 - 0.2) - 2 * 0.5, 50 * (-0.2 - 0.4 - 0.1) + 3.0]),
        ("torque", [0.3, -0.4]),
        ("velocity", [2 * (0.3 - 0.5) + 4.0, 3 * (-0.4 + 1.0) - 5.0]),
    ],
)
def test_each_kind_of_action_asks_for_its_own_torques(kind, wanted):
    q, v, weight = (0.2, 0.1), (0.5, -1.0), (4.0, -5.0)
    tau, spent = torques(kind, (0.3, -0.4), q, v, weight)
    assert tau == pytest.approx(wanted)
    shares = np.minimum(np.abs(tau) / LIMIT, 1.0)
    assert spent == pytest.approx((shares**2).mean())


def test_effort_counts_a_motor_at_its_limit_as_one():
    assert torques("torque", (40.0, 5.0))[1] == pytest.approx((1.0 + 0.25) / 2.0)
    assert torques("torque", (-40.0, -99.0))[1] == 1.0


@pytest.mark.parametrize("kind", ["position", "torque", "velocity"])
def test_the_action_for_some_torques_asks_for_them(kind, rng):
    servo = Servo(kind=kind, scale=np.array([4.0, 8.0]), rest=REST, stiffness=SPRING,
                  damping=DAMPER)  # fmt: skip
    q, v, weight = rng.normal(0.0, 0.1, (3, 2))
    wanted = np.array([0.7, -0.4])
    action = servo.action(wanted, q, v, weight)
    assert (np.abs(action) < 1.0).all()
    assert torques(kind, servo.scale * action, q, v, weight)[0] == pytest.approx(wanted)
    assert servo.action(np.array([1e4, -1e4]), q, v, weight).tolist() == [1.0, -1.0]


def made(kind: Any = "position", period=0.1, **given):
    """Return a servo of joints of 0.7 and 0.6 kg m²."""
    return servo_of(WORLD, kind, rest=REST, limit=LIMIT, speed=np.array([5.0, 6.0]),
                    period=period, **given)  # fmt: skip


def test_springs_suit_motors_and_ring_in_no_tick():
    servo = made(period=1e-3)
    assert servo.stiffness == pytest.approx([40.0, 20.0])  # all it has, half a rad off
    damping = 1.4 * np.sqrt(servo.stiffness * [0.7, 0.6])
    assert servo.damping == pytest.approx(damping)
    slow = made(period=0.5)  # springs that would ring: k h² is the inertia at most
    assert slow.stiffness == pytest.approx([0.7 / 0.25, 0.6 / 0.25])
    assert slow.damping == pytest.approx([0.7, 0.6])  # and d h half of it
    assert made(stiffness=3.0, damping=4.0).stiffness.tolist() == [3.0, 3.0]
    assert made(stiffness=3.0, damping=4.0).damping.tolist() == [4.0, 4.0]
    soft = made(period=1e-3, stiffness=4e4)  # a damper has 25 ms of its spring at least
    assert soft.damping == pytest.approx([min(1e3, 0.5 * 0.7 / 1e-3), 0.5 * 0.6 / 1e-3])
    assert made("velocity", 1e-3).damping == pytest.approx(LIMIT / 3.0)


def test_an_action_of_one_is_a_rad_a_motor_s_power_of_two_or_its_speed():
    assert made().scale.tolist() == [1.0, 1.0]
    assert made("torque").scale.tolist() == [32.0, 16.0]
    assert made("velocity").scale.tolist() == [5.0, 6.0]


def test_actions_are_cut_off_at_one_and_numbers_are_asked_for():
    assert expect_action([0.5, 3, -9], 3).tolist() == [0.5, 1.0, -1.0]
    with pytest.raises(ShapeError, match="3 numbers, one per joint"):
        expect_action([0.5], 3)
    with pytest.raises(ShapeError, match="joint 1 is inf"):
        expect_action([0.5, np.inf, np.nan], 3)
    with pytest.raises(ConfigError, match="it must be 3 numbers, got str"):
        expect_action("left", 3)


def test_all_that_is_wrong_with_a_servo_is_told():
    known = ("position", "torque")
    assert expect_servo("torque", known, 1.0, None) == []
    problems = expect_servo("velocity", known, 0.0, float("inf"))
    assert len(problems) == 3
    assert problems[0] == "action must be position or torque, got 'velocity'"
