"""Support parts in a mirror, and in a world that is turned and moved."""

import numpy as np
import pytest

from equipoise.control.records import ClockRequest, PlannedLeg, PlannedTrunk, Travel
from equipoise.control.signals import SupportRequest, WalkingPlan
from equipoise.control.support.clocked import ClockedConfig, ClockedSupport
from equipoise.control.support.cruse import CruseSupport
from equipoise.control.support.free import FreeConfig, FreeSupport
from equipoise.control.support.planned import PlannedSupport
from equipoise.control.support.standing import StandingSupport
from oracles.other_views import (
    FROM_ELSEWHERE,
    VIEWS,
    expect_seen_alike,
    random_requests,
    random_ticks,
)
from oracles.walking_parts import DT, machine

PARTS = {
    "pronk": ClockedSupport(ClockedConfig(gait="pronk", cycle=12 * DT)),
    "bound": ClockedSupport(ClockedConfig(gait="bound", cycle=12 * DT)),
    "free": FreeSupport(FreeConfig(swing=6 * DT, margin=0.005, touch=30.0)),
    "planned": PlannedSupport(),
    "standing": StandingSupport(),
}
SIDED = {
    "trot": ClockedSupport(ClockedConfig(gait="trot", cycle=12 * DT)),
    "cruse": CruseSupport(),
    "follow": FreeSupport(FreeConfig(swing=6 * DT, margin=0.005, follows=True)),
}


def planned(known):
    """Return a plan by which every leg steps once, each at its own time."""
    legs = PlannedLeg.zeros(4)
    legs["lift"], legs["land"] = DT * np.array([3, 9, 15, 21]), 9.5 * DT
    legs["land"] += legs["lift"]
    legs["foothold"] = known.footholds
    legs["foothold"] += [0.05, 0.02, 0.0]
    legs["clearance"], legs["eased"] = [0.0, 0.05, 0.0, 0.04], 3 * DT
    return WalkingPlan(legs, PlannedTrunk.zeros(0), Travel.zeros())


def expect_the_same(part, other):
    """Check that a part answers alike in another view."""
    state, seen = part.init(machine()), part.init(machine())
    lifted, ticks = 0, random_ticks(29, 40)
    for k, (known, wanted, _, _, _) in enumerate(ticks):
        asked = SupportRequest(random_requests(k), ClockRequest.zeros())
        asked.legs["veto"] = k % 7 == 3
        asked.clock["hold"], asked.clock["halt"] = k % 11 == 5, 30 < k < 33
        known.plan = planned(ticks[0][0])
        answer, state = part.step(known, wanted, asked, state)
        again, seen = part.step(*(other.of(x) for x in (known, wanted, asked)), seen)
        expect_seen_alike(other, answer, again)
        lifted += (answer.legs["stands"] == 0.0).sum()
    return lifted


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", PARTS)
def test_another_view_changes_the_answer_as_it_changes_what_is_known(name, view):
    lifted = expect_the_same(PARTS[name], VIEWS[view])
    assert (lifted > 5) == (name != "standing")


@pytest.mark.parametrize("name", SIDED)
def test_it_does_not_matter_where_the_world_begins(name):
    assert expect_the_same(SIDED[name], FROM_ELSEWHERE) > 5
