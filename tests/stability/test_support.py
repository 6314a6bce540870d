"""Support polygons and margins against brute force, SciPy's hull and symmetry."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.rigid.hull import support_corners, support_polygon
from equipoise.stability.rigid.support import (
    conservative_polygon,
    gait_longitudinal_margin,
    longitudinal_margin,
    nearest_edge,
    static_margin,
    weakest_direction,
)
from oracles.certified import outline

ROUNDING = 1e-13  # rounding: some hundred operations on coordinates up to 2 m
SQUARE = np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
seeds = st.integers(0, 2**32 - 1)


def to_segment(p: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    share = np.clip((p - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    return float(np.linalg.norm(p - a - share * (b - a)))


def brute_margin(p: np.ndarray, points: np.ndarray) -> float:
    """Oracle without a hull: every segment between two points, every half-plane."""
    inside = np.inf
    for a, b in combinations(points, 2):
        normal = np.array([b[1] - a[1], a[0] - b[0]]) / np.linalg.norm(b - a)
        sides = (points - a) @ normal
        for sign in (1, -1):
            if (sign * sides <= ROUNDING).all():
                inside = min(inside, -sign * float((p - a) @ normal))
    if inside > 0:
        return inside
    return -min(to_segment(p, a, b) for a, b in combinations(points, 2))


@given(seed=seeds, n=st.integers(3, 12))
def test_corners_are_those_of_scipy(seed, n):
    points = np.random.default_rng(seed).normal(size=(n, 2))
    corners = support_corners(points)
    theirs, _ = outline(points)
    first = list(theirs).index(corners[0])  # both turn left, from corners of their own
    assert list(corners) == np.roll(theirs, -first).tolist()


@given(seed=seeds, n=st.integers(3, 8))
def test_margin_is_that_of_all_pairs(seed, n):
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (n, 2))
    p = rng.uniform(-1.5, 1.5, (6, 2))
    expected = [brute_margin(row, points) for row in p]
    np.testing.assert_allclose(
        static_margin(p, points), expected, rtol=0, atol=ROUNDING
    )


def test_margins_of_a_square_by_hand():
    p = np.array([[0, 0], [0.75, 0.1], [1, 0], [2, 0], [4, 5]], dtype=float)
    expected = [1, 0.25, 0, -1, -5]
    assert np.array_equal(static_margin(p, SQUARE), expected)
    ways = weakest_direction(p, SQUARE)
    assert np.array_equal(ways[1:], [[1, 0], [1, 0], [1, 0], [0.6, 0.8]])
    assert np.linalg.norm(ways[0]) == 1.0


def test_leading_axes_are_states(rng):
    p = rng.normal(size=(2, 3, 2))
    margins, ways = static_margin(p, SQUARE), weakest_direction(p, SQUARE)
    ahead = longitudinal_margin(p, SQUARE, [1, 1])
    assert (margins.shape, ways.shape, ahead.shape) == ((2, 3), (2, 3, 2), (2, 3))
    assert margins[1, 2] == static_margin(p[1, 2], SQUARE)
    assert ahead[1, 2] == longitudinal_margin(p[1, 2], SQUARE, [1, 1])
    assert np.array_equal(ways[1, 2], weakest_direction(p[1, 2], SQUARE))


@given(seed=seeds)
def test_going_the_weakest_way_loses_the_margin_fastest(seed):
    rng = np.random.default_rng(seed)
    points, p = rng.uniform(-1, 1, (5, 2)), rng.uniform(-1, 1, 2)
    way = weakest_direction(p, points)
    assert np.linalg.norm(way) == pytest.approx(1, abs=ROUNDING)
    step = 1e-6
    lost = static_margin(p, points) - static_margin(p + step * way, points)
    # rounding: of the difference of two margins up to 2
    assert lost == pytest.approx(step, abs=8e-15)


@given(seed=seeds)
def test_the_margin_ends_on_the_nearest_edge(seed):
    rng = np.random.default_rng(seed)
    points, p = rng.uniform(-1, 1, (5, 2)), rng.uniform(-1.5, 1.5, 2)
    found = nearest_edge(p, points)
    assert found is not None
    (a, b), foot = found
    assert to_segment(foot, a, b) == pytest.approx(0, abs=ROUNDING)
    assert np.linalg.norm(p - foot) == pytest.approx(
        abs(brute_margin(p, points)), abs=ROUNDING
    )
    way, to = b - a, points - a
    sides = way[0] * to[:, 1] - way[1] * to[:, 0]  # every foot is on one side of it
    assert (sides >= -ROUNDING).all()
    assert nearest_edge(p, np.zeros((0, 2))) is None


@given(seed=seeds, angle=st.floats(-3.2, 3.2))
def test_turning_shifting_and_mirroring_change_nothing(seed, angle):
    rng = np.random.default_rng(seed)
    points, p = rng.uniform(-1, 1, (6, 2)), rng.uniform(-1.5, 1.5, (4, 2))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    mirror = np.diag([1.0, -1.0])
    shift, heading = rng.uniform(-1, 1, 2), rng.normal(size=2)
    for move in (turn, mirror):
        moved, at = points @ move.T + shift, p @ move.T + shift
        np.testing.assert_allclose(
            static_margin(at, moved), static_margin(p, points), rtol=0, atol=ROUNDING
        )
        np.testing.assert_allclose(
            longitudinal_margin(at, moved, move @ heading),
            longitudinal_margin(p, points, heading),
            # rounding, divided by the sine of the angle between heading and edge
            rtol=0,
            atol=1e-9,
        )


@pytest.mark.parametrize(
    ("points", "corners"),
    [
        ([], 0),
        ([[0.3, 0.2]], 1),
        ([[0.3, 0.2]] * 4, 1),
        ([[0.3, 0.2], [0.3 + 1e-16, 0.2]], 1),
        ([[0.1, 0.1], [0.4, 0.4]], 2),
        ([[0.1, 0.1], [0.2, 0.2], [0.3, 0.3], [0.7, 0.7]], 2),
        ([[0.1, 0.3], [0.2, 0.6], [0.3, 0.9], [0.1, 0.3]], 2),
        ([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0], [1, 1], [1, 0.5]], 4),
        ([[0, 0], [1, -1e-15], [2, 0], [2, 1]], 3),
        ([[0, 0], [0.3, -1e-17], [0.3 + 1e-16, 1e-17], [0.3, 0.3], [0, 0.3]], 4),
    ],
)
def test_degenerate_supports_have_few_corners(points, corners):
    assert len(support_polygon(points)) == corners
    if corners < 3:
        around = np.random.default_rng(1).uniform(0, 1, (200, 2))
        on = np.linspace(0, 1, 51)[:, None] * [1.0, 1.0]
        assert (static_margin(around, points) <= 0).all()
        assert (static_margin(on, points) <= 0).all()


def test_distance_to_a_point_a_segment_and_nothing():
    assert static_margin([3, 4], [[0, 0]]) == -5
    assert static_margin([0, 0], [[0, 0]]) == 0
    assert static_margin([0.5, 2], [[0, 0], [1, 0]]) == -2
    assert static_margin([4, 4], [[0, 0], [1, 0]]) == -5
    assert static_margin([0, 0], []) == -np.inf
    assert np.array_equal(weakest_direction([3, 4], [[0, 0]]), [0.6, 0.8])
    assert np.array_equal(weakest_direction([0, 0], [[0, 0]]), [0, 0])
    assert np.array_equal(weakest_direction([0, 0], []), [0, 0])
    assert abs(weakest_direction([0.5, 0], [[0, 0], [1, 0]])[1]) == 1


def test_heights_are_left_out():
    heights = np.c_[SQUARE, [0.1, -3, 0.2, 0]]
    assert static_margin([0.5, 0], heights) == static_margin([0.5, 0], SQUARE)


@given(seed=seeds, n=st.integers(2, 6), sole=st.integers(1, 4))
def test_conservative_polygon_survives_any_one_foot(seed, n, sole):
    rng = np.random.default_rng(seed)
    feet = rng.uniform(-1, 1, (n, 1, 2)) + rng.uniform(-0.2, 0.2, (n, sole, 2))
    left = [np.delete(feet, i, axis=0).reshape(-1, 2) for i in range(n)]
    polygon = conservative_polygon(list(feet))
    p = rng.uniform(-1.2, 1.2, (20, 2))
    if len(polygon):  # or nearly no draw is inside
        p[:10] = polygon.mean(axis=0) + 0.3 * p[:10] * np.ptp(polygon, axis=0)
    worst = np.min([static_margin(p, points) for points in left], axis=0)
    ours = static_margin(p, polygon)
    inside = worst > 0
    np.testing.assert_allclose(ours[inside], worst[inside], rtol=0, atol=1e-11)
    # From outside the way to what all have in common is no shorter than to one.
    assert (ours[~inside] <= np.minimum(worst[~inside] + 1e-11, 1e-11)).all()


def test_conservative_polygon_by_hand():
    four = conservative_polygon([[0, 0], [2, 0], [2, 2], [0, 2]])
    np.testing.assert_allclose(four, [[1, 1]], rtol=0, atol=ROUNDING)
    assert len(conservative_polygon([[0, 0], [2, 0], [1, 2]])) == 0
    assert len(conservative_polygon([[[0, 0], [1, 0], [1, 1]]])) == 0
    angles = np.arange(6) * np.pi / 3
    star = conservative_polygon(list(np.c_[np.cos(angles), np.sin(angles)]))
    # Hexagon less any corner: the inner hexagon of the short diagonals' crossings.
    assert np.linalg.norm(star, axis=1) == pytest.approx([3**-0.5] * 6, abs=ROUNDING)


def test_a_crooked_quadruple_has_the_crossing_of_its_diagonals(rng):
    angles = np.sort(rng.uniform(0, 2 * np.pi, (50, 4)), axis=1)
    for row in angles:
        a, b, c, d = feet = np.c_[np.cos(row), np.sin(row)] + 0.3
        share = np.linalg.solve(np.c_[c - a, b - d], b - a)
        polygon = conservative_polygon(list(feet))
        crossing = a + share[0] * (c - a)
        # slack of 1e-12 along two lines that cross at an angle above 1e-2
        assert -1e-10 < static_margin(crossing, polygon) <= 0


def test_longitudinal_margin_by_hand():
    p = np.array([[0.25, 0.5], [0.25, -0.5], [3, 0], [0, 3]])
    ahead = longitudinal_margin(p, SQUARE, [2, 0])
    assert np.array_equal(ahead, [0.75, 0.75, -2, -np.inf])
    assert longitudinal_margin([0, 0], [[1, -1], [1, 1]], [1, 0]) == -1
    assert longitudinal_margin([0, 0], [[-1, 0], [2, 0]], [1, 0]) == 1
    assert longitudinal_margin([0, 0], [[-1, 0]], [1, 0]) == -1
    assert longitudinal_margin([0, 0], [], [1, 0]) == -np.inf
    assert longitudinal_margin([0, 3], SQUARE, [1, 0.1]) == -np.inf
    supports = [SQUARE + np.array([dx, 0]) for dx in (0, 0.5, -0.25)]
    assert gait_longitudinal_margin(np.zeros((3, 2)), supports, [1, 0]) == 0.5


@given(seed=seeds)
def test_longitudinal_margin_is_found_by_walking_there(seed):
    rng = np.random.default_rng(seed)
    points, p = rng.uniform(-1, 1, (6, 2)), rng.uniform(-0.5, 0.5, 2)
    heading = rng.normal(size=2)
    u = heading / np.linalg.norm(heading)
    margin = longitudinal_margin(p, points, heading)
    if static_margin(p, points) <= 0:
        assert margin <= ROUNDING
        return
    ends = [p + margin * u, p - margin * u]
    # rounding: the end is on the edge one way, inside or on it the other
    on_edge = [static_margin(end, points) for end in ends]
    assert min(on_edge) == pytest.approx(0, abs=1e-12)
    assert max(on_edge) >= -1e-12


def test_bad_input_is_refused():
    with pytest.raises(ShapeError, match=r"points must be \(n, 2\) or \(n, 3\), got"):
        static_margin([0, 0], [[1, 2, 3, 4]])
    with pytest.raises(ShapeError, match=r"pxy_WC must have shape"):
        static_margin([0, 0, 0], SQUARE)
    with pytest.raises(ShapeError, match=r"points must be finite"):
        support_polygon([[0, np.nan]])
    with pytest.raises(ShapeError, match=r"points must be an array of numbers"):
        support_polygon([[0, 1], [2]])
    with pytest.raises(ShapeError, match=r"feet\[1\] must be"):
        conservative_polygon([[0, 1], [2]])
    with pytest.raises(NotPhysicalError, match=r"heading must be a direction"):
        longitudinal_margin([0, 0], SQUARE, [0, 0])
    with pytest.raises(ShapeError, match=r"each of the 2 samples"):
        gait_longitudinal_margin(np.zeros((2, 2)), [SQUARE], [1, 0])
