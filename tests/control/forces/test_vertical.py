"""The vertical distribution against a second solver, certificates and hand examples."""

import math

import numpy as np
import pytest

from equipoise.control.forces import VerticalLoad, VerticalShare, share_vertical
from equipoise.control.forces.constraints import (
    ConstraintsConfig,
    LoadBounds,
    constraints,
)
from equipoise.control.forces.vertical import AS_ASKED, NO_FOOT, SPLIT, WIDENED
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.jit import compiled
from oracles.certified import farthest

WEIGHT = 12.0 * 9.81
COUNT = 500
TOL = 1e-13 * WEIGHT  # rounding: some hundred operations of 1e-16 each
PROVED = 1e-7 * WEIGHT  # the oracle proves to 1e-8 of its numbers, some weights


@compiled
def share_all(force, feet, share):
    """Distribute many forces."""
    for k in range(force.shape[0]):
        share_vertical(force[k], feet[k], share[k])


def drawn(rng, count, legs):
    """Return forces and feet: mostly as a walk has them, some that nothing can do."""
    feet = VerticalLoad.zeros(count * legs).reshape(count, legs)
    feet["side"] = np.tile([1.0, -1.0], legs)[:legs]
    stands = rng.random((count, legs)) < 0.8
    feet["least"] = rng.uniform(0.0, 0.1, (count, legs)) * WEIGHT / legs
    feet["most"] = np.where(stands, rng.uniform(0.3, 1.0, (count, legs)) * WEIGHT, 0.0)
    feet["step"] = rng.uniform(0.02, 0.4, (count, legs)) * WEIGHT
    feet["previous"] = rng.uniform(0.0, 2.0, (count, legs)) * WEIGHT / legs
    return WEIGHT * rng.uniform(0.3, 1.6, count), feet


@pytest.fixture(scope="module")
def cases():
    """500 cases of four legs and 500 of six."""
    found = []
    for legs in (4, 6):
        force, feet = drawn(np.random.default_rng(legs), COUNT, legs)
        share = VerticalShare.zeros(COUNT)
        share_all(force, feet, share)
        found.append((force, feet, share))
    return found


def least_uneven(force, own):
    """Return a second solver's optimum of the printed program, proved; inf: none.

    Unknowns are the loads over their lower bounds and a slack e over ±(left - right).
    """
    count = len(own)
    side = np.where(own["side"] > 0.0, 1.0, -1.0)
    low = np.maximum(own["least"], own["previous"] - own["step"])
    high = np.minimum(own["most"], own["previous"] + own["step"])
    if (low > high).any():
        return math.inf
    limits = np.hstack([np.eye(count), np.zeros((count, 1))])
    rows = np.vstack([np.r_[side, -1.0], np.r_[-side, -1.0], limits])
    bounds = np.r_[-side @ low, side @ low, high - low]
    total = np.r_[np.ones(count), 0.0][None]
    cost = np.r_[np.zeros(count), -1.0]
    return -farthest(cost, total, np.array([force - low.sum()]), (rows, bounds))


@pytest.mark.parametrize("count", [100, pytest.param(COUNT, marks=pytest.mark.slow)])
def test_optimum_and_feasibility_are_those_of_a_second_solver(cases, count):
    solved = infeasible = 0
    for force, feet, share in cases:
        for k in range(count):
            own = feet[k][feet["most"][k] > 0.0]
            if not len(own):
                assert share["outcome"][k] == NO_FOOT
                continue
            answer = least_uneven(force[k], own)
            if answer == math.inf:
                infeasible += 1
                assert share["outcome"][k] in (WIDENED, SPLIT)
            else:
                solved += 1
                assert share["outcome"][k] == AS_ASKED
                assert share["uneven"][k] == pytest.approx(answer, abs=PROVED)
    assert solved > count
    assert infeasible > 0.3 * count


def test_bounds_sum_and_rate_are_kept(cases):
    for force, feet, share in cases:
        fine = share["outcome"] == AS_ASKED
        own, stands = feet[fine], feet["most"][fine] > 0.0
        load = own["load"]
        assert np.allclose(load.sum(axis=1), force[fine], rtol=0.0, atol=TOL)
        assert (load[stands] >= own["least"][stands] - TOL).all()
        assert (load[stands] <= own["most"][stands] + TOL).all()
        change = np.abs(load - own["previous"])[stands]
        assert (change <= own["step"][stands] + TOL).all()
        assert (change > own["step"][stands] - TOL).sum() > 100  # many at the limit
        assert (load[~stands] == 0.0).all()


def test_of_all_optima_it_is_the_one_nearest_the_last_loads(cases):
    """KKT of least Σ (f - last)² with a side's sum given, which the program fixes.

    One multiplier λ a side: f = last + λ off the bounds, no less at a lower bound, no
    more at an upper one.
    """
    checked = 0
    for _, feet, share in cases:
        for k in np.flatnonzero(share["outcome"] == AS_ASKED):
            for side in (1.0, -1.0):
                own = feet[k][(feet["most"][k] > 0.0) & (feet["side"][k] == side)]
                shift = own["load"] - own["previous"]
                over = own["load"] > own["low"] + TOL
                under = own["load"] < own["high"] - TOL
                least = shift[over].max(initial=-math.inf)  # λ is no less than these
                most = shift[under].min(initial=math.inf)
                assert least <= most + TOL
                checked += (over & under).sum() > 1
    assert checked > 100


def test_widening_is_as_little_as_will_do(cases):
    seen = 0
    for force, feet, share in cases:
        for k in np.flatnonzero(share["outcome"] == WIDENED)[:25]:
            own = feet[k][feet["most"][k] > 0.0]
            assert own["load"].sum() == pytest.approx(force[k], abs=TOL)
            assert (own["load"] >= own["least"] - TOL).all()
            assert (own["load"] <= own["most"] + TOL).all()
            wider = own.copy()
            wider["step"] += share["widened"][k] + PROVED
            assert least_uneven(force[k], wider) < math.inf
            wider["step"] = own["step"] + 0.999 * share["widened"][k]
            assert least_uneven(force[k], wider) == math.inf
            seen += 1
    assert seen == 50


def one(force, **columns):
    """Return loads and what came of one distribution."""
    legs = max(np.size(x) for x in columns.values())
    feet = VerticalLoad.zeros(legs)
    feet["side"], feet["step"] = np.tile([1.0, -1.0], legs)[:legs], math.inf
    for name, value in columns.items():
        feet[name] = value
    share = VerticalShare.zeros()
    share_all(np.array([force]), feet[None], share)
    return feet["load"], share[0]


def test_by_hand():
    load, share = one(100.0, most=100.0, previous=[40.0, 10.0, 20.0, 10.0])
    assert load == pytest.approx([35.0, 25.0, 15.0, 25.0])
    assert share.uneven == 0.0
    load, share = one(100.0, most=[100.0, 100.0, 100.0, 0.0])  # a right foot lifted
    assert load == pytest.approx([25.0, 50.0, 25.0, 0.0])
    load, share = one(100.0, most=[100.0, 0.0], previous=90.0, step=4.0)
    assert load == pytest.approx([100.0, 0.0])
    assert (share.outcome, share.widened) == (WIDENED, pytest.approx(6.0))


def test_what_no_feet_can_carry_is_split_in_proportion_and_told():
    load, share = one(100.0, most=[20.0, 20.0, 40.0])
    assert load == pytest.approx([25.0, 25.0, 50.0])
    assert share.outcome == SPLIT
    load, share = one(3.0, most=50.0, least=[2.0, 2.0, 4.0, 2.0])
    assert load == pytest.approx([0.6, 0.6, 1.2, 0.6])
    load, share = one(-5.0, most=50.0, least=[0.0, 0.0])
    assert load == pytest.approx([0.0, 0.0])
    assert share.missed == -5.0
    load, share = one(100.0, most=[0.0, 0.0])
    assert (load == 0.0).all()
    assert (share.outcome, share.missed) == (NO_FOOT, 100.0)


def test_swapping_the_sides_swaps_the_loads(cases):
    force, feet, _ = cases[0]
    swapped = feet[:, [1, 0, 3, 2]].copy()
    share = VerticalShare.zeros(COUNT)
    share_all(force, swapped, share)
    assert np.allclose(swapped["load"][:, [1, 0, 3, 2]], feet["load"], atol=TOL)


def test_situations_change_the_bounds():
    nominal = constraints("nominal", WEIGHT, 4, 0.005)
    assert nominal.least == pytest.approx(0.05 * WEIGHT / 4)
    assert nominal.most == pytest.approx(WEIGHT)
    assert nominal.step == pytest.approx(0.1 * WEIGHT)
    slip = constraints("slip", WEIGHT, 4, 0.005)
    push = constraints("push", WEIGHT, 4, 0.005)
    assert slip.least > nominal.least
    assert slip.step < nominal.step < push.step
    own = ConstraintsConfig(slip=LoadBounds(least=0.5))
    assert constraints("slip", 100.0, 2, 0.01, own).least == pytest.approx(25.0)


def test_refuses_situations_and_bounds_that_are_none():
    with pytest.raises(UnknownNameError, match="no situation 'pull'"):
        constraints("pull", WEIGHT, 4, 0.005)
    with pytest.raises(ConfigError, match=r"below 1 and below most, got 1\.0"):
        LoadBounds(least=1.0)
    with pytest.raises(ConfigError, match=r"rate must be > 0 1/s, got 0\.0"):
        LoadBounds(rate=0.0)
