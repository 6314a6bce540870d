"""Support by Cruse's rules, leg by leg: every bound from both sides."""

import math

import numpy as np
import pytest

from equipoise.control.cruse.rules import CruseRules, RuleLeg
from equipoise.control.records import (
    ClockRequest,
    GaitClock,
    LegAim,
    LegEstimate,
    LegStance,
    Travel,
    TrunkEstimate,
)
from equipoise.control.support.cruse import (
    CruseConfig,
    _lifts_at,
    _may_lift,
    _own_place,
    _run_on,
    decide,
)
from equipoise.control.support.landing import LandingConfig, lands
from equipoise.control.walknet.selector import SelectorUnits, select
from equipoise.core.records import record_of

DT, LEGS = 0.01, 6
CONFIG = CruseConfig(stride=0.2, swing=0.5, touch=8.0, near=0.06, slowest=0.05)
SETTINGS = record_of(CONFIG)
ALONE = {"hinder": 0.0, "start": 0.0, "late": 0.0, "start_across": 0.0}
ALONE |= {"late_across": 0.0, "hinder_hind": 0.0, "loaded": 0.0}


def rules(**given):
    """Return rules by which legs do not heed each other, but as given."""
    return record_of(CruseRules(**{**ALONE, **given}))


def told(since=1.0):
    found = RuleLeg.zeros(LEGS)
    found["there"], found["since"], found["load"] = 1.0, since, math.nan
    return found


class Tick:
    """All that legs decide by; ahead at 0.3 m/s, walking, all feet at their middles."""

    def __init__(self):
        self.trunk, self.goal = TrunkEstimate.zeros(), Travel.zeros()
        self.trunk["dt"], self.goal["velocity"][0, 0] = DT, 0.3
        self.clock = GaitClock.zeros()
        self.clock["lifts"], self.clock["cycle"], self.clock["walked"] = 1.0, 1.0, 9.0
        self.legs, self.aims = (
            LegEstimate.zeros(LEGS, joints=3),
            LegAim.zeros(LEGS, joints=3),
        )
        self.legs["load"] = 20.0
        self.legs["hip"][:, 0] = 0.3, 0.3, 0.0, 0.0, -0.3, -0.3
        self.legs["hip"][:, 1] = 0.2, -0.2, 0.2, -0.2, 0.2, -0.2
        self.rules, self.heard = rules(), told()
        self.units, self.before = SelectorUnits.zeros(LEGS), LegStance.zeros(LEGS)
        self.units["power"], self.before["stands"] = 1.0, 1.0
        self.places = np.arange(LEGS)

    def decided(self):
        """Return stances, units and what legs tell after a tick."""
        after, says = LegStance.zeros(len(self.before)), RuleLeg.zeros(LEGS)
        units = SelectorUnits.zeros(len(self.before))
        decide(
            (self.trunk, self.goal, self.clock),
            (self.legs, self.aims),
            SETTINGS,
            self.rules,
            self.places,
            (self.heard, says),
            (self.units, units),
            (self.before, after),
        )
        return after, units, says

    def in_the_air(self, one, progress, since=0.0, power=0.0, late=0.0):
        self.before[one].stands, self.before[one].progress = 0.0, progress
        self.before[one].late = late
        self.units[one].power, self.units[one].back = power, 1.0 - power
        self.units[one].since = since


def test_a_foot_s_place_is_along_its_own_way_in_strides():
    """v + w x r at the foot, the foot seen from its hip, over the stride."""
    leg, goal = LegEstimate.zeros(1, joints=3)[0], Travel.zeros()[0]
    leg.hip[:2], leg.foot[:2] = (0.3, -0.2), (0.05, 0.02)
    goal.velocity[:] = 0.2, -0.1, 0.4
    v = np.array([0.2 + 0.4 * 0.18, -0.1 + 0.4 * 0.35])
    at, found = _own_place(leg, goal, SETTINGS[0])
    assert found == pytest.approx(tuple(v))
    assert at == pytest.approx(np.array([0.05, 0.02]) @ v / (np.hypot(*v) * 0.2))
    goal.velocity[:] = 0.0
    assert _own_place(leg, goal, SETTINGS[0]) == (0.0, (0.0, 0.0))


def runs(walks=1.0, halt=0.0, hold=0.0, stands=1.0):
    trunk, goal, asked = TrunkEstimate.zeros(), Travel.zeros(), ClockRequest.zeros()
    trunk["dt"], goal["walks"], asked["halt"], asked["hold"] = DT, walks, halt, hold
    legs, before, after = LegStance.zeros(3), GaitClock.zeros(), GaitClock.zeros()
    legs["stands"] = 1.0
    legs["stands"][1] = stands
    before["time"], before["walked"], before["cycle"] = 2.0, 3.0, 0.8
    _run_on(trunk, goal, asked, legs, before, after)
    one = after[0]
    assert one.cycle == 0.8 and one.rate == one.walking
    return one.walking, one.lifts, one.walked, one.time


def test_the_clock_runs_while_it_walks_or_a_leg_is_in_the_air():
    on, later = 3.0 + DT, 2.0 + DT
    assert runs() == (1.0, 1.0, on, later)
    assert runs(hold=1.0) == (1.0, 0.0, on, 2.0)
    assert runs(walks=0.0) == runs(halt=1.0) == (0.0, 0.0, 0.0, later)
    assert runs(walks=0.0, stands=0.0) == (1.0, 0.0, on, later)
    assert runs(halt=1.0, stands=0.0, hold=1.0) == (1.0, 0.0, on, 2.0)


def test_a_leg_lifts_behind_the_place_that_its_neighbours_shift():
    clock, heard = GaitClock.zeros()[0], told()
    clock.cycle, clock.walked = 1.0, 9.0
    pair = heard, heard
    assert _may_lift(2, -0.5, clock, pair, rules())
    assert not _may_lift(2, -0.5 + 1e-9, clock, pair, rules())
    heard["since"] = 0.05  # all have just landed: rule 2 shifts by 0.8
    shifted = rules(start=0.3)
    assert _may_lift(2, -0.2, clock, pair, shifted)
    assert not _may_lift(2, -0.19, clock, pair, shifted)
    assert not _may_lift(4, -0.2, clock, pair, shifted)  # nobody is behind it


def test_a_leg_that_is_needed_waits_for_the_end_of_its_reach():
    """Its neighbour across swings and another was lost: it stays down to -1.8."""
    clock, heard = GaitClock.zeros()[0], told()
    heard["there"][5], heard["swings"][1] = 0.0, 1.0
    whole = told()
    whole["swings"][1] = 1.0
    assert not _may_lift(0, -1.0, clock, (heard, heard), rules())
    assert _may_lift(0, -1.0, clock, (whole, whole), rules())
    assert _may_lift(0, -1.8, clock, (heard, heard), rules())
    # what is told in this very tick counts for it
    assert not _may_lift(0, -1.0, clock, (whole, heard), rules())


def test_at_the_very_start_a_tripod_goes_at_once():
    """Legs 0, 3 and 4: front and rear of the left, middle of the right."""
    clock, heard = GaitClock.zeros()[0], told(math.inf)
    clock.cycle, clock.walked = 1.0, 4.0
    own = rules(first=-0.4)
    found = [_lifts_at(one, clock, heard, own) for one in range(6)]
    assert found == pytest.approx([0.05, -0.4, -0.4, 0.05, 0.05, -0.4])
    clock.walked = 4.001  # long since it began
    assert {_lifts_at(one, clock, heard, own) for one in range(6)} == {-0.4}
    clock.walked = 4.0
    heard["since"][3] = 7.0  # it has stepped
    assert _lifts_at(3, clock, heard, own) == pytest.approx(-0.4)
    assert _lifts_at(0, clock, heard, rules(first=0.15)) == pytest.approx(0.15)


def test_where_a_leg_is_missing_they_begin_one_by_one_from_the_rear():
    clock, heard = GaitClock.zeros()[0], told(math.inf)
    clock.cycle = 1.0
    heard["there"][1] = 0.0
    found = [_lifts_at(one, clock, heard, rules()) for one in (5, 4, 3, 2, 0)]
    assert found == pytest.approx([0.05, -0.1, -0.25, -0.4, -0.7])
    heard["swings"][4] = 1.0  # held back by the one behind it, leg 2 keeps its place
    assert _lifts_at(2, clock, heard, rules(hinder=-0.3)) == pytest.approx(-0.8)


def test_a_standing_leg_lifts_when_it_is_behind_and_may():
    tick = Tick()
    tick.legs["foot"][3, 0] = -0.11  # of strides of 0.2 m, beyond -0.5
    tick.before["goal"], tick.before["late"] = 5.0, 3.0
    tick.before["progress"], tick.heard["moved"] = 0.7, 1.0
    stance, units, says = tick.decided()
    assert stance["stands"].tolist() == [1, 1, 1, 0, 1, 1]
    assert stance["lifted"].tolist() == says["swings"].tolist() == [0, 0, 0, 1, 0, 0]
    assert stance["scheduled"].tolist() == stance["stands"].tolist()
    one = stance[3]
    assert (one.progress, one.late, says[3].moved) == (0.0, 0.0, 0.0)
    assert np.isnan(one.goal).all() and (stance[2].goal == 5.0).all()
    assert units["power"].tolist() == pytest.approx([1, 1, 1, 0.4, 1, 1])
    assert math.isnan(says[3].load) and says[2].load == 20.0
    assert says["at"] == pytest.approx([0, 0, 0, -0.55, 0, 0])
    assert says["since"] == pytest.approx([1.0 + DT / 0.5] * 6)
    assert (one.swing, one.support) == (0.5, pytest.approx(0.2 / 0.3))
    np.testing.assert_array_equal(tick.before["stands"], np.ones(6))
    for change in ("lifts", "veto", "slow", "ahead"):
        other = Tick()
        other.legs["foot"][3, 0] = -0.11
        if change == "lifts":
            other.clock["lifts"] = 0.0
        elif change == "veto":
            other.aims["veto"][3] = 1.0
        elif change == "slow":
            other.goal["velocity"][0, 0] = 0.05
        else:
            other.legs["foot"][3, 0] = -0.09
        stance, _, _ = other.decided()
        assert stance["stands"].all(), change
        support = 0.2 / max(float(other.goal["velocity"][0, 0]), 0.05)
        assert stance["support"] == pytest.approx([support] * 6)
    other.goal["velocity"][0, 0] = 0.01  # as long as at the slowest
    assert other.decided()[0]["support"] == pytest.approx([4.0] * 6)


def test_a_swinging_leg_goes_on_and_lands_where_it_shall():
    tick = Tick()
    tick.in_the_air(2, 0.5)
    tick.legs["load"][2] = 0.0
    stance, _, says = tick.decided()
    one = stance[2]
    assert (one.stands, one.late) == (0.0, 0.0)
    assert one.progress == pytest.approx(0.5 + DT / 0.5)
    assert says[2].since == pytest.approx(1.02) and math.isnan(says[2].load)
    tick.in_the_air(2, 1.0, late=0.02)
    one = tick.decided()[0][2]
    assert (one.progress, one.late) == (1.0, pytest.approx(0.03))
    tick.in_the_air(2, 0.8)
    tick.legs["load"][2] = 9.0
    stance, units, says = tick.decided()
    assert (stance[2].stands, stance[2].progress) == (1.0, 0.0)
    assert (says[2].since, says[2].swings, says[2].load) == (0.0, 0.0, 9.0)
    assert units[2].power == pytest.approx(0.6) and units[2].back == pytest.approx(0.4)
    tick.aims["banned"][2] = 1.0  # it has still to get over something
    assert tick.decided()[0][2].stands == 0.0


def test_a_foot_upon_the_one_before_it_is_put_down_once_more():
    tick = Tick()
    tick.rules = rules(tread=0.3, tread_back=0.4)
    tick.in_the_air(2, 0.8)
    tick.legs["foot"][0, 0] = -0.3  # leg 0 stands where leg 2 comes down
    tick.legs["foothold"][0, :2] = 5.0, 2.0
    tick.trunk["R_WB"] = np.eye(3)
    stance, _, says = tick.decided()
    assert (stance[2].stands, says[2].moved) == (0.0, 1.0)
    # behind that foothold, by 0.4 strides of 0.2 m
    assert stance[2].goal[:2] == pytest.approx((5.0 - 0.08, 2.0))
    tick.heard["moved"][2] = 1.0  # once is enough
    stance, _, says = tick.decided()
    assert (stance[2].stands, says[2].moved) == (1.0, 1.0)


def test_legs_that_are_left_read_and_write_their_own_places():
    tick = Tick()
    tick.places = np.array([0, 1, 2, 4, 5])  # the fourth of six was lost
    tick.heard["there"][3], tick.heard["at"][3] = 0.0, 9.0
    tick.legs, tick.aims = tick.legs[:5], tick.aims[:5]
    tick.units, tick.before = tick.units[:5], tick.before[:5]
    tick.legs["foot"][3, 0], tick.legs["load"][3] = -0.3, 7.0
    stance, _, says = tick.decided()
    assert stance["stands"].tolist() == [1, 1, 1, 0, 1]
    assert says["swings"].tolist() == [0, 0, 0, 0, 1, 0]
    assert says["at"] == pytest.approx([0, 0, 0, 9.0, -1.5, 0])
    assert says["since"][3] == 1.0


@pytest.mark.parametrize(
    ("power", "back", "ground", "behind", "after"),
    [
        (1.0, 0.0, True, False, (1.0, 0.0, True)),
        (1.0, 0.0, True, True, (0.4, 0.6, False)),
        (0.3, 0.7, True, False, (0.9, 0.1, True)),
        (0.5, 0.5, False, False, (0.5, 0.5, True)),  # neither: the first counts
        (0.9, 0.0, False, True, (0.0, 1.0, False)),
        (0.5, 0.2, True, False, (1.0, 0.0, True)),
    ],
)
def test_two_units_keep_what_a_leg_does(power, back, ground, behind, after):
    """0.6 by the ground, 1.2 by the place, within 0 and 1, 200 times a second."""
    units = SelectorUnits.zeros()
    units["power"], units["back"] = power, back
    one = units[0]
    assert select(one, ground, behind, 0.005) == after[2]
    assert (one.power, one.back) == pytest.approx(after[:2])
    one.power, one.back, one.since = power, back, 0.0
    assert select(one, ground, behind, 0.002) == (power >= back)  # not yet
    select(one, ground, behind, 0.002)
    assert (one.power, one.back, one.since) == (power, back, pytest.approx(0.004))
    select(one, ground, behind, 0.002)
    assert (one.power, one.back) == pytest.approx(after[:2])
    assert one.since == pytest.approx(0.001)  # what is left counts on


@pytest.mark.parametrize(
    ("changes", "holds"),
    [
        ({"load": 31.0, "progress": 0.61}, True),
        ({"load": 30.0, "progress": 0.61}, False),  # not more than a touch
        ({"load": 31.0, "progress": 0.6}, False),  # too early
        ({"load": 31.0, "progress": 0.2, "due": True}, True),
        ({"load": 31.0, "due": True, "x": 0.081, "late": 0.1}, False),  # far off
        ({"load": 31.0, "due": True, "y": -0.081, "late": 0.1}, False),
        ({"load": 31.0, "due": True, "x": 0.081, "late": 0.11}, True),  # long overdue
        ({"load": 31.0, "due": True, "x": -0.079, "y": 0.079}, True),
        ({"load": 31.0, "progress": 0.9, "y": 0.081, "late": 0.2}, False),
        ({"load": 31.0, "due": True, "above": 0.041}, False),  # seen over the ground
        ({"load": 31.0, "due": True, "above": 0.039}, True),
        ({"load": math.nan, "due": True, "late": 0.021}, True),
        ({"load": math.nan, "due": True, "late": 0.02}, False),
        ({"load": math.nan, "progress": 1.0, "late": 0.5}, False),
    ],
)
def test_when_a_foot_is_taken_to_stand(changes, holds):
    """WARP1's: 30 N, from 0.6 of a swing on, within 0.08 m, after 0.1 s anywhere."""
    given = {"x": 0.0, "y": 0.0, "progress": 0.0, "late": 0.0, "due": False}
    given = {**given, "above": math.nan, **changes}
    leg, known, aim = (
        LegStance.zeros(),
        LegEstimate.zeros(1, joints=3),
        LegAim.zeros(1, joints=3),
    )
    leg["progress"], leg["late"] = given["progress"], given["late"]
    known["load"], known["near"] = given["load"], given["above"]
    aim["landing"] = 0.3, -0.2, 0.0
    known["foot"] = 0.3 + given["x"], -0.2 + given["y"], -0.5
    landing = record_of(LandingConfig())[0]
    found = lands(given["due"], leg[0], known[0], aim[0], landing, 0.1)
    assert found == holds
