"""Legs of a free gait lift: choice, footholds and memory by hand, asymmetric feet."""

import math
from itertools import combinations

import numpy as np
import pytest

from equipoise.control.gaits.leg_limits import LegLimits
from equipoise.control.records import (
    ClockRequest,
    GaitClock,
    LegAim,
    LegEstimate,
    LegStance,
    Travel,
    TrunkEstimate,
)
from equipoise.control.support.free import _seen_from, step_freely
from equipoise.control.support.lifting import (
    FreeConfig,
    FreeLeg,
    _bound_for,
    _choose_seen,
    _follow_ahead,
    _pass_turn,
    _remember,
    lift_legs,
)
from equipoise.control.support.seen_ground import highest_between, see, unseen
from equipoise.control.support.temporal import (
    FreeFoot,
    FreeRule,
    _margin_without,
    half_support,
    next_to_lift,
    time_left,
)
from equipoise.core.records import record_of
from oracles.walking_parts import rotation

PLACES = [(1.6, 0.9), (1.5, -0.8), (0.1, 1.0), (0.0, -0.9), (-1.4, 0.8), (-1.5, -1.0)]
DT = 0.02


def limits():
    """Return workspaces that are longer ahead than behind, and to the left."""
    found = LegLimits.zeros(6)
    found["place"][:, :2] = PLACES
    found["lower"], found["upper"] = (-0.9, -0.3), (1.1, 0.5)
    return found


def config(**given):
    made = FreeConfig(
        **{"swing": 0.5, "margin": 0.1, "patience": 0.6, "touch": 100.0, **given}
    )
    return record_of(made)


@pytest.mark.parametrize(
    "velocity", [(0.4, 0.0, 0.0), (-0.4, 0.1, 0.0), (0.1, -0.3, 0.2), (0.0, 0.2, -0.3)]
)
def test_how_long_a_foot_stays_is_found_by_letting_it_go(velocity):
    """Its stand goes by v + w x r; what it leaves first is the end that counts."""
    vx, vy, w = velocity
    for limit, place in zip(limits(), PLACES, strict=True):
        foot = FreeFoot.zeros()[0]
        foot.off[:] = 0.3, -0.1
        v = np.array([vx - w * place[1], vy + w * place[0]])
        left, full = time_left(limit, foot, velocity)
        for time, is_in in ((left - 1e-6, True), (left + 1e-6, False)):
            at = foot.off - v * time
            assert bool(((at >= limit.lower) & (at <= limit.upper)).all()) == is_in
        with np.errstate(divide="ignore"):
            assert full == pytest.approx(
                np.min((limit.upper - limit.lower) / np.abs(v))
            )
        half = half_support(limit, velocity)
        ahead = half * v  # where it is put down: in 0.7 of what is ahead
        inside = (ahead <= 0.7 * limit.upper + 1e-9) & (
            ahead >= 0.7 * limit.lower - 1e-9
        )
        assert inside.all()
        if half < 1.5:
            further = (half + 1e-6) * v
            assert ((further > 0.7 * limit.upper) | (further < 0.7 * limit.lower)).any()
        else:
            assert half == 1.5


def inside(points):
    """Return how far the origin is inside the hull of some points, by all pairs."""
    best = -math.inf
    sides = []
    for i, j in combinations(range(len(points)), 2):
        a, b = points[i], points[j]
        side = (b - a) / np.hypot(*(b - a))
        off = [side[0] * (p - a)[1] - side[1] * (p - a)[0] for p in points]
        for sign in (1.0, -1.0):
            if all(sign * one >= -1e-12 for one in off):
                sides.append(sign * (-a[1] * side[0] + a[0] * side[1]))
    return min(sides) if sides else best


def feet():
    found = FreeFoot.zeros(6)
    found["stands"] = found["is_next"] = 1.0
    found["off"] = [
        (0.1, 0.0),
        (0.3, 0.1),
        (-0.2, 0.1),
        (0.4, 0.0),
        (0.0, -0.1),
        (0.2, 0.0),
    ]
    return found


@pytest.mark.parametrize("out", range(6))
def test_a_margin_is_over_the_other_standing_feet_where_they_are_then(out):
    own, velocity, centre = feet(), (0.3, -0.1, 0.25), (0.05, -0.02)
    own["stands"][(out + 2) % 6] = 0.0
    rest = [k for k in range(6) if k not in (out, (out + 2) % 6)]
    for after in (0.0, 0.5):
        at = np.array(PLACES)[rest] + own["off"][rest] - np.array(velocity[:2]) * after
        back = rotation(0.0, 0.0, -0.25 * after)[:2, :2]
        room = np.empty((6, 2))
        found = _margin_without(out, after, velocity, centre, limits(), own, room)
        assert found == pytest.approx(inside(at @ back.T - centre), abs=1e-12)


def chosen(own, velocity=(0.4, 0.0, 0.0), centre=(0.0, 0.0), by_sides=False, **given):
    rule = record_of(
        FreeRule(**{"swing": 0.5, "margin": 0.1, "patience": 0.6, **given})
    )
    return next_to_lift(
        velocity, centre, rule[0], by_sides, limits(), own, np.empty((6, 2))
    )


def test_the_leg_to_lift_has_the_least_time_left_and_not_more_than_its_patience():
    own = feet()
    assert chosen(own, patience=0.349) == -1  # all but the third have more, it 0.35
    assert chosen(own, patience=0.351) == 2  # (0.9 - 0.2) / 2 of its way
    own["off"][4, 0] = -0.3
    assert chosen(own) == 4
    own["is_next"][4] = 0.0
    assert chosen(own, by_sides=True) == 2
    assert chosen(own, by_sides=False) == 4
    own["stands"][4] = 0.0  # in the air already; without it the third is not spared
    assert chosen(own, margin=0.01) not in (-1, 2, 4)


def test_a_leg_lifts_only_where_the_others_carry_now_and_when_it_is_back():
    own, velocity, room = feet(), (0.4, 0.0, 0.0), np.empty((6, 2))
    own["stands"][[0, 3]] = 0.0
    own["off"][2, 0] = -0.5
    for centre in ((-1.1, -0.4), (0.0, -0.3)):
        had = [
            _margin_without(2, t, velocity, centre, limits(), own, room)
            for t in (0.0, 0.5)
        ]
        enough = min(had)
        assert enough > 0.0
        first = {"centre": centre, "margin": enough - 1e-9, "patience": 0.3}
        assert chosen(own, **first) == 2
        assert chosen(own, **{**first, "margin": enough + 1e-9}) == -1


def trunk(yaw=0.7, p=(3.0, -2.0, 1.5), tilt=(0.0, 0.0)):
    found = TrunkEstimate.zeros()
    found["R_WB"], found["p_WB"], found["dt"] = rotation(*tilt, yaw), p, DT
    return found[0]


def test_a_leg_is_bound_for_the_front_of_its_workspace_when_it_will_be_down():
    """Its place, carried on by its swing and half a support, in W."""
    velocity, limit = (0.3, -0.1, 0.2), limits()[1]
    for tilt in ((0.0, 0.0), (0.0, 0.3)):
        own = trunk(tilt=tilt)
        ahead = 0.5 + half_support(limit, velocity)
        stand = np.array([0.3 + 0.2 * 0.8, -0.1 + 0.2 * 1.5])
        R = rotation(0.0, 0.0, 0.7)[:2, :2]
        wanted = own.p_WB[:2] + R @ (limit.place[:2] + ahead * stand)
        found = _bound_for(own, velocity, config()[0], limit)
        assert found == pytest.approx(tuple(wanted))


def test_a_leg_remembers_its_last_four_footholds_the_newest_first():
    leg, mine = LegEstimate.zeros(1, joints=3)[0], FreeLeg.zeros()[0]
    for k in range(6):
        leg.foothold[:] = k, 10.0 + k, 20.0 + k
        _remember(leg, mine)
        assert mine.count == min(k + 1, 4)
        for back in range(int(mine.count)):
            assert mine.seen[back].tolist() == [
                k - back,
                10.0 + k - back,
                20.0 + k - back,
            ]


@pytest.mark.parametrize("legs", [4, 6])
def test_the_turn_passes_to_the_leg_ahead_and_from_the_front_to_the_rear(legs):
    for one in range(legs):
        free = FreeLeg.zeros(legs)
        free["is_next"][one] = 1.0
        _pass_turn(one, free)
        ahead = one - 2 if one > 1 else legs - 2 + one
        assert np.flatnonzero(free["is_next"]).tolist() == [ahead]
        assert ahead % 2 == one % 2


def test_a_leg_follows_the_nearest_foothold_of_the_one_ahead_if_it_is_near():
    free, setting = FreeLeg.zeros(6), config(astray=0.5, behind=0.1)[0]
    free[2].count = 3.0
    free[2].seen[:] = [(0.6, 0, 1.0), (0.2, 0.1, 2.0), (0.3, 0.2, 3.0), (0, 0, 9.0)]
    for one, wanted in (
        (4, (0.2, 0.1, 2.0)),
        (3, None),
        (1, None),
        (0, None),
        (2, None),
    ):
        leg = LegStance.zeros()[0]
        leg.goal[:] = math.nan
        _follow_ahead(trunk(), one, (0.0, 0.0), setting, free, leg)
        if wanted is None:
            assert np.isnan(leg.goal).all()
            continue
        ahead = 0.1 * np.array([math.cos(0.7), math.sin(0.7)])
        assert leg.goal[:2] == pytest.approx(np.array(wanted[:2]) - ahead)
        assert leg.goal[2] == 2.0
    far = math.hypot(0.2, 0.1)
    for astray, is_followed in ((far + 1e-9, True), (far - 1e-9, False)):
        leg.goal[:] = math.nan
        _follow_ahead(trunk(), 4, (0.0, 0.0), config(astray=astray)[0], free, leg)
        assert bool(np.isfinite(leg.goal).all()) == is_followed


def lifted(free, **given):
    """Return stances after legs were lifted, walking ahead at 0.4 m/s."""
    own, stance = config(**given)[0], LegStance.zeros(6)
    stance["stands"], stance["late"], stance["progress"] = free["stands"], 3.0, 4.0
    legs = LegEstimate.zeros(6, joints=3)
    legs["foothold"] = np.arange(18.0).reshape(6, 3)
    lift_legs(
        trunk(), legs, (0.4, 0.0, 0.0), (own, 0.02), limits(), (stance, free, unseen()),
        np.empty((6, 2)),
    )  # fmt: skip
    return stance


def standing():
    free = FreeLeg.zeros(6)
    free["stands"] = free["is_next"] = 1.0
    free["off"] = [
        (0.8, 0.0),
        (0.9, 0.0),
        (-0.6, 0.0),
        (0.7, 0.0),
        (0.6, 0.0),
        (0.5, 0.0),
    ]
    return free


def test_legs_lift_one_after_the_other_while_one_should_and_can():
    free = standing()
    free["off"][[1, 5], 0] = -0.5, -0.4
    stance = lifted(free, clearance=0.3)
    assert np.flatnonzero(stance["stands"] == 0.0).tolist() == [1, 2, 5] or (
        np.flatnonzero(stance["stands"] == 0.0).tolist() == [1, 2]
    )
    up, down = stance[2], stance[0]
    assert (up.late, up.progress, up.clearance) == (0.0, 0.0, 0.3)
    assert (down.late, down.progress, down.clearance) == (3.0, 4.0, 0.0)
    assert free["stands"][2] == 0.0 and free["count"].tolist()[:3] == [0.0, 1.0, 1.0]
    assert free["seen"][2, 0].tolist() == [6.0, 7.0, 8.0]


def test_of_a_side_that_follows_one_leg_lifts_and_the_turn_passes():
    free = standing()
    free["is_next"][4] = 0.0
    stance = lifted(free, follows=True)
    assert np.flatnonzero(stance["stands"] == 0.0).tolist() == [2]
    assert free["is_next"].tolist() == [1.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    free = standing()
    free["stands"][0] = 0.0  # another one of the side is in the air
    assert lifted(free, follows=True)["stands"][2] == 1.0
    assert lifted(free, follows=False)["stands"][2] == 0.0


def test_ground_that_was_seen_is_aimed_at_and_lifted_over():
    """Unknown ground is none of it: neither height nor clearance."""
    leg, known = LegStance.zeros()[0], LegEstimate.zeros(1, joints=3)[0]
    setting = config(cell=0.25, steepest=0.3, over=0.15, clearance=0.1)[0]
    leg.clearance = 0.1
    _choose_seen((1.0, 0.1), setting, 0.02, known, unseen(), leg)
    assert math.isnan(leg.goal[2]) and leg.clearance == 0.1
    ground, points = unseen(), []
    for x in np.arange(-1.125, 3.0, 0.25):  # middles of cells
        for y in np.arange(-1.125, 1.3, 0.25):
            points.append((x, y, 0.5 if 0.5 < x < 1.25 else 0.1))
    level = TrunkEstimate.zeros()
    level["R_WB"] = np.eye(3)
    see(level, np.array(points), 0.25, ground)
    # over the top of what is between, the foot's own radius, and 0.15 m more
    raised = set()
    for start in (0.0, 0.15, 0.3, 0.53):
        known.foothold[:], leg.clearance = (0.05, 0.1, start), 0.1
        _choose_seen((2.1, 0.1), setting, 0.02, known, ground, leg)
        assert leg.goal[2] == pytest.approx(0.12)
        assert np.abs(leg.goal[:2] - (2.1, 0.1)).max() <= 0.25
        top = highest_between((0.05, 0.1), tuple(leg.goal[:2]), 0.25, ground) + 0.02
        assert top > 0.3
        high = max(start, 0.12)
        wanted = max(0.1, top - high + 0.15) if top > high else 0.1
        assert leg.clearance == pytest.approx(wanted)
        raised.add(wanted)
    assert len(raised) == 4


def test_a_foot_is_seen_from_the_middle_of_its_workspace_level():
    leg, limit = LegEstimate.zeros(1, joints=3)[0], limits()[3]
    leg.hip[:], leg.foot[:] = (0.2, -0.8, 0.1), (-0.1, 0.05, -1.4)
    own = trunk(tilt=(0.2, -0.15))
    R = rotation(0.2, -0.15, 0.7)
    heading = math.atan2(R[1, 0], R[0, 0])
    at = rotation(0.0, 0.0, -heading) @ R @ (leg.hip + leg.foot)
    wanted = at[:2] - limit.place[:2]
    assert _seen_from(own, leg, limit) == pytest.approx(tuple(wanted))


def ticked(walks=1.0, halt=0.0, hold=0.0, off=None, stands=None, **given):
    """Return legs, clock and feet of one tick on a trunk that is level."""
    own, goal, asked = config(**given), Travel.zeros(), ClockRequest.zeros()
    goal["velocity"][0, 0], goal["walks"] = 0.4, walks
    asked["halt"], asked["hold"] = halt, hold
    body = TrunkEstimate.zeros()
    body["R_WB"], body["dt"] = np.eye(3), DT
    legs, aims = LegEstimate.zeros(6, joints=3), LegAim.zeros(6, joints=3)
    places = limits()["place"]
    legs["hip"] = places
    legs["foot"][:, 0] = [0.8, 0.9, 0.6, 0.7, 0.6, 0.5] if off is None else off
    aims["landing"] = legs["foot"]
    before, clocks = LegStance.zeros(6), GaitClock.zeros()
    before["stands"] = 1.0 if stands is None else stands
    before["late"] = np.where(before["stands"] > 0.0, 0.0, 0.3)
    clocks["time"], clocks["walked"] = 5.0, 2.0
    after, clock, free = LegStance.zeros(6), GaitClock.zeros(), FreeLeg.zeros(6)
    free["raised"], free["is_next"] = 0.24, 1.0
    step_freely(
        (body, legs), goal, (aims, asked), (own, limits(), unseen(), 0.02),
        (before, clocks), (after, clock), free, np.empty((6, 2)),
    )  # fmt: skip
    return after, clock[0], free


def test_the_clock_slows_down_where_a_standing_foot_comes_to_its_end():
    legs, clock, free = ticked()
    assert (clock.rate, clock.walking, clock.lifts) == (1.0, 1.0, 1.0)
    assert (clock.time, clock.walked) == pytest.approx((5.0 + DT, 2.0 + DT))
    assert legs["scheduled"].all() and legs["swing"].tolist() == [0.5] * 6
    assert legs["support"] == pytest.approx([3.0] * 6)  # twice 1.5 s at most
    assert free["off"][:, 0] == pytest.approx([0.8, 0.9, 0.6, 0.7, 0.6, 0.5])
    legs, clock, _ = ticked(off=[0.8, 0.9, -0.6, 0.7, 0.6, 0.5])
    assert legs["stands"].tolist() == [1, 1, 0, 1, 1, 1]
    legs, clock, _ = ticked(hold=1.0, off=[0.8, 0.9, -0.6, 0.7, 0.6, 0.5])
    assert legs["stands"].all() and clock.rate <= 1.0
    _, nearer, _ = ticked(hold=1.0, off=[0.8, 0.9, -0.88, 0.7, 0.6, 0.5])
    _, near, _ = ticked(hold=1.0, off=[0.8, 0.9, -0.86, 0.7, 0.6, 0.5])
    assert nearer.rate == pytest.approx(0.5 * near.rate) and nearer.rate > 0.0
    assert ticked(hold=1.0, off=[0.8, 0.9, -0.95, 0.7, 0.6, 0.5])[1].rate == 0.0
    for rests in ({"walks": 0.0}, {"halt": 1.0}):
        legs, clock, _ = ticked(**rests, off=[0.8, 0.9, -0.6, 0.7, 0.6, 0.5])
        assert legs["stands"].all()
        assert (clock.walking, clock.lifts, clock.walked) == (0.0, 0.0, 0.0)


def test_a_leg_in_the_air_goes_on_by_its_own_time():
    up = [1, 1, 0, 1, 1, 1]
    legs, clock, free = ticked(walks=0.0, stands=up)
    assert (clock.walking, clock.lifts) == (1.0, 0.0)
    assert legs["progress"].tolist() == pytest.approx([0, 0, 0.52, 0, 0, 0])
    assert free["raised"].tolist() == pytest.approx(
        [0.24, 0.24, 0.26, 0.24, 0.24, 0.24]
    )
    assert legs["late"][2] == 0.0 and legs["scheduled"][2] == 0.0
    legs, _, _ = ticked(walks=0.0, stands=up, swing=0.25)  # it is due
    assert (legs["progress"][2], legs["late"][2]) == (1.0, pytest.approx(0.3 + DT))
    assert legs["scheduled"][2] == 1.0 and legs["stands"][2] == 0.0
