"""The inner loop over soft feet: forces, gradient and Hessian at one pose, compiled.

Plain loops over 3x3 matrices, nothing but numbers: compiled within two seconds once,
read from disk after that, and some ten times as fast as the same in array operations,
whose cost is in their number and not in their size. The formulas are those of
``stability.foot_springs``.
"""

import math
from typing import NamedTuple

from equipoise.core.arrays import Array, Mat3, Vec3, Vec6
from equipoise.core.jit import compiled
from equipoise.stability.soft.foot import Bools, FeetArrays

__all__ = ["SpringForces", "feet_at_pose"]

MOVE, TURN = range(2)


class SpringForces(NamedTuple):
    """Forces of the springs at one pose."""

    forces: Array
    """F, the energy's slope; the ground pushes the body by -F; 0 if lifted, (n, 3)."""
    feet: Array
    """rho, from the centre of mass to each foot, (n, 3)."""
    series: Array
    """S of ground and leg together, world frame, 0 for a lifted foot, (n, 3, 3)."""
    legs: Array
    """C_r, world frame, 0 where all legs are rigid, (n, 3, 3)."""
    presses: Bools
    """Whether each foot pushes on the ground, (n,) of bool."""
    pulls: Array
    """Normal part of F as if every foot held on; below zero it pushes, (n,)."""
    slope: Array
    """Sum of F and of rho x F: energy per move and per turn, (2, 3)."""
    curvature: Array
    """The energy's second derivative, moves and turns by the same, (2, 3, 2, 3)."""

    @property
    def gradient(self) -> Vec6:
        """Energy per move and per turn, (6,)."""
        return self.slope.reshape(6)

    @property
    def hessian(self) -> Array:
        """The energy's second derivative, (6, 6): moves, then turns."""
        return self.curvature.reshape(6, 6)


@compiled(allocates=False)
def _multiply(A: Array, B: Array, out: Array) -> None:
    """Put A @ B into out, (3, 3) each."""
    for i in range(3):
        for j in range(3):
            out[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]


@compiled(allocates=False)
def _cross_matrix(v: Array, out: Array) -> None:
    """Put [v], with [v] w = v x w, into out, (3, 3)."""
    out[0, 0], out[0, 1], out[0, 2] = 0.0, -v[2], v[1]
    out[1, 0], out[1, 1], out[1, 2] = v[2], 0.0, -v[0]
    out[2, 0], out[2, 1], out[2, 2] = -v[1], v[0], 0.0


@compiled(allocates=False)
def _series_stiffness(root: Array, leg: Array, series: Array, work: Array) -> None:
    """Put G (I + G C G)^-1 G into series, G the root of the ground's stiffness.

    By Cholesky's factor L of the bracket: the result is (L^-1 G)^T (L^-1 G), symmetric
    to the last bit, and hard ground is not mixed into soft legs.
    """
    L, Y = work[0], work[1]
    _multiply(leg, root, Y)
    _multiply(root, Y, L)
    for j in range(3):
        for i in range(j, 3):
            value = L[i, j] + (1.0 if i == j else 0.0)
            for k in range(j):
                value -= L[i, k] * L[j, k]
            L[i, j] = math.sqrt(value) if i == j else value / L[j, j]
    for column in range(3):
        for i in range(3):
            value = root[i, column]
            for k in range(i):
                value -= L[i, k] * Y[k, column]
            Y[i, column] = value / L[i, i]
    for i in range(3):
        for j in range(3):
            series[i, j] = Y[0, i] * Y[0, j] + Y[1, i] * Y[1, j] + Y[2, i] * Y[2, j]


@compiled(allocates=False)
def _add_foot(
    series: Array, leg: Array, F: Array, rho: Array, curvature: Array, work: Array
) -> None:
    """Add [I P]^T S [I P] and, to the turns, -[F] P with P = -[rho] - C_r [F]."""
    cross, P, across = work[0], work[1], work[2]
    _cross_matrix(F, cross)
    _cross_matrix(rho, across)
    _multiply(leg, cross, P)
    for i in range(3):
        for j in range(3):
            P[i, j] = -P[i, j] - across[i, j]
    _multiply(series, P, across)
    for i in range(3):
        for j in range(3):
            curvature[MOVE, i, MOVE, j] += series[i, j]
            curvature[MOVE, i, TURN, j] += across[i, j]
            curvature[TURN, j, MOVE, i] += across[i, j]
            value = 0.0
            for k in range(3):
                value += P[k, i] * across[k, j] - cross[i, k] * P[k, j]
            curvature[TURN, i, TURN, j] += value


@compiled(allocates=False)
def feet_at_pose(
    feet: FeetArrays, p: Vec3, R: Mat3, finds: bool, out: SpringForces, work: Array
) -> None:
    """Fill in what all feet do at a pose.

    Args:
        feet: what they are.
        p: how far the centre of mass has moved, (3,).
        R: how the body has turned, (3, 3).
        finds: whether ``out.presses`` is to be found from the pose, else it is given.
        out: all the rest is overwritten.
        work: scratch, (3, 3, 3).
    """
    out.slope[:] = 0.0
    out.curvature[:] = 0.0
    move, turn = out.slope[MOVE], out.slope[TURN]
    for f in range(len(feet.arms)):
        rho, F, S, C = out.feet[f], out.forces[f], out.series[f], out.legs[f]
        _spring_at(feet, f, p, R, out, work)
        if finds:
            out.presses[f] = out.pulls[f] < 0.0
        if not out.presses[f]:
            F[:] = 0.0
            S[:] = 0.0
            continue
        for i in range(3):
            rho[i] -= C[i, 0] * F[0] + C[i, 1] * F[1] + C[i, 2] * F[2]
            move[i] += F[i]
        turn[0] += rho[1] * F[2] - rho[2] * F[1]
        turn[1] += rho[2] * F[0] - rho[0] * F[2]
        turn[2] += rho[0] * F[1] - rho[1] * F[0]
        _add_foot(S, C, F, rho, out.curvature, work)


@compiled(allocates=False)
def _spring_at(
    feet: FeetArrays, f: int, p: Vec3, R: Mat3, out: SpringForces, work: Array
) -> None:
    """Fill in force, stiffness and pull of one foot as if it held on.

    Args:
        feet: what they are.
        f: which one.
        p: how far the centre of mass has moved, (3,).
        R: how the body has turned, (3, 3).
        out: the foot's part is overwritten; its place is that of the unloaded leg.
        work: scratch, (3, 3, 3).
    """
    arm, ground, normal = feet.arms[f], feet.ground[f], feet.normals[f]
    rho, F, S, C = out.feet[f], out.forces[f], out.series[f], out.legs[f]
    for i in range(3):
        rho[i] = R[i, 0] * arm[0] + R[i, 1] * arm[1] + R[i, 2] * arm[2]
        for j in range(3):
            S[i, j] = ground[i, j]
            C[i, j] = 0.0
    if len(feet.legs):
        _multiply(R, feet.legs[f], work[0])
        for i in range(3):
            for j in range(3):
                for k in range(3):
                    C[i, j] += work[0, i, k] * R[j, k]
        _series_stiffness(feet.roots[f], C, S, work)
    pull = 0.0
    for i in range(3):
        F[i] = 0.0
        for j in range(3):
            F[i] += S[i, j] * (p[j] + rho[j] - arm[j])
        pull += F[i] * normal[i]
    out.pulls[f] = pull
