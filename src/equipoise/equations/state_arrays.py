"""States as they come through the door: arrays of any number of them, checked."""

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array
from equipoise.core.errors import ShapeError

__all__ = ["foot_forces", "shaped", "states"]


def shaped(values: Array, *shape: int) -> Array:
    """Return values with their last axis in another shape."""
    return values.reshape(*values.shape[:-1], *shape)


def states(name: str, given: ArrayLike | None, width: int) -> Array:
    """Return states as an array, (..., width)."""
    found = np.asarray(given, dtype=float)
    if found.shape[-1:] != (width,):
        raise ShapeError(f"{name} must have shape (..., {width}), got {found.shape}.")
    if not np.isfinite(found).all():
        raise ShapeError(f"{name} must be finite.")
    return found


def foot_forces(given: ArrayLike | None, feet: int) -> Array:
    """Return forces on feet as an array, (..., 3 feet)."""
    if given is None:
        return np.zeros(3 * feet)
    found = np.asarray(given, dtype=float)
    if found.shape[-2:] != (feet, 3):
        problem = f"forces must have shape (..., {feet}, 3), got {found.shape}."
        raise ShapeError(problem)
    return states("forces", found.reshape(*found.shape[:-2], 3 * feet), 3 * feet)
