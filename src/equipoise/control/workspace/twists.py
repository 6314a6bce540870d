"""Twists and wrenches, six numbers with the linear half first: apart and together."""

from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["Triple", "dot6", "halves", "put", "row_times", "speed_at", "turned_by"]

Triple = tuple[float, float, float]
"""A vector's x, y, z."""


@compiled(allocates=False, force_inline=True)
def halves(V: Array) -> tuple[Triple, Triple]:
    """Return the linear and the angular half of a twist or wrench."""
    return (V[0], V[1], V[2]), (V[3], V[4], V[5])


@compiled(allocates=False, force_inline=True)
def put(V: Array, linear: Triple, angular: Triple) -> None:
    """Write both halves of a twist or wrench."""
    V[0], V[1], V[2] = linear
    V[3], V[4], V[5] = angular


@compiled(allocates=False, force_inline=True)
def speed_at(V: Array, r: Triple) -> Triple:
    """Return v + w x r: the velocity of a body's point r."""
    (vx, vy, vz), (wx, wy, wz) = halves(V)
    x, y, z = r
    return vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x


@compiled(allocates=False, force_inline=True)
def turned_by(R: Array, p: Array) -> Triple:
    """Return a vector turned by a rotation matrix."""
    return (
        R[0, 0] * p[0] + R[0, 1] * p[1] + R[0, 2] * p[2],
        R[1, 0] * p[0] + R[1, 1] * p[1] + R[1, 2] * p[2],
        R[2, 0] * p[0] + R[2, 1] * p[1] + R[2, 2] * p[2],
    )


@compiled(allocates=False, force_inline=True)
def dot6(F: Array | tuple[float, ...], V: Array) -> float:
    """Return what a wrench does along a twist."""
    total = F[0] * V[0]
    for r in range(1, 6):
        total += F[r] * V[r]
    return total


@compiled(allocates=False, force_inline=True)
def row_times(P: Array, r: int, V: Array) -> float:
    """Return row r of an inertia times a twist."""
    total = P[r, 0] * V[0]
    for c in range(1, 6):
        total += P[r, c] * V[c]
    return total
