"""A walking machine on its belly: legs bent until the trunk lies, feet beside it."""

from dataclasses import replace

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ConfigError
from equipoise.robots.legs import foot_angles, leg_geometry
from equipoise.robots.robot import Robot

__all__ = ["LIES", "lying_robot"]

LIES = "belly"
"""Name of the keyframe in which it lies."""
CLEAR = 0.05  # of the feet over the ground, over the way that the trunk is lowered


def lying_robot(robot: Robot) -> Robot:
    """Return a walking machine with a keyframe in which its trunk lies on the ground.

    Feet are where they stand, just over the ground.

    Args:
        robot: with legs, and a keyframe ``start`` on level ground.

    Raises:
        ConfigError: legs that do not bend so far.
    """
    geometry, model = leg_geometry(robot), robot.model
    start = np.array(next(k.qpos for k in robot.spec.keys if k.name == "start"))
    low, places = _under_trunk(robot, start), _standing_places(robot, start)
    places[:, 2] += (1.0 + CLEAR) * low
    angles, is_reached = foot_angles(geometry, places)
    within = (angles >= geometry.lower) & (angles <= geometry.upper)
    if not (is_reached and within.all() and low > 0.0):
        problem = (
            f"it must bend its legs by {low:.2f} m to lie on its belly with its feet "
            "beside it, which they do not; an insect's legs do, as of 'tum'"
        )
        raise ConfigError(f"robot '{robot.name}'", [problem])
    pose = start.copy()
    pose[2] -= low
    driven = model.jnt_qposadr[model.actuator_trnid[:, 0]]
    pose[driven] = angles
    spec = robot.spec.copy()
    spec.add_key(name=LIES, qpos=pose)
    return replace(robot, spec=spec)


def _posed(robot: Robot, pose: VecN) -> mujoco.MjData:
    """Return the engine's data of a pose."""
    data = mujoco.MjData(robot.model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(robot.model, data)
    return data


def _standing_places(robot: Robot, start: VecN) -> Array:
    """Return where feet are from their hips as it stands, level, (nl, 3) [m]."""
    data = _posed(robot, start)
    feet = np.array([data.geom(foot).xpos for foot in robot.feet])
    return feet - start[:3] - leg_geometry(robot).hips


def _under_trunk(robot: Robot, start: VecN) -> float:
    """Return how high the trunk's lowest point is over the ground as it stands [m]."""
    model, data, lowest = robot.model, _posed(robot, start), np.inf
    trunk = model.body_weldid[model.geom_bodyid] == model.body(robot.base).id
    for geom in np.flatnonzero(trunk & (model.geom_contype > 0)):
        R, (middle, half) = data.geom_xmat[geom], np.split(model.geom_aabb[geom], 2)
        up = R.reshape(3, 3)[2]
        z = data.geom_xpos[geom, 2] + up @ middle - np.abs(up) @ half
        lowest = min(lowest, float(z))
    return lowest
