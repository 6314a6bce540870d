"""A pose as a file: a value for each joint that is named, and the base, YAML."""

import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.checks import is_number
from equipoise.core.errors import BadFileError, QuantityError, UnknownNameError
from equipoise.core.quantity import number_of, quantity_in
from equipoise.robots.files.yaml import load_yaml
from equipoise.robots.robot_spec import RobotSpec
from equipoise.robots.scene.scene import own_qpos, robot_bodies
from equipoise.robots.stance.stance import is_free, pose_of

__all__ = ["read_pose"]

BASE, ATTITUDE = "base", ("roll", "pitch", "yaw")
SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))


def read_pose(robot: RobotSpec, path: str | Path) -> VecN:
    """Return the pose that a file describes, (nq,).

    The file maps joint names to angles [rad] or distances [m], or to texts with a unit
    as ``20deg``; joints that it does not
    name stay as in keyframe ``start``, else as in the model. ``base`` sets the attitude
    of a free base, ``base: {roll: 0.1, pitch: 0, yaw: 1.2}`` [rad]: yaw turns first,
    about z, then pitch about the new y, then roll about the new x.

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
        if name == BASE and name not in joints:
            _turn_base(robot, pose, value, where)
            continue
        if name not in joints:
            problem = UnknownNameError("joint", str(name), joints, f"'{robot.name}'")
            raise BadFileError(f"{where}: {problem}")
        is_slide = int(model.joint(name).type[0]) == SINGLE[1]
        pose[joints[name]] = _number(value, name, where, "m" if is_slide else "rad")
    return pose


def _number(value: Any, name: str, where: Path, unit: str = "rad") -> float:
    """Return a value that must be a number.

    Args:
        value: the number, or a text that has a unit.
        name: whose it is.
        where: the file, for an error.
        unit: of a number alone.
    """
    if isinstance(value, str):
        try:
            return number_of(value, quantity_in(unit), f"'{name}'")
        except QuantityError as error:
            raise BadFileError(f"{where}: {error}") from None
    if not (is_number(value) and math.isfinite(value)):
        raise BadFileError(f"{where}: '{name}' must be a number, got {value!r}.")
    return float(value)


def _turn_base(robot: RobotSpec, pose: VecN, angles: Any, where: Path) -> None:
    """Set the attitude of a free base in a pose."""
    if not is_free(robot):
        raise BadFileError(f"{where}: 'base' is for a free base; leave it out.")
    if not isinstance(angles, dict) or not set(angles) <= set(ATTITUDE) or not angles:
        raise BadFileError(
            f"{where}: 'base' must be angles, as {{roll: 0.1, pitch: 0, yaw: 0}}, "
            f"got {angles!r:.60}."
        )
    roll, pitch, yaw = (
        _number(angles.get(name, 0.0), f"base {name}", where) for name in ATTITUDE
    )
    quat = np.zeros(4)
    mujoco.mju_euler2Quat(quat, np.array([yaw, pitch, roll]), "zyx")
    model = robot.model
    first = int(own_qpos(model, robot_bodies(model, robot.base))[0])
    pose[first + 3 : first + 7] = quat
