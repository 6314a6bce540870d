"""What a scanner has seen: heights by place, slopes, footholds beside an edge."""

import numpy as np

from equipoise.control.records import TrunkEstimate
from equipoise.control.support.seen_ground import (
    ground_at,
    highest_between,
    near_foothold,
    see,
    unseen,
)

EDGE = 0.25


def seen(height, x0=0.0):
    """Return what is known once a scanner has seen ground of a height z(x, y)."""
    trunk = TrunkEstimate.zeros()
    trunk["R_WB"], trunk["p_WB"] = np.eye(3), (x0, 0.0, 1.5)
    x, y = np.meshgrid(np.arange(0.1, 5.0, EDGE), np.arange(-2.0, 2.0, EDGE))
    points = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    points[:, 2] = height(x0 + points[:, 0], points[:, 1]) - 1.5
    grid = unseen()
    see(trunk, points, EDGE, grid)
    return grid


def test_heights_and_slopes_are_those_of_the_ground():
    grid = seen(lambda x, y: 0.2 * x)
    height, slope = ground_at(2.1, 0.0, EDGE, grid)
    assert abs(height - 0.2 * 2.1) <= 0.2 * EDGE
    assert np.isclose(slope, 0.2)
    assert np.isnan(ground_at(-3.0, 0.0, EDGE, grid)[0])  # never seen
    assert np.isnan(ground_at(2.1 + 80 * EDGE, 0.0, EDGE, grid)[0])  # the same cell


def test_a_foothold_keeps_away_from_an_edge():
    grid = seen(lambda x, y: np.where(x > 2.0, 0.3, 0.0))
    x, y, z = near_foothold(1.2, 0.0, EDGE, 0.3, grid)
    assert (x, y, z) == (1.2, 0.0, 0.0)
    x, y, z = near_foothold(2.05, 0.0, EDGE, 0.3, grid)
    assert (abs(x - 2.05), y) == (EDGE, 0.0) or abs(x - 2.05) == 2 * EDGE
    assert min(abs(z), abs(z - 0.3)) < 1e-12  # all of one side
    assert np.isnan(near_foothold(2.05, 0.0, EDGE, -1.0, grid)[0])


def test_feet_are_lifted_over_what_lies_between():
    grid = seen(lambda x, y: np.where(np.abs(x - 2.0) < 0.3, 0.4, 0.0))
    top = highest_between((1.0, 0.0), (3.0, 0.0), EDGE, grid)
    assert 0.2 < top <= 0.4 + 1e-12
    assert highest_between((3.5, 0.0), (4.5, 0.0), EDGE, grid) == 0.0


def test_what_is_seen_again_is_averaged_and_what_is_far_is_forgotten():
    grid = seen(lambda x, y: 0.0 * x)
    trunk = TrunkEstimate.zeros()
    trunk["R_WB"] = np.eye(3)
    see(trunk, np.array([[1.1, 0.1, 0.2]]), EDGE, grid)
    assert np.isclose(ground_at(1.1, 0.1, EDGE, grid)[0], 0.1 / 9.0)
    see(trunk, np.array([[1.1 + 80 * EDGE, 0.1, 5.0]]), EDGE, grid)
    assert ground_at(1.1, 0.1, EDGE, grid)[0] == 0.0  # eight neighbours are left
