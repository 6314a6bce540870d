"""Cruse's rules one by one: each bound from both sides, for legs of both sides."""

import math

import numpy as np
import pytest

from equipoise.control.cruse.rules import CruseRules, RuleLeg, next_leg, shift_of
from equipoise.core.records import record_of

RULES = CruseRules(
    hinder=-0.31, hinder_hind=0.4, hinder_after=0.25, hinder_for=0.34, start=0.21,
    start_across=0.13, start_for=0.11, late=0.17, late_from=-0.2, late_to=-0.54,
    late_across=0.07, late_across_from=0.21, late_across_to=-0.165, loaded=-0.05,
    loaded_from=1.3, first=-0.5, rearmost=-1.2, foremost=0.2,
)  # fmt: skip
TABLE = record_of(RULES)


def resting(**given):
    """Return legs that have no influence: long since landed, far ahead, no loads."""
    legs = RuleLeg.zeros(6)
    legs["since"], legs["at"], legs["load"], legs["there"] = 9.0, 0.9, math.nan, 1.0
    for name, (leg, value) in given.items():
        legs[name][leg] = value
    return legs


def shift(one, rules=TABLE, **given):
    return shift_of(one, resting(**given), rules) + 0.5


@pytest.mark.parametrize("one", range(6))
def test_alone_a_leg_lifts_at_the_first_place(one):
    assert shift(one) == pytest.approx(0.0)


@pytest.mark.parametrize(("one", "behind"), [(0, 2), (1, 3), (2, 4), (3, 5)])
def test_the_leg_behind_hinders_while_it_swings_and_for_a_while_then_starts(
    one, behind
):
    assert shift(one, swings=(behind, 1.0)) == pytest.approx(-0.31)
    after = 0.25 * -0.31
    for since, wanted in (
        (0.1, after + 0.21),
        (0.11, after),
        (0.33, after),
        (0.34, 0.0),
    ):
        assert shift(one, since=(behind, since)) == pytest.approx(wanted)


@pytest.mark.parametrize(("one", "before"), [(2, 0), (3, 1), (4, 2), (5, 3)])
def test_a_late_leg_ahead_lets_the_one_behind_it_wait_for_it(one, before):
    for at, wanted in (
        (-0.21, 0.17), (-0.2, 0.0), (-0.53, 0.17), (-0.54, 0.0), (0.0, 0.0),
    ):  # fmt: skip
        assert shift(one, at=(before, at)) == pytest.approx(wanted)
    swinging = shift(one, at=(before, -0.3), swings=(before, 1.0))
    assert swinging == pytest.approx(0.0)


@pytest.mark.parametrize("one", range(6))
def test_the_leg_across_hinders_a_hind_leg_alone(one):
    across, hind = one ^ 1, one >= 4
    hindered = 0.4 * -0.31 if hind else 0.0
    assert shift(one, swings=(across, 1.0)) == pytest.approx(hindered)
    after = 0.4 * 0.25 * -0.31 if hind else 0.0
    for since, wanted in (
        (0.1, after + 0.13),
        (0.11, after),
        (0.33, after),
        (0.34, 0.0),
    ):
        assert shift(one, since=(across, since)) == pytest.approx(wanted)
    for at, wanted in (
        (0.2, 0.07), (0.21, 0.0), (-0.16, 0.07), (-0.165, 0.0), (0.3, 0.0),
    ):  # fmt: skip
        assert shift(one, at=(across, at)) == pytest.approx(wanted)


def test_a_leg_that_carries_more_than_its_neighbours_stays_longer():
    """By their mean: of a middle leg three of them, of a front leg two."""
    legs = resting()
    legs["load"] = 10.0, 40.0, 0.0, 30.0, 20.0, 99.0
    for one, mean in ((2, 20.0), (0, 20.0)):
        for load, wanted in ((1.31 * mean, -0.05), (1.29 * mean, 0.0)):
            other = legs.copy()
            other["load"][one] = load
            if one == 0:
                other["load"][2] = 0.0
            assert shift_of(one, other, TABLE) + 0.5 == pytest.approx(wanted)
    assert shift(2, load=(2, 50.0)) == pytest.approx(0.0)  # nobody told its own


def test_all_of_them_add_up_and_stay_within_their_ends():
    legs = resting()
    legs["since"][4], legs["at"][0], legs["at"][3] = 0.2, -0.3, 0.1
    assert shift_of(2, legs, TABLE) == pytest.approx(-0.5 + 0.25 * -0.31 + 0.17 + 0.07)
    strong = record_of(CruseRules(hinder=-1.0, start=0.9, hinder_after=0.0))
    assert shift_of(2, resting(swings=(4, 1.0)), strong) == pytest.approx(-1.2)
    assert shift_of(2, resting(since=(4, 0.05)), strong) == pytest.approx(0.2)


def test_the_next_leg_of_a_side_is_over_empty_places():
    legs = resting()
    assert [next_leg(k, 2, legs) for k in range(6)] == [2, 3, 4, 5, -1, -1]
    assert [next_leg(k, -2, legs) for k in range(6)] == [-1, -1, 0, 1, 2, 3]
    legs["there"][[2, 5]] = 0.0
    assert [next_leg(k, 2, legs) for k in (0, 1, 3)] == [4, 3, -1]
    assert [next_leg(k, -2, legs) for k in (4, 5)] == [0, 3]
    assert np.count_nonzero(legs["there"]) == 4
