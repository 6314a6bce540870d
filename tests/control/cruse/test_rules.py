"""Gaits that emerge: lags by the duty factor, tripods, tetrapods; rules taken out."""

import math

import numpy as np
import pytest

from equipoise.control.cruse.rules import CruseRules, RuleLeg, shift_of
from equipoise.core.errors import ConfigError
from equipoise.core.records import record_of
from equipoise_lab.papers.ridderstrom2003.chapter3 import bodiless_legs
from equipoise_lab.papers.ridderstrom2003.chapter3.bodiless_legs import (
    InsectConfig,
    stepped_insect,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.gait_measures import (
    emergent_gait,
    tripod_strength,
)

STARTS = range(700, 730)  # random, none of them used to find the strengths
NO_RULES = CruseRules(
    hinder=0.0, start=0.0, start_across=0.0, late=0.0, late_across=0.0
)
NO_RULE_2 = CruseRules(start=0.0, start_across=0.0)


def gaits(ratio, **settings):
    """Return what came of all starts at a ratio of stance to swing."""
    found = []
    for seed in STARTS:
        config = InsectConfig(ratio=ratio, swings=40.0 + 16.0 * ratio, **settings)
        time, swings = stepped_insect(config, seed)
        found.append(emergent_gait(time, swings, time[-1] - 10.0 * (1.0 + ratio)))
    return found


@pytest.mark.parametrize("ratio", [1.0, 1.35, 1.9, 2.7, 3.5, 5.0])
def test_legs_of_a_side_follow_each_other_as_in_the_wave_gait(ratio):
    # 1.35, 1.9, 2.7 and 3.5 were kept out of the search for the strengths
    for gait in gaits(ratio):
        assert abs(gait.ipsilateral - (1.0 - gait.duty)) < 0.03
        assert abs(gait.contralateral - 0.5) < 0.15


def test_fast_legs_step_in_tripods_and_slower_ones_in_pairs():
    fast, slow = gaits(1.0), gaits(2.0)
    assert np.median([gait.tripod for gait in fast]) > 0.83  # 5 % noise; see the docs
    assert np.median([gait.up[2] for gait in slow]) > 0.9
    assert max(gait.up[4:].sum() for gait in slow) < 0.02
    assert np.median([gait.tripod for gait in slow]) < 0.1


def test_without_rules_no_tripod_and_without_rule_2_no_tetrapod():
    assert np.median([gait.tripod for gait in gaits(1.0, rules=NO_RULES)]) < 0.5
    assert np.median([gait.up[2] for gait in gaits(2.0, rules=NO_RULE_2)]) < 0.5


@pytest.mark.parametrize("lost", range(6))
def test_the_others_walk_on_without_a_leg(lost):
    time, swings = stepped_insect(InsectConfig(ratio=2.0, amputated=(lost,)), 7)
    often = [len(np.flatnonzero(np.diff(leg.astype(int)) == 1)) for leg in swings.T]
    assert often[lost] == 0
    assert min(n for leg, n in enumerate(often) if leg != lost) > 15
    assert swings[time > 20.0].sum(axis=1).max() <= 4


def some_legs(rng):
    legs = RuleLeg.zeros(6)
    legs["swings"] = rng.uniform(size=6) < 0.3
    legs["at"], legs["since"] = rng.uniform(-0.6, 0.5, 6), rng.uniform(0.0, 1.0, 6)
    legs["load"], legs["there"] = rng.uniform(10.0, 60.0, 6), 1.0
    return legs


@pytest.mark.parametrize("one", range(6))
def test_a_leg_hears_its_neighbours_and_no_other(rng, one):
    beside = one + 1 if one % 2 == 0 else one - 1
    near = {one, one - 2, one + 2, beside}
    rules, heard = record_of(CruseRules()), set()
    for _ in range(300):
        legs = some_legs(rng)
        place = shift_of(one, legs, rules)
        for other in set(range(6)) - {one}:
            changed = legs.copy()
            changed[other] = some_legs(rng)[other]
            if shift_of(one, changed, rules) != place:
                heard.add(other)
    assert heard == (near & set(range(6))) - {one}


def test_legs_about_an_empty_place_stand_in_for_it():
    rules, legs = record_of(CruseRules()), RuleLeg.zeros(6)
    legs["since"], legs["load"], legs["there"], legs["at"] = math.inf, math.nan, 1, 0.3
    legs["swings"][4] = 1.0
    assert shift_of(0, legs, rules) == -0.5  # the one behind the next: not heard
    legs["there"][2] = 0.0
    needed = CruseRules().needed
    assert shift_of(0, legs, rules) == needed  # over the gap
    assert shift_of(3, legs, rules) == needed  # beside the gap
    assert shift_of(1, legs, rules) == -0.5  # none of its neighbours swings
    legs["swings"][:] = 0.0
    legs["since"][4] = 0.5 * CruseRules().start_for
    assert shift_of(0, legs, rules) > -0.5  # rule 2, over the gap
    legs["swings"][1] = 1.0
    assert shift_of(0, legs, rules) == needed  # no two of a pair at once


def test_strengths_are_those_of_the_rules():
    rules, legs = CruseRules(), RuleLeg.zeros(6)
    legs["since"], legs["load"], legs["there"] = math.inf, math.nan, 1.0
    legs["at"] = 0.3  # no one is late
    table = record_of(rules)
    assert shift_of(0, legs, table) == rules.first
    legs["swings"][2] = 1.0
    assert shift_of(0, legs, table) == rules.rearmost  # -0.5 - 1.25, clipped
    legs["swings"][2], legs["since"][2] = 0.0, 0.5 * rules.start_for
    after = rules.first + rules.hinder_after * rules.hinder + rules.start
    assert shift_of(0, legs, table) == pytest.approx(after, abs=1e-15)
    with pytest.raises(ConfigError, match="late"):
        CruseRules(late=math.nan)


def square(share, shift, cycle=100, cycles=12):
    """Return when a leg swings that does so for a share of each cycle."""
    return (np.arange(cycle * cycles) + round(shift * cycle)) % cycle < share * cycle


def test_measures_of_gaits_drawn_by_hand():
    tripod = np.stack([square(0.4, s) for s in (0, 0.5, 0.5, 0, 0, 0.5)], axis=1)
    assert tripod_strength(tripod) == 1.0
    wave = np.stack([square(0.2, s / 6.0) for s in range(6)], axis=1)
    assert tripod_strength(wave) == 0.0
    late = np.stack([square(0.4, s) for s in (0, 0.5, 0.4, 0, 0, 0.5)], axis=1)
    # of one tripod in two a leg lifts 0.1 of a cycle later: 0.3 in common of 0.5
    assert tripod_strength(late) == pytest.approx(0.5 * (1.0 + 0.3 / 0.5), abs=0.01)
    gait = emergent_gait(np.arange(1200.0), tripod, 0.0)
    assert gait.duty == pytest.approx(0.6, abs=1e-12)
    assert gait.contralateral == pytest.approx(0.5, abs=1e-12)
    assert gait.up[3] == pytest.approx(0.8, abs=1e-12)


def test_legs_begin_anywhere_on_their_way(monkeypatch):
    """One that swings left the rear end, and is as far on its way as its foot."""
    begun = []

    def kept(legs, rules, period, ratio, paces, out):
        begun.append(legs.copy())
        assert (period, ratio, out.shape) == (0.25, 3.0, (40, 200))
        assert paces.shape == (200, 48) and paces.min() >= 0.5 and paces.max() <= 2.0
        assert np.std(1.0 / paces) == pytest.approx(0.1, rel=0.05)

    monkeypatch.setattr(bodiless_legs, "_step_insect", kept)
    config = InsectConfig(
        ratio=3.0, legs=200, swings=10.0, period=0.25, noise=0.1, amputated=(3, 8)
    )
    time, _ = stepped_insect(config, 5)
    assert time.tolist() == (0.25 * np.arange(40)).tolist()
    (legs,) = begun
    swings = legs["swings"] > 0.0
    assert 25 < swings.sum() < 75  # a quarter of all, as the ratio has it
    there = np.ones(200)
    there[[3, 8]] = 0.0
    assert legs["there"].tolist() == there.tolist()
    assert not legs["swings"][[3, 8]].any()
    assert -0.5 <= legs["at"].min() < -0.4 and 0.4 < legs["at"].max() <= 0.5
    assert (legs["left"] == -0.5).all()
    on = legs["left"] + legs["over"]  # a swing is one stance's way forward
    assert on[swings] == pytest.approx(legs["at"][swings], abs=1e-15)
    assert np.isinf(legs["since"]).all() and np.isnan(legs["load"]).all()
