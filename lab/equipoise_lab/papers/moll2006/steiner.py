"""Inertia by hand, for checking what is printed; the library adds second moments."""

import numpy as np

from equipoise.core.arrays import Mat3, Vec3

__all__ = ["combined", "steiner"]


def combined(
    m1: float, p1: Vec3, I1: Mat3, m2: float, p2: Vec3, I2: Mat3
) -> tuple[float, Vec3, Mat3]:
    """Return c1 + c2 exactly as [Moll2006] section III prints it."""
    m0 = m1 + m2
    return m0, (m1 * p1 + m2 * p2) / m0, (m1 * I1 + m2 * I2) / m0


def steiner(mass: float, p: Vec3) -> Mat3:
    """Return m (|p|² 1 - p pᵀ), the parallel-axis term, (3, 3) [kg m²]."""
    return mass * (float(p @ p) * np.eye(3) - np.outer(p, p))
