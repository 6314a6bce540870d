"""The inner loop over soft feet: forces, gradient and Hessian at one pose, compiled.

Plain loops over 3x3 matrices, nothing but numbers: compiled within two seconds once,
read from disk after that, and some ten times as fast as the same in array operations,
whose cost is in their number and not in their size. The formulas are those of
``stability.foot_springs``.
"""

import math

from equipoise.core.arrays import Array, Mat3, Vec3, Vec6
from equipoise.core.jit import compiled
from equipoise.stability.soft.foot import Bools

__all__ = ["feet_at_pose"]


@compiled(allocates=False)
def multiply(A: Array, B: Array, out: Array) -> None:
    """Put A @ B into out, (3, 3) each."""
    for i in range(3):
        for j in range(3):
            out[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]


@compiled(allocates=False)
def cross_matrix(v: Array, out: Array) -> None:
    """Put [v], with [v] w = v x w, into out, (3, 3)."""
    out[0, 0], out[0, 1], out[0, 2] = 0.0, -v[2], v[1]
    out[1, 0], out[1, 1], out[1, 2] = v[2], 0.0, -v[0]
    out[2, 0], out[2, 1], out[2, 2] = -v[1], v[0], 0.0


@compiled(allocates=False)
def series_stiffness(root: Array, leg: Array, series: Array, work: Array) -> None:
    """Put G (I + G C G)^-1 G into series, G the root of the ground's stiffness.

    By Cholesky's factor L of the bracket: the result is (L^-1 G)^T (L^-1 G), symmetric
    to the last bit, and hard ground is not mixed into soft legs.
    """
    L, Y = work[0], work[1]
    multiply(leg, root, Y)
    multiply(root, Y, L)
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
def add_foot(
    series: Array, leg: Array, F: Array, rho: Array, hessian: Array, work: Array
) -> None:
    """Add [I P]^T S [I P] and, to the turns, -[F] P with P = -[rho] - C_r [F]."""
    cross, P, across = work[0], work[1], work[2]
    cross_matrix(F, cross)
    cross_matrix(rho, across)
    multiply(leg, cross, P)
    for i in range(3):
        for j in range(3):
            P[i, j] = -P[i, j] - across[i, j]
    multiply(series, P, across)
    for i in range(3):
        for j in range(3):
            hessian[i, j] += series[i, j]
            hessian[i, 3 + j] += across[i, j]
            hessian[3 + j, i] += across[i, j]
            value = 0.0
            for k in range(3):
                value += P[k, i] * across[k, j] - cross[i, k] * P[k, j]
            hessian[3 + i, 3 + j] += value


@compiled(allocates=False)
def feet_at_pose(
    arms: Array,
    ground: Array,
    roots: Array,
    legs: Array,
    normals: Array,
    p: Vec3,
    R: Mat3,
    finds: bool,
    presses: Bools,
    forces: Array,
    places: Array,
    series: Array,
    turned_legs: Array,
    pulls: Array,
    gradient: Vec6,
    hessian: Array,
    work: Array,
) -> None:
    """Fill in what all feet do at a pose; outputs from ``presses`` on.

    Args:
        arms: from the centre of mass, (n, 3).
        ground: stiffness, world frame, (n, 3, 3).
        roots: symmetric square roots of it, (n, 3, 3).
        legs: compliance, body frame, (n, 3, 3), or (0, 3, 3) where all are rigid.
        normals: out of the ground, (n, 3).
        p: how far the centre of mass has moved, (3,).
        R: how the body has turned, (3, 3).
        finds: whether ``presses`` is to be found from the pose, else it is given.
        presses: whether each foot pushes on the ground, (n,).
        forces: F, zero for a lifted foot, (n, 3).
        places: from the centre of mass to each foot, (n, 3).
        series: S, zero for a lifted foot, (n, 3, 3).
        turned_legs: C_r, world frame, (n, 3, 3); zero where all are rigid.
        pulls: normal part of F as if each foot held on, (n,).
        gradient: energy per move and per turn, (6,).
        hessian: (6, 6).
        work: scratch, (3, 3, 3).
    """
    for i in range(6):
        gradient[i] = 0.0
        for j in range(6):
            hessian[i, j] = 0.0
    for f in range(len(arms)):
        rho, F, S, C = places[f], forces[f], series[f], turned_legs[f]
        for i in range(3):
            rho[i] = R[i, 0] * arms[f, 0] + R[i, 1] * arms[f, 1] + R[i, 2] * arms[f, 2]
            for j in range(3):
                S[i, j] = ground[f, i, j]
                C[i, j] = 0.0
        if len(legs):
            multiply(R, legs[f], work[0])
            for i in range(3):
                for j in range(3):
                    for k in range(3):
                        C[i, j] += work[0, i, k] * R[j, k]
            series_stiffness(roots[f], C, S, work)
        pull = 0.0
        for i in range(3):
            F[i] = 0.0
            for j in range(3):
                F[i] += S[i, j] * (p[j] + rho[j] - arms[f, j])
            pull += F[i] * normals[f, i]
        pulls[f] = pull
        if finds:
            presses[f] = pull < 0.0
        if not presses[f]:
            for i in range(3):
                F[i] = 0.0
                for j in range(3):
                    S[i, j] = 0.0
            continue
        for i in range(3):
            rho[i] -= C[i, 0] * F[0] + C[i, 1] * F[1] + C[i, 2] * F[2]
            gradient[i] += F[i]
        gradient[3] += rho[1] * F[2] - rho[2] * F[1]
        gradient[4] += rho[2] * F[0] - rho[0] * F[2]
        gradient[5] += rho[0] * F[1] - rho[1] * F[0]
        add_foot(S, C, F, rho, hessian, work)
