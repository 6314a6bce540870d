"""Small algebra: the damped inverse against NumPy."""

import numpy as np

from equipoise.control.workspace.small import damped_inverse6


def damped(A, damping, length):
    out = np.empty((6, 6))
    damped_inverse6(A.copy(), damping, length, np.empty((6, 6)), np.empty((6, 6)), out)
    return out


def test_it_is_the_inverse_where_that_is_small():
    A = np.random.default_rng(3).normal(size=(6, 6)) + 3.0 * np.eye(6)
    # an error of d² over the least singular value squared, which is above 0.1 here
    np.testing.assert_allclose(damped(A, 1e-7, 0.7), np.linalg.inv(A), atol=1e-11)


def test_it_is_bounded_where_there_is_no_inverse():
    rng = np.random.default_rng(4)
    U, _, V = np.linalg.svd(rng.normal(size=(6, 6)))
    for least in (0.0, 1e-9, 0.02, 0.1):
        A = U @ np.diag([3.0, 2.0, 1.0, 1.0, 0.5, least]) @ V
        found = damped(A, 0.02, 1.0)
        # s / (s² + d²) is largest at s = d, where it is 1 / (2 d)
        assert np.linalg.norm(found, 2) <= 1.0 / 0.04 * (1.0 + 1e-9)
        expected = A.T @ np.linalg.inv(A @ A.T + 0.02**2 * np.eye(6))
        np.testing.assert_allclose(found, expected, atol=1e-9)
