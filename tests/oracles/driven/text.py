"""Numbers and turns as MJCF has them."""

import mujoco
import numpy as np

__all__ = ["numbers", "product", "quaternion", "rotated", "up"]


def numbers(*values: object) -> str:
    """Return numbers separated by spaces."""
    flat = np.concatenate([np.ravel(np.asarray(v, float)) for v in values])
    return " ".join(f"{x:.9g}" for x in flat)


def quaternion(axis: object, angle: float) -> np.ndarray:
    """Return the quaternion of a rotation about an axis, (4,)."""
    found, axis = np.zeros(4), np.asarray(axis, float)
    mujoco.mju_axisAngle2Quat(found, axis / np.linalg.norm(axis), angle)
    return found


def product(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Return the quaternion of one rotation after another, (4,)."""
    found = np.zeros(4)
    mujoco.mju_mulQuat(found, one, two)
    return found


def rotated(quat: np.ndarray, vector: object) -> np.ndarray:
    """Return a vector rotated by a quaternion, (3,)."""
    found = np.zeros(3)
    mujoco.mju_rotVecQuat(found, np.asarray(vector, float), quat)
    return found


def up(height: float) -> np.ndarray:
    """Return a vector that points up, (3,)."""
    return np.array([0.0, 0.0, height])
