"""A stance turned as a whole, robot and ground: slopes, and gravity that is not level.

Criteria look along z. Where gravity points elsewhere, because the file says so or
because level ground is to be judged as a slope, robot and ground are turned together
until it points down.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import mujoco
import numpy as np

from equipoise.core.arrays import Mat3, Vec3, VecN
from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError
from equipoise.robots.robot_spec import RobotSpec
from equipoise.robots.scene.scene import Scene, own_qpos, robot_bodies
from equipoise.robots.stance.stance import Stance, is_free

__all__ = ["GroundTurn", "ground_turn", "rotated_pose", "turned_stance"]

UPRIGHT = 1.0 - 1e-12  # vertical part of an upward direction that needs no turn


class GroundTurn(NamedTuple):
    """Rotation of robot and ground after which gravity is along -z."""

    up: Vec3
    """Against gravity in the scene, unit, (3,)."""
    R: Mat3 | None
    """R up = z; None where it is so already."""


def ground_turn(
    robot: RobotSpec, scene: Scene, slope_deg: float, heading_deg: float
) -> GroundTurn:
    """Return how a scene must be turned to be judged.

    Args:
        robot: whose scene it is.
        scene: its world.
        slope_deg: by how much level ground is to fall, 0 to below 90.
        heading_deg: where it falls to, from x towards y.

    Raises:
        ConfigError: a slope out of range, for ground that is not one level plane, or
            for a base that is not free.
    """
    up = scene.up if scene.strength > 0.0 else np.array([0.0, 0.0, 1.0])
    if not slope_deg and not heading_deg:
        if up[2] >= UPRIGHT:
            return GroundTurn(np.array([0.0, 0.0, 1.0]), None)
        return GroundTurn(up, _turn_upright(up))
    problems = _slope_problems(robot, slope_deg, heading_deg)
    is_plane = len(scene.ground) == len(scene.planes) <= 1
    R_ground = None if not is_plane or not scene.planes else _ground_attitude(scene)
    if (
        not is_plane
        or up[2] < UPRIGHT
        or (R_ground is not None and R_ground[2, 2] < UPRIGHT)
    ):
        problems.append("slope is for robots without ground of their own")
    if problems:
        raise ConfigError(f"the slope under '{robot.name}'", problems)
    R_WS = _slope_rotation(slope_deg, heading_deg)
    return GroundTurn(R_WS.T @ np.array([0.0, 0.0, 1.0]), R_WS)


def _ground_attitude(scene: Scene) -> Mat3:
    """Return the attitude of the scene's plane."""
    data = mujoco.MjData(scene.model)
    mujoco.mj_kinematics(scene.model, data)
    return data.geom_xmat[scene.planes[0]].reshape(3, 3)


def _slope_problems(
    robot: RobotSpec, slope_deg: float, heading_deg: float
) -> list[str]:
    """Return what is wrong with a slope."""
    problems = []
    if not (is_number(slope_deg) and 0.0 <= slope_deg < 90.0):
        problems.append(f"slope must be 0 to below 90 degrees, got {slope_deg!r}")
    if not (is_number(heading_deg) and math.isfinite(heading_deg)):
        problems.append(f"heading must be a finite angle, got {heading_deg!r}")
    if not is_free(robot):
        problems.append("slope is for robots with a free base")
    return problems


def _turn_upright(up: Vec3) -> Mat3:
    """Return the smallest turn that takes a direction to z."""
    axis = np.cross(up, [0.0, 0.0, 1.0])
    size = float(np.linalg.norm(axis))
    if size < 1e-12:
        return np.diag([1.0, -1.0, -1.0])  # gravity straight up
    quat, R = np.zeros(4), np.zeros(9)
    mujoco.mju_axisAngle2Quat(quat, axis / size, math.atan2(size, float(up[2])))
    mujoco.mju_quat2Mat(R, quat)
    return R.reshape(3, 3)


def turned_stance(
    robot: RobotSpec, pose: VecN, stance: Stance, turn: GroundTurn
) -> tuple[VecN, Stance]:
    """Return a pose and its stance so that gravity is along -z.

    Args:
        robot: with a free base, where there is something to turn.
        pose: (nq,).
        stance: in that pose.
        turn: as ``ground_turn`` says.
    """
    if turn.R is None:
        return pose, stance
    height = stance.ground if stance.is_level else 0.0
    at = np.array([0.0, 0.0, height])
    level = replace(_stance_turned(stance, turn.R, at), ground=math.nan)
    if (
        len(level.points)
        and (level.normals[:, 2] > 1.0 - 1e-9).all()
        and np.ptp(level.points[:, 2]) <= 1e-6
    ):
        level = replace(level, ground=float(level.points[:, 2].mean()))
    return rotated_pose(robot, pose, turn.R, at), level


def _slope_rotation(slope_deg: float, heading_deg: float) -> Mat3:
    """Return the turn of level ground that makes it fall towards a heading."""
    turn = math.radians(heading_deg)
    axis = np.array([-math.sin(turn), math.cos(turn), 0.0])
    quat, R = np.zeros(4), np.zeros(9)
    mujoco.mju_axisAngle2Quat(quat, axis, math.radians(slope_deg))
    mujoco.mju_quat2Mat(R, quat)
    return R.reshape(3, 3)


def rotated_pose(robot: RobotSpec, pose: VecN, R: Mat3, at: Vec3) -> VecN:
    """Return a pose turned as a whole about a point; the base is free."""
    model, new = robot.model, np.array(pose, np.float64)
    first = int(own_qpos(model, robot_bodies(model, robot.base))[0])
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(R).ravel())
    new[first : first + 3] = at + R @ (new[first : first + 3] - at)
    mujoco.mju_mulQuat(new[first + 3 : first + 7], quat, pose[first + 3 : first + 7])
    return new


def _stance_turned(stance: Stance, R: Mat3, at: Vec3) -> Stance:
    """Return a stance turned as a whole about a point, robot and ground."""
    points = at + (stance.points - at) @ R.T
    return replace(
        stance,
        points=points,
        com=at + R @ (stance.com - at),
        normals=stance.normals @ R.T,
        lowest=float(points[:, 2].min()) if len(points) else stance.lowest,
    )
