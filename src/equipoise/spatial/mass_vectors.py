"""Mass properties as ten plain numbers, for compiled loops that must not allocate.

Layout: [m, hx, hy, hz, Sxx, Sxy, Sxz, Syy, Syz, Szz] with the first moment h = m c and
the second moment S = int x x^T dm about the frame's origin: the upper triangle of the
additive (4, 4) form, so bodies in one frame add entry by entry. Kernels take float64
and float32 arrays and compute in that type.
"""

from typing import Any

from numpy.typing import NDArray

from equipoise.core.jit import compiled

__all__ = ["add10", "transform10"]

Floats = NDArray[Any]


@compiled
def add10(out: Floats, a: Floats) -> None:
    """Add the body ``a``, (10,), to ``out``, (10,), seen from the same frame."""
    for k in range(10):
        out[k] += a[k]


@compiled
def transform10(R: Floats, p: Floats, a: Floats, out: Floats) -> None:
    """Write into ``out`` the body ``a`` seen from another frame: S' = X S X^T.

    With x' = R x + p: h' = R h + m p and S' = R S R^T + (R h) p^T + p h'^T.

    Args:
        R: R_AB, (3, 3), where ``a`` is seen from B and ``out`` from A.
        p: p_AB, (3,) [m].
        a: (10,); may be ``out`` itself.
        out: (10,), overwritten.
    """
    m = a[0]
    hx = R[0, 0] * a[1] + R[0, 1] * a[2] + R[0, 2] * a[3]
    hy = R[1, 0] * a[1] + R[1, 1] * a[2] + R[1, 2] * a[3]
    hz = R[2, 0] * a[1] + R[2, 1] * a[2] + R[2, 2] * a[3]
    # T = R S, row by row.
    t00 = R[0, 0] * a[4] + R[0, 1] * a[5] + R[0, 2] * a[6]
    t01 = R[0, 0] * a[5] + R[0, 1] * a[7] + R[0, 2] * a[8]
    t02 = R[0, 0] * a[6] + R[0, 1] * a[8] + R[0, 2] * a[9]
    t10 = R[1, 0] * a[4] + R[1, 1] * a[5] + R[1, 2] * a[6]
    t11 = R[1, 0] * a[5] + R[1, 1] * a[7] + R[1, 2] * a[8]
    t12 = R[1, 0] * a[6] + R[1, 1] * a[8] + R[1, 2] * a[9]
    t20 = R[2, 0] * a[4] + R[2, 1] * a[5] + R[2, 2] * a[6]
    t21 = R[2, 0] * a[5] + R[2, 1] * a[7] + R[2, 2] * a[8]
    t22 = R[2, 0] * a[6] + R[2, 1] * a[8] + R[2, 2] * a[9]
    x, y, z = p[0], p[1], p[2]
    gx, gy, gz = hx + m * x, hy + m * y, hz + m * z
    out[0] = m
    out[1] = gx
    out[2] = gy
    out[3] = gz
    out[4] = t00 * R[0, 0] + t01 * R[0, 1] + t02 * R[0, 2] + hx * x + x * gx
    out[5] = t00 * R[1, 0] + t01 * R[1, 1] + t02 * R[1, 2] + hx * y + x * gy
    out[6] = t00 * R[2, 0] + t01 * R[2, 1] + t02 * R[2, 2] + hx * z + x * gz
    out[7] = t10 * R[1, 0] + t11 * R[1, 1] + t12 * R[1, 2] + hy * y + y * gy
    out[8] = t10 * R[2, 0] + t11 * R[2, 1] + t12 * R[2, 2] + hy * z + y * gz
    out[9] = t20 * R[2, 0] + t21 * R[2, 1] + t22 * R[2, 2] + hz * z + z * gz
