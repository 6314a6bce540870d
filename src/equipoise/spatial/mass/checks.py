"""Which numbers some positive density can have: the checks of ``MassProperties``."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from equipoise.core.arrays import Array, Mat3, expect_array
from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.spatial.rotations import is_rotation

__all__ = [
    "expect_float_type",
    "expect_inertia",
    "expect_rotation",
    "expect_symmetric",
    "has_density",
    "without_rounding_below_zero",
]

_TOLERANCE = 1e-6
"""Relative; inertias are read from files that print six digits, and float32 rounding
collected over a thousand sums is of the same size."""


def has_density(central: Array) -> bool:
    """Return whether a central second moment, (3, 3), is positive semidefinite.

    The three spreads along the principal axes are what a density must make >= 0; in
    terms of the inertia this is the triangle inequality of the principal moments.
    """
    spreads = np.linalg.eigvalsh(central)
    return bool(spreads[0] >= -_TOLERANCE * max(float(spreads[2]), 0.0))


def expect_inertia(inertia: ArrayLike) -> Mat3:
    """Return a rotational inertia, (3, 3), that some positive density has."""
    matrix = expect_symmetric("inertia", inertia, 3)
    if not has_density(0.5 * np.trace(matrix) * np.eye(3) - matrix):
        a, b, c = (float(x) for x in np.linalg.eigvalsh(matrix))
        why = (
            "a principal moment is negative"
            if a < 0
            else "the largest principal moment exceeds the sum of the others"
        )
        raise NotPhysicalError(
            f"inertia must belong to a positive density, but {why}: "
            f"{a:.6g}, {b:.6g}, {c:.6g} kg m^2."
        )
    return matrix


def expect_symmetric(name: str, value: ArrayLike, size: int) -> Array:
    """Return a symmetric matrix, (size, size), with rounding averaged away."""
    matrix = expect_array(name, value, (size, size))
    if np.abs(matrix - matrix.T).max() > _TOLERANCE * np.abs(matrix).max():
        raise NotPhysicalError(f"{name} must be symmetric, got {matrix.tolist()!r}.")
    return 0.5 * (matrix + matrix.T)


def without_rounding_below_zero(central: Array, allowance: float) -> Array:
    """Return ``central`` with spreads in [-allowance, 0] put to 0, (3, 3)."""
    spreads, axes = np.linalg.eigh(central)
    if not -allowance <= spreads[0] < 0.0:
        return central
    return (axes * np.maximum(spreads, 0.0)) @ axes.T


def expect_rotation(name: str, value: ArrayLike) -> Mat3:
    """Return a rotation matrix, (3, 3)."""
    matrix = expect_array(name, value, (3, 3))
    if not is_rotation(matrix):
        raise NotPhysicalError(
            f"{name} must be a rotation (orthonormal, determinant +1), "
            f"got {matrix.tolist()!r}."
        )
    return matrix


def expect_float_type(dtype: DTypeLike) -> np.dtype[Any]:
    """Return np.dtype(dtype) if it is float64 or float32."""
    kind = np.dtype(dtype)
    if kind not in (np.dtype(np.float64), np.dtype(np.float32)):
        raise ShapeError(f"dtype must be np.float64 or np.float32, got {kind}.")
    return kind
