"""What a robot looks like: its visuals, a model for pictures, and its portrait.

Each is worked out when it is first asked for, and kept as long as the robot.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import mujoco

from equipoise.robots.robot_spec import RobotSpec
from equipoise.robots.visuals.appearance import Appearance, appearance_of
from equipoise.robots.visuals.picture import picture_model
from equipoise.robots.visuals.standalone import (
    MeshShape,
    Portrait,
    mesh_shapes,
    portrait_of,
)

__all__ = [
    "robot_appearance",
    "robot_mesh_shapes",
    "robot_picture_model",
    "robot_portrait",
]

T = TypeVar("T")


def _kept(robot: RobotSpec, name: str, make: Callable[[], T]) -> T:
    """Return what is kept with a robot, which is never changed; made if need be."""
    looks: dict[str, Any] = robot.__dict__.setdefault("_looks", {})
    if name not in looks:
        looks[name] = make()
    return cast(T, looks[name])


def robot_appearance(robot: RobotSpec) -> Appearance:
    """Return what is drawn of a robot beside its shapes.

    Args:
        robot: any robot; files that its visuals name are read.
    """
    return _kept(
        robot, "appearance", lambda: appearance_of(robot.visuals, robot.unseen)
    )


def robot_mesh_shapes(robot: RobotSpec) -> dict[str, MeshShape]:
    """Return the meshes of a robot's specification by name.

    Args:
        robot: any robot.
    """
    return _kept(robot, "mesh_shapes", lambda: mesh_shapes(robot.scene_model))


def robot_portrait(robot: RobotSpec) -> Portrait:
    """Return a robot as one text and triangles, without any other file.

    Args:
        robot: any robot.
    """

    def portrait() -> Portrait:
        shapes, looks = robot_mesh_shapes(robot), robot_appearance(robot)
        return portrait_of(robot.spec, shapes, looks, bool(robot.source))

    return _kept(robot, "portrait", portrait)


def robot_picture_model(robot: RobotSpec) -> mujoco.MjModel:
    """Return a robot compiled for pictures, with its visuals; poses are the same.

    Args:
        robot: any robot.
    """

    def picture() -> mujoco.MjModel:
        return picture_model(robot.spec, robot_appearance(robot))

    return _kept(robot, "picture_model", picture)
