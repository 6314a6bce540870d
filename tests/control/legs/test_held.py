"""Gains that a sampled and late loop holds, against that loop's own eigenvalues."""

import numpy as np
import pytest

from equipoise.control.legs.sampled_gains import largest_sampled_gains

PERIOD, STEP = 0.002, 0.0005


def radius(mobility, stiffness, damping, late):
    """Return the spectral radius of a period of the loop x'' = -G (K x + D v), late."""
    steps, wait = round(PERIOD / STEP), round(late / STEP)
    n = len(mobility)
    queue = wait + 1
    size = 2 * n + queue * n

    def advance(state):
        x, v = state[:n].copy(), state[n : 2 * n].copy()
        waiting = state[2 * n :].reshape(queue, n).copy()
        force = -(stiffness * x + damping * v)
        for k in range(steps):
            if k == 0:
                asked = force
            waiting = np.vstack([waiting[1:], asked])
            a = mobility @ waiting[0]
            x, v = x + STEP * v + 0.5 * STEP**2 * a, v + STEP * a
        return np.concatenate([x, v, waiting.reshape(-1)])

    columns = [advance(unit) for unit in np.eye(size)]
    return float(np.abs(np.linalg.eigvals(np.array(columns).T)).max())


def random_mobility(rng):
    """Return the mobility of a foot whose axes are coupled."""
    A = rng.normal(size=(3, 3))
    return A @ A.T + 0.1 * np.eye(3)


@pytest.mark.parametrize("seed", range(20))
def test_held_gains_do_not_ring_and_leave_room(seed):
    rng = np.random.default_rng(seed)
    late = rng.uniform(0.001, 0.006)
    G = np.array([random_mobility(rng) for _ in range(4)])
    K, D = np.full(3, 1e7), np.full(3, 1e5)
    k, d = largest_sampled_gains(G, K, D, PERIOD + late)
    for one in G:
        assert radius(one, k, d, late) < 1.0
        assert radius(one, 2.0 * k, 2.0 * d, late) < 1.0  # a gain margin of two


def test_what_is_asked_for_is_kept_where_it_is_held():
    G = np.tile(np.eye(3) / 100.0, (4, 1, 1))  # feet of 100 kg
    k, d = largest_sampled_gains(
        G, np.array([4e3, 4e3, 2e4]), np.array([7e2, 7e2, 1.6e3]), 0.003
    )
    np.testing.assert_allclose(d, [700.0, 700.0, 1600.0])
    np.testing.assert_allclose(k, [4000.0, 4000.0, 20_000.0])


def test_an_axis_along_which_a_foot_cannot_go_is_no_trouble():
    G = np.tile(np.diag([1.0, 0.0, 1.0]), (4, 1, 1))
    k, d = largest_sampled_gains(G, np.full(3, 1e5), np.full(3, 1e3), 0.004)
    assert np.isfinite(k).all()
    assert np.isfinite(d).all()
    assert d[1] > d[0]
