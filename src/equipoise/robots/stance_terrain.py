"""Contacts with ground that is not level: slopes, steps and rubble of a model.

Ground is every shape that can collide and does not move. MuJoCo's own collisions say
where a robot touches it and which way the ground faces there.
"""

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import mujoco
import numpy as np

from equipoise.core.arrays import Vec3

__all__ = ["Touch", "ground_height", "has_terrain", "touches"]

LEVEL = 1.0 - 1e-9  # of the normal's vertical part: tilts below 5e-5 rad are none


class Touch(NamedTuple):
    """One point at which a shape touches the ground."""

    geom: int
    point: Vec3
    """In the world, (3,) [m]."""
    normal: Vec3
    """Unit, from the ground to the robot, (3,)."""
    distance: float
    """Between both, negative where they overlap [m]."""


def grounds(model: Any) -> list[int]:
    """Return the geoms that can collide and do not move."""
    fixed = model.body_weldid[model.geom_bodyid] == 0
    solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    return [int(g) for g in np.flatnonzero(fixed & solid)]


def is_level_plane(model: Any, data: Any, geom: int) -> bool:
    """Say whether a geom is a plane whose normal is up."""
    is_plane = int(model.geom_type[geom]) == int(mujoco.mjtGeom.mjGEOM_PLANE)
    return is_plane and float(data.geom_xmat[geom].reshape(3, 3)[2, 2]) > LEVEL


def ground_height(model: Any, data: Any) -> float | None:
    """Return the height of a level plane that the model has; None if it has none."""
    fixed = np.flatnonzero(model.body_weldid[model.geom_bodyid] == 0)
    for geom in fixed:
        if is_level_plane(model, data, int(geom)):
            return float(data.geom_xpos[geom, 2])
    return None


def has_terrain(model: Any, data: Any) -> bool:
    """Say whether a model has ground that is more than one level plane."""
    found = grounds(model)
    return len(found) > 1 or any(not is_level_plane(model, data, g) for g in found)


def touches(
    model: Any, data: Any, geoms: Sequence[int], tolerance: float
) -> list[Touch]:
    """Return where shapes touch the ground, nearer than a tolerance.

    Args:
        model: compiled; left as it is.
        data: with the kinematics of the pose.
        geoms: the shapes that may be feet.
        tolerance: [m].
    """
    near = copy.copy(model)
    near.geom_margin[:] = tolerance
    near.geom_gap[:] = 0.0
    off = mujoco.mjtDisableBit.mjDSBL_CONTACT, mujoco.mjtDisableBit.mjDSBL_MULTICCD
    near.opt.disableflags &= ~sum(int(bit) for bit in off)
    mujoco.mj_collision(near, data)
    ground, feet = set(grounds(model)), set(geoms)
    found: list[Touch] = []
    for k in range(int(data.ncon)):
        contact = data.contact[k]
        one, two = (int(g) for g in contact.geom)
        sign = 1.0 if one in ground else -1.0  # the frame points from one to two
        foot, other = (two, one) if one in ground else (one, two)
        if foot in feet and other in ground and contact.dist <= tolerance:
            normal = sign * np.array(contact.frame[:3])
            place = np.array(contact.pos)
            found.append(Touch(foot, place, normal, float(contact.dist)))
    return found
