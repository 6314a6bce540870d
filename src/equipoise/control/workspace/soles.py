"""Where a robot can press on the ground: the corners of its soles, from its shapes."""

from typing import Any

import mujoco
import numpy as np

from equipoise.control.workspace.tree import Tree
from equipoise.core.arrays import Array, Ints
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot

__all__ = ["as_it_stands", "sole_corners", "standing_pose"]

GEOM = mujoco.mjtGeom
FLAT = 1e-3  # corners this close to a foot's lowest belong to its sole [m]
SIGNS = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])


def standing_pose(robot: Robot, key: str = "set") -> Array:
    """Return the posture of a keyframe, else of ``start``, else the model's own."""
    model = robot.model
    for name in (key, "start"):
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, name)
        if number >= 0:
            return np.array(model.key_qpos[number])
    return np.array(model.qpos0)


def standing(robot: Robot) -> Any:
    """Return the engine's state in the posture at the set point."""
    data = mujoco.MjData(robot.model)
    data.qpos[:] = standing_pose(robot)
    mujoco.mj_kinematics(robot.model, data)
    mujoco.mj_comPos(robot.model, data)
    return data


def as_it_stands(robot: Robot, tree: Tree) -> tuple[Array, Array]:
    """Return the centre of mass, (3,), and each sole's upward normal, (nf, 3)."""
    data = standing(robot)
    bodies = [robot.model.body(link).id for link in tree.feet]
    up = [data.xmat[body].reshape(3, 3)[2] for body in bodies]
    base = robot.model.body(robot.base).id
    return np.array(data.subtree_com[base]), np.array(up)


def sole_corners(robot: Robot, tree: Tree) -> tuple[Ints, Array]:
    """Return each corner's foot, (nc,), and its place in that link's frame, (nc, 3).

    A sole is what of a foot's shapes is lowest while the robot stands.

    Raises:
        ConfigError: a foot of a shape without corners that are known.
    """
    model, data = robot.model, standing(robot)
    corners: list[Array] = []
    feet: list[int] = []
    for f, link in enumerate(tree.feet):
        body = model.body(link).id
        points = np.vstack(
            [
                lowest_of(model, data, model.geom(name).id, robot.name)
                for name in robot.feet
                if carries(model, body, int(model.geom(name).bodyid[0]))
            ]
        )
        sole = points[points[:, 2] < points[:, 2].min() + FLAT]
        R, p = data.xmat[body].reshape(3, 3), data.xpos[body]
        corners += [(point - p) @ R for point in sole]
        feet += [f] * len(sole)
    return np.array(feet, np.int64), np.array(corners)


def carries(model: Any, link: int, body: int) -> bool:
    """Say whether a body is a link, or welded to it."""
    while body > 0 and body != link and model.body_jntnum[body] == 0:
        body = int(model.body_parentid[body])
    return body == link


def lowest_of(model: Any, data: Any, geom: int, robot: str) -> Array:
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
            f"foot '{model.geom(geom).name}' is a {kind.name[7:].lower()}; "
            "soles are known of boxes, spheres and capsules"
        ],
    )
