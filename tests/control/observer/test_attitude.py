"""The attitude observer against closed forms, and against walking-like shaking."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from equipoise.control.observer.attitude import AttitudeConfig, AttitudeObserver
from equipoise.control.observer.inertial import observe_attitude, read_trunk
from equipoise.control.records import TrunkEstimate
from equipoise.core.contracts import Readings
from equipoise.core.errors import ConfigError
from equipoise.core.records import copied

DT = 0.002
DEG = math.pi / 180.0
G = 9.81


def turn(axis: int, angle: float) -> np.ndarray:
    """Return the rotation about one axis."""
    c, s = math.cos(angle), math.sin(angle)
    R = np.eye(3)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def tilt_error(trunk, R: np.ndarray) -> float:
    """Return the angle between the estimated and the true vertical [rad]."""
    missed = np.cross(trunk["R_WB"][0, 2], R[2])
    return float(np.arcsin(min(1.0, np.linalg.norm(missed))))


def tick(observer: AttitudeObserver, gyro, force, level, state):
    """Return what the observer makes of readings, and its next state."""
    joints, feet = np.zeros(12), np.zeros(4)
    nothing = (joints, joints, joints, joints)
    sensed = Readings(0.0, DT, *nothing, gyro, force, level, feet, feet)
    return observer.step(sensed, state)


class Trunk:
    """A trunk whose roll, pitch and acceleration are given functions of time.

    Its inclinometers feel the apparent vertical through a lag, as liquid ones do.
    """

    def __init__(self, roll, pitch, push, seed=None, lag=0.3):
        self.roll, self.pitch, self.push, self.lag = roll, pitch, push, lag
        self.rng = np.random.default_rng(seed) if seed is not None else None
        self.y = None
        draw = self.rng.choice if self.rng else (lambda signs, n: np.zeros(n))
        self.gyro_offset = 0.3 * DEG * draw([-1.0, 1.0], 3)
        self.force_offset = 0.1 * draw([-1.0, 1.0], 3)
        self.level_offset = 0.2 * DEG * draw([-1.0, 1.0], 2)

    def attitude(self, t: float) -> np.ndarray:
        return turn(1, self.pitch(t)) @ turn(0, self.roll(t))

    def readings(self, t: float):
        R, step = self.attitude(t), 1e-5
        dR = (self.attitude(t + step) - self.attitude(t - step)) / (2 * step)
        spin = R.T @ dR
        gyro = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        force = R.T @ (np.array([0, 0, G]) + self.push(t))
        seen = np.array([math.atan2(force[1], force[2]), -math.asin(force[0] / G)])
        if self.y is None:
            self.y = seen
        self.y = self.y + (1 - math.exp(-DT / self.lag)) * (seen - self.y)
        if self.rng is None:
            return gyro, force, self.y
        return (
            gyro + self.gyro_offset + 0.1 * DEG * self.rng.standard_normal(3),
            force + self.force_offset + 0.05 * self.rng.standard_normal(3),
            self.y + self.level_offset,
        )


def run(trunk: Trunk, seconds: float, config: AttitudeConfig | None = None, state=None):
    """Return the tilt's errors [rad] tick by tick, and the last state."""
    ticks = range(round(seconds / DT))
    read = [(trunk.readings(k * DT), trunk.attitude(k * DT)) for k in ticks]
    return replay(read, config, state)


def replay(read, config: AttitudeConfig | None = None, state=None):
    """Return the same from readings and true attitudes that were kept."""
    observer = AttitudeObserver(config or AttitudeConfig())
    state = observer.init() if state is None else copied(state)
    gains, trunk, ups = (
        observer.gains(),
        TrunkEstimate.zeros(),
        np.empty((len(read), 3)),
    )
    for k, ((gyro, force, level), _) in enumerate(read):
        read_trunk(gyro, force, level, k * DT, DT, copied(state), state)
        observe_attitude(gains, state, trunk)
        ups[k] = trunk["R_WB"][0, 2]
    true = np.array([R[2] for _, R in read])
    missed = np.linalg.norm(np.cross(ups, true), axis=1)
    return np.arcsin(np.minimum(1.0, missed)), state


@cache
def walked(seed: int):
    """Return nine seconds of a walk's readings and true attitudes."""
    trunk = walk(1.1, seed)
    ticks = range(round(9.0 / DT))
    return [(trunk.readings(k * DT), trunk.attitude(k * DT)) for k in ticks]


def still(_t: float) -> float:
    return 0.0


def no_push(_t: float) -> np.ndarray:
    return np.zeros(3)


def test_constant_rotation_is_followed_exactly():
    """About a slanted axis, without the levelling sensors: R exp(ŵ t)."""
    observer = AttitudeObserver()
    state = observer.init()
    w, nothing = np.array([0.3, -0.5, 0.8]), np.full(3, np.nan)
    ticks = 1000
    for _ in range(ticks):
        out, state = tick(observer, w, nothing, nothing[:2], state)
    angle = np.linalg.norm(w) * ticks * DT
    n = w / np.linalg.norm(w)
    cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    exact = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
    # A few roundings a tick, a thousand ticks.
    np.testing.assert_allclose(out[0].R_WB, exact, rtol=0, atol=ticks * 8 * 2.3e-16)
    np.testing.assert_array_equal(out[0].w_WB_B, w)


def test_starts_as_the_first_readings_have_it():
    trunk = Trunk(lambda t: 0.2, lambda t: -0.3, no_push)
    errors, _ = run(trunk, 0.1)
    assert errors.max() < 1e-7  # rounding in asin near a small angle
    gyro, force, _ = trunk.readings(0.0)
    observer = AttitudeObserver()
    out, _ = tick(observer, gyro, force, np.full(2, np.nan), observer.init())
    assert tilt_error(out, trunk.attitude(0.0)) < 1e-7  # by the accelerometer alone


def test_a_wrong_start_dies_out_with_the_poles_promised():
    """(s + p)² (s + p_b): the slowest mode is exp(-p_b t) beside t exp(-p t)."""
    config = AttitudeConfig(smooth_rate=2.0, smooth_bias_rate=0.5, start_time=0)
    observer = AttitudeObserver(config)
    state = observer.init()
    trunk = Trunk(still, still, no_push)
    gyro, force, level = trunk.readings(0.0)
    start = np.array([0.03, 0.0])
    _, state = tick(observer, gyro, force, level + start, state)
    errors, _ = run(trunk, 6.0, config, state)
    T, p, b = 0.3, 2.0, 0.5
    A = np.array(
        [
            [0.0, -1.0, -T * (p * p + 2 * p * b)],
            [0.0, 0.0, T * p * p * b],
            [1 / T, 0.0, -(2 * p + b)],
        ]
    )
    values, vectors = np.linalg.eig(A)
    weight = np.linalg.solve(vectors, np.array([0.03, 0.0, 0.03]).astype(complex))
    times = (1 + np.arange(len(errors))) * DT
    exact = np.abs((vectors[0] * weight) @ np.exp(np.outer(values, times)))
    # Truncation: explicit steps of 2 ms against poles of 2/s, p dt/2 = 0.2 % of the
    # largest, three times for three states; a double pole costs eig half its digits.
    assert np.abs(errors - exact).max() < 0.03 * 0.006 + 1e-5


def test_gyro_offset_is_found():
    trunk = Trunk(still, still, no_push)
    trunk.gyro_offset = np.array([0.3, -0.3, 0.0]) * DEG
    plain = trunk.readings

    def offset(t):
        gyro, force, level = plain(t)
        return gyro + trunk.gyro_offset, force, level

    trunk.readings = offset
    errors, state = run(trunk, 6.0, AttitudeConfig(start_time=10.0))
    # Twelve time constants of 0.5 s, the slowest of poles 3, 3 and 2; the residues of
    # poles so near each other are below 20.
    left = 0.3 * DEG * 20 * math.exp(-12)
    np.testing.assert_allclose(state[0].bias[:2], trunk.gyro_offset[:2], atol=left)
    assert errors[-1] < left and errors.max() > 10 * left


def walk(speed: float, seed: int | None) -> Trunk:
    """Return a trunk that stands for 4 s, then sways, bobs and rocks like a crawl."""

    def roll(t):
        return 2.0 * DEG * math.sin(2 * math.pi * 0.625 * t) if t > 4 else 0.0

    def pitch(t):
        return 1.5 * DEG * math.sin(2 * math.pi * 1.25 * t) if t > 4 else 0.0

    def push(t):
        if t <= 4:
            return np.zeros(3)
        sway = speed * math.cos(2 * math.pi * 0.625 * t)
        surge = 0.8 * speed * math.sin(2 * math.pi * 1.25 * t)
        return np.array([surge, sway, speed * math.sin(2 * math.pi * 2.5 * t)])

    return Trunk(roll, pitch, push, seed)


@pytest.mark.parametrize("seed", range(3))
def test_walking_leaves_less_than_half_a_degree(seed):
    """Sensor errors as specified; the sway is 0.07 m at 0.625 Hz, 1.1 m/s²."""
    errors, state = replay(walked(seed))
    assert errors[round(1.0 / DT) :].max() < 0.5 * DEG
    assert state[0].abrupt > 0.0  # or the set for shaking would not have been tried


def test_one_set_of_gains_is_worse_than_two():
    """Fast all the time it swallows the sway; slow all the time it learns too late."""
    two, _ = replay(walked(0))
    c = AttitudeConfig()
    fast_set = replace(
        c, abrupt_rate=c.smooth_rate, abrupt_bias_rate=c.smooth_bias_rate
    )
    fast, _ = replay(walked(0), fast_set)
    slow_set = AttitudeConfig(
        smooth_rate=c.abrupt_rate, smooth_bias_rate=c.abrupt_bias_rate, start_time=0
    )
    slow, _ = replay(walked(0), slow_set)
    assert two.max() < 0.5 * fast.max()
    assert two.max() < 0.5 * slow.max()


def test_readings_that_are_not_numbers_are_passed_over_and_counted():
    trunk = walk(1.1, 1)
    plain = trunk.readings

    def torn(t):
        readings = plain(t)
        for which, every in ((0, 7), (1, 5), (2, 3)):
            if round(t / DT) % every == 1:
                readings[which][:] = np.nan
        return readings

    trunk.readings = torn
    errors, state = run(trunk, 6.0)
    assert np.isfinite(errors).all()
    assert errors[round(1.0 / DT) :].max() < 1.0 * DEG
    expected = sum(3 * (k % 7 == 1) + (k % 5 == 1) + (k % 3 == 1) for k in range(3000))
    assert state[0].skipped == expected


def test_same_readings_same_numbers_and_inputs_untouched():
    trunk = walk(1.1, 2)
    gyro, force, level = trunk.readings(0.0)
    observer = AttitudeObserver()
    state = observer.init()
    before = [a.copy() for a in (gyro, force, level, state)]
    first = tick(observer, gyro, force, level, state)
    second = tick(observer, gyro, force, level, state)
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])
    for a, b in zip((gyro, force, level, state), before, strict=True):
        np.testing.assert_array_equal(a, b)


def test_refuses_rates_that_are_none():
    with pytest.raises(ConfigError, match=r"smooth_rate must be > 0.*hold"):
        AttitudeConfig(smooth_rate=0.0, hold=math.nan)
