"""Rotation matrices: from an axis and an angle, quaternions, roll-pitch-yaw.

Columns of ``R_AB`` are B's axes seen from A, so ``p_A = R_AB @ p_B``. Quaternions are
w, x, y, z, as in MuJoCo. The scalar kernels are compiled and may be called from other
compiled code.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, Mat3, Vec3, expect_array
from equipoise.core.errors import NotPhysicalError
from equipoise.core.jit import compiled

__all__ = [
    "axis_angle_into",
    "is_rotation",
    "matrix_from_axis_angle",
    "matrix_from_quat",
    "matrix_from_rpy",
    "quat_from_matrix",
    "random_rotation",
    "rpy_from_matrix",
]

_ROTATION_TOL = 1e-5
"""Largest entry of R^T R - 1 still called a rotation: float32 rounding (6e-8) of the
nine entries, collected over a chain of a hundred products."""


@compiled
def axis_angle_into(axis: Array, angle: float, out: Mat3) -> None:
    """Write the rotation about ``axis`` into ``out``, without allocating.

    Rodrigues' formula R = c 1 + s [u]x + (1 - c) u u^T. With 1 - c = 2 sin^2(angle/2)
    nothing cancels, so small angles keep all their digits.

    Args:
        axis: unit vector, (3,).
        angle: right-hand rule [rad].
        out: (3, 3), overwritten.
    """
    half = math.sin(0.5 * angle)
    s = math.sin(angle)
    k = 2.0 * half * half
    x, y, z = axis[0], axis[1], axis[2]
    out[0, 0] = 1.0 - k * (y * y + z * z)
    out[1, 1] = 1.0 - k * (x * x + z * z)
    out[2, 2] = 1.0 - k * (x * x + y * y)
    out[0, 1] = k * x * y - s * z
    out[1, 0] = k * x * y + s * z
    out[0, 2] = k * x * z + s * y
    out[2, 0] = k * x * z - s * y
    out[1, 2] = k * y * z - s * x
    out[2, 1] = k * y * z + s * x


def matrix_from_axis_angle(axis: ArrayLike, angle: float) -> Mat3:
    """Return the rotation by ``angle`` about ``axis``, (3, 3).

    Args:
        axis: direction, (3,), any length but zero.
        angle: right-hand rule [rad].

    Raises:
        NotPhysicalError: the axis has no direction, or the angle is not finite.
    """
    u = expect_array("axis", axis, (3,))
    largest = float(np.abs(u).max())
    if largest == 0.0:
        raise NotPhysicalError("axis must have a direction, got (0, 0, 0).")
    if not math.isfinite(angle):
        raise NotPhysicalError(f"angle must be a finite number of rad, got {angle}.")
    u = u / largest
    out = np.empty((3, 3))
    axis_angle_into(u / np.linalg.norm(u), float(angle), out)
    return out


def matrix_from_quat(quat: ArrayLike) -> Mat3:
    """Return the rotation of a quaternion w, x, y, z of any length but zero, (3, 3)."""
    q = expect_array("quat", quat, (4,))
    largest = float(np.abs(q).max())
    if largest == 0.0:
        raise NotPhysicalError("quat must not be all zero; no turn is (1, 0, 0, 0).")
    q = q / largest
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quat_from_matrix(R: ArrayLike) -> Array:
    """Return the unit quaternion w, x, y, z with w >= 0 of a rotation, (4,).

    The largest of the four components is found first, so that nothing small is ever
    divided by ([Shepperd1978]).

    Args:
        R: rotation, (3, 3).
    """
    turn = _expect_rotation("R", R)
    # 4 q q^T, whose rows are all multiples of q.
    xx, yy, zz = np.diag(turn)
    twice, skew = turn + turn.T, turn - turn.T
    wx, wy, wz = skew[2, 1], skew[0, 2], skew[1, 0]
    xy, xz, yz = twice[0, 1], twice[0, 2], twice[1, 2]
    rows = np.array(
        [
            [1 + xx + yy + zz, wx, wy, wz],
            [wx, 1 + xx - yy - zz, xy, xz],
            [wy, xy, 1 - xx + yy - zz, yz],
            [wz, xz, yz, 1 - xx - yy + zz],
        ]
    )
    quat = rows[int(np.argmax(np.diag(rows)))]
    quat = quat / np.linalg.norm(quat)
    return -quat if quat[0] < 0.0 else quat


def matrix_from_rpy(rpy: ArrayLike) -> Mat3:
    """Return Rz(yaw) Ry(pitch) Rx(roll), URDF's fixed-axis angles, (3, 3).

    Args:
        rpy: roll about x, then pitch about y, then yaw about z, axes fixed, (3,) [rad].
    """
    roll, pitch, yaw = (float(a) for a in expect_array("rpy", rpy, (3,)))
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rpy_from_matrix(R: ArrayLike) -> Vec3:
    """Return roll, pitch, yaw of a rotation, pitch within +-pi/2, (3,) [rad].

    At pitch = +-pi/2 roll and yaw turn about the same axis; roll is then 0.

    Args:
        R: rotation, (3, 3).
    """
    turn = _expect_rotation("R", R)
    cos_pitch = math.hypot(turn[0, 0], turn[1, 0])
    pitch = math.atan2(-turn[2, 0], cos_pitch)
    # Below this both arguments of the two atan2 are rounding errors of the entries.
    if cos_pitch < 16 * np.finfo(np.float64).eps:
        return np.array([0.0, pitch, math.atan2(-turn[0, 1], turn[1, 1])])
    roll = math.atan2(turn[2, 1], turn[2, 2])
    return np.array([roll, pitch, math.atan2(turn[1, 0], turn[0, 0])])


def random_rotation(rng: np.random.Generator) -> Mat3:
    """Return a rotation drawn uniformly from all rotations, (3, 3).

    Args:
        rng: where the numbers come from; four normal draws are used.
    """
    return matrix_from_quat(rng.standard_normal(4))


def is_rotation(R: ArrayLike, tolerance: float = _ROTATION_TOL) -> bool:
    """Return whether ``R`` is (3, 3), orthonormal to ``tolerance`` and right-handed."""
    try:
        turn = expect_array("R", R, (3, 3))
    except ValueError:
        return False
    off = float(np.abs(turn.T @ turn - np.eye(3)).max())
    return off <= tolerance and float(np.linalg.det(turn)) > 0.0


def _expect_rotation(name: str, R: ArrayLike) -> Mat3:
    matrix = expect_array(name, R, (3, 3))
    if not is_rotation(matrix):
        raise NotPhysicalError(
            f"{name} must be a rotation (orthonormal, determinant +1), "
            f"got {matrix.tolist()!r}."
        )
    return matrix
