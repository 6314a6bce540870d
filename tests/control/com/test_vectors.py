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
M = st.tuples(*[NUMBER] * 9)
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


@given(A=M, B=M, x=V)
def test_matrices(A, B, x):
    a, b, v = mat(A), mat(B), np.array(x)
    np.testing.assert_allclose(vec.turn(A, x), a @ v, rtol=0, atol=ATOL)
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
    a = np.arange(60.0).reshape(4, 15)
    want = a.copy()
    assert vec.get3(a, 2, 4) == (34.0, 35.0, 36.0)
    assert vec.get9(a, 1, 5) == tuple(range(20, 29))
    vec.put3(a, 1, 2, x)
    vec.put9(a, 3, 6, R)
    want[1, 2:5], want[3, 6:15] = x, R
    np.testing.assert_array_equal(a, want)  # exact: copies, and nothing else moved
