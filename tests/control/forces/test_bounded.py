"""Loads within bounds: each answer is checked by the conditions of the optimum."""

import math

import numpy as np
import pytest

from equipoise.control.forces.bounded import BoundedLoad, _solved, share_within


def feet_of(seed, legs=6, least=0.0, most=math.inf):
    rng, feet = np.random.default_rng(seed), BoundedLoad.zeros(legs)
    angles = 2.0 * np.pi * (np.arange(legs) + rng.uniform(0.0, 0.6, legs)) / legs
    far = rng.uniform(0.5, 1.5, legs)
    feet["arm"][:, 0], feet["arm"][:, 1] = far * np.cos(angles), far * np.sin(angles)
    feet["arm"][:, 2] = -1.0
    feet["least"], feet["most"] = least, most
    return feet


def given(feet):
    """Return force along the third axis and moments about the other two."""
    f, (x, y) = feet["load"], feet["arm"][:, :2].T
    return np.array([f.sum(), (y * f).sum(), -(x * f).sum()])


def expect_smallest(feet, force, arms):
    """Check that loads give what is asked, and that no smaller ones do."""
    # rounding: of sums of some 1000 N
    assert given(feet) == pytest.approx(force, abs=1e-6)
    f, least, most = feet["load"], feet["least"], feet["most"]
    assert (f >= least - 1e-9).all() and (f <= most + 1e-9).all()
    rows = np.column_stack([np.ones(len(feet)), arms[:, 1], -arms[:, 0]])
    free = (f > least + 1e-6) & (f < most - 1e-6)
    assert free.sum() >= 3
    y, *_ = np.linalg.lstsq(rows[free], f[free], rcond=None)
    would = rows @ y
    # the search's own slack is 1e-9 of the loads or so, before it is made exact
    assert would[free] == pytest.approx(f[free], abs=1e-3)
    assert (would[~free & (f <= least + 1e-6)] <= least[0] + 1e-3).all()
    at_most = ~free & (f >= most - 1e-6)
    assert (would[at_most] >= most[at_most] - 1e-3).all()
    return free.sum()


@pytest.mark.parametrize("seed", range(6))
def test_loads_are_the_smallest_that_give_a_force_and_moments(seed):
    rng, feet = np.random.default_rng(10 + seed), feet_of(seed)
    force = np.array([1000.0, *rng.uniform(-80.0, 80.0, 2)])
    assert share_within(*force, feet) > 0
    assert expect_smallest(feet, force, feet["arm"]) == 6


def test_a_foot_at_its_bound_leaves_the_rest_to_the_others():
    numbers = set()
    for seed in range(8):
        for least, most in ((0.0, 190.0), (140.0, math.inf), (130.0, 200.0)):
            feet = feet_of(seed, least=least, most=most)
            rng = np.random.default_rng(seed)
            force = np.array([1000.0, *rng.uniform(-100.0, 100.0, 2)])
            share_within(*force, feet)
            if np.abs(given(feet) - force).max() > 1e-6:
                continue  # no loads within these bounds do
            bound = (feet["load"] <= least) | (feet["load"] >= most)
            if (~bound).sum() < 3:
                continue
            numbers.add(expect_smallest(feet, force, feet["arm"]))
    assert len(numbers) > 1  # with feet at their bounds and without


def test_feet_that_do_not_stand_carry_nothing():
    feet = feet_of(1)
    feet["most"][[1, 4]] = 0.0
    force = np.array([900.0, 20.0, -30.0])
    share_within(*force, feet)
    assert not feet["load"][[1, 4]].any()
    rest = feet[[0, 2, 3, 5]]
    expect_smallest(rest, force, rest["arm"])
    feet["most"], feet["load"] = 0.0, 7.0
    assert share_within(*force, feet) == 0
    assert not feet["load"].any()


def test_three_feet_have_one_answer_and_a_square_s_is_even():
    feet = feet_of(2, legs=3)
    force = np.array([500.0, 10.0, 15.0])
    share_within(*force, feet)
    x, y = feet["arm"][:, :2].T
    exact = np.linalg.solve(np.array([np.ones(3), y, -x]), force)
    assert (exact > 0.0).all()
    assert feet["load"] == pytest.approx(exact, abs=1e-6)
    square = BoundedLoad.zeros(4)
    square["arm"][:, :2] = [(0.5, 0.3), (0.5, -0.3), (-0.5, 0.3), (-0.5, -0.3)]
    square["most"] = math.inf
    share_within(400.0, 0.0, 0.0, square)
    assert square["load"] == pytest.approx(100.0, abs=1e-6)


def test_a_force_beyond_all_feet_is_met_as_far_as_they_may():
    feet = feet_of(3, most=100.0)
    share_within(1000.0, 0.0, 0.0, feet)
    assert feet["load"] == pytest.approx(100.0)
    share_within(-50.0, 0.0, 0.0, feet)  # feet do not pull
    assert feet["load"] == pytest.approx(0.0, abs=1e-9)


def test_a_small_system_is_solved_as_linear_algebra_does(rng):
    for _ in range(5):
        root = rng.normal(size=(3, 5))
        A, b = root @ root.T, rng.normal(size=3)
        rows = (A[0, 0], A[0, 1], A[0, 2], A[1, 1], A[1, 2], A[2, 2])
        found = _solved(rows, (b[0], b[1], b[2]))
        assert found == pytest.approx(tuple(np.linalg.solve(A, b)), rel=1e-9)
