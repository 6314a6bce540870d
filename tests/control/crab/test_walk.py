"""Steps on their way: knots, paces and replacements by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.control.crab.test_views import bench

from equipoise.control.crab.build import crab_body, crab_legs
from equipoise.control.crab.footing import Footing
from equipoise.control.crab.gait import CrabConfig, path_of
from equipoise.control.crab.regions import CrabLeg
from equipoise.control.crab.search import CrabPath, CrabTry
from equipoise.control.crab.timing import CrabTimes, knot_velocities
from equipoise.control.crab.walk import (
    CrabMachine,
    CrabView,
    GoneStep,
    _least_margin,
    knots,
    paced,
    planned_legs,
    replaced,
    way_of,
    yaw_matrix,
)
from equipoise.control.machine import legged_machine
from equipoise.core.constants import GRAVITY
from equipoise.robots.legged import legged_robot
from equipoise.robots.load import load

ROUNDING = 1e-12
FEET = np.array([[0.5, 0.3], [0.45, -0.35], [-0.4, 0.3], [-0.5, -0.25]])


def machine(shares=0.1, height=0.9, seed=3):
    one = bench(seed, shares=shares)
    return CrabMachine(one.legs, one.body, height)


def gone(leg, began, lift, land, start, lifts, lands, foot, yaw=0.0, feet=FEET):
    """Return a step of one leg, the centre of mass along start, lifts and lands."""
    before, after = CrabTry.zeros(), CrabTry.zeros()
    before[0].feet[:], before[0].lands[:], before[0].leg = feet, start, -1
    after[0].feet[:], after[0].leg = feet, leg
    after[0].feet[leg] = foot
    after[0].lifts[:], after[0].lands[:] = lifts, lands
    times = CrabTimes(began=began, lift=lift, land=land)
    return GoneStep(yaw, before, after, times, 0.07)


def test_trunk_and_centre_of_mass_follow_each_other_and_the_feet():
    """c = A p + c₀ + Σ M (f - m); what a machine answers leaves its own feet alone."""
    own, p = machine(), np.array([0.03, -0.05])
    held = own.legs["foot"].copy()
    A = np.eye(2) - own.legs["share"].sum(axis=0)
    drawn = np.einsum("kij,kj->i", own.legs["share"], FEET - own.legs["middle"])
    c = A @ p + own.body["centre"][0] + drawn
    assert own.centre(FEET, p) == pytest.approx(c, abs=ROUNDING)
    assert own.trunk(FEET, c) == pytest.approx(p, abs=ROUNDING)
    np.testing.assert_array_equal(own.legs["foot"], held)
    more = own.stretched(0.03)
    np.testing.assert_allclose(own.legs["low"] - more.legs["low"], 0.03)
    np.testing.assert_allclose(more.legs["high"] - own.legs["high"], 0.03)
    assert more.height == own.height and not np.array_equal(more.legs, own.legs)


def test_the_way_over_two_steps_begins_lifts_and_lands():
    one = gone(2, 1.0, 1.5, 2.0, (0, 0), (0.01, 0.02), (0.03, 0.04), (-0.3, 0.3))
    feet = one.step[0].feet
    two = gone(
        0,
        2.0,
        2.6,
        3.0,
        (0.03, 0.04),
        (0.05, 0.06),
        (0.07, 0.08),
        (0.6, 0.3),
        0.1,
        feet,
    )
    rows = way_of([one, two])
    assert [row.time for row in rows] == [1.0, 1.5, 2.0, 2.6, 3.0]
    assert [row.leg for row in rows] == [2, 2, 2, 0, 0]
    assert [row.yaw for row in rows] == [0.0, 0.0, 0.0, 0.1, 0.1]
    wanted = [(0, 0), (0.01, 0.02), (0.03, 0.04), (0.05, 0.06), (0.07, 0.08)]
    assert [tuple(row.centre) for row in rows] == wanted
    last = two.step[0].feet
    for row, before, after in zip(
        rows,
        (FEET, FEET, FEET, feet, feet),
        (FEET, FEET, feet, feet, last),
        strict=True,
    ):
        np.testing.assert_array_equal(row.before, before)
        np.testing.assert_array_equal(row.feet, after)


def test_of_a_leg_that_steps_twice_the_first_step_counts():
    one = gone(2, 1.0, 1.5, 2.0, (0, 0), (0, 0), (0, 0), (0.3, 0.1), yaw=math.pi / 2)
    two = gone(2, 2.0, 2.5, 3.0, (0, 0), (0, 0), (0, 0), (0.4, 0.1))
    other = gone(1, 2.0, 2.5, 3.0, (0, 0), (0, 0), (0, 0), (0.4, 0.2))
    legs = planned_legs([one, two])
    assert (legs[2].lift, legs[2].land, legs[2].clearance) == (1.5, 2.0, 0.07)
    # H is W turned by a quarter: x of H is y of W
    assert legs[2].foothold[:2] == pytest.approx((-0.1, 0.3), abs=ROUNDING)
    assert math.isnan(legs[2].foothold[2])
    rest = legs[[0, 1, 3]]
    assert (rest["lift"] == math.inf).all() and (rest["land"] == math.inf).all()
    assert np.isnan(rest["foothold"]).all()
    assert planned_legs([one, other])["land"].tolist() == [math.inf, 3.0, 2.0, math.inf]


@pytest.mark.parametrize("rests", [True, False])
def test_knots_are_of_the_trunk_over_the_feet_that_stand_then(rests):
    """Place and velocity by p = A⁻¹ (c - s), v = A⁻¹ v_c, in H and turned into W."""
    own, yaw, first = machine(), 0.6, np.array([0.02, 0.01])
    step = gone(2, 1.0, 1.5, 2.2, (0, 0), (0.03, 0.01), (0.08, 0.02), (-0.2, 0.3), yaw)
    found = knots(own, [step], first, rests=rests)
    centres = np.array([(0, 0), (0.03, 0.01), (0.08, 0.02)]) @ yaw_matrix(yaw).T
    times = [1.0, 1.5, 2.2]
    speeds = knot_velocities(times, centres, first, rests=rests)
    assert found["time"].tolist() == times
    after = step.step[0].feet
    for knot, c, v, feet in zip(
        found, centres, speeds, (FEET, FEET, after), strict=True
    ):
        R = yaw_matrix(yaw)
        assert knot.p_WB[:2] == pytest.approx(R @ own.trunk(feet, R.T @ c))
        A = np.eye(2) - own.legs["share"].sum(axis=0)
        assert A @ R.T @ knot.v_WB[:2] == pytest.approx(R.T @ v)
        assert math.isnan(knot.p_WB[2])
        assert knot.rpy_WB.tolist() == [0.0, 0.0, yaw]


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def inside(corners, point):
    """Return the least distance to a side of a triangle, negative beyond it."""
    least = math.inf
    sign = np.sign(cross(corners[1] - corners[0], corners[2] - corners[0]))
    for k in range(3):
        a, b = corners[k], corners[(k + 1) % 3]
        least = min(least, sign * cross(b - a, point - a) / np.hypot(*(b - a)))
    return least


def test_what_carries_the_machine_stays_within_the_feet_that_stand():
    """c - c'' h / g everywhere, and where it lands c + c' √(h / g), by three sides."""
    own, rng = machine(height=0.8), np.random.default_rng(2)
    one = gone(2, 1.0, 1.5, 2.0, (0.1, 0), (0.12, -0.02), (0.15, 0), (-0.3, 0.3), 0.4)
    feet = one.step[0].feet
    two = gone(
        0, 2.0, 2.6, 3.0, (0.15, 0), (-0.1, 0.0), (-0.08, 0.0), (0.6, 0.3), 0.4, feet
    )
    rows = way_of([one, two])
    which = set()
    for _ in range(24):
        speeds, bends = rng.normal(0, 0.3, (5, 2)), rng.normal(0, 0.4, (5, 2))
        R, fall = yaw_matrix(0.4), 0.8 / GRAVITY
        margins = {}
        for k, row in enumerate(rows):
            stays = np.delete(row.before, row.leg, axis=0)
            c = row.centre
            margins[k, "zmp"] = inside(stays, c - R.T @ bends[k] * fall)
            if k in (2, 4):
                margins[k, "rest"] = inside(stays, c + R.T @ speeds[k] * fall**0.5)
        for since in (1, 2, 3, 4):
            wanted = min(m for (k, _), m in margins.items() if k >= since)
            which.add(next(key for key, m in margins.items() if m == wanted))
            found = _least_margin(own, rows, speeds, bends, since)
            assert found == pytest.approx(wanted, abs=ROUNDING)
    assert len(which) > 4


def test_a_step_is_slowed_on_four_feet_until_its_way_can_be_gone():
    """By 15 % at a time, twelve times at most; the time in the air stays."""
    own = machine(shares=0.0)
    ends = (0, 0), (0.12, -0.12), (0.13, -0.12)
    step = gone(2, 3.0, 3.1, 3.6, *ends, (-0.3, 0.3))
    still = np.zeros(2)
    lifts, lands = [], []
    for carried in (-1.0, -0.5, -0.2, -0.05, 0.0, 1.0):
        config = CrabConfig(carried=carried)
        slow = paced(own, [step], still, config)
        lifts.append(slow.times.lift - 3.0)
        lands.append(slow.times.land - slow.times.lift)
        assert slow.times.began == 3.0
    times = np.log(np.array(lifts) / 0.1) / np.log(1.15)
    assert times == pytest.approx(np.rint(times), abs=1e-9)
    assert lands == pytest.approx([0.5] * 6)
    assert times[0] == pytest.approx(0.0, abs=1e-9) and times[-1] == pytest.approx(12.0)
    assert list(times) == sorted(times) and len(set(np.rint(times))) > 2


def test_of_two_steps_the_last_alone_is_slowed():
    own = machine(shares=0.0)
    one = gone(2, 1.0, 1.5, 2.0, (0.1, -0.05), (0.1, -0.05), (0.1, -0.05), (-0.3, 0.3))
    feet = one.step[0].feet
    two = gone(
        0,
        2.0,
        2.3,
        3.0,
        (0.1, -0.05),
        (-0.1, -0.05),
        (-0.1, -0.05),
        (0.6, 0.3),
        0.0,
        feet,
    )
    slow = paced(own, [one, two], np.zeros(2), CrabConfig(carried=1.0))
    assert (slow.leg, slow.times.began) == (0, 2.0)
    assert slow.times.lift - 2.0 == pytest.approx(0.3 * 1.15**12)


@pytest.fixture(scope="module")
def titan3():
    machine, config = legged_machine(legged_robot(load("titan3"))), CrabConfig()
    legs = crab_legs(machine, config.spare, config.clearance)
    return CrabMachine(legs, crab_body(machine, legs, config.margin), machine.height)


def seen(own, feet, ground=None):
    stand = CrabTry.zeros()
    stand[0].feet[:], stand[0].leg = feet, -1
    stand[0].lands[:] = own.centre(feet, np.zeros(2))
    path = path_of(CrabConfig(), own.legs, np.array([1.0, 0.0]), np.zeros(2))
    return CrabView(0.3, stand, path, 0.2, ground)


def test_a_leg_without_a_foothold_gets_another_and_the_trunk_stays(titan3):
    config = CrabConfig(replaced=1.1, replaced_clearance=0.25)
    own, feet = titan3, titan3.legs["middle"].copy()
    feet += np.delete(feet, 1, 0).mean(axis=0) * -0.5  # over the three others
    view = seen(own, feet)
    near, far = feet[1] + (0.03, -0.02), feet[1] + (5.0, 0.0)
    again = replaced(own, view, 1, (near, far), config, 7.0)
    step = again.step[0]
    assert again.leg == 1 and again.yaw == 0.3 and again.clearance == 0.25
    np.testing.assert_array_equal(step.feet[1], near)
    np.testing.assert_array_equal(step.lifts, view.stand[0].lands)
    assert own.trunk(step.feet, step.lands) == pytest.approx(np.zeros(2), abs=1e-6)
    assert (again.times.began, again.times.lift) == (7.0, 7.0)
    assert again.times.land == pytest.approx(8.1)  # it takes its time
    np.testing.assert_array_equal(view.stand[0].feet, feet)
    # no place near is allowed: it goes where it came from
    nowhere = Footing(
        corner=np.zeros(2), turn=0.0, cell=0.05, banned=np.zeros((0, 0)),
        forbidden=near[None], radius=9.0,
    )  # fmt: skip
    back = feet[1] - (0.04, 0.01)
    again = replaced(own, replace(view, ground=nowhere), 1, (near, back), config, 7.0)
    np.testing.assert_array_equal(again.step[0].feet[1], back)
    lands = own.centre(again.step[0].feet, np.zeros(2))
    assert again.step[0].lands == pytest.approx(lands, abs=1e-9)
    # a way that takes longer than that, at 1.5 times the mean, takes what it needs
    slow = replace(config, foot_speed=0.01)
    again = replaced(own, replace(view, ground=nowhere), 1, (near, back), slow, 7.0)
    way = again.step[0].feet[1] - feet[1] - (again.step[0].lands - view.stand[0].lands)
    assert again.times.land - 7.0 == pytest.approx(1.5 * np.hypot(*way) / 0.01)


def test_a_heading_s_stroke_is_what_the_narrowest_reach_lets_through():
    """A step's way is a quarter of the stroke over the duty, or what the speed asks."""
    legs = CrabLeg.zeros(4)
    legs["low"], legs["high"] = (-0.3, -0.2), (0.5, 0.2)
    legs["high"][2] = 0.1, 0.4  # ±0.2 along x, ±0.3 along y
    config = CrabConfig(stroke=0.9, duty=0.8, longest=1.5, draw=0.07, airborne=0.55)
    for ahead, half in (
        ((2.0, 0.0), 0.2),
        ((0.0, -1.0), 0.2),
        ((0.6, 0.8), 0.25),
        ((-0.8, 0.6), 0.25),
        ((1.0, 1e-10), 0.2),
    ):
        path = path_of(config, legs, np.array(ahead), np.array([0.1, 0.2]))[0]
        size = math.hypot(*ahead)
        assert path.ahead == pytest.approx(np.array(ahead) / size, abs=1e-9)
        assert path.stroke == pytest.approx(2.0 * 0.9 * half / max(size, 1.0))
        assert path.way == pytest.approx(path.stroke / 3.2)
        assert path.origin.tolist() == [0.1, 0.2]
    slow = path_of(config, legs, np.array([1.0, 0.0]), np.zeros(2), 0.01)[0]
    assert slow.way == pytest.approx(0.015)
    assert (slow.draw, slow.airborne, slow.gathers) == (0.07, 0.55, 0.0)


def test_a_pace_is_the_settings_and_from_rest_accelerates():
    config = CrabConfig(
        foot_speed=1.0, rise_speed=2.0, shift_speed=3.0, eased=4.0, clearance=5.0,
        acceleration=6.0, depth=7, kept=8, footholds=9,
    )  # fmt: skip
    pace = config.pace(0.5)
    assert (pace.speed, pace.foot, pace.rise) == (0.5, 1.0, 2.0)
    assert (pace.shift, pace.eased, pace.clearance) == (3.0, 4.0, 5.0)
    assert pace.acceleration == math.inf
    assert config.pace(0.5, is_first=True).acceleration == 6.0
    look = config.look()
    assert (look.depth, look.kept, look.footholds) == (7, 8, 9)
    assert CrabPath.zeros()[0].gathers == 0.0
