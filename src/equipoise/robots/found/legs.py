"""Which limbs are legs: those that bear a robot in a pose, told by their geometry.

Legs end near one level below the centre of mass, which is over them; they begin high
enough to be more than fingers and casters; and the trunk is clear of the ground and
does not hang between them, as it does between arms. No name is looked at.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Vec3, VecN
from equipoise.robots.found.heights import Posed, robot_in_pose
from equipoise.robots.found.limbs import FoundLimb, called_apart, limbs_of
from equipoise.robots.robot_spec import RobotSpec
from equipoise.robots.stance.shapes import outermost

__all__ = ["Bearing", "bearing", "in_order"]

CLEAR = 0.25  # share of the height of the centre of mass that a trunk is off the ground
HANGING = 0.4  # share of the hips' height below which a trunk hangs between its limbs
ROOT = 0.35  # share of the height of the centre of mass from which on limbs are legs
AWAY = 0.5  # the same, that the centre of mass may be outside of the feet
ROW = 0.25  # share of the way from the first to the last leg within which is one row
NARROW = 0.1  # share of the height of the centre of mass that a row has at least
UP = np.array([0.0, 0.0, 1.0])


class Bearing(NamedTuple):
    """Limbs that carry a robot in a pose."""

    legs: tuple[FoundLimb, ...]
    height: float
    """Of the base over the lowest point [m]."""
    why_not: str = ""
    """Why there are no legs, in words."""


def bearing(robot: RobotSpec, base: str, pose: VecN) -> Bearing:
    """Return the limbs that bear a robot in a pose.

    Args:
        robot: any robot.
        base: body off which its legs hang.
        pose: of ``robot.model``, (nq,).
    """
    now = robot_in_pose(robot, pose)
    model, body = robot.model, int(robot.model.body(base).id)
    height = float(now.data.xpos[body][2]) - now.ground
    scale = float(now.com[2]) - now.ground
    if not scale > 0.0:
        return Bearing((), height, "its centre of mass is not above its lowest point")
    limbs = limbs_of(robot, body, now.heights)
    near = [limb for limb in limbs if now.heights.reaches(list(limb.bodies))]
    low = now.lowest([b for b in range(model.nbody) if _same_part(model, b, body)])
    if low < now.ground + CLEAR * scale:
        return Bearing((), height, "its base is on the ground, or nearly so")
    if len(near) < 2:
        count = "no limb reaches" if not near else f"only '{near[0].name}' reaches"
        return Bearing((), height, f"{count} the ground below its base")
    thin = next((limb for limb in near if len(limb.joints) < 2), None)
    if thin is not None:
        said = (
            f"the limb that reaches the ground has one joint ('{thin.name}') "
            "and is not a leg"
        )
        return Bearing((), height, said)
    hips = [float(now.heights.joints[limb.joints[0]]) - now.ground for limb in near]
    if min(hips) < ROOT * scale:
        said = f"'{near[int(np.argmin(hips))].name}' begins too close to the ground"
        return Bearing((), height, f"{said} to be a leg")
    if low < now.ground + HANGING * float(np.mean(hips)):
        return Bearing((), height, "its base hangs between its limbs, as between arms")
    near = [_tipped(now, limb) for limb in near]
    places = np.array([now.end_place(limb.tip, limb.bodies) for limb in near])
    off = _distance_outside(places[:, :2], now.com[:2])
    if off > AWAY * scale:
        said = (
            f"its centre of mass is {off:.2f} m outside the parts that reach the ground"
        )
        return Bearing((), height, said)
    return Bearing(tuple(called_apart(model, near)), height)


def _same_part(model: object, one: int, other: int) -> bool:
    """Return whether two bodies are fixed to each other."""
    weld = model.body_weldid  # type: ignore[attr-defined]
    return int(weld[one]) == int(weld[other])


def _tipped(now: Posed, limb: FoundLimb) -> FoundLimb:
    """Return a limb that ends at the body with its lowest shape, or lowest of all."""
    last = [b for b in limb.bodies if _same_part(now.model, b, limb.tip)]
    best = min(last, key=lambda b: (now.heights.lows[b], float(now.data.xpos[b][2])))
    return replace(limb, tip=best)


def _distance_outside(points: VecN, place: VecN) -> float:
    """Return how far a place is outside of the outline of some points, 0 inside [m]."""
    corners = np.column_stack([points, np.zeros(len(points))])
    ring = points[outermost(corners, UP)] if len(points) > 2 else points
    middle = ring.mean(axis=0)
    turns = np.arctan2(*(ring - middle).T[::-1])
    ring = ring[np.argsort(turns)]
    best, is_inside = np.inf, len(ring) > 2
    for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        along, from_a = b - a, place - a
        size = float(along @ along)
        share = min(max(float(from_a @ along) / size, 0.0), 1.0) if size > 0.0 else 0.0
        best = min(best, float(np.linalg.norm(from_a - share * along)))
        is_inside &= bool(along[0] * from_a[1] - along[1] * from_a[0] >= 0.0)
    return 0.0 if is_inside else best


def in_order(
    robot: RobotSpec, base: str, legs: tuple[FoundLimb, ...], pose: VecN, heading: float
) -> tuple[FoundLimb, ...]:
    """Return legs from front to rear, left before right, as their base sees them.

    Args:
        robot: any robot.
        base: body off which they hang.
        legs: to be sorted.
        pose: in which it stands, (nq,).
        heading: which way it walks, from its base's x axis [rad].
    """
    if not legs:
        return legs
    now = robot_in_pose(robot, pose)
    body = int(robot.model.body(base).id)
    R_WB = now.data.xmat[body].reshape(3, 3)
    forward = np.array([np.cos(heading), np.sin(heading), 0.0])
    aside = np.array([-np.sin(heading), np.cos(heading), 0.0])
    places: dict[FoundLimb, Vec3] = {
        leg: R_WB.T @ (now.end_place(leg.tip, leg.bodies) - now.data.xpos[body])
        for leg in legs
    }
    ahead = {leg: float(place @ forward) for leg, place in places.items()}
    scale = float(now.com[2]) - now.ground
    row = max(ROW * float(np.ptp(list(ahead.values()))), NARROW * scale)
    return tuple(
        sorted(
            legs,
            key=lambda leg: (-round(ahead[leg] / row), -float(places[leg] @ aside)),
        )
    )
