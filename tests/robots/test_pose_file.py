"""Poses from files: the joints that are named move, odd files get a sentence."""

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from equipoise.core.errors import BadFileError
from equipoise.robots.load import load
from equipoise.robots.stance.pose_file import read_pose


@pytest.fixture(scope="module")
def robot():
    """WARP1."""
    return load("warp1")


def test_named_joints_move_and_the_others_stay(robot, tmp_path):
    path = tmp_path / "pose.yaml"
    path.write_text("front_left_knee: -0.4\nrear_right_hip_roll: 0.1\n")
    pose, start = read_pose(robot, path), np.array(robot.model.key("start").qpos)
    knee = robot.model.joint("front_left_knee").qposadr[0]
    roll = robot.model.joint("rear_right_hip_roll").qposadr[0]
    assert (pose[knee], pose[roll]) == (-0.4, 0.1)
    rest = np.delete(np.arange(len(pose)), [knee, roll])
    np.testing.assert_array_equal(pose[rest], start[rest])


def test_angles_may_be_in_degrees(robot, tmp_path):
    path = tmp_path / "pose.yaml"
    path.write_text("front_left_knee: -30deg\nbase: {pitch: 5°}\n")
    pose = read_pose(robot, path)
    knee = robot.model.joint("front_left_knee").qposadr[0]
    assert pose[knee] == np.radians(-30.0)  # exact
    np.testing.assert_allclose(pose[5], np.sin(np.radians(2.5)), rtol=1e-14)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fron_left_knee: 1", "no joint 'fron_left_knee'. Did you mean 'front_left_kn"),
        ("base: 1", "'base' must be angles, as {roll: 0.1, pitch: 0, yaw: 0}, got 1"),
        ("base: {tilt: 1}", "'base' must be angles"),
        ("base: {roll: x}", "'base roll' takes an angle: 20deg or 0.35rad, got 'x'"),
        ("front_left_knee: .nan", "'front_left_knee' must be a number, got nan"),
        ("front_left_knee: bent", "takes an angle: 20deg or 0.35rad, got 'bent'"),
        ("front_left_knee: 2cm", "takes an angle: 20deg or 0.35rad, got '2cm'"),
        ("- 1", "must map joints to values"),
        ("", "is empty; values of joints, as 'knee: -0.4' are needed"),
    ],
)
def test_odd_files_get_a_sentence(robot, tmp_path, text, said):
    path = tmp_path / "pose.yaml"
    path.write_text(text)
    with pytest.raises(BadFileError, match=said):
        read_pose(robot, path)


def test_the_base_takes_an_attitude(robot, tmp_path):
    path = tmp_path / "pose.yaml"
    path.write_text("base: {roll: 0.1, pitch: -0.2, yaw: 1.3}\n")
    data = mujoco.MjData(robot.model)
    data.qpos[:] = read_pose(robot, path)
    mujoco.mj_kinematics(robot.model, data)
    turns = Rotation.from_euler("ZYX", [1.3, -0.2, 0.1])  # about the turned axes
    trunk = data.body("trunk").xmat.reshape(3, 3)
    np.testing.assert_allclose(trunk, turns.as_matrix(), atol=1e-15)


def test_a_file_that_is_not_there_is_named(robot, tmp_path):
    with pytest.raises(BadFileError, match=r"none\.yaml"):
        read_pose(robot, tmp_path / "none.yaml")
