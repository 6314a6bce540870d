"""A set drawn closer line by line, where its farthest points are known by a formula.

Polygons and discs take the place of what a solver is asked, so that lines, areas and
distances have closed forms and nothing depends on a solver.
"""

import math

import numpy as np
import pytest

from equipoise.stability.region import bounds
from equipoise.stability.region.bounds import (
    RESOLUTION,
    BoundLine,
    area,
    hull,
    inner_points,
    line_along,
    narrowed,
    outer_points,
    outward,
)
from equipoise.stability.region.margin import margin_bounds
from equipoise.stability.region.problem import Extreme, Solved

FOUR = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
QUAD = [(2.0, 0.5), (0.3, 1.7), (-1.0, 0.2), (0.1, -1.1)]
CENTRE, RADIUS = (0.3, -0.2), 1.5


def extreme(point, direction, status=Solved.FOUND):
    """Return a solver's answer."""
    return Extreme(status, direction[0] * point[0] + direction[1] * point[1], point)


def of_polygon(corners, asked=None):
    def solve(d):
        if asked is not None:
            asked.append(d)
        return extreme(max(corners, key=lambda p: p[0] * d[0] + p[1] * d[1]), d)

    return solve


def of_disc(d):
    x, y = CENTRE
    return extreme((x + RADIUS * d[0], y + RADIUS * d[1]), d)


def inside(p, lines, slack=1e-9):
    return all(n.direction[0] * p[0] + n.direction[1] * p[1] <= n.value + slack
               for n in lines)  # fmt: skip


def test_a_hull_has_its_corners_to_the_left_and_none_on_an_edge():
    square = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]
    more = [(1.0, 0.0), (2.0, 0.5), (1.0, 0.5), (0.0, 1.0), (0.0, 0.0), (0.5, 1.0)]
    assert hull([*more, *square]) == square
    assert hull([(1.0, 1.0)]) == [(1.0, 1.0)]
    assert hull([(1.0, 1.0), (0.0, 3.0), (1.0, 1.0)]) == [(0.0, 3.0), (1.0, 1.0)]
    assert area(square) == 2.0 and area(square[::-1]) == -2.0
    assert area([(0.0, 0.0), (3.0, 0.0), (0.0, 4.0)]) == 6.0


def test_a_normal_points_outwards_and_has_unit_length():
    assert outward((0.0, 0.0), (3.0, 4.0)) == pytest.approx((0.8, -0.6))
    assert outward((1.0, 2.0), (1.0, 2.0 + 0.9 * RESOLUTION)) is None
    assert outward((1.0, 2.0), (1.0 + 1.1 * RESOLUTION, 2.0)) is not None
    assert RESOLUTION == 1e-7


def test_the_angle_of_a_line_is_that_of_its_direction():
    for direction, angle in zip(FOUR, (0.0, 0.5, 1.0, -0.5), strict=True):
        line = BoundLine(direction, 1.0, (0.0, 0.0), (0.0, 0.0))
        assert line.angle == pytest.approx(angle * math.pi)


def test_a_line_that_nothing_new_reaches_is_an_edge_of_what_is_known():
    a, b = QUAD[0], QUAD[1]
    normal = outward(a, b)
    line = line_along(of_polygon(QUAD), normal, a, b)
    assert (line.start, line.end, line.direction) == (a, b, normal)
    assert line.value == pytest.approx(normal[0] * a[0] + normal[1] * a[1])
    # of two known points only one may reach the line
    for direction, wanted in (((1.0, 0.0), a), ((0.0, 1.0), b)):
        line = line_along(of_polygon(QUAD), direction, a, b)
        assert (line.start, line.end) == (wanted, wanted)
    # what is new is a corner by itself
    c, d = QUAD[2], QUAD[0]
    normal = outward(c, d)
    line = line_along(of_polygon(QUAD), normal, c, d)
    assert line.start == line.end == QUAD[3]
    assert line.value == pytest.approx(normal[0] * QUAD[3][0] + normal[1] * QUAD[3][1])


def test_a_value_below_a_known_point_is_the_known_points():
    """A solver that ends a little too early does not cut off what is known."""
    lazy = lambda d: extreme((0.0, 0.0), d)  # noqa: E731
    line = line_along(lazy, (1.0, 0.0), (1.0, 0.0), (0.5, 1.0))
    assert (line.value, line.start, line.end) == (1.0, (1.0, 0.0), (1.0, 0.0))


@pytest.mark.parametrize("status", [s for s in Solved if s is not Solved.FOUND])
def test_a_solver_that_finds_nothing_says_why(status):
    lost = lambda d: extreme((0.0, 0.0), d, status)  # noqa: E731
    assert line_along(lost, (1.0, 0.0), (0.0, 0.0), (1.0, 0.0)) is status
    found = narrowed(lost, FOUR, (), 0.1)
    assert (found.status, found.lines) == (status, ())
    assert narrowed(lost, FOUR[:2], [(0.0, 0.0), (1.0, 0.0)], 0.1).status is status


@pytest.mark.parametrize("seeds", [(), QUAD])
def test_a_polygon_is_found_exactly(seeds):
    directions = FOUR
    if seeds:
        directions = tuple(
            outward(a, b) for a, b in zip(QUAD, [*QUAD[1:], QUAD[0]], strict=True)
        )
    asked = []
    found = narrowed(of_polygon(QUAD, asked), directions, seeds, 1e-9)
    assert found.status is Solved.FOUND
    angles = [line.angle for line in found.lines]
    assert angles == sorted(angles)
    assert set(inner_points(found.lines)) == set(QUAD)
    outer = outer_points(found.lines)
    assert area(outer) == pytest.approx(area(hull(QUAD)), rel=1e-7)
    assert len(asked) == len(found.lines) and (not seeds or len(asked) == 4)
    assert all(inside(p, found.lines) for p in QUAD)


@pytest.mark.parametrize("gap", [0.3, 0.01, 1e-4])
def test_a_disc_is_known_to_the_share_that_is_asked_for(gap):
    found = narrowed(of_disc, FOUR, (), gap)
    inner, outer = area(inner_points(found.lines)), area(outer_points(found.lines))
    disc = math.pi * RADIUS**2
    assert inner <= disc <= outer
    assert outer - inner <= gap * inner * (1.0 + 1e-9)
    # no more lines than twice those of a regular polygon as close: its share is
    # tan²(π/n)
    n = math.pi / math.atan(math.sqrt(gap))
    assert max(4, n - 1) <= len(found.lines) <= max(4.0, 2.0 * n + 4.0)
    assert all(inside(p, found.lines) for p in inner_points(found.lines))


def test_what_is_not_known_between_two_lines_is_a_triangle():
    one = BoundLine((1.0, 0.0), 2.0, (2.0, -1.0), (2.0, 0.0))
    two = BoundLine((0.0, 1.0), 3.0, (0.0, 3.0), (-1.0, 3.0))
    assert bounds._corner(one, two) == (2.0, 3.0)
    size, height = bounds._triangle(one, two)
    assert size == pytest.approx(3.0)
    assert height == pytest.approx(6.0 / math.hypot(2.0, 3.0))
    # the same direction twice meets nowhere: where the first one ends
    assert bounds._corner(one, one) == (2.0, 0.0)
    assert bounds._triangle(one, one)[0] == 0.0


@pytest.mark.parametrize(
    ("point", "margin"),
    [
        ((1.3, -0.2), 0.5), ((0.3, 2.3), -1.0),
        ((0.3 + 3.0, -0.2 - 4.0), -3.5), ((0.3 - 0.6, -0.2 + 0.8), 0.5),
    ],
)  # fmt: skip
def test_a_distance_to_a_disc_is_drawn_together(point, margin):
    coarse = narrowed(of_disc, FOUR, (), 0.5).lines
    low, high = margin_bounds(of_disc, coarse, point, lambda a, b: False)
    # of a round edge both bounds meet to the resolution, and no nearer
    assert low == pytest.approx(margin, abs=1e-5)
    assert low - 1e-12 <= margin <= high + 1e-12
    # enough is enough: the first bounds are those of the lines that are there
    seen = []
    low, high = margin_bounds(of_disc, coarse, point,
                              lambda a, b: seen.append((a, b)) or True)  # fmt: skip
    assert len(seen) <= 1 and low <= margin + 1e-9 and high >= margin - 1e-9


@pytest.mark.parametrize(
    "point", [(0.2, 0.3), (0.9, 0.4), (2.0, 2.0), (3.0, 0.4), (-2.0, 0.1), (0.0, -3.0)]
)
def test_a_distance_to_a_polygon_is_exact(point):
    lines = narrowed(of_polygon(QUAD), FOUR, (), 0.9).lines
    corners = hull(QUAD)
    sides = list(zip(corners, corners[1:] + corners[:1], strict=True))

    def off(a, b):
        e, w = np.subtract(b, a), np.subtract(point, a)
        t = min(1.0, max(0.0, float(e @ w / (e @ e))))
        return float(np.linalg.norm(w - t * e))

    away = min(off(a, b) for a, b in sides)
    is_in = all(
        (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0
        for a, b in sides
    )
    wanted = away if is_in else -away
    low, high = margin_bounds(of_polygon(QUAD), lines, point, lambda a, b: False)
    assert low == pytest.approx(wanted, abs=1e-6)
    assert high == pytest.approx(wanted, abs=1e-6)


def test_a_solver_that_gives_up_leaves_both_bounds_apart():
    lines = narrowed(of_disc, FOUR, (), 0.5).lines
    lost = lambda d: extreme((0.0, 0.0), d, Solved.NOT_KNOWN)  # noqa: E731
    low, high = margin_bounds(lost, lines, (1.0, 0.5), lambda a, b: False)
    assert low < RADIUS - math.hypot(0.7, 0.7) < high
