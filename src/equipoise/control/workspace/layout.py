"""From a robot's model to its links, joints and feet.

Bodies that cannot move against their inboard body are melted into it. A foot is the
link that carries geoms on which the robot stands. The recursions take joints without
rotors, damping and friction; laws that find accelerations add what these take.
"""

from functools import lru_cache
from typing import Any

import mujoco
import numpy as np

from equipoise.control.workspace.tree import (
    LeggedTree,
    TreeArrays,
    TreeJoint,
    TreeLink,
)
from equipoise.core.arrays import Array, Ints
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.records import Records
from equipoise.robots.robot import Robot

__all__ = ["legged_tree"]

FREE = int(mujoco.mjtJoint.mjJNT_FREE)
HINGE = int(mujoco.mjtJoint.mjJNT_HINGE)
SLIDE = int(mujoco.mjtJoint.mjJNT_SLIDE)
FEWEST_LEG_JOINTS = 6  # fewer cannot carry every wrench to the central body


@lru_cache(maxsize=64)
def legged_tree(robot: Robot) -> LeggedTree:
    """Return a robot's links, joints and feet.

    Args:
        robot: free in space, with geoms on which it stands named in ``feet``.

    Raises:
        UnknownNameError: its base is not one of its bodies.
        ConfigError: its base is fixed, it has fewer than two feet, a joint that turns
            about more than one axis, or a leg that cannot carry the body; or gravity
            does not point down.
    """
    model, where = robot.model, f"robot '{robot.name}'"
    base = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, robot.base)
    if base < 0:
        bodies = (model.body(b).name for b in range(1, model.nbody))
        raise UnknownNameError("body", robot.base, bodies, where)
    _expect_free(model, base, where)
    if np.any(model.opt.gravity[:2] != 0.0):
        gravity = model.opt.gravity.tolist()
        problem = f"gravity must point along -z, got {gravity}; turn the ground instead"
        raise ConfigError(where, [problem])
    bodies, home, X = _gathered_links(model, base)
    number = {body: k for k, body in enumerate(bodies)}
    joints = [j for body in bodies[1:] for j in _joints_of(model, body, where)]
    feet = _foot_links(model, robot, home, number, where)
    arrays = TreeArrays(
        links=_tree_links(model, bodies, home, X, feet),
        joints=_tree_joints(model, joints),
        foot=np.array(feet, np.int64),
        gravity=float(-model.opt.gravity[2]),
    )
    tree = LeggedTree(tuple(model.body(b).name for b in bodies), arrays)
    _expect_legs(tree, where)
    return tree


def _tree_links(
    model: Any,
    bodies: list[int],
    home: dict[int, int],
    X: dict[int, tuple[Array, Array]],
    feet: list[int],
) -> Records[TreeLink]:
    """Return the links, of which the bodies that move are the frames."""
    links = TreeLink.zeros(len(bodies))
    number = {body: k for k, body in enumerate(bodies)}
    mass, com, inertia = _melted_masses(model, bodies, home, X)
    inboard = [-1] + [number[home[int(model.body_parentid[b])]] for b in bodies[1:]]
    counts = _carriers(inboard, feet)
    end = 0
    for k, body in enumerate(bodies):
        link, first = links[k], end
        end += int(model.body_jntnum[body]) if k > 0 else 0
        link.inboard, link.first, link.end = inboard[k], first, end
        link.R_IL[:], link.p_IL[:] = _placed_in(model, X, body)
        link.mass, link.com[:], link.inertia[:] = mass[k], com[k], inertia[k]
        link.foot = feet.index(k) if k in feet else -1
        link.carriers = counts[k]
    return links


def _tree_joints(model: Any, numbers: list[int]) -> Records[TreeJoint]:
    """Return the joints of these numbers and their motors."""
    joints = TreeJoint.zeros(len(numbers))
    actuator, gear = _drives(model, numbers)
    for k, j in enumerate(numbers):
        joint = joints[k]
        joint.is_slide = int(model.jnt_type[j] == SLIDE)
        joint.axis[:], joint.anchor[:] = model.jnt_axis[j], model.jnt_pos[j]
        joint.reference = model.qpos0[model.jnt_qposadr[j]]
        joint.q_address, joint.v_address = model.jnt_qposadr[j], model.jnt_dofadr[j]
        joint.actuator, joint.gear = actuator[k], gear[k]
        at = int(model.jnt_dofadr[j])
        joint.armature, joint.damping = model.dof_armature[at], model.dof_damping[at]
        joint.friction = model.dof_frictionloss[at]
    return joints


def _expect_free(model: Any, base: int, where: str) -> None:
    """Refuse a robot whose central body cannot move freely."""
    first = int(model.body_jntadr[base])
    is_free = first >= 0 and int(model.jnt_type[first]) == FREE
    if not is_free or int(model.body_parentid[base]) != 0:
        raise ConfigError(
            where,
            [
                f"its base '{model.body(base).name}' is not free in space; "
                "a balance controller needs a body on a free joint"
            ],
        )


def _gathered_links(
    model: Any, base: int
) -> tuple[list[int], dict[int, int], dict[int, tuple[Array, Array]]]:
    """Return moving bodies, each body's link, and its place in that link."""
    links, home = [base], {base: base}
    X: dict[int, tuple[Array, Array]] = {base: (np.eye(3), np.zeros(3))}
    for body in range(base + 1, model.nbody):
        parent = int(model.body_parentid[body])
        if parent not in home:
            continue
        if model.body_jntnum[body] > 0:
            links.append(body)
            home[body], X[body] = body, (np.eye(3), np.zeros(3))
        else:
            R, p = _placed_in(model, X, body)
            home[body], X[body] = home[parent], (R, p)
    return links, home, X


def _placed_in(
    model: Any, X: dict[int, tuple[Array, Array]], body: int
) -> tuple[Array, Array]:
    """Return a body's frame at zero in the frame of the link that carries it."""
    parent = int(model.body_parentid[body])
    R_own = _rotation(model.body_quat[body])
    if parent not in X:
        return R_own, np.array(model.body_pos[body])
    R, p = X[parent]
    return R @ R_own, p + R @ np.asarray(model.body_pos[body])


def _rotation(quat: Array) -> Array:
    """Return the matrix of a quaternion, w first."""
    flat = np.zeros(9)
    mujoco.mju_quat2Mat(flat, np.asarray(quat, np.float64))
    return flat.reshape(3, 3)


def _melted_masses(
    model: Any,
    links: list[int],
    home: dict[int, int],
    X: dict[int, tuple[Array, Array]],
) -> tuple[Array, Array, Array]:
    """Return the links' masses, centres and inertias, welded bodies included."""
    mass, com = np.zeros(len(links)), np.zeros((len(links), 3))
    inertia = np.zeros((len(links), 3, 3))
    for k, link in enumerate(links):
        own = [b for b in home if home[b] == link]
        places = [X[b][1] + X[b][0] @ np.asarray(model.body_ipos[b]) for b in own]
        weights = [float(model.body_mass[b]) for b in own]
        mass[k] = sum(weights)
        if mass[k] > 0.0:
            com[k] = np.average(places, axis=0, weights=weights)
        for body, place, weight in zip(own, places, weights, strict=True):
            R = X[body][0] @ _rotation(model.body_iquat[body])
            d = place - com[k]
            inertia[k] += R @ np.diag(model.body_inertia[body]) @ R.T
            inertia[k] += weight * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, com, inertia


def _joints_of(model: Any, body: int, where: str) -> list[int]:
    """Return a body's joints, or say that one is of a kind that is not meant."""
    first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
    joints = list(range(first, first + count))
    for j in joints:
        if int(model.jnt_type[j]) not in (HINGE, SLIDE):
            raise ConfigError(
                where,
                [
                    f"joint '{model.joint(j).name}' is neither a hinge nor a slide; "
                    "write it as hinges one after the other"
                ],
            )
    return joints


def _drives(model: Any, joints: list[int]) -> tuple[Ints, Array]:
    """Return which actuator drives each joint and by what gear."""
    actuator, gear = np.full(len(joints), -1, np.int64), np.ones(len(joints))
    place = {j: k for k, j in enumerate(joints)}
    for a in range(model.nu):
        j = int(model.actuator_trnid[a, 0])
        if j in place and int(model.actuator_trntype[a]) == 0:
            actuator[place[j]] = a
            gear[place[j]] = float(model.actuator_gear[a, 0])
    return actuator, gear


def _foot_links(
    model: Any,
    robot: Robot,
    home: dict[int, int],
    number: dict[int, int],
    where: str,
) -> list[int]:
    """Return the links that stand, in the order in which the robot names its feet."""
    known = {model.geom(g).name for g in range(model.ngeom)}
    feet: list[int] = []
    for name in robot.feet:
        if name not in known:
            raise ConfigError(where, [f"foot '{name}' is not one of its geoms"])
        body = int(model.geom_bodyid[model.geom(name).id])
        if body not in home:
            problem = f"foot '{name}' is not carried by its base '{robot.base}'"
            raise ConfigError(where, [problem])
        if number[home[body]] not in feet:
            feet.append(number[home[body]])
    if len(feet) < 2:
        raise ConfigError(
            where, [f"it needs two feet or more to stand on, it names {len(feet)}"]
        )
    return feet


def _carriers(inboard: list[int], feet: list[int]) -> Ints:
    """Return how many outboard links of each link lead to a foot."""
    count = np.zeros(len(inboard), np.int64)
    for k in range(len(inboard) - 1, 0, -1):
        if k in feet or count[k] > 0:
            count[inboard[k]] += 1
    return count


def _expect_legs(tree: LeggedTree, where: str) -> None:
    """Refuse legs that cannot hold what they carry against every push.

    Six joints are needed up to the first link where legs meet: there a leg with fewer
    would hold the others fast.
    """
    problems = []
    links = tree.arrays.links
    for link in tree.arrays.foot:
        count, inner = 0, int(link)
        while inner > 0 and (inner == link or links[inner].carriers < 2):
            count += int(links[inner].end - links[inner].first)
            inner = int(links[inner].inboard)
        if count < FEWEST_LEG_JOINTS:
            problems.append(
                f"the leg to '{tree.names[link]}' has {count} joints below "
                f"'{tree.names[inner]}', and its feet cannot carry it in every "
                f"direction with fewer than {FEWEST_LEG_JOINTS}"
            )
    if problems:
        raise ConfigError(where, problems)
