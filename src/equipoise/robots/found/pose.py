"""A pose by names: the stand with some joints moved, on the ground again."""

import math
from collections.abc import Mapping

import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.text import shown
from equipoise.robots.found.heights import robot_in_pose
from equipoise.robots.found.stand import free_base
from equipoise.robots.robot_spec import RobotSpec

__all__ = ["pose_with"]

ROOM = 1e-9  # by which a value may be out of its range, for rounding


def pose_with(robot: RobotSpec, stand: VecN, joints: Mapping[str, float]) -> VecN:
    """Return the stand with some joints moved, its lowest point at z = 0, (nq,).

    Args:
        robot: any robot.
        stand: its pose as it stands, (nq,).
        joints: angle [rad] or way [m] by name.

    Raises:
        UnknownNameError: it has no such joint.
        ConfigError: a value that is no number, or out of the joint's range.
    """
    model, pose = robot.model, np.array(stand)
    names, problems = robot.joint_names, []
    for name, value in joints.items():
        if name not in names:
            raise UnknownNameError("joint", str(name), names, f"robot '{robot.name}'")
        joint = int(model.joint(name).id)
        low, high = (float(x) for x in model.jnt_range[joint])
        if not is_number(value) or not math.isfinite(value):
            problems.append(f"'{shown(name)}' must be a number, got {value!r}")
        elif model.jnt_limited[joint] and not low - ROOM <= value <= high + ROOM:
            limits = f"{low:g} to {high:g}"
            problems.append(f"'{shown(name)}' must be {limits}, got {value:g}")
        else:
            pose[int(model.jnt_qposadr[joint])] = value
    if problems:
        raise ConfigError(f"the pose of robot '{robot.name}'", problems)
    at = free_base(robot)
    if at >= 0:
        pose[at + 2] -= robot_in_pose(robot, pose).ground
    return pose
