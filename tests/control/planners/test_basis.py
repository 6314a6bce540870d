"""Thing's planner: moves that the machine can stand, and what it does if not."""

import math

import numpy as np
import pytest
from tests.control.basis.test_basis import parts, random_stance

from equipoise.control.basis.compose import Ending, Instance, bind, subject_to
from equipoise.control.basis.edges import away_from_edges, edge_beside
from equipoise.control.basis.moves import (
    carries,
    following,
    homeward,
    lifted,
    mended,
)
from equipoise.control.basis.predicates import margins, name_of, predicates
from equipoise.control.basis.supervisor import (
    FLAT,
    TURN,
    UNEVEN,
    Supervisor,
    SupervisorState,
)
from equipoise.control.planners.basis import BasisPlanner
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.walk import WalkConfig, walk

THING = RobotChoice(name="thing")


def test_every_state_moves_one_foot_at_most_and_the_one_it_lifts():
    for supervisor in (FLAT, UNEVEN, TURN):
        stance = random_stance(1)
        for state in supervisor.states.values():
            after, _ = subject_to(
                bind(state.chain, (1.0, 0.0), 0.01, 0.1), stance, parts()
            )
            moved = np.flatnonzero(
                np.abs(after["feet"] - stance["feet"])[0].max(axis=1)
            )
            assert list(moved + 1) in ([], [state.lifts])
            assert lifted(state, stance, after) == state.lifts
            stance = after


def test_a_leg_is_not_lifted_where_the_others_do_not_carry():
    stance = random_stance(2)
    shifted, _ = subject_to(bind([Instance("phi1", (1, 2, 4), "xy")]), stance, parts())
    assert carries(3, shifted, shifted, parts(), 0.005)
    assert not carries(2, shifted, shifted, parts(), 0.005)


def test_feet_are_mended_one_by_one_over_three_that_carry():
    for seed in range(8):
        stance = random_stance(seed)
        mends, set_anew = homeward(stance, parts()), []
        assert sorted(leg for leg, _, _ in mends) == [1, 2, 3, 4]
        for _ in range(8):  # at most a shift and a step a leg
            after, leg, mends = mended(mends, stance, parts(), 0.005)
            if leg:
                assert carries(leg, stance, after, parts(), 0.005)
                set_anew.append(leg)
            stance = after
            if not mends:
                break
        assert mends == () and len(set_anew) >= 3
        last = homeward(stance, parts())
        off = [np.hypot(*(stance["feet"][0, k - 1, :2] - (x, y))) for k, x, y in last]
        assert max(off) < 0.03


def test_a_learned_table_goes_by_what_is_seen():
    stance = random_stance(4)
    seen = name_of(predicates(stance, parts()))
    shift = SupervisorState((Instance("phi1", (1, 2, 4), "xy"),))
    table = Supervisor("learned", {"x": shift, seen: shift})
    assert following(table, "x", stance, Ending.CONVERGED, parts()) == seen
    unknown = Supervisor("learned", {"x": shift})
    assert following(unknown, "x", stance, Ending.CONVERGED, parts()) == "x"


def test_an_edge_lies_between_footholds_of_unequal_height():
    known = np.array([[0.0, 0.0, 0.0], [0.03, 0.0, 0.01], [0.5, 0.0, 0.0]])
    x, y = edge_beside(np.array([0.012, 0.0]), known, 0.05, 0.004)
    assert (x, y) == pytest.approx((-1.0, 0.0))  # the lower one is nearer
    x, y = edge_beside(np.array([0.02, 0.0]), known, 0.05, 0.004)
    assert (x, y) == pytest.approx((1.0, 0.0))
    assert edge_beside(np.array([0.5, 0.0]), known, 0.05, 0.004) is None
    assert edge_beside(np.array([0.01, 0.0]), known, 0.05, 0.02) is None


def test_a_foot_is_moved_off_an_edge_and_its_tripod_stays_stable():
    contact, stance = Instance("phi1", (2, 3, 4), 3), random_stance(0)
    placed, _ = subject_to(bind([contact]), stance, parts())
    at = placed["feet"][0, 2]
    known = at + np.array([[0.01, 0.0, 0.0], [-0.012, 0.0, -0.01]])
    moved = away_from_edges(placed, 3, known, contact, parts(), 0.03, 0.004)
    assert moved["feet"][0, 2, 0] > at[0] + 0.01
    assert margins(moved, parts())[2] > 0.0175


def test_turning_and_walking_have_their_own_supervisors():
    planner = BasisPlanner()
    assert planner.turns(np.array([0.0, 0.0, 0.03]))
    assert not planner.turns(np.array([0.01, 0.0, 0.0]))


def test_thing_walks_on_three_feet_or_four():
    result = walk(WalkConfig(robot=THING, seconds=14.0, seed=3))
    numbers = result.summary
    assert not numbers["fell"]
    assert numbers["distance_m"] > 0.09
    assert numbers["static_margin_min_m"] > 0.0
    assert sum(numbers["gait_found"]["in_the_air_share"][2:]) == 0.0
    assert numbers["plan"]["failed"] == 0


def test_thing_turns_on_the_spot():
    result = walk(WalkConfig(robot=THING, seconds=12.0, speed=0.0, turn=-0.05, seed=3))
    yaw = float(result.run.attitude[-1, 2])
    assert not result.summary["fell"]
    # the first cycle of eight moves is paced for the whole of it: one part in four
    assert yaw == pytest.approx(-0.05 * 11.0, rel=0.25)
    assert math.hypot(*(result.run.p_WB[-1, :2])) < 0.08


@pytest.mark.slow
def test_thing_goes_a_metre_in_two_minutes_and_crosses_plates():
    for seed in range(100, 120):
        numbers = walk(WalkConfig(robot=THING, seconds=100.0, seed=seed)).summary
        assert not numbers["fell"] and numbers["distance_m"] > 1.0
        assert numbers["static_margin_min_m"] > 0.0
        assert sum(numbers["gait_found"]["in_the_air_share"][2:]) == 0.0
        config = WalkConfig(robot=THING, seconds=130.0, seed=seed, terrain="plates")
        numbers = walk(config).summary
        assert not numbers["fell"] and numbers["distance_m"] > 1.1
