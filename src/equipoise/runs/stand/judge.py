"""What a standing run says in numbers: errors, heels, slip, rest, from recorded arrays.

A foot's heel is the end of its sole that is nearer to its ankle. A corner touches the
ground when it is at height zero or below.
"""

from dataclasses import dataclass
from typing import NamedTuple

import mujoco
import numpy as np

from equipoise.control.workspace.layout import legged_tree
from equipoise.control.workspace.soles import keyframe_posture, sole_corners
from equipoise.core.arrays import Array, Vec3
from equipoise.robots.robot import Robot
from equipoise.sim.soles import SoleLog

__all__ = [
    "Soles",
    "base_errors",
    "base_place",
    "end_heights",
    "heel_events",
    "largest_slip",
    "rotated_vectors",
    "set_place",
    "soles_of",
    "trunk_centre",
]

RISEN = 1e-3
"""Height from which a heel has risen [m]."""
LOADED = 1.0
"""Force from which a foot carries load [N]."""


@dataclass(frozen=True)
class Soles:
    """Corners of each foot's sole in the foot's frame, split into heel and toe."""

    names: tuple[str, ...]
    heel: tuple[Array, ...]
    """(n, 3) a foot [m]."""
    toe: tuple[Array, ...]


class HeelEvents(NamedTuple):
    """Events of the heels, each after its first contact with the ground."""

    lift: float
    """Largest height [m]; 0 if none ever touched, or none rose again."""
    recontact: float | None
    """Time of the last touch of a heel that had risen above 1 mm [s]."""
    by_foot: tuple[float | None, ...]
    """The same for each foot [s]."""


def soles_of(robot: Robot) -> Soles:
    """Return the soles of a robot that stands."""
    tree = legged_tree(robot)
    foot, corner = sole_corners(robot, tree)
    heels, toes = list[Array](), list[Array]()
    for k in range(len(tree.feet)):
        own = corner[foot == k]
        middle = own.mean(axis=0)
        ankle = tree.arrays.joints[tree.leg(k)[-1]].anchor - middle
        normal = np.linalg.svd(own - middle)[2][-1]  # of the sole
        behind = (own - middle) @ (ankle - (ankle @ normal) * normal)
        has_ends = bool((behind > 0.0).any() and (behind < 0.0).any())
        heels.append(own[behind > 0.0] if has_ends else own)
        toes.append(own[behind < 0.0] if has_ends else own)
    return Soles(tree.feet, tuple(heels), tuple(toes))


def end_heights(log: SoleLog, ends: tuple[Array, ...]) -> Array:
    """Return the height of each foot's heel or toe, its lowest corner, (nt, nf) [m]."""
    return np.stack(
        [
            (log.place[:, k, None, 2] + log.turn[:, k, 2] @ own.T).min(axis=1)
            for k, own in enumerate(ends)
        ],
        axis=1,
    )


def heel_events(time: Array, height: Array) -> HeelEvents:
    """Return what the heels did after first contact.

    Args:
        time: of each row, (nt,) [s].
        height: of each heel, (nt, nf) [m].
    """
    lift, by_foot = 0.0, list[float | None]()
    for k in range(height.shape[1]):
        touched = np.flatnonzero(height[:, k] <= 0.0)
        last = None
        if touched.size:
            z = height[touched[0] :, k]
            lift = max(lift, float(np.nanmax(z)))
            has_risen = False
            for t, h in zip(time[touched[0] :], z, strict=True):
                if h > RISEN:
                    has_risen = True
                elif has_risen and h <= 0.0:
                    last, has_risen = float(t), False
        by_foot.append(last)
    found = [t for t in by_foot if t is not None]
    return HeelEvents(lift, max(found) if found else None, tuple(by_foot))


def largest_slip(log: SoleLog) -> float:
    """Return the largest horizontal travel of a foot while it carries load [m].

    The travel is that of the foot's material at the centre of pressure, so a foot that
    turns about its toe does not slip; it starts anew when the foot has been lifted.
    """
    largest = 0.0
    for k in range(log.rows.shape[1]):
        p, R, cop = log.place[:, k], log.turn[:, k], log.cop[:, k]
        is_loaded = log.force[:, k, 2] > LOADED
        moved = (p[1:] - p[:-1]) + np.einsum("tij,tj->ti", R[1:] - R[:-1], cop[:-1])
        is_standing = is_loaded[1:] & is_loaded[:-1]
        path = np.cumsum(np.where(is_standing[:, None], moved[:, :2], 0.0), axis=0)
        number = np.arange(len(path))
        since = np.maximum.accumulate(np.where(is_standing, -1, number))
        travel = np.where(since[:, None] < 0, path, path - path[since])
        largest = max(largest, float(np.linalg.norm(travel, axis=1).max(initial=0.0)))
    return largest


def base_place(robot: Robot, q: Array) -> tuple[Array, Array]:
    """Return the base's centre of mass, (nt, 3) [m], and quaternion, (nt, 4), w first.

    Args:
        robot: free in space.
        q: poses in MuJoCo's layout, (nt, at least nq).
    """
    model = robot.model
    body = model.body(robot.base).id
    at = int(model.jnt_qposadr[model.body_jntadr[body]])
    quat = q[:, at + 3 : at + 7]
    return q[:, at : at + 3] + rotated_vectors(quat, trunk_centre(robot)), quat


def trunk_centre(robot: Robot) -> Vec3:
    """Return the centre of mass of the base and all that is fixed to it, in its frame.

    Args:
        robot: free in space, with feet.
    """
    return np.array(legged_tree(robot).arrays.links[0].com)


def set_place(robot: Robot) -> tuple[Array, Array]:
    """Return the base's set place, (3,) [m], and quaternion, (4,).

    Args:
        robot: free in space, with feet.
    """
    place, quat = base_place(robot, keyframe_posture(robot)[None])
    return place[0], quat[0]


def rotated_vectors(quat: Array, p: Vec3) -> Array:
    """Return a vector turned by many quaternions, (n, 3)."""
    out = np.empty((len(quat), 3))
    for k, one in enumerate(quat):
        mujoco.mju_rotVecQuat(out[k], np.asarray(p, np.float64), one)
    return out


def base_errors(place: Array, quat: Array, aim: Array) -> tuple[Array, Array]:
    """Return distance [m] and angle [rad] from the aim, (nt,) each.

    Args:
        place: of the base's centre of mass, (nt, 3) [m].
        quat: its orientation, (nt, 4), w first.
        aim: place and quaternion wanted at each time, (nt, 7).
    """
    distance = np.linalg.norm(place - aim[:, :3], axis=1)
    w, u, s, v = quat[:, 0], quat[:, 1:], aim[:, 3], aim[:, 4:]
    real = s * w + np.einsum("ti,ti->t", u, v)
    vector = s[:, None] * u - w[:, None] * v - np.cross(v, u)
    return distance, 2.0 * np.arctan2(np.linalg.norm(vector, axis=1), np.abs(real))
