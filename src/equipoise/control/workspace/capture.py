"""Where to put a foot so that the fall ends there.

Linear inverted pendulum [Pratt2006]: with the pressure at p the capture point moves as
ξ(t) = p + (ξ - p) exp(ω t). A foot that swings for a time T must land where ξ will be
then, the robot pressing meanwhile on the point of the standing soles nearest to ξ.
"""

import math
from typing import NamedTuple

from equipoise.control.workspace.legs import Support
from equipoise.control.workspace.polygon import hull_gap
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = [
    "Pendulum",
    "Stride",
    "best_foot",
    "landing",
    "sole_middle",
    "sole_points",
    "timing",
]

EFFORT = 0.1  # what a metre of step costs against a metre of ξ outside the soles


class Stride(NamedTuple):
    """Fixed limits of a step."""

    swing_time: float
    """From lift-off to landing [s]."""
    hurried: float
    """The same of a step that would be too long otherwise [s]."""
    easy: float
    """Distance between the soles' middles from which on a step is too long [m]."""
    lift: float
    """Height of the swing [m]."""
    ahead: float
    """How far beyond ξ the middle of the sole shall land [m]."""
    reach: float
    """Largest distance between the middles of the soles [m]."""
    inside: float
    """Margin of ξ inside the soles that is worth having [m]."""
    own_side: Array
    """Direction from the other feet to each foot as the robot stands, (nf, 2)."""
    apart: Array
    """Least distance along it, so that legs do not cross, (nf,) [m]."""


class Pendulum(NamedTuple):
    """Fall of the robot as a pendulum: the capture point ξ and the rate ω."""

    x: float
    """Of ξ [m]."""
    y: float
    """Of ξ [m]."""
    rate: float
    """[1/s]."""


@compiled(allocates=False)
def sole_middle(f: int, u: Support, p_WO: Array) -> tuple[float, float]:
    """Return the middle of a sole in the world [m]."""
    count, x, y = 0, 0.0, 0.0
    for k in range(u.corners.shape[0]):
        if u.corners[k].foot == f:
            x += u.corners[k].p_O[0]
            y += u.corners[k].p_O[1]
            count += 1
    return x / count + p_WO[0], y / count + p_WO[1]


@compiled(allocates=False)
def sole_points(
    u: Support, p_WO: Array, foot: int, is_it: bool, begin: int, points: Array
) -> int:
    """Write the corners of one foot, or of all others, from row ``begin`` on.

    Returns:
        The number of rows that are written then.
    """
    n = begin
    for k in range(u.corners.shape[0]):
        if (u.corners[k].foot == foot) == is_it:
            points[n, 0] = u.corners[k].p_O[0] + p_WO[0]
            points[n, 1] = u.corners[k].p_O[1] + p_WO[1]
            n += 1
    return n


@compiled(allocates=False)
def landing(
    f: int,
    fall: Pendulum,
    left: float,
    u: Support,
    p_WO: Array,
    stride: Stride,
    points: Array,
) -> tuple[float, float, float, float, float]:
    """Return where a foot shall land, where to press meanwhile, and what it costs.

    Args:
        f: the foot that swings.
        fall: where the capture point is now, and its rate.
        left: time until it lands [s].
        u: corners of the soles.
        p_WO: O in the world, (3,).
        stride: what a step may be.
        points: (nc, 2), scratch.

    Returns:
        Middle of the sole (x, y), pressure (x, y), cost [m]: how far ξ will be outside
        the soles, and a little for the length of the step.
    """
    x, y, rate = fall
    n = sole_points(u, p_WO, f, False, 0, points)
    _, px, py = hull_gap(points, n, x, y)
    grown = math.exp(rate * left)
    ex, ey = px + (x - px) * grown, py + (y - py) * grown
    way = max(math.hypot(ex - px, ey - py), 1e-9)
    lx = ex + stride.ahead * (ex - px) / way
    ly = ey + stride.ahead * (ey - py) / way
    ox = oy = 0.0
    for g in range(stride.apart.shape[0]):
        if g != f:
            gx, gy = sole_middle(g, u, p_WO)
            ox += gx / (stride.apart.shape[0] - 1)
            oy += gy / (stride.apart.shape[0] - 1)
    sx, sy = stride.own_side[f, 0], stride.own_side[f, 1]
    short = max(0.0, stride.apart[f] - sx * (lx - ox) - sy * (ly - oy))
    lx, ly = lx + short * sx, ly + short * sy
    far = max(1.0, math.hypot(lx - ox, ly - oy) / stride.reach)
    lx, ly = ox + (lx - ox) / far, oy + (ly - oy) / far
    fx, fy = sole_middle(f, u, p_WO)
    end = sole_points(u, p_WO, f, True, n, points)
    for k in range(n, end):
        points[k, 0] += lx - fx
        points[k, 1] += ly - fy
    outside, _, _ = hull_gap(points, end, ex, ey)
    cost = max(0.0, outside + stride.inside) + EFFORT * math.hypot(lx - fx, ly - fy)
    return lx, ly, px, py, cost


@compiled(allocates=False)
def timing(
    f: int, fall: Pendulum, u: Support, p_WO: Array, stride: Stride, points: Array
) -> float:
    """Return how long a foot shall swing: a step that would be too long is hurried.

    The later a foot lands, the farther the capture point has gone; a side push, which
    makes the loaded foot step, grows the most.

    Args:
        f: the foot.
        fall: where the capture point is now, and its rate.
        u: corners of the soles.
        p_WO: O in the world, (3,).
        stride: what a step may be.
        points: (nc, 2), scratch.
    """
    x, y, _, _, _ = landing(f, fall, stride.swing_time, u, p_WO, stride, points)
    nearest = math.inf
    for g in range(stride.apart.shape[0]):
        if g != f:
            gx, gy = sole_middle(g, u, p_WO)
            nearest = min(nearest, math.hypot(x - gx, y - gy))
    return stride.hurried if nearest > stride.easy else stride.swing_time


@compiled(allocates=False)
def best_foot(
    fall: Pendulum, u: Support, p_WO: Array, stride: Stride, points: Array
) -> int:
    """Return the foot whose step catches the capture point at the least cost."""
    best, least = -1, math.inf
    for f in range(stride.apart.shape[0]):
        _, _, _, _, cost = landing(f, fall, stride.swing_time, u, p_WO, stride, points)
        if cost < least:
            best, least = f, cost
    return best
