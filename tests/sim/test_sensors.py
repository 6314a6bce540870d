"""Sensors: exact where ideal; steps, noise, offsets, lags and delays where real."""

import math

import mujoco
import numpy as np
import pytest

from equipoise.core.contracts import Command
from equipoise.core.errors import ConfigError
from equipoise.robots.load import load
from equipoise.sim.disturbances import Push
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.sensors import NAMES, SensorConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from oracles.machine_stub import GRAVITY, Hold, bare

pytestmark = pytest.mark.sim
EPS = np.finfo(float).eps
DEGREE = math.pi / 180.0
SILENT = {  # a real sensor that only lags, steps and is late
    f"{name}_{kind}": 0.0
    for name, kind in (
        ("current", "noise"), ("gyro", "noise"), ("gyro", "offset"), ("gyro", "drift"),
        ("acceleration", "noise"), ("acceleration", "offset"),
        ("inclination", "noise"), ("inclination", "offset"), ("load", "noise"),
        ("load", "offset"), ("pad", "noise"),
    )
}  # fmt: skip


class Listener:
    """Holds the joints and keeps every reading."""

    def __init__(self, inner=None) -> None:
        self.inner, self.kept = inner or Hold(), []

    def init(self):
        self.kept.clear()  # the warm-up's
        return self.inner.init()

    def step(self, readings, state):
        row = {name: np.array(getattr(readings, name)) for name in NAMES}
        self.kept.append(row | {"time": readings.time})
        return self.inner.step(readings, state)

    def __getitem__(self, name: str) -> np.ndarray:
        return np.array([row[name] for row in self.kept])


class Limp:
    """Does nothing."""

    def init(self):
        return None

    def step(self, readings, state):
        return Command(np.zeros(12), {}), None


def heard(seconds, sensors, world=None, inner=None, period=0.002, **options):
    listener = Listener(inner)
    kind = options.pop("kind", "ideal")
    config = MachineConfig(
        sensors=sensors, period=period, actuators=ActuatorConfig(kind=kind)
    )
    run = rollout(world or bare(), listener, seconds, plant=config, **options)
    return listener, run


@pytest.fixture(scope="module")
def ideal():
    push = Push(impulse=(12.0, 20.0, 0.0), start=0.1)
    return heard(0.6, SensorConfig(), inner=Hold(1500.0, 100.0), pushes=[push])


def test_ideal_sensors_tell_the_truth(ideal):
    read, run = ideal
    # exact: copies of the state
    assert np.array_equal(read["q"], run.q[:-1])
    assert np.array_equal(read["v"], run.v[:-1])
    assert np.array_equal(read["current"], run.current[:-1])
    assert np.array_equal(read["gyro"], run.qvel[:-1, 3:6])
    assert np.array_equal(read["time"], run.time[:-1])
    # rounding: two ways to the same angles
    np.testing.assert_allclose(
        read["inclination"], run.attitude[:-1, :2], rtol=0, atol=64 * EPS
    )
    assert np.ptp(run.attitude[:, 0]) > 0.005  # it swayed


def test_an_accelerometer_reads_motion_less_gravity(ideal):
    read, run = ideal
    turn = rotations(run.quat_WB)
    change = np.diff(run.qvel[:, :3], axis=0) / 0.002
    force = np.einsum("tij,ti->tj", turn[1:], change + np.array([0.0, 0.0, GRAVITY]))
    # rounding of differences: eps * speed / period
    np.testing.assert_allclose(read["acceleration"][1:], force[:-1], rtol=0, atol=1e-10)
    at_rest = [0.0, 0.0, GRAVITY]
    np.testing.assert_allclose(read["acceleration"][0], at_rest, atol=1e-12)


def rotations(quat: np.ndarray) -> np.ndarray:
    out = np.zeros((len(quat), 9))
    for row, q in zip(out, quat, strict=True):
        mujoco.mju_quat2Mat(row, q)
    return out.reshape(-1, 3, 3)


def test_a_falling_machine_feels_nothing():
    world = bare()
    world.model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    read, run = heard(0.2, SensorConfig(), world=world, inner=Limp())
    assert run.qvel[-1, 2] < -1.5
    # the trunk alone is not the centre of mass, but all its parts fall alike: rounding
    assert np.abs(read["acceleration"][2:]).max() < 1e-9
    assert (read["load"] == 0.0).all()


def test_load_cells_feel_the_force_along_the_shank(ideal):
    read, run = ideal
    data = mujoco.MjData(bare().model)
    model = bare().model
    for k in (20, 100, 250):
        data.qpos[:] = run.qpos[k]
        mujoco.mj_kinematics(model, data)
        for leg, name in enumerate(bare().robot.feet):
            foot = data.geom(name)
            knee = data.xpos[model.geom(name).bodyid[0]]
            up = (knee - foot.xpos) / np.linalg.norm(knee - foot.xpos)
            expected = run.foot_force[k, leg] @ up
            assert read["load"][k, leg] == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert read["load"][-1].min() > 50.0


def test_pads_feel_the_ground_before_they_carry():
    world = bare()
    lift = 0.01

    class Above:
        robot, model, surface = world.robot, world.model, world.surface
        ground = None

        def start(self):
            data = world.start()
            data.qpos[2] += lift
            mujoco.mj_forward(world.model, data)
            return data

    read, run = heard(0.2, SensorConfig(), world=Above())
    cosine = math.cos(run.q[0, 1] + run.q[0, 2])
    # closed form: the gap along the shank is the height over its slant
    np.testing.assert_allclose(read["pad"][0], 0.026 - lift / cosine, rtol=0, atol=1e-9)
    assert (read["load"][0] == 0.0).all()
    np.testing.assert_array_equal(read["pad"][-1], 0.026)
    lift = 0.1
    high, _ = heard(0.01, SensorConfig(), world=Above())
    assert (high["pad"][0] == 0.0).all()


def test_limit_sensors_switch_one_degree_before_the_stop():
    world = bare(has_ground=False)
    reach = world.model.jnt_range[world.model.actuator_trnid[:, 0]]

    class Placed:
        robot, model, surface = world.robot, world.model, world.surface
        ground = None

        def start(self):
            data = world.start()
            data.qpos[7:] = reach.mean(axis=1)
            data.qpos[7:10] = reach[:3, 0] + np.array([0.9, 1.1, 0.5]) * DEGREE
            data.qpos[16:19] = reach[9:, 1] - np.array([0.9, 1.1, -0.5]) * DEGREE
            return data

    read, _ = heard(0.002, SensorConfig(), world=Placed(), inner=Limp())
    assert read["limit"][0].tolist() == [-1, 0, -1, 0, 0, 0, 0, 0, 0, 1, 0, 1]


def test_encoders_step_and_speeds_come_from_their_differences():
    config = SensorConfig(kind="real", **SILENT)
    read, run = heard(0.3, config, inner=Hold(1500.0, 100.0))
    step = np.tile([0.06e-3, 0.01e-3, 0.01e-3], 4)
    error = read["q"] - run.q[:-1]
    assert (np.abs(error) <= 0.5 * step + EPS).all()
    assert np.abs(error).max(axis=0).min() > 0.0
    counts = read["q"] / step
    np.testing.assert_allclose(counts, np.round(counts), rtol=0, atol=1e-6)
    speed = np.diff(read["q"], axis=0) / 0.002
    np.testing.assert_allclose(read["v"][1:], speed, rtol=0, atol=1e-10)
    assert (read["v"][0] == 0.0).all()


@pytest.mark.parametrize(
    ("options", "steps"),
    [
        ({"legs": 6}, [0.06e-3, 0.01e-3, 0.01e-3] * 6),
        ({"leg_joints": 2}, [0.01e-3, 0.01e-3] * 4),
        ({"leg_joints": 4}, [0.06e-3, 0.01e-3, 0.01e-3, 0.01e-3] * 4),
    ],
)
def test_machines_with_other_legs_are_read_too(options, steps):
    world = machine_world(load("warp1", **options), "flat")
    read, run = heard(0.1, SensorConfig(kind="real", **SILENT), world=world)
    error = np.abs(read["q"] - run.q[:-1])
    assert (error <= 0.5 * np.array(steps) + EPS).all()
    assert read["load"].shape == read["pad"].shape == (50, len(world.robot.feet))
    assert read["load"][-1].sum() > 100.0


def test_elastic_gears_are_read_at_the_joint_or_at_the_motor():
    world = bare(has_ground=False, is_rigid=False)
    for shaft, step in (("joint", 1.6e-3), ("motor", 0.01e-3)):
        config = SensorConfig(kind="real", shaft=shaft, **SILENT)
        read, run = heard(
            0.1, config, world=world, kind="elastic", inner=Hold(300.0, 20.0),
            pushes=[Push(impulse=(0.0, 30.0, 0.0), start=0.0)],
        )  # fmt: skip
        counts = read["q"][:, 1] / step
        np.testing.assert_allclose(counts, np.round(counts), rtol=0, atol=1e-6)
        assert np.diff(np.unique(np.round(counts))).min() * step < 2e-3
        assert (np.round(counts) % 160 != 0).any()  # not the other's steps
        error = np.abs(read["q"][:, 1] - run.q[:-1, 1])
        assert (error.max() <= 0.5 * step + EPS) == (shaft == "joint")


def test_noise_and_offsets_have_their_size():
    config = SensorConfig(kind="real", seed=5, gyro_drift=0.0)
    clean = SensorConfig(kind="real", seed=5, **SILENT)
    world = bare()
    push_free = {"world": world, "inner": Hold()}
    noisy, _ = heard(4.0, config, **push_free)
    quiet, _ = heard(4.0, clean, **push_free)
    n = 1000  # of the last 2 s, when the machine stands still but for its noise
    for name, sigma, offset in (
        ("gyro", 0.1 * DEGREE, 0.3 * DEGREE),
        ("acceleration", 0.05, 0.1),
        ("inclination", 0.02 * DEGREE, 0.2 * DEGREE),
        ("load", 3.0, 5.0),
        ("current", 0.05, 0.0),
    ):
        difference = (noisy[name] - quiet[name])[-n:]
        mean, std = difference.mean(axis=0), difference.std(axis=0)
        # statistical: 6 standard deviations of a mean and of a spread
        assert np.abs(np.abs(mean) - offset).max() < 6 * sigma / math.sqrt(n), name
        assert np.abs(std / sigma - 1.0).max() < 6 / math.sqrt(2 * n), name
    signs = np.sign((noisy["load"] - quiet["load"])[-n:].mean(axis=0))
    other, _ = heard(0.5, SensorConfig(kind="real", seed=6), **push_free)
    assert set(signs) <= {-1.0, 1.0}
    assert not np.array_equal(other["gyro"][:50], noisy["gyro"][:50])
    again, _ = heard(0.5, config, **push_free)
    assert np.array_equal(again["gyro"], noisy["gyro"][:250])


def test_a_gyro_drifts_as_a_random_walk():
    silent = SILENT | {"gyro_drift": 0.01 * DEGREE}
    ends = []
    for seed in range(24):
        config = SensorConfig(kind="real", seed=seed, **silent)
        read, run = heard(0.25, config)
        ends += list((read["gyro"] - run.qvel[:-1, 3:6])[-1])
    expected = 0.01 * DEGREE * math.sqrt(0.25)
    # statistical: 72 ends, a spread's error is 1/sqrt(144) of it; 6 of those
    assert np.std(ends) == pytest.approx(expected, rel=6 / math.sqrt(144))


def test_an_inclinometer_lags_by_its_time_constant():
    config = SensorConfig(kind="real", **SILENT)
    world = bare(has_ground=False)
    # turning at a constant rate about its centre of mass, gravity counted by the sensor
    world.model.opt.gravity[:] = [0.0, 0.0, -GRAVITY]
    rate = 0.05

    def turn(data: mujoco.MjData) -> None:
        angle = rate * data.time
        data.qpos[:3], data.qvel[:3] = [0, 0, 5.0], 0.0
        data.qpos[3:7] = [math.cos(angle / 2), math.sin(angle / 2), 0, 0]
        data.qvel[3:6] = [rate, 0, 0]
        mujoco.mj_kinematics(world.model, data)

    read, _ = heard(2.0, config, world=world, inner=Limp(), watch=lambda k, d: turn(d))
    time, lag = read["time"], 0.3
    # closed form of a ramp through a low-pass sampled each 2 ms
    a = math.exp(-0.002 / lag)
    k = np.arange(len(time))
    sampled = rate * 0.002 * (k - a / (1 - a) * (1 - a**k))
    np.testing.assert_allclose(read["inclination"][:, 0], sampled, rtol=0, atol=1e-9)
    late = rate * time[-1] - read["inclination"][-1, 0]
    assert late == pytest.approx(rate * lag, rel=0.02)


@pytest.mark.parametrize(
    ("options", "names", "ticks"),
    [
        ({"joint_delay": 0.004}, ("q", "v", "limit"), 2),
        ({"joint_delay": 0.0031}, ("q", "v", "limit"), 2),
        ({"analog_cycles": 3}, ("current", "load", "pad"), 3),
        ({"trunk_delay": 0.01}, ("gyro", "acceleration", "inclination"), 5),
    ],
)
def test_delays_are_exact(options, names, ticks):
    push, prompt = [Push(impulse=(5.0, 10.0, 0.0))], SILENT | {"analog_cycles": 0}
    pair = [SensorConfig(kind="real", **(prompt | extra)) for extra in ({}, options)]
    now, late = (heard(0.1, s, inner=Blind(), pushes=push)[0] for s in pair)
    for name in NAMES:
        expected = now[name]
        if name in names:
            first = np.repeat(expected[:1], ticks, axis=0)
            expected = np.concatenate([first, expected[:-ticks]])
        assert np.array_equal(late[name], expected), name
        assert name in ("limit", "pad") or np.ptp(now[name]) > 0.0


class Blind:
    """Torques that are a function of time alone, so that readings change nothing."""

    def init(self):
        return 0

    def step(self, readings, tick):
        return Command(np.full(12, 20.0 * math.sin(0.2 * tick)), {}), tick + 1


def test_the_trunks_node_may_be_slower_than_the_controller():
    config = SensorConfig(kind="real", trunk_rate=100.0, **SILENT)
    read, run = heard(0.1, config, inner=Blind())
    held = np.repeat(run.qvel[:-1:5, 3:6], 5, axis=0)
    assert np.array_equal(read["gyro"], held[: len(read["gyro"])])
    assert np.unique(held[:, 0]).size > 5
    assert np.abs(read["q"] - run.q[:-1]).max() <= 0.03e-3 + EPS  # encoders: each tick


@pytest.mark.parametrize("kind", ["ideal", "real"])
def test_a_failed_sensor_reads_nan(kind):
    config = SensorConfig(kind=kind, failed=("gyro", "load"))
    read, run = heard(0.05, config)
    assert run.is_finite
    for name in NAMES:
        assert np.isnan(read[name]).all() == (name in config.failed), name


def test_bad_settings_are_refused_together():
    with pytest.raises(
        ConfigError,
        match=r"kind must be 'ideal' or 'real', got 'fake'; gyro_noise .* -1",
    ):
        SensorConfig(kind="fake", gyro_noise=-1)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"failed must name some of q, .* got 'nose'"):
        SensorConfig(failed=("nose",))
    with pytest.raises(ConfigError, match="inclination_time must be > 0 s, got 0"):
        SensorConfig(inclination_time=0.0)
    with pytest.raises(ConfigError, match="motor_encoder must be 3 values"):
        SensorConfig(motor_encoder=(1.0,))  # type: ignore[arg-type]
