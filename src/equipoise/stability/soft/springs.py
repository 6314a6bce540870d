"""Energy, forces and the 6x6 Hessian of a body on any soft feet, analytic.

The body's centre of mass is moved by p and the body turned by R from where the springs
are unloaded. A foot with arm s sits on ground K (world frame) under a leg of compliance
C (body frame); it has no mass, so it can be eliminated:

    C_r = R C R^T,  S = (I + K C_r)^-1 K,  x = p + R s - s,  F = S x,  E = x.F / 2,
    rho = R s - C_r F   (where the foot really is),
    dE = F.u + (rho x F).t   for a small motion (u, t), t a turn in the world frame.

With P = -[rho] - C_r [F], [v] the matrix of the cross product, the second derivative
is [I P]^T S [I P] with -[F] P added to the turns: the geometric stiffness. It is
symmetric in equilibrium. ([Ridderstrom2003] chapters 9 to 11 are special cases.)

All stiffnesses times f scale E, F and the Hessian by f at the same pose: a softer
ground is a heavier body.
"""

import math
from typing import Any, cast

import numpy as np
from scipy.linalg import get_lapack_funcs

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.core.bound import Settled
from equipoise.stability.soft.foot import Bools, FeetArrays
from equipoise.stability.soft.kernel import SpringForces, feet_at_pose

__all__ = ["SpringForces", "rotation_after", "solution_of", "spring_forces"]

_feet_at_pose = Settled(feet_at_pose)  # all arrays are whole and of floats
_gesv = cast(Any, get_lapack_funcs("gesv", dtype=np.float64))


def spring_forces(
    feet: FeetArrays, p: Vec3, R: Mat3, presses: Bools | None = None
) -> SpringForces:
    """Return forces and stiffness at a pose; a foot that would have to pull is lifted.

    Args:
        feet: in units of their own.
        p: how far the centre of mass has moved, (3,).
        R: how the body has turned, (3, 3).
        presses: which feet press, (n,) of bool; None finds out from the pose.
    """
    n = len(feet.arms)
    out = SpringForces(
        forces=np.empty((n, 3)),
        feet=np.empty((n, 3)),
        series=np.empty((n, 3, 3)),
        legs=np.empty((n, 3, 3)),
        presses=np.empty(n, np.bool_) if presses is None else presses,
        pulls=np.empty(n),
        slope=np.empty((2, 3)),
        curvature=np.empty((2, 3, 2, 3)),
    )
    p, R = np.ascontiguousarray(p), np.ascontiguousarray(R)
    _feet_at_pose(feet, p, R, presses is None, out, np.empty((3, 3, 3)))
    return out


def solution_of(matrix: Array, right: Array) -> Array:
    """Return the solution of matrix @ x = right, as float64.

    LAPACK's own routine: the checks around it cost more than six equations do.

    Raises:
        numpy.linalg.LinAlgError: the matrix is singular.
    """
    _, _, x, info = _gesv(matrix, right)
    if info:
        raise np.linalg.LinAlgError("the matrix is singular")
    return cast(Array, x)


def rotation_after(R: Mat3, turn: Vec3) -> Mat3:
    """Return R after a turn about a world axis by its length [rad].

    1 - cos is taken as 2 sin^2 of half the angle: it would cancel for small turns, and
    the geometric stiffness with it.
    """
    x, y, z = turn.tolist()
    angle = math.sqrt(x * x + y * y + z * z)
    W = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    half = math.sin(angle / 2) / (angle / 2) if angle else 1.0
    whole = math.sin(angle) / angle if angle else 1.0
    first = W @ R
    return R + whole * first + 0.5 * half * half * (W @ first)
