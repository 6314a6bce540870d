"""Turns that are not about one coordinate axis: quaternions, and yaw, pitch, roll.

A quaternion w, x, y, z is taken as a direction, of any length but zero, as MuJoCo does;
it has no singularity. Yaw, pitch and roll turn about z, then y, then x, as the thesis
counts them, and break down at a pitch of a right angle.
"""

from collections.abc import Sequence
from typing import final

import numpy as np

from equipoise.core.arrays import Mat3
from equipoise.equations.mechanism.turns import Turns
from equipoise.equations.tape.functions import cos, sin
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import (
    PLACE,
    Rows,
    Sym,
    Turn,
    Vec,
    inner_product,
    matrix_times,
)

__all__ = [
    "MatrixTurn",
    "quaternion_rate",
    "quaternion_rows",
    "yaw_pitch_roll",
    "ypr_rate",
]

ORDER = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def quaternion_rows(quat: Sequence[Expr]) -> Rows:
    """Return the rows of the rotation of a quaternion w, x, y, z of any length."""
    w, x, y, z = quat
    s = 2 / (w * w + x * x + y * y + z * z)
    xs, ys, zs = s * x, s * y, s * z
    xx, yy, zz = x * xs, y * ys, z * zs
    xy, xz, yz = x * ys, x * zs, y * zs
    wx, wy, wz = w * xs, w * ys, w * zs
    return (
        (1 - (yy + zz), xy - wz, xz + wy),
        (xy + wz, 1 - (xx + zz), yz - wx),
        (xz - wy, yz + wx, 1 - (xx + yy)),
    )


def quaternion_rate(quat: Sequence[Expr], spin: Vec) -> tuple[Expr, ...]:
    """Return the rate of a quaternion, q (0, ω) / 2, ω in the turned axes."""
    w, x, y, z = quat
    a, b, c = (0.5 * s for s in spin)
    return (
        -(x * a + y * b + z * c),
        w * a + y * c - z * b,
        w * b + z * a - x * c,
        w * c + x * b - y * a,
    )


def ypr_rate(pitch: Expr, roll: Expr, spin: Vec) -> Vec:
    """Return the rates of yaw, pitch and roll, ω in the turned axes; (6.10)."""
    t = sin(roll) * spin[1] + cos(roll) * spin[2]
    yaw = t / cos(pitch)
    return (yaw, cos(roll) * spin[1] - sin(roll) * spin[2], spin[0] + sin(pitch) * yaw)


@final
class MatrixTurn:
    """An orientation C R, with C a matrix of numbers and R one of expressions."""

    def __init__(self, fixed: Mat3, rows: Rows) -> None:
        self._fixed = Turn(fixed)
        self.fixed: Mat3 = self._fixed.fixed
        self.rows = rows
        x, y, z = zip(*rows, strict=True)
        self.columns: Rows = (x, y, z)

    def out(self, v: Vec) -> Vec:
        """Return a vector of the frame in axes of the parent."""
        return self._fixed.out(matrix_times(self.rows, v))

    def back(self, v: Vec) -> Vec:
        """Return a vector of the parent in axes of the frame."""
        return matrix_times(self.columns, self._fixed.back(v))

    def out_sym(self, a: Sym) -> Sym:
        """Return a symmetric matrix of the frame in axes of the parent."""
        rows = [(a[p[0]], a[p[1]], a[p[2]]) for p in PLACE]
        half = [matrix_times(self.rows, row) for row in rows]  # half[j][i] = (R a)_ij
        first = [(half[0][i], half[1][i], half[2][i]) for i in range(3)]
        xx, yy, zz, xy, xz, yz = (
            inner_product(first[i], self.rows[j]) for i, j in ORDER
        )
        return self._fixed.out_sym((xx, yy, zz, xy, xz, yz))


def yaw_pitch_roll(yaw: Expr, pitch: Expr, roll: Expr) -> Turns:
    """Return the orientation of a frame turned about z, then y, then x."""
    angles = (roll, pitch, yaw)
    return Turns([Turn(np.eye(3), k, angle) for k, angle in enumerate(angles)])
