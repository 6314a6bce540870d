"""What a stand of four legs is worth, by hand."""

import math

import numpy as np
import pytest

from equipoise.control.crab.regions import CrabBody, CrabLeg
from equipoise.control.crab.search import (
    LOCKED,
    CrabBench,
    CrabPath,
    CrabRoom,
    CrabTry,
    insert,
    lasting_way,
    scattered,
    spread,
    worth_of,
)

PLACES = np.array([[0.4, 0.3], [0.4, -0.3], [-0.4, 0.3], [-0.4, -0.3]])
ORDER = (2, 0, 3, 1)
BEHIND = (0.05, 0.02, 0.11, -0.01)
"""Ahead of its middle that each foot stands, forward [m]."""


def bench(ahead=(1.0, 0.0), margin=0.01, share=None, **path):
    """Return legs that reach 0.2 m behind their middles and 0.3 m before them."""
    legs, body, way = CrabLeg.zeros(4), CrabBody.zeros(), CrabPath.zeros()
    legs["middle"] = PLACES
    legs["foot"] = PLACES + np.outer(BEHIND, ahead)
    legs["low"], legs["high"] = PLACES - 0.2, PLACES + 0.3
    body["back"] = np.eye(2) if share is None else share
    body["margin"], way["ahead"] = margin, ahead
    given = {"way": 0.2, "lasting": 0.5, "aside": 0.3, "shifted": 0.4}
    for name, value in (given | path).items():
        way[name] = value
    return CrabBench(legs, body, way, np.array(ORDER), CrabRoom.zeros())


def test_a_leg_s_turn_says_for_how_many_steps_its_reach_must_last():
    """The k-th leg from now on lifts after k steps and 0.4 of one."""
    left = {leg: BEHIND[leg] + 0.2 for leg in range(4)}  # to the end behind it
    for first in range(4):
        after = [ORDER[(ORDER.index(first) + k) % 4] for k in range(4)]
        wanted = min(left[leg] / (k + 0.4) for k, leg in enumerate(after))
        found = lasting_way(bench(), np.zeros(2), first)
        assert found == pytest.approx(wanted), first


def test_a_trunk_that_is_ahead_has_less_left_and_never_less_than_nothing():
    at = lasting_way(bench(), np.array([0.03, 0.0]), 2)
    assert at == pytest.approx(min((0.31 - 0.03) / 0.4, 0.22 / 1.4, 0.16 / 2.4,
                                   0.19 / 3.4))  # fmt: skip
    assert lasting_way(bench(), np.array([0.25, 0.0]), 2) == 0.0
    other = bench()
    other.body["offset"] = 0.03, 0.0  # the same, of the feet's own mass
    assert lasting_way(other, np.array([0.06, 0.0]), 2) == pytest.approx(at)
    double = bench(share=2.0 * np.eye(2))  # the trunk goes twice as far as the mass
    assert lasting_way(double, np.array([0.015, 0.0]), 2) == pytest.approx(at)


def test_whoever_goes_backward_or_to_the_left_comes_to_the_other_end():
    back = lasting_way(bench((-1.0, 0.0)), np.zeros(2), 2)
    left = [0.3 + BEHIND[leg] for leg in ORDER]
    assert back == pytest.approx(min(x / (k + 0.4) for k, x in enumerate(left)))
    aside = lasting_way(bench((0.0, 1.0)), np.zeros(2), 2)
    left = [0.2 + BEHIND[leg] for leg in ORDER]
    assert aside == pytest.approx(min(x / (k + 0.4) for k, x in enumerate(left)))


@pytest.mark.parametrize("last", [-1, 0, 1, 2, 3])
def test_worth_is_way_ahead_and_way_to_come_less_way_aside(last):
    """The way to come is that of the best leg but the one that has just stepped."""
    one = bench(origin=(0.02, -0.03), way=9.0)
    for centre in (np.array([0.07, 0.04]), np.array([0.01, -0.08])):
        ways = [lasting_way(one, centre, leg) for leg in range(4)]
        most = max(w for leg, w in enumerate(ways) if leg != last)
        wanted = centre[0] - 0.02 + 0.5 * most - 0.3 * abs(centre[1] + 0.03)
        assert worth_of(one, last, centre) == pytest.approx(wanted)
    ways = [lasting_way(one, np.zeros(2), leg) for leg in range(4)]
    assert len({max(w for k, w in enumerate(ways) if k != leg) for leg in range(4)}) > 1


def test_way_to_come_beyond_a_step_s_is_worth_nothing_and_paths_may_turn():
    c, s = math.cos(0.7), math.sin(0.7)
    one = bench((c, s), way=0.01)
    for ahead, aside in ((0.05, 0.03), (0.02, -0.04)):
        centre = np.array([c * ahead - s * aside, s * ahead + c * aside])
        wanted = ahead + 0.5 * 0.01 - 0.3 * abs(aside)
        assert worth_of(one, -1, centre) == pytest.approx(wanted)


def test_gathered_feet_are_worth_most_and_a_locked_leg_costs():
    """Distances from the middles add up; a leg that can never lift costs 0.3 m."""
    centre = np.array([0.02, 0.01])
    wanted = sum(math.hypot(x - 0.02, 0.01) for x in BEHIND)
    assert scattered(bench(), centre) == pytest.approx(wanted)
    locked = bench(margin=9.0)  # no triangle is that large
    assert scattered(locked, centre) == pytest.approx(wanted + 4.0 * LOCKED)
    assert worth_of(bench(gathers=1.0), -1, centre) == pytest.approx(-wanted)


def test_a_stand_is_worth_more_after_a_good_one_where_that_counts():
    """By what the one before was worth, times ``soon``."""
    found = []
    for soon in (0.0, 0.5):
        one = bench(airborne=0.5, stroke=0.1, heavy=1.0, draw=0.2, soon=soon)
        now, after, room = (CrabTry.zeros(n) for n in (1, 3, 1))
        now[0].feet[:], now[0].leg, now[0].worth = one.legs["foot"], 1, 0.4
        assert spread(one, 1, now, after, room) == 3
        found.append(after["worth"].copy())
    assert found[1] - found[0] == pytest.approx(np.full(3, 0.2))
    assert (np.diff(found[0]) <= 0.0).all() and 1 not in after["leg"]


def test_the_best_stands_are_kept_in_their_order_and_ties_as_they_came():
    kept, count = CrabTry.zeros(3), 0
    for first, worth in enumerate([1.0, 3.0, 1.0, 3.0, 2.0, 0.5, 3.0]):
        one = CrabTry.zeros()
        one["first"], one["worth"] = first, worth
        count = insert(kept, count, one)
        assert count == min(first + 1, 3)
    assert kept["worth"].tolist() == [3.0, 3.0, 3.0]
    assert kept["first"].tolist() == [1, 3, 6]
