"""Where a walking machine starts: as on level ground, laid on its terrain."""

import math

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.seeds import stream
from equipoise.robots.robot import Robot
from equipoise.sim.terrain import Surface, Terrain, ball_depth

__all__ = ["start_pose"]


def start_pose(
    robot: Robot,
    model: mujoco.MjModel,
    terrain: Terrain,
    surface: Surface,
    noise: float,
    seed: int,
    key: str = "start",
) -> Array:
    """Return a keyframe of the robot, or its own pose, laid on a terrain, (nq,).

    The whole machine is turned with the slope about the origin. With noise in the
    joints it is moved along the surface's normal until the lowest foot touches. On soft
    ground it is m g / (nl K) deeper, where it will come to rest.

    Args:
        robot: the machine.
        model: its world.
        terrain: what it stands on.
        surface: the geometry of that.
        noise: standard deviation of the joint angles [rad]; stops hold.
        seed: of the noise.
        key: name of the keyframe; in another than ``start`` its trunk lies.
    """
    keys = [own for own in robot.spec.keys if own.name == key]
    own = robot.model
    pose = np.array(keys[0].qpos if keys else own.qpos0, np.float64)
    half = -0.5 * math.atan(terrain.slope)
    turn = np.array([math.cos(half), 0.0, math.sin(half), 0.0])
    place, attitude = np.zeros(3), np.zeros(4)
    mujoco.mju_rotVecQuat(place, pose[:3], turn)
    mujoco.mju_mulQuat(attitude, turn, pose[3:7])
    pose[:3], pose[3:7] = place, attitude
    if noise > 0.0:
        _add_noise(pose, own, noise, seed)
    deep = 0.0
    if math.isfinite(terrain.stiffness):
        mass = float(own.body_subtreemass[own.body(robot.base).id])
        weight = -float(model.opt.gravity[2]) * mass
        deep = weight / (len(robot.feet) * terrain.stiffness)
    if key == "start":
        pose[:3] += (_deepest_foot(robot, pose, surface) - deep) * surface.normal
    return np.concatenate([pose, model.qpos0[own.nq :]])


def _add_noise(pose: Array, model: mujoco.MjModel, noise: float, seed: int) -> None:
    """Change the angles of a model's actuated joints at random, within their stops."""
    joints = model.actuator_trnid[:, 0]
    at = model.jnt_qposadr[joints]
    angles = pose[at] + stream(seed, "joints").normal(0.0, noise, len(at))
    limited = np.asarray(model.jnt_limited, bool)[joints]
    lower, upper = model.jnt_range[joints].T
    pose[at] = np.where(limited, np.clip(angles, lower, upper), angles)


def _deepest_foot(robot: Robot, pose: Array, surface: Surface) -> float:
    """Return how deep the deepest foot is in the ground, negative above [m]."""
    model, normal = robot.model, np.zeros(3)
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(model, data)
    return max(
        ball_depth(
            surface,
            data.geom(foot).xpos,
            float(model.geom(foot).size[0]),
            normal,
        )
        for foot in robot.feet
    )
