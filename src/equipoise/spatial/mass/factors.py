"""The central second moment as a triangular factor, which rounding cannot spoil.

C = int (x-c)(x-c)^T dm = L L^T is kept as L, packed [l00, l10, l20, l11, l21, l22].
Bodies join by C = C1 + C2 + m1 m2/(m1+m2) d d^T with d = c2 - c1, the parallel-axis
term of the reduced mass. Each term is absorbed into L column by column with plane
rotations ([Golub2013] section 6.5.4), so nothing is ever subtracted, and L L^T is
positive semidefinite whatever the rounding.

Why not C itself: a 168 m chain, 84 mm wide, has spreads in the ratio 4e6. In float32,
in a frame tilted against the chain, the entries of C are rounded by more than the small
spreads, and after a thousand sums an eigenvalue of the inertia is negative (-0.1 of the
true one, measured). L holds square roots, ratio 2e3, and keeps that eigenvalue to 7 %.

Ten numbers here: [m, hx, hy, hz, l00, l10, l20, l11, l21, l22] with h = m c, which adds
as it is. Kernels take float64 and float32 arrays and compute in that type.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.core.jit import compiled

__all__ = [
    "absorb",
    "add_factored10",
    "central_from_factor",
    "factor_from_central",
    "joined_factor",
    "rotated_factor",
    "transform_factored10",
]

Floats = NDArray[Any]

MASS, HX, HY, HZ, FACTOR = range(5)  # of ten numbers, where they begin
L00, L10, L20, L11, L21, L22 = range(6)  # of a packed factor


@compiled
def absorb(L: Floats, at: int, x: Any, y: Any, z: Any) -> None:
    """Make L L^T + v v^T out of L L^T, in place.

    Args:
        L: array that holds the packed factor at L[at:at + 6].
        at: where the factor starts.
        x: first entry of v.
        y: second entry of v.
        z: third entry of v.
    """
    if x != 0:
        a = L[at + L00]
        r = np.sqrt(a * a + x * x)
        if r > 0:
            c, s = a / r, x / r
            L[at + L00] = r
            b, d = L[at + L10], L[at + L20]
            L[at + L10], y = c * b + s * y, c * y - s * b
            L[at + L20], z = c * d + s * z, c * z - s * d
    if y != 0:
        a = L[at + L11]
        r = np.sqrt(a * a + y * y)
        if r > 0:
            c, s = a / r, y / r
            L[at + L11] = r
            d = L[at + L21]
            L[at + L21], z = c * d + s * z, c * z - s * d
    if z != 0:
        a = L[at + L22]
        L[at + L22] = np.sqrt(a * a + z * z)


@compiled
def _absorb_rotated(L: Floats, at: int, R: Floats, other: Floats, start: int) -> None:
    """Absorb the columns of R K, K packed at other[start:start + 6], into L."""
    a, b, c = other[start + L00], other[start + L10], other[start + L20]
    absorb(
        L,
        at,
        R[0, 0] * a + R[0, 1] * b + R[0, 2] * c,
        R[1, 0] * a + R[1, 1] * b + R[1, 2] * c,
        R[2, 0] * a + R[2, 1] * b + R[2, 2] * c,
    )
    b, c = other[start + L11], other[start + L21]
    absorb(
        L,
        at,
        R[0, 1] * b + R[0, 2] * c,
        R[1, 1] * b + R[1, 2] * c,
        R[2, 1] * b + R[2, 2] * c,
    )
    c = other[start + L22]
    absorb(L, at, R[0, 2] * c, R[1, 2] * c, R[2, 2] * c)


@compiled(force_inline=True)
def _absorb_packed(L: Floats, at: int, other: Floats, start: int, zero: Any) -> None:
    """Absorb the columns of K, packed at other[start:start + 6], into L."""
    absorb(L, at, other[start + L00], other[start + L10], other[start + L20])
    absorb(L, at, zero, other[start + L11], other[start + L21])
    absorb(L, at, zero, zero, other[start + L22])


@compiled
def add_factored10(out: Floats, a: Floats) -> None:
    """Add the body ``a``, (10,), to ``out``, (10,), seen from the same frame."""
    m1, m2 = out[MASS], a[MASS]
    if m2 == 0:
        return
    if m1 > 0:
        weight = np.sqrt(m1 * (m2 / (m1 + m2)))
        absorb(
            out,
            FACTOR,
            weight * (a[HX] / m2 - out[HX] / m1),
            weight * (a[HY] / m2 - out[HY] / m1),
            weight * (a[HZ] / m2 - out[HZ] / m1),
        )
    for k in range(FACTOR):
        out[k] += a[k]
    _absorb_packed(out, FACTOR, a, FACTOR, m1 - m1)


@compiled
def transform_factored10(R: Floats, p: Floats, a: Floats, out: Floats) -> None:
    """Write into ``out`` the body ``a`` seen from another frame, x' = R x + p.

    Args:
        R: R_AB, (3, 3), where ``a`` is seen from B and ``out`` from A.
        p: p_AB, (3,) [m].
        a: (10,).
        out: (10,), overwritten; not ``a`` itself.
    """
    m, x, y, z = a[MASS], a[HX], a[HY], a[HZ]
    out[MASS] = m
    for i in range(3):
        out[HX + i] = R[i, 0] * x + R[i, 1] * y + R[i, 2] * z + m * p[i]
    for k in range(FACTOR, 10):
        out[k] = 0
    _absorb_rotated(out, FACTOR, R, a, FACTOR)


@compiled
def rotated_factor(R: Floats, L: Floats) -> Floats:
    """Return the factor, (6,), of R C R^T, where C = L L^T."""
    out = np.zeros_like(L)
    _absorb_rotated(out, 0, R, L, 0)
    return out


@compiled
def joined_factor(L1: Floats, L2: Floats, v: Floats) -> Floats:
    """Return the factor, (6,), of C1 + C2 + v v^T, with v of shape (3,)."""
    out = L1.copy()
    zero = v[0] - v[0]
    absorb(out, 0, v[0], v[1], v[2])
    _absorb_packed(out, 0, L2, 0, zero)
    return out


def factor_from_central(central: Floats, dtype: np.dtype[Any]) -> Floats:
    """Return the packed factor, (6,), of a central second moment, (3, 3).

    Spreads below zero, which can only be rounding here, count as zero.
    """
    spreads, axes = np.linalg.eigh(central)
    columns = axes * np.sqrt(np.maximum(spreads, 0.0))
    L = np.zeros(6)
    for k in range(3):
        absorb(L, 0, columns[0, k], columns[1, k], columns[2, k])
    return L.astype(dtype)


def central_from_factor(L: Floats) -> Floats:
    """Return C = L L^T, (3, 3), in the type of the packed factor, (6,)."""
    a, b, c, d, e, f = L
    xy, xz, yz = a * b, a * c, b * c + d * e
    rows = [
        [a * a, xy, xz],
        [xy, b * b + d * d, yz],
        [xz, yz, c * c + e * e + f * f],
    ]
    return np.array(rows, L.dtype)
