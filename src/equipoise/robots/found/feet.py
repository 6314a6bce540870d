"""What each leg stands on: a ball, or a sole."""

from dataclasses import dataclass
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.robots.found.heights import Posed, robot_in_pose
from equipoise.robots.found.limbs import FoundLimb
from equipoise.robots.robot_spec import RobotSpec
from equipoise.robots.stance.shapes import balls_of, outermost
from equipoise.robots.stance.stance import label_of

__all__ = ["FoundFoot", "leg_feet"]

FLAT = 0.01  # share of the height within which corners of a sole are level
LONG = 0.15  # share of the height from which on a foot is a sole, not a ball
CAP = 0.05  # share of the height that is looked at of a foot that may be a ball
ROUNDED = 0.1  # share of a ball's radius that its corners are off it
MOST_EXACT = 6  # corners through which a ball is not there by chance
ROUND = (int(mujoco.mjtGeom.mjGEOM_SPHERE), int(mujoco.mjtGeom.mjGEOM_CAPSULE))
UP = np.array([0.0, 0.0, 1.0])
Place = tuple[float, float, float]


@final
@dataclass(frozen=True)
class FoundFoot:
    """Foot on which a leg stands."""

    shapes: tuple[str, ...]
    """By name, or body and number; empty where no shape is known."""
    kind: str
    """"ball", "sole", or "unknown"."""
    size: tuple[float, float]
    """Along and across the robot; of a ball its radius twice [m]."""
    body: str
    """That carries it."""
    radius: float = 0.0
    """Of a ball; of another shape that is as small as one, of the ball that its lowest
    corners are on, else half its thinnest side; zero of a sole and of what is not
    known [m]."""
    centre: Place = (0.0, 0.0, 0.0)
    """Of the ball, or of a sole the middle, in the body's frame [m]."""
    corners: tuple[Place, ...] = ()
    """Of a sole, in the body's frame, seen from above in turn [m]."""


def leg_feet(
    robot: RobotSpec, legs: tuple[FoundLimb, ...], pose: VecN, height: float
) -> tuple[FoundFoot, ...]:
    """Return what each leg stands on.

    Args:
        robot: any robot.
        legs: its legs.
        pose: in which it stands.
        height: of its base [m].
    """
    if not legs:
        return ()
    now = robot_in_pose(robot, pose)
    return tuple(_foot_of(now, leg, height) for leg in legs)


def _foot_of(now: Posed, leg: FoundLimb, height: float) -> FoundFoot:
    """Return what a leg stands on: its lowest shapes."""
    model = now.model
    own = now.shapes_of(list(leg.bodies))
    end = str(model.body(leg.tip).name)
    part = [b for b in leg.bodies if model.body_weldid[b] == model.body_weldid[leg.tip]]
    if not now.shapes_of(part) or now.is_lower_without_shape(leg.tip, own):
        return FoundFoot((), "unknown", (0.0, 0.0), end)
    ground = min(float(c[:, 2].min()) for c in own.values())
    level = ground + FLAT * height
    down = {
        g: c[c[:, 2] <= level] for g, c in own.items() if float(c[:, 2].min()) <= level
    }
    names = tuple(label_of(model, g) for g in down)
    lowest = min(down, key=lambda g: float(down[g][:, 2].min()))
    body = int(model.geom_bodyid[lowest])
    every = np.vstack(list(down.values()))
    along, across = (float(x) for x in np.ptp(every[:, :2], axis=0))
    name = str(model.body(body).name)
    if max(along, across) > LONG * height:
        ring = every[outermost(every, UP)]
        corners = tuple(_local(now, body, p) for p in ring)
        middle = _local(now, body, 0.5 * (ring.max(axis=0) + ring.min(axis=0)))
        return FoundFoot(
            names, "sole", (along, across), name, centre=middle, corners=corners
        )
    radius, centre = _ball_of(now, lowest, height)
    is_round = int(model.geom_type[lowest]) in ROUND and len(down) == 1
    size = (2.0 * radius, 2.0 * radius) if is_round else (along, across)
    return FoundFoot(
        names, "ball", size, name, radius=radius, centre=_local(now, body, centre)
    )


def _local(now: Posed, body: int, place: VecN) -> Place:
    """Return a place in a body's frame."""
    R_WB = now.data.xmat[body].reshape(3, 3)
    x, y, z = (float(v) for v in R_WB.T @ (np.asarray(place) - now.data.xpos[body]))
    return (x, y, z)


def _ball_of(now: Posed, geom: int, height: float) -> tuple[float, VecN]:
    """Return radius and middle of the ball with which a shape stands.

    Of a shape that is no ball, the one that its lowest corners are on; where they are
    on none, one as thick as its thinnest side, through its lowest point.
    """
    model, data = now.model, now.data
    if int(model.geom_type[geom]) in ROUND:
        found = balls_of(model, data, geom, UP)
        if found is not None:
            middles, radii = found
            best = int(np.argmin(middles[:, 2]))
            return float(radii[best]), np.array(middles[best])
    points = now.corners[geom]
    low = float(points[:, 2].min())
    fitted = _ball_through(points[points[:, 2] <= low + CAP * height])
    if fitted is not None and fitted[0] < 0.5 * LONG * height:
        radius, middle = fitted
        return radius, np.array([middle[0], middle[1], low + radius])
    bottom = points[points[:, 2] <= points[:, 2].min() + 1e-6].mean(axis=0)
    radius = 0.5 * _thickness(model, data, geom, points)
    return radius, bottom + radius * UP


def _ball_through(points: Array) -> tuple[float, VecN] | None:
    """Return radius and middle of the ball that points are on; None for none.

    By least squares of |p|² = 2 p·c + r² - |c|², which is linear in c and r² - |c|².
    """
    if len(points) < MOST_EXACT:
        return None
    rows = np.column_stack([2.0 * points, np.ones(len(points))])
    (*centre, rest), _, rank, _ = np.linalg.lstsq(rows, (points**2).sum(axis=1))
    squared = float(rest + np.dot(centre, centre))
    if rank < 4 or not squared > 0.0:
        return None
    radius, middle = float(np.sqrt(squared)), np.array(centre)
    off = np.linalg.norm(points - middle, axis=1) - radius
    return (radius, middle) if float(np.abs(off).mean()) < ROUNDED * radius else None


def _thickness(model: Any, data: Any, geom: int, points: Array) -> float:
    """Return the length of the thinnest side of a shape, in its own axes [m]."""
    R_WG = data.geom_xmat[geom].reshape(3, 3)
    if int(model.geom_type[geom]) == int(mujoco.mjtGeom.mjGEOM_MESH):
        return float(np.ptp(points @ R_WG, axis=0).min())
    return 2.0 * float(model.geom_size[geom][model.geom_size[geom] > 0.0].min())
