"""Cycloids, force references and legs that learn the ground, by closed forms."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from equipoise.control.forces.force_reference import (
    ForceReference,
    force_reference,
    peak_for,
)
from equipoise.control.legs.adaptation import (
    AdaptationConfig,
    adapt,
    first_guess,
    ground_height,
    reference_height,
    steady_force,
)
from equipoise.control.legs.cycloid import Stroke, support, transfer
from equipoise.control.legs.impedance import CycloidSwing, sunk_by
from equipoise.control.records import LegBalance
from equipoise.core.errors import ConfigError, NotPhysicalError
from equipoise.core.jit import compiled
from equipoise.core.records import record_of

WEIGHT = 12.0 * 9.81
DT = 1e-3
LEG = 8e3  # stiffness of leg and control [N/m]


@pytest.fixture(scope="module")
def stroke():
    """A step of 0.2 m: 0.125 s in the air and 0.375 s on the ground."""
    one = Stroke.zeros()
    one["length"], one["swing"], one["support"] = 0.2, 0.125, 0.375
    return one


def test_a_cycloid_rises_by_its_length_over_pi_and_ends_at_rest(stroke):
    times = np.linspace(0.0, 0.125, 2001)
    moved = np.array([transfer(t, stroke[0]) for t in times])
    assert moved[:, 1].max() == pytest.approx(0.2 / math.pi)  # exact at the middle
    assert moved[0] == pytest.approx(np.zeros(6))
    assert moved[-1] == pytest.approx([0.2, 0.0, 0.0, 0.0, 0.0, 0.0])
    # central differences: h² / 6 of the third derivative, r ω³ = 4 km/s³
    h = times[1]
    for of, rate in ((0, 2), (1, 3), (2, 4), (3, 5)):
        off = (moved[2:, of] - moved[:-2, of]) / (2 * h) - moved[1:-1, rate]
        bound = h * h / 6 * (0.1 / math.pi) * (2 * math.pi / 0.125) ** (3 + of // 2)
        assert np.abs(off[1:-1]).max() < 1.001 * bound


def test_a_foot_on_the_ground_goes_back_by_the_length_of_the_step(stroke):
    assert support(0.0, stroke[0])[0] == 0.0
    assert support(0.375, stroke[0]) == pytest.approx((-0.2, -0.2 / 0.375))


@pytest.fixture(scope="module")
def reference():
    """The report's series on RALPHY: duty 0.75, q 0.2, 2 steps a second."""
    one = ForceReference.zeros()
    one["dip"], one["frequency"], one["duty"] = 0.2, 2.0, 0.75
    one["speed"], one["height"], one["offset"] = 0.53, 0.33, 4.0
    one["peak"] = peak_for(0.25, WEIGHT, 0.75, 0.2, offset=4.0)
    return one


def test_a_leg_carries_its_share_on_average(reference):
    half = 0.75 / (2.0 * 2.0)
    mean = quad(lambda t: force_reference(t, reference[0])[1], -half, half)[0] * 2.0
    assert mean == pytest.approx(0.25 * WEIGHT, rel=1e-10)  # quad gives 1e-8 of 1e-10
    assert peak_for(0.25, WEIGHT, 0.75) == pytest.approx(0.491 * WEIGHT, rel=1e-3)


def test_the_force_points_from_foot_to_hip_and_ends_with_the_support(reference):
    for t in np.linspace(-0.18, 0.18, 7):
        across, up = force_reference(t, reference[0])
        assert across == pytest.approx(up * 0.53 * t / 0.33)
    assert force_reference(0.188, reference[0]) == (0.0, 0.0)
    assert force_reference(0.0, reference[0])[1] == pytest.approx(
        4.0 + 0.8 * reference["peak"][0]
    )


def test_refuses_a_duty_factor_that_is_none():
    with pytest.raises(NotPhysicalError, match=r"got 0\.0"):
        peak_for(0.25, WEIGHT, 0.0)


def test_an_impedance_leg_at_rest_presses_as_the_formula_says():
    ground, place, height, told = 7e4, -0.003, 0.001, 25.0
    # springs in balance: F_d - K_r (x_d - y) of the leg is K_e (x_e - y) of the ground
    y = (ground * height - told + LEG * place) / (ground + LEG)
    force = steady_force(ground, LEG, told, height, place)
    assert force == pytest.approx(ground * (height - y), rel=1e-12)
    assert force == pytest.approx(told + LEG * (y - place), rel=1e-12)


@compiled
def walk(steps, stiffness, level, noise, reference, setting, estimate, error):
    """Stand for many supports; write the rms error of the force in each.

    The foot is where leg and ground are in balance; ``adapt`` is off without a setting.
    """
    half = 0.5 * reference[0].duty / reference[0].frequency
    ticks = round(2.0 * half / DT)
    for step in range(steps):
        total = 0.0
        for k in range(ticks):
            _, told = force_reference((k + 0.5) * DT - half, reference[0])
            aim = reference_height(told, estimate[0])
            felt = stiffness / (LEG + stiffness) * (told + LEG * (level - aim))
            felt = max(felt, 0.0)
            height = level - felt / stiffness + 1e-5 * noise[step, k]
            if setting.shape[0] > 0:
                adapt(DT, height, felt, setting[0], estimate[0])
            total += (felt - told) ** 2
        error[step] = math.sqrt(total / ticks)


def errors(stiffness, reference, level=0.0, config=None):
    """Return the rms errors of 16 supports, 8 s of walking."""
    config = config or AdaptationConfig()
    estimate, error = first_guess(config, 1), np.zeros(16)
    noise = np.random.default_rng(3).normal(size=(16, 400))
    setting = record_of(config)
    frozen = setting[:0]
    walk(16, stiffness, level, noise, reference, frozen, estimate, error)
    before = error[-1]
    walk(16, stiffness, level, noise, reference, setting, estimate, error)
    return before, error


@pytest.mark.parametrize("stiffness", [10e3, 12.5e3, 200e3, 300e3])
def test_force_error_falls_fivefold_where_the_guess_is_off_by_four(
    stiffness, reference
):
    before, error = errors(stiffness, reference)
    assert before > 1.0  # N: there is something to learn
    assert before / error[-4:].max() > 5.0


def test_it_finds_ground_that_lies_elsewhere(reference):
    before, error = errors(70e3, reference, level=-0.003)
    assert before / error[-4:].max() > 5.0


def raw(gain_1, gain_2, height, count=400):
    """Return the force errors of the printed law, its derivatives put back (E6)."""
    stiffness, offset, found = 5e4, 0.0, []
    for _ in range(count):
        error = offset - stiffness * height - 50.0
        found.append(abs(error))
        stiffness += DT * gain_1 * height * error
        offset -= DT * gain_2 * error
    return found


def test_the_printed_law_blows_up_beyond_two_over_dt_and_ours_does_not():
    height = -0.004
    for share, grows in ((0.95, False), (1.05, True)):
        gain_1 = 0.5 * share * 2.0 / DT / height**2
        found = raw(gain_1, 0.5 * share * 2.0 / DT, height)
        assert (found[-1] > 1e3 * found[0]) is grows
        assert (found[-1] < 1e-3 * found[0]) is not grows
    config = AdaptationConfig(gain=1e5)  # far beyond: a tick goes no further than there
    estimate, setting = first_guess(config, 1), record_of(config)
    for _ in range(5):
        adapt(DT, height, 50.0, setting[0], estimate[0])
    assert abs(estimate["error"][0]) < 1e-9


def test_stiffness_stays_within_bounds_and_light_feet_learn_nothing():
    config = AdaptationConfig()
    estimate, setting = first_guess(config, 1), record_of(config)
    adapt(DT, -0.002, 2.9, setting[0], estimate[0])
    assert estimate["stiffness"][0] == 50e3
    adapt(DT, -0.002, math.nan, setting[0], estimate[0])
    assert (estimate["stiffness"][0], estimate["offset"][0]) == (50e3, 0.0)
    for height, force, bound in ((-0.05, 10.0, 2e3), (-0.01, 1e4, 500e3)):
        estimate = first_guess(config, 1)
        for _ in range(300):
            adapt(DT, height, force, setting[0], estimate[0])
        assert estimate["stiffness"][0] == bound  # exact: it is put there


def test_height_and_reference_invert_the_ground():
    estimate = first_guess(AdaptationConfig(), 1)
    estimate["offset"] = 100.0
    assert ground_height(estimate[0]) == pytest.approx(0.002)
    assert reference_height(25.0, estimate[0]) == pytest.approx(0.002 - 25.0 / 5e4)


def test_feet_in_the_air_do_not_sink():
    feet, balance = CycloidSwing.zeros(3, joints=3), LegBalance.zeros(3)
    feet["stiffness"], feet["stood"] = [1e3, 2e3, 1e3], [1.0, 1.0, 0.0]
    balance["load"] = [10.0, -5.0, 80.0]  # what pulls does not sink either
    assert sunk_by(balance, feet) == pytest.approx(0.5 * 0.01)
    feet["stood"] = 0.0
    assert sunk_by(balance, feet) == 0.0


def test_refuses_a_first_guess_that_is_not_believed():
    with pytest.raises(ConfigError, match=r"from 2000 to 500000 N/m, got 1000\.0"):
        AdaptationConfig(stiffness=1e3)
