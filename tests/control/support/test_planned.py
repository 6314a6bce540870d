"""A plan's clock: it waits for a foot that is late, for a while."""

import math

import pytest

from equipoise.control.records import (
    ClockRequest,
    GaitClock,
    LegStance,
    PlannedLeg,
    TrunkEstimate,
)
from equipoise.control.support.planned import run_planned_clock

WAITS = (0.02, 0.5)  # from when to when a foot is waited for [s]


def clock_after(late=(0.0, 0.0), hold=0.0, halt=0.0, lift=math.inf, stands=1.0):
    trunk, asked, plan = (
        TrunkEstimate.zeros(),
        ClockRequest.zeros(),
        PlannedLeg.zeros(2),
    )
    legs, before, after = LegStance.zeros(2), GaitClock.zeros(), GaitClock.zeros()
    trunk["dt"], asked["hold"], asked["halt"] = 0.01, hold, halt
    plan["lift"], legs["late"], legs["stands"] = lift, late, stands
    before["time"] = 3.0
    run_planned_clock(trunk, asked, WAITS, plan, legs, before, after)
    return after[0]


@pytest.mark.parametrize(
    ("late", "goes"),
    [
        ((0.0, 0.0), 1),
        ((0.0, 0.1), 0),
        ((0.1, 0.0), 0),
        ((0.6, 0.0), 1),
        ((0.01, 0), 1),
    ],
)
def test_the_clock_waits_for_any_late_foot(late, goes):
    assert clock_after(late).time == pytest.approx(3.0 + 0.01 * goes)
    assert clock_after(late).rate == goes
    assert clock_after(late, hold=1.0).time == 3.0


def test_it_walks_while_a_foot_is_up_or_shall_be():
    assert clock_after().walking == 0.0
    assert clock_after(stands=(1.0, 0.0)).walking == 1.0
    assert clock_after(lift=(math.inf, 3.5)).walking == 1.0
    assert clock_after(lift=(math.inf, 2.5)).walking == 0.0  # that was
    assert (clock_after().lifts, clock_after(halt=1.0).lifts) == (1.0, 0.0)
