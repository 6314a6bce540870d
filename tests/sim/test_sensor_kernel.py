"""Sensors number by number, on a machine that is told where it is; no engine steps."""

import math
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.core.contracts import Readings
from equipoise.sim.machine import foot_sensors as feet_of
from equipoise.sim.machine.fix import FixConfig, MapFix
from equipoise.sim.machine.foot_contacts import FeltFoot
from equipoise.sim.machine.foot_sensors import FootSensorConfig, foot_sensors
from equipoise.sim.machine.motor_kernel import DriveState
from equipoise.sim.machine.sensor_kernel import read_sensors
from equipoise.sim.machine.sensors import (
    BLOCK,
    SensorBank,
    SensorConfig,
    sensor_bank,
)
from equipoise.sim.machine.views import machine_views
from equipoise.sim.terrain import GroundPlane, Surface

PERIOD, G = 0.002, 10.0
DEGREE = math.pi / 180.0
MODEL = mujoco.MjModel.from_xml_string("""
<mujoco><compiler angle="radian"/><worldbody><body name="trunk" pos="0 0 0.6">
  <freejoint/><geom size=".1" mass="7"/>
  <body name="a" pos="0.3 0 0">
    <joint name="hip_roll" range="-0.5 0.75" limited="true"/>
    <geom name="foot_a" size=".05" pos="0 0 -.6" mass="1"/></body>
  <body name="b" pos="-0.3 0 0">
    <joint name="hip_pitch" range="-1 1" limited="true"/>
    <geom name="foot_b" size=".05" pos="0 0 -.6" mass="1"/>
    <body name="c" pos="0 0.2 0"><joint name="knee"/>
      <geom name="foot_c" size=".05" pos="0 0 -.6" mass="1"/></body></body>
</body></worldbody>
<actuator><motor joint="knee"/><motor joint="hip_roll"/><motor joint="hip_pitch"/>
</actuator><keyframe><key name="start" qpos="0 0 0.8 1 0 0 0 0 0 0"/></keyframe>
</mujoco>""")
FEET = ("foot_c", "foot_a")


def robot(senses: frozenset[str] = frozenset()) -> Any:
    return SimpleNamespace(model=MODEL, feet=FEET, base="trunk", senses=senses)


def ground(rise: float = 0.0, height: float = 0.0) -> Surface:
    plane = GroundPlane.zeros(1)
    plane["rise"][0, 0], plane["height"][0], plane["edge"][0] = rise, height, 1.0
    return Surface(plane, np.zeros((0, 0)))


class Machine:
    """The engine's arrays, written by hand, and sensors that read them."""

    def __init__(self, surface=None, is_elastic=False, **config: Any) -> None:
        self.data = mujoco.MjData(MODEL)
        self.views = machine_views(robot(), self.data)
        self.drives, self.feet = DriveState.zeros(3), FeltFoot.zeros(2)
        self.surface = surface or ground()
        self.bank: SensorBank = sensor_bank(
            robot(), SensorConfig(**config), PERIOD, self.surface,
            is_elastic=is_elastic, gravity=G,
        )  # fmt: skip
        self.k = 0
        self.turn(np.eye(3))

    def turn(self, R: np.ndarray) -> None:
        self.data.xmat[1] = R.ravel()

    def read(self, noise: float = 0.0) -> Readings:
        """Read the next tick; every channel's random number is the same."""
        self.bank.arrays.noise[:] = noise
        read_sensors(self.views, self.drives, self.feet, self.bank.arrays, self.k)
        self.k += 1
        return self.bank.readings


QUIET = {
    f"{name}_{kind}": 0.0
    for name in ("gyro", "acceleration", "inclination", "load")
    for kind in ("noise", "offset")
} | dict.fromkeys(("current_noise", "pad_noise", "gyro_drift", "analog_cycles"), 0)
REAL = {**QUIET, "kind": "real"}


def test_joints_are_read_in_the_order_of_their_motors():
    machine = Machine()
    machine.data.qpos[7:] = 0.1, 0.2, 0.3
    machine.data.qvel[6:] = 1.0, 2.0, 3.0
    machine.drives["current"] = 4.0, 5.0, 6.0
    readings = machine.read()
    np.testing.assert_array_equal(readings.q, [0.3, 0.1, 0.2])
    np.testing.assert_array_equal(readings.v, [3.0, 1.0, 2.0])
    np.testing.assert_array_equal(readings.current, [4.0, 5.0, 6.0])


def test_encoders_tell_the_middle_of_a_step_and_speeds_are_their_differences():
    # hip roll, hip pitch, knee; the motors' order is knee, hip roll, hip pitch
    machine = Machine(**REAL, motor_encoder=(0.1, 0.01, 0.001))
    machine.data.qpos[7:] = 0.26, -0.114, 0.0117
    np.testing.assert_allclose(machine.read().q, [0.012, 0.3, -0.11], atol=1e-12)
    np.testing.assert_array_equal(machine.bank.readings.v, 0.0)  # none before it
    machine.data.qpos[7:] = 0.24, -0.116, 0.0114
    readings = machine.read()
    np.testing.assert_allclose(readings.q, [0.011, 0.2, -0.12], atol=1e-12)
    change = np.array([-0.001, -0.1, -0.01])
    np.testing.assert_allclose(readings.v, change / PERIOD, atol=1e-9)


@pytest.mark.parametrize(
    ("shaft", "step", "angle"), [("joint", 0.01, 0.26), ("motor", 0.1, 0.71)]
)
def test_behind_an_elastic_gear_it_counts_whose_shaft_is_read(shaft, step, angle):
    machine = Machine(
        is_elastic=True, shaft=shaft, motor_encoder=(0.1,) * 3,
        joint_encoder=(0.01,) * 3, **REAL,
    )  # fmt: skip
    machine.data.qpos[7:], machine.drives["rotor"] = 0.26, 0.71
    machine.read()
    np.testing.assert_allclose(
        machine.bank.readings.q, round(angle / step) * step, atol=1e-12
    )
    machine.drives["rotor"] = 0.92
    np.testing.assert_allclose(machine.read().v, 0.2 / PERIOD, atol=1e-9)  # the motor's
    ideal = Machine(is_elastic=True, shaft=shaft)
    ideal.data.qpos[7:], ideal.drives["rotor"] = 0.26, 0.71
    ideal.data.qvel[6:], ideal.drives["rotor_speed"] = 5.0, 6.0
    readings = ideal.read()
    np.testing.assert_array_equal(readings.q, angle)
    np.testing.assert_array_equal(readings.v, 6.0)


def test_a_joint_without_an_encoder_of_its_own_is_read_by_its_motors():
    machine = Machine(
        is_elastic=True, motor_encoder=(0.1, 0.2, 0.4), joint_encoder=(0.0, 0.01, 0.01),
        **REAL,
    )  # fmt: skip
    steps = machine.bank.arrays.encoders
    np.testing.assert_array_equal(steps["step"], [0.01, 0.1, 0.01])
    np.testing.assert_array_equal(steps["speed_step"], [0.4, 0.1, 0.2])


@pytest.mark.parametrize(
    ("angle", "pressed"), [(-0.4, -1), (-0.39, 0), (0.64, 0), (0.65, 1), (0.8, 1)]
)
def test_limit_sensors_switch_a_margin_before_each_stop(angle, pressed):
    machine = Machine(limit_margin=0.1)
    machine.data.qpos[7:] = angle, 0.0, 99.0  # the knee has no stops
    assert machine.read().limit.tolist() == [0, pressed, 0]


R_XYZ = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])


def test_gyros_and_accelerometers_are_turned_with_the_trunk():
    machine = Machine()
    machine.turn(R_XYZ)
    machine.data.qvel[:6] = 1.0, 2.0, 3.0, 0.1, 0.2, 0.3
    readings = machine.read()
    np.testing.assert_array_equal(readings.gyro, [0.1, 0.2, 0.3])
    np.testing.assert_allclose(readings.acceleration, R_XYZ.T @ [0, 0, G])
    machine.data.qvel[:3] = 1.02, 1.9, 3.01
    force = np.array([0.02, -0.1, 0.01]) / PERIOD + [0.0, 0.0, G]
    np.testing.assert_allclose(machine.read().acceleration, R_XYZ.T @ force, rtol=1e-9)
    np.testing.assert_allclose(machine.read().acceleration, R_XYZ.T @ [0, 0, G])


def test_an_ideal_inclinometer_is_not_misled_by_the_motion():
    roll, pitch, yaw = 0.2, -0.3, 0.9
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    R_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    R_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    c, s = math.cos(yaw), math.sin(yaw)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ R_y @ R_x
    ideal, real = Machine(), Machine(**REAL)
    for machine in (ideal, real):
        machine.turn(R)
        np.testing.assert_allclose(machine.read().inclination, [roll, pitch])
        machine.data.qvel[:3] = 0.5, -0.5, 0.1  # a jerk
    np.testing.assert_allclose(ideal.read().inclination, [roll, pitch])
    fx, fy, fz = R.T @ (np.array([0.5, -0.5, 0.1]) / PERIOD + [0.0, 0.0, G])
    felt = np.array([math.atan2(fy, fz), math.atan2(-fx, math.hypot(fy, fz))])
    share = 1.0 - math.exp(-PERIOD / 0.3)
    wanted = (1.0 - share) * np.array([roll, pitch]) + share * felt
    np.testing.assert_allclose(real.read().inclination, wanted, rtol=1e-9)


def test_feet_feel_along_the_shank_and_by_how_far_a_pad_is_pushed_in():
    machine = Machine(ground(rise=0.75, height=0.25), pad_range=0.08)
    bodies = machine.views.foot_body
    assert bodies.tolist() == [MODEL.body("c").id, MODEL.body("a").id]
    machine.data.xmat[bodies[0]] = R_XYZ.ravel()
    machine.data.xmat[bodies[1]] = np.eye(3).ravel()
    machine.feet["force"] = [[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]
    normal = np.array([-0.6, 0.0, 0.8])
    place = np.array([0.4, 0.3, 0.55])  # 0.25 + 0.75 x is under it: on the plane
    machine.data.geom("foot_c").xpos[:] = place + 0.09 * normal
    machine.data.geom("foot_a").xpos[:] = place + 0.07 * normal
    readings = machine.read()
    shank = R_XYZ[:, 2]
    np.testing.assert_allclose(readings.load, [shank @ [1.0, 2.0, 4.0], 32.0])
    slants = normal @ shank, 0.8
    wanted = [0.08 - 0.04 / slants[0], 0.08 - 0.02 / slants[1]]
    np.testing.assert_allclose(readings.pad, wanted, rtol=1e-9)
    machine.data.xmat[bodies[1]] = np.diag([1.0, -1.0, -1.0]).ravel()  # upside down
    machine.data.geom("foot_c").xpos[:] = place
    assert machine.read().pad.tolist() == [0.08, 0.0]
    machine.data.geom("foot_c").xpos[:] = place + 0.3 * normal
    assert machine.read().pad[0] == 0.0


def test_noise_and_offsets_are_added_to_their_own_channels():
    sizes = {
        "gyro_offset": 0.25, "acceleration_offset": 0.5, "inclination_offset": 1.0,
        "load_offset": 2.0, "gyro_noise": 0.01, "acceleration_noise": 0.02,
        "inclination_noise": 0.04, "load_noise": 0.08, "current_noise": 0.16,
        "pad_noise": 0.32,
    }  # fmt: skip
    machine, plain = Machine(**{**REAL, **sizes}), Machine(**REAL)
    for one in (machine, plain):
        one.data.geom("foot_a").xpos[2] = one.data.geom("foot_c").xpos[2] = 9.0
    for noise in (0.0, 1.0, -2.0):
        noisy, quiet = machine.read(noise), plain.read()
        for name, offset, sigma in (
            ("q", 0.0, 0.0), ("v", 0.0, 0.0), ("limit", 0.0, 0.0),
            ("current", 0.0, 0.16), ("gyro", 0.25, 0.01), ("acceleration", 0.5, 0.02),
            ("inclination", 1.0, 0.04), ("load", 2.0, 0.08), ("pad", 0.0, 0.32),
        ):  # fmt: skip
            away = getattr(noisy, name) - getattr(quiet, name) - sigma * noise
            np.testing.assert_allclose(np.abs(away), offset, atol=1e-12, err_msg=name)
    signs = set()
    for seed in range(8):
        offset = Machine(**{**REAL, **sizes}, seed=seed).bank.arrays.channels["offset"]
        signs.add(tuple(np.sign(offset[offset != 0.0])))
    assert len(signs) == 8  # each by chance
    assert {sign for row in signs for sign in row} == {-1.0, 1.0}


def test_a_gyro_s_offset_walks():
    machine = Machine(**{**REAL, "gyro_drift": 0.5})
    step = 0.5 * math.sqrt(PERIOD)
    machine.bank.arrays.noise[:] = 0.0
    for n, noise in enumerate((1.0, 1.0, -4.0)):
        machine.bank.arrays.noise[n, -3:] = noise * np.array([1.0, 2.0, 3.0])
        read_sensors(machine.views, machine.drives, machine.feet,
                     machine.bank.arrays, n)  # fmt: skip
    np.testing.assert_allclose(machine.bank.readings.gyro, -2 * step * np.arange(1, 4))
    ideal = Machine(gyro_drift=0.5)
    np.testing.assert_array_equal(ideal.read(1.0).gyro, 0.0)


@pytest.mark.parametrize("k", range(8))
def test_old_readings_come_out_of_the_ring(k):
    late = {
        "joint_delay": 0.003, "trunk_delay": 0.002, "trunk_rate": 200.0,
        "analog_cycles": 3,
    }  # fmt: skip
    machine = Machine(**{**REAL, **late}, motor_encoder=(0.0,) * 3)
    for n in range(k + 1):
        machine.data.qpos[7:], machine.data.qvel[3:6] = n + 1.0, n + 1.0
        machine.drives["current"] = n + 1.0
        readings = machine.read()
    assert readings.q[0] == max(k - 2, 0) + 1.0  # 3 ms are two periods
    assert readings.current[0] == max(k - 3, 0) + 1.0
    assert readings.gyro[0] == max(k - k % 3 - 1, 0) + 1.0  # new every third period
    ideal = Machine()
    for n in range(k + 1):
        ideal.data.qpos[7:], ideal.data.qvel[3:6] = n + 1.0, n + 1.0
        readings = ideal.read()
    assert (readings.q[0], readings.gyro[0]) == (k + 1.0, k + 1.0)


def test_a_failed_sensor_and_no_other_reads_nan():
    readings = Machine(failed=("gyro", "pad")).read()
    for name in ("q", "v", "current", "limit", "gyro", "acceleration", "inclination",
                 "load", "pad"):  # fmt: skip
        assert np.isnan(getattr(readings, name)).all() == (name in ("gyro", "pad"))


def test_random_numbers_last_for_a_block_and_only_where_they_are_needed():
    real, ideal = Machine(kind="real").bank, Machine().bank
    for bank in (real, ideal):
        bank.draw(0)
    first = real.arrays.noise.copy()
    assert not ideal.arrays.noise.any()
    assert len(np.unique(first)) == first.size == BLOCK * (len(real.arrays.out) + 3)
    real.draw(1)
    real.draw(BLOCK - 1)
    np.testing.assert_array_equal(real.arrays.noise, first)
    real.draw(BLOCK)
    assert (real.arrays.noise != first).all()
    real.arrays.raw[:] = real.arrays.out[:] = 3.0
    real.rewind()
    assert not real.arrays.raw.any() and not real.arrays.out.any()


def test_the_documented_defaults_are_those_of_table_5_2_and_of_the_manual():
    config = SensorConfig()
    assert config.motor_encoder == (0.06e-3, 0.01e-3, 0.01e-3)
    assert config.joint_encoder == (0.0, 1.6e-3, 1.6e-3)
    assert (config.kind, config.shaft, config.analog_cycles) == ("ideal", "joint", 1)
    assert config.limit_margin == pytest.approx(math.radians(1.0))
    assert config.gyro_noise == pytest.approx(math.radians(0.1))
    assert config.gyro_offset == pytest.approx(math.radians(0.3))
    assert config.gyro_drift == pytest.approx(math.radians(0.01))
    assert (config.seed, config.failed, config.trunk_rate) == (0, (), 500.0)
    assert (config.joint_delay, config.trunk_delay) == (0.0, 0.0)
    assert (config.current_noise, config.load_noise, config.load_offset) == (0.05, 3, 5)
    assert (config.acceleration_noise, config.acceleration_offset) == (0.05, 0.1)
    assert (config.pad_noise, config.pad_range) == (0.3e-3, 26e-3)
    assert config.inclination_noise == pytest.approx(math.radians(0.02))
    assert config.inclination_offset == pytest.approx(math.radians(0.2))
    assert config.inclination_time == 0.3
    assert (Machine().bank.readings.time, Machine().bank.readings.dt) == (0.0, PERIOD)


# --- sensors in feet --------------------------------------------------------------


class Feet:
    """Sensors in two feet above a plane."""

    def __init__(self, senses=("force", "edge", "near"), surface=None, seed=None):
        self.data = mujoco.MjData(MODEL)
        self.views = machine_views(robot(), self.data)
        self.data.xmat[1] = R_XYZ.ravel()
        self.data.geom("foot_c").xpos[:] = 0.5, 0.25, 0.15
        self.data.geom("foot_a").xpos[:] = -0.5, 0.25, 0.05
        self.readings = Readings(
            0.0, PERIOD, *(np.zeros(3) for _ in range(4)), np.zeros(3), np.zeros(3),
            np.zeros(2), np.zeros(2), np.zeros(2),
        )  # fmt: skip
        one = foot_sensors(
            robot(frozenset(senses)), FootSensorConfig(), self.readings,
            surface or ground(), self.views, seed=seed,
        )  # fmt: skip
        assert one is not None
        self.sensors = one
        self.feet = FeltFoot.zeros(2)

    def read(self, k, noise=0.0):
        self.sensors.arrays.noise[:] = noise
        feet_of._read_feet(
            self.views, self.feet, self.sensors.surface, self.sensors.arrays, k
        )
        return self.readings


def test_forces_of_feet_are_the_trunks_and_a_period_old():
    feet = Feet()
    forces = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    for k, factor, read in ((0, 1.0, 1.0), (1, 2.0, 1.0), (2, 5.0, 2.0), (3, 0.0, 5.0)):
        feet.feet["force"] = factor * forces
        found = feet.read(k).force
        np.testing.assert_allclose(found, read * forces @ R_XYZ)


def test_a_foot_s_noise_and_offset_are_shares_of_the_weight():
    weight, height = 10.0 * 9.81, 0.8  # of the machine and of its hips
    for seed in range(3):
        feet, config = Feet(seed=seed), FootSensorConfig()
        exact = feet.read(0).force.copy()
        np.testing.assert_allclose(np.abs(exact), config.force_offset * weight)
        feet.read(1, noise=2.0)
        noisy = feet.read(2)
        wanted = exact + 2.0 * config.force_noise * weight
        np.testing.assert_allclose(noisy.force, wanted)
        # foot_c is 0.1 m over the ground, foot_a on it; within a fifth of 0.8 m
        more = 2.0 * config.near_noise * height
        np.testing.assert_allclose(noisy.near, [0.1 + more, more], atol=1e-12)
    np.testing.assert_array_equal(Feet().read(0).force, 0.0)


def test_what_feet_do_not_measure_reads_nan():
    for senses in (("force",), ("edge",), ("near",), ("edge", "near")):
        readings = Feet(senses).read(0)
        for name in ("force", "edge", "near"):
            is_nan = np.isnan(getattr(readings, name))
            assert is_nan.all() == (name not in senses)
            assert is_nan.any() == (name not in senses)


@pytest.mark.parametrize(
    ("over", "near"), [(0.159, 0.159), (0.161, np.nan), (0.0, 0.0), (-0.02, 0.0)]
)
def test_a_foot_is_near_within_a_fifth_of_the_hips_height(over, near):
    feet = Feet(surface=ground(rise=0.5, height=-0.1))
    feet.data.geom("foot_c").xpos[:] = 0.6, 7.0, 0.2 + 0.05 + over
    np.testing.assert_allclose(feet.read(0).near[0], near, atol=1e-12)


def test_contacts_count_once_a_foot_carries():
    touch = 0.002 * 10.0 * 9.81
    hill = ground(rise=-3.0)  # so steep that contacts ahead have nothing below them
    for load, edge in ((0.99 * touch, 0.0), (1.01 * touch, None)):
        feet = Feet(surface=hill)
        feet.feet["normal"] = load, 0.0
        feet.data.geom("foot_c").xpos[:] = 0.0, 0.0, 0.05
        readings = feet.read(0)
        # six round it: the ground is 3 cos(60 n) rims lower, more than a radius for 3
        assert readings.edge[0] == (edge if edge is not None else 0.5)
        assert readings.edge[1] == 0.0


def test_machines_with_no_such_sensors_have_none_and_defaults_are_the_documented():
    assert foot_sensors(robot(), FootSensorConfig(), Feet().readings, ground(),
                        Feet().views, seed=None) is None  # fmt: skip
    config = FootSensorConfig()
    assert (config.force_noise, config.force_offset) == (0.005, 0.0085)
    assert (config.near_range, config.near_noise) == (0.2, 0.003)
    assert (config.scan_rate, config.scan_noise) == (2.0, 0.01)


def test_a_scanner_looks_ahead_of_the_trunk_by_its_heading(monkeypatch):
    monkeypatch.setattr(feet_of, "SCAN_CELLS", (4, 3))
    feet = Feet(("scan",), surface=ground(rise=0.25))
    feet.data.qpos[:3] = 2.0, -1.0, 0.9
    c, s = 0.6, 0.8
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    feet.data.xmat[1] = R.ravel()
    sensors = feet.sensors
    sensors.bind(feet.feet)
    assert (sensors.every, sensors.kernel) == (250, None)
    sensors.read(249)
    assert np.isnan(feet.readings.scan).all()
    sensors.read(500)
    assert feet.readings.scanned == 1.0
    scan = feet.readings.scan
    assert scan.shape == (12, 3)
    np.testing.assert_allclose(np.unique(scan[:, 0].round(9)), 0.8 * np.array(
        [0.5, 0.5 + 3.5 / 3, 0.5 + 7.0 / 3, 4.0]).round(9), atol=1e-8)  # fmt: skip
    np.testing.assert_allclose(np.unique(scan[:, 1].round(9)), [-1.0, 0.0, 1.0])
    points = scan @ R.T + [2.0, -1.0, 0.9]
    np.testing.assert_allclose(points[:, 2], 0.25 * points[:, 0])


def test_the_place_on_the_map_has_noise_of_its_sizes_by_its_seed():
    readings = Feet().readings

    def told(**given):
        fix = MapFix(FixConfig(**given), readings)
        rows = []
        for k in range(0, 20000, 100):
            fix.read(k, np.array([1.0, 2.0, 9.0]), np.eye(3))
            rows.append(np.array(readings.fix))
        return np.array(rows) - [1.0, 2.0, 0.0]

    assert not told().any()
    noisy = told(seed=3)
    sizes = [0.004, 0.004, math.radians(0.1)]
    # statistical: 200 numbers, a spread's error is 5 % of it; five of those
    np.testing.assert_allclose(noisy.std(axis=0), sizes, rtol=0.25)
    np.testing.assert_array_equal(told(seed=3), noisy)
    assert (told(seed=4) != noisy).all()
    one = told(seed=3, place_noise=0.0)
    assert not one[:, :2].any() and one[:, 2].all()
    assert MapFix(FixConfig(), readings).every == 100  # five times a second
    assert MapFix(FixConfig(rate=1e6), readings).every == 1
