"""Mass properties as ten plain numbers, for compiled loops that must not allocate.

Layout: [m, hx, hy, hz, Sxx, Sxy, Sxz, Syy, Syz, Szz] with the first moment h = m c and
the second moment S = int x x^T dm about the frame's origin: the upper triangle of the
additive (4, 4) form, so bodies in one frame add entry by entry. Kernels take float64
and float32 arrays and compute in that type.
"""

from typing import Any, TypeAlias

from numpy.typing import NDArray

from equipoise.core.jit import compiled

__all__ = ["add10", "first_moment", "moved10", "transform10"]

Floats = NDArray[Any]
Vector: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Vector, Vector, Vector]
Ten: TypeAlias = tuple[
    float, float, float, float, float, float, float, float, float, float
]


MASS, HX, HY, HZ, SXX, SXY, SXZ, SYY, SYZ, SZZ = range(10)


@compiled(allocates=False)
def add10(out: Floats, a: Floats) -> None:
    """Add the mass properties ``a``, (10,), to ``out``, (10,), of the same frame."""
    for k in range(10):
        out[k] += a[k]


@compiled(allocates=False, force_inline=True)
def _ten_of(a: Floats) -> Ten:
    """Return an array, (10,), as numbers."""
    first = a[MASS], a[HX], a[HY], a[HZ]
    return *first, a[SXX], a[SXY], a[SXZ], a[SYY], a[SYZ], a[SZZ]


@compiled(allocates=False, force_inline=True)
def first_moment(a: Floats) -> Vector:
    """Return h = m c of a body, (10,)."""
    return a[HX], a[HY], a[HZ]


@compiled(allocates=False, force_inline=True)
def _product(a: Vector, b: Vector) -> float:
    """Return a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled(allocates=False, force_inline=True)
def _moved(R: Matrix, p: Vector, a: Ten) -> Ten:
    """Return the body ``a`` seen from another frame, numbers in, numbers out.

    With x' = R x + p: h' = R h + m p and S' = R S R^T + (R h) p^T + p h'^T.
    """
    m, h0, h1, h2, xx, xy, xz, yy, yz, zz = a
    first, second, third = R
    h = (h0, h1, h2)
    hx, hy, hz = _product(first, h), _product(second, h), _product(third, h)
    sx, sy, sz = (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)  # columns of S
    tx = _product(first, sx), _product(first, sy), _product(first, sz)  # rows of R S
    ty = _product(second, sx), _product(second, sy), _product(second, sz)
    tz = _product(third, sx), _product(third, sy), _product(third, sz)
    x, y, z = p
    gx, gy, gz = hx + m * x, hy + m * y, hz + m * z
    return (
        m,
        gx,
        gy,
        gz,
        _product(tx, first) + hx * x + x * gx,
        _product(tx, second) + hx * y + x * gy,
        _product(tx, third) + hx * z + x * gz,
        _product(ty, second) + hy * y + y * gy,
        _product(ty, third) + hy * z + y * gz,
        _product(tz, third) + hz * z + z * gz,
    )


@compiled(allocates=False)
def transform10(R: Floats, p: Floats, a: Floats, out: Floats) -> None:
    """Write the mass properties ``a`` in another frame into ``out``: S' = X S X^T.

    Args:
        R: R_AB, (3, 3), where ``a`` is seen from B and ``out`` from A.
        p: p_AB, (3,) [m].
        a: (10,); may be ``out`` itself.
        out: (10,), overwritten.
    """
    rows = (
        (R[0, 0], R[0, 1], R[0, 2]),
        (R[1, 0], R[1, 1], R[1, 2]),
        (R[2, 0], R[2, 1], R[2, 2]),
    )
    moved10(rows, (p[0], p[1], p[2]), a, out)


@compiled(allocates=False, force_inline=True)
def moved10(R: Matrix, p: Vector, a: Floats, out: Floats) -> None:
    """Do the same with a pose in numbers.

    Args:
        R: R_AB, three rows.
        p: p_AB [m].
        a: (10,), seen from B; may be ``out`` itself.
        out: (10,), seen from A; overwritten.
    """
    result = _moved(R, p, _ten_of(a))
    for k in range(10):
        out[k] = result[k]
