"""A free gait in time: who steps, when, and where the legs behind the first step."""

import numpy as np
import pytest

from equipoise.control.gaits.leg_limits import leg_limits
from equipoise.control.gaits.named import named_gait
from equipoise.control.records import Travel
from equipoise.control.signals import nothing_asked
from equipoise.control.support.free import FreeConfig, FreeSupport
from equipoise.control.support.lifting import FreeLeg, is_busy
from equipoise.control.support.temporal import (
    FreeFoot,
    FreeRule,
    half_support,
    next_to_lift,
    time_left,
)
from equipoise.core.records import record_of
from equipoise.stability import static_margin
from oracles.asv import asv_estimate, asv_machine

LIMITS = leg_limits(asv_machine(), named_gait("wave", 6), 1.0)
DT = 0.02


def feet(**off):
    """Return all feet amid their workspaces, but for some that are ahead or behind."""
    found = FreeFoot.zeros(6)
    found["stands"] = found["is_next"] = 1.0
    for name, value in off.items():
        found["off"][int(name[1:]), 0] = value
    return found


def rule(**given):
    """Return how legs are chosen, changed as given."""
    made = record_of(FreeRule(swing=0.5, margin=0.1, patience=1.0))
    for name, value in given.items():
        made[name] = value  # beyond what users may set, too
    return made[0]


def chosen(velocity, placed, by_sides=False, **given):
    """Return the leg that is lifted."""
    own, room = rule(**given), np.empty((6, 2))
    return next_to_lift(velocity, (0.0, 0.0), own, by_sides, LIMITS, placed, room)


def test_time_left_is_the_way_to_the_end_over_the_speed():
    left, full = time_left(LIMITS[0], feet(_0=0.3)[0], (0.5, 0.0, 0.0))
    assert np.allclose((left, full), ((0.3 + 1.1) / 0.5, 2.2 / 0.5), rtol=2e-3)
    left, _ = time_left(LIMITS[0], feet()[0], (0.0, 0.0, 0.2))  # at (1.6, 0.85)
    assert np.isclose(left, 0.5 / (0.2 * 1.6), rtol=2e-3)  # the left end is nearer
    assert time_left(LIMITS[0], feet()[0], (0.0, 0.0, 0.0))[0] == np.inf


def test_feet_are_put_down_in_the_front_of_their_workspace():
    assert np.isclose(half_support(LIMITS[0], (1.0, 0.0, 0.0)), 0.7 * 1.1, rtol=2e-3)
    assert half_support(LIMITS[0], (0.01, 0.0, 0.0)) == 1.5


def test_the_leg_with_the_least_time_is_lifted_if_it_can_be_spared():
    forward = (0.5, 0.0, 0.0)
    assert chosen(forward, feet(_2=-0.8, _1=-0.5)) == 2
    assert chosen(forward, feet(_2=-0.8, _1=-0.5), patience=0.05) == -1
    alone = feet(_2=-0.8, _1=-0.5)
    alone["stands"][[0, 4]] = 0.0  # the only one left on its side
    assert chosen(forward, alone) == -1
    assert chosen(forward, alone, margin=-2.0) == 2  # if nobody minded


@pytest.mark.parametrize("one", range(6))
def test_a_side_is_busy_while_another_leg_of_it_is_in_the_air(one):
    for lifted in range(6):  # left legs are even, right ones odd
        free = FreeLeg.zeros(6)
        free["stands"] = 1.0
        free["stands"][lifted] = 0.0
        assert is_busy(one, free) == (lifted % 2 == one % 2 and lifted != one)


def test_sides_keep_their_order():
    placed = feet(_2=-0.8, _1=-0.5)
    placed["is_next"] = 0.0
    placed["is_next"][[4, 5]] = 1.0
    assert chosen((0.5, 0.0, 0.0), placed, by_sides=True) in (4, 5)


def walked(seconds, speed, **given):
    """Return stances, feet and trunk over a walk in which legs do as they are told."""
    part = FreeSupport(FreeConfig(**given))
    m = asv_machine()
    state, known, asked = part.init(m), asv_estimate(), nothing_asked(m)
    known.trunk["dt"], x, rows, prints = DT, 0.0, [], [[] for _ in range(6)]
    goal = Travel.zeros()
    goal["walks"] = 1.0
    before = np.ones(6)
    for _ in range(int(seconds / DT)):
        goal["velocity"][0, 0] = speed * float(state.stance.clock["rate"][0])
        x += goal["velocity"][0, 0] * DT
        known.trunk["p_WB"][0, 0] = x
        stance, state = part.step(known, goal, asked, state)
        own, hips = stance.legs, m.geometry.hips[:, 0]
        for leg in np.flatnonzero(own["progress"] >= 1.0):  # comes down where told
            aimed = own["goal"][leg, 0]
            nominal = x + hips[leg] + 0.5 * own["support"][leg] * goal["velocity"][0, 0]
            known.legs["foothold"][leg, 0] = nominal if np.isnan(aimed) else aimed
            known.legs["load"][leg] = 5000.0
        known.legs["load"][own["progress"] < 1.0] = 0.0
        known.legs["foot"][:, 0] = known.legs["foothold"][:, 0] - x - hips
        asked.legs["landing"] = known.legs["foot"]
        for leg in np.flatnonzero((own["stands"] > 0.0) & (before == 0.0)):
            prints[leg].append(known.legs["foothold"][leg, 0])
        before = own["stands"].copy()
        feet_now = known.legs["foothold"][own["stands"] > 0.0, :2]
        margin = static_margin(known.trunk["p_WB"][0, :2], feet_now)
        rows.append([x, margin, *own["stands"]])
    return np.array(rows), prints


@pytest.mark.parametrize("follows", [False, True])
def test_it_goes_on_and_keeps_its_margin(follows):
    rows, prints = walked(14.0, 0.5, follows=follows)
    assert rows[-1, 0] > 0.85 * 0.5 * 14.0
    assert rows[:, 1].min() >= 0.15 - 0.02  # a tick is 20 ms
    assert all(len(own) > 2 for own in prints)
    most = 2 if follows else 3
    assert (rows[:, 2:] == 0.0).sum(axis=1).max() == most


def test_legs_behind_step_where_the_one_ahead_stood():
    _, prints = walked(20.0, 0.5, follows=True)
    near = [
        min(abs(own - ahead + FreeConfig().behind) for ahead in prints[leg - 2])
        for leg in range(2, 6)
        for own in prints[leg][2:]
    ]
    assert len(near) > 8
    assert np.median(near) < 1e-9
