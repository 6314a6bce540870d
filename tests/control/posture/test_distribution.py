"""Sharing of force and moment against their own definition and another solver."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.control.forces.distribution import (
    FORCE_WEIGHT,
    SLACK,
    share_consistent,
    share_printed,
)
from equipoise.control.records import SharedLoad
from oracles.certified import meets, nearest

HIPS = np.array(
    [[0.29, 0.25, -0.6], [0.29, -0.25, -0.6], [-0.33, 0.25, -0.6], [-0.33, -0.25, -0.6]]
)
WEIGHT = 60.4 * 9.81
ALL = np.ones(4)


def felt(loads: np.ndarray, arms: np.ndarray) -> np.ndarray:
    """Return f3, m1 = Σ y N and m2 = -Σ x N."""
    return np.array([loads.sum(), arms[:, 1] @ loads, -arms[:, 0] @ loads])


def standing(arms, stands):
    """Return feet that have not shared anything yet."""
    feet = SharedLoad.zeros(len(arms))
    feet["arm"], feet["stands"] = arms[:, :2], stands
    return feet


def consistent(wrench, arms, stands=None, least=0.0) -> np.ndarray:
    feet = standing(arms, np.ones(len(arms)) if stands is None else stands)
    share_consistent(*map(float, wrench), least, feet)
    return feet["load"].copy()


def printed(wrench, arms, stands=ALL) -> np.ndarray:
    feet = standing(arms, stands)
    share_printed(*map(float, wrench), feet)
    return feet["load"].copy()


def test_printed_rule_is_exact_on_a_symmetric_stance_only():
    level = HIPS.copy()
    level[:, 0] = [0.31, 0.31, -0.31, -0.31]
    wrench = np.array([WEIGHT, 30.0, -40.0])
    # A dozen roundings of loads of some hundred newtons.
    np.testing.assert_allclose(felt(printed(wrench, level), level), wrench, atol=1e-11)
    off = felt(printed(wrench, HIPS), HIPS) - wrench
    # The hips' middle is 0.02 m behind: Σ x N is off by -0.02 f3, "12 N m".
    assert off[2] == pytest.approx(0.02 * WEIGHT, rel=0.1)


def test_printed_rule_leaves_out_arms_that_are_none():
    arms = HIPS.copy()
    arms[0, 0] = 0.0
    loads = printed([400.0, 0.0, 50.0], arms)
    assert loads[0] == 100.0  # its share of the force, and no moment by dividing by 0


FORCE = st.floats(100.0, 2000.0)  # lighter and heavier than WARP1 with its payload [N]
MOMENT = st.floats(-60.0, 60.0)  # keeps the pressure point well inside the feet [N m]
PLACE = st.floats(-0.05, 0.05)  # of a foot from below its hip [m]


@given(f=FORCE, m1=MOMENT, m2=MOMENT, d=st.lists(PLACE, min_size=8, max_size=8))
def test_consistent_loads_are_the_least_norm_ones_where_none_pulls(f, m1, m2, d):
    arms = HIPS.copy()
    arms[:, :2] += np.reshape(d, (4, 2))
    A = np.array([np.ones(4), arms[:, 1], -arms[:, 0]])
    wrench = np.array([f, m1, m2])
    least = np.linalg.pinv(A) @ wrench
    loads = consistent(wrench, arms)
    assert np.all(loads >= 0.0)
    if np.all(least > 1.0):
        # Solver: a share SLACK of the squares, over the smallest of A Aᵀ's
        # eigenvalues with the force's weight, 4 · 0.2², of its trace 400.
        np.testing.assert_allclose(loads, least, rtol=0, atol=SLACK * 1e4 * f)


def test_least_norm_case_is_met():
    """So that the property above is not empty."""
    A = np.array([np.ones(4), HIPS[:, 1], -HIPS[:, 0]])
    assert np.all(np.linalg.pinv(A) @ [WEIGHT, 10.0, 10.0] > 1.0)


@pytest.mark.parametrize("seed", range(40))
def test_wanted_force_and_moment_are_met_whenever_pushing_alone_can(seed):
    """Feasibility judged by a linear program, on four to eight legs."""
    rng = np.random.default_rng(seed)
    nl = int(rng.integers(4, 9))
    arms = rng.uniform(-0.4, 0.4, (nl, 3))
    wrench = np.array([500.0, *rng.uniform(-150, 150, 2)])
    A = np.array([np.ones(nl), arms[:, 1], -arms[:, 0]])
    can = meets(A, wrench)
    loads = consistent(wrench, arms)
    assert np.all(loads >= 0.0)
    missed = np.abs(felt(loads, arms) - wrench)
    if can:
        # Solver: SLACK of the loads' own size, over the conditioning of three legs
        # that may nearly lie on a line, below 1e4.
        assert missed.max() < 500.0 * SLACK * 1e4
    else:
        assert missed.max() > 1e-3


def test_both_feasible_and_infeasible_cases_are_met_above():
    kinds = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        nl = int(rng.integers(4, 9))
        arms = rng.uniform(-0.4, 0.4, (nl, 3))
        wrench = np.array([500.0, *rng.uniform(-150, 150, 2)])
        A = np.array([np.ones(nl), arms[:, 1], -arms[:, 0]])
        kinds.add(meets(A, wrench))
    assert kinds == {True, False}


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_force_and_moment_else_as_another_solver_has_it(seed):
    """Least squares with scipy's own non-negative solver, force weighted as here."""
    rng = np.random.default_rng(100 + seed)
    nl = int(rng.integers(1, 7))
    arms = rng.uniform(-0.4, 0.4, (nl, 3))
    wrench = np.array([500.0, *rng.uniform(-300, 300, 2)])
    A = np.array([FORCE_WEIGHT * np.ones(nl), arms[:, 1], -arms[:, 0]])
    b = wrench * [FORCE_WEIGHT, 1, 1]
    other = nearest(A, b)
    theirs = np.linalg.norm(A @ other - b)
    ours = np.linalg.norm(A @ consistent(wrench, arms) - b)
    # Solver: we minimise with SLACK · trace(A Aᵀ) |N|² more, so this much at most.
    assert ours**2 - theirs**2 <= SLACK * np.sum(A * A) * np.sum(other * other) + 1e-9


@pytest.mark.parametrize("lifted", list(itertools.combinations(range(4), 2)))
def test_two_legs_carry_the_force_and_the_moment_that_they_can(lifted):
    """About the axis across their line; by hand from the sky-hook's 2 × 2 system."""
    stands = np.ones(4)
    stands[list(lifted)] = 0.0
    a, b = np.nonzero(stands)[0]
    line = HIPS[b, :2] - HIPS[a, :2]
    along = line / np.linalg.norm(line)
    want = np.array([0.45 * WEIGHT, 0.55 * WEIGHT])
    middle = want @ HIPS[[a, b], :2] / WEIGHT  # a pressure point on the line itself
    wrench = np.array([WEIGHT, WEIGHT * middle[1], -WEIGHT * middle[0]])
    loads = consistent(wrench, HIPS, stands)
    assert np.all(loads[list(lifted)] == 0.0)
    np.testing.assert_allclose(loads[[a, b]], want, rtol=0, atol=WEIGHT * SLACK * 1e5)
    across = np.array([-along[1], along[0]])  # a moment that the line cannot give
    wrench[1:] += 20.0 * np.array([across[1], -across[0]])
    pushed = consistent(wrench, HIPS, stands)
    # The force gives way by 20 N m over the line's distance from the middle, times the
    # moment's weight beside the force's, at most.
    assert abs(pushed.sum() - WEIGHT) < 20.0 / FORCE_WEIGHT**2


def test_no_foot_goes_below_the_least_load():
    loads = consistent([WEIGHT, 0.9 * WEIGHT * 0.25, 0.0], HIPS, least=10.0)
    assert loads.min() == 10.0 and loads[[0, 2]].min() > 100.0
    aside = HIPS + np.array([0.05, 0.04, 0.0])  # so that they have a moment too
    wrench = np.array([WEIGHT, 40.0, -60.0])
    # Solver: as where pushing alone can meet what is wanted.
    missed = felt(consistent(wrench, aside, least=10.0), aside) - wrench
    assert np.abs(missed).max() < WEIGHT * SLACK * 1e4


def test_no_leg_no_load():
    assert np.all(consistent([WEIGHT, 0, 0], HIPS, np.zeros(4)) == 0.0)
    assert np.all(printed([WEIGHT, 0, 0], HIPS, np.zeros(4)) == 0.0)


def test_no_foot_that_was_let_go_would_help():
    """KKT of the nearest force and moment: held feet would only take away from it.

    With many feet in many places some are held too early, and must carry again.
    """
    rng, again = np.random.default_rng(8), 0
    for _ in range(160):
        nl = int(rng.integers(6, 11))
        arms = rng.uniform(-0.6, 0.6, (nl, 2))
        wrench = np.array([500.0, *rng.uniform(-260.0, 260.0, 2)])
        feet = standing(arms, np.ones(nl))
        rounds = share_consistent(*wrench.tolist(), 0.0, feet)
        A = np.array([FORCE_WEIGHT * np.ones(nl), arms[:, 1], -arms[:, 0]])
        gain = A.T @ (wrench * [FORCE_WEIGHT, 1.0, 1.0] - A @ feet["load"])
        loads = feet["load"]
        # solver: a slack of SLACK of A Aᵀ's trace, times loads of 500 N
        slack = 2e3 * SLACK * np.sum(A * A) + 1e-5 * FORCE_WEIGHT
        assert (gain[loads == 0.0] < slack).all()
        assert (np.abs(gain[loads > 0.0]) < slack).all()
        again += rounds > 1 + (loads == 0.0).sum()
    assert again > 3
