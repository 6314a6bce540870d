"""What is known of a region: a polygon inside it, of so many places for corners.

Corners go round to the left; ``count`` of them are in use, the places after hold the
first corner again. A corner that a new one leaves inside is dropped. Whether a point is
inside is told by crossings, so that a corner in a wrong order can never make a point
inside that is not: the polygon's closed line must go round it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from equipoise.equations.tape.functions import less, maximum, minimum, sqrt, where
from equipoise.equations.tape.tape import Expr

__all__ = ["Known", "Nearest", "grown", "nearest", "sorted_round"]

Point = tuple[Expr, Expr]
SHORT = 1e-12
"""Square of the length of an edge that counts as none."""


@final
@dataclass(frozen=True)
class Known:
    """A polygon of which ``count`` places are in use."""

    corners: list[Point]
    count: Expr


@final
@dataclass(frozen=True)
class Nearest:
    """Nearest point of a polygon to a point."""

    distance: Expr
    """Positive inside, negative outside."""
    direction: Point
    """Outward, unit: square to the nearest edge, or from outside straight to the
    point."""
    edge: Expr
    """From which corner, or before and after which corner if at one."""
    is_corner: Expr


def _is_place(index: Expr, k: int) -> Expr:
    """Return 1 where a whole number is k."""
    return less((index - k) * (index - k), 0.25)


def _picked(corners: Sequence[Point], index: Expr) -> Point:
    """Return the corner at an index that is a number."""
    x, y = corners[0]
    for k in range(1, len(corners)):
        test = _is_place(index, k)
        x, y = where(test, corners[k][0], x), where(test, corners[k][1], y)
    return x, y


def _wrapped(index: Expr, count: Expr) -> Expr:
    """Return an index that is at most ``count`` off, in 0 ... count - 1."""
    index = where(less(index, -0.5), index + count, index)
    return where(less(index, count - 0.5), index, index - count)


def _left_of(a: Point, b: Point, c: Point) -> Expr:
    """Return the cross product of the ways from a to b and from b to c."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def grown(known: Known, x: Point, at: Nearest) -> Known:
    """Return the polygon with one more corner.

    Args:
        known: the polygon, with a place left.
        x: the corner, farthest in the direction of ``at``.
        at: where the polygon was nearest.
    """
    corner = _picked(known.corners, at.edge)
    aside = at.direction[0] * (x[1] - corner[1]) - at.direction[1] * (x[0] - corner[0])
    before = where(at.is_corner, less(aside, 0.0), 0.0)
    index = _wrapped(at.edge - before, known.count)
    a, b = _picked(known.corners, index), known.corners[0]
    after = _wrapped(index + 1, known.count)
    b = _picked(known.corners, after)
    first = _picked(known.corners, _wrapped(index - 1, known.count))
    last = _picked(known.corners, _wrapped(index + 2, known.count))
    many = less(2.5, known.count)
    drops_a = many * less(_left_of(first, a, x), 0.0)
    drops_b = many * less(_left_of(x, b, last), 0.0)
    drops_b = where(less(after, 0.5), 0.0, drops_b)  # the first stays where it is
    return inserted(known, x, index + 1 - drops_a, drops_a + drops_b)


def inserted(known: Known, x: Point, place: Expr, dropped: Expr) -> Known:
    """Return the polygon with a corner at a place, for as many dropped there."""
    old, n = known.corners, len(known.corners)
    count = known.count + 1 - dropped
    corners: list[Point] = []
    for k in range(n):
        before, here = old[max(k - 1, 0)], old[k]
        beyond = old[min(k + 1, n - 1)]
        axes: list[Expr] = []
        for i in range(2):
            moved = where(less(dropped, 0.5), before[i], here[i])
            moved = where(less(1.5, dropped), beyond[i], moved)
            kept = where(less(k - place, -0.5), here[i], moved)
            axes.append(where(_is_place(place, k), x[i], kept))
        corners.append((axes[0], axes[1]))
    used = [less(k - count, -0.5) for k in range(n)]
    first = corners[0]
    corners = [
        (where(use, c[0], first[0]), where(use, c[1], first[1]))
        for use, c in zip(used, corners, strict=True)
    ]
    return Known(corners, count)


def nearest(known: Known, point: Point) -> Nearest:
    """Return where the polygon is nearest to a point, and whether it goes round it.

    Args:
        known: the polygon.
        point: where.
    """
    corners, n = known.corners, len(known.corners)
    best: list[Expr] | None = None
    odd: Expr | None = None
    for k in range(n):
        a, b = corners[k], corners[(k + 1) % n]
        found = [*_edge(a, b, point), 0 * point[0] + k]
        if best is None or odd is None:
            best, odd = found, _crossed(a, b, point)
            continue
        closer = less(found[0], best[0])
        best = [where(closer, x, y) for x, y in zip(found, best, strict=True)]
        odd = where(_crossed(a, b, point), 1 - odd, odd)
    if best is None or odd is None:
        raise AssertionError("a polygon without corners")
    square, nx, ny, fx, fy, share, edge = best
    gap = sqrt(square)
    off = less(0.0, gap) * (1 - odd)
    at_end = maximum(less(share, 1e-9), less(1 - 1e-9, share)) * off
    over = 1 / where(off, gap, 1.0)
    direction = (
        where(off, (point[0] - fx) * over, nx),
        where(off, (point[1] - fy) * over, ny),
    )
    corner = _wrapped(edge + where(less(0.5, share), 1.0, 0.0) * at_end, known.count)
    edge = where(at_end, corner, _wrapped(edge, known.count))
    return Nearest(where(odd, gap, -gap), direction, edge, at_end)


def _edge(a: Point, b: Point, point: Point) -> list[Expr]:
    """Return square of distance, outward normal, nearest point and its share."""
    ex, ey = b[0] - a[0], b[1] - a[1]
    square = ex * ex + ey * ey
    real = less(SHORT, square)
    over = 1 / where(real, square, 1.0)
    px, py = point[0] - a[0], point[1] - a[1]
    share = minimum(maximum((px * ex + py * ey) * over, 0.0), 1.0)
    share = where(real, share, 0.0)
    fx, fy = a[0] + share * ex, a[1] + share * ey
    dx, dy = point[0] - fx, point[1] - fy
    length = sqrt(over)
    nx, ny = where(real, ey * length, 1.0), where(real, -ex * length, 0.0)
    return [dx * dx + dy * dy, nx, ny, fx, fy, share]


def _crossed(a: Point, b: Point, point: Point) -> Expr:
    """Return 1 where the ray from a point along x crosses an edge."""
    up, down = less(point[1], a[1]), less(point[1], b[1])
    apart = (up - down) * (up - down)
    rise = where(apart, b[1] - a[1], 1.0)
    at = a[0] + (b[0] - a[0]) * (point[1] - a[1]) / rise
    return apart * less(point[0], at)


def sorted_round(points: Sequence[Point], is_on: Sequence[Expr]) -> Known:
    """Return points in the order in which they lie round their mean.

    Args:
        points: at least one.
        is_on: which of them count; no other is in the polygon.
    """
    count = sum(is_on[1:], is_on[0])
    over = 1 / maximum(count, 1.0)
    mean = [
        sum((w * p[i] for w, p in zip(is_on, points, strict=True)), 0 * over) * over
        for i in range(2)
    ]
    rows: list[list[Expr]] = []
    for (x, y), on in zip(points, is_on, strict=True):
        dx, dy = x - mean[0], y - mean[1]
        size = maximum(maximum(dx, -dx) + maximum(dy, -dy), 1e-30)
        slope = dx / size
        round_ = where(less(dy, 0.0), 3 + slope, 1 - slope)  # 0 to 4, to the left
        rows.append([where(on, round_, 5.0), x, y])
    for length in range(len(rows) - 1, 0, -1):
        for k in range(length):
            swap = less(rows[k + 1][0], rows[k][0])
            pairs = list(zip(rows[k], rows[k + 1], strict=True))
            rows[k] = [where(swap, b, a) for a, b in pairs]
            rows[k + 1] = [where(swap, a, b) for a, b in pairs]
    return Known([(row[1], row[2]) for row in rows], count)


def widened(known: Known, places: int) -> Known:
    """Return the polygon with more places, those not in use at the first corner."""
    first = known.corners[0]
    corners = list(known.corners) + [first] * (places - len(known.corners))
    used = [less(k - known.count, -0.5) for k in range(places)]
    pairs = [
        (where(use, c[0], first[0]), where(use, c[1], first[1]))
        for use, c in zip(used, corners, strict=True)
    ]
    return Known(pairs, known.count)
