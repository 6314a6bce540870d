"""Vectors in registers against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from equipoise.control.com.geometry import vectors as vec

EPS = np.finfo(float).eps
NUMBER = st.floats(-10.0, 10.0)
V = st.tuples(*[NUMBER] * 3)
M = st.tuples(V, V, V)
# rounding: three products up to 100 each, and their sum
ATOL = 8 * EPS * 300


def mat(R):
    return np.array(R).reshape(3, 3)


@given(a=V, b=V, s=NUMBER)
def test_sums_and_products(a, b, s):
    x, y = np.array(a), np.array(b)
    np.testing.assert_array_equal(vec.add(a, b), x + y)  # exact: one rounding each
    np.testing.assert_allclose(vec.add_scaled(a, s, b), x + s * y, rtol=0, atol=ATOL)
    np.testing.assert_allclose(vec.cross(a, b), np.cross(x, y), rtol=0, atol=ATOL)
    assert vec.dot(a, b) == pytest.approx(x @ y, abs=ATOL)
    np.testing.assert_array_equal(vec.scaled(s, a), s * x)
    np.testing.assert_array_equal(vec.minus(a), -x)


@given(A=M, B=M, x=V)
def test_matrices(A, B, x):
    a, b, v = mat(A), mat(B), np.array(x)
    np.testing.assert_allclose(vec.rotate_vector(A, x), a @ v, rtol=0, atol=ATOL)
    np.testing.assert_allclose(vec.turn_back(A, x), a.T @ v, rtol=0, atol=ATOL)
    np.testing.assert_array_equal(mat(vec.back(A)), a.T)  # exact: a copy
    np.testing.assert_allclose(mat(vec.matmul(A, B)), a @ b, rtol=0, atol=ATOL)


@given(axis=V.filter(lambda a: np.linalg.norm(a) > 1e-3), angle=NUMBER)
def test_rotation_about_an_axis(axis, angle):
    unit = np.array(axis) / np.linalg.norm(axis)
    want = Rotation.from_rotvec(angle * unit).as_matrix()
    seen = mat(vec.turn_about(tuple(unit.tolist()), angle))
    # rounding: entries up to 1, and half angles up to 5 rad in SciPy's quaternion
    np.testing.assert_allclose(seen, want, rtol=0, atol=32 * EPS)


@given(x=V, R=M)
def test_rows_are_read_and_written_where_they_are(x, R):
    a = np.arange(60.0).reshape(5, 4, 3)
    want = a.copy()
    assert vec.vec(a[2, 1]) == (27.0, 28.0, 29.0)
    assert vec.mat(a[1, 1:]) == (
        (15.0, 16.0, 17.0),
        (18.0, 19.0, 20.0),
        (21.0, 22.0, 23.0),
    )
    vec.put_vec(a[1, 2], x)
    vec.put_mat(a[3, :3], R)
    want[1, 2], want[3, :3] = x, R
    np.testing.assert_array_equal(a, want)  # exact: copies, and nothing else moved
