"""What the feet shall do: stay where they stand, or swing to where they shall land."""

import math

from equipoise.control.workspace.legs import Support
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.twists import (
    Triple,
    halves,
    put,
    speed_at,
    turned_by,
)
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

FLAT = 2e-3  # tilt that a foot on soft contacts has anyway [rad]
SWING_STIFFNESS, SWING_DAMPING = 800.0, 56.0  # critically damped [1/s², 1/s]
DESCENT = 0.3  # speed at which a foot that is late looks for the ground [m/s]
SHORTEST = 0.05  # time to go below which a swing is not hurried any more [s]
SUNK = 2e-3  # depth that corners of one sole may differ by on soft contacts [m]
GRIP = 63.0  # damping of a foot that slides or bounces [1/s]
NEAR = 1e-3  # height at which a sole touches [m]

__all__ = ["hold_foot", "lowest_corner", "pivot_of", "swing_foot"]


@compiled(allocates=False)
def lowest_corner(f: int, u: Support, height: float) -> float:
    """Return how high the lowest corner of a sole is above the ground [m]."""
    low = math.inf
    for k in range(u.corners.shape[0]):
        if u.corners[k].foot == f:
            low = min(low, u.corners[k].p_O[2])
    return low + height


@compiled(allocates=False)
def pivot_of(f: int, u: Support) -> Triple:
    """Return the point on which a foot turns: the middle of its lowest corners."""
    low, total, x, y, z = math.inf, 0.0, 0.0, 0.0, 0.0
    for k in range(u.corners.shape[0]):
        if u.corners[k].foot == f:
            low = min(low, u.corners[k].p_O[2])
    for k in range(u.corners.shape[0]):
        if u.corners[k].foot == f:
            p_O = u.corners[k].p_O
            share = max(0.0, 1.0 - (p_O[2] - low) / SUNK)
            total += share
            x += share * p_O[0]
            y += share * p_O[1]
            z += share * p_O[2]
    return x / total, y / total, z / total


@compiled(allocates=False)
def hold_foot(f: int, s: Scratch, u: Support, stiffness: float, damping: float) -> None:
    """Ask a standing foot to lie flat on the ground: turned about where it touches.

    Args:
        f: number of the foot.
        s: where the links and O are.
        u: the foot's ``A`` is written.
        stiffness: [1/s²].
        damping: [1/s].
    """
    foot = u.feet[f]
    link = s.links[foot.link]
    nx, ny, _ = turned_by(link.R_WL, foot.up)
    nx, ny = _beyond(nx, FLAT), _beyond(ny, FLAT)
    pivot = pivot_of(f, u)
    _, (wx, wy, wz) = halves(link.V)
    vx, vy, vz = speed_at(link.V, pivot)
    low = max(0.0, pivot[2] + s.trunk[0].p_WO[2] - NEAR)
    _foot_acceleration(
        link.V,
        pivot,
        (-GRIP * vx, -GRIP * vy, -GRIP * vz - stiffness * low),
        (stiffness * ny - damping * wx, -stiffness * nx - damping * wy, -GRIP * wz),
        foot.A,
    )


@compiled(allocates=False)
def swing_foot(
    f: int,
    s: Scratch,
    u: Support,
    way: tuple[float, float],
    since: float,
    swing_time: float,
    lift: float,
) -> None:
    """Ask a swinging foot to be over its place when it lands, flat.

    Sideways the least acceleration that ends at rest in the time that is left,
    a = 6 d / T² - 4 v / T; upwards 16 h s² (1 - s)², and down until it touches.

    Args:
        f: number of the foot.
        s: where the links and O are.
        u: the foot's ``A`` is written.
        way: from the foot to its place along x and y, d [m].
        since: lift-off [s].
        swing_time: how long the swing takes [s].
        lift: its height h [m].
    """
    foot = u.feet[f]
    link = s.links[foot.link]
    r = (link.r_O[0], link.r_O[1], link.r_O[2])
    _, (wx, wy, wz) = halves(link.V)
    vx, vy, vz = speed_at(link.V, r)
    left = max(swing_time - since, SHORTEST)
    place, rate, jolt = _swing_height(since, swing_time, lift)
    low = lowest_corner(f, u, s.trunk[0].p_WO[2])
    nx, ny, _ = turned_by(link.R_WL, foot.up)
    _foot_acceleration(
        link.V,
        r,
        (
            6.0 * way[0] / left**2 - 4.0 * vx / left,
            6.0 * way[1] / left**2 - 4.0 * vy / left,
            jolt + SWING_STIFFNESS * (place - low) + SWING_DAMPING * (rate - vz),
        ),
        (
            SWING_STIFFNESS * ny - SWING_DAMPING * wx,
            -SWING_STIFFNESS * nx - SWING_DAMPING * wy,
            -SWING_DAMPING * wz,
        ),
        foot.A,
    )


@compiled(allocates=False, force_inline=True)
def _swing_height(since: float, swing_time: float, lift: float) -> Triple:
    """Return a swing's height 16 h s² (1 - s)² and its two rates at a time."""
    s = min(since / swing_time, 1.0)
    place = 16.0 * lift * (s * (1.0 - s)) ** 2
    rate = 16.0 * lift * (2.0 * s - 6.0 * s**2 + 4.0 * s**3) / swing_time
    jolt = 16.0 * lift * (2.0 - 12.0 * s + 12.0 * s**2) / swing_time**2
    if since >= swing_time:
        place, rate, jolt = -DESCENT * (since - swing_time), -DESCENT, 0.0
    return place, rate, jolt


@compiled(allocates=False, force_inline=True)
def _beyond(value: float, small: float) -> float:
    """Return how much of a value lies beyond a small one of either sign."""
    return math.copysign(max(0.0, abs(value) - small), value)


@compiled(allocates=False, force_inline=True)
def _foot_acceleration(
    V: Array, r: Triple, a: Triple, w_rate: Triple, A: Array
) -> None:
    """Write the spatial acceleration about O of a foot whose point r accelerates by a.

    A = [a - w' x r - w x (v + w x r); w'].

    Args:
        V: the foot's twist.
        r: the point from O [m].
        a: its acceleration [m/s²].
        w_rate: w' [rad/s²].
        A: written.
    """
    _, (wx, wy, wz) = halves(V)
    vx, vy, vz = speed_at(V, r)
    x, y, z = r
    bx, by, bz = w_rate
    put(
        A,
        (
            a[0] - (by * z - bz * y) - (wy * vz - wz * vy),
            a[1] - (bz * x - bx * z) - (wz * vx - wx * vz),
            a[2] - (bx * y - by * x) - (wx * vy - wy * vx),
        ),
        w_rate,
    )
