"""The hull of contact points seen from above, with all its degenerate forms.

Points come as (n, 2), or as (n, 3) of which the horizontal part counts, in any order,
repeated or not. A width below 1e-12 of the largest coordinate is taken for rounding:
points that close are one point, and a hull that narrow is a segment.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, Ints, expect_array
from equipoise.core.errors import ShapeError

__all__ = [
    "ROUNDING",
    "expect_states",
    "half_planes",
    "horizontal",
    "rounding_of",
    "support_corners",
    "support_polygon",
]

ROUNDING = 1e-12
"""Share of the largest coordinate below which a width is rounding, not a shape."""


def expect_states(name: str, value: ArrayLike, tail: tuple[int, ...]) -> Array:
    """Return ``value`` as finite floats of shape (..., *tail).

    Args:
        name: what the array is called in the caller's signature.
        value: anything NumPy can turn into floats.
        tail: the last axes; those before count states; -1 stands for any length.
    """
    try:
        leading = max(np.ndim(value) - len(tail), 0)
    except ValueError:  # ragged; said better below
        leading = 0
    return expect_array(name, value, (-1,) * leading + tail)


def horizontal(points: ArrayLike, name: str = "points") -> Array:
    """Return the horizontal part of points, (n, 2); none at all is fine."""
    given = expect_states(name, points, ())
    if given.size == 0:
        return np.zeros((0, 2))
    if given.ndim != 2 or given.shape[1] not in (2, 3):
        raise ShapeError(f"{name} must be (n, 2) or (n, 3), got {given.shape}.")
    return given[:, :2]


def rounding_of(points: Array) -> float:
    """Return the width [m] that is rounding for points of this size."""
    return ROUNDING * float(np.abs(points).max(initial=0.0))


def _turn(a: list[float], b: list[float], c: list[float]) -> float:
    """Return how far b lies to the right of the way from a to c [m]."""
    x, y = c[0] - a[0], c[1] - a[1]
    to_x, to_y = b[0] - a[0], b[1] - a[1]
    length = math.hypot(x, y)
    return (y * to_x - x * to_y) / length if length > 0.0 else math.hypot(to_x, to_y)


def _chain(at: list[list[float]], order: list[int]) -> list[int]:
    """Return the lower (or, in reverse, the upper) half of the hull, last left out."""
    half: list[int] = []
    for i in order:
        while len(half) > 1 and _turn(at[half[-2]], at[half[-1]], at[i]) <= 0.0:
            half.pop()
        half.append(i)
    return half[:-1]


def _without_rounding(at: list[list[float]], ring: list[int], width: float) -> Ints:
    """Drop corners that rounding made; a hull of fewer points is never larger."""
    i = 0
    while len(ring) > 3 and i < len(ring):
        before, after = ring[i - 1], ring[(i + 1) % len(ring)]
        # A repeat of its neighbour is within the width of this line as well.
        if _turn(at[before], at[ring[i]], at[after]) <= width:
            ring.pop(i)
            i = max(i - 1, 0)
        else:
            i += 1
    return np.array(ring, dtype=np.int64)


def support_corners(points: ArrayLike) -> Ints:
    """Return which points are corners of the support, counter-clockwise from above.

    Args:
        points: of contact, (n, 2) or (n, 3) [m].

    Returns:
        Indices into ``points``: three or more, or two for a segment, one for a point,
        none where there is no contact.

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    pxy = horizontal(points)
    if len(pxy) == 0:
        return np.zeros(0, dtype=np.int64)
    width = rounding_of(pxy)
    centred = pxy - pxy.mean(axis=0)
    axis = np.linalg.svd(centred, full_matrices=False)[2][0]
    along = centred @ axis
    across = centred @ np.array([-axis[1], axis[0]])
    ends = [int(np.argmin(along)), int(np.argmax(along))]
    if float(np.ptp(along)) <= width:
        return np.array(ends[:1], dtype=np.int64)
    if float(np.ptp(across)) <= width:
        return np.array(ends, dtype=np.int64)
    at: list[list[float]] = pxy.tolist()
    order = sorted(range(len(at)), key=at.__getitem__)
    return _without_rounding(at, _chain(at, order) + _chain(at, order[::-1]), width)


def support_polygon(points: ArrayLike) -> Array:
    """Return the corners of the support, the hull of the contact points.

    Args:
        points: of contact, (n, 2) or (n, 3) [m].

    Returns:
        Corners, counter-clockwise seen from above, (k, 2) [m]; two for a segment, one
        for a point, none where there is no contact.

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    return horizontal(points)[support_corners(points)]


def half_planes(corners: Array) -> tuple[Array, Array]:
    """Return outward unit normals (k, 2) and offsets (k,): inside is n·x <= offset.

    A segment has two sides and two ends, a point four sides.
    """
    if len(corners) == 1:
        normals = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
        return normals, normals @ corners[0]
    way = np.roll(corners, -1, axis=0) - corners
    way = way / np.linalg.norm(way, axis=1, keepdims=True)
    normals, at = np.stack([way[:, 1], -way[:, 0]], axis=1), corners
    if len(corners) == 2:
        normals = np.concatenate([normals, -way])
        at = np.concatenate([corners, corners])
    return normals, np.einsum("ij,ij->i", normals, at)
