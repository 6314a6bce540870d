"""The joint angle that brings a centre of mass nearest to a line or a point.

Turning a hinge moves the whole robot's centre of mass along a circle, and the best
angle is where that circle is nearest to the support line [Moll2006] section IV. Seen
from above the circle is an ellipse, so this is the point-to-ellipse problem of
``ellipse`` with joint limits: the best of the minima inside the limits and the ends.

Of two angles that are equally good the one with the lower point is chosen, as in the
paper; where the heights agree too, the one that moves less; where every angle is
equally good (point on the axis, vertical axis on the line), the allowed one nearest 0.
"""

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from equipoise.control.com.geometry.ellipse import Choice, Ellipse, nearest_angle
from equipoise.core.arrays import Array, Mat3, Vec2, Vec3, expect_array
from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.core.jit import compiled

__all__ = [
    "Choice",
    "Lever",
    "circle_line",
    "com_angle",
    "com_angle_point",
    "frame_along",
    "slide_displacement",
]

Triple: TypeAlias = tuple[float, float, float]
Pair: TypeAlias = tuple[float, float]

ROUNDING_TIE = 64 * float(np.finfo(np.float64).eps)
"""Arm lengths. A distance on the circle takes some ten roundings, and an axis that was
carried through a chain of rotations some fifty more: closer than this is equal."""
MESSAGE_TIE = 1e-10
"""Arm lengths. Positions put together from messages are good to about 1e-15 m, and an
arm (times the share of mass it moves) is rarely below 1e-4 m."""


class Lever(NamedTuple):
    """A hinge and what it steers."""

    axis: Vec3 | Triple
    """Unit length, (3,)."""
    arm: Vec3 | Triple
    """From a point of the axis to what turns, (3,) [m]."""
    share: float
    """The steered point moves this much of what the tip of the arm moves, in (0, 1]."""
    p: Vec3 | Triple
    """The point to steer, where it is now, (3,) [m]."""


@compiled
def line_angle(lever: Lever, line_xy: Vec2 | Pair, choice: Choice, tie: float) -> float:
    """Return the turn of a lever that brings its point nearest to a vertical line.

    Args:
        lever: what turns.
        line_xy: where the line stands, (2,) [m].
        choice: which turns are allowed; its ``hold`` in metres.
        tie: differences up to this are rounding, in arm lengths.
    """
    u, w, share, p = lever
    along = u[0] * w[0] + u[1] * w[1] + u[2] * w[2]
    ax = share * (w[0] - along * u[0])
    ay = share * (w[1] - along * u[1])
    az = share * (w[2] - along * u[2])
    radius = math.sqrt(ax * ax + ay * ay + az * az)
    arm = share * math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    if not radius > tie * arm:
        return min(max(0.0, choice.lower), choice.upper)
    tilt = math.hypot(u[0], u[1])  # the ellipse's short axis points along (ex, ey)
    ex, ey = (u[0] / tilt, u[1] / tilt) if tilt > 0.0 else (0.0, -1.0)
    lx, ly = line_xy[0] - p[0] + ax, line_xy[1] - p[1] + ay
    cos0 = (ay * ex - ax * ey) / radius
    sin0 = (az * tilt - u[2] * (ax * ex + ay * ey)) / radius
    size = math.hypot(cos0, sin0)
    ellipse = Ellipse(
        (ly * ex - lx * ey) / radius,
        -(lx * ex + ly * ey) / radius,
        u[2],
        tilt * tilt,
        cos0 / size,
        sin0 / size,
    )
    scale = arm / radius
    return nearest_angle(ellipse, _held_in(choice, radius), tie * scale)


@compiled
def _held_in(choice: Choice, unit: float) -> Choice:
    """Return a choice whose ``hold`` is counted in a unit of length."""
    return Choice(choice.lower, choice.upper, choice.previous, choice.hold / unit)


@compiled
def com_angle(lever: Lever, line_xy: Vec2 | Pair, choice: Choice) -> float:
    """Return the turn of one hinge that brings the robot's CoM nearest to a line.

    [Moll2006] section IV: p0' = (m1 p1 + m2 (q + R w))/(m1 + m2) with w = p2 - q, that
    is a circle with m2/(m1 + m2) of the radius of p2's. No memory is allocated.

    Args:
        lever: the hinge; its arm is w, its share m2/(m1 + m2), its point the CoM.
        line_xy: where the vertical line stands, (2,) [m].
        choice: which turns are allowed; its ``hold`` in metres.
    """
    return line_angle(lever, line_xy, choice, MESSAGE_TIE)


@compiled
def com_angle_point(lever: Lever, p_WC_des: Vec3 | Triple, choice: Choice) -> float:
    """Return the turn of one hinge that brings the robot's CoM nearest to a point.

    In the plane of the circle the ellipse is the circle itself, so there is one
    minimum and it has a closed form. ``hold`` is measured in that plane.

    Args:
        lever: as in ``com_angle``.
        p_WC_des: where the CoM should be, (3,) [m].
        choice: which turns are allowed; its ``hold`` in metres.
    """
    u, w, share, p_WC = lever
    along = u[0] * w[0] + u[1] * w[1] + u[2] * w[2]
    a0, a1, a2 = w[0] - along * u[0], w[1] - along * u[1], w[2] - along * u[2]
    radius = math.sqrt(a0 * a0 + a1 * a1 + a2 * a2)
    arm = math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    if not share * radius > share * MESSAGE_TIE * arm:
        return min(max(0.0, choice.lower), choice.upper)
    b0, b1, b2 = u[1] * a2 - u[2] * a1, u[2] * a0 - u[0] * a2, u[0] * a1 - u[1] * a0
    l0 = p_WC_des[0] - p_WC[0] + share * a0
    l1 = p_WC_des[1] - p_WC[1] + share * a1
    l2 = p_WC_des[2] - p_WC[2] + share * a2
    unit = share * radius * radius
    x = (l0 * a0 + l1 * a1 + l2 * a2) / unit
    y = (l0 * b0 + l1 * b1 + l2 * b2) / unit
    circle = Ellipse(x, y, 1.0, 0.0, 1.0, 0.0)
    tie = MESSAGE_TIE * arm / radius
    return nearest_angle(circle, _held_in(choice, share * radius), tie)


@compiled
def slide_displacement(
    axis: Vec3 | Triple,
    m2: float,
    mass: float,
    p_WC: Vec3 | Triple,
    line_xy: Vec2 | Pair,
    lower: float,
    upper: float,
) -> float:
    """Return the slide of a prismatic joint that brings the CoM nearest to a line.

    The CoM moves along a straight line, m2/mass of the slide [Moll2006] section IV. A
    vertical slide brings it no nearer: then the allowed slide nearest 0.

    Args:
        axis: direction of the slide, unit length, (3,).
        m2: mass of the side that moves [kg].
        mass: mass of the whole robot [kg].
        p_WC: centre of mass of the whole robot, (3,) [m].
        line_xy: where the vertical line stands, (2,) [m].
        lower: smallest slide from here [m]; -inf for none.
        upper: largest slide from here [m]; inf for none; >= lower.
    """
    level = axis[0] * axis[0] + axis[1] * axis[1]
    best = 0.0
    if m2 > 0.0 and level > MESSAGE_TIE * MESSAGE_TIE:
        ahead = (line_xy[0] - p_WC[0]) * axis[0] + (line_xy[1] - p_WC[1]) * axis[1]
        best = ahead * mass / (m2 * level)
    return min(max(best, lower), upper)


def circle_line(
    center: ArrayLike,
    axis: ArrayLike,
    point: ArrayLike,
    line_point: ArrayLike,
    lower: float = -math.inf,
    upper: float = math.inf,
    *,
    direction: ArrayLike | None = None,
) -> float:
    """Return the angle that rotates a point nearest to a line, vertical by default.

    [Moll2006] section IV. Of two equally near angles the one with the lower point
    wins, then the smaller turn; where all angles are equal, the allowed one nearest 0.

    Args:
        center: a point of the axis of rotation, (3,) [m].
        axis: its direction, right-hand rule, any length but zero, (3,).
        point: what turns; angle 0 is where it is now, (3,) [m].
        line_point: a point of the line, (3,) or, for a vertical line, (2,) [m].
        lower: smallest angle allowed [rad]; may be -inf.
        upper: largest angle allowed [rad]; may be inf. Every angle in between counts,
            also where they span more than a turn.
        direction: direction of the line, (3,); "lower" is then against it. None: up.

    Returns:
        The angle in [lower, upper] [rad].

    Raises:
        ShapeError: an array of the wrong shape, or with entries that are not finite.
        NotPhysicalError: a zero axis or direction, or limits with no angle in between.
    """
    lower, upper = _limits(lower, upper)
    p_WQ = expect_array("center", center, (3,))
    u = _unit("axis", axis)
    p_WP = expect_array("point", point, (3,))
    flat = direction is None and np.ndim(line_point) == 1 and np.size(line_point) == 2
    p_WL = expect_array("line_point", line_point, (2,) if flat else (3,))
    if max(np.abs(p).max() for p in (p_WQ, p_WP, p_WL)) > 1e300:
        raise ShapeError(f"positions must be within 1e300 m, got {p_WP.tolist()!r}.")
    w, ahead = p_WP - p_WQ, p_WL[:2] - p_WP[:2]
    if direction is not None:
        R_LW = frame_along(direction)
        u, w, ahead = R_LW @ u, R_LW @ w, (R_LW @ (p_WL - p_WP))[:2]
    size = max(float(np.abs(w).max()), float(np.abs(ahead).max()))
    # A power of two changes no digit and keeps squares from over- and underflowing.
    scale = 2.0 ** -max(-1000, min(1000, math.frexp(size)[1]))
    arm = (scale * w[0], scale * w[1], scale * w[2])
    lever, line_xy = Lever(u, arm, 1.0, np.zeros(3)), scale * ahead
    choice = Choice(lower, upper, math.nan, 0.0)
    return float(line_angle(lever, line_xy, choice, ROUNDING_TIE))


def frame_along(direction: ArrayLike) -> Mat3:
    """Return R_LW of a frame L whose z axis is ``direction``; up gives the identity.

    Rotate positions and axes by it and a line along ``direction`` stands upright, so
    that ``com_angle`` and ``slide_displacement`` serve for it.

    Args:
        direction: direction of the line, any length but zero, (3,).

    Returns:
        The rotation, (3, 3).

    Raises:
        ShapeError: not three finite numbers.
        NotPhysicalError: ``direction`` is zero.
    """
    x, y, z = _unit("direction", direction)
    sign = math.copysign(1.0, z)  # the frame of [Duff2017], which has no pole
    a = -1.0 / (sign + z)
    b = x * y * a
    return np.array(
        [
            [1.0 + sign * x * x * a, sign * b, -sign * x],
            [b, sign + y * y * a, -y],
            [x, y, z],
        ]
    )


def _unit(name: str, value: ArrayLike) -> Array:
    """Return a direction at unit length, or say why it has none."""
    vector = expect_array(name, value, (3,))
    size = float(np.abs(vector).max())
    if not size > 0.0:
        raise NotPhysicalError(
            f"{name} must have a direction, got {vector.tolist()!r}."
        )
    vector = vector / size
    return vector / np.linalg.norm(vector)


def _limits(lower: float, upper: float) -> tuple[float, float]:
    """Return the limits as floats, or say why no angle lies between them."""
    low, high = float(lower), float(upper)
    if not low <= high or low == math.inf or high == -math.inf:
        raise NotPhysicalError(
            f"limits must satisfy lower <= upper with an angle in between, got "
            f"lower = {low!r} and upper = {high!r}."
        )
    return low, high
