"""A robot in a pose: where its shapes, joints and centre of mass are."""

from dataclasses import dataclass, replace
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.robots.found.limbs import Heights
from equipoise.robots.robot_spec import RobotSpec
from equipoise.robots.scene.scene import robot_bodies, robot_scene
from equipoise.robots.stance.stance import shape_corners

__all__ = ["Posed", "robot_in_pose"]

LOW = 0.15  # share of the height of the centre of mass that is near the ground
FORK = 0.35  # share of it from which on what branches off is a limb, no toe
UP = np.array([0.0, 0.0, 1.0])


@final
@dataclass(frozen=True, eq=False)
class Posed:
    """A robot alone, in a pose."""

    model: Any
    data: Any
    """With its kinematics."""
    corners: dict[int, Array]
    """Points on which each shape can stand, by shape (n, 3) [m]."""
    heights: Heights
    ground: float
    """Height of the lowest point [m]."""
    com: Vec3
    """(3,) [m]."""
    shapeless: tuple[int, ...]
    """Bodies at the ends that have no shape, or lost theirs."""

    def is_lower_without_shape(self, body: int, shapes: dict[int, Array]) -> bool:
        """Return whether a body without a known shape is below some shapes."""
        low = min((float(c[:, 2].min()) for c in shapes.values()), default=np.inf)
        return body in self.shapeless and float(self.data.xpos[body][2]) < low

    def shapes_of(self, bodies: list[int]) -> dict[int, Array]:
        """Return the corners of the shapes of some bodies."""
        own = set(bodies)
        return {
            g: c
            for g, c in self.corners.items()
            if int(self.model.geom_bodyid[g]) in own
        }

    def lowest(self, bodies: list[int]) -> float:
        """Return the height of the lowest point of some bodies' shapes [m]."""
        return min((self.heights.lows[b] for b in bodies), default=np.inf)

    def end_place(self, tip: int, bodies: tuple[int, ...]) -> Vec3:
        """Return the middle of the shapes of a limb's end, else its place, (3,) [m]."""
        weld = self.model.body_weldid
        points = self.shapes_of([b for b in bodies if weld[b] == weld[tip]]).values()
        if not points:
            return np.array(self.data.xpos[tip])
        every = np.vstack(list(points))
        low = float(every[:, 2].min())
        near = every[every[:, 2] <= low + 0.1 * (float(self.com[2]) - low)]
        return 0.5 * (near.min(axis=0) + near.max(axis=0))


def robot_in_pose(robot: RobotSpec, pose: VecN) -> Posed:
    """Return a robot in a pose, without other bodies of its file.

    Args:
        robot: any robot.
        pose: of ``robot.model``, (nq,).
    """
    model = robot.model
    alone = replace(robot, scene=None, others=()) if robot.scene is not None else robot
    alone.__dict__["model"] = model  # not to be built again
    scene = robot_scene(alone)
    data = scene.data_at(alone, pose)
    own = robot_bodies(model, robot.base)
    known = {g: c for g, c in shape_corners(scene, data, UP).items() if c is not None}
    lows = dict.fromkeys(range(int(model.nbody)), np.inf)
    for geom, points in known.items():
        body = int(model.geom_bodyid[geom])
        lows[body] = min(lows[body], float(points[:, 2].min()))
    bare = _shapeless_ends(robot, own, known)
    for body in bare:
        lows[body] = min(lows[body], float(data.xpos[body][2]))
    com = scene.centre(data)
    ground = min(lows.values())
    if not np.isfinite(ground):
        ground = float(data.xpos[own][:, 2].min())
    scale = float(com[2]) - ground
    mujoco.mj_kinematics(model, data)
    heights = Heights(
        lows,
        np.array(data.xanchor[:, 2]),
        near=ground + LOW * max(scale, 0.0),
        high=ground + FORK * max(scale, 0.0),
    )
    return Posed(model, data, known, heights, ground, com, tuple(bare))


def _shapeless_ends(robot: RobotSpec, own: Any, known: dict[int, Array]) -> list[int]:
    """Return last bodies of a robot that have no shape, or lost theirs.

    Where such a body is, the robot ends, for all that is known.
    """
    model = robot.model
    weld = np.asarray(model.body_weldid)
    solid = {int(weld[model.geom_bodyid[g]]) for g in known}
    carries = {
        int(weld[model.body_parentid[b]])
        for b in range(1, model.nbody)
        if int(model.body_jntnum[b])
    }
    lost = set(robot.lost_shapes)
    return [
        b
        for b in range(1, model.nbody)
        if own[b]
        and int(weld[b]) not in carries
        and (int(weld[b]) not in solid or str(model.body(b).name) in lost)
    ]
