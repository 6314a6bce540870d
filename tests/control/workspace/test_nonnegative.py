"""Least squares with pushes only, against SciPy's solver."""

import numpy as np
import pytest

from equipoise.control.workspace.nonnegative import pushing_room, solve_pushing
from oracles.certified import nearest

EPSILON = 1e-6


def solved(A, b, room=None, memory=0.0):
    room = pushing_room(*A.shape) if room is None else room
    room.A[:], room.b[:] = A, b
    solve_pushing(room, EPSILON, memory)
    return room


def oracle(A, b):
    """The same problem as one stacked system."""
    n = A.shape[1]
    stacked = np.vstack([A, np.sqrt(EPSILON) * np.eye(n)])
    return nearest(stacked, np.concatenate([b, np.zeros(n)]))


@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_scipy(seed):
    rng = np.random.default_rng(seed)
    A, b = rng.normal(size=(8, 32)), 3.0 * rng.normal(size=8)
    # Normal equations square the condition: eps * (|A|² / ε) of the largest unknown.
    found, right = solved(A, b).c, oracle(A, b)
    np.testing.assert_allclose(found, right, atol=1e-7 * right.max())


def test_some_unknowns_are_held_at_zero_and_some_are_not():
    counts = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        counts.append(
            solved(rng.normal(size=(8, 32)), 3.0 * rng.normal(size=8)).is_free.sum()
        )
    assert 0 < min(counts) and max(counts) < 32


def test_where_one_starts_does_not_matter():
    rng = np.random.default_rng(1)
    A, b = rng.normal(size=(8, 32)), rng.normal(size=8)
    cold = solved(A, b).c.copy()
    for _ in range(10):
        room = pushing_room(8, 32)
        room.is_free[:] = rng.integers(0, 2, 32)
        np.testing.assert_allclose(solved(A, b, room).c, cold, atol=1e-7 * cold.max())


def test_a_problem_that_changed_little_takes_few_rounds():
    rng = np.random.default_rng(2)
    A, b = rng.normal(size=(8, 32)), rng.normal(size=8)
    room = solved(A, b)
    assert room.rounds[0] >= 3
    solved(A, b * 1.0001, room)
    assert room.rounds[0] == 0


def test_columns_that_do_nothing_stay_at_zero():
    rng = np.random.default_rng(3)
    A = rng.normal(size=(8, 32))
    A[:, 16:] = 0.0
    room = pushing_room(8, 32)
    room.is_free[:] = 1
    found = solved(A, rng.normal(size=8), room).c
    assert not found[16:].any()
    assert found[:16].any()


def test_two_equal_columns_share_the_push():
    A = np.zeros((8, 32))
    A[0, :2] = 1.0
    found = solved(A, np.eye(8)[0]).c
    np.testing.assert_allclose(found[:2], 1.0 / (2.0 + EPSILON), rtol=1e-9)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_ends_on_numbers_that_are_not_finite(bad):
    rng = np.random.default_rng(4)
    A, b = rng.normal(size=(8, 32)), rng.normal(size=8)
    room = solved(A, b)
    good = room.c.copy()
    solved(np.where(A > 1.0, bad, A), b, room)
    np.testing.assert_allclose(solved(A, b, room).c, good, atol=1e-7 * good.max())


def test_memory_weighs_the_change_from_the_last_solution():
    rng = np.random.default_rng(5)
    A, b = rng.normal(size=(8, 32)), rng.normal(size=8)
    room = solved(A, b)
    before, other = room.c.copy(), b + 0.3 * rng.normal(size=8)
    found = solved(A, other, room, memory=0.1).c
    stacked = np.vstack([A, np.sqrt(EPSILON) * np.eye(32), np.sqrt(0.1) * np.eye(32)])
    right = nearest(stacked, np.r_[other, np.zeros(32), np.sqrt(0.1) * before])
    np.testing.assert_allclose(found, right, atol=1e-9 * right.max())
    assert np.abs(found - oracle(A, other)).max() > 1e-3


def test_columns_that_stopped_acting_are_forgotten():
    rng = np.random.default_rng(6)
    A, b = rng.normal(size=(8, 32)), rng.normal(size=8)
    room = solved(A, b)
    assert room.c[:16].any()
    A[:, :16] = 0.0
    assert not solved(A, b, room, memory=0.1).c[:16].any()
