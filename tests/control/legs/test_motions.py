"""Leg motions: places and velocities that belong together, and the printed numbers."""

import math
from dataclasses import fields

import numpy as np
import pytest

from equipoise.control.legs.ellipse import EllipseConfig, EllipseMotion
from equipoise.control.legs.follow import follow_controller
from equipoise.control.legs.kneel import KneelConfig, KneelMotion
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.records import LegAim
from equipoise.core.contracts import Readings
from equipoise.core.errors import ConfigError
from equipoise.core.records import copied
from equipoise.robots.legs import leg_angles, leg_geometry
from equipoise.robots.warp1.warp1 import warp1
from oracles.walking_parts import same

ROBOT = warp1()
LEGS = leg_geometry(ROBOT)


def aim_at(motion, time: float):
    aim = LegAim.zeros(4, joints=3)
    motion.write(time, aim)
    return aim


@pytest.mark.parametrize("motion", [EllipseMotion(), KneelMotion()])
def test_velocities_are_the_places_derivatives(motion):
    step, fastest = 1e-5, 0.0
    for time in np.linspace(0.05, 24.0, 300):
        before, after = aim_at(motion, time - step), aim_at(motion, time + step)
        slope = (after["place"] - before["place"]) / (2 * step)
        velocity = aim_at(motion, time)["velocity"]
        # Central differences: the third derivative (40 m/s³) · step²/6, and rounding of
        # half a metre over the step.
        np.testing.assert_allclose(velocity, slope, rtol=0, atol=1e-9)
        fastest = max(fastest, float(np.abs(velocity).max()))
    assert fastest > 0.05


@pytest.mark.parametrize(("period", "speed"), [(1.0, 1.0), (0.8, 1.25)])
def test_ellipse_passes_below_the_hip_at_the_printed_speed(period, speed):
    motion = EllipseMotion(EllipseConfig(period=period))
    aim = aim_at(motion, period / 4)[0]
    assert aim.place[0] == pytest.approx(0.0, abs=1e-15)
    assert np.linalg.norm(aim.velocity) == pytest.approx(speed, rel=1e-12)
    assert aim.velocity[0] < 0.0  # clockwise seen from the right: back while it is low


def test_slow_ellipse_asks_of_the_hip_what_is_printed():
    """2.4 rad/s, "close to being saturated"; the knee below it; all within reach."""
    motion, n = EllipseMotion(), 2000
    q = np.empty((n, 12))
    for k in range(n):
        places = np.ascontiguousarray(aim_at(motion, k / n)["place"])
        assert leg_angles(places, LEGS.lengths, LEGS.bend, q[k])
    rate = (np.roll(q, -1, 0) - np.roll(q, 1, 0)) * n / 2
    assert np.abs(rate[:, 1]).max() == pytest.approx(2.4, abs=0.05)  # reading: 2 digits
    assert np.abs(rate[:, 2]).max() < 2.0
    assert np.all(q > LEGS.lower) and np.all(q < LEGS.upper)


def test_kneeling_goes_from_standing_to_the_knees_stop_and_back():
    motion = KneelMotion()
    c = motion.config
    for time in (0.0, 24.0):
        np.testing.assert_allclose(aim_at(motion, time)[0].place, [0, 0, -c.length])
    down = aim_at(motion, 12.0)
    np.testing.assert_array_equal(down["velocity"], 0.0)
    q = np.empty(12)
    leg_angles(np.ascontiguousarray(down["place"]), LEGS.lengths, LEGS.bend, q)
    # Folded beyond the stop at -110 degrees: the stop is to carry.
    assert np.all(np.degrees(q[2::3]) < -110.0)
    # Led below what knees on the ground allow, so that it comes down on them.
    assert -down[0].place[2] < LEGS.lengths[0, 0]


def test_without_power_the_legs_are_slack_while_it_kneels_and_only_then():
    gains = LegAim.zeros(4, joints=3)
    gains["stiffness"] = gains["damping"] = 1.0
    motion = KneelMotion(KneelConfig(is_powered=False))
    for time, held in ((6.0, 1.0), (12.0, 0.0), (17.5, 1.0)):
        aim = copied(gains)
        motion.write(time, aim)
        for name in ("stiffness", "damping"):  # to the side always held
            np.testing.assert_array_equal(aim[name], np.tile([held, 1, held], (4, 1)))
    motion = KneelMotion()
    aim = copied(gains)
    motion.write(12.0, aim)
    assert (aim["stiffness"] == 1.0).all() and (aim["damping"] == 1.0).all()


def test_follower_repeats_itself_and_is_calm_with_bad_readings():
    controller = follow_controller(ROBOT, KneelMotion())
    q = np.tile([0.0, 0.6, -1.2], 4)
    rest = {f.name: np.zeros(3) for f in fields(Readings)}
    rest |= {"time": 0.5, "dt": 0.002, "q": q, "inclination": np.zeros(2)}
    rest |= {name: np.zeros(12) for name in ("v", "current", "limit")}
    rest |= {name: np.zeros(4) for name in ("load", "pad")}
    sensed, state = Readings(**rest), controller.init()
    first, after = controller.step(sensed, state)
    second, _ = controller.step(sensed, state)
    np.testing.assert_array_equal(first.tau, second.tau)
    assert same(state, controller.init()) and not same(state, after)
    sensed.q = np.full(12, math.nan)
    torn, _ = controller.step(sensed, after)
    np.testing.assert_array_equal(torn.tau, first.tau)  # the last good angles
    assert torn.telemetry["skipped"] == 12.0


def test_inertia_in_advance_is_that_of_the_motion():
    """q'' from the differences against the closed form of a straight swing.

    With a tiny ellipse only the lean of a leg changes: q'' = -(2π/T)² a / d cos θ.
    """
    a, d = 1e-4, 0.5
    motion = EllipseMotion(EllipseConfig(half_length=a, half_height=1e-12, depth=d))
    controller = follow_controller(ROBOT, motion, LegLawConfig(inertia_share=1.0))
    aim = LegAim.zeros(4, joints=3)
    controller.lead(0.0, aim)
    expected = -((2 * math.pi) ** 2) * a / d
    # Truncation: a/d squared, and (2π NEAR)²/12; rounding: 4 eps over NEAR², 1e-9.
    assert aim[0].acceleration[1] == pytest.approx(expected, rel=1e-3)
    assert aim[0].acceleration[0] == 0.0


def test_refuses_motions_that_are_none():
    with pytest.raises(ConfigError, match=r"six rising times.*folded must be below"):
        KneelConfig(down=(1.0, 0.5, 7.0), folded=0.6)
    with pytest.raises(ConfigError, match="period must be > 0 s, got 0"):
        EllipseConfig(period=0)
