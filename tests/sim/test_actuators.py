"""Drives against table 5.2, closed forms of winding, rotor and gear, and energy."""

import math

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm

from equipoise.core.errors import ConfigError
from equipoise.robots.drives import Drive
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.machine import motor_kernel as kernel
from equipoise.sim.machine.actuators import ActuatorConfig, drive_bank

EPS = np.finfo(float).eps
ROLL, PITCH, _ = warp1().drives[:3]
BOTH = pytest.mark.parametrize("drive", [ROLL, PITCH], ids=["roll", "pitch"])
SPEED = st.floats(-4.0, 4.0)  # beyond the no-load speed [rad/s]


class Rig:
    """One drive on a bench: its joint is held, turned, or carries nothing."""

    def __init__(self, drive: Drive, kind: str, dt: float, **options) -> None:
        self.bank = drive_bank([drive], ActuatorConfig(kind=kind, **options))
        self.state = self.bank.init(np.zeros(1))
        self.q, self.w, self.dt = np.zeros(1), np.zeros(1), dt
        self.command, self.out = kernel.DriveCommand.zeros(), np.zeros(1)
        self.drive = drive

    def ask(self, tau: float = 0.0, volts: float | None = None) -> None:
        mode = kernel.BY_TORQUE if volts is None else kernel.BY_VOLTS
        self.command[0] = tau, volts or 0.0, mode

    def step(self) -> float:
        """Return the torque of one time step; the joint stays where it is."""
        bank, at = self.bank, np.zeros(1, np.int64)
        joints = kernel.Joints(self.q, self.w, at, at)
        kernel.drive_step(
            bank.model(self.dt), joints, self.command, bank.numbers, self.state,
            self.out,
        )  # fmt: skip
        return float(self.out[0])

    def spin(self, steps: int) -> np.ndarray:
        """Return the speeds of a joint that is the rotor's inertia alone."""
        speeds = []
        for _ in range(steps):
            self.w[0] += self.dt * self.step() / self.drive.inertia
            self.q[0] += self.dt * self.w[0]
            speeds.append(self.w[0])
        return np.array(speeds)

    def __getitem__(self, name: str) -> float:
        return float(self.state[name][0])


def order(steps: list[float], errors: list[float]) -> float:
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])


# --- table 5.2 ------------------------------------------------------------------------


@pytest.mark.parametrize("dt", [1e-3, 1e-4, 3.7e-4])
@BOTH
def test_current_rises_in_its_time_whatever_the_step(drive: Drive, dt: float):
    rig = Rig(drive, "motor", dt)
    rig.ask(volts=4.0)  # 2 A and 3.3 A: below the amplifier's limit
    for n in range(1, 20):
        rig.step()
        rise = -math.expm1(-n * dt / drive.current_rise)
        # rounding: three operations a step
        assert rig["current"] == pytest.approx(
            4.0 / drive.resistance * rise, rel=4 * n * EPS
        )


def test_the_tables_times_and_limits():
    # reading: digits of table 5.2; its times are rounded to 5 ms where they are long
    assert (ROLL.current_rise, PITCH.current_rise) == (0.7e-3, 0.4e-3)
    for drive, rise, start, speed, torque in (
        (ROLL, 0.020, 0.095, 4.8, 50.0),
        (PITCH, 0.010, 0.080, 2.6, 91.0),
    ):
        k = drive.torque_constant
        assert drive.inertia * drive.resistance / k**2 == pytest.approx(rise, abs=5e-4)
        assert drive.inertia * drive.speed / drive.torque == pytest.approx(
            start, abs=2.5e-3
        )
        assert drive.speed == pytest.approx(speed, abs=0.05)
        assert drive.torque == pytest.approx(torque, abs=0.5)


@BOTH
def test_speed_rises_at_constant_voltage_as_the_equations_say(drive: Drive):
    volts, seconds = 3.0, 0.02
    r, k, rise = drive.resistance, drive.torque_constant, drive.current_rise
    # oracle: L i' = V - R i - K w, J w' = K i, by a matrix exponential
    a = np.zeros((3, 3))
    a[0] = [-1.0 / rise, -k / (r * rise), volts / (r * rise)]
    a[1, 0] = k / drive.inertia
    exact = expm(seconds * a)[1, 2]
    steps, errors = [1e-3, 5e-4, 2.5e-4, 1.25e-4], []
    for dt in steps:
        rig = Rig(drive, "motor", dt)
        rig.ask(volts=volts)
        errors.append(abs(rig.spin(round(seconds / dt))[-1] - exact))
    assert order(steps, errors) == pytest.approx(1.0, abs=0.1)  # asserted is the slope
    assert errors[0] < 0.05 * exact  # a time step of 1 ms is good to some per cent


@BOTH
def test_full_current_brings_full_speed(drive: Drive):
    rig = Rig(drive, "motor", 1e-4)
    rig.ask(tau=10.0 * drive.torque)
    speeds = rig.spin(8000)
    grows = drive.torque / drive.inertia
    knee = (drive.voltage - drive.resistance * drive.current) / drive.torque_constant
    n = round(0.9 * knee / grows / 1e-4)
    # the current needs three steps at most to be there; then the slope is exact
    slope = (speeds[n] - speeds[10]) / ((n - 10) * 1e-4)
    assert slope == pytest.approx(grows, rel=1e-9)
    # 0.8 s are 40 time constants: what is missing is e^-30
    assert speeds[-1] == pytest.approx(drive.speed, rel=1e-9)
    assert np.abs(speeds).max() <= drive.speed * (1 + 1e-9)


# --- limits ---------------------------------------------------------------------------


@given(volts=st.floats(-1e3, 1e3), w=st.floats(-2.6, 2.6), first=st.floats(-5, 5))
def test_no_command_passes_the_limits_of_voltage_and_current(volts, w, first):
    rig = Rig(PITCH, "motor", 1e-3)
    rig.w[0], rig.state["current"] = w, first
    rig.ask(volts=volts)
    for _ in range(3):
        tau = rig.step()
        assert abs(rig["volts"]) <= 48.0
        assert abs(rig["current"]) <= 5.0 * (1 + 8 * EPS)
        assert abs(tau) <= PITCH.torque * (1 + 8 * EPS)


@given(tau=st.floats(-300.0, 300.0), w=SPEED)
def test_ideal_torque_lies_on_its_side_of_the_speed_line(tau, w):
    rig = Rig(PITCH, "ideal", 1e-3)
    rig.ask(tau=tau)
    rig.w[0] = w
    got = rig.step()
    stall, limit, w0 = 18.2 * 48 / 1.2, 91.0, 48 / 18.2
    high = min(max(stall * (1 - w / w0), 0.0), limit)
    low = -min(max(stall * (1 + w / w0), 0.0), limit)
    assert got == pytest.approx(min(max(tau, low), high), rel=8 * EPS, abs=1e-12)
    rig.ask(tau=-tau)
    rig.w[0] = -w
    assert rig.step() == -got
    # what it says of its voltage: within the supply's unless the joint is overrun
    if abs(w) <= w0:
        assert abs(rig["volts"]) <= 48.0 * (1 + 8 * EPS)


def test_stall_ratio_is_eight_for_the_pitch_drive():
    assert drive_bank([PITCH], ActuatorConfig()).numbers[0].stall == 8.0


@pytest.mark.parametrize("kind", ["ideal", "motor"])
def test_without_voltage_a_motor_brakes(kind: str):
    rig = Rig(PITCH, kind, 1e-3)
    rig.command[0].mode = kernel.HALTED
    rig.command[0].tau = 50.0  # must not count
    rig.w[0] = 0.2
    for _ in range(30):
        tau = rig.step()
    # closed form, 30 ms are 75 rise times: K² w / R
    assert tau == pytest.approx(-(18.2**2) / 1.2 * 0.2, rel=1e-9)
    rig.w[0] = 2.0
    for _ in range(30):
        tau = rig.step()
    assert tau == pytest.approx(-91.0, rel=1e-9)  # the amplifier's limit holds


@pytest.mark.parametrize("tau", [0.0, 30.0, -91.0])
def test_an_amplifier_brings_the_torque_within_two_steps(tau: float):
    rig = Rig(PITCH, "motor", 1e-3)
    rig.w[0] = 1.0
    rig.ask(tau=tau)
    rig.step()
    rig.step()
    assert rig.step() == pytest.approx(tau, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("kind", ["motor", "elastic"])
def test_viscous_losses_slow_a_free_motor(kind: str):
    loss, volts = 4.0, 6.0
    rig = Rig(PITCH, kind, 1e-3, damping=loss, gear_damping=1.0)
    rig.ask(volts=volts)
    for _ in range(3000):
        if kind == "elastic":  # the joint goes with its rotor
            rig.w[0] = rig["rotor_speed"]
            rig.q[0] = rig["rotor"]
            rig.step()
        else:
            rig.spin(1)
    k, r = PITCH.torque_constant, PITCH.resistance
    # closed form: K i = b w and V = R i + K w; 3 s are 300 time constants
    assert rig["rotor_speed"] == pytest.approx(volts * k / (k**2 + r * loss), rel=1e-9)
    ideal = Rig(PITCH, "ideal", 1e-3, damping=loss)
    ideal.w[0] = 0.5
    ideal.ask(tau=20.0)
    assert ideal.step() == pytest.approx(20.0 - loss * 0.5, rel=1e-12)


# --- energy ---------------------------------------------------------------------------


@given(volts=st.floats(-48.0, 48.0), w=st.floats(-2.6, 2.6))
def test_electrical_energy_is_heat_and_work_and_what_the_winding_keeps(volts, w):
    rig = Rig(PITCH, "motor", 1e-3)
    rig.w[0] = w
    work = 0.0
    for n in range(20):
        rig.ask(volts=volts * math.cos(n))
        work += rig.step() * w * rig.dt
    kept = 0.5 * PITCH.current_rise * PITCH.resistance * rig["current"] ** 2
    balance = rig["heat"] + work + kept
    scale = 20 * 48.0 * 5.0 * rig.dt + abs(work)  # most that can have gone in
    assert rig["electric"] == pytest.approx(balance, rel=0, abs=64 * EPS * scale)
    assert rig["drawn"] >= max(rig["electric"], 0.0) - 64 * EPS * scale


def test_a_free_rotor_keeps_the_balance_to_the_steps_order():
    steps, errors = [1e-3, 5e-4, 2.5e-4, 1.25e-4], []
    for dt in steps:
        rig = Rig(PITCH, "motor", dt)
        rig.ask(volts=5.0)
        rig.spin(round(0.02 / dt))
        moves = 0.5 * PITCH.inertia * rig.w[0] ** 2
        kept = 0.5 * PITCH.current_rise * PITCH.resistance * rig["current"] ** 2
        errors.append(abs(rig["electric"] - rig["heat"] - kept - moves))
    assert order(steps, errors) == pytest.approx(1.0, abs=0.15)


@pytest.mark.parametrize("kind", ["ideal", "motor", "elastic"])
def test_work_is_torque_times_way(kind: str):
    rig = Rig(PITCH, kind, 1e-3)
    plus = minus = 0.0
    for n in range(400):
        rig.ask(tau=40.0 * math.cos(0.05 * n))
        rig.w[0] = 0.8 * math.sin(0.031 * n)
        tau = rig.step()
        rig.q[0] += rig.dt * rig.w[0]
        plus += max(tau * rig.w[0] * rig.dt, 0.0)
        minus += min(tau * rig.w[0] * rig.dt, 0.0)
    rig.step()  # work is counted when the way is known
    # rounding: 400 sums of ways taken as differences of angles below 1 rad
    assert rig["work_plus"] == pytest.approx(plus, rel=0, abs=400 * 91 * EPS)
    assert rig["work_minus"] == pytest.approx(minus, rel=0, abs=400 * 91 * EPS)
    assert plus > 0.1
    assert minus < -0.1


# --- the gear's spring ----------------------------------------------------------------


@pytest.mark.parametrize("stiffness", [None, 100.0])
def test_a_held_joint_winds_its_gear_by_torque_over_stiffness(stiffness):
    rig = Rig(PITCH, "elastic", 1e-3, stiffness=stiffness, gear_damping=0.5)
    rig.ask(tau=50.0)
    for _ in range(20_000):
        tau = rig.step()
    assert tau == pytest.approx(50.0, rel=1e-9)
    assert rig["rotor"] == pytest.approx(50.0 / (stiffness or 1000.0), rel=1e-9)


@pytest.mark.parametrize("ratio", [0.1, 0.3])
def test_a_wound_up_rotor_swings_as_the_closed_form_says(ratio: float):
    rate, seconds = math.sqrt(1000.0 / 2.7), 0.2
    damped = rate * math.sqrt(1 - ratio**2)
    exact = (
        0.01
        * math.exp(-ratio * rate * seconds)
        * (
            math.cos(damped * seconds)
            + ratio / math.sqrt(1 - ratio**2) * math.sin(damped * seconds)
        )
    )
    free = Drive(resistance=1e9)  # no current, so no braking by the winding
    steps, errors = [8, 16, 32, 64], []
    for substeps in steps:
        rig = Rig(free, "elastic", 0.01, substeps=substeps, gear_damping=ratio)
        rig.state["rotor"] = 0.01
        rig.ask(volts=0.0)
        for _ in range(round(seconds / rig.dt)):
            rig.step()
        errors.append(abs(rig["rotor"] - exact))
    assert order([1 / n for n in steps], errors) == pytest.approx(2.0, abs=0.1)


def test_rotor_and_limb_swing_against_each_other():
    limb = 0.3  # [kg m²]
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="limb")
    body.add_joint(name="hinge", axis=[0, 1, 0])
    body.explicitinertial = True
    body.mass, body.inertia = 1.0, [limb, limb, limb]
    spec.option.gravity = [0, 0, 0]
    seconds, errors, steps = 0.1, [], [1e-3, 5e-4, 2.5e-4]
    free, d = Drive(resistance=1e9), 0.2 * math.sqrt(2700.0)
    pull = np.array([[1000.0, -1000.0], [-1000.0, 1000.0]])
    drag = pull * d / 1000.0
    inverse = np.diag([1 / 2.7, 1 / limb])
    a = np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ pull, -inverse @ drag]])
    exact = (expm(seconds * a) @ [0.02, 0.0, 0.0, 0.0])[1]
    for dt in steps:
        spec.option.timestep = dt
        model = spec.compile()
        data = mujoco.MjData(model)
        rig = Rig(free, "elastic", dt)
        rig.q, rig.w, rig.out = data.qpos, data.qvel, data.qfrc_applied
        rig.state["rotor"] = 0.02
        rig.ask(volts=0.0)
        for _ in range(round(seconds / dt)):
            rig.step()
            mujoco.mj_step(model, data)
        errors.append(abs(data.qpos[0] - exact))
    assert abs(exact) > 0.01  # the limb has followed
    assert order(steps, errors) == pytest.approx(1.0, abs=0.2)
    assert errors[0] < 0.05 * abs(exact)


def test_bad_settings_are_refused_together():
    with pytest.raises(
        ConfigError, match=r"kind must be .* 'spring'; damping .* -1; .* substeps .* 0"
    ):
        ActuatorConfig(kind="spring", damping=-1, stiffness=0, substeps=0)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="it has no drives"):
        drive_bank([], ActuatorConfig())


LAG = Drive.of_limits(18.0, 15.0, 0.02).behind_valve(70.0, 200.0)


def lag_step(t: np.ndarray) -> np.ndarray:
    """Return the step response of 1 / ((1 + s/v) (1 + s/c)), closed form."""
    v, c = math.tau * LAG.valve, math.tau * LAG.chamber
    return 1.0 - (c * np.exp(-v * t) - v * np.exp(-c * t)) / (c - v)


def test_a_lag_has_fallen_by_three_decibels_at_its_bandwidth():
    at = 1j * LAG.bandwidth
    size = 1.0 / abs((1.0 + at / LAG.valve) * (1.0 + at / LAG.chamber))
    assert size == pytest.approx(math.sqrt(0.5), rel=4 * EPS)


def test_the_torque_of_a_lag_follows_its_closed_form():
    rig = Rig(LAG, "motor", 1e-3)
    rig.ask(5.0)
    means = np.array([rig.step() for _ in range(30)])
    assert rig["lagged"] == pytest.approx(5.0 * lag_step(np.array(0.03)), rel=1e-12)
    # the mean of each step is exact: by a fine sum, truncation h² f'' / 24
    fine = np.linspace(0.0, 0.03, 30_001)
    middle = 0.5 * (fine[1:] + fine[:-1])
    wanted = 5.0 * lag_step(middle).reshape(30, 1000).mean(axis=1)
    np.testing.assert_allclose(means, wanted, rtol=0, atol=1e-6)


def test_a_lag_is_limited_and_lets_go_when_halted():
    rig = Rig(LAG, "motor", 1e-3)
    rig.ask(100.0)
    for _ in range(100):
        rig.step()
    assert rig["lagged"] == pytest.approx(18.0)
    rig.command[0] = 100.0, 0.0, kernel.HALTED
    for _ in range(100):
        rig.step()
    assert abs(rig["lagged"]) < 1e-12
    rig.w[0] = 15.0  # at its largest speed nothing pushes on
    rig.ask(100.0)
    for _ in range(100):
        rig.step()
    assert abs(rig["lagged"]) < 1e-12


def test_ideal_drives_do_not_lag_and_valves_have_no_gears():
    rig = Rig(LAG, "ideal", 1e-3)
    rig.ask(5.0)
    assert rig.step() == 5.0
    with pytest.raises(ConfigError, match="valves and no gears"):
        Rig(LAG, "elastic", 1e-3)
    with pytest.raises(ConfigError, match="below the valve"):
        LAG.behind_valve(200.0, 100.0)
    with pytest.raises(ConfigError, match="kind"):
        Drive(kind="steam")


def test_each_drive_has_its_own_numbers_and_one_valve_is_enough_to_have_no_gears():
    one, other = Drive(voltage=24.0, inertia=0.5, stiffness=8.0), LAG
    with pytest.raises(ConfigError, match="valves and no gears"):
        drive_bank([one, other], ActuatorConfig(kind="elastic"))
    with pytest.raises(ConfigError, match="it has no drives"):
        drive_bank([], ActuatorConfig())
    numbers = drive_bank([other, one], ActuatorConfig(kind="ideal")).numbers
    assert numbers["voltage"].tolist() == [other.voltage, 24.0]
    assert numbers["inertia"].tolist() == [other.inertia, 0.5]
    assert numbers["stiffness"].tolist() == [other.stiffness, 8.0]
    # torque at rest, V K / R, over the largest, K times the current
    for k, drive in enumerate((other, one)):
        at_rest = drive.voltage / drive.resistance * drive.torque_constant
        largest = drive.current * drive.torque_constant
        assert numbers[k].stall == pytest.approx(at_rest / largest)
    assert numbers["valve"].tolist() == [math.tau * other.valve, 0.0]
    softer = drive_bank([one], ActuatorConfig(stiffness=2.0, gear_damping=0.25)).numbers
    assert softer[0].stiffness == 2.0
    # a share of critical damping, 2 sqrt(k J) = 2
    assert softer[0].gear_damping == pytest.approx(0.25 * 2.0)
