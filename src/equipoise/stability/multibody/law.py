"""What holds a robot with heavy legs: springs at its feet, its joints and the ground.

Each law is an energy (x - x₀)ᵀ K (x - x₀) / 2 of something x that the pose decides:
feet seen from the trunk, joint angles, or feet seen from the ground.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, VecN, expect_array
from equipoise.core.checks import is_number
from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.robots.pose_kinematics import PosedModel, PoseKinematics
from equipoise.stability.quantity import expect_above_zero

__all__ = [
    "FootLaw",
    "JointLaw",
    "Springs",
    "feet_matrices",
    "ground_springs",
    "joint_matrix",
    "law_matrix",
    "law_springs",
]

_SYMMETRY = 1e-9  # of the largest entry: sums of measured numbers are that symmetric


@final
@dataclass(frozen=True, eq=False)
class FootLaw:
    """Cartesian stiffness of every foot relative to a body, [Ridderstrom2003] (5.1).

    τ = Jᵀ K (r_ref - r) on the joints between the body and the foot; r is the foot's
    place in that body's frame.
    """

    base: str
    """Body, usually the trunk, to which every foot is attached."""
    stiffness: ArrayLike
    """In the body's frame: (3,) along its axes, (3, 3), or one matrix a foot,
    (n, 3, 3) [N/m]."""


@final
@dataclass(frozen=True, eq=False)
class JointLaw:
    """Stiffness of the joints: τ = K (q_ref - q) on the joints with one freedom."""

    stiffness: ArrayLike
    """One number for all joints, (nj,) one each, or (nj, nj) [N m/rad or N/m]."""


@final
@dataclass(frozen=True, eq=False)
class Springs:
    """Something that the pose decides, its derivatives, and its stiffness."""

    x: VecN
    """(k,)."""
    J: Array
    """First derivative, (k, nv)."""
    H: Array
    """Second derivative, (k, nv, nv)."""
    K: Array
    """Stiffness, (k, k)."""

    def pull(self, rest: VecN) -> VecN:
        """Return K (x - rest), what the springs pull back with, (k,)."""
        return self.K @ (self.x - rest)

    def gradient(self, rest: VecN) -> VecN:
        """Return the energy's first derivative, (nv,)."""
        return self.J.T @ self.pull(rest)

    def stiffness(self) -> Array:
        """Return Jᵀ K J, (nv, nv)."""
        return self.J.T @ self.K @ self.J

    def geometric(self, pull: VecN) -> Array:
        """Return what a pull that turns with the pose adds to the Hessian, (nv, nv)."""
        return np.einsum("k,kij->ij", pull, self.H)


def law_matrix(law: FootLaw | JointLaw, posed: PosedModel) -> Array:
    """Return a law's stiffness as one matrix, (k, k).

    Raises:
        NotPhysicalError: not symmetric, or with a negative eigenvalue.
        ShapeError: of another shape, or a foot that does not hang on the base.
    """
    if isinstance(law, JointLaw):
        return joint_matrix(law.stiffness, len(posed.joint_at))
    for index, (body, _) in enumerate(posed.points):
        if not posed.hangs_on_base(body):
            raise ShapeError(
                f"FootLaw: feet[{index}] is not carried by body '{law.base}'; name "
                "the trunk, to which all legs are attached."
            )
    return feet_matrices("FootLaw: stiffness", law.stiffness, len(posed.points))


def law_springs(
    law: FootLaw | JointLaw, K: Array, posed: PosedModel, at: PoseKinematics
) -> Springs:
    """Return a law's springs in a pose."""
    if isinstance(law, JointLaw):
        nj = len(posed.joint_at)
        J = np.zeros((nj, posed.nv))
        J[np.arange(nj), posed.joint_at] = 1.0
        return Springs(at.angles, J, np.zeros((nj, posed.nv, posed.nv)), K)
    own = posed.below_base
    J = np.einsum("ca,ncv->nav", at.R_WB, at.J_v_WP) * own
    H = np.einsum("ca,ncuv->nauv", at.R_WB, at.H_WP) * np.outer(own, own)
    x = (at.p_WP - at.p_WB) @ at.R_WB
    return _flat(x, J, H, K)


def ground_springs(K: Array, at: PoseKinematics) -> Springs:
    """Return the springs under the feet in a pose, (3n, 3n) stiffness."""
    return _flat(at.p_WP, at.J_v_WP, at.H_WP, K)


def _flat(x: Array, J: Array, H: Array, K: Array) -> Springs:
    nv = J.shape[-1]
    return Springs(x.reshape(-1), J.reshape(-1, nv), H.reshape(-1, nv, nv), K)


def feet_matrices(name: str, value: ArrayLike, count: int) -> Array:
    """Return stiffnesses of feet as one block matrix, (3n, 3n)."""
    array = np.asarray(value, np.float64)
    if array.shape == (3,):
        array = np.diag(array)
    if array.shape == (3, 3):
        array = np.broadcast_to(array, (count, 3, 3))
    blocks = expect_array(name, array, (count, 3, 3))
    K = np.zeros((3 * count, 3 * count))
    for index, block in enumerate(blocks):
        rows = slice(3 * index, 3 * index + 3)
        K[rows, rows] = _expect_semidefinite(f"{name}[{index}]", block)
    return K


def joint_matrix(value: ArrayLike, count: int) -> Array:
    """Return the joints' stiffness as a matrix, (nj, nj)."""
    if is_number(value):
        expect_above_zero("JointLaw", stiffness=value)
        return float(np.asarray(value)) * np.eye(count)
    array = np.asarray(value, np.float64)
    if array.ndim == 1:
        array = np.diag(expect_array("JointLaw: stiffness", array, (count,)))
    matrix = expect_array("JointLaw: stiffness", array, (count, count))
    return _expect_semidefinite("JointLaw: stiffness", matrix)


def _expect_semidefinite(name: str, matrix: Array) -> Array:
    largest = float(np.abs(matrix).max())
    if np.abs(matrix - matrix.T).max() > _SYMMETRY * largest:
        raise NotPhysicalError(
            f"{name} must be symmetric, got {matrix.tolist()}; laws that are not "
            "springs are judged by `closed_loop`."
        )
    even = 0.5 * (matrix + matrix.T)
    lowest = float(np.linalg.eigvalsh(even)[0])
    if lowest < -_SYMMETRY * largest:
        raise NotPhysicalError(
            f"{name} must have no negative eigenvalue, got {lowest:g}; a spring does "
            "not push away."
        )
    return even
