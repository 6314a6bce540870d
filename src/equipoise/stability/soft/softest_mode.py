"""How fast a body on soft feet returns, or falls: its softest motion with its mass."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, Vec6
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import NotPhysicalError
from equipoise.spatial.mass.checks import expect_inertia
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.foot import Foot, expect_feet
from equipoise.stability.soft.springs import solution_of
from equipoise.stability.soft.stiff_limit import elastic_stiffness

__all__ = ["SoftestMode", "softest_mode"]


@final
@dataclass(frozen=True, eq=False)
class SoftestMode:
    """Slowest small motion of a body about its stance, without damping."""

    eigenvalue: float
    """Square of its angular frequency [1/s^2]; nan where the body does not stand."""
    motion: Vec6
    """Motion of the centre of mass and turn of the body, (6,), world frame, of length
    one with the mass matrix [1/sqrt(kg), 1/(m sqrt(kg))]; nan where it falls."""


def softest_mode(
    mass: float, inertia: ArrayLike, feet: Sequence[Foot], *, gravity: float = GRAVITY
) -> SoftestMode:
    """Return the smallest eigenvalue of stiffness over mass, and its motion.

    K v = lambda M v at the stance that ``compliant_stance`` finds, K the energy's
    Hessian and M = diag(m, m, m, R I R^T). Motions that nothing resists (slides and the
    turn about the vertical on vertical springs) would be zeros that say nothing; only
    motions square to them in M count, as the free body then moves. On the symmetric
    stances of [Ridderstrom2003] sections 9.1 and 10.1 it is the product of the two
    eigenvalues of tipping (or of bouncing), without damping the square of each.

    Args:
        mass: of the body [kg].
        inertia: about the centre of mass, body upright, (3, 3) [kg m^2].
        feet: at least one.
        gravity: free fall [m/s^2].

    Returns:
        The softest mode; nan where the body does not stand.

    Raises:
        NotPhysicalError: an inertia that no body has, a mass that is none, no foot, or
            two feet at one place.
        ShapeError: something that is not a ``Foot``.
    """
    about_com = expect_inertia(inertia)
    if not np.linalg.eigvalsh(about_com)[0] > 0:
        raise NotPhysicalError(
            f"softest_mode: inertia must be positive definite, got "
            f"{about_com.tolist()}; a body without extent has no frequency of tipping."
        )
    stance = compliant_stance(mass, feet, gravity=gravity)
    if not stance.stable:
        return SoftestMode(float("nan"), np.full(6, np.nan))
    M = np.diag(np.repeat(float(mass), 6))
    M[3:, 3:] = stance.R_WB @ about_com @ stance.R_WB.T
    basis = _resisted(feet, stance.forces, M)
    lower = np.asarray(np.linalg.cholesky(basis.T @ M @ basis), np.float64)
    over = solution_of(lower, basis.T).T  # columns of length one in M
    K = over.T @ (stance.hessian + stance.hessian.T) @ over / 2
    values, vectors = np.linalg.eigh(K)
    return SoftestMode(float(values[0]), over @ vectors[:, 0])


def _resisted(feet: Sequence[Foot], forces: Array, M: Array) -> Array:
    """Return a basis of the motions square, in M, to those that nothing resists."""
    arrays = expect_feet(feet)
    neutral = elastic_stiffness(arrays, np.asarray(forces.any(axis=1), np.bool_))[1]
    values, vectors = np.linalg.eigh(neutral)
    free = vectors[:, values > 0.5]  # stand-ins have a unit stiffness
    if not free.shape[1]:
        return np.eye(6)
    return np.asarray(np.linalg.svd(free.T @ M)[2][free.shape[1] :].T, np.float64)
