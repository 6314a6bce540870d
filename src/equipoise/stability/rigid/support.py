"""Does the centre of mass hang over the feet, and how far from the edge is it?

Flat, level, rigid ground that only pushes: the robot stands still where the vertical
through its centre of mass meets the hull of its contact points ([McGhee1968];
[Ridderstrom2003] section 2.4). Margins are lengths [m], positive inside. A support
without area (a point, a segment) has a margin of at most zero: minus the distance to
it. No support at all has the margin -inf.

Points come as (n, 2) or (n, 3), in any order; ``hull`` says what becomes of them.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.core.arrays import Array, Ints, expect_array
from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.rigid.hull import (
    ROUNDING,
    expect_states,
    half_planes,
    horizontal,
    rounding_of,
    support_polygon,
)

__all__ = [
    "conservative_polygon",
    "gait_longitudinal_margin",
    "longitudinal_margin",
    "nearest_edge",
    "static_margin",
    "weakest_direction",
]


def _nearest(pxy: Array, corners: Array) -> tuple[Array, Array, Ints]:
    """Return distance (...), nearest boundary point (..., 2) and its edge (...)."""
    way = np.roll(corners, -1, axis=0) - corners
    square = np.einsum("ij,ij->i", way, way)
    to = pxy[..., None, :] - corners
    share = np.einsum("...ij,ij->...i", to, way) / np.where(square > 0, square, 1.0)
    foot = corners + np.clip(share, 0.0, 1.0)[..., None] * way
    gaps = np.linalg.norm(pxy[..., None, :] - foot, axis=-1)
    edge = np.argmin(gaps, axis=-1)
    nearest = np.take_along_axis(foot, edge[..., None, None], axis=-2)[..., 0, :]
    return np.min(gaps, axis=-1), nearest, edge


def _is_inside(pxy: Array, corners: Array) -> NDArray[np.bool_]:
    """Return whether points are in a polygon that has an area, (...)."""
    if len(corners) < 3:
        return np.zeros(pxy.shape[:-1], dtype=bool)
    way = np.roll(corners, -1, axis=0) - corners
    to = pxy[..., None, :] - corners
    return np.all(way[:, 0] * to[..., 1] >= way[:, 1] * to[..., 0], axis=-1)


def static_margin(pxy_WC: ArrayLike, points: ArrayLike) -> Array:
    """Return the distance of the centre of mass from the edge of the support [m].

    The static stability margin of [McGhee1968], with a sign: positive inside, the
    shortest way to the edge; negative outside, the way back to the support.

    Args:
        pxy_WC: centre of mass seen from above, (..., 2) [m].
        points: of contact, (n, 2) or (n, 3) [m].

    Returns:
        The margin, (...) [m]; at most zero over a segment or a point, -inf over
        nothing.

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    pxy = expect_states("pxy_WC", pxy_WC, (2,))
    corners = support_polygon(points)
    if len(corners) == 0:
        return np.full(pxy.shape[:-1], -np.inf)
    gap = _nearest(pxy, corners)[0]
    return np.where(_is_inside(pxy, corners), gap, -gap)


def nearest_edge(pxy_WC: ArrayLike, points: ArrayLike) -> tuple[Array, Array] | None:
    """Return the edge of the support that the margin is measured to, and where.

    Args:
        pxy_WC: centre of mass seen from above, (2,) [m].
        points: of contact, (n, 2) or (n, 3) [m].

    Returns:
        Ends of the edge, (2, 2), and the point on it nearest to the centre of mass,
        (2,) [m]; both ends are the same over a point; None without any support.

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    pxy = expect_array("pxy_WC", pxy_WC, (2,))
    corners = support_polygon(points)
    if len(corners) == 0:
        return None
    _, nearest, edge = _nearest(pxy, corners)
    return corners[[int(edge), (int(edge) + 1) % len(corners)]], nearest


def weakest_direction(pxy_WC: ArrayLike, points: ArrayLike) -> Array:
    """Return the direction in which the robot tips over first, seen from above.

    Inside it points to the nearest edge, outside away from the support.

    Args:
        pxy_WC: centre of mass seen from above, (..., 2) [m].
        points: of contact, (n, 2) or (n, 3) [m].

    Returns:
        Unit vectors, (..., 2); zero where no way is weaker than another: on the single
        point of a support, or without any.

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    pxy = expect_states("pxy_WC", pxy_WC, (2,))
    corners = support_polygon(points)
    if len(corners) == 0:
        return np.zeros_like(pxy)
    gap, nearest, edge = _nearest(pxy, corners)
    outward = half_planes(corners)[0][edge]
    if len(corners) == 1:
        outward = np.zeros_like(outward)
    is_off = (gap > 0.0) & ~_is_inside(pxy, corners)
    away = (pxy - nearest) / np.where(is_off, gap, 1.0)[..., None]
    return np.where(is_off[..., None], away, outward)


def _clipped(polygon: Array, normal: Array, offset: float, slack: float) -> Array:
    """Return the part of a polygon, segment or point with n·x <= offset, (k, 2)."""
    depth = polygon @ normal - offset
    kept: list[Array] = []
    for i, corner in enumerate(polygon):
        j = (i + 1) % len(polygon)
        if depth[i] <= slack:
            kept.append(corner)
        if (depth[i] <= slack) != (depth[j] <= slack):
            share = np.clip(depth[i] / (depth[i] - depth[j]), 0.0, 1.0)
            kept.append(corner + share * (polygon[j] - corner))
    return np.array(kept) if kept else np.zeros((0, 2))


def conservative_polygon(feet: Sequence[ArrayLike]) -> Array:
    """Return the polygon that still supports the centre of mass if any one foot fails.

    The conservative support polygon: what the hulls of all feet but one have in common.
    Four point feet have a point (the diagonals' crossing), three have nothing.

    Args:
        feet: for each foot its contact points, (k, 2) or (k, 3), or one point [m].

    Returns:
        Corners as in ``support_polygon``, (k, 2) [m], for use as ``points`` of the
        margins; larger than the true polygon by at most 1e-12 of its coordinates.

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    soles = [
        horizontal(np.atleast_2d(expect_states(f"feet[{i}]", foot, ())), f"feet[{i}]")
        for i, foot in enumerate(feet)
    ]
    if len(soles) < 2:
        return np.zeros((0, 2))
    slack = rounding_of(np.concatenate(soles))
    region: Array | None = None
    for failed in range(len(soles)):
        rest = [sole for i, sole in enumerate(soles) if i != failed]
        corners = support_polygon(np.concatenate(rest))
        if len(corners) == 0:
            return corners
        if region is None:
            region = corners
            continue
        for normal, offset in zip(*half_planes(corners), strict=True):
            region = _clipped(region, normal, float(offset), slack)
    return support_polygon(np.zeros((0, 2)) if region is None else region)


def longitudinal_margin(
    pxy_WC: ArrayLike, points: ArrayLike, heading: ArrayLike
) -> Array:
    """Return the shorter distance, ahead or behind, to the edge of the support [m].

    The longitudinal margin of [Song1989] ([Ridderstrom2003] section 2.4). It looks
    along the heading only: over a segment that lies along the heading it may be
    positive though the robot tips sideways. ``static_margin`` says whether it stands.

    Args:
        pxy_WC: centre of mass seen from above, (..., 2) [m].
        points: of contact, (n, 2) or (n, 3) [m].
        heading: direction of travel seen from above, (2,), of any length.

    Returns:
        The margin, (...) [m]: negative where the support is all ahead or all behind,
        -inf where a line along the heading misses it.

    Raises:
        NotPhysicalError: the heading is zero.
        ShapeError: wrong shape or an entry that is not finite.
    """
    pxy = expect_states("pxy_WC", pxy_WC, (2,))
    ahead = expect_array("heading", heading, (2,))
    if not (length := float(np.hypot(ahead[0], ahead[1]))) > 0.0:
        raise NotPhysicalError("heading must be a direction, got [0, 0].")
    corners = support_polygon(points)
    if len(corners) == 0:
        return np.full(pxy.shape[:-1], -np.inf)
    normals, offsets = half_planes(corners)
    rate, slack = normals @ (ahead / length), rounding_of(corners)
    room = offsets - pxy @ normals.T  # s rate <= room for a step s along the heading
    is_level = np.abs(rate) <= ROUNDING
    step = room / np.where(is_level, 1.0, rate)
    front = np.min(np.where(~is_level & (rate > 0), step, np.inf), axis=-1)
    rear = np.max(np.where(~is_level & (rate < 0), step, -np.inf), axis=-1)
    misses = np.any(is_level & (room < -slack), axis=-1) | (rear > front + slack)
    return np.where(misses, -np.inf, np.minimum(front, -rear))


def gait_longitudinal_margin(
    pxy_WC: ArrayLike, supports: Sequence[ArrayLike], heading: ArrayLike
) -> float:
    """Return the smallest longitudinal margin over the samples of a stride [m].

    Args:
        pxy_WC: centre of mass at each sample, (nt, 2) [m].
        supports: contact points at each sample, nt times (n, 2) or (n, 3) [m].
        heading: direction of travel seen from above, (2,).

    Raises:
        NotPhysicalError: the heading is zero.
        ShapeError: no sample, or not as many supports as samples.
    """
    pxy = expect_array("pxy_WC", pxy_WC, (-1, 2))
    if len(pxy) == 0 or len(pxy) != len(supports):
        raise ShapeError(
            f"supports must have one entry for each of the {len(pxy)} samples of "
            f"pxy_WC, at least one, got {len(supports)}."
        )
    rows = zip(pxy, supports, strict=True)
    return min(float(longitudinal_margin(p, s, heading)) for p, s in rows)
