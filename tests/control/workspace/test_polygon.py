"""Signed distance to the area between corners, against a hull made by SciPy."""

import numpy as np
import pytest

from equipoise.control.workspace.polygon import hull_gap
from oracles.certified import outline


def oracle(points, p):
    """Distance by dense sampling of the hull's edges; sign from its half-planes."""
    order, lines = outline(points)
    worst = (lines[:, :2] @ p + lines[:, 2]).max()
    if worst <= 0.0:
        return worst
    ring = points[order]
    share = np.linspace(0.0, 1.0, 2001)[:, None]
    edges = [
        a + share * (b - a) for a, b in zip(ring, np.roll(ring, -1, 0), strict=True)
    ]
    return np.linalg.norm(np.vstack(edges) - p, axis=1).min()


@pytest.mark.parametrize("seed", range(30))
def test_distance_to_random_corners(seed):
    rng = np.random.default_rng(seed)
    points, p = rng.uniform(-1.0, 1.0, (8, 2)), rng.uniform(-2.0, 2.0, 2)
    gap, x, y = hull_gap(points, 8, *p)
    # sampled edges: half a step of 2/2000 along an edge, squared over the distance
    assert gap == pytest.approx(oracle(points, p), abs=1e-6)
    if gap > 0.0:
        assert np.hypot(x - p[0], y - p[1]) == pytest.approx(gap, abs=1e-12)
    else:
        assert (x, y) == tuple(p)


def test_both_sides_were_drawn():
    gaps = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        points, p = rng.uniform(-1.0, 1.0, (8, 2)), rng.uniform(-2.0, 2.0, 2)
        gaps.append(hull_gap(points, 8, *p)[0])
    assert min(gaps) < 0.0 < max(gaps)


def test_only_the_first_corners_count():
    points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [9.0, 9.0]])
    assert hull_gap(points, 4, 2.0, 0.5) == (1.0, 1.0, 0.5)
    assert hull_gap(points, 5, 2.0, 2.0)[0] < 0.0


def test_a_point_that_is_not_finite_is_outside_of_nothing():
    points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    assert not hull_gap(points, 3, np.nan, 0.0)[0] > 0.0
