"""A rigid robot on vertical springs: energy's slope and second derivative at a pose.

Feet at arms s from the centre of mass press on springs k that were unloaded when the
robot was upright. Only its height z and e, the vertical seen from the robot, count::

    δ = z + e·s - s_z < 0,    E = Σ k δ² / 2 + w z,    J = (1, b1·(s × e), b2·(s × e))
    slope = Σ k δ J + (w, 0, 0),    H = Σ k J Jᵀ - diag(0, 1, 1) Σ k δ e·s

with b1, b2 square to e: the second derivative of ``stability.soft.springs`` for the
three motions that vertical springs resist. The second term of H is the weight's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from equipoise.equations.margins.cone.state import seen_axes
from equipoise.equations.tape.functions import less, maximum, sqrt, where
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import (
    Vec,
    cross_product,
    inner_product,
    vector_difference,
)

__all__ = ["SoftState", "SpringPose", "jacobi", "soft_state", "solved3", "springs"]

Matrix = list[list[Expr]]


@final
@dataclass(frozen=True)
class SoftState:
    """Arms, stiffnesses and which feet are there, and the weight."""

    arms: list[Vec]
    stiffnesses: list[Expr]
    is_on: list[Expr]
    weight: Expr


@final
@dataclass(frozen=True)
class SpringPose:
    """Forces and energy of the springs at a pose."""

    slope: list[Expr]
    """Of the energy, by height and two turns, (3,)."""
    hessian: Matrix
    unloaded: Matrix
    """The same upright and without load, of the feet that press now."""
    axes: tuple[Vec, Vec, Vec]
    """b1, b2 and e."""


def soft_state(x: Sequence[Expr]) -> SoftState:
    """Return a state from its numbers: com, weight, then place, stiffness, mask."""
    com = (x[0], x[1], x[2])
    rows = [x[k : k + 5] for k in range(4, len(x), 5)]
    arms = [vector_difference((r[0], r[1], r[2]), com) for r in rows]
    return SoftState(arms, [r[3] for r in rows], [r[4] for r in rows], x[3])


def springs(state: SoftState, z: Expr, e: Vec, load: Expr) -> SpringPose:
    """Return slope and second derivative of the energy.

    Args:
        state: feet and weight.
        z: height of the centre of mass over where the springs are unloaded.
        e: the vertical, seen from the robot, unit.
        load: share of the weight that is there.
    """
    axes = seen_axes(e)
    zero = 0 * z
    slope = [load * state.weight, zero, zero]
    hessian = [[zero] * 3 for _ in range(3)]
    unloaded = [[zero] * 3 for _ in range(3)]
    for s, k, on in zip(state.arms, state.stiffnesses, state.is_on, strict=True):
        over = inner_product(e, s)
        depth = z + over - s[2]
        stiff = on * less(depth, 0.0) * k
        lever = cross_product(s, e)
        row = [zero + 1, inner_product(axes[0], lever), inner_product(axes[1], lever)]
        first = [zero + 1, s[1], -s[0]]
        pull = stiff * depth
        for i in range(3):
            slope[i] = slope[i] + pull * row[i]
            for j in range(3):
                hessian[i][j] = hessian[i][j] + stiff * row[i] * row[j]
                unloaded[i][j] = unloaded[i][j] + stiff * first[i] * first[j]
        for i in (1, 2):
            hessian[i][i] = hessian[i][i] - pull * over
    return SpringPose(slope, hessian, unloaded, axes)


def solved3(a: Matrix, b: Sequence[Expr]) -> list[Expr]:
    """Return x with A x = b of three equations, by cofactors.

    A matrix without an inverse, and one far from positive, gives numbers all the same.
    """
    rows = [(r[0], r[1], r[2]) for r in a]
    co = [
        cross_product(rows[1], rows[2]),
        cross_product(rows[2], rows[0]),
        cross_product(rows[0], rows[1]),
    ]
    over = 1 / inner_product(rows[0], co[0])
    return [
        (co[0][i] * b[0] + co[1][i] * b[1] + co[2][i] * b[2]) * over for i in range(3)
    ]


def lowered(h0: Matrix, h: Matrix, small: float) -> tuple[Matrix, Matrix, Expr]:
    """Return L⁻¹ H L⁻ᵀ for H0 = L Lᵀ, the inverse of L, and whether H0 is positive."""
    zero = 0 * h0[0][0]
    holds = zero + 1
    inverse = [[zero] * 3 for _ in range(3)]
    factor = [[zero] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(i + 1):
            rest = h0[i][j]
            for k in range(j):
                rest = rest - factor[i][k] * factor[j][k]
            if i == j:
                holds = holds * less(small * h0[i][i], rest)
                factor[i][i] = sqrt(maximum(rest, 1e-30))
                inverse[i][i] = 1 / factor[i][i]
            else:
                factor[i][j] = rest * inverse[j][j]
    for i in range(3):
        for j in range(i):
            rest = zero
            for k in range(j, i):
                rest = rest - factor[i][k] * inverse[k][j]
            inverse[i][j] = rest * inverse[i][i]
    half = _times(inverse, h)
    turned = [list(column) for column in zip(*inverse, strict=True)]
    return _times(half, turned), inverse, holds


def _times(a: Matrix, b: Matrix) -> Matrix:
    return [
        [a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] for j in range(3)]
        for i in range(3)
    ]


def jacobi(matrix: Matrix, sweeps: int = 5) -> tuple[list[Expr], Matrix]:
    """Return eigenvalues and eigenvectors (columns) of a symmetric matrix of three.

    Jacobi's turns, as many as are always enough: equal eigenvalues do no harm.
    """
    zero = 0 * matrix[0][0]
    a = [list(row) for row in matrix]
    v = [[zero + float(i == j) for j in range(3)] for i in range(3)]
    for _ in range(sweeps):
        for p, q in ((0, 1), (0, 2), (1, 2)):
            off = a[p][q]
            is_off = less(1e-30, maximum(off, -off))
            ratio = (a[q][q] - a[p][p]) / (2 * where(is_off, off, 1.0))
            size = maximum(ratio, -ratio)
            tan = 1 / (size + sqrt(ratio * ratio + 1))
            tan = where(is_off, where(less(ratio, 0.0), -tan, tan), 0.0)
            cosine = 1 / sqrt(tan * tan + 1)
            sine = tan * cosine
            r = 3 - p - q
            app, aqq, apr, aqr = a[p][p], a[q][q], a[p][r], a[q][r]
            a[p][p], a[q][q] = app - tan * off, aqq + tan * off
            a[p][q] = a[q][p] = zero
            a[p][r] = a[r][p] = cosine * apr - sine * aqr
            a[q][r] = a[r][q] = sine * apr + cosine * aqr
            for row in v:
                row[p], row[q] = (
                    cosine * row[p] - sine * row[q],
                    sine * row[p] + cosine * row[q],
                )
    return [a[0][0], a[1][1], a[2][2]], v
