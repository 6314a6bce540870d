"""A robot as it stands, for pictures: a walking machine with a person beside it."""

from pathlib import Path

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.robots.robot import Robot
from equipoise.robots.visuals.picture import picture_model
from equipoise.robots.visuals.robot_looks import robot_appearance, robot_picture_model
from equipoise.viz.pictures import write_png
from equipoise.viz.raycast import draw
from equipoise.viz.shapes import box_corners, data_in_pose
from equipoise.viz.silhouette import ShapeTriangles, shape_triangles

__all__ = ["portrait_model", "standing_pose", "standing_shapes", "write_portrait"]

BESIDE = 0.55  # of a person from what is farthest to the left [m]
BACK = 0.2  # share of the length, from behind, where it stands
SIZE = (640, 480)


def standing_pose(robot: Robot) -> VecN:
    """Return how a robot stands, (nq,): its keyframe ``start``, or as found.

    Args:
        robot: any.
    """
    key = mujoco.mj_name2id(robot.model, mujoco.mjtObj.mjOBJ_KEY, "start")
    return np.array(robot.model.key_qpos[key] if key >= 0 else robot.found.qpos)


def portrait_model(robot: Robot) -> mujoco.MjModel:
    """Return a robot compiled for pictures; a walking machine with a person beside it.

    Args:
        robot: any.
    """
    is_machine = robot.name in builtin_names() and not robot.source
    if not (is_machine and builtin(robot.name).task == "walk"):
        return robot_picture_model(robot)
    model = robot_picture_model(robot)
    corners = box_corners(model, data_in_pose(model, standing_pose(robot))).reshape(
        -1, 3
    )
    low, high = corners.min(axis=0), corners.max(axis=0)
    place = float(low[0] + BACK * (high[0] - low[0])), float(high[1] + BESIDE)
    return picture_model(robot.spec, robot_appearance(robot), place)


def standing_shapes(robot: Robot | None) -> ShapeTriangles | None:
    """Return the shapes of a robot as it stands; None where it has none.

    Args:
        robot: any, or None.
    """
    if robot is None:
        return None
    found = shape_triangles(
        robot_picture_model(robot), robot.base, standing_pose(robot)
    )
    return found if len(found.robot) else None


def write_portrait(robot: Robot, path: Path) -> Path:
    """Draw a robot as it stands and return the file.

    Args:
        robot: any.
        path: the PNG file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    return write_png(path, draw(portrait_model(robot), standing_pose(robot), size=SIZE))
