"""How far a point is inside or outside a convex set that is known by its lines.

From inside, the known polygon's nearest edge is a lower bound of the distance and the
nearest line an upper one; from outside, the known polygon's nearest point and the
farthest line bound it. The line that would decide is solved and added, until both
bounds meet.
"""

import math
from collections.abc import Callable, Sequence

from equipoise.stability.region.bounds import (
    RESOLUTION,
    BoundLine,
    Point,
    Solve,
    hull,
    inner_points,
    line_along,
    outward,
)
from equipoise.stability.region.problem import Solved

__all__ = ["margin_bounds"]

_MOST_LINES = 200


def margin_bounds(
    solve: Solve,
    lines: Sequence[BoundLine],
    point: Point,
    is_enough: Callable[[float, float], bool],
) -> tuple[float, float]:
    """Return bounds of the signed distance to the set's edge, positive inside.

    Args:
        solve: the farthest point in a direction.
        lines: around the set.
        point: where.
        is_enough: whether a lower and an upper bound answer the question; otherwise
            they are drawn together until they meet.

    Returns:
        Lower and upper bound; apart only where ``is_enough``, or the solver gave up.
    """
    known = inner_points(lines)
    x, y = point
    upper = min(e.value - e.direction[0] * x - e.direction[1] * y for e in lines)
    lower = -math.inf
    for _ in range(_MOST_LINES):
        lower, direction, a, b = _nearest(known, point)
        if upper - lower <= RESOLUTION or is_enough(lower, upper):
            break
        line = line_along(solve, direction, a, b)
        if isinstance(line, Solved):
            break
        u, v = line.direction
        upper = min(upper, line.value - u * x - v * y)
        new = [p for p in (line.start, line.end) if p not in (a, b)]
        if not new:  # the edge is the set's own, so the nearest one is exact
            break
        known = hull([*known, *new])
    return lower, max(lower, upper)


def _nearest(known: list[Point], point: Point) -> tuple[float, Point, Point, Point]:
    """Return the signed distance to a polygon, and the direction and edge to try."""
    edges = [
        (a, b, normal)
        for a, b in zip(known, known[1:] + known[:1], strict=True)
        if (normal := outward(a, b)) is not None
    ]
    outs = [
        (n[0] * (point[0] - a[0]) + n[1] * (point[1] - a[1]), n, a, b)
        for a, b, n in edges
    ]
    if len(outs) > 2 and (top := max(outs, key=lambda out: out[0]))[0] <= 0.0:
        return -top[0], top[1], top[2], top[3]
    best, at, edge = math.inf, known[0], ((1.0, 0.0), known[0], known[0])
    for a, b, n in edges or [(known[0], known[0], (1.0, 0.0))]:
        q = _foot(a, b, point)
        if (distance := math.dist(q, point)) < best:
            best, at, edge = distance, q, (n, a, b)
    if at in known and best > RESOLUTION:  # a corner: look straight from it
        u = ((point[0] - at[0]) / best, (point[1] - at[1]) / best)
        return -best, u, at, at
    return -best, *edge


def _foot(a: Point, b: Point, point: Point) -> Point:
    """Return the point of an edge nearest to another; a corner exactly where it is."""
    ex, ey = b[0] - a[0], b[1] - a[1]
    square = ex * ex + ey * ey
    along = ex * (point[0] - a[0]) + ey * (point[1] - a[1])
    if square == 0.0 or along <= 0.0:
        return a
    return (
        b
        if along >= square
        else (a[0] + along / square * ex, a[1] + along / square * ey)
    )
