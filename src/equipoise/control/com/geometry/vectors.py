"""Three-vectors and rotations as tuples: compiled loops keep them in registers.

A vector is (x, y, z), a matrix its three rows. ``vec`` and ``mat`` read them from
arrays, ``put_vec`` and ``put_mat`` write them.
"""

from math import cos, sin
from typing import TypeAlias

from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = [
    "IDENTITY",
    "M3",
    "V3",
    "ZERO",
    "add",
    "add_scaled",
    "back",
    "cross",
    "dot",
    "mat",
    "matmul",
    "minus",
    "put_mat",
    "put_vec",
    "rotate_vector",
    "scaled",
    "turn_about",
    "turn_back",
    "vec",
]

V3: TypeAlias = tuple[float, float, float]
M3: TypeAlias = tuple[V3, V3, V3]

ZERO: V3 = (0.0, 0.0, 0.0)
IDENTITY: M3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@compiled(allocates=False, force_inline=True)
def vec(a: Array) -> V3:
    """Return an array, (3,), as a vector."""
    return a[0], a[1], a[2]


@compiled(allocates=False, force_inline=True)
def put_vec(a: Array, x: V3) -> None:
    """Write a vector into an array, (3,)."""
    a[0], a[1], a[2] = x


@compiled(allocates=False, force_inline=True)
def mat(a: Array) -> M3:
    """Return an array, (3, 3), as a matrix."""
    return (
        (a[0, 0], a[0, 1], a[0, 2]),
        (a[1, 0], a[1, 1], a[1, 2]),
        (a[2, 0], a[2, 1], a[2, 2]),
    )


@compiled(allocates=False, force_inline=True)
def put_mat(a: Array, R: M3) -> None:
    """Write a matrix into an array, (3, 3)."""
    first, second, third = R
    a[0, 0], a[0, 1], a[0, 2] = first
    a[1, 0], a[1, 1], a[1, 2] = second
    a[2, 0], a[2, 1], a[2, 2] = third


@compiled(allocates=False, force_inline=True)
def add(a: V3, b: V3) -> V3:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@compiled(allocates=False, force_inline=True)
def minus(a: V3) -> V3:
    """Return -a."""
    return -a[0], -a[1], -a[2]


@compiled(allocates=False, force_inline=True)
def scaled(s: float, a: V3) -> V3:
    """Return s a."""
    return s * a[0], s * a[1], s * a[2]


@compiled(allocates=False, force_inline=True)
def add_scaled(a: V3, s: float, b: V3) -> V3:
    """Return a + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@compiled(allocates=False, force_inline=True)
def dot(a: V3, b: V3) -> float:
    """Return a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled(allocates=False, force_inline=True)
def cross(a: V3, b: V3) -> V3:
    """Return a x b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@compiled(allocates=False, force_inline=True)
def rotate_vector(R: M3, x: V3) -> V3:
    """Return R x."""
    return dot(R[0], x), dot(R[1], x), dot(R[2], x)


@compiled(allocates=False, force_inline=True)
def back(R: M3) -> M3:
    """Return Rᵀ."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = R
    return (xx, yx, zx), (xy, yy, zy), (xz, yz, zz)


@compiled(allocates=False, force_inline=True)
def turn_back(R: M3, x: V3) -> V3:
    """Return Rᵀ x."""
    return rotate_vector(back(R), x)


@compiled(allocates=False, force_inline=True)
def matmul(A: M3, B: M3) -> M3:
    """Return A B."""
    columns = back(B)
    return (
        rotate_vector(columns, A[0]),
        rotate_vector(columns, A[1]),
        rotate_vector(columns, A[2]),
    )


@compiled(allocates=False, force_inline=True)
def turn_about(axis: V3, angle: float) -> M3:
    """Return the rotation about a unit axis (Rodrigues)."""
    c, s = cos(angle), sin(angle)
    k = 1.0 - c
    x, y, z = axis
    return (
        (c + x * x * k, x * y * k - z * s, x * z * k + y * s),
        (y * x * k + z * s, c + y * y * k, y * z * k - x * s),
        (z * x * k - y * s, z * y * k + x * s, c + z * z * k),
    )
