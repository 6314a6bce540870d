"""Where a robot can press on the ground: the corners of its soles, from its shapes."""

from typing import Any

import mujoco
import numpy as np

from equipoise.control.workspace.tree import LeggedTree
from equipoise.core.arrays import Array, Ints
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot

__all__ = ["as_it_stands", "keyframe_posture", "sole_corners"]

GEOM = mujoco.mjtGeom
FLAT = 1e-3  # corners this close to a foot's lowest belong to its sole [m]
SIGNS = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])


def keyframe_posture(robot: Robot, key: str = "set") -> Array:
    """Return the posture of a keyframe, else of ``start``, else the model's own."""
    model = robot.model
    for name in (key, "start"):
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, name)
        if number >= 0:
            return np.array(model.key_qpos[number])
    return np.array(model.qpos0)


def _standing(robot: Robot) -> Any:
    """Return the engine's state in the posture at the set point."""
    data = mujoco.MjData(robot.model)
    data.qpos[:] = keyframe_posture(robot)
    mujoco.mj_kinematics(robot.model, data)
    return data


def as_it_stands(
    robot: Robot, tree: LeggedTree, corner_foot: Ints, corner: Array
) -> tuple[Array, Array]:
    """Return the middle of each sole and its upward normal in its foot's frame.

    Args:
        robot: the robot, in the posture at its set point.
        tree: its links.
        corner_foot: (nc,) from ``sole_corners``.
        corner: (nc, 3).

    Returns:
        The middles in the world, (nf, 3) [m], and the normals, (nf, 3).
    """
    data = _standing(robot)
    centre, up = [], []
    for f, link in enumerate(tree.feet):
        body = robot.model.body(link).id
        R = data.xmat[body].reshape(3, 3)
        middle = corner[corner_foot == f].mean(axis=0)
        centre.append(data.xpos[body] + R @ middle)
        up.append(R[2])
    return np.array(centre), np.array(up)


def sole_corners(robot: Robot, tree: LeggedTree) -> tuple[Ints, Array]:
    """Return each corner's foot, (nc,), and its place in that link's frame, (nc, 3).

    A sole is what of a foot's shapes is lowest while the robot stands.

    Raises:
        ConfigError: a foot of a shape without corners that are known.
    """
    model, data = robot.model, _standing(robot)
    corners: list[Array] = []
    feet: list[int] = []
    for f, link in enumerate(tree.feet):
        body = model.body(link).id
        points = np.vstack(
            [
                _lowest_of(model, data, model.geom(name).id, robot.name)
                for name in robot.feet
                if _carries(model, body, int(model.geom(name).bodyid[0]))
            ]
        )
        sole = points[points[:, 2] < points[:, 2].min() + FLAT]
        R, p = data.xmat[body].reshape(3, 3), data.xpos[body]
        corners += [(point - p) @ R for point in sole]
        feet += [f] * len(sole)
    return np.array(feet, np.int64), np.array(corners)


def _carries(model: Any, link: int, body: int) -> bool:
    """Return whether a body is a link, or welded to it."""
    while body > 0 and body != link and model.body_jntnum[body] == 0:
        body = int(model.body_parentid[body])
    return body == link


def _lowest_of(model: Any, data: Any, geom: int, robot: str) -> Array:
    """Return the points on which a shape can stand, in the world, (n, 3)."""
    kind, size = GEOM(int(model.geom_type[geom])), model.geom_size[geom]
    R, p = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom]
    down = np.array([0.0, 0.0, -1.0])
    if kind == GEOM.mjGEOM_BOX:
        return p + (SIGNS * size) @ R.T
    if kind == GEOM.mjGEOM_SPHERE:
        return (p + size[0] * down)[None, :]
    if kind == GEOM.mjGEOM_CAPSULE:
        return np.array([p + e * size[1] * R[:, 2] + size[0] * down for e in (-1, 1)])
    raise ConfigError(
        f"robot '{robot}'",
        [
            f"foot '{model.geom(geom).name}' is of shape {kind.name[7:].lower()}; "
            "soles must be boxes, spheres or capsules"
        ],
    )
