"""Rotations against SciPy, closed forms and their own inverses."""

import math

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.spatial import (
    Pose,
    is_rotation,
    matrix_from_axis_angle,
    matrix_from_quat,
    matrix_from_rpy,
    quat_from_matrix,
    random_rotation,
    rpy_from_matrix,
    twist_at,
    wrench_at,
)

ROUNDING = 1e-14  # rounding: a few dozen operations on numbers near 1
seeds = st.integers(0, 2**32 - 1)
angles = st.floats(-7, 7)


@given(seeds, angles)
def test_axis_angle_agrees_with_scipy(seed: int, angle: float) -> None:
    axis = np.random.default_rng(seed).normal(size=3)
    want = Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix()
    got = matrix_from_axis_angle(axis, angle)
    assert np.abs(got - want).max() < ROUNDING


@pytest.mark.parametrize("angle", [1e-3, 1e-8, 1e-100])
def test_small_angles_keep_their_digits(angle: float) -> None:
    R = matrix_from_axis_angle([0, 0, 1], angle)
    assert R[1, 0] == math.sin(angle)
    small = matrix_from_axis_angle([1, 1, 0], angle)
    # exact: R01 + R10 = (1 - cos) = angle^2 / 2, which 1 - cos(1e-8) would lose
    twice = small[0, 1] + small[1, 0]
    # truncation: the next term is angle^2 / 12 of this one
    assert twice == pytest.approx(angle**2 / 2, rel=1e-6, abs=0)


@given(seeds)
def test_quaternion_round_trip_and_mujoco(seed: int) -> None:
    R = random_rotation(np.random.default_rng(seed))
    quat, other = quat_from_matrix(R), np.zeros(4)
    assert is_rotation(R, tolerance=ROUNDING)
    assert np.abs(matrix_from_quat(quat) - R).max() < ROUNDING
    mujoco.mju_mat2Quat(other, R.ravel())
    other *= np.sign(other[0])
    assert quat[0] >= 0
    assert np.abs(quat - other).max() < ROUNDING


@pytest.mark.parametrize("axis", [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
def test_half_turns_have_a_quaternion(axis: list[float]) -> None:
    R = matrix_from_axis_angle(axis, math.pi)
    assert np.abs(matrix_from_quat(quat_from_matrix(R)) - R).max() < ROUNDING


@given(angles, angles, angles)
def test_rpy_agrees_with_scipy_and_returns(
    roll: float, pitch: float, yaw: float
) -> None:
    R = matrix_from_rpy([roll, pitch, yaw])
    want = Rotation.from_euler("xyz", [roll, pitch, yaw]).as_matrix()
    assert np.abs(R - want).max() < ROUNDING
    # rounding: near pitch = pi/2 an angle is only known to sqrt(eps), R is not
    assert np.abs(matrix_from_rpy(rpy_from_matrix(R)) - R).max() < ROUNDING


@pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2])
def test_rpy_looking_straight_up_or_down(pitch: float) -> None:
    R = matrix_from_rpy([0.4, pitch, 1.1])
    assert np.abs(matrix_from_rpy(rpy_from_matrix(R)) - R).max() < ROUNDING


def test_random_rotation_is_uniform() -> None:
    rng = np.random.default_rng(0)
    mean = np.mean([random_rotation(rng) for _ in range(2000)], axis=0)
    # statistical: entries have variance 1/3, so 5 sigma of the mean is 5 / sqrt(6000)
    assert np.abs(mean).max() < 5 / math.sqrt(6000)


@pytest.mark.parametrize(
    "bad", [np.diag([1, 1, -1]), 2 * np.eye(3), np.eye(2), np.full((3, 3), np.nan), "x"]
)
def test_what_is_not_a_rotation(bad: object) -> None:
    assert not is_rotation(bad)  # type: ignore[arg-type]


def test_bad_inputs_are_refused() -> None:
    with pytest.raises(NotPhysicalError, match="axis must have a direction"):
        matrix_from_axis_angle([0, 0, 0], 1.0)
    with pytest.raises(NotPhysicalError, match="angle must be a finite"):
        matrix_from_axis_angle([0, 0, 1], math.nan)
    with pytest.raises(NotPhysicalError, match="quat must not be all zero"):
        matrix_from_quat([0, 0, 0, 0])
    with pytest.raises(NotPhysicalError, match="R must be a rotation"):
        quat_from_matrix(np.diag([1, 1, -1]))
    with pytest.raises(NotPhysicalError, match="R must be a rotation"):
        Pose(2 * np.eye(3), np.zeros(3))
    with pytest.raises(ShapeError, match="p must have shape"):
        Pose(np.eye(3), np.zeros(2))


@given(seeds)
def test_poses_compose_like_their_matrices(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X_AB = Pose(random_rotation(rng), rng.normal(size=3))
    X_BC = Pose(random_rotation(rng), rng.normal(size=3))
    points = rng.normal(size=(4, 3))
    assert np.abs((X_AB @ X_BC).matrix - X_AB.matrix @ X_BC.matrix).max() < ROUNDING
    assert np.abs((X_AB @ X_AB.inverse()).matrix - np.eye(4)).max() < ROUNDING
    by_matrix = (X_AB.matrix @ np.c_[points, np.ones(4)].T).T[:, :3]
    assert np.abs(X_AB @ points - by_matrix).max() < ROUNDING
    assert np.abs(X_AB @ points[1] - by_matrix[1]).max() < ROUNDING
    assert np.array_equal(Pose.from_matrix(X_AB.matrix).R, X_AB.R)


def test_a_pose_cannot_be_changed() -> None:
    pose = Pose.identity()
    with pytest.raises(ValueError, match="read-only"):
        pose.p[0] = 1.0
    with pytest.raises(AttributeError):
        pose.p = np.ones(3)  # type: ignore[misc]


@given(seeds)
def test_power_does_not_depend_on_the_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    V, F, p = rng.normal(size=6), rng.normal(size=6), rng.normal(size=3)
    # rounding: sums of products of numbers of order 5
    assert twist_at(V, p) @ wrench_at(F, p) == pytest.approx(V @ F, abs=1e-12)
    assert np.allclose(twist_at(twist_at(V, p), -p), V, atol=ROUNDING * 10)


def test_a_wheel_rolls() -> None:
    rolling = twist_at([0, 0, 0, 0, 2.0, 0], [0, 0, 0.5])  # from the touching point
    assert np.array_equal(rolling, [1.0, 0, 0, 0, 2.0, 0])
