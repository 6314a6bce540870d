"""The smallest forces of some feet, against a pseudo-inverse."""

import numpy as np
import pytest

from equipoise.control.com.feet.forces import (
    REACH,
    FeetSystem,
    add_foot,
    clear_feet,
    factor_feet,
    foot_force,
    solve_feet,
)


def shared(points, com, weight, force):
    """Return the feet's forces, (n, 3)."""
    arms = (points - com) / REACH
    feet, system = list(zip(weight, arms, strict=True)), FeetSystem.zeros()[0]
    clear_feet(system)
    for w, arm in feet:
        add_foot(system, tuple(arm), w)
    factor_feet(system)
    solve_feet(system, tuple(force))
    return np.array([foot_force(system, w, tuple(arm)) for w, arm in feet])


def least(points, com, weight, force):
    """Oracle: the weighted least-norm solution by NumPy."""
    G = np.zeros((6, 3 * len(points)))
    for k, point in enumerate(points):
        G[:3, 3 * k : 3 * k + 3] = np.eye(3)
        for a in range(3):
            G[3:, 3 * k + a] = np.cross(point - com, np.eye(3)[a])
    root = np.sqrt(np.repeat(weight, 3))
    found = root * (np.linalg.pinv(G * root) @ [*force, 0.0, 0.0, 0.0])
    return found.reshape(-1, 3)


@pytest.mark.parametrize("feet", [3, 4, 6])
def test_they_are_the_smallest_that_balance(feet):
    rng = np.random.default_rng(feet)
    for _ in range(20):
        turn = 2.0 * np.pi * np.arange(feet) / feet
        points = 0.15 * np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn])
        points += rng.uniform(-0.03, 0.03, (feet, 3))
        com = points.mean(axis=0) + rng.uniform(-0.05, 0.05, 3)
        weight = rng.uniform(0.2, 1.0, feet)
        force = rng.normal((0.0, 0.0, 7.0))
        found = shared(points, com, weight, force)
        # 1e-9 of the trace is added to equations conditioned to some hundreds
        np.testing.assert_allclose(found, least(points, com, weight, force), atol=2e-5)


def test_a_foot_without_weight_carries_nothing():
    points = np.array([[0.1, 0.1, 0], [0.1, -0.1, 0], [-0.1, 0.1, 0], [-0.1, -0.1, 0]])
    com = np.array([-0.03, -0.03, 0.17])
    found = shared(points, com, np.array([1e-3, 1.0, 1.0, 1.0]), (0.0, 0.0, 7.0))
    assert abs(found[0]).max() < 0.02  # [N], of seven
    assert found[1:, 2].min() > 0.5
    np.testing.assert_allclose(found.sum(axis=0), [0.0, 0.0, 7.0], atol=1e-5)
