"""Which limbs are legs, and what each stands on: a ball, or a sole."""

from dataclasses import dataclass
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.robots.found.limbs import FoundLimb
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene, scene_of
from equipoise.robots.stance.stance import label_of, shape_corners

__all__ = ["FoundFoot", "feet_of", "standing_limbs"]

CLEAR = 0.25  # share of its height that a trunk on legs is off the ground
LOW = 0.15  # share of the robot's height within which a limb reaches the ground
FLAT = 0.01  # share of the height within which corners of a sole are level
LONG = 0.15  # share of the height from which on a foot is a sole, not a ball
SPHERE = int(mujoco.mjtGeom.mjGEOM_SPHERE)
UP = np.array([0.0, 0.0, 1.0])


@final
@dataclass(frozen=True)
class FoundFoot:
    """What a leg stands on."""

    shapes: tuple[str, ...]
    """By name, or body and number; empty where no shape is known."""
    kind: str
    """"ball", "sole", or "unknown"."""
    size: tuple[float, float]
    """Along and across the robot; of a ball its radius twice [m]."""
    body: str
    """That carries it."""


def standing_limbs(
    robot: Robot, limbs: tuple[FoundLimb, ...], pose: VecN
) -> tuple[tuple[FoundLimb, ...], float]:
    """Return the limbs that reach the ground in a pose, and the robot's height [m].

    They are sorted from front to rear, left before right. The height is that of the
    base over the lowest point.

    Args:
        robot: any robot.
        limbs: what hangs off its base.
        pose: of ``robot.model``.
    """
    scene, data = posed(robot, pose)
    corners = shape_corners(scene, data, UP)
    lows = {limb: lowest(scene, data, corners, limb) for limb in limbs}
    if not lows:
        return (), 0.0
    ground = min(lows.values())
    base = float(data.body(robot.base).xpos[2])
    height = base - ground
    own = trunk_low(robot, scene, corners)
    if height <= 0.0 or own < ground + CLEAR * height:
        return (), height  # it lies or stands on its base
    near = [limb for limb, low in lows.items() if low <= ground + LOW * height]
    if len(near) < 2 or any(len(limb.joints) < 2 for limb in near):
        return (), height  # an arm that hangs, wheels, grippers
    places = {limb: np.array(data.xpos[limb.bodies[-1]]) for limb in near}
    across = np.ptp([p[0] for p in places.values()]) if near else 0.0
    row = max(0.25 * float(across), 1e-3)
    order = sorted(
        near, key=lambda limb: (-round(places[limb][0] / row), -places[limb][1])
    )
    return tuple(order), height


def trunk_low(robot: Robot, scene: Scene, corners: dict[int, Array | None]) -> float:
    """Return the height of the lowest point of the base and what is fixed to it [m]."""
    model = scene.model
    weld = int(model.body_weldid[model.body(robot.base).id])
    return min(
        (
            float(c[:, 2].min())
            for g, c in corners.items()
            if c is not None and int(model.body_weldid[model.geom_bodyid[g]]) == weld
        ),
        default=np.inf,
    )


def posed(robot: Robot, pose: VecN) -> tuple[Scene, Any]:
    """Return a robot's world with its kinematics in a pose."""
    scene = scene_of(robot)
    return scene, scene.posed(robot, pose)


def lowest(
    scene: Scene, data: Any, corners: dict[int, Array | None], limb: FoundLimb
) -> float:
    """Return the height of a limb's lowest known point [m]."""
    bodies = set(limb.bodies)
    model = scene.model
    tops = [
        float(c[:, 2].min())
        for g, c in corners.items()
        if c is not None and int(model.geom_bodyid[g]) in bodies
    ]
    return min([*tops, float(data.xpos[limb.bodies[-1]][2])])


def feet_of(
    robot: Robot, legs: tuple[FoundLimb, ...], pose: VecN, height: float
) -> tuple[FoundFoot, ...]:
    """Return what each leg stands on.

    Args:
        robot: any robot.
        legs: its legs.
        pose: in which it stands.
        height: of its base [m].
    """
    scene, data = posed(robot, pose)
    corners = shape_corners(scene, data, UP)
    return tuple(foot_of(scene, corners, leg, height) for leg in legs)


def foot_of(
    scene: Scene, corners: dict[int, Array | None], leg: FoundLimb, height: float
) -> FoundFoot:
    """Return what a leg stands on: its lowest shapes."""
    model = scene.model
    own = {
        g: c
        for g, c in corners.items()
        if c is not None and int(model.geom_bodyid[g]) in set(leg.bodies)
    }
    end = str(model.body(leg.bodies[-1]).name)
    if not own:
        return FoundFoot((), "unknown", (0.0, 0.0), end)
    ground = min(float(c[:, 2].min()) for c in own.values())
    down = {
        g: c[c[:, 2] <= ground + FLAT * height]
        for g, c in own.items()
        if float(c[:, 2].min()) <= ground + FLAT * height
    }
    names = tuple(label_of(model, g) for g in down)
    body = str(model.body(int(model.geom_bodyid[next(iter(down))])).name)
    if len(down) == 1 and int(model.geom_type[next(iter(down))]) == SPHERE:
        radius = float(model.geom_size[next(iter(down)), 0])
        return FoundFoot(names, "ball", (2.0 * radius, 2.0 * radius), body)
    every = np.vstack(list(down.values()))
    along, across = (float(x) for x in np.ptp(every[:, :2], axis=0))
    kind = "sole" if max(along, across) > LONG * height else "ball"
    return FoundFoot(names, kind, (along, across), body)
