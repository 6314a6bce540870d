"""Observer, wrench, references and knocker of the posture controller, by hand."""

import math

import numpy as np
import pytest

from equipoise.control.legs.law import leg_law
from equipoise.control.observer.legs import first_estimate, observe_legs
from equipoise.control.observer.posture import PostureEstimate, observe_posture
from equipoise.control.posture.config import PostureControllerConfig
from equipoise.control.posture.dither import add_dither
from equipoise.control.posture.reference import (
    LedReference,
    lead_reference,
    plumb_feet,
)
from equipoise.control.posture.wrench import (
    PostureWrench,
    attitude_of,
    posture_wrench,
    weight_moment,
)
from equipoise.control.records import LegAim, TrunkEstimate
from equipoise.core.records import copied, record_of
from equipoise.robots.drives import Drive
from equipoise.robots.legs import leg_geometry
from equipoise.robots.warp1.warp1 import warp1

LEGS = leg_geometry(warp1())
EPS = np.finfo(float).eps


def tilted(roll: float, pitch: float, w=(0.0, 0.0, 0.0)):
    """Return a trunk with R_WB = R_y(pitch) R_x(roll) and w_B."""
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    trunk = TrunkEstimate.zeros()
    trunk[0].R_WB[:] = [[cp, sp * sr, sp * cr], [0, cr, -sr], [-sp, cp * sr, cp * cr]]
    trunk[0].w_WB_B[:] = w
    return trunk


def some_legs(seed: int):
    """Return what is known of legs that all stand, somehow bent and moving."""
    rng = np.random.default_rng(seed)
    legs = first_estimate(LEGS.legs, 3)
    legs["q"] = np.tile([0.0, 0.62, -1.27], (4, 1)) + rng.uniform(-0.1, 0.1, (4, 3))
    legs["v"], legs["stood"] = rng.uniform(-1, 1, (4, 3)), 1.0
    observe_legs(LEGS.legs, legs)
    return legs


def observed(trunk, legs, is_plumb: bool):
    """Return how the trunk stands over its feet."""
    out = PostureEstimate.zeros()
    observe_posture(trunk[0], legs, is_plumb, out[0])
    return out[0]


def test_attitude_is_read_back():
    assert attitude_of(tilted(0.1, -0.2)[0]) == pytest.approx((0.1, -0.2), abs=4 * EPS)


def test_printed_height_is_over_the_feets_mean():
    legs = some_legs(1)
    out = observed(tilted(0.1, 0.2), legs, False)
    feet, rates = LEGS.hips + legs["foot"], legs["foot_rate"]
    np.testing.assert_allclose(out.place, -feet.mean(0), atol=4 * EPS)
    np.testing.assert_allclose(out.rate, -rates.mean(0), rtol=0, atol=8 * EPS)


def test_hip_height_and_its_rate_are_those_of_a_world_that_does_not_turn():
    """The rate is the height's derivative, found by turning the trunk a little."""
    legs, w, step = some_legs(2), np.array([0.3, -0.2, 0.5]), 1e-6
    now = tilted(0.1, -0.15, tuple(w))
    out, up = observed(now, legs, True), now[0].R_WB[2]
    heights = -(legs["foot"] @ up)
    assert out.place[2] == pytest.approx(heights.mean(), abs=4 * EPS)
    rates = []
    for sign in (1, -1):
        turned, moved = copied(now), copied(legs)
        turned[0].R_WB[2] += sign * step * np.cross(up, w)  # u' = u × w in B
        moved["foot"] += sign * step * legs["foot_rate"]
        rates.append(observed(turned, moved, True).place[2])
    # Central differences at 1e-6: rounding of 0.5 m over the step.
    slope = (rates[0] - rates[1]) / (2 * step)
    assert out.rate[2] == pytest.approx(slope, abs=EPS / step * 4)


def test_only_legs_that_stand_count():
    legs = some_legs(3)
    legs["stood"] = [1.0, 0.0, 0.0, 1.0]
    out = observed(tilted(0, 0), legs, False)
    two = -(LEGS.hips + legs["foot"])[[0, 3]].mean(0)
    np.testing.assert_allclose(out.place, two, rtol=0, atol=4 * EPS)


def test_pid_by_hand():
    posture, led = PostureEstimate.zeros(), LedReference.zeros()
    config = PostureControllerConfig(
        height=(2e4, 3e3, 4e3),
        roll=(1e3, 2e2, 50.0),
        pitch=(5e3, 6e2, 0.0),
        most=(9.0, 9.0, 0.0),
    )
    gain = record_of(config)[0]
    posture[0].place[2], posture[0].rate[2] = 0.59, 0.02
    # Level, so that roll's and pitch's rates are w_B's own.
    trunk = tilted(0.0, 0.0, (0.1, -0.2, 0.7))
    trunk[0].dt = 0.002
    led[0].at[:], led[0].rate[:] = (0.02, 0.03, 0.60), (0.0, 0.1, 0.0)
    integral, out = np.array([8.99, -1.0, 0.0]), PostureWrench.zeros()
    posture_wrench(posture[0], trunk[0], led[0], gain, integral, out[0])
    np.testing.assert_allclose(integral, [9.0, -1.0 + 0.002, 0.0], rtol=1e-14)
    expected = [200 - 60 + 9.0, 20 - 20 - 0.998, 150 + 180]
    np.testing.assert_allclose(out.item(), expected, rtol=1e-12)


def test_weight_is_carried_without_force_or_moment_left():
    """Legs that share it as told hold the whole machine in balance at any tilt."""
    trunk, weight, legs = tilted(0.12, -0.2), 592.0, some_legs(4)
    places = LEGS.hips + legs["foot"]
    centre, out = np.array([0.01, -0.02, -0.1]), PostureWrench.zeros()
    trunk[0].p_BC[:] = centre
    weight_moment(weight, trunk[0], legs, out[0])
    A = np.array([np.ones(4), places[:, 1], -places[:, 0]])
    loads = np.linalg.pinv(A) @ out.item()
    up = trunk[0].R_WB[2]
    forces = np.column_stack([np.tile(weight * up[:2] / 4, (4, 1)), loads])
    np.testing.assert_allclose(forces.sum(0), weight * up, rtol=0, atol=1e-11)
    moment = np.cross(places, forces).sum(0) - np.cross(centre, weight * up)
    np.testing.assert_allclose(moment[:2], 0.0, atol=1e-11)  # rounding of 600 N


def test_led_reference_is_the_step_response_of_two_poles():
    """1 - (1 + p t) exp(-p t), and the rate that belongs to it."""
    led, p, dt = LedReference.zeros()[0], 8.0, 1e-4
    for _ in range(round(0.4 / dt)):
        lead_reference((0.1, 0.0, -0.02), p, dt, led)
    t = 0.4
    shape, rate = 1 - (1 + p * t) * math.exp(-p * t), p * p * t * math.exp(-p * t)
    # Truncation: first order, p dt/2 of the largest rate p/e over the poles' time.
    tol = p * dt
    np.testing.assert_allclose(led.at[[0, 2]], [0.1 * shape, -0.02 * shape], rtol=tol)
    fast = [0.1 * rate, -0.02 * rate]
    np.testing.assert_allclose(led.rate[[0, 2]], fast, rtol=4 * tol)
    assert led.at[1] == led.rate[1] == 0.0
    lead_reference((0.3, 0.2, 0.1), 0.0, dt, led)
    np.testing.assert_array_equal(led.at, [0.3, 0.2, 0.1])
    assert not led.rate.any()


def test_plumb_feet_stay_where_a_level_machine_has_them():
    """Turn a level machine about its middle: feet that did not move are on their aim.

    Their velocity, seen from the trunk, is the aim's too.
    """
    roll, pitch, w = 0.1, -0.15, np.array([0.4, -0.3, 0.0])
    trunk = tilted(roll, pitch, tuple(w))
    R = trunk[0].R_WB
    w_level = w - (w @ R[2]) * R[2]  # without turning about the vertical
    places = LEGS.hips.copy()
    places[:, 2] = -0.615
    seen = places @ R  # Rᵀ p for each row
    legs, aim = first_estimate(LEGS.legs, 3), LegAim.zeros(4, joints=3)
    legs["foot"] = seen - LEGS.hips
    plumb_feet(trunk[0], legs, aim)
    np.testing.assert_allclose(aim["place"], legs["foot"], rtol=0, atol=8 * EPS)
    np.testing.assert_allclose(aim["velocity"], -np.cross(w_level, seen), atol=8 * EPS)


def test_knocker_is_a_square_wave_that_the_trunk_does_not_feel():
    limits, knocks = leg_law(LEGS, [Drive()] * 12).guards, []
    assert (limits["torque"] == 91.0).all()
    for k in range(25):
        tau = np.zeros(12)
        add_dither(k / 1000.0, 40.0, 1.5, limits, tau)
        assert np.all(np.abs(tau) == 1.5)
        assert tau.reshape(4, 3).sum(0).tolist() == [0.0, 0.0, 0.0]
        knocks.append(tau[0])
    # 25 ms are one period: 13 samples up (0 to 12 ms), 12 down.
    assert knocks == [1.5] * 13 + [-1.5] * 12
    tau = np.full(12, 91.0)
    add_dither(0.0, 40.0, 1.5, limits, tau)
    assert tau.max() == 91.0
