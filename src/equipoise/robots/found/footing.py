"""How a robot stands: the pose, what bears it there, and the ground under it."""

from pathlib import Path

import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.errors import BadFileError
from equipoise.robots.found.chosen import chosen_legs
from equipoise.robots.found.feet import FoundFoot
from equipoise.robots.found.heights import Posed, robot_in_pose
from equipoise.robots.found.legs import Bearing, bearing
from equipoise.robots.found.limbs import FoundLimb, limbs_of
from equipoise.robots.found.stand import (
    Stand,
    bent,
    free_base,
    level,
    named_stand,
    told_stand,
)
from equipoise.robots.robot_spec import RobotSpec
from equipoise.robots.scene.scene import robot_scene
from equipoise.robots.stance.stance import floor_of

__all__ = ["foot_body_and_place", "put_on_ground", "stand_of", "why_no_legs"]

Y_UP = (0.5**0.5, 0.5**0.5, 0.0, 0.0)  # attitude that turns y upwards
LEGS = 3  # from which on a robot that stands with y up does so by intention
FEW = (2, 3)  # joints of a leg that stands bent where no file says how
MANY = 4  # such limbs are legs, though they do not reach the ground when straight


def stand_of(robot: RobotSpec, base: str, path: Path | None) -> tuple[Stand, Bearing]:
    """Return the pose to stand in, and what bears the robot in it.

    A user's pose, else one that files tell, else the file's own or, if it lies, that
    with its base level; legs of two or three joints are bent where nobody says how.
    """
    told = robot.description
    stand = told_stand(robot, path)
    if told is not None and told.pose:
        stand = named_stand(robot, path, told.pose)
    borne = bearing(robot, base, stand.qpos)
    other = None if borne.legs or stand.is_told else level(robot, stand)
    if other is not None and bearing(robot, base, other.qpos).legs:
        stand, borne = other, bearing(robot, base, other.qpos)
    if told is not None and told.stand:
        stand = _as_described(robot, told.path, told.stand, stand)
        return stand, bearing(robot, base, stand.qpos)
    if stand.is_told:
        return stand, borne
    legs = borne.legs
    if told is not None and (told.legs or told.ends):
        legs = chosen_legs(robot, told, base)
    body = int(robot.model.body(base).id)
    every = legs or limbs_of(robot, body)
    short = tuple(limb for limb in every if len(limb.joints) in FEW)
    if set(legs) <= set(short) if legs else len(short) >= MANY:
        flat = level(robot, stand) or stand
        stand = bent(robot, legs or short, flat)
        borne = bearing(robot, base, stand.qpos)
    return stand, borne


def why_no_legs(robot: RobotSpec, base: str, borne: Bearing) -> str:
    """Return why a robot has no legs, and whether its file has y up, in words.

    Args:
        robot: any robot.
        base: body that should carry legs.
        borne: what bears it in its stand.
    """
    at = free_base(robot)
    if at < 0:
        return borne.why_not
    pose = np.array(robot.model.qpos0)
    pose[at + 3 : at + 7] = Y_UP
    count = len(bearing(robot, base, pose).legs)
    if count < LEGS:
        return borne.why_not
    return (
        f"{borne.why_not}; with y up it would stand on {count} legs: put a "
        "link above its "
        'base with a fixed joint of rpy="1.5708 0 0"'
    )


def _as_described(
    robot: RobotSpec, where: str, joints: dict[str, float], stand: Stand
) -> Stand:
    """Return the stand with the joints that a user names."""
    model, pose = robot.model, np.array(stand.qpos)
    for name, value in joints.items():
        joint = int(model.joint(name).id)
        low, high = model.jnt_range[joint]
        if model.jnt_limited[joint] and not low - 1e-3 <= value <= high + 1e-3:
            raise BadFileError(
                f"{where}: joint '{name}' of the stand must be {low:g} to {high:g}, "
                f"got {value:g}."
            )
        pose[model.jnt_qposadr[joint]] = value
    return Stand(pose, Path(where).name, True)


def put_on_ground(
    robot: RobotSpec,
    legs: tuple[FoundLimb, ...],
    feet: tuple[FoundFoot, ...],
    qpos: VecN,
) -> VecN:
    """Return a pose with its lowest point at z = 0, at x = y = 0, facing along x.

    Where the file has ground of its own that is no plane, it stays where it is, but for
    its height.
    """
    at, pose = free_base(robot), np.array(qpos)
    if not legs or at < 0:
        return pose
    scene = robot_scene(robot)
    if floor_of(scene, scene.data_at(robot, pose)) is not None:
        pose[at : at + 2] = 0.0
        pose[at + 3 : at + 7] = _without_yaw(pose[at + 3 : at + 7])
    now = robot_in_pose(robot, pose)
    low = min((_foot_bottom(now, foot) for foot in feet), default=now.ground)
    pose[at + 2] -= min(low, now.ground) if np.isfinite(low) else now.ground
    return pose


def _without_yaw(quat: VecN) -> VecN:
    """Return an attitude turned about z until its x axis is over the world's."""
    w, x, y, z = quat / np.linalg.norm(quat)
    yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    c, s = np.cos(0.5 * yaw), -np.sin(0.5 * yaw)
    turned = [c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w]
    return np.array(turned)


def _foot_bottom(now: Posed, foot: FoundFoot) -> float:
    """Return the height of a foot's lowest point [m]."""
    if foot.kind == "unknown":
        return np.inf
    body = int(now.model.body(foot.body).id)
    R_WB, p_WB = now.data.xmat[body].reshape(3, 3), now.data.xpos[body]
    if foot.corners:
        return float((p_WB + np.array(foot.corners) @ R_WB.T)[:, 2].min())
    return float((p_WB + R_WB @ np.array(foot.centre))[2]) - foot.radius


def foot_body_and_place(now: Posed, foot: FoundFoot) -> tuple[int, VecN]:
    """Return the body of a foot and where it stands."""
    body = int(now.model.body(foot.body).id)
    R_WB, p_WB = now.data.xmat[body].reshape(3, 3), now.data.xpos[body]
    place = p_WB + R_WB @ np.array(foot.centre)
    return body, place - np.array([0.0, 0.0, foot.radius])
