"""A robot with other legs, put on its feet again where it was before."""

from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.robots.robot import Robot

__all__ = ["grounded_poses"]

FREE = int(mujoco.mjtJoint.mjJNT_FREE)
HEIGHT = 2  # place of a free base's height among its positions


def grounded_poses(before: Robot, after: Robot) -> Robot:
    """Return the changed robot with its poses raised or lowered as its feet moved.

    Args:
        before: the robot as it was.
        after: the same with other lengths.
    """
    model = after.model
    if not model.njnt or int(model.jnt_type[0]) != FREE:
        return after
    spec = after.spec.copy()
    scene = None if after.scene is None else after.scene.copy()
    rise = _lowest(before, before.model.qpos0) - _lowest(after, model.qpos0)
    for one in (spec, scene):
        if one is None:
            continue
        base = one.body(str(model.body(int(model.jnt_bodyid[0])).name))
        base.pos = np.asarray(base.pos) + np.array([0.0, 0.0, rise])
        for key in one.keys:
            _raise_key(key, before, after)
    return replace(after, spec=spec, scene=scene)


def _raise_key(key: Any, before: Robot, after: Robot) -> None:
    """Put a pose of a specification on the ground that it was on."""
    pose = np.array(key.qpos, dtype=float)
    size = int(after.model.nq)
    if len(pose) < size:  # it says nothing of positions
        return
    pose[HEIGHT] += _lowest(before, pose[:size]) - _lowest(after, pose[:size])
    key.qpos = pose


def _lowest(robot: Robot, pose: VecN) -> float:
    """Return the height of the lowest foot's middle, else of the lowest shape's [m]."""
    model = robot.model
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(model, data)
    feet = [int(model.geom(name).id) for name in robot.feet]
    free = [g for g in range(model.ngeom) if int(model.geom_bodyid[g])]
    heights = data.geom_xpos[feet or free, 2]
    return float(heights.min(initial=np.inf)) if len(heights) else 0.0
