"""A robot put down gently on one plane: it comes to rest exactly."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3, VecN
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene
from equipoise.robots.stance.shapes import balls_of
from equipoise.robots.stance.stance import Plane, shapes_extent
from equipoise.runs.check.rest import (
    NEAR,
    TIPPED,
    WELL,
    JudgedPose,
    angle_of,
    axis_rotation,
    lands_on,
    moved_by,
    touching_body,
)
from equipoise.sim.let_go import tips_when_let_go
from equipoise.stability.rigid.energy import energy_margin
from equipoise.stability.rigid.rest import resting_place, rocking_barrier
from equipoise.stability.rigid.support import static_margin

__all__ = ["on_plane"]

REPEATS = 4  # of the exact settling, for shapes whose lowest point moves as they turn
SETTLED = 1e-7  # a repeat that turns by less changes nothing [rad]
NUDGE = math.radians(0.02)
"""A robot on the very edge is nudged by this much: it may rock between two feet."""
ROCKS = math.radians(1.0)  # how far it may rock then
WAYS = 8  # directions of the nudge
OVER = math.radians(30.0)
"""A robot that stays within this lean rocks from foot to foot but does not fall."""


def on_plane(
    robot: Robot,
    scene: Scene,
    pose: VecN,
    plane: Plane,
    up: Vec3,
    friction: float | None,
) -> JudgedPose:
    """Return a robot at rest on one plane, or as it first touched if it tips.

    Args:
        robot: with a free base.
        scene: its world, gravity against ``up``.
        pose: of ``robot.model``, (nq,).
        plane: what it is put down on.
        up: against gravity, unit, (3,).
        friction: of all contacts, for a trial; None for the scene's own.
    """
    at_first = scene.data_at(robot, pose)
    if float(plane.normal @ up) <= 1e-6:
        said = "the ground under it does not face up"
        return JudgedPose(pose, at_first, plane, falls=said)
    end = _settled_on(robot, scene, pose, plane, up)
    data, size = scene.data_at(robot, end.pose), shapes_extent(scene, at_first)
    turn = angle_of(end.R)
    down = _lowered_to(robot, scene, pose, plane, up)
    there = scene.data_at(robot, down)
    if not end.is_at_rest or turn > TIPPED:
        return JudgedPose(
            down,
            there,
            plane,
            turned=turn,
            sank=end.sank,
            ended=lands_on(scene, data),
            is_at_rest=end.is_at_rest,
            trouble=touching_body(scene, there),
        )
    may_tip = end.freed > _edge_barrier(scene, up, end) and end.freed > _rocks_over(
        scene, data, plane, up, turn
    )
    if end.lifted > NEAR * size:  # contacts that overlap push it out, maybe over
        may_tip, there = True, at_first
    if may_tip and scene.ground:
        may_tip = tips_when_let_go(scene, there, size, friction)
    inside = _margin_along(up, end.centre, end.corners)
    return JudgedPose(
        end.pose,
        data,
        plane,
        turned=turn,
        sank=end.sank,
        may_tip=may_tip,
        is_robust=inside > WELL * size or _comes_back(scene, data, plane, up),
        trouble=touching_body(scene, data),
    )


@dataclass
class PlaneEnd:
    """Pose in which a robot came to rest on a plane."""

    pose: VecN
    R: Mat3
    """How it turned in all."""
    centre: Vec3
    """Its centre of mass [m]."""
    corners: Array
    """What touches exactly, (n, 3) [m]."""
    sank: float = 0.0
    lifted: float = 0.0
    """How deep it was in the plane [m]."""
    freed: float = 0.0
    """Energy set free by turning [J]."""
    is_at_rest: bool = True


def _settled_on(
    robot: Robot, scene: Scene, pose: VecN, plane: Plane, up: Vec3
) -> PlaneEnd:
    """Return where a robot comes to rest, its lowest points found anew each time."""
    data = scene.data_at(robot, pose)
    end = PlaneEnd(np.array(pose), np.eye(3), scene.centre(data), np.zeros((0, 3)))
    for _ in range(REPEATS):
        balls = _all_balls(scene, data, plane.normal)
        if balls is None or not len(balls[0]):
            break
        rest = resting_place(*balls, scene.centre(data), plane.normal, plane.offset, up)
        low = rest.moved(balls[0]) - balls[1][:, None] * plane.normal
        end.pose = moved_by(robot, end.pose, rest.R, rest.p)
        end.centre = rest.moved(scene.centre(data))
        end.corners, end.R = low[rest.touching], rest.R @ end.R
        end.sank += rest.lowered + rest.sank
        end.lifted = max(end.lifted, -rest.lowered)
        end.freed += scene.mass * scene.strength * rest.sank
        end.is_at_rest = rest.is_at_rest
        data = scene.data_at(robot, end.pose)
        if rest.turned <= SETTLED or not rest.is_at_rest:
            break
    return end


def _edge_barrier(scene: Scene, up: Vec3, end: PlaneEnd) -> float:
    """Return the energy that tips a robot over an edge of what touches [J]."""
    flat = np.vstack([_across(up), up]).T
    centre, points = end.centre @ flat, end.corners @ flat
    return float(energy_margin(centre, points, scene.mass, scene.strength).energy)


def _rocks_over(scene: Scene, data: Any, plane: Plane, up: Vec3, turn: float) -> float:
    """Return the energy that tips a robot over on level ground [J]; else -inf."""
    balls = _all_balls(scene, data, plane.normal)
    if balls is None or not len(balls[0]) or float(plane.normal @ up) < 1.0 - 1e-9:
        return -math.inf
    lift = rocking_barrier(*balls, scene.centre(data), up, least=turn, most=OVER)
    return scene.mass * scene.strength * lift


def _lowered_to(robot: Robot, scene: Scene, pose: VecN, plane: Plane, up: Vec3) -> VecN:
    """Return a pose let down along gravity until it touches a plane."""
    balls = _all_balls(scene, scene.data_at(robot, pose), plane.normal)
    if balls is None or not len(balls[0]):
        return pose
    gap = balls[0] @ plane.normal - plane.offset - balls[1]
    way = float(gap.min()) / float(plane.normal @ up)
    return moved_by(robot, pose, np.eye(3), -way * up)


def _across(up: Vec3) -> Array:
    """Return two directions square to one, all unit, (2, 3)."""
    x = np.cross(up, [1.0, 0.0, 0.0] if abs(up[0]) < 0.7 else [0.0, 1.0, 0.0])
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(up, x)])


def _margin_along(up: Vec3, centre: Vec3, points: Array) -> float:
    """Return the static margin over points, seen along gravity [m]."""
    flat = _across(up).T
    return float(static_margin(centre @ flat, points @ flat))


def _comes_back(scene: Scene, data: Any, plane: Plane, up: Vec3) -> bool:
    """Return whether a robot at rest on a plane comes back from nudges all around.

    A stance on three of four almost even feet may have its centre of mass on the very
    edge of the three, and rocks to the fourth: that is no fall.
    """
    balls = _all_balls(scene, data, plane.normal)
    if balls is None or not len(balls[0]):
        return False
    centre = scene.centre(data)
    for k in range(WAYS):
        way = 2.0 * math.pi * k / WAYS
        aside = np.array([math.cos(way), math.sin(way), 0.0])
        axis = np.cross(plane.normal, aside)
        axis /= np.linalg.norm(axis)
        R = axis_rotation(axis, NUDGE)
        places = centre + (balls[0] - centre) @ R.T
        rest = resting_place(places, balls[1], centre, plane.normal, plane.offset, up)
        if not rest.is_at_rest or rest.turned > ROCKS or len(rest.touching) < 3:
            return False
    return True


def _all_balls(scene: Scene, data: Any, normal: Vec3) -> tuple[Array, Array] | None:
    """Return every shape that can touch as balls; None where a form is not known."""
    found = [balls_of(scene.model, data, g, normal) for g in scene.shapes]
    known = [balls for balls in found if balls is not None]
    if len(known) < len(found):
        return None
    if not known:
        return np.zeros((0, 3)), np.zeros(0)
    return np.vstack([b[0] for b in known]), np.concatenate([b[1] for b in known])
