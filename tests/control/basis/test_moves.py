"""Moves of a supervisor, and Thing's planner: who steps, where to and how long."""

import math

import numpy as np
import pytest
from tests.control.basis.test_basis import parts, random_stance, thing
from tests.control.basis.test_stance import turn

from equipoise.control.basis.build import BasisConfig, home_stance
from equipoise.control.basis.compose import Ending, Instance
from equipoise.control.basis.edges import edge_beside
from equipoise.control.basis.moves import (
    carries,
    following,
    homeward,
    lifted,
    mended,
    planned_move,
    put_back,
    seen_state,
    standing_legs,
    strays,
)
from equipoise.control.basis.predicates import TRIPODS, margins
from equipoise.control.basis.supervisor import (
    FLAT,
    TURN,
    Supervisor,
    SupervisorState,
)
from equipoise.control.planners.basis import LEVEL, ROUGH, BasisPlanner

ROUNDING = 1e-12
SHIFT = (Instance("phi1", (1, 2, 4), "xy"),)
LACKS = {4: 0, 3: 1, 1: 2, 2: 3}
"""Place of the tripod that lacks a leg; a test below says so."""


def test_the_leg_that_is_lifted_is_told_or_seen():
    before = random_stance(0)
    after = before.copy()
    after["feet"][0, 1] += 0.0, 1e-3, 0.0
    after["feet"][0, 3] += 0.0, 0.0, -2e-3
    assert lifted(SupervisorState(SHIFT), before, after) == 4
    assert lifted(SupervisorState(SHIFT, lifts=2), before, after) == 2
    assert lifted(SupervisorState(SHIFT), before, before) == 0
    assert lifted(SupervisorState(SHIFT, lifts=3), before, before) == 3


def test_what_follows_is_told_and_else_seen():
    stance = random_stance(1)
    told = SupervisorState(SHIFT, then="b", otherwise="c")
    table = Supervisor("x", {"a": told, "b": told, "c": told})
    for outcome, name in (
        (Ending.CONVERGED, "b"),
        (Ending.UNSETTLED, "b"),
        (Ending.FAILED, "c"),
    ):
        assert following(table, "a", stance, outcome, parts()) == name
    # a table that tells what follows is not left for what is seen
    assert seen_state(table, "b", stance, parts()) == "b"


def test_each_leg_is_lacked_by_one_tripod():
    for leg, k in LACKS.items():
        assert sorted((leg, *TRIPODS[k])) == [1, 2, 3, 4]


@pytest.mark.parametrize("leg", range(1, 5))
def test_the_three_others_must_carry_before_and_after(leg):
    one, two = random_stance(2), random_stance(2)
    two["p_WB"][0, :2] += 0.012, -0.009
    had = [margins(stance, parts())[LACKS[leg]] for stance in (one, two)]
    assert had[0] != had[1]
    for before, after in ((one, two), (two, one)):
        assert carries(leg, before, after, parts(), min(had) - 1e-9)
        assert not carries(leg, before, after, parts(), min(had))
    assert carries(leg, two, two, parts(), had[1] - 1e-9)


def test_feet_belong_about_their_middle_the_farthest_goes_first():
    for seed in range(4):
        stance = random_stance(seed)
        stance["yaw"] = 0.4 + 0.5 * seed
        feet, home = stance["feet"][0, :, :2], parts()[1]["home"][:, :2]
        wanted = home @ turn(0.4 + 0.5 * seed).T
        wanted += (feet - wanted).mean(axis=0)
        mends = homeward(stance, parts())
        off = [np.hypot(*(feet[leg - 1] - (x, y))) for leg, x, y in mends]
        assert off == sorted(off, reverse=True) and off[0] > off[3]
        for leg, x, y in mends:
            assert (x, y) == pytest.approx(tuple(wanted[leg - 1]), abs=ROUNDING)
        assert strays(mends, stance) == pytest.approx(off[0])
        assert strays(mends[2:], stance) == pytest.approx(off[2])


def test_a_leg_is_set_anew_where_the_others_carry_or_the_trunk_goes_first():
    stance = home_stance(parts())
    stance["p_WB"][0, :2] += 0.02, -0.015  # away from leg 3
    feet = stance["feet"][0].copy()
    mends = (3, feet[2, 0] + 0.004, feet[2, 1] - 0.006), (1, feet[0, 0], feet[0, 1])
    least = 0.005
    after, leg, left = mended(mends, stance, parts(), least)
    assert leg == 3 and left == mends[1:]
    assert after["feet"][0, 2, :2] == pytest.approx(mends[0][1:])
    np.testing.assert_array_equal(
        np.delete(after["feet"][0], 2, 0), np.delete(feet, 2, 0)
    )
    np.testing.assert_array_equal(after["p_WB"], stance["p_WB"])
    assert stance["feet"][0].tolist() == feet.tolist()  # not changed in place
    # leg 1 cannot be lifted from there: the trunk goes over the others, all are left
    after, leg, left = mended(mends[1:], stance, parts(), least)
    assert leg == 0 and left == mends[1:]
    assert margins(after, parts())[LACKS[1]] > least
    np.testing.assert_array_equal(after["feet"][0], feet)
    # a place that is out of reach is passed over, once the trunk is where it should be
    far = (1, feet[0, 0] + 1.0, feet[0, 1]), mends[0]
    over, leg, left = mended(far, after, parts(), least)
    assert leg == 0 or left == () or left[0] != far[0]
    for given in (far[:1], ()):
        over, leg, left = mended(given, after, parts(), least)
        assert (leg, left) == (0, ())
        np.testing.assert_array_equal(over["p_WB"], after["p_WB"])


def test_a_move_is_a_step_and_two_knots():
    before, after = random_stance(3), random_stance(4)
    legs, knots = planned_move(before, after, 2, 5.0, 0.75)
    assert legs["lift"].tolist() == [math.inf, 5.0, math.inf, math.inf]
    assert legs["land"].tolist() == [math.inf, 5.75, math.inf, math.inf]
    assert legs["foothold"][1, :2].tolist() == after["feet"][0, 1, :2].tolist()
    assert np.isnan(legs["foothold"][[0, 2, 3]]).all() and math.isnan(
        legs["foothold"][1, 2]
    )
    assert knots["time"].tolist() == [5.0, 5.75]
    for knot, stance in zip(knots, (before, after), strict=True):
        assert knot.p_WB[:2].tolist() == stance["p_WB"][0, :2].tolist()
        assert math.isnan(knot.p_WB[2])
        assert knot.rpy_WB.tolist() == [0.0, 0.0, stance["yaw"][0]]
    legs, _ = planned_move(before, after, 0, 5.0, 0.75)
    for name in ("lift", "land"):
        assert (legs[name] == math.inf).all() and (
            standing_legs()[name] == math.inf
        ).all()
    back = put_back(legs, 3, np.array([0.1, 0.2, 0.3]), 6.0, 0.5)
    assert (back[3].lift, back[3].land) == (6.0, 6.5)
    assert back[3].foothold.tolist() == [0.1, 0.2, 0.3]
    assert (back["lift"][:3] == math.inf).all() and (legs["lift"] == math.inf).all()


def test_an_edge_is_known_from_two_footholds_near_enough_and_unequal_enough():
    known = np.array([[0.03, 0.0, 0.2], [0.0, 0.04, 0.21], [9.0, 9.0, 0.0]])
    place = np.zeros(2)
    away = (0.0, -1.0)  # the nearer is level with itself; the other is fled from
    for near, step, wanted in (
        (0.041, 0.009, away),
        (0.039, 0.009, None),  # one is too far off
        (0.04, 0.009, None),  # as far as counts no more
        (0.041, 0.011, None),  # as good as level
    ):
        found = edge_beside(place, known, near, step)
        assert found == (wanted and pytest.approx(wanted))
    assert edge_beside(place, known[:0], 1.0, 0.001) is None
    assert edge_beside(place, known[:1], 1.0, 0.001) is None
    oblique = np.array([[0.01, 0.0, 0.0], [-0.03, 0.04, 0.1], [-0.06, 0.08, 0.2]])
    assert edge_beside(place, oblique, 1.0, 0.01) == pytest.approx((0.6, -0.8))
    # a foothold at the very place, of another height: which way cannot be said
    same = np.array([[0.0, 0.0, 0.1], [0.0, 0.0, 0.2]])
    assert edge_beside(place, same, 1.0, 0.01) is None


CONFIG = BasisConfig(
    swing=0.5, push=0.4, quick=0.15, arm=0.1, rest=0.2, stride=0.01, quarter=0.12
)


@pytest.mark.parametrize(
    ("shift", "yaw", "way", "leg", "lasts"),
    [
        (0.0, 0.0, 0.0, 0, 0.05),  # a tenth of a swing at least
        (0.006, 0.0, 0.0, 0, 0.3),  # √(6 way / push)
        (0.0, -0.06, 0.0, 0, 0.3),  # a turn at an arm's length
        (0.012, 0.12, 0.0, 0, 0.6),  # both one after the other
        (0.006, 0.0, 0.03, 3, 0.5),  # a swing takes its time
        (0.012, 0.12, 0.03, 3, 0.6),
        (0.006, 0.0, 0.12, 3, 0.8),  # no faster than a foot goes
    ],
)
def test_how_long_a_move_takes(shift, yaw, way, leg, lasts):
    before = home_stance(parts())
    after = before.copy()
    after["p_WB"][0] += (0.6 * shift, -0.8 * shift, 0.0)
    after["yaw"] += yaw
    after["feet"][0, 2] += (-0.8 * way, 0.0, 0.6 * way)
    after["feet"][0, 0] += 0.5  # not the leg that steps
    assert BasisPlanner(CONFIG).lasts(before, after, leg) == pytest.approx(lasts)
    assert BasisPlanner(CONFIG).lasts(after, before, leg) == pytest.approx(lasts)


def planning(**config):
    planner = BasisPlanner(BasisConfig(**config))
    return planner, planner.init(thing())


@pytest.fixture
def paced(monkeypatch):
    """Have no cycle gone through beforehand: as slow as its heading says."""

    def pace(self, stance, wanted, state):
        return 3.0 + state.heading

    monkeypatch.setattr(BasisPlanner, "pace", pace)


@pytest.mark.usefixtures("paced")
@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("quarters", range(4))
def test_each_way_has_its_supervisor_and_turning_comes_first(quarters, uneven):
    planner, state = planning(uneven=uneven)
    stance = home_stance(parts())
    x, y = turn(quarters * math.pi / 2) @ (0.02, 0.015)
    found = planner.in_charge(stance, np.array([x, y, 0.004]), state)
    assert found.supervisor is (ROUGH if uneven else LEVEL)[quarters]
    for rate in (0.006, -0.006):  # over 0.005 rad/s
        around = planner.in_charge(stance, np.array([x, y, rate]), state)
        assert around.supervisor is TURN


@pytest.mark.usefixtures("paced")
def test_the_heading_is_kept_on_the_way_and_let_go_where_it_turns():
    planner, state = planning()
    stance = home_stance(parts())
    stance["yaw"] = 0.3
    ahead, around = np.array([0.01, 0.0, 0.0]), np.array([0.0, 0.0, 0.03])
    begun = planner.in_charge(stance, ahead, state)
    assert (begun.heading, begun.left, begun.stretch) == (0.3, 7, 3.3)
    stance["yaw"] = 0.35
    later = planner.in_charge(stance, ahead, begun)
    assert (later.heading, later.left, later.stretch) == (0.3, 6, 3.3)
    eighth = later._replace(left=0)
    assert planner.in_charge(stance, ahead, eighth).left == 7  # a cycle is over
    turned = planner.in_charge(stance, around, later)
    assert (turned.heading, turned.left, turned.name) == (0.35, 7, TURN.first)


@pytest.mark.usefixtures("paced")
def test_feet_are_set_anew_for_another_way_only_where_they_are_astray():
    planner, state = planning(stride=0.01)
    ahead = np.array([0.01, 0.0, 0.0])
    for by, made, many in ((0.03, 3.0, 4), (0.03, 0.0, 0), (0.02, 3.0, 0)):
        stance = home_stance(parts())
        stance["feet"][0, 1, 0] += by  # a quarter of it goes to the middle
        found = planner.in_charge(
            stance, ahead, state._replace(supervisor=TURN, made=made)
        )
        assert len(found.mends) == many
    aside = planner.in_charge(stance, ahead, state._replace(supervisor=FLAT, made=3.0))
    assert aside.supervisor is LEVEL[0] and aside.mends == ()


def test_a_state_leads_a_stride_along_the_way_and_a_quarter_round():
    """The trunk goes ahead in the heading that is kept; it turns by ±0.12 rad."""
    planner, state = planning(stride=0.008, quarter=0.1)
    go = SupervisorState((Instance("phi0", (), "xy"),))
    spin = SupervisorState((Instance("phi0", (), "yaw"),))
    stance = home_stance(parts(), yaw=0.4)
    state = state._replace(heading=0.5)
    after, _ = planner.run(go, stance, np.array([0.03, 0.04, 0.0]), state)
    way = turn(0.5) @ (0.6, 0.8)
    moved = (after["p_WB"] - stance["p_WB"])[0, :2]
    assert moved @ way == pytest.approx(0.008, abs=5e-4)  # its stillness
    assert moved / np.hypot(*moved) == pytest.approx(way, abs=1e-9)
    after, _ = planner.run(spin, stance, np.array([0.03, 0.0, 0.0]), state)
    assert after["yaw"][0] == pytest.approx(0.5, abs=5e-3)
    for rate in (0.03, -0.03):
        after, _ = planner.run(spin, stance, np.array([0.0, 0.0, rate]), state)
        assert after["yaw"][0] == pytest.approx(
            0.4 + math.copysign(0.1, rate), abs=5e-3
        )


def test_a_cycle_is_paced_by_what_it_leads_to(monkeypatch):
    """Eight moves: 0.3 s and a pause of 0.2 s; at half the speed twice as slow."""
    planner, state = planning(rest=0.2)

    def moved(self, told, stance, wanted, state):
        after = stance.copy()
        after["p_WB"][0, :2] += 0.006, 0.008
        after["yaw"] -= 0.02
        return after, Ending.CONVERGED

    monkeypatch.setattr(BasisPlanner, "run", moved)
    monkeypatch.setattr(BasisPlanner, "lasts", lambda *given: 0.3)
    stance = home_stance(parts())
    assert planner.pace(stance, np.array([0.006, 0.008, 0.0]), state) == pytest.approx(
        2.0
    )
    assert planner.pace(stance, np.array([0.0, 0.004, 0.0]), state) == pytest.approx(
        5.0
    )
    assert planner.pace(stance, np.array([0.0, 0.5, 0.0]), state) == 1.0
    assert planner.pace(stance, np.array([0.0, 0.5, -0.01]), state) == pytest.approx(
        4.0
    )
