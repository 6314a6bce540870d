"""A convex set in the plane between two polygons, drawn closer line by line.

Each line is solved exactly: the farthest value in its direction, and a point of the set
that reaches it. The points' hull is inside the set, the lines enclose it, and between
two neighbouring lines what is not known is one triangle. The next line goes where it
cuts most: along the chord of the largest triangle ([Bretl2006] section IV).
"""

import heapq
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from equipoise.stability.region.problem import Extreme, Solved

__all__ = [
    "RESOLUTION",
    "BoundLine",
    "Bounds",
    "Point",
    "Solve",
    "area",
    "hull",
    "inner_points",
    "line_along",
    "narrowed",
    "outer_points",
    "outward",
]

RESOLUTION = 1e-7
"""Length that is told apart, over the contacts' spread: a thousand times the solver's
tolerance, a tenth of the accuracy that is promised for contacts a metre apart."""
_MOST_LINES = 2000

Point = tuple[float, float]
Solve = Callable[[Point], Extreme]


@dataclass(frozen=True)
class BoundLine:
    """d·c <= value, touched from ``start`` to ``end`` (counter-clockwise)."""

    direction: Point
    value: float
    start: Point
    end: Point

    @property
    def angle(self) -> float:
        """Angle of the direction [rad]."""
        return math.atan2(self.direction[1], self.direction[0])


@dataclass(frozen=True)
class Bounds:
    """Lines in order of their angle, or why there are none."""

    status: Solved
    lines: tuple[BoundLine, ...] = ()


def hull(points: Sequence[Point]) -> list[Point]:
    """Return the corners of the convex hull, counter-clockwise, none on an edge.

    Args:
        points: at least one.
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    chains: list[list[Point]] = []
    for way in (ordered, ordered[::-1]):
        chain: list[Point] = []
        for p in way:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 1e-14:
                chain.pop()
            chain.append(p)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def outward(a: Point, b: Point) -> Point | None:
    """Return the unit normal of an edge, None where its ends are one.

    Args:
        a: one end.
        b: the other, counter-clockwise.
    """
    x, y = b[1] - a[1], a[0] - b[0]
    length = math.hypot(x, y)
    return None if length <= RESOLUTION else (x / length, y / length)


def line_along(solve: Solve, normal: Point, a: Point, b: Point) -> BoundLine | Solved:
    """Return the line in a direction that the known points a and b reach at best.

    Args:
        solve: the farthest point in a direction.
        normal: the direction.
        a: known point of the set.
        b: known point after a, counter-clockwise.
    """
    found = solve(normal)
    if found.status is not Solved.FOUND:
        return found.status
    reach_a = normal[0] * a[0] + normal[1] * a[1]
    reach_b = normal[0] * b[0] + normal[1] * b[1]
    reached = max(reach_a, reach_b)
    if found.value > reached + RESOLUTION:
        return BoundLine(normal, found.value, found.point, found.point)
    value = max(found.value, reached)
    start = a if reach_a >= reached - RESOLUTION else b
    end = b if reach_b >= reached - RESOLUTION else a
    return BoundLine(normal, value, start, end)


def _corner(one: BoundLine, two: BoundLine) -> Point:
    """Return where two neighbouring lines meet."""
    (a, b), (c, d) = one.direction, two.direction
    det = a * d - b * c
    if det <= 1e-12:  # the same line twice, to rounding
        return one.end
    x = (one.value * d - two.value * b) / det
    return x, (two.value * a - one.value * c) / det


def _triangle(one: BoundLine, two: BoundLine) -> tuple[float, float]:
    """Return area and height of what is not known between two lines."""
    a, b, corner = one.end, two.start, _corner(one, two)
    twice = max(0.0, _turn(a, corner, b))
    chord = math.dist(a, b)
    return 0.5 * twice, twice / chord if chord > RESOLUTION else 0.0


def narrowed(
    solve: Solve, directions: Sequence[Point], seeds: Sequence[Point], gap: float
) -> Bounds:
    """Return lines around the set, until what is not known is a part of its area.

    Args:
        solve: the farthest point in a direction.
        directions: to start with, counter-clockwise, less than half a turn apart.
        seeds: known points of the set, one before each direction and one after, so
            that direction k belongs to the edge from seed k to the next; or none.
        gap: largest unknown area over the known one.
    """
    lines: list[BoundLine] = []
    for k, direction in enumerate(directions):
        if seeds:
            line = line_along(solve, direction, seeds[k], seeds[(k + 1) % len(seeds)])
        else:
            found = solve(direction)
            line = BoundLine(direction, found.value, found.point, found.point)
            line = line if found.status is Solved.FOUND else found.status
        if isinstance(line, Solved):
            return Bounds(line)
        lines.append(line)
    return _refined(solve, lines, gap)


def _refined(solve: Solve, lines: list[BoundLine], gap: float) -> Bounds:
    """Return the lines with those added that the largest triangles ask for."""
    known = area(inner_points(lines))
    heap: list[tuple[float, int, BoundLine, BoundLine]] = []
    unknown = 0.0
    ticket = itertools.count()

    def push(one: BoundLine, two: BoundLine) -> float:
        size, height = _triangle(one, two)
        if height > RESOLUTION:
            heapq.heappush(heap, (-size, next(ticket), one, two))
        return size

    for one, two in zip(lines, lines[1:] + lines[:1], strict=True):
        unknown += push(one, two)
    while heap and unknown > gap * known and len(lines) < _MOST_LINES:
        minus_size, _, one, two = heapq.heappop(heap)
        normal = outward(one.end, two.start)
        if normal is None:
            continue
        line = line_along(solve, normal, one.end, two.start)
        if isinstance(line, Solved):
            return Bounds(line)
        lines.append(line)
        known += max(0.0, 0.5 * _turn(one.end, line.start, two.start))
        unknown += push(one, line) + push(line, two) + minus_size
    return Bounds(Solved.FOUND, tuple(sorted(lines, key=lambda line: line.angle)))


def inner_points(lines: Sequence[BoundLine]) -> list[Point]:
    """Return the corners of the known part, counter-clockwise.

    Args:
        lines: around the set, in order.
    """
    return hull([p for line in lines for p in (line.start, line.end)])


def outer_points(lines: Sequence[BoundLine]) -> list[Point]:
    """Return the corners of what encloses the set, counter-clockwise.

    Args:
        lines: around the set, in order.
    """
    following = [*lines[1:], *lines[:1]]
    return hull([_corner(a, b) for a, b in zip(lines, following, strict=True)])


def area(corners: Sequence[Point]) -> float:
    """Return the area of a polygon.

    Args:
        corners: counter-clockwise.
    """
    following = [*corners[1:], *corners[:1]]
    pairs = zip(corners, following, strict=True)
    return 0.5 * sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs)
