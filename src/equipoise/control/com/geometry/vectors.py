"""Three-vectors and rotations as tuples: compiled loops keep them in registers.

A vector is (x, y, z), a matrix nine numbers row by row. Reading and writing array rows
is explicit (``get3``, ``put9``), because an array view costs more than the arithmetic.
"""

from math import cos, sin
from typing import TypeAlias

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = [
    "M3",
    "V3",
    "add",
    "add_scaled",
    "back",
    "cross",
    "dot",
    "get3",
    "get9",
    "matmul",
    "put3",
    "put9",
    "turn",
    "turn_about",
    "turn_back",
]

V3: TypeAlias = tuple[float, float, float]
M3: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]

ONE, TWO = np.uintp(1), np.uintp(2)


@compiled(allocates=False, melts=True)
def get3(a: Array, i: int, k: int) -> V3:
    """Return a[i, k : k + 3]."""
    row, column = np.uintp(i), np.uintp(k)  # unsigned: no check for negative indices
    return a[row, column], a[row, column + ONE], a[row, column + TWO]


@compiled(allocates=False, melts=True)
def put3(a: Array, i: int, k: int, x: V3) -> None:
    """Set a[i, k : k + 3]."""
    row, column = np.uintp(i), np.uintp(k)
    a[row, column] = x[0]
    a[row, column + ONE] = x[1]
    a[row, column + TWO] = x[2]


@compiled(allocates=False, melts=True)
def get9(a: Array, i: int, k: int) -> M3:
    """Return a[i, k : k + 9]."""
    x, y, z = get3(a, i, k), get3(a, i, k + 3), get3(a, i, k + 6)
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@compiled(allocates=False, melts=True)
def put9(a: Array, i: int, k: int, R: M3) -> None:
    """Set a[i, k : k + 9]."""
    put3(a, i, k, (R[0], R[1], R[2]))
    put3(a, i, k + 3, (R[3], R[4], R[5]))
    put3(a, i, k + 6, (R[6], R[7], R[8]))


@compiled(allocates=False, melts=True)
def add(a: V3, b: V3) -> V3:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@compiled(allocates=False, melts=True)
def add_scaled(a: V3, s: float, b: V3) -> V3:
    """Return a + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@compiled(allocates=False, melts=True)
def dot(a: V3, b: V3) -> float:
    """Return a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled(allocates=False, melts=True)
def cross(a: V3, b: V3) -> V3:
    """Return a x b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@compiled(allocates=False, melts=True)
def turn(R: M3, x: V3) -> V3:
    """Return R x."""
    return (
        R[0] * x[0] + R[1] * x[1] + R[2] * x[2],
        R[3] * x[0] + R[4] * x[1] + R[5] * x[2],
        R[6] * x[0] + R[7] * x[1] + R[8] * x[2],
    )


@compiled(allocates=False, melts=True)
def turn_back(R: M3, x: V3) -> V3:
    """Return Rᵀ x."""
    return (
        R[0] * x[0] + R[3] * x[1] + R[6] * x[2],
        R[1] * x[0] + R[4] * x[1] + R[7] * x[2],
        R[2] * x[0] + R[5] * x[1] + R[8] * x[2],
    )


@compiled(allocates=False, melts=True)
def back(R: M3) -> M3:
    """Return Rᵀ."""
    return R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]


@compiled(allocates=False, melts=True)
def matmul(A: M3, B: M3) -> M3:
    """Return A B."""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@compiled(allocates=False, melts=True)
def turn_about(axis: V3, angle: float) -> M3:
    """Return the rotation about a unit axis (Rodrigues)."""
    c, s = cos(angle), sin(angle)
    k = 1.0 - c
    x, y, z = axis
    return (
        c + x * x * k, x * y * k - z * s, x * z * k + y * s,
        y * x * k + z * s, c + y * y * k, y * z * k - x * s,
        z * x * k - y * s, z * y * k + x * s, c + z * z * k,
    )  # fmt: skip
