"""Mass properties as ten plain numbers, for compiled loops that must not allocate.

Layout: [m, hx, hy, hz, Sxx, Sxy, Sxz, Syy, Syz, Szz] with the first moment h = m c and
the second moment S = int x x^T dm about the frame's origin: the upper triangle of the
additive (4, 4) form, so bodies in one frame add entry by entry. Kernels take float64
and float32 arrays and compute in that type.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from equipoise.core.jit import compiled

__all__ = ["add10", "moved10", "transform10"]

Floats = NDArray[Any]
Vector: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]
Ten: TypeAlias = tuple[
    float, float, float, float, float, float, float, float, float, float
]


@compiled(allocates=False)
def add10(out: Floats, a: Floats) -> None:
    """Add the body ``a``, (10,), to ``out``, (10,), seen from the same frame."""
    for k in range(10):
        out[k] += a[k]


@compiled(allocates=False, melts=True)
def moved(R: Matrix, p: Vector, a: Ten) -> Ten:
    """Return the body ``a`` seen from another frame, numbers in, numbers out.

    With x' = R x + p: h' = R h + m p and S' = R S R^T + (R h) p^T + p h'^T.
    """
    m = a[0]
    hx = R[0] * a[1] + R[1] * a[2] + R[2] * a[3]
    hy = R[3] * a[1] + R[4] * a[2] + R[5] * a[3]
    hz = R[6] * a[1] + R[7] * a[2] + R[8] * a[3]
    # T = R S, row by row.
    t00 = R[0] * a[4] + R[1] * a[5] + R[2] * a[6]
    t01 = R[0] * a[5] + R[1] * a[7] + R[2] * a[8]
    t02 = R[0] * a[6] + R[1] * a[8] + R[2] * a[9]
    t10 = R[3] * a[4] + R[4] * a[5] + R[5] * a[6]
    t11 = R[3] * a[5] + R[4] * a[7] + R[5] * a[8]
    t12 = R[3] * a[6] + R[4] * a[8] + R[5] * a[9]
    t20 = R[6] * a[4] + R[7] * a[5] + R[8] * a[6]
    t21 = R[6] * a[5] + R[7] * a[7] + R[8] * a[8]
    t22 = R[6] * a[6] + R[7] * a[8] + R[8] * a[9]
    x, y, z = p
    gx, gy, gz = hx + m * x, hy + m * y, hz + m * z
    return (
        m,
        gx,
        gy,
        gz,
        t00 * R[0] + t01 * R[1] + t02 * R[2] + hx * x + x * gx,
        t00 * R[3] + t01 * R[4] + t02 * R[5] + hx * y + x * gy,
        t00 * R[6] + t01 * R[7] + t02 * R[8] + hx * z + x * gz,
        t10 * R[3] + t11 * R[4] + t12 * R[5] + hy * y + y * gy,
        t10 * R[6] + t11 * R[7] + t12 * R[8] + hy * z + y * gz,
        t20 * R[6] + t21 * R[7] + t22 * R[8] + hz * z + z * gz,
    )


@compiled(allocates=False)
def transform10(R: Floats, p: Floats, a: Floats, out: Floats) -> None:
    """Write into ``out`` the body ``a`` seen from another frame: S' = X S X^T.

    Args:
        R: R_AB, (3, 3), where ``a`` is seen from B and ``out`` from A.
        p: p_AB, (3,) [m].
        a: (10,); may be ``out`` itself.
        out: (10,), overwritten.
    """
    rows = (
        R[0, 0], R[0, 1], R[0, 2], R[1, 0], R[1, 1], R[1, 2], R[2, 0], R[2, 1], R[2, 2]
    )  # fmt: skip
    ten = (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9])
    result = moved(rows, (p[0], p[1], p[2]), ten)
    for k in range(10):
        out[k] = result[k]


@compiled(allocates=False, melts=True)
def moved10(
    R: Matrix, p: Vector, a: Floats, i: int, out: Floats, o: int, first: int
) -> None:
    """Do the same for row ``i`` of ``a`` into row ``o`` of ``out``.

    Args:
        R: R_AB, nine numbers row by row.
        p: p_AB [m].
        a: (n, 10 or more), seen from B.
        i: row of ``a``.
        out: (n, 10 or more), seen from A; overwritten.
        o: row of ``out``.
        first: column of ``out`` at which the ten numbers begin.
    """
    row, to = np.uintp(i), np.uintp(o)  # unsigned: no check for negative indices
    ten = (
        a[row, 0], a[row, 1], a[row, 2], a[row, 3], a[row, 4],
        a[row, 5], a[row, 6], a[row, 7], a[row, 8], a[row, 9],
    )  # fmt: skip
    result = moved(R, p, ten)
    for k in range(10):
        out[to, first + k] = result[k]
