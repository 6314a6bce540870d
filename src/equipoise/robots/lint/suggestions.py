"""What would be credible instead, in words."""

import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.lint.body import LintBody

__all__ = ["box_guess", "six", "three"]


def box_guess(body: LintBody) -> str:
    """Return the inertia of a box of the body's size, in words."""
    unknown = "that of a box of its size, m/12 (b² + c²) and so on"
    if not body.shapes or not body.mass or not body.mass > 0.0:
        return unknown
    points = np.vstack([shape.points for shape in body.shapes])
    a, b, c = np.ptp(points, axis=0) ** 2
    diagonal = body.mass / 12.0 * np.array([b + c, a + c, a + b])
    if not diagonal.min() > 0.0 or not np.isfinite(diagonal).all():
        return unknown
    return f"that of a box of its size: {six(np.diag(diagonal))}"


def six(inertia: Array) -> str:
    """Return an inertia as files write it."""
    rows, columns = [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]
    names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    values = np.where(np.abs(inertia) < 1e-15, 0.0, inertia)[rows, columns]
    return " ".join(f"{n}={v:.6g}" for n, v in zip(names, values, strict=True))


def three(point: Array) -> str:
    """Return a point in words."""
    return f"({', '.join(f'{x:.4g}' for x in point)}) m"
