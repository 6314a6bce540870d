"""A robot without ground of its own put over a level floor, so that it can be tried."""

from dataclasses import replace
from typing import TypeVar

import mujoco
import numpy as np

from equipoise.robots.robot_spec import RobotSpec

__all__ = ["floored"]

R = TypeVar("R", bound=RobotSpec)
EVERY_BIT = 0x7FFFFFFF
NAME = "assumed floor"


def floored(robot: R, height: float, friction: float | None = None) -> R:
    """Return a robot with a level floor below it that all its shapes can touch.

    The floor is a plain one: how contacts give way, and how rough they are, is up to
    the robot's shapes, as it would be on a plane without settings in its file.

    Args:
        robot: one whose file has no ground.
        height: of the floor [m].
        friction: of every contact with it; None for the shapes' own.
    """
    spec = robot.spec.copy()
    scene = None if robot.scene is None else robot.scene.copy()
    for one in (spec, scene):
        if one is None:
            continue
        floor = one.worldbody.add_geom(
            name=NAME,
            type=mujoco.mjtGeom.mjGEOM_PLANE,
            size=[0.0, 0.0, 1.0],
            pos=[0.0, 0.0, height],
            contype=EVERY_BIT,
            conaffinity=EVERY_BIT,
        )
        if friction is not None:
            floor.priority = int(np.max(robot.scene_model.geom_priority, initial=0)) + 1
            floor.friction[0] = friction
    return replace(robot, spec=spec, scene=scene)
