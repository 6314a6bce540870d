"""When a step lifts and lands by hand, and its way against SciPy's splines."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from equipoise.control.crab.search import CrabTry
from equipoise.control.crab.timing import (
    CrabPace,
    CrabTimes,
    knot_bends,
    knot_velocities,
    step_times,
)

FAST = CrabPace(
    speed=1e9, foot=1e9, rise=1e9, shift=1e9, eased=0.0, clearance=0.1,
    acceleration=math.inf,
)  # fmt: skip
CENTRE, LEFT, AHEAD = np.zeros(2), np.array([0.5, 0.3]), np.array([1.0, 0.0])


def times(began=0.0, **pace):
    """Return the times on four and on three feet of a step: the centre of mass goes
    0.05 m to the side and 0.12 m ahead, the foot by (0.36, 0.05) m."""
    step = CrabTry.zeros()
    one = step[0]
    one.leg, one.lifts[:], one.lands[:] = 2, (0.03, 0.04), (0.15, 0.09)
    one.feet[2] = (0.86, 0.35)
    found = step_times(CENTRE, LEFT, step, AHEAD, replace(FAST, **pace), began)
    assert found.began == began
    return [found.lift - began, found.land - found.lift]


@pytest.mark.parametrize(
    ("pace", "wanted"),
    [
        ({"shift": 0.1}, (0.5, 1.3)),  # ways of 0.05 and 0.13 m
        ({"eased": 0.7}, (0.7, 0.0)),
        ({"eased": 0.7, "shift": 0.05}, (1.0, 2.6)),
        # a cubic from rest to rest bends by 6 way / time² at most
        ({"acceleration": 1.2}, (0.5, 0.0)),
        # seen from the trunk the foot goes (0.24, 0), at 1.5 times its mean at most
        ({"foot": 0.9}, (0.0, 0.4)),
        # sin² of 0.1 m rises by π height / time at most
        ({"rise": 0.2 * math.pi}, (0.0, 0.5)),
        ({"foot": 0.9, "rise": math.pi, "shift": 1.0}, (0.05, 0.4)),
    ],
)
def test_the_slowest_part_says_how_long_a_step_is(pace, wanted):
    assert times(**pace) == pytest.approx(wanted, abs=1e-8)
    assert times(7.0, **pace) == pytest.approx(wanted, abs=1e-8)


def test_what_is_left_until_the_commanded_speed_goes_to_the_leg_and_the_shift():
    """Of 0.15 m ahead at 0.1 m/s: 1.5 s, by the ways of 0.05 and 0.13 m."""
    assert times(speed=0.1) == pytest.approx([1.5 * 5 / 18, 1.5 * 13 / 18])
    assert times(speed=0.1, eased=0.6) == pytest.approx([0.6, 0.9])
    assert times(speed=0.1, foot=0.3) == pytest.approx([0.3, 1.2])  # needs it all
    assert times(speed=0.1, eased=0.6, foot=0.36) == pytest.approx([0.6, 1.0])


def test_a_step_s_times_move_together():
    moved = CrabTimes(began=1.0, lift=2.0, land=4.0).later(0.5)
    assert (moved.began, moved.lift, moved.land) == (1.5, 2.5, 4.5)


@pytest.mark.parametrize("rests", [True, False])
def test_knots_are_gone_through_as_scipys_spline_does(rests, rng):
    for count in (2, 3, 7):
        at = np.cumsum(rng.uniform(0.2, 1.0, count))
        places, first = rng.normal(size=(count, 2)), rng.normal(size=2)
        end = (1, np.zeros(2)) if rests else (2, np.zeros(2))
        spline = CubicSpline(at, places, bc_type=((1, first), end))
        v = knot_velocities(at.tolist(), places, first, rests=rests)
        # rounding: of a small system of equations
        assert v == pytest.approx(spline(at, 1), abs=1e-9)
        assert knot_bends(at.tolist(), places, v) == pytest.approx(
            spline(at, 2), abs=1e-8
        )
