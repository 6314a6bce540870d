"""A robot without ground of its own put over a level floor, so that it can be tried."""

from dataclasses import replace

import mujoco
import numpy as np

from equipoise.robots.robot import Robot

__all__ = ["floored"]

EVERY_BIT = 0x7FFFFFFF
NAME = "assumed floor"


def floored(robot: Robot, height: float, friction: float) -> Robot:
    """Return a robot with a level floor below it that all its shapes can touch.

    Args:
        robot: one whose file has no ground.
        height: of the floor [m].
        friction: of every contact with it.
    """
    spec = robot.spec.copy()
    scene = None if robot.scene is None else robot.scene.copy()
    for one in (spec, scene):
        if one is None:
            continue
        one.worldbody.add_geom(
            name=NAME,
            type=mujoco.mjtGeom.mjGEOM_PLANE,
            size=[0.0, 0.0, 1.0],
            pos=[0.0, 0.0, height],
            contype=EVERY_BIT,
            conaffinity=EVERY_BIT,
            priority=int(np.max(robot.scene_model.geom_priority, initial=0)) + 1,
            friction=[friction, 0.005, 0.0001],
            condim=3,
        )
    return replace(robot, spec=spec, scene=scene)
