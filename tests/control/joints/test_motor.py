"""The joint level against the motor's own equations."""

import numpy as np
import pytest

from equipoise.control.joints.motor import MotorConfig, motors
from equipoise.control.joints.safety import ticks_without_readings
from equipoise.core.errors import ConfigError
from equipoise.robots.drives import Drive

HIP, KNEE = Drive(torque_constant=10.0, resistance=1.6, current_rise=7e-4), Drive()
NO_CURRENT = np.full(2, np.nan)
BETWEEN = np.zeros(2)


def test_without_a_current_reading_the_model_alone_speaks():
    level = motors([HIP, KNEE])
    v = np.array([0.5, -1.0])
    tau = np.array([20.0, 36.4])
    volts, after = level.step(tau, v, NO_CURRENT, BETWEEN, 0.002, level.init())
    # By hand: 1.6 · 2 + 10 · 0.5 and 1.2 · 2 - 18.2.
    np.testing.assert_allclose(volts, [8.2, -15.8], rtol=1e-14)
    assert np.all(after == 0.0)


def test_current_is_limited_and_so_is_the_voltage():
    level = motors([HIP, KNEE])
    tau = np.array([500.0, 500.0])
    v = np.array([0.0, 2.6])
    volts, _ = level.step(tau, v, NO_CURRENT, BETWEEN, 0.002, level.init())
    np.testing.assert_allclose(volts, [8.0, 48.0], rtol=1e-14)  # 1.6 · 5 A, and supply


def settle(drive: Drive, real: Drive, ticks: int) -> np.ndarray:
    """Run the loop on a winding that follows within a sample, one sample late."""
    level = motors([drive])
    state, late = level.init(), np.zeros(1)
    currents = []
    for _ in range(ticks):
        current = late / real.resistance
        currents.append(current[0])
        volts, state = level.step(
            np.array([36.4]), np.zeros(1), current, np.zeros(1), 0.002, state
        )
        late = volts
    return np.array(currents)


def test_integral_finds_the_current_that_a_wrong_model_misses():
    """A winding 40 % warmer than the model; the loop is linear, so its rest is 2 A."""
    currents = settle(KNEE, Drive(resistance=1.2 * 1.4), 200)
    assert abs(currents[2] - 2.0) > 0.3  # the model alone is well off
    # Solver: twenty time constants of 20 ms (lengthened by 1.4 / (1 + 0.2 / 1.4)).
    assert abs(currents[-1] - 2.0) < 2.0 * np.exp(-0.4 / 0.03)
    assert currents.max() < 2.0 * 1.02  # and it does not ring


def test_integral_does_not_wind_up_at_the_supply():
    level = motors([KNEE])
    state = level.init()
    fast, none = np.array([2.6]), np.zeros(1)
    for _ in range(500):  # a second at full speed: no current can be driven
        volts, state = level.step(np.array([91.0]), fast, none, none, 0.002, state)
    assert volts[0] == 48.0
    volts, state = level.step(np.array([-91.0]), fast, none, none, 0.002, state)
    # At once below: K w - (1 + 0.2) R 5 A - R/T_i 5 A dt, within one step's integral.
    step = 1.2 / 0.02 * 5.0 * 0.002
    assert volts[0] <= 18.2 * 2.6 - 1.2 * 1.2 * 5.0 + step


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("speed", [-1.0, 0.0, 1.0])
def test_safety_stop_never_drives_into_the_stop(side, speed):
    level = motors([KNEE])
    limit, v = np.array([side]), np.array([speed])
    tau = np.array([side * 91.0])
    volts, _ = level.step(tau, v, np.zeros(1), limit, 0.002, level.init())
    current = (volts - 18.2 * v) / 1.2
    assert side * current[0] <= 1e-12  # rounding: no torque towards the stop
    assert abs(current[0]) <= 5.0 + 1e-12  # nor more braking than cables bear


def test_safety_stop_lets_go_the_other_way():
    level = motors([KNEE])
    away, v = np.array([-50.0]), np.zeros(1)
    free, _ = level.step(away, v, np.zeros(1), np.zeros(1), 0.002, level.init())
    held, _ = level.step(away, v, np.zeros(1), np.ones(1), 0.002, level.init())
    np.testing.assert_array_equal(held, free)


def test_readings_that_are_not_numbers_ask_for_nothing():
    level = motors([HIP, KNEE])
    nothing = np.full(2, np.nan)
    volts, after = level.step(nothing, nothing, nothing, nothing, 0.002, level.init())
    assert np.all(volts == 0.0) and np.all(after == 0.0)


def test_silence_is_counted_and_forgotten_with_the_next_fresh_reading():
    memory = np.array([np.nan, 0.0])
    times = [0.0, 0.002, 0.002, 0.002, np.nan, 0.01]
    counts = [ticks_without_readings(t, memory) for t in times]
    assert counts == [0, 0, 1, 2, 3, 0]


def test_refuses_a_loop_that_is_none():
    with pytest.raises(ConfigError, match="integral_time must be > 0 s, got 0"):
        MotorConfig(integral_time=0)
