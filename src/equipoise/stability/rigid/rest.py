"""Where a rigid body comes to rest that is put down gently on a plane.

It sinks until it touches, then turns about the points or the edge it touches, slowly,
until its centre of mass can sink no further: at rest the vertical through the centre of
mass meets the hull of what touches ([Ridderstrom2003] section 2.4). The body is a cloud
of balls, of radius zero for corners; of a plane only its normal counts, so that a ball
rolls by turning about its middle. Friction is taken to hold; whether it does is asked
elsewhere.

Between two touches the motion is a turn about a fixed axis, so the angle of the next
touch is the root of A cos θ + B sin θ + C in closed form. Turns are cut into steps of
``STEP`` (longer ones once it has tipped) only to look again which edge is nearest.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, Ints, Mat3, Vec3, expect_array
from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.rigid.hull import support_corners

__all__ = ["Rest", "resting_place", "rocking_barrier"]

STEP = math.radians(1.0)
FAR = math.radians(15.0)  # a body that has turned by more has tipped: longer steps do
LONG_STEP = math.radians(5.0)
MOST_TURNS = 300  # more than a round; what has not come to rest by then rolls on
RING, RINGS = 360, 8  # attitudes on a ring that are tried, and rings
CLOSE = 1e-9  # share of the body's size that is rounding


@final
@dataclass(frozen=True)
class Rest:
    """Motion that brings a body to rest: x becomes R x + p."""

    R: Mat3 = field(repr=False)
    p: Vec3 = field(repr=False)
    lowered: float
    """Distance sunk along gravity before contact; negative if lifted [m]."""
    sank: float
    """Distance by which the centre of mass sank while it turned [m]."""
    turned: float
    """Total angle by which it turned [rad]."""
    touching: Ints
    """Balls that touch in the end."""
    is_at_rest: bool
    """Whether the body came to rest at all."""

    def moved(self, points: Array) -> Array:
        """Return the final positions of points of the body, (..., 3)."""
        return points @ self.R.T + self.p


def resting_place(
    centres: ArrayLike,
    radii: ArrayLike,
    centre_of_mass: ArrayLike,
    normal: ArrayLike = (0.0, 0.0, 1.0),
    offset: float = 0.0,
    up: ArrayLike = (0.0, 0.0, 1.0),
) -> Rest:
    """Return the pose in which a rigid body rests on the plane normal·x = offset.

    Args:
        centres: middles of the balls it is made of, (n, 3) [m].
        radii: theirs, (n,), zero for corners [m].
        centre_of_mass: (3,) [m].
        normal: of the plane, unit, (3,).
        offset: of the plane along its normal [m].
        up: against gravity, unit, (3,).

    Raises:
        ShapeError: wrong shape, an entry that is not finite, or no ball.
        NotPhysicalError: a plane that faces down, on which nothing rests.
    """
    s = np.array(expect_array("centres", centres, (-1, 3)))
    r = expect_array("radii", radii, (len(s),))
    c = np.array(expect_array("centre_of_mass", centre_of_mass, (3,)))
    n, u = expect_array("normal", normal, (3,)), expect_array("up", up, (3,))
    if not len(s):
        raise ShapeError("centres must hold at least one ball, got none.")
    if not float(n @ u) > 1e-6:
        raise NotPhysicalError(f"the plane must face up, got the normal {n.tolist()}.")
    body = _Body(s, r, c, n, offset, u)
    lowered = body.lower()
    start = float(body.c @ u)
    is_at_rest = False
    for _ in range(MOST_TURNS):
        pivot = body.pivot()
        if pivot is None:
            is_at_rest = True
            break
        body.turn(*pivot)
    touching = body.touching()
    return Rest(
        body.R,
        body.p,
        lowered,
        start - float(body.c @ u),
        _angle(body.R),
        touching,
        is_at_rest,
    )


def rocking_barrier(
    centres: ArrayLike,
    radii: ArrayLike,
    centre_of_mass: ArrayLike,
    up: ArrayLike = (0.0, 0.0, 1.0),
    *,
    least: float = 0.0,
    most: float = math.radians(10.0),
) -> float:
    """Return the height to lift the centre of mass to lean beyond some angle [m].

    On level ground the height of the centre of mass over it depends on the attitude
    alone: U(n) = max_i (c - s_i)·n + r_i with n the ground's normal seen from the body.
    A body whose energy is below the least U on a ring of attitudes stays within the
    ring, whatever it does inside: rocking from foot to foot is no fall. The best ring
    between ``least`` and ``most`` counts.

    Args:
        centres: middles of the balls it is made of, at rest, (n, 3) [m].
        radii: theirs, (n,) [m].
        centre_of_mass: (3,) [m].
        up: the ground's normal and against gravity, unit, (3,).
        least: lean of the smallest ring [rad].
        most: lean of the largest ring [rad].

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    s = expect_array("centres", centres, (-1, 3))
    r = expect_array("radii", radii, (len(s),))
    off = expect_array("centre_of_mass", centre_of_mass, (3,)) - s
    u = expect_array("up", up, (3,))
    x = np.cross(u, [1.0, 0.0, 0.0] if abs(u[0]) < 0.7 else [0.0, 1.0, 0.0])
    x /= np.linalg.norm(x)
    way = np.linspace(0.0, 2.0 * math.pi, RING, endpoint=False)
    aside = np.cos(way)[:, None] * x + np.sin(way)[:, None] * np.cross(u, x)
    here = float((off @ u + r).max())
    best = -math.inf
    for lean in np.linspace(max(least, most / RINGS), most, RINGS):
        normals = math.cos(lean) * u + math.sin(lean) * aside
        heights = (normals @ off.T + r).max(axis=1)
        # between two of the ring's attitudes U falls by no more than this
        slack = (
            float(np.linalg.norm(off, axis=1).max()) * math.sin(lean) * math.pi / RING
        )
        best = max(best, float(heights.min()) - slack - here)
    return best


class _Body:
    """A body on its way; x of the start is at R x + p."""

    def __init__(
        self, s: Array, r: Array, c: Vec3, n: Vec3, offset: float, u: Vec3
    ) -> None:
        self.s, self.r, self.c = s, r, c
        self.n, self.offset, self.u = n, offset, u
        self.R, self.p, self.way = np.eye(3), np.zeros(3), 0.0
        size = float(np.abs(s - s.mean(axis=0)).max() + np.max(r)) or 1.0
        self.close = CLOSE * (size + float(np.abs(s).max()))
        along = np.cross(n, [1.0, 0.0, 0.0] if abs(n[0]) < 0.7 else [0.0, 1.0, 0.0])
        along /= np.linalg.norm(along)
        self.plane = np.stack([along, np.cross(n, along)])

    def heights(self) -> Array:
        """Return the gaps between balls and plane, (n,) [m]."""
        return self.s @ self.n - self.offset - self.r

    def touching(self) -> Ints:
        """Return which balls touch."""
        return np.flatnonzero(self.heights() <= self.close)

    def lower(self) -> float:
        """Sink along gravity until something touches; return how far [m]."""
        way = float(self.heights().min()) / float(self.n @ self.u)
        self.shift(-way * self.u)
        return way

    def shift(self, by: Vec3) -> None:
        """Move without turning."""
        self.s, self.c, self.p = self.s + by, self.c + by, self.p + by

    def pivot(self) -> tuple[Vec3, Vec3] | None:
        """Return a point and a direction to turn about; None at rest."""
        found = self.touching()
        fall = float(self.c @ self.n - self.offset) / float(self.n @ self.u)
        below = self.plane @ (self.c - fall * self.u)  # the centre of mass, dropped
        feet = self.s[found] @ self.plane.T
        corners = support_corners(feet)
        ends = _nearest_feature(below, feet[corners])
        if ends is None:
            return None
        first, last = (self.s[found[corners[k]]] for k in ends)
        foot = self.plane @ first
        if np.linalg.norm(below - foot) <= self.close:
            return None
        axis = last - first
        if ends[0] == ends[1]:
            way = self.plane.T @ (below - foot)
            axis = np.cross(self.n, way)
        axis = axis / np.linalg.norm(axis)
        if float(self.u @ np.cross(axis, self.c - first)) > 0.0:
            axis = -axis  # the way on which the centre of mass sinks
        return first, axis

    def turn(self, point: Vec3, axis: Vec3) -> None:
        """Turn until the next ball touches, the centre is lowest, or one step."""
        step = STEP if self.way < FAR else LONG_STEP
        angle = min(step, self.next_touch(point, axis), self.lowest(point, axis))
        self.way += angle
        x, y, z = axis
        K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])  # K x = axis × x
        turn = np.eye(3) + math.sin(angle) * K + 2.0 * math.sin(angle / 2) ** 2 * K @ K
        self.s = point + (self.s - point) @ turn.T
        self.c = point + turn @ (self.c - point)
        self.p = point + turn @ (self.p - point)
        self.R = turn @ self.R
        sunk = float(self.heights().min())
        if sunk < 0.0:  # rounding, or an axis that is not quite in the plane
            self.shift(-sunk * self.n)

    def next_touch(self, point: Vec3, axis: Vec3) -> float:
        """Return the angle at which another ball touches; inf if none does."""
        off = self.s - point
        along, tilt = off @ axis, float(axis @ self.n)
        a = off @ self.n - along * tilt
        b = off @ np.cross(self.n, axis)
        rest = along * tilt + float(point @ self.n) - self.offset - self.r
        size = np.hypot(a, b)
        # those that touch now go up or stay; what goes down has its root ahead
        is_up = (a + rest > self.close) & (size > np.abs(rest))
        if not is_up.any():
            return math.inf
        a, b, rest, size = a[is_up], b[is_up], rest[is_up], size[is_up]
        middle, half = np.arctan2(b, a), np.arccos(np.clip(-rest / size, -1.0, 1.0))
        return float(np.mod(middle + half, 2.0 * math.pi).min())

    def lowest(self, point: Vec3, axis: Vec3) -> float:
        """Return the angle at which the centre of mass is lowest."""
        off = self.c - point
        a = float(self.u @ off - (axis @ off) * (axis @ self.u))
        b = float(self.u @ np.cross(axis, off))
        return math.atan2(-b, -a) % (2.0 * math.pi)


def _nearest_feature(point: Array, corners: Array) -> tuple[int, int] | None:
    """Return the corner (twice) or the edge nearest to a point; None inside.

    Args:
        point: (2,).
        corners: of a convex polygon, counter-clockwise, a segment or a point, (k, 2).
    """
    k = len(corners)
    if k == 1:
        return 0, 0
    way = np.roll(corners, -1, axis=0) - corners
    to = point - corners
    outside = way[:, 1] * to[:, 0] - way[:, 0] * to[:, 1]  # > 0 right of the edge
    if k > 2 and (outside <= 0.0).all():
        return None
    share = np.clip(np.einsum("ij,ij->i", to, way) / (way * way).sum(axis=1), 0.0, 1.0)
    gaps = np.linalg.norm(to - share[:, None] * way, axis=1)
    edge = int(np.argmin(gaps))
    if share[edge] in (0.0, 1.0):
        corner = (edge + int(share[edge])) % k
        return corner, corner
    return edge, (edge + 1) % k


def _angle(R: Mat3) -> float:
    """Return the angle of a rotation [rad], exact near zero."""
    w = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return math.atan2(float(np.linalg.norm(w)), float(np.trace(R)) - 1.0)
