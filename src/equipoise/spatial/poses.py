"""Where a frame is: a rotation and a position, composed with ``@``."""

from dataclasses import dataclass
from typing import final, overload

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, Mat3, Mat4, Vec3, expect_array
from equipoise.core.errors import NotPhysicalError
from equipoise.spatial.rotations import is_rotation

__all__ = ["Pose"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Pose ``X_AB`` of frame B in frame A. Immutable; letters meet: X_AB @ X_BC.

    Args:
        R: orientation ``R_AB``, (3, 3); columns are B's axes seen from A.
        p: position ``p_AB`` of B's origin, expressed in A, (3,) [m].

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
        NotPhysicalError: R is not a rotation.
    """

    R: Mat3
    p: Vec3

    def __post_init__(self) -> None:
        """Check, copy and freeze the arrays."""
        R = np.array(expect_array("R", self.R, (3, 3)))
        p = np.array(expect_array("p", self.p, (3,)))
        if not is_rotation(R):
            raise NotPhysicalError(
                "R must be a rotation (orthonormal, determinant +1), "
                f"got {R.tolist()!r}."
            )
        self._fill(R, p)

    def _fill(self, R: Mat3, p: Vec3) -> None:
        R.flags.writeable = False
        p.flags.writeable = False
        object.__setattr__(self, "R", R)
        object.__setattr__(self, "p", p)

    @staticmethod
    def _trusted(R: Mat3, p: Vec3) -> "Pose":
        """Return a pose of arrays made here, unchecked and not copied."""
        pose = object.__new__(Pose)
        pose._fill(R, p)
        return pose

    @staticmethod
    def identity() -> "Pose":
        """Return the pose of a frame in itself."""
        return Pose._trusted(np.eye(3), np.zeros(3))

    @staticmethod
    def from_matrix(X: ArrayLike) -> "Pose":
        """Return the pose of a homogeneous matrix, (4, 4)."""
        matrix = expect_array("X", X, (4, 4))
        if not np.array_equal(matrix[3], [0.0, 0.0, 0.0, 1.0]):
            raise NotPhysicalError(
                f"X must end in the row (0, 0, 0, 1), got {matrix[3].tolist()!r}."
            )
        return Pose(matrix[:3, :3], matrix[:3, 3])

    @property
    def matrix(self) -> Mat4:
        """Homogeneous matrix [[R, p], [0, 1]], (4, 4)."""
        X = np.eye(4)
        X[:3, :3] = self.R
        X[:3, 3] = self.p
        return X

    def inverse(self) -> "Pose":
        """Return X_BA of X_AB."""
        R_BA = self.R.T.copy()
        return Pose._trusted(R_BA, -(R_BA @ self.p))

    @overload
    def __matmul__(self, other: "Pose") -> "Pose": ...
    @overload
    def __matmul__(self, other: ArrayLike) -> Array: ...
    def __matmul__(self, other: "Pose | ArrayLike") -> "Pose | Array":
        """Return X_AC = X_AB @ X_BC, or p_AP = X_AB @ p_BP of points (3,), (n, 3)."""
        if isinstance(other, Pose):
            return Pose._trusted(self.R @ other.R, self.R @ other.p + self.p)
        points = np.asarray(other, dtype=np.float64)
        points = expect_array("points", points, (3,) if points.ndim == 1 else (-1, 3))
        return points @ self.R.T + self.p

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by value, so that the copy is frozen as well."""
        return (Pose, (self.R, self.p))
