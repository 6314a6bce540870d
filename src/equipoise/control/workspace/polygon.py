"""Where a point is against the area that some corners span, compiled."""

import math

from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["hull_gap"]


@compiled(allocates=False)
def hull_gap(points: Array, n: int, x: float, y: float) -> tuple[float, float, float]:
    """Return how far a point is outside the hull of the first n points, and where.

    Args:
        points: (>= n, 2) [m].
        n: how many count, at least three, not on one line.
        x: of the point [m].
        y: of the point [m].

    Returns:
        The distance, negative inside, and the hull's point nearest to it; inside, the
        point itself [m].
    """
    inside, best = -math.inf, math.inf
    bx, by = x, y
    for i in range(n):
        for j in range(n):
            ex, ey = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1]
            length = math.hypot(ex, ey)
            if i == j or length < 1e-9:
                continue
            ex, ey = ex / length, ey / length
            is_edge = True
            for k in range(n):
                side = ex * (points[k, 1] - points[i, 1])
                side -= ey * (points[k, 0] - points[i, 0])
                is_edge = is_edge and side > -1e-9
            if not is_edge:
                continue
            out = ey * (x - points[i, 0]) - ex * (y - points[i, 1])
            inside = max(inside, out)
            if out > 0.0:
                along = ex * (x - points[i, 0]) + ey * (y - points[i, 1])
                along = min(max(along, 0.0), length)
                qx, qy = points[i, 0] + along * ex, points[i, 1] + along * ey
                gap = math.hypot(x - qx, y - qy)
                if gap < best:
                    best, bx, by = gap, qx, qy
    if inside <= 0.0:
        return inside, x, y
    return best, bx, by
