"""Observer, wrench, references and knocker of the posture controller, by hand."""

import math

import numpy as np
import pytest

from equipoise.control.observer.legs import observe_legs
from equipoise.control.observer.posture import observe_posture
from equipoise.control.posture.knocker import add_knock
from equipoise.control.posture.reference import lead_reference, plumb_feet
from equipoise.control.posture.wrench import (
    attitude_of,
    posture_wrench,
    weight_moment,
)
from equipoise.robots.leg_kinematics import leg_geometry
from equipoise.robots.warp1.warp1 import warp1

LEGS = leg_geometry(warp1())
ALL = np.ones(4)
EPS = np.finfo(float).eps


def tilted(roll: float, pitch: float, w=(0.0, 0.0, 0.0)) -> np.ndarray:
    """Return rows R_WB = R_y(pitch) R_x(roll) and w_B."""
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    return np.array([[cp, sp * sr, sp * cr], [0, cr, -sr], [-sp, cp * sr, cp * cr], w])


def some_feet(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    q = np.tile([0.0, 0.62, -1.27], 4) + rng.uniform(-0.1, 0.1, 12)
    feet = np.empty((4, 5, 3))
    observe_legs(q, rng.uniform(-1, 1, 12), LEGS.lengths, feet)
    return feet


def test_attitude_is_read_back():
    assert attitude_of(tilted(0.1, -0.2)) == pytest.approx((0.1, -0.2), abs=4 * EPS)


def test_printed_height_is_over_the_feets_mean():
    feet, out = some_feet(1), np.empty(6)
    observe_posture(feet, LEGS.hips, ALL, tilted(0.1, 0.2), False, out)
    np.testing.assert_allclose(out[:3], -(LEGS.hips + feet[:, 0]).mean(0), atol=4 * EPS)
    np.testing.assert_allclose(out[3:], -feet[:, 1].mean(0), rtol=0, atol=8 * EPS)


def test_hip_height_and_its_rate_are_those_of_a_world_that_does_not_turn():
    """The rate is the height's derivative, found by turning the trunk a little."""
    feet, out, later = some_feet(2), np.empty(6), np.empty(6)
    w, step = np.array([0.3, -0.2, 0.5]), 1e-6
    now = tilted(0.1, -0.15, tuple(w))
    observe_posture(feet, LEGS.hips, ALL, now, True, out)
    heights = -(feet[:, 0] @ now[2])
    assert out[2] == pytest.approx(heights.mean(), abs=4 * EPS)
    rates = []
    for sign in (1, -1):
        turned, moved = now.copy(), feet.copy()
        turned[2] += sign * step * np.cross(now[2], w)  # u' = u × w in B
        moved[:, 0] += sign * step * feet[:, 1]
        observe_posture(moved, LEGS.hips, ALL, turned, True, later)
        rates.append(later[2])
    # Central differences at 1e-6: rounding of 0.5 m over the step.
    slope = (rates[0] - rates[1]) / (2 * step)
    assert out[5] == pytest.approx(slope, abs=EPS / step * 4)


def test_only_legs_that_stand_count():
    feet, out = some_feet(3), np.empty(6)
    stands = np.array([1.0, 0.0, 0.0, 1.0])
    observe_posture(feet, LEGS.hips, stands, tilted(0, 0), False, out)
    two = -(LEGS.hips + feet[:, 0])[[0, 3]].mean(0)
    np.testing.assert_allclose(out[:3], two, rtol=0, atol=4 * EPS)


def test_pid_by_hand():
    gains = np.array([[2e4, 3e3, 4e3, 9.0], [1e3, 2e2, 50.0, 9.0], [5e3, 6e2, 0, 0]])
    posture = np.array([0, 0, 0.59, 0, 0, 0.02])
    # Level, so that roll's and pitch's rates are w_B's own.
    trunk = tilted(0.0, 0.0, (0.1, -0.2, 0.7))
    reference = np.array([0.02, 0.03, 0.60, 0.0, 0.1, 0.0])
    integral, out = np.array([8.99, -1.0, 0.0]), np.empty(3)
    posture_wrench(posture, trunk, reference, gains, 0.002, integral, out)
    np.testing.assert_allclose(integral, [9.0, -1.0 + 0.002, 0.0], rtol=1e-14)
    expected = [200 - 60 + 9.0, 20 - 20 - 0.998, 150 + 180]
    np.testing.assert_allclose(out, expected, rtol=1e-12)


def test_weight_is_carried_without_force_or_moment_left():
    """Legs that share it as told hold the whole machine in balance at any tilt."""
    trunk, weight = tilted(0.12, -0.2), 592.0
    feet = some_feet(4)
    places = LEGS.hips + feet[:, 0]
    centre, out = np.array([0.01, -0.02, -0.1]), np.zeros(3)
    weight_moment(weight, centre, trunk, places, ALL, out)
    A = np.array([np.ones(4), places[:, 1], -places[:, 0]])
    loads = np.linalg.pinv(A) @ out
    up = trunk[2]
    forces = np.column_stack([np.tile(weight * up[:2] / 4, (4, 1)), loads])
    np.testing.assert_allclose(forces.sum(0), weight * up, rtol=0, atol=1e-11)
    moment = np.cross(places, forces).sum(0) - np.cross(centre, weight * up)
    np.testing.assert_allclose(moment[:2], 0.0, atol=1e-11)  # rounding of 600 N


def test_led_reference_is_the_step_response_of_two_poles():
    """1 - (1 + p t) exp(-p t), and the rate that belongs to it."""
    led, p, dt = np.zeros(6), 8.0, 1e-4
    for _ in range(round(0.4 / dt)):
        lead_reference(np.array([0.1, 0.0, -0.02]), p, dt, led)
    t = 0.4
    shape, rate = 1 - (1 + p * t) * math.exp(-p * t), p * p * t * math.exp(-p * t)
    # Truncation: first order, p dt/2 of the largest rate p/e over the poles' time.
    tol = p * dt
    np.testing.assert_allclose(led[[0, 2]], [0.1 * shape, -0.02 * shape], rtol=tol)
    np.testing.assert_allclose(led[[3, 5]], [0.1 * rate, -0.02 * rate], rtol=4 * tol)
    assert led[1] == led[4] == 0.0
    lead_reference(np.array([0.3, 0.2, 0.1]), 0.0, dt, led)
    np.testing.assert_array_equal(led, [0.3, 0.2, 0.1, 0, 0, 0])


def test_plumb_feet_stay_where_a_level_machine_has_them():
    """Turn a level machine about its middle: feet that did not move are on their aim.

    Their velocity, seen from the trunk, is the aim's too.
    """
    roll, pitch, w = 0.1, -0.15, np.array([0.4, -0.3, 0.0])
    trunk = tilted(roll, pitch, tuple(w))
    w_level = w - (w @ trunk[2]) * trunk[2]  # without turning about the vertical
    places = LEGS.hips.copy()
    places[:, 2] = -0.615
    seen = places @ trunk[:3]  # Rᵀ p for each row
    feet = np.zeros((4, 5, 3))
    feet[:, 0] = seen - LEGS.hips
    aim = np.zeros((6, 4, 3))
    plumb_feet(feet, LEGS.hips, trunk, aim)
    np.testing.assert_allclose(aim[0], feet[:, 0], rtol=0, atol=8 * EPS)
    np.testing.assert_allclose(aim[1], -np.cross(w_level, seen), atol=8 * EPS)


def test_knocker_is_a_square_wave_that_the_trunk_does_not_feel():
    limits = np.full(12, 91.0)
    knocks = []
    for k in range(25):
        tau = np.zeros(12)
        add_knock(k / 1000.0, 40.0, 1.5, limits, tau)
        assert np.all(np.abs(tau) == 1.5)
        assert tau.reshape(4, 3).sum(0).tolist() == [0.0, 0.0, 0.0]
        knocks.append(tau[0])
    # 25 ms are one period: 13 samples up (0 to 12 ms), 12 down.
    assert knocks == [1.5] * 13 + [-1.5] * 12
    tau = np.full(12, 91.0)
    add_knock(0.0, 40.0, 1.5, limits, tau)
    assert tau.max() == 91.0
