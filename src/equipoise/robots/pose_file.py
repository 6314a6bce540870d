"""A pose as a file: a value for each joint that is named, YAML."""

import math
from pathlib import Path

import mujoco

from equipoise.core.arrays import VecN
from equipoise.core.checks import is_number
from equipoise.core.errors import BadFileError
from equipoise.robots.assembly_yaml import load_yaml
from equipoise.robots.robot import Robot
from equipoise.robots.stance import pose_of

__all__ = ["read_pose"]

SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))


def read_pose(robot: Robot, path: str | Path) -> VecN:
    """Return the pose that a file describes, (nq,).

    The file maps joint names to angles [rad] or distances [m]; joints that it does not
    name stay as in keyframe ``start``, else as in the model.

    Args:
        robot: whose joints are named.
        path: the YAML file.

    Raises:
        BadFileError: it cannot be read, is not such a mapping, or names a joint that
            the robot does not have.
    """
    where = Path(path)
    try:
        content = load_yaml(where, "values of joints, as 'knee: -0.4'")
    except BadFileError as problem:
        raise BadFileError(f"{where}: {str(problem).rstrip('.')}.") from None
    if not isinstance(content, dict) or not content:
        raise BadFileError(f"{where}: must map joints to values, as 'knee: -0.4'.")
    model, pose = robot.model, pose_of(robot)
    joints = {
        model.joint(j).name: int(model.jnt_qposadr[j])
        for j in range(model.njnt)
        if int(model.jnt_type[j]) in SINGLE
    }
    for name, value in content.items():
        if name not in joints:
            known = ", ".join(sorted(joints)[:8])
            raise BadFileError(
                f"{where}: '{name}' is no joint of '{robot.name}'; it has {known}."
            )
        if not (is_number(value) and math.isfinite(value)):
            raise BadFileError(f"{where}: '{name}' must be a number, got {value!r}.")
        pose[joints[name]] = float(value)
    return pose
