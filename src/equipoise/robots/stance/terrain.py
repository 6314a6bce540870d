"""Contacts with ground that is more than one plane: boxes, steps, tables, rubble.

MuJoCo's own collisions say where a robot touches it and which way the ground faces
there; they know the file's contact bits, excludes and pairs.
"""

import copy
from collections.abc import Collection
from typing import Any, NamedTuple

import mujoco
import numpy as np

from equipoise.core.arrays import Vec3
from equipoise.robots.scene.scene import Scene

__all__ = ["Touch", "foreign_touch", "near_model", "touches"]


class Touch(NamedTuple):
    """One point at which a shape touches the ground."""

    geom: int
    point: Vec3
    """In the world, (3,) [m]."""
    normal: Vec3
    """Unit, from the ground to the robot, (3,)."""
    distance: float
    """Between both, negative where they overlap [m]."""
    ground: int = -1
    """The ground's shape; -1 where it is assumed."""


def near_model(model: Any, distance: float) -> Any:
    """Return a copy of a model whose collisions see shapes that are only near.

    Args:
        model: compiled; left as it is.
        distance: how near [m].
    """
    near = copy.copy(model)
    near.geom_margin[:] = distance  # of both shapes, so twice as near as is needed
    near.body_margin[:] = distance  # which MuJoCo 3 asks first, body by body
    near.geom_gap[:] = 0.0
    near.pair_margin[:] = distance
    near.pair_gap[:] = 0.0
    bits = mujoco.mjtDisableBit
    off = bits.mjDSBL_CONTACT, bits.mjDSBL_CONSTRAINT, bits.mjDSBL_MULTICCD
    near.opt.disableflags &= ~sum(int(bit) for bit in off)
    return near


def touches(scene: Scene, data: Any, tolerance: float) -> list[Touch]:
    """Return where the robot touches the ground, nearer than a tolerance.

    Args:
        scene: the robot's world.
        data: of ``scene.model``, with the kinematics of the pose.
        tolerance: [m].
    """
    near = near_model(scene.model, tolerance)
    found = contacts_between(near, data, scene.shapes, scene.ground)
    return [touch for touch in found if touch.distance <= tolerance]


def foreign_touch(scene: Scene, data: Any, tolerance: float) -> str | None:
    """Return the name of another moving body that touches the robot, or None.

    Args:
        scene: the robot's world.
        data: of ``scene.model``, with the kinematics of the pose.
        tolerance: [m].
    """
    if not scene.loose:
        return None
    near = near_model(scene.model, tolerance)
    model = scene.model
    own = np.flatnonzero(scene.bodies[model.geom_bodyid])
    for touch in contacts_between(near, data, {int(g) for g in own}, scene.loose):
        if touch.distance <= tolerance:
            return str(model.body(int(model.geom_bodyid[touch.ground])).name)
    return None


def contacts_between(
    near: Any, data: Any, shapes: Collection[int], others: Collection[int]
) -> list[Touch]:
    """Return the contacts between two sets of shapes; ``data`` is used up."""
    mujoco.mj_collision(near, data)
    mine, theirs = set(shapes), set(others)
    found: list[Touch] = []
    for k in range(int(data.ncon)):
        contact = data.contact[k]
        one, two = (int(g) for g in contact.geom)
        if one in theirs and two in mine:
            sign, foot, other = 1.0, two, one  # the frame points from one to two
        elif two in theirs and one in mine:
            sign, foot, other = -1.0, one, two
        else:
            continue
        normal = sign * np.array(contact.frame[:3])
        place = np.array(contact.pos)
        found.append(Touch(foot, place, normal, float(contact.dist), other))
    return found
