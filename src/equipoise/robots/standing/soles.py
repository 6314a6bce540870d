"""Soles: the few points on which a leg of a robot file stands, in its last link.

The shapes of a foot may have hundreds of corners. Those that are level with the lowest
span the sole; of its outline the four are kept that span the largest area, so that a
sole is never taken for larger than it is.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any, final

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from equipoise.core.arrays import Array, VecN
from equipoise.robots.found.description import FoundLeg
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene, robot_scene
from equipoise.robots.stance.stance import shape_corners

__all__ = ["FoundSole", "sole_of"]

LEVEL = 0.004  # share of the robot's height within which corners are level
SLIMMEST = 0.01  # share of the height that a sole must at least be wide
DIRECTIONS = 16  # in which the farthest corners of an outline are looked for
KEPT = 4  # corners of a sole
UP = np.array([0.0, 0.0, 1.0])


@final
@dataclass(frozen=True, eq=False)
class FoundSole:
    """Sole with which a leg presses on the ground."""

    link: str
    """The body that its last joint moves."""
    corners: Array
    """In that body's frame, (n, 3) [m]."""
    level: float
    """Height of the sole as the robot stands [m]."""
    size: tuple[float, float]
    """Along and across the robot [m]."""
    slim: float
    """Its width across its longest way [m]."""

    def is_flat(self, height: float) -> bool:
        """Return whether it is more than a point or an edge.

        Args:
            height: of the robot's base [m].
        """
        return len(self.corners) >= 3 and self.slim >= SLIMMEST * height


def sole_of(robot: Robot, leg: FoundLeg, qpos: VecN, height: float) -> FoundSole | None:
    """Return the sole of a leg in a pose; None where none of its shapes is known.

    Args:
        robot: any robot.
        leg: one of its legs.
        qpos: in which it stands, (nq,).
        height: of its base [m].
    """
    scene = robot_scene(robot)
    data = scene.data_at(robot, qpos)
    model = scene.model
    body = int(model.jnt_bodyid[model.joint(leg.joints[-1]).id])
    points = _told_points(robot, leg, model, data)
    if points is None:
        points = _foot_points(scene, data, body)
    if not len(points):
        return None
    ground = float(points[:, 2].min())
    down = points[points[:, 2] <= ground + LEVEL * height]
    outline = _largest_corners(down[:, :2])
    R, p = data.xmat[body].reshape(3, 3), data.xpos[body]
    places = np.column_stack([outline, np.full(len(outline), ground)])
    along, across = (float(x) for x in np.ptp(outline, axis=0))
    return FoundSole(
        link=str(model.body(body).name),
        corners=(places - p) @ R,
        level=ground,
        size=(along, across),
        slim=_slimness(outline),
    )


def _told_points(robot: Robot, leg: FoundLeg, model: Any, data: Any) -> Array | None:
    """Return the corners that a user says a sole has, in the world; None for none."""
    told = None if robot.description is None else robot.description.feet.get(leg.name)
    if told is None or not told.corners:
        return None
    body = int(model.body(told.body).id)
    R_WB = data.xmat[body].reshape(3, 3)
    return data.xpos[body] + np.array(told.corners) @ R_WB.T


def _foot_points(scene: Scene, data: Any, body: int) -> Array:
    """Return all corners of what moves with a body, in the world, (n, 3) [m]."""
    model = scene.model
    found = [
        corners
        for geom, corners in shape_corners(scene, data, UP).items()
        if corners is not None
        and int(model.body_weldid[model.geom_bodyid[geom]]) == body
    ]
    return np.vstack(found) if found else np.zeros((0, 3))


def _largest_corners(points: Array) -> Array:
    """Return the four corners that span the largest area, in order, (<= 4, 2).

    Args:
        points: (n, 2) [m].
    """
    turns = 2.0 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    ways = np.column_stack([np.cos(turns), np.sin(turns)])
    far = np.unique(np.argmax(points @ ways.T, axis=0))
    try:
        outline = points[far][ConvexHull(points[far]).vertices]
    except (QhullError, ValueError):
        return np.unique(points[far], axis=0)  # a point, or a line
    if len(outline) <= KEPT:
        return outline
    return max((outline[list(k)] for k in _choices(len(outline))), key=_area)


def _choices(count: int) -> list[tuple[int, ...]]:
    """Return all choices of four out of some, each in order."""
    return list(combinations(range(count), KEPT))


def _area(outline: Array) -> float:
    """Return the area of a polygon, (n, 2)."""
    x, y = outline.T
    return 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def _slimness(points: Array) -> float:
    """Return how wide points are across the longest way between two of them [m]."""
    gaps = points[:, None] - points[None]
    lengths = np.linalg.norm(gaps, axis=2)
    i, j = np.unravel_index(int(np.argmax(lengths)), lengths.shape)
    if lengths[i, j] == 0.0:
        return 0.0
    along = gaps[i, j] / lengths[i, j]
    return float(np.ptp(points @ np.array([-along[1], along[0]])))
