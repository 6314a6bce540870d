"""How far a margin may be off where mass and centre of mass are only known roughly.

Each function returns an interval that holds the margin of every robot within the
tolerances; the argument is in its docstring. A centre of mass is given with a
half-width along each world axis; a ball lies in the box of its radius.
"""

import math
from dataclasses import dataclass
from typing import Literal, final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, Vec3, expect_array
from equipoise.core.checks import is_number
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import NotPhysicalError
from equipoise.stability.quantity import expect_above_zero
from equipoise.stability.region.region import EquilibriumRegion, RegionKind
from equipoise.stability.rigid.energy import climb, edge_frames, energy_margin
from equipoise.stability.rigid.hull import ROUNDING, horizontal
from equipoise.stability.rigid.support import static_margin, weakest_direction

__all__ = [
    "MarginInterval",
    "energy_margin_interval",
    "expect_share",
    "expect_widths",
    "region_margin_interval",
    "static_margin_interval",
]

_CELLS = 48
"""Cells along an axis in which the largest static margin is looked for."""
_COARSE = (16, 16, 4)
"""Cells for the energy margin."""
_SOLVED = 1e-6  # of a region's size: how well its margin is solved


@final
@dataclass(frozen=True)
class MarginInterval:
    """Margin that is known between two bounds."""

    low: float
    """Lower bound: no robot within the tolerances has less."""
    high: float
    """Upper bound: no robot within the tolerances has more."""
    is_proved: bool = True
    """Whether the bounds are proved; otherwise they come from a search, widened."""

    def above(self, limit: float) -> Literal["yes", "no", "unknown"]:
        """Return whether the margin is above a limit: for all, none, or some."""
        if self.low > limit:
            return "yes"
        return "no" if self.high < limit else "unknown"

    def below(self, limit: float) -> Literal["yes", "no", "unknown"]:
        """Return whether the margin is below a limit: for all, none, or some."""
        if self.high < limit:
            return "yes"
        return "no" if self.low > limit else "unknown"


def static_margin_interval(
    pxy_WC: ArrayLike, points: ArrayLike, com_tolerance: ArrayLike
) -> MarginInterval:
    """Return the bounds of the static margin [m].

    The signed distance to a convex set is concave in the point. So its least value over
    a box is at a corner of the box, and its slope at any point bounds it from above
    everywhere; the box is cut into cells and each bounded by the slope at its middle.

    Args:
        pxy_WC: centre of mass seen from above, (2,) [m].
        points: of contact, (n, 2) or (n, 3) [m].
        com_tolerance: half-width along x and y, (2,) or (3,), or one number [m].

    Returns:
        The bounds; both -inf without contact. The upper one is at most a 24th of the
        half-widths too large.

    Raises:
        NotPhysicalError: a tolerance that is negative.
        ShapeError: wrong shape or an entry that is not finite.
    """
    pxy = expect_array("pxy_WC", pxy_WC, (2,))
    half = expect_widths("static_margin_interval", com_tolerance)[:2]
    feet = horizontal(points)
    if not len(feet):
        return MarginInterval(-math.inf, -math.inf)
    slack = ROUNDING * max(float(np.abs(feet).max()), float(np.abs(pxy).max()), 1.0)
    signs = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])
    low = float(np.min(static_margin(pxy + signs * half, feet)))
    return MarginInterval(low - slack, _highest(pxy, half, feet) + slack)


def region_margin_interval(
    region: EquilibriumRegion, pxy_WC: ArrayLike, com_tolerance: ArrayLike
) -> MarginInterval:
    """Return the bounds of the margin in a region of static equilibrium [m].

    The region is convex and depends on neither mass nor centre of mass where the
    normal forces have no limit, so the argument is that of ``static_margin_interval``:
    the lower bound from the region itself, the upper from the polygon around it.

    Args:
        region: from ``equilibrium_region``.
        pxy_WC: centre of mass seen from above, (2,) [m].
        com_tolerance: half-width along x and y, (2,) or (3,), or one number [m].

    Returns:
        The bounds; from -inf to inf where the region is unbounded or not known.

    Raises:
        NotPhysicalError: a tolerance that is negative.
        ShapeError: wrong shape or an entry that is not finite.
    """
    pxy = expect_array("pxy_WC", pxy_WC, (2,))
    half = expect_widths("region_margin_interval", com_tolerance)[:2]
    if region.kind is RegionKind.EMPTY:
        return MarginInterval(-math.inf, -math.inf)
    if region.kind in (RegionKind.UNBOUNDED, RegionKind.NOT_KNOWN):
        return MarginInterval(-math.inf, math.inf)
    around = region.outer
    size = float(np.ptp(around, axis=0).max()) + float(np.abs(around - pxy).max())
    corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)] if half.any() else [(1, 1)]
    low = min(region.margin(pxy + np.array(sign) * half) for sign in corners)
    slack = _SOLVED * size
    return MarginInterval(low - slack, _highest(pxy, half, around) + slack)


def _highest(pxy: Array, half: Array, feet: Array) -> float:
    """Return an upper bound of the static margin over a box seen from above."""
    steps = (2 * np.arange(_CELLS) + 1) / _CELLS - 1
    x, y = np.meshgrid(pxy[0] + half[0] * steps, pxy[1] + half[1] * steps)
    at = np.stack([x, y], axis=-1).reshape(-1, 2)
    # The slope is a unit vector away from the weakest direction.
    rise = np.abs(weakest_direction(at, feet)) @ (half / _CELLS)
    return float(np.max(static_margin(at, feet) + rise))


def energy_margin_interval(
    p_WC: ArrayLike,
    points: ArrayLike,
    mass: float,
    *,
    com_tolerance: ArrayLike = 0.0,
    mass_tolerance: float = 0.0,
    gravity: float = GRAVITY,
) -> MarginInterval:
    """Return the bounds of the energy stability margin [J].

    The climb over an edge grows with the distance d inside it, and its size falls with
    the height a above it, both linear in the centre of mass. So the bounds of d and a
    over a box bound the climb; the box is cut into cells, and in each the weakest edge
    counts. On level ground the lower bound is exact.

    Args:
        p_WC: centre of mass, (3,) [m].
        points: of contact, (n, 3) [m], at any height.
        mass: of the robot, > 0 [kg].
        com_tolerance: half-width along x, y and z, (3,), or one number [m].
        mass_tolerance: share of the mass, at least 0, below 1.
        gravity: > 0 [m/s^2].

    Raises:
        NotPhysicalError: a mass or gravity that is none, a tolerance out of range.
        ShapeError: wrong shape or an entry that is not finite.
    """
    where = "energy_margin_interval"
    expect_above_zero(where, mass=mass, gravity=gravity)
    expect_share(where, mass_tolerance=mass_tolerance)
    half = expect_widths(where, com_tolerance)
    p = expect_array("p_WC", p_WC, (3,))
    corners = energy_margin(p, points, mass, gravity).corners
    if not len(corners):
        return MarginInterval(-math.inf, -math.inf)
    heights = _heights if len(corners) > 2 else _heights_without_area
    low, high = heights(p, half, corners)
    slack = ROUNDING * max(float(np.abs(corners).max()), float(np.abs(p).max()), 1.0)
    light, heavy = mass * (1 - mass_tolerance), mass * (1 + mass_tolerance)
    low, high = low - slack, high + slack
    return MarginInterval(
        gravity * low * (light if low > 0 else heavy),
        gravity * high * (heavy if high > 0 else light),
    )


def _heights(p: Vec3, half: Vec3, corners: Array) -> tuple[float, float]:
    """Return the bounds of the climb over the weakest edge [m]."""
    out, up, level = edge_frames(corners)
    axes = [(2 * np.arange(n) + 1) / n - 1 for n in _COARSE]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    small = half / np.array(_COARSE)
    to = (p + grid * half)[:, None, :] - corners
    inside = -np.einsum("cei,ei->ce", to[..., :2], out)
    above = np.einsum("cei,ei->ce", to, up)
    wide, tall = np.abs(out) @ small[:2], np.abs(up) @ small
    low = level * _signed_climb(inside - wide, above, tall)
    high = level * _signed_climb(inside + wide, above, -tall)
    return float(np.min(low)), float(np.max(np.min(high, axis=1)))


def _signed_climb(inside: Array, above: Array, tall: Array) -> Array:
    """Return the climb, negative past the edge; a taller body climbs less, both ways.

    ``tall`` is added to the height where that makes the climb less.
    """
    gain = climb(inside, np.where(inside > 0.0, above + tall, above - tall))
    return np.where(inside > 0.0, gain, -gain)


def _heights_without_area(p: Vec3, half: Vec3, corners: Array) -> tuple[float, float]:
    """Return the bounds over a segment or a point, never above zero [m]."""
    gap = static_margin_interval(p[:2], corners[:, :2], half)
    above = float(p[2] - corners[:, 2].min())
    far, near = np.array(-gap.low), np.array(max(-gap.high, 0.0))
    low = climb(far, np.array(above - half[2]))
    high = climb(near, np.array(above + half[2]))
    return -float(low), -float(high)


def expect_widths(where: str, value: ArrayLike) -> Vec3:
    """Return half-widths along x, y and z, (3,) [m].

    Args:
        where: the function that was called, for the message.
        value: one number, or (2,) without height, or (3,); none negative.
    """
    if is_number(value):
        value = np.full(3, value)
    given = expect_array("com_tolerance", value, (-1,))
    if len(given) == 2:
        given = np.append(given, 0.0)
    given = expect_array("com_tolerance", given, (3,))
    if (given < 0).any():
        raise NotPhysicalError(
            f"{where}: com_tolerance must not be negative, got {given.tolist()}; "
            "give half-widths in metres."
        )
    return given


def expect_share(where: str, **values: float) -> None:
    """Refuse tolerances that are not shares of at least 0 and below 1."""
    problems = [
        f"{name} must be a share of at least 0 and below 1, got {value!r}"
        for name, value in values.items()
        if not (is_number(value) and 0.0 <= value < 1.0)
    ]
    if problems:
        raise NotPhysicalError(f"{where}: {'; '.join(problems)}.")
