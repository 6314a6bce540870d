"""A file's specification, rewritten so that balance laws and simulation can use it."""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from equipoise.core.constants import GRAVITY
from equipoise.robots.found.description import Found
from equipoise.robots.found.limits import JointDrive
from equipoise.robots.robot import Robot
from equipoise.robots.standing.soles import FoundSole

__all__ = [
    "TARGET",
    "add_motors",
    "add_soles",
    "add_target",
    "leg_bodies",
    "strip",
    "touch_only_others",
]

BALL = 0.004  # radius of a ball at a sole's corner, share of the robot's height
TARGET = 0.1  # half the side of a cube to be hit, share of the robot's height
SOLE_COLOUR = (0.25, 0.30, 0.38, 1.0)
DEFAULTS = mujoco.MjSpec().option
OPTIONS = tuple(name for name in dir(DEFAULTS) if not name.startswith("_"))


def strip(spec: mujoco.MjSpec) -> None:
    """Take away what the file would do by itself: actuators, poses, options.

    Args:
        spec: of the robot, changed.
    """
    for things in (
        spec.keys,
        spec.actuators,
        spec.sensors,
        spec.pairs,
        spec.excludes,
        spec.equalities,
        spec.tendons,
    ):
        for thing in list(things):
            spec.delete(thing)
    for name in OPTIONS:
        setattr(spec.option, name, getattr(DEFAULTS, name))
    spec.option.gravity = [0.0, 0.0, -GRAVITY]


def leg_bodies(model: Any, found: Found) -> set[str]:
    """Return the bodies that the legs' joints move, by name.

    Args:
        model: of the robot.
        found: its legs.
    """
    first = {int(model.jnt_bodyid[model.joint(leg.joints[0]).id]) for leg in found.legs}
    legs: set[int] = set()
    for body in range(1, model.nbody):
        if body in first or int(model.body_parentid[body]) in legs:
            legs.add(body)
    return {str(model.body(body).name) for body in legs}


def touch_only_others(spec: mujoco.MjSpec, legs: set[str]) -> tuple[int, bool]:
    """Let the trunk be hit, nothing of the robot touch itself, and drop the scenery.

    Args:
        spec: of the robot, changed.
        legs: bodies that nothing hits, by name.

    Returns:
        How many shapes of the file stand still and were left out, and whether the trunk
        has a shape.
    """
    still, has_shape = 0, False
    for geom in list(spec.geoms):
        body = geom.parent
        is_solid = bool(geom.contype or geom.conaffinity)
        if not _is_carried(body):
            still += int(is_solid)
            spec.delete(geom)
            continue
        is_hit = is_solid and body.name not in legs
        geom.contype, geom.conaffinity = 0, int(is_hit)
        geom.condim, geom.priority, geom.margin, geom.gap = 3, 0, 0.0, 0.0
        has_shape = has_shape or is_hit
    return still, has_shape


def add_target(spec: mujoco.MjSpec, robot: Robot, height: float) -> None:
    """Give a trunk without shapes one that can be hit.

    Args:
        spec: of the robot, changed.
        robot: before that.
        height: of its base [m].
    """
    body = robot.model.body(robot.base).id
    spec.body(robot.base).add_geom(
        name=_unused(spec, "target"),
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[TARGET * height] * 3,
        pos=robot.model.body_ipos[body],
        mass=0.0,
        contype=0,
        conaffinity=1,
        rgba=SOLE_COLOUR,
    )


def _unused(spec: mujoco.MjSpec, name: str) -> str:
    """Return a name that no shape has."""
    taken = {geom.name for geom in spec.geoms}
    while name in taken:
        name += "_"
    return name


def _is_carried(body: Any) -> bool:
    """Return whether a body, or one that carries it, has a joint."""
    while body is not None and body.name != "world":
        if body.joints:
            return True
        body = body.parent
    return False


def add_soles(
    spec: mujoco.MjSpec, found: Found, soles: Sequence[FoundSole]
) -> tuple[str, ...]:
    """Add balls whose lowest points are the soles' corners; return their names.

    Args:
        spec: of the robot, changed.
        found: its legs.
        soles: one a leg.
    """
    radius, names = BALL * found.height, []
    for leg, sole in zip(found.legs, soles, strict=True):
        body = spec.body(sole.link)
        middle = sole.corners.mean(axis=0)
        up = np.linalg.svd(sole.corners - middle)[2][-1]
        ankle = -middle  # the link's origin is above its sole, or else beside it
        up = up if up @ ankle >= 0.0 else -up
        for k, corner in enumerate(sole.corners):
            names.append(_unused(spec, f"{leg.name}_sole{k}"))
            body.add_geom(
                name=names[-1],
                type=mujoco.mjtGeom.mjGEOM_SPHERE,
                size=[radius, 0.0, 0.0],
                pos=corner + radius * up,
                mass=0.0,
                contype=0,
                conaffinity=1,
                rgba=SOLE_COLOUR,
            )
    return tuple(names)


def add_motors(spec: mujoco.MjSpec, drives: Sequence[JointDrive]) -> None:
    """Add a motor a joint with the limits of its drive.

    Args:
        spec: of the robot, changed.
        drives: one a joint.
    """
    for drive in drives:
        spec.joint(drive.joint).actfrclimited = mujoco.mjtLimited.mjLIMITED_FALSE
        motor = spec.add_actuator(name=drive.joint, target=drive.joint)
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
        motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
        motor.ctrlrange = [-drive.torque, drive.torque]
