"""Poses from files: the joints that are named move, odd files get a sentence."""

import numpy as np
import pytest

from equipoise.core.errors import BadFileError
from equipoise.robots.load import load
from equipoise.robots.pose_file import read_pose


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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("knee: 1", "'knee' is no joint of 'warp1'; it has front_left_hip_pitch"),
        ("base: 1", "'base' is no joint"),
        ("front_left_knee: .nan", "'front_left_knee' must be a number, got nan"),
        ("front_left_knee: bent", "must be a number, got 'bent'"),
        ("- 1", "must map joints to values"),
        ("", "is empty; values of joints, as 'knee: -0.4' are needed"),
    ],
)
def test_odd_files_get_a_sentence(robot, tmp_path, text, said):
    path = tmp_path / "pose.yaml"
    path.write_text(text)
    with pytest.raises(BadFileError, match=said):
        read_pose(robot, path)


def test_a_file_that_is_not_there_is_named(robot, tmp_path):
    with pytest.raises(BadFileError, match=r"none\.yaml"):
        read_pose(robot, tmp_path / "none.yaml")
