"""A robot put down gently before it is judged: the first half of a check.

With its joints held a robot is one rigid body. On a plane it comes to rest exactly
(``stability.rest``); on other ground the engine lets it down (``sim.put_down``). Where
more than a plane is in its scene the plane comes first, and counts if nothing else is
touched on the way.
"""

import math
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Vec3, VecN
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene, own_qpos, robot_bodies
from equipoise.robots.stance.stance import Plane, floor_of, shape_corners, shapes_extent
from equipoise.robots.stance.terrain import touches
from equipoise.runs.check.on_plane import on_plane
from equipoise.runs.check.on_terrain import on_terrain
from equipoise.runs.check.rest import NEAR, JudgedPose, touching_body

__all__ = ["as_given", "put_robot_down"]

STRIDE, MOST_LOOKS = 0.02, 100
"""Between two looks for other ground on the way down, in sizes, and looks at most."""
DEEPEST = 0.03  # share of its size; a robot deeper in the ground is in no real pose


def as_given(robot: Robot, scene: Scene, pose: VecN) -> JudgedPose:
    """Return a robot in the pose it is given in."""
    data = scene.data_at(robot, pose)
    return JudgedPose(
        pose, data, floor_of(scene, data), trouble=touching_body(scene, data)
    )


def put_robot_down(
    robot: Robot, scene: Scene, pose: VecN, up: Vec3, friction: float | None = None
) -> JudgedPose:
    """Return a robot in the pose in which it comes to rest.

    A robot that tips over is returned as it first touched, with where it ended.

    Args:
        robot: with a free base.
        scene: its world, with gravity.
        pose: of ``robot.model``, (nq,).
        up: against gravity, unit, (3,); not the scene's own on a slope.
        friction: of all contacts; None for the scene's own.
    """
    scene = replace(scene, gravity=-scene.strength * up)
    data = scene.data_at(robot, pose)
    plane = floor_of(scene, data)
    if trouble := touching_body(scene, data) or _too_deep(scene, data, plane):
        return JudgedPose(pose, data, plane, trouble=trouble)
    if plane is not None:
        return on_plane(robot, scene, pose, plane, up, friction)
    for geom in scene.planes:
        normal = np.array(data.geom_xmat[geom].reshape(3, 3)[:, 2])
        if float(normal @ up) <= 0.0:
            continue
        only = Plane(normal, float(normal @ data.geom_xpos[geom]), geom)
        found = on_plane(robot, scene, pose, only, up, friction)
        is_down = found.is_at_rest and not (found.falls or found.ended)
        if is_down and _is_alone(robot, scene, pose, found, geom):
            return found
    return on_terrain(robot, scene, pose, friction)


def _too_deep(scene: Scene, data: Any, plane: Plane | None) -> str:
    """Return a sentence about a robot that is in the ground, or none."""
    if plane is None:
        deep = max((-t.distance for t in touches(scene, data, 1e-6)), default=0.0)
    else:
        known = shape_corners(scene, data, plane.normal).values()
        gaps = [c @ plane.normal - plane.offset for c in known if c is not None]
        deep = -min((float(gap.min()) for gap in gaps), default=0.0)
    if deep <= DEEPEST * shapes_extent(scene, data):
        return ""
    return f"it is {deep:.3g} m deep in the ground; lift it by that"


def _is_alone(
    robot: Robot, scene: Scene, pose: VecN, found: JudgedPose, geom: int
) -> bool:
    """Return whether a robot meets no other ground on its way to a plane."""
    base = int(own_qpos(robot.model, robot_bodies(robot.model, robot.base))[0])
    spot, turn = slice(base, base + 3), slice(base + 3, base + 7)
    size = shapes_extent(scene, found.data)
    way = float(np.linalg.norm(found.pose[spot] - pose[spot])) / size
    way += found.turned or 0.0
    sign = 1.0 if float(pose[turn] @ found.pose[turn]) >= 0.0 else -1.0
    for share in np.linspace(0.0, 1.0, 2 + min(math.ceil(way / STRIDE), MOST_LOOKS)):
        between = np.array(found.pose)
        between[spot] = (1.0 - share) * pose[spot] + share * found.pose[spot]
        between[turn] = (1.0 - share) * sign * pose[turn] + share * found.pose[turn]
        mujoco.mj_normalizeQuat(robot.model, between)
        data = scene.data_at(robot, between)
        if any(t.ground != geom for t in touches(scene, data, NEAR * size)):
            return False
    return True
