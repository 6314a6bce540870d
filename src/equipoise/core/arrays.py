"""Names for array shapes, and the checks that public entry points make."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.core.errors import ShapeError

__all__ = [
    "Array",
    "Ints",
    "Mat3",
    "Mat4",
    "Vec2",
    "Vec3",
    "Vec6",
    "VecN",
    "expect_array",
]

Array: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Vec2: TypeAlias = Array
"""Shape (2,)."""
Vec3: TypeAlias = Array
"""Shape (3,)."""
Vec6: TypeAlias = Array
"""Shape (6,)."""
VecN: TypeAlias = Array
"""Shape (n,)."""
Mat3: TypeAlias = Array
"""Shape (3, 3)."""
Mat4: TypeAlias = Array
"""Shape (4, 4)."""


def expect_array(name: str, value: ArrayLike, shape: Sequence[int]) -> Array:
    """Return ``value`` as a float array after checking shape and finiteness.

    Args:
        name: what the array is called in the caller's signature.
        value: anything NumPy can turn into floats.
        shape: expected shape; -1 stands for any length.

    Returns:
        The array, float64; not a copy when it already is one.

    Raises:
        ShapeError: wrong shape, not numeric, or an entry that is not finite.
    """
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ShapeError(
            f"{name} must be an array of numbers, got {value!r}."
        ) from None
    fits = array.ndim == len(shape) and all(
        want in (-1, have) for want, have in zip(shape, array.shape, strict=True)
    )
    if not fits:
        wanted = tuple("any" if n == -1 else n for n in shape)
        raise ShapeError(f"{name} must have shape {wanted}, got {array.shape}.")
    if not np.isfinite(array).all():
        raise ShapeError(f"{name} must be finite, got {array.tolist()!r}.")
    return array
