"""SAP's legs against hand examples: references, statics and settings."""

import math

import mujoco
import numpy as np
import pytest

from equipoise.control.machine import legged_machine
from equipoise.control.tracking import (
    TRACKINGS,
    TrackingConfig,
    tracking_controller,
)
from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Readings
from equipoise.core.errors import ConfigError
from equipoise.robots.load import load

HEIGHT, SPEED = 0.31, 0.12
LENGTH = SPEED * 0.75  # of a stroke: speed times the duration of a support


@pytest.fixture(scope="module")
def machine():
    """SAP."""
    return legged_machine(load("sap"))


def readings(machine, time, **changed):
    """Return readings of a machine as it stands."""
    stand, nan = machine.geometry.stand, np.full(2, np.nan)
    told = {
        "time": time,
        "dt": 0.002,
        "q": stand.copy(),
        "v": np.zeros(4),
        "current": np.zeros(4),
        "limit": np.zeros(4),
        "gyro": np.zeros(3),
        "acceleration": np.zeros(3),
        "inclination": np.zeros(2),
        "load": nan,
        "pad": nan,
    }
    return Readings(**(told | changed))


def told(machine, tracking, time):
    """Return what legs are told at a time, and their torques."""
    controller = tracking_controller(machine, tracking)
    command, state = controller.step(readings(machine, time), controller.init())
    return state, command


def test_by_position_a_foot_goes_along_an_arc_about_its_hip(machine):
    for time in np.linspace(1.0, 2.0, 41):
        state, _ = told(machine, "position", time)
        for foot in state:
            if foot.stands:
                assert np.hypot(*foot.place) == pytest.approx(HEIGHT)
                assert foot.place @ foot.velocity == pytest.approx(0.0, abs=1e-15)
                assert foot.velocity[0] == pytest.approx(-SPEED)
            assert (foot.force == 0.0).all()


def test_in_the_air_it_goes_along_a_cycloid_from_end_to_end(machine):
    controller = tracking_controller(machine, "force")
    times = np.linspace(1.375, 1.625, 101)  # the left leg's swing
    state = [told(machine, "force", t)[0][0] for t in times[:-1]]
    assert not any(foot.stands for foot in state[1:])
    place = np.array([foot.place for foot in state])
    assert place[0] == pytest.approx([-LENGTH / 2, -HEIGHT], abs=1e-9)
    assert place[:, 1].max() == pytest.approx(-HEIGHT + LENGTH / math.pi)
    after = told(machine, "force", times[-1] + 1e-9)[0][0]
    assert after.place == pytest.approx([LENGTH / 2, -HEIGHT], abs=1e-8)
    assert after.stands
    assert controller.init()["phase"] == pytest.approx([0.375, 0.875])


def test_rotated_the_same_way_is_turned_and_goes_deeper_backwards(machine):
    c, s = math.cos(math.radians(15.0)), math.sin(math.radians(15.0))
    R, middle = np.array([[c, -s], [s, c]]), np.array([0.0, -HEIGHT])
    for time in np.linspace(1.0, 2.0, 23):
        plain, _ = told(machine, "position", time)
        turned, _ = told(machine, "rotated", time)
        for one, two in zip(plain, turned, strict=True):
            assert two.place == pytest.approx(R @ (one.place - middle) + middle)
            assert two.velocity == pytest.approx(R @ one.velocity)
    back = told(machine, "rotated", 1.37)[0][0]  # at the end of its support
    assert back.place[0] < 0.0
    assert back.place[1] < -HEIGHT


def test_by_force_legs_carry_their_share_on_average(machine):
    times = 1.0 + (np.arange(2000) + 0.5) / 2000
    loads = [told(machine, "force", t)[0]["force"][:, 1] for t in times]
    share = 0.5 * TrackingConfig().carried * machine.mass * GRAVITY
    # midpoints: 1 / (24 n²) of the slope's jumps, some 1e-6 of it
    assert np.mean(loads, axis=0) == pytest.approx([share, share], rel=1e-5)


def test_what_legs_carry_is_what_statics_says():
    robot = load("sap")
    model, data = robot.model, mujoco.MjData(robot.model)
    data.qpos[:] = robot.spec.keys[0].qpos
    mujoco.mj_forward(model, data)
    axle = float(data.body("left_wheel").xpos[0])
    foot = float(data.geom("left_foot").xpos[0])
    share = (float(data.subtree_com[1][0]) - axle) / (foot - axle)
    assert TrackingConfig().carried == pytest.approx(share, abs=5e-4)  # as printed
    assert data.geom("left_tyre").xpos[2] == pytest.approx(0.05)  # it touches
    assert share < 0.14 / (0.12 + 0.14)  # or it would tip over one leg and a wheel


def test_at_rest_torques_carry_the_legs_weight_alone_or_their_share_too(machine):
    robot = load("sap")
    model, data = robot.model, mujoco.MjData(robot.model)
    data.qpos[:] = robot.spec.keys[0].qpos
    mujoco.mj_forward(model, data)
    joints = model.actuator_trnid[:, 0]
    weight = data.qfrc_bias[model.jnt_dofadr[joints]]
    _, by_place = told(machine, "position", 0.5)
    assert by_place.tau == pytest.approx(weight, abs=1e-12)
    _, by_force = told(machine, "force", 0.5)
    jacobian = np.zeros((3, model.nv))
    foot, body = data.geom("left_foot"), model.body("left_shank").id
    mujoco.mj_jac(model, data, jacobian, None, foot.xpos, body)
    share = 0.5 * TrackingConfig().carried * machine.mass * GRAVITY
    pressed = -share * jacobian[2, model.jnt_dofadr[joints]]
    assert (by_force.tau - weight)[:2] == pytest.approx(pressed[:2])


def test_a_reading_that_is_no_number_counts_as_the_last_good_one(machine):
    controller = tracking_controller(machine)
    q = machine.geometry.stand + 0.1
    first, state = controller.step(readings(machine, 0.5, q=q), controller.init())
    bad = readings(machine, 0.5, q=np.full(4, np.nan), v=np.full(4, np.nan))
    again, _ = controller.step(bad, state)
    assert again.tau == pytest.approx(first.tau)


def test_a_tick_leaves_the_state_that_it_is_given_as_it_was(machine):
    controller = tracking_controller(machine)
    _, state = controller.step(readings(machine, 0.5), controller.init())
    before = state.copy()
    first, after = controller.step(readings(machine, 1.3), state)
    again, _ = controller.step(readings(machine, 1.3), state)
    assert (state == before).all()
    assert (after != before).any()
    assert (first.tau == again.tau).all()


def test_the_trials_differ_in_references_alone(machine):
    rows = [tracking_controller(machine, t).model[0] for t in TRACKINGS]
    for name in rows[0].dtype.names:
        if name not in ("by_force", "turned"):
            assert len({str(row[name]) for row in rows}) == 1


def test_refuses_what_it_cannot_track(machine):
    with pytest.raises(ConfigError, match="position, rotated, force, got 'fast'"):
        tracking_controller(machine, "fast")
    with pytest.raises(ConfigError, match=r"up to 0\.33 m/s, got 1\.0"):
        tracking_controller(machine, speed=1.0)
    with pytest.raises(ConfigError, match=r"duty must be 0\.05 to 0\.95, got 1\.0"):
        TrackingConfig(duty=1.0)
