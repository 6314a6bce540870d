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
from dataclasses import dataclass

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3, Vec6
from equipoise.stability.foot import Bools, FeetArrays

__all__ = ["SpringForces", "solved", "spring_forces", "spring_hessian", "turned"]


@dataclass(frozen=True, eq=False)
class SpringForces:
    """What the springs do at one pose."""

    forces: Array
    """F, the energy's slope; the ground pushes the body by -F; 0 if lifted, (n, 3)."""
    feet: Array
    """rho, from the centre of mass to each foot, (n, 3)."""
    series: Array
    """S of ground and leg together, world frame, 0 for a lifted foot, (n, 3, 3)."""
    legs: Array | None
    """C_r, world frame, (n, 3, 3)."""
    presses: Bools
    """Whether each foot pushes on the ground, (n,) of bool."""

    @property
    def gradient(self) -> Vec6:
        """Sum of F and of rho x F: energy per move and per turn."""
        M = self.feet.T @ self.forces  # its odd part is the sum of cross products
        turns = (M[1, 2] - M[2, 1], M[2, 0] - M[0, 2], M[0, 1] - M[1, 0])
        return np.array((*self.forces.sum(axis=0), *turns))


def spring_forces(
    feet: FeetArrays, p: Vec3, R: Mat3, presses: Bools | None = None
) -> SpringForces:
    """Return the forces at a pose; a foot that would have to pull is lifted.

    Args:
        feet: in units of their own.
        p: how far the centre of mass has moved, (3,).
        R: how the body has turned, (3, 3).
        presses: which feet press, (n,) of bool; None finds out from the pose.
    """
    arms = feet.arms @ R.T
    x = p + arms - feet.arms
    if feet.legs is None:
        legs, series = None, feet.ground
    else:
        legs = R @ feet.legs @ R.T
        # G (I + G C G)^-1 G with G^2 = K: K C itself mixes hard ground into soft legs.
        G = feet.roots
        series = G @ solved(np.eye(3) + G @ legs @ G, G)
    forces = (series @ x[:, :, None])[:, :, 0]
    pulls = (forces * feet.normals).sum(axis=1)
    down: Bools = np.less(pulls, 0.0) if presses is None else presses
    if not down.all():
        forces = forces * down[:, None]
        series = series * down[:, None, None]
    places = arms if legs is None else arms - (legs @ forces[:, :, None])[:, :, 0]
    return SpringForces(forces, places, series, legs, down)


def spring_hessian(springs: SpringForces) -> Array:
    """Return the energy's second derivative, (6, 6): moves, then turns."""
    F = _cross_matrices(springs.forces)
    P = -_cross_matrices(springs.feet)
    if springs.legs is not None:
        P = P - springs.legs @ F
    across = springs.series @ P
    hessian = np.empty((6, 6))
    hessian[:3, :3] = springs.series.sum(axis=0)
    hessian[:3, 3:] = across.sum(axis=0)
    hessian[3:, :3] = hessian[:3, 3:].T
    hessian[3:, 3:] = (P.transpose(0, 2, 1) @ across - F @ P).sum(axis=0)
    return hessian


def solved(matrix: Array, right: Array) -> Array:
    """Return the solution of matrix @ x = right, as float64."""
    return np.asarray(np.linalg.solve(matrix, right), np.float64)


def turned(R: Mat3, turn: Vec3) -> Mat3:
    """Return R after a turn about a world axis by its length [rad].

    1 - cos is taken as 2 sin^2 of half the angle: it would cancel for small turns, and
    the geometric stiffness with it.
    """
    angle = math.sqrt(turn @ turn)
    W = _cross_matrices(turn[None])[0]
    half = math.sin(angle / 2) / (angle / 2) if angle else 1.0
    whole = math.sin(angle) / angle if angle else 1.0
    first = W @ R
    return R + whole * first + 0.5 * half * half * (W @ first)


def _cross_matrices(v: Array) -> Array:
    """Return [v] with [v] w = v x w, (n, 3, 3)."""
    out = np.zeros((len(v), 3, 3))
    out[:, 2, 1], out[:, 0, 2], out[:, 1, 0] = v[:, 0], v[:, 1], v[:, 2]
    out[:, 1, 2], out[:, 2, 0], out[:, 0, 1] = -v[:, 0], -v[:, 1], -v[:, 2]
    return out
