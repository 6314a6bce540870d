"""Planners in a world that is turned and moved: TITAN IV goes exactly as it plans."""

import numpy as np
import pytest

from equipoise.control.modes import MODES
from equipoise.control.planners.crab import CrabPlanner
from equipoise.control.planners.expanded import ExpandedPlanner
from equipoise.control.planners.intermittent import (
    IntermittentConfig,
    IntermittentPlanner,
)
from equipoise.control.planners.stopping import StoppingConfig, StoppingPlanner
from equipoise.control.signals import nothing_asked
from oracles.asv import asv_estimate, asv_machine, asv_stance
from oracles.other_views import FROM_ELSEWHERE, expect_seen_alike
from oracles.planned_walk import walked
from oracles.walking_parts import travel

TICK = 0.02  # of planners that grant velocities [s]

PLANNERS = {
    "intermittent": IntermittentPlanner(IntermittentConfig(feedback=0.2)),
    "expanded": ExpandedPlanner(),
    "crab": CrabPlanner(),
}
START, YAW = np.array([3.0, -2.0]), 2.2


def wanted(time):
    """Return a goal that changes: ahead, aside, turning, and to rest."""
    if time < 2.0:
        return travel(0.3, 0.05, 0.02, walks=1.0)
    if time < 4.0:
        return travel(0.15, -0.2, -0.05, walks=1.0)
    return travel(walks=0.0)


def expect_alike(name, seconds):
    """Check that a walk begun elsewhere is the same walk there; return it."""
    here = walked(PLANNERS[name], wanted, seconds)
    there = walked(PLANNERS[name], wanted, seconds, start=START, yaw=YAW)
    c, s = np.cos(YAW), np.sin(YAW)
    turn = np.array([[c, s], [-s, c]])
    np.testing.assert_array_equal(there.stands, here.stands)
    # solver: searches over directions and places end within 1e-9 of one another
    np.testing.assert_allclose(there.trunk, START + here.trunk @ turn, atol=1e-7)
    np.testing.assert_allclose(there.feet, START + here.feet @ turn, atol=1e-7)
    return here


@pytest.mark.parametrize("name", ["intermittent", "expanded"])
def test_a_walk_does_not_depend_on_where_it_begins_and_which_way(name):
    here = expect_alike(name, 5.0)
    assert (~here.stands).any(axis=0).all()  # every leg steps
    assert np.linalg.norm(here.trunk[-1] - here.trunk[0]) > 0.1


def test_a_crab_walk_does_not_depend_on_it():
    assert not expect_alike("crab", 0.8).stands.all()


@pytest.mark.parametrize("mode", ["precision", "tripod", "terrain"])
def test_what_the_asv_is_granted_does_not_depend_on_it(mode):
    config = StoppingConfig(
        mode=mode, period=1.5 * TICK, sample=0.1, keeps_margin=mode == "precision"
    )
    part, machine = StoppingPlanner(config), asv_machine()
    state, seen, granted = part.init(machine), part.init(machine), 0.0
    asked, rng = nothing_asked(machine), np.random.default_rng(5)
    for memory in (state.memory, seen.memory):
        memory["mode"], memory["dwelt"] = MODES.index(mode), 1.0
    for k in range(4):
        known, found = asv_estimate(0.05), asv_stance(phase=0.03 * k)
        c, s = np.cos(0.4), np.sin(0.4)
        R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        known.trunk["R_WB"], known.trunk["dt"] = R, TICK
        known.trunk["p_WB"] = rng.normal(0.0, 0.01, 3)
        arms = known.legs["hip"] + known.legs["foot"]
        known.legs["foothold"] = known.p_WB + arms @ R.T
        found.clock["rate"] = 1.0
        if mode == "tripod":
            found.legs["stands"] = [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]
            found.legs["progress"], found.legs["swing"] = 0.4, 0.5
        goal = travel(0.6, 0.2, 0.1, walks=1.0)
        plan, state = part.step(known, goal, found, asked, state)
        again, seen = part.step(
            *(FROM_ELSEWHERE.of(x) for x in (known, goal, found, asked)), seen
        )
        expect_seen_alike(FROM_ELSEWHERE, plan.travel, again.travel)
        told = part.tell(state)
        assert told == pytest.approx(part.tell(seen))
        granted += np.abs(plan.travel["velocity"]).sum()
    assert granted > 0.0
    assert told["plan_made"] >= 2.0
