"""Where the centre of mass may be so that contacts with friction can hold it up.

Contacts may be anywhere and face any way. The region of static equilibrium is convex
and does not depend on the centre of mass's height ([Bretl2006] section III); on flat
ground it is the support polygon. True friction cones are used, no pyramids: a pyramid
of four sides can lose a fifth of the area on steep ground.
"""

import math
from enum import Enum
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, expect_array
from equipoise.core.errors import ShapeError
from equipoise.stability.region.bounds import (
    RESOLUTION,
    Bounds,
    Point,
    area,
    hull,
    inner_points,
    narrowed,
    outer_points,
    outward,
)
from equipoise.stability.region.checks import Limits, expect_contacts, expect_limits
from equipoise.stability.region.margin import margin_bounds
from equipoise.stability.region.problem import ContactProblem, Extreme, Solved

__all__ = ["EquilibriumRegion", "RegionKind", "equilibrium_region"]


class RegionKind(Enum):
    """Kind of a region of static equilibrium; the value is a sentence for people."""

    AREA = "The centre of mass may be anywhere in an area."
    SEGMENT = "The centre of mass must be on a line between two points."
    POINT = "The centre of mass must be at one point."
    EMPTY = "No forces within friction and limits hold the weight, wherever it is."
    UNBOUNDED = (
        "The contacts can clamp, so that the centre of mass may be arbitrarily "
        "far out; limit the normal forces with max_normal."
    )
    NOT_KNOWN = "The solver could not decide; the contacts are too near to slipping."


_KINDS = {
    Solved.NONE: RegionKind.EMPTY,
    Solved.ENDLESS: RegionKind.UNBOUNDED,
    Solved.NOT_KNOWN: RegionKind.NOT_KNOWN,
}


@final
class EquilibriumRegion:
    """Region of static equilibrium, as ``equilibrium_region`` returns it.

    Lengths are told apart down to 1e-7 of the contacts' spread, the farthest distance
    of a contact from their mean (of 1 m for one contact).

    Args:
        problem: the contacts, in units of their spread from their mean.
        centre: their mean, (3,) [m].
        spread: [m].
        bounds: lines around the region, in the same units.
    """

    def __init__(
        self, problem: ContactProblem, centre: Array, spread: float, bounds: Bounds
    ) -> None:
        self._problem, self._bounds = problem, bounds
        self._centre, self._spread = centre[:2].copy(), spread
        known = inner_points(bounds.lines) if bounds.lines else []
        self._known, self._thin = _collapsed(known)
        self._enclosing = outer_points(bounds.lines) if bounds.lines else []

    @property
    def kind(self) -> RegionKind:
        """Kind of region: area, segment, point, empty, unbounded, or not known."""
        if self._bounds.status is not Solved.FOUND:
            return _KINDS[self._bounds.status]
        return self._thin or RegionKind.AREA

    @property
    def area(self) -> float:
        """Mean area of both polygons [m^2]; inf if unbounded, nan if not known."""
        if self.kind in (RegionKind.POINT, RegionKind.SEGMENT, RegionKind.EMPTY):
            return 0.0
        if self.kind is not RegionKind.AREA:
            return math.inf if self.kind is RegionKind.UNBOUNDED else math.nan
        mean = 0.5 * (area(self._known) + area(self._enclosing))
        return mean * self._spread**2

    @property
    def inner(self) -> Array:
        """Corners of a polygon inside the region, counter-clockwise, (n, 2) [m].

        One corner for a point, two for a segment, none if there is no polygon.
        """
        return self._placed(self._known)

    @property
    def outer(self) -> Array:
        """Corners of a polygon around the region, counter-clockwise, (n, 2) [m].

        The same as ``inner`` for a point or a segment.
        """
        is_flat = self.kind in (RegionKind.POINT, RegionKind.SEGMENT)
        return self._placed(self._known if is_flat else self._enclosing)

    def _placed(self, corners: list[Point]) -> Array:
        return self._centre + self._spread * np.array(corners).reshape(-1, 2)

    def _inside_units(self, pxy: ArrayLike) -> Point:
        x, y = (expect_array("xy", pxy, (2,)) - self._centre) / self._spread
        return float(x), float(y)

    def _solve(self, direction: Point) -> Extreme:
        return self._problem.solve(np.array(direction))

    def support(self, direction: ArrayLike) -> float:
        """Return the extent of the region in a direction, solved for that direction.

        Args:
            direction: horizontal, any length but zero, (2,); only its way counts.

        Returns:
            The largest d·c_xy over the region with d of length one [m]; inf where it
            is unbounded that way, -inf where the region is empty, nan if not known.
        """
        d = expect_array("direction", direction, (2,))
        length = float(np.hypot(*d))
        if not length > 0.0:
            raise ShapeError("direction must not be zero; (1, 0) would be along x.")
        found = self._problem.solve(d / length)
        if found.status is Solved.FOUND:
            return found.value * self._spread + float(self._centre @ d) / length
        ends = {Solved.NONE: -math.inf, Solved.ENDLESS: math.inf}
        return ends.get(found.status, math.nan)

    def contains(self, xy: ArrayLike) -> bool:
        """Return whether the centre of mass can be held above a point.

        Points between both polygons are decided by solving on; the edge counts as
        inside. False also where the solver cannot tell.

        Args:
            xy: where, (2,) [m].
        """
        x, y = self._inside_units(xy)
        if self._bounds.status is Solved.ENDLESS:
            return self._problem.holds(np.array([x, y])) is True
        if not self._bounds.lines:
            return False
        lower, _ = margin_bounds(
            self._solve,
            self._bounds.lines,
            (x, y),
            lambda low, high: low >= -RESOLUTION or high < -RESOLUTION,
        )
        return lower >= -RESOLUTION

    def margin(self, xy: ArrayLike) -> float:
        """Return the distance from a point to the region's edge, negative outside.

        Args:
            xy: where, (2,) [m].

        Returns:
            The distance [m], never too large by more than the solver's tolerance; 0 at
            most for a point or a segment, -inf where the region is empty, nan where it
            is unbounded or not known.
        """
        point = self._inside_units(xy)
        if self._bounds.status is Solved.NONE:
            return -math.inf
        if not self._bounds.lines:
            return math.nan
        lower, _ = margin_bounds(
            self._solve, self._bounds.lines, point, lambda low, high: False
        )
        return lower * self._spread

    def __repr__(self) -> str:
        """Return kind and area."""
        return f"EquilibriumRegion({self.kind.name}, area={self.area:.6g} m^2)"


def _collapsed(corners: list[Point]) -> tuple[list[Point], RegionKind | None]:
    """Return one corner for a point, two for a segment, and which of them it is."""
    if not corners:
        return corners, None
    a = max(corners, key=lambda p: math.dist(corners[0], p))
    b = max(corners, key=lambda p: math.dist(a, p))
    normal = outward(a, b)
    if normal is None:
        return [a], RegionKind.POINT
    u, v = normal
    width = max(abs(u * (p[0] - a[0]) + v * (p[1] - a[1])) for p in corners)
    return ([a, b], RegionKind.SEGMENT) if width <= RESOLUTION else (corners, None)


def equilibrium_region(
    points: ArrayLike,
    normals: ArrayLike,
    frictions: ArrayLike,
    weight: float = 1.0,
    max_normal: ArrayLike | None = None,
    gap: float = 1e-3,
    *,
    force_rows: ArrayLike | None = None,
    force_bounds: ArrayLike | None = None,
) -> EquilibriumRegion:
    """Return the region in which the centre of mass may be, seen from above.

    Args:
        points: contacts, (nc, 3) [m], z up.
        normals: of the ground, unit, towards the robot, (nc, 3).
        frictions: Coulomb coefficients >= 0, (nc,), or one for all.
        weight: m g [N], > 0; matters only with limits on the forces.
        max_normal: largest normal force of each contact, > 0, (nc,) or one for all [N].
        gap: largest area between ``outer`` and ``inner`` over ``inner``'s, above 0.
        force_rows: with ``force_bounds``, more limits Σ_i rows[l, i]·f_i <= bounds[l]
            on the forces f_i on the robot in the world, (nl, nc, 3); those of joints
            come from ``torque_limits``.
        force_bounds: (nl,), in newtons times the rows' unit.

    Returns:
        The region; one that is empty or unbounded says so in ``kind``.

    Raises:
        ShapeError: wrong shape, or an entry that is not finite.
        NotPhysicalError: no contact, a normal that is not unit, negative friction, or a
            weight, limit or gap that is not positive.
    """
    p, n, mu = expect_contacts(points, normals, frictions, weight, gap)
    limits = expect_limits(n, weight, max_normal, force_rows, force_bounds)
    centre = p.mean(axis=0)
    arms = p - centre
    spread = float(np.linalg.norm(arms, axis=1).max()) or 1.0
    arms = arms / spread
    problem = ContactProblem(arms, n, mu, limits)
    seeds = _alone(arms, n, mu, limits)
    directions = [outward(a, b) for a, b in _edges(seeds)]
    start = [d for d in directions if d is not None]
    if len(start) < 3:
        seeds, start = [], _across(arms)

    def solve(direction: Point) -> Extreme:
        return problem.solve(np.array(direction))

    return EquilibriumRegion(
        problem, centre, spread, narrowed(solve, start, seeds, gap)
    )


def _edges(corners: list[Point]) -> list[tuple[Point, Point]]:
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def _alone(
    arms: Array, normals: Array, mu: Array, limits: Limits | None
) -> list[Point]:
    """Return the hull of the contacts that can each carry the whole weight alone."""
    up = normals[:, 2]
    can = (up > 0.0) & (np.hypot(normals[:, 0], normals[:, 1]) <= mu * up)
    if limits is not None:
        can &= (limits[0][:, :, 2] <= limits[1][:, None]).all(axis=0)
    # nearer than this they are one: an edge needs a direction
    apart = {(round(x, 5), round(y, 5)): (x, y) for x, y in arms[can, :2].tolist()}
    corners = hull(list(apart.values()))
    return corners if len(corners) > 2 and area(corners) > 1e-6 else []


def _across(arms: Array) -> list[Point]:
    """Return four directions, along and across the contacts' longest extent."""
    x, y = np.linalg.svd(arms[:, :2], full_matrices=True)[2][0]
    way = (float(x), float(y))
    turned = (-way[1], way[0])
    return [way, turned, (-way[0], -way[1]), (way[1], -way[0])]
