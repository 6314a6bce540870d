"""What moves each joint of a robot file: largest torque and speed, inertia of a rotor.

A file may leave numbers out, or put place holders where it should have them. Those are
replaced by numbers that follow from the robot's weight, and each is named.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.constants import GRAVITY
from equipoise.robots.drives import actuator_limit
from equipoise.robots.robot_spec import RobotSpec

if TYPE_CHECKING:
    from equipoise.robots.description import Description

__all__ = ["TIMES", "JointDrive", "drive_limits", "static_torques"]

LARGEST_TORQUE, LARGEST_SPEED = 500.0, 100.0  # from these on they are place holders
TIMES = 3.0  # static torques of the stand, that a drive of unknown torque gets
RISE = 0.015  # time in which a rotor of unknown inertia gets up to speed [s]
FROUDE = 3.0  # speed of a foot, over √(g h), that a drive of unknown speed gives
OF_JOINTS = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))


@final
@dataclass(frozen=True)
class JointDrive:
    """Drive of a joint."""

    joint: str
    torque: float
    """Largest [N m or N]."""
    speed: float
    """Largest [rad/s or m/s]."""
    inertia: float
    """Of rotor and gear, at the joint [kg m² or kg]."""
    assumed: tuple[str, ...] = ()
    """Which of these the file does not say: "torque", "speed", "inertia"."""


def drive_limits(
    robot: RobotSpec,
    joints: Sequence[int],
    static: VecN,
    height: float,
) -> tuple[JointDrive, ...]:
    """Return what moves some joints, what is missing or a place holder replaced.

    Args:
        robot: any robot.
        joints: of ``robot.model``.
        static: torque at each joint in the stand, (nv,) [N m].
        height: of the base [m].
    """
    usual = float(np.abs(static).max()) if len(static) else 0.0
    found = (
        whole(_told(robot.model, j, robot.speeds), abs(float(s)), usual, height)
        for j, s in zip(joints, _joint_share(robot.model, joints, static), strict=True)
    )
    return tuple(_as_described(robot.description, drive) for drive in found)


def _as_described(description: "Description | None", drive: JointDrive) -> JointDrive:
    """Return a drive with the numbers that a user gives."""
    said = {} if description is None else description.drive_of(drive.joint)
    if not said:
        return drive
    left = tuple(what for what in drive.assumed if what not in said)
    drive = replace(drive, **said, assumed=left)  # type: ignore[arg-type]
    if "inertia" in left:
        drive = replace(drive, inertia=drive.torque * RISE / drive.speed)
    return drive


def _joint_share(model: Any, joints: Sequence[int], static: VecN) -> Iterator[float]:
    """Yield the static torque of each of some joints."""
    for joint in joints:
        yield float(static[int(model.jnt_dofadr[joint])])


def _told(model: Any, joint: int, speeds: Mapping[str, float]) -> JointDrive:
    """Return what the file says of a joint's drive; NaN where it says nothing."""
    name = str(model.joint(joint).name)
    torque = math.nan
    speed = speeds.get(name, math.nan)
    for a in range(model.nu):
        is_own = int(model.actuator_trntype[a]) in OF_JOINTS
        if is_own and int(model.actuator_trnid[a, 0]) == joint:
            torque, fast = actuator_limit(model, a), _actuator_speed(model, a)
            speed = speed if math.isnan(fast) else fast
    if model.jnt_actfrclimited[joint]:
        most = float(np.abs(model.jnt_actfrcrange[joint]).max())
        torque = most if math.isnan(torque) else min(torque, most)
    inertia = float(model.dof_armature[int(model.jnt_dofadr[joint])])
    return JointDrive(name, torque, speed, inertia if inertia > 0.0 else math.nan)


def _actuator_speed(model: Any, a: int) -> float:
    """Return the largest speed that an actuator can be told, NaN where it cannot be.

    One that holds a speed has a bias of minus its gain times the speed, and none of the
    angle; its control is then a speed of the gear's far side.
    """
    gain, bias = model.actuator_gainprm[a], model.actuator_biasprm[a]
    is_affine = int(model.actuator_biastype[a]) == int(mujoco.mjtBias.mjBIAS_AFFINE)
    holds = is_affine and bias[1] == 0.0 and bias[2] < 0.0 and gain[0] == -bias[2]
    gear = abs(float(model.actuator_gear[a, 0]))
    if not (holds and model.actuator_ctrllimited[a] and gear > 0.0):
        return math.nan
    return float(np.abs(model.actuator_ctrlrange[a]).max()) / gear


def whole(drive: JointDrive, static: float, usual: float, height: float) -> JointDrive:
    """Return a drive with every number, those that are missing computed."""
    assumed = []
    if not 0.0 < drive.torque < LARGEST_TORQUE:
        drive = replace(drive, torque=TIMES * max(static, 0.5 * usual, 1e-3))
        assumed.append("torque")
    if not 0.0 < drive.speed < LARGEST_SPEED:
        swift = FROUDE * math.sqrt(GRAVITY / max(height, 1e-3))
        drive = replace(drive, speed=swift)
        assumed.append("speed")
    if not drive.inertia > 0.0:
        drive = replace(drive, inertia=drive.torque * RISE / drive.speed)
        assumed.append("inertia")
    return replace(drive, assumed=tuple(assumed))


def static_torques(
    robot: RobotSpec, pose: VecN, feet: Sequence[tuple[int, VecN]]
) -> VecN:
    """Return the torques that hold a robot on its feet, (nv,).

    Vertical forces that carry weight and moments, the smallest of them by squares.

    Args:
        robot: any robot.
        pose: of ``robot.model``, (nq,).
        feet: body of each foot and its place in the world [m].
    """
    model, data = robot.model, mujoco.MjData(robot.model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    bias = np.zeros(model.nv)
    mujoco.mj_rne(model, data, 0, bias)
    if not feet:
        return bias
    columns = np.zeros((model.nv, len(feet)))
    J = np.zeros((3, model.nv))
    for k, (body, place) in enumerate(feet):
        mujoco.mj_jac(model, data, J, None, np.asarray(place, np.float64), body)
        columns[:, k] = J[2]
    is_free = int(model.jnt_type[0]) == int(mujoco.mjtJoint.mjJNT_FREE)
    rows = [2, 3, 4] if is_free else [2]
    force = np.linalg.lstsq(columns[rows], bias[rows], rcond=None)[0]
    return bias - columns @ force
