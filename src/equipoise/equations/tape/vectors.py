"""Vectors, turns and symmetric matrices of expressions.

A vector is a tuple of three expressions. A matrix is a tuple of its rows, a symmetric
one a tuple of six: xx, yy, zz, xy, xz, yz. What is zero by its structure costs nothing.
"""

from collections.abc import Sequence
from typing import final

import numpy as np

from equipoise.core.arrays import Mat3
from equipoise.equations.tape.functions import cos, sin
from equipoise.equations.tape.tape import Expr

__all__ = [
    "Rows",
    "Sym",
    "Turn",
    "Vec",
    "cross_product",
    "inner_product",
    "matrix_times",
    "plus",
    "scaled_vector",
    "shifted",
    "sym_times",
    "total",
    "vector_difference",
]

Vec = tuple[Expr, Expr, Expr]
Rows = tuple[Vec, Vec, Vec]
Sym = tuple[Expr, Expr, Expr, Expr, Expr, Expr]
NEXT = (1, 2, 0, 1)
PLACE = ((0, 3, 4), (3, 1, 5), (4, 5, 2))  # where an entry of a matrix is kept
SNAP = 1e-14  # entries of a constant turn this close to 0, 1 or -1 are that


def total(terms: Sequence[Expr]) -> Expr:
    """Return the sum of at least one term, halves first."""
    if len(terms) == 1:
        return terms[0]
    middle = (len(terms) + 1) // 2
    return total(terms[:middle]) + total(terms[middle:])


def plus(a: Vec, b: Vec) -> Vec:
    """Return a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def vector_difference(a: Vec, b: Vec) -> Vec:
    """Return a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scaled_vector(s: Expr, a: Vec) -> Vec:
    """Return s a."""
    return (s * a[0], s * a[1], s * a[2])


def inner_product(a: Vec, b: Vec) -> Expr:
    """Return the inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def matrix_times(rows: Rows, r: Vec) -> Vec:
    """Return the product of a matrix with a vector."""
    return (
        inner_product(rows[0], r),
        inner_product(rows[1], r),
        inner_product(rows[2], r),
    )


def cross_product(a: Vec, b: Vec) -> Vec:
    """Return the cross product a x b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def sym_times(a: Sym, v: Vec) -> Vec:
    """Return the product of a symmetric matrix with a vector."""
    xx, yy, zz, xy, xz, yz = a
    return (
        xx * v[0] + xy * v[1] + xz * v[2],
        xy * v[0] + yy * v[1] + yz * v[2],
        xz * v[0] + yz * v[1] + zz * v[2],
    )


def shifted(inertia: Sym, moment: Vec, mass: Expr, r: Vec) -> tuple[Sym, Vec]:
    """Return inertia and first moment about a point from which the old one is at r.

    I + 2 (r.n) 1 - (r n' + n r') with n = h + m r / 2, and h + m r.
    """
    half = 0.5 * mass
    n = plus(moment, scaled_vector(half, r))
    x, y, z = (r[k] * n[k] for k in range(3))
    xx, yy, zz, xy, xz, yz = inertia
    about = (
        xx + 2.0 * (y + z),
        yy + 2.0 * (x + z),
        zz + 2.0 * (x + y),
        xy - (r[0] * n[1] + n[0] * r[1]),
        xz - (r[0] * n[2] + n[0] * r[2]),
        yz - (r[1] * n[2] + n[1] * r[2]),
    )
    return about, plus(moment, scaled_vector(mass, r))


@final
class Turn:
    """The orientation of a frame in its parent: a constant turn, then one by an angle.

    R = C R_k(angle), with C a matrix of numbers and k a coordinate axis.
    """

    def __init__(self, fixed: Mat3, axis: int = 2, angle: Expr | None = None) -> None:
        near = np.round(fixed)
        self.fixed: Mat3 = np.where(np.abs(fixed - near) < SNAP, near, fixed)
        self.axis = axis
        self.cosine = None if angle is None else cos(angle)
        self.sine = None if angle is None else sin(angle)

    def out(self, v: Vec) -> Vec:
        """Return a vector of the frame in axes of the parent."""
        return self._times(self.fixed, self._spun(v, 1.0))

    def back(self, v: Vec) -> Vec:
        """Return a vector of the parent in axes of the frame."""
        return self._spun(self._times(self.fixed.T, v), -1.0)

    def out_sym(self, a: Sym) -> Sym:
        """Return a symmetric matrix of the frame in axes of the parent."""
        spun = self._spun_sym(a)
        if np.array_equal(self.fixed, np.eye(3)):
            return spun
        rows = [[spun[PLACE[i][j]] for j in range(3)] for i in range(3)]
        half = [self._times(self.fixed, (row[0], row[1], row[2])) for row in rows]
        columns = [
            self._times(self.fixed, (half[0][j], half[1][j], half[2][j]))
            for j in range(3)
        ]
        order = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        xx, yy, zz, xy, xz, yz = (columns[j][i] for i, j in order)
        return (xx, yy, zz, xy, xz, yz)

    def _spun(self, v: Vec, sign: float) -> Vec:
        if self.cosine is None or self.sine is None:
            return v
        c, s = self.cosine, self.sine if sign > 0 else -self.sine
        i, j = NEXT[self.axis], NEXT[self.axis + 1]
        out = list(v)
        out[i], out[j] = c * v[i] - s * v[j], s * v[i] + c * v[j]
        return (out[0], out[1], out[2])

    def _spun_sym(self, a: Sym) -> Sym:
        """With y = s (a_ii - a_jj) + 2 c a_ij: a_ii - s y, a_jj + s y, c y - a_ij."""
        if self.cosine is None or self.sine is None:
            return a
        c, s, k = self.cosine, self.sine, self.axis
        i, j = NEXT[k], NEXT[k + 1]
        ij, ik, jk = PLACE[i][j], PLACE[i][k], PLACE[j][k]
        y = s * (a[i] - a[j]) + c * (2.0 * a[ij])
        turn = s * y
        out = list(a)
        out[i], out[j], out[ij] = a[i] - turn, a[j] + turn, c * y - a[ij]
        out[ik], out[jk] = c * a[ik] - s * a[jk], s * a[ik] + c * a[jk]
        return (out[0], out[1], out[2], out[3], out[4], out[5])

    def _times(self, matrix: Mat3, v: Vec) -> Vec:
        rows: list[Expr] = []
        for i in range(3):
            terms = [v[k] * float(matrix[i, k]) for k in range(3) if matrix[i, k]]
            total = terms[0]
            for term in terms[1:]:
                total = total + term
            rows.append(total)
        return (rows[0], rows[1], rows[2])
