"""The posture controller's contract: deterministic, pure, calm with bad readings."""

import copy
import math
from dataclasses import fields

import mujoco
import numpy as np
import pytest

from equipoise.control.posture.config import PostureControllerConfig
from equipoise.control.posture.controller import (
    posture_controller,
)
from equipoise.core.contracts import Readings
from equipoise.core.errors import ConfigError
from equipoise.robots.legs import foot_jacobian, foot_place, leg_geometry
from equipoise.robots.warp1.warp1 import warp1
from oracles.walking_parts import same

ROBOT = warp1()
LEGS = leg_geometry(ROBOT)
STAND = np.asarray(ROBOT.spec.keys[0].qpos)[7:].copy()
G = 9.81


def readings(time: float = 0.0, **other: np.ndarray) -> Readings:
    """Return what the sensors of a machine at rest read."""
    still = {
        "q": STAND.copy(),
        "v": np.zeros(12),
        "current": np.zeros(12),
        "limit": np.zeros(12),
        "gyro": np.zeros(3),
        "acceleration": np.array([0.0, 0.0, G]),
        "inclination": np.zeros(2),
        "load": np.full(4, 148.0),
        "pad": np.full(4, 0.026),
    }
    return Readings(time=time, dt=0.002, **(still | other))


def test_at_rest_the_legs_carry_the_weight_and_nothing_else():
    """J⁻ᵀ τ of each leg adds up to force and moment of the weight at its centre."""
    controller = posture_controller(ROBOT, PostureControllerConfig(knock_amplitude=0))
    command, _ = controller.step(readings(), controller.init())
    J, place = np.empty((4, 3, 3)), np.empty((4, 3))
    foot_jacobian(STAND, LEGS.lengths, J)
    foot_place(STAND, LEGS.lengths, place)
    pressed = np.array(
        [np.linalg.solve(J[k].T, command.tau[3 * k : 3 * k + 3]) for k in range(4)]
    )
    weight = LEGS.mass * G
    # Solver: the sharing's slack, 1e-9 of the loads times a conditioning of 1e4.
    np.testing.assert_allclose(pressed.sum(0), [0, 0, -weight], atol=1e-2)
    moment = np.cross(LEGS.hips + place, -pressed).sum(0)
    data = mujoco.MjData(ROBOT.model)
    data.qpos[:] = ROBOT.spec.keys[0].qpos
    mujoco.mj_kinematics(ROBOT.model, data)
    mujoco.mj_comPos(ROBOT.model, data)
    root = ROBOT.model.body("trunk").id
    centre = data.subtree_com[root] - data.xpos[root]
    expected = weight * np.array([centre[1], -centre[0], 0.0])
    np.testing.assert_allclose(moment, expected, rtol=0, atol=1e-2)
    assert command.volts is not None
    drives = np.array([[d.torque_constant, d.resistance] for d in ROBOT.drives])
    current = command.tau / drives[:, 0]
    # R i and a first step of the PI that found no current: 0.2 + 2 ms / 20 ms more.
    expected = drives[:, 1] * current * 1.3
    np.testing.assert_allclose(command.volts, expected, rtol=1e-12)


@pytest.mark.parametrize("sharing", ["printed", "consistent"])
def test_answers_against_the_error(sharing):
    """Low, rolled left-down and nose-down: more load, left more, front more."""
    config = PostureControllerConfig(sharing=sharing, knock_amplitude=0)
    controller = posture_controller(ROBOT, config)

    def loads(**other):
        command, _ = controller.step(readings(**other), controller.init())
        J = np.empty((4, 3, 3))
        foot_jacobian(STAND, LEGS.lengths, J)
        taus = command.tau.reshape(4, 3)
        return np.array([-np.linalg.solve(J[k].T, taus[k])[2] for k in range(4)])

    calm = loads()
    rolled = loads(inclination=np.array([-0.05, 0.0])) - calm  # left side down
    nosed = loads(inclination=np.array([0.0, 0.02])) - calm  # nose down
    assert rolled[[0, 2]].min() > 20.0 and rolled[[1, 3]].max() < -20.0
    assert nosed[[0, 1]].min() > 20.0 and nosed[[2, 3]].max() < -20.0
    state = controller.init()
    _, state = controller.step(readings(), state)
    low = STAND + np.tile([0.0, 0.05, -0.1], 4)
    command, _ = controller.step(readings(q=low), state)
    assert command.telemetry["height_error"] > 0.0


def test_same_input_same_output_and_inputs_untouched():
    controller = posture_controller(ROBOT)
    state, sensed = controller.init(), readings()
    kept = {f.name: np.copy(getattr(sensed, f.name)) for f in fields(sensed)}
    before = copy.deepcopy(state)
    first, after = controller.step(sensed, state)
    second, again = controller.step(sensed, state)
    np.testing.assert_array_equal(first.tau, second.tau)
    np.testing.assert_array_equal(first.volts, second.volts)
    assert same(after, again)
    assert first.telemetry == second.telemetry
    assert same(state, before)
    for name, value in kept.items():
        np.testing.assert_array_equal(getattr(sensed, name), value)


@pytest.mark.parametrize(
    "name", ["q", "v", "current", "limit", "gyro", "acceleration", "inclination"]
)
def test_a_lost_sensor_neither_raises_nor_shouts(name):
    controller = posture_controller(ROBOT)
    _, state = controller.step(readings(), controller.init())
    nothing = np.full_like(getattr(readings(), name), math.nan)
    command, _ = controller.step(readings(0.002, **{name: nothing}), state)
    most = np.array([drive.torque for drive in ROBOT.drives])
    assert np.all(np.abs(command.tau) <= most) and np.all(np.abs(command.volts) <= 48.0)
    assert np.isfinite(list(command.telemetry.values())).all()


def test_no_reading_at_all_and_no_time_between_them():
    controller = posture_controller(ROBOT)
    sensed = readings()
    for f in fields(sensed):
        if f.name not in ("time", "dt"):
            whole = getattr(sensed, f.name)
            lost = np.full_like(whole, math.nan) if np.ndim(whole) else math.nan
            setattr(sensed, f.name, lost)
    sensed.dt = 0.0
    command, _ = controller.step(sensed, controller.init())
    assert np.isfinite(command.tau).all() and np.isfinite(command.volts).all()


def test_refuses_wrong_rules_and_gains_together():
    with pytest.raises(
        ConfigError, match=r"roll must be values.*sharing must be 'prin"
    ):
        PostureControllerConfig(roll=(1.0, -1.0, 0.0), sharing="evenly")
