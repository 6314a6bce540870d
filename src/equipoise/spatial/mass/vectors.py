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

MASS, HX, HY, HZ, SXX, SXY, SXZ, SYY, SYZ, SZZ = range(10)


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
    r00, r01, r02, r10, r11, r12, r20, r21, r22 = R
    m, ax, ay, az, sxx, sxy, sxz, syy, syz, szz = a
    hx = r00 * ax + r01 * ay + r02 * az
    hy = r10 * ax + r11 * ay + r12 * az
    hz = r20 * ax + r21 * ay + r22 * az
    # T = R S, row by row.
    t00 = r00 * sxx + r01 * sxy + r02 * sxz
    t01 = r00 * sxy + r01 * syy + r02 * syz
    t02 = r00 * sxz + r01 * syz + r02 * szz
    t10 = r10 * sxx + r11 * sxy + r12 * sxz
    t11 = r10 * sxy + r11 * syy + r12 * syz
    t12 = r10 * sxz + r11 * syz + r12 * szz
    t20 = r20 * sxx + r21 * sxy + r22 * sxz
    t21 = r20 * sxy + r21 * syy + r22 * syz
    t22 = r20 * sxz + r21 * syz + r22 * szz
    x, y, z = p
    gx, gy, gz = hx + m * x, hy + m * y, hz + m * z
    return (
        m,
        gx,
        gy,
        gz,
        t00 * r00 + t01 * r01 + t02 * r02 + hx * x + x * gx,
        t00 * r10 + t01 * r11 + t02 * r12 + hx * y + x * gy,
        t00 * r20 + t01 * r21 + t02 * r22 + hx * z + x * gz,
        t10 * r10 + t11 * r11 + t12 * r12 + hy * y + y * gy,
        t10 * r20 + t11 * r21 + t12 * r22 + hy * z + y * gz,
        t20 * r20 + t21 * r21 + t22 * r22 + hz * z + z * gz,
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
    ten = (
        a[MASS],
        a[HX],
        a[HY],
        a[HZ],
        a[SXX],
        a[SXY],
        a[SXZ],
        a[SYY],
        a[SYZ],
        a[SZZ],
    )
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
        a[row, MASS],
        a[row, HX],
        a[row, HY],
        a[row, HZ],
        a[row, SXX],
        a[row, SXY],
        a[row, SXZ],
        a[row, SYY],
        a[row, SYZ],
        a[row, SZZ],
    )
    result = moved(R, p, ten)
    for k in range(10):
        out[to, first + k] = result[k]
