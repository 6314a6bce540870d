"""What the feet shall do: stay where they stand, or swing to where they shall land."""

import math

from equipoise.control.workspace.support import Support
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

FLAT = 2e-3  # tilt that a foot on soft contacts has anyway [rad]
SWING_STIFFNESS, SWING_DAMPING = 800.0, 56.0  # critically damped [1/s², 1/s]
DESCENT = 0.3  # speed at which a foot that is late looks for the ground [m/s]
SHORTEST = 0.05  # time to go below which a swing is not hurried any more [s]
SUNK = 2e-3  # depth that corners of one sole may differ by on soft contacts [m]
GRIP = 63.0  # damping of a foot that slides or bounces [1/s]
NEAR = 1e-3  # height at which a sole touches [m]

__all__ = ["hold_foot", "lowest_corner", "swing_foot"]


@compiled(allocates=False)
def lowest_corner(f: int, u: Support, height: float) -> float:
    """Return how high the lowest corner of a sole is above the ground [m]."""
    low = math.inf
    for k in range(u.corner_foot.shape[0]):
        if u.corner_foot[k] == f:
            low = min(low, u.p_O[k, 2])
    return low + height


@compiled(allocates=False)
def pivot_of(f: int, u: Support) -> tuple[float, float, float]:
    """Return the point on which a foot turns: the middle of its lowest corners."""
    low, total, x, y, z = math.inf, 0.0, 0.0, 0.0, 0.0
    for k in range(u.corner_foot.shape[0]):
        if u.corner_foot[k] == f:
            low = min(low, u.p_O[k, 2])
    for k in range(u.corner_foot.shape[0]):
        if u.corner_foot[k] == f:
            share = max(0.0, 1.0 - (u.p_O[k, 2] - low) / SUNK)
            total += share
            x += share * u.p_O[k, 0]
            y += share * u.p_O[k, 1]
            z += share * u.p_O[k, 2]
    return x / total, y / total, z / total


@compiled(allocates=False)
def hold_foot(
    f: int,
    k: int,
    up: Array,
    R_WL: Array,
    V: Array,
    height: float,
    stiffness: float,
    damping: float,
    u: Support,
) -> None:
    """Ask a standing foot to lie flat on the ground: turned about where it touches.

    Args:
        f: number of the foot.
        k: its link.
        up: the sole's upward normal in the foot's frame, (nf, 3).
        R_WL: links' orientations.
        V: links' twists.
        height: of O above the ground [m].
        stiffness: [1/s²].
        damping: [1/s].
        u: its row of ``A_foot`` is written.
    """
    nx = R_WL[k, 0, 0] * up[f, 0] + R_WL[k, 0, 1] * up[f, 1] + R_WL[k, 0, 2] * up[f, 2]
    ny = R_WL[k, 1, 0] * up[f, 0] + R_WL[k, 1, 1] * up[f, 1] + R_WL[k, 1, 2] * up[f, 2]
    nx, ny = beyond(nx, FLAT), beyond(ny, FLAT)
    x, y, z = pivot_of(f, u)
    wx, wy, wz = V[k, 3], V[k, 4], V[k, 5]
    vx, vy = V[k, 0] + wy * z - wz * y, V[k, 1] + wz * x - wx * z
    vz = V[k, 2] + wx * y - wy * x
    low = max(0.0, z + height - NEAR)
    foot_acceleration(
        f, x, y, z, V, k,
        -GRIP * vx, -GRIP * vy, -GRIP * vz - stiffness * low,
        stiffness * ny - damping * wx, -stiffness * nx - damping * wy, -GRIP * wz,
        u.A_foot,
    )  # fmt: skip


@compiled(allocates=False)
def swing_foot(
    f: int,
    k: int,
    up: Array,
    R_WL: Array,
    r_O: Array,
    V: Array,
    height: float,
    way_x: float,
    way_y: float,
    since: float,
    swing_time: float,
    lift: float,
    u: Support,
) -> None:
    """Ask a swinging foot to be over its place when it lands, flat.

    Sideways the least acceleration that ends at rest in the time that is left,
    a = 6 d / T² - 4 v / T; upwards 16 h s² (1 - s)², and down until it touches.

    Args:
        f: number of the foot.
        k: its link.
        up: the soles' upward normals in the feet's frames, (nf, 3).
        R_WL: links' orientations.
        r_O: links' centres of mass.
        V: links' twists.
        height: of O above the ground [m].
        way_x: from the foot to its place along x [m].
        way_y: along y [m].
        since: lift-off [s].
        swing_time: from lift-off to landing [s].
        lift: h [m].
        u: its row of ``A_foot`` is written.
    """
    x, y, z = r_O[k, 0], r_O[k, 1], r_O[k, 2]
    wx, wy, wz = V[k, 3], V[k, 4], V[k, 5]
    vx, vy = V[k, 0] + wy * z - wz * y, V[k, 1] + wz * x - wx * z
    vz = V[k, 2] + wx * y - wy * x
    left = max(swing_time - since, SHORTEST)
    s = min(since / swing_time, 1.0)
    place = 16.0 * lift * (s * (1.0 - s)) ** 2
    rate = 16.0 * lift * (2.0 * s - 6.0 * s**2 + 4.0 * s**3) / swing_time
    jolt = 16.0 * lift * (2.0 - 12.0 * s + 12.0 * s**2) / swing_time**2
    if since >= swing_time:
        place, rate, jolt = -DESCENT * (since - swing_time), -DESCENT, 0.0
    low = lowest_corner(f, u, height)
    nx = R_WL[k, 0, 0] * up[f, 0] + R_WL[k, 0, 1] * up[f, 1] + R_WL[k, 0, 2] * up[f, 2]
    ny = R_WL[k, 1, 0] * up[f, 0] + R_WL[k, 1, 1] * up[f, 1] + R_WL[k, 1, 2] * up[f, 2]
    foot_acceleration(
        f, x, y, z, V, k,
        6.0 * way_x / left**2 - 4.0 * vx / left,
        6.0 * way_y / left**2 - 4.0 * vy / left,
        jolt + SWING_STIFFNESS * (place - low) + SWING_DAMPING * (rate - vz),
        SWING_STIFFNESS * ny - SWING_DAMPING * wx,
        -SWING_STIFFNESS * nx - SWING_DAMPING * wy,
        -SWING_DAMPING * wz,
        u.A_foot,
    )  # fmt: skip


@compiled(allocates=False, melts=True)
def beyond(value: float, small: float) -> float:
    """Return how much of a value lies beyond a small one of either sign."""
    return math.copysign(max(0.0, abs(value) - small), value)


@compiled(allocates=False, melts=True)
def foot_acceleration(
    f: int,
    x: float,
    y: float,
    z: float,
    V: Array,
    k: int,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    A_foot: Array,
) -> None:
    """Write the spatial acceleration about O of a foot whose point r accelerates by a.

    [a - w' x r - w x (v + w x r); w'] with r = (x, y, z), w' = b and the twist V_k.
    """
    wx, wy, wz = V[k, 3], V[k, 4], V[k, 5]
    vx, vy = V[k, 0] + wy * z - wz * y, V[k, 1] + wz * x - wx * z
    vz = V[k, 2] + wx * y - wy * x
    A_foot[f, 0] = ax - (by * z - bz * y) - (wy * vz - wz * vy)
    A_foot[f, 1] = ay - (bz * x - bx * z) - (wz * vx - wx * vz)
    A_foot[f, 2] = az - (bx * y - by * x) - (wx * vy - wy * vx)
    A_foot[f, 3], A_foot[f, 4], A_foot[f, 5] = bx, by, bz
