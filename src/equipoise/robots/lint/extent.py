"""The room a body's shapes and joints leave for its mass, and how it would fill it.

The second moments of a body about its centre of mass, S = ½ tr(I) 1 - I, are the
integrals of x xᵀ over its mass: m times a variance along each axis. Matter between two
planes, a behind and b ahead of the centre of mass, has at most the variance a b (half
of it at each plane, the inequality of Bhatia and Davis); a body that fills its shapes
evenly has about a third of that.
"""

from dataclasses import dataclass

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.robots.lint.body import LintBody
from equipoise.robots.lint.shapes import LintShape

__all__ = [
    "Filling",
    "fillings",
    "outside_by",
    "second_moments",
    "width_excess",
]

SLACK_SHARE, SLACK = 0.05, 5e-3
"""What shapes leave out, such as screws, plugs and the rim of a motor: a share of their
size, and a length [m]."""
_GRID = np.array(np.meshgrid([-1, 0, 1], [-1, 0, 1], [-1, 0, 1])).reshape(3, -1).T
_HALF = _GRID[[tuple(row) > (0, 0, 0) for row in _GRID.tolist()]]
DIRECTIONS = _HALF / np.linalg.norm(_HALF, axis=1, keepdims=True)
"""Axes, edges and corners of a cube, (13, 3)."""


@dataclass(frozen=True)
class Filling:
    """Hull of some shapes, filled evenly."""

    volume: float
    """[m³]."""
    centre: Vec3
    """Centre of mass, (3,) [m]."""
    variance: Mat3
    """Second moments about the centre by unit of mass, (3, 3) [m²]."""
    half: Vec3
    """Half sides of the box around it, (3,) [m]."""


def second_moments(inertia: Mat3) -> Mat3:
    """Return the second moments of a body from its inertia, (3, 3) [kg m²]."""
    return 0.5 * np.trace(inertia) * np.eye(3) - inertia


def fillings(body: LintBody) -> list[Filling]:
    """Return the hull of the shapes for collision and of those that are drawn."""
    groups = [
        [s for s in body.shapes if s.is_drawn == drawn] for drawn in (False, True)
    ]
    known = [_filling(group) for group in groups if group]
    return [filling for filling in known if filling is not None]


def outside_by(point: Vec3, points: Array) -> float | None:
    """Return how far a point is outside the convex hull of others [m].

    Args:
        point: (3,) [m].
        points: (n, 3) [m].

    Returns:
        The largest distance to a face's plane, which a corner's distance is not below;
        negative inside; None for a flat hull.
    """
    from scipy.spatial import ConvexHull, QhullError  # slow to import, rarely needed

    try:
        faces = ConvexHull(points).equations
    except (QhullError, ValueError):
        return None
    return float((faces[:, :3] @ point + faces[:, 3]).max())


def width_excess(variance: Mat3, com: Vec3, points: Array) -> float:
    """Return the largest variance over what the points leave room for, of 13 axes.

    Args:
        variance: second moments about the centre of mass by mass, (3, 3) [m²].
        com: centre of mass, (3,) [m].
        points: corners of what the mass is in, (n, 3) [m].
    """
    slack = max(SLACK, SLACK_SHARE * float(np.linalg.norm(np.ptp(points, axis=0))))
    along = points @ DIRECTIONS.T
    at = DIRECTIONS @ com
    ahead = np.maximum(along.max(axis=0) - at, 0.0) + slack
    behind = np.maximum(at - along.min(axis=0), 0.0) + slack
    wanted = np.einsum("ni,ij,nj->n", DIRECTIONS, variance, DIRECTIONS)
    return float((wanted / (ahead * behind)).max())


def _filling(group: list[LintShape]) -> Filling | None:
    from scipy.spatial import ConvexHull, QhullError

    points = np.vstack([shape.points for shape in group])
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return None
    inside = points[hull.vertices].mean(axis=0)
    corners = points[hull.simplices] - inside  # tetrahedra from a point inside
    volumes = np.abs(np.linalg.det(corners)) / 6.0
    total = float(volumes.sum())
    if not total > 0.0:
        return None
    sums = corners.sum(axis=1)
    centre = (volumes / 4.0) @ sums / total
    moments = np.einsum("n,ni,nj->ij", volumes, sums, sums)
    moments += np.einsum("n,nki,nkj->ij", volumes, corners, corners)
    variance = moments / (20.0 * total) - np.outer(centre, centre)
    half = 0.5 * np.ptp(points, axis=0)
    return Filling(total, inside + centre, variance, half)
