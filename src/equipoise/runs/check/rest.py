"""A robot in the pose in which it is judged, and what the ways to get there share."""

import math
from dataclasses import dataclass, field
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Mat3, Vec3, VecN
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene, own_qpos, robot_bodies
from equipoise.robots.stance.stance import Plane, label_of, shape_corners, shapes_extent
from equipoise.robots.stance.terrain import foreign_touch, touches
from equipoise.robots.stance.turns import rotated_pose

__all__ = [
    "NEAR",
    "TIPPED",
    "WELL",
    "JudgedPose",
    "angle_of",
    "axis_rotation",
    "lands_on",
    "moved_by",
    "touching_body",
]

TIPPED = math.radians(10.0)
"""A robot that turns by more to come to rest does not stand as it was put."""
WELL = 2e-3
"""Share of its size that a centre of mass is well inside."""
NEAR = 1e-4
"""Share of its size at which other things count as touched."""


@final
@dataclass(frozen=True)
class JudgedPose:
    """A robot in the pose that is judged."""

    pose: VecN = field(repr=False)
    """Of ``robot.model``."""
    data: Any = field(repr=False)
    """Of the scene's model, with its kinematics."""
    plane: Plane | None
    """What it stands on; None for ground that is more than a plane."""
    turned: float | None = None
    """By how much it turned to come to rest [rad]; None if judged as given."""
    sank: float | None = None
    """How far its centre of mass sank in all [m]."""
    may_tip: bool = False
    """Whether the energy set free by settling could carry it over an edge."""
    ended: tuple[str, ...] = ()
    """What touches where it ended, if it tipped: then the pose is that before."""
    is_at_rest: bool = True
    is_robust: bool = True
    """Whether its centre of mass is well inside of what touches exactly, or it comes
    back when it is nudged."""
    trouble: str = ""
    """Why nothing can be said, or empty."""
    falls: str = ""
    """Why it does not stand, or empty."""


def touching_body(scene: Scene, data: Any) -> str:
    """Return a sentence about another moving body that touches the robot, or none."""
    size = shapes_extent(scene, data)
    name = foreign_touch(scene, data, NEAR * size)
    return f"it touches '{name}', which moves and is not modelled" if name else ""


def lands_on(scene: Scene, data: Any) -> tuple[str, ...]:
    """Return what is lowest in the end, by name."""
    size = shapes_extent(scene, data)
    if scene.ground:
        down = [t.geom for t in touches(scene, data, 1e-3 * size)]
    else:
        corners = shape_corners(scene, data, np.array([0.0, 0.0, 1.0]))
        lows = {g: float(c[:, 2].min()) for g, c in corners.items() if c is not None}
        down = [g for g, low in lows.items() if low <= min(lows.values()) + 1e-3 * size]
    return tuple(dict.fromkeys(label_of(scene.model, g) for g in down))


def moved_by(robot: Robot, pose: VecN, R: Mat3, p: Vec3) -> VecN:
    """Return a pose moved as a whole: x becomes R x + p."""
    new = rotated_pose(robot, pose, R, np.zeros(3))
    base = int(own_qpos(robot.model, robot_bodies(robot.model, robot.base))[0])
    new[base : base + 3] += p
    return new


def axis_rotation(axis: Vec3, angle: float) -> Mat3:
    """Return a turn about an axis."""
    quat, R = np.zeros(4), np.zeros(9)
    mujoco.mju_axisAngle2Quat(quat, axis, angle)
    mujoco.mju_quat2Mat(R, quat)
    return R.reshape(3, 3)


def angle_of(R: Mat3) -> float:
    """Return the angle of a rotation [rad]."""
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(R).ravel())
    return 2.0 * math.atan2(float(np.linalg.norm(quat[1:])), abs(float(quat[0])))
