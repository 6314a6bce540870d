"""Section 3.1 of [Wendlandt1997]: SE(3), its adjoint, twists linear first.

For g = (R, p) of frame K in frame J, Ad_g carries a body velocity from K to J, and the
transpose of Ad of the inverse carries a wrench from K to J.
"""

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3

__all__ = [
    "adjoint",
    "cross_twist",
    "hat",
    "inverse_adjoint",
    "quat_conjugate",
    "quat_product",
    "turn",
]


def hat(w: Vec3) -> Mat3:
    """Return the matrix that takes v to w x v."""
    x, y, z = w
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def turn(axis: Vec3, angle: float) -> Mat3:
    """Return the rotation about a unit axis: 1 + sin w^ + (1 - cos) w^²."""
    w = hat(axis)
    return np.eye(3) + np.sin(angle) * w + (1.0 - np.cos(angle)) * (w @ w)


def adjoint(R: Mat3, p: Vec3) -> Array:
    """Return Ad_g of g = (R, p), eq. (3.7), (6, 6)."""
    out = np.zeros((6, 6))
    out[:3, :3] = out[3:, 3:] = R
    out[:3, 3:] = hat(p) @ R
    return out


def inverse_adjoint(R: Mat3, p: Vec3) -> Array:
    """Return Ad of g⁻¹ = (Rᵀ, -Rᵀ p), eq. (3.2), (6, 6)."""
    return adjoint(R.T, -R.T @ p)


def cross_twist(V: Array) -> Array:
    """Return ad_V: [[w^, v^], [0, w^]], (6, 6)."""
    out = np.zeros((6, 6))
    out[:3, :3] = out[3:, 3:] = hat(V[3:])
    out[:3, 3:] = hat(V[:3])
    return out


def quat_conjugate(q: Array) -> Array:
    """Return the inverse of a unit quaternion, w first."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def quat_product(a: Array, b: Array) -> Array:
    """Return a ⋆ b, w first: the rotation b, then a."""
    vector = a[0] * b[1:] + b[0] * a[1:] + hat(a[1:]) @ b[1:]
    return np.hstack([a[0] * b[0] - a[1:] @ b[1:], vector])
