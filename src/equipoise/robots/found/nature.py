"""What a controller may not be able to deal with: wheels, loops, a base on rails."""

from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.robots.found.heights import Posed, robot_in_pose
from equipoise.robots.found.limbs import HINGE, SINGLE, FoundLimb
from equipoise.robots.robot_spec import RobotSpec
from equipoise.robots.scene.scene import robot_bodies

__all__ = [
    "TURNS",
    "base_motion",
    "coupled_joints",
    "driven_joints",
    "loops_of",
    "walking_heading",
    "wheels_of",
]

EVEN = 0.1  # share of its radius by which a wheel's lowest point may move as it turns
TURNS = 4.0 * np.pi  # range from which on a joint turns without end [rad]
ACROSS = 2.0  # times that knees turn more about x than about y where it walks along y
FEW = 3  # joints up to which a leg's last is its knee
LOOPS = (int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD))
OF_JOINTS = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))


def base_motion(robot: RobotSpec) -> str:
    """Return how a robot's base moves: "free", "fixed", "planar" or "guided".

    Args:
        robot: any robot.
    """
    model = robot.model
    root = int(model.body_rootid[model.body(robot.base).id])
    first, count = int(model.body_jntadr[root]), int(model.body_jntnum[root])
    kinds = [int(model.jnt_type[j]) for j in range(first, first + count)]
    if int(mujoco.mjtJoint.mjJNT_FREE) in kinds:
        return "free"
    if not kinds:
        return "fixed"
    slides = sum(kind in SINGLE and kind != HINGE for kind in kinds)
    return "planar" if (slides, len(kinds)) == (2, 3) else "guided"


def loops_of(robot: RobotSpec) -> tuple[str, ...]:
    """Return which bodies a file ties together beside its joints, a pair each.

    Args:
        robot: any robot.
    """
    model, found = robot.model, []
    own = robot_bodies(model, robot.base)
    is_body = int(mujoco.mjtObj.mjOBJ_BODY)
    for k in range(int(model.neq)):
        if int(model.eq_type[k]) not in LOOPS:
            continue
        pair = [int(model.eq_obj1id[k]), int(model.eq_obj2id[k])]
        if int(model.eq_objtype[k]) != is_body:
            pair = [int(model.site_bodyid[s]) for s in pair]
        if any(own[b] for b in pair):
            names = [str(model.body(b).name) or f"body {b}" for b in pair]
            found.append(" and ".join(f"'{name}'" for name in names))
    return tuple(dict.fromkeys(found))


def coupled_joints(robot: RobotSpec) -> tuple[str, ...]:
    """Return the joints that follow others, by equality constraints of the file.

    Args:
        robot: any robot.
    """
    model = robot.model
    return tuple(
        str(model.joint(int(model.eq_obj1id[k])).name)
        for k in range(int(model.neq))
        if int(model.eq_type[k]) == int(mujoco.mjtEq.mjEQ_JOINT)
    )


def driven_joints(model: Any) -> set[int]:
    """Return the joints that an actuator moves."""
    return {
        int(model.actuator_trnid[a, 0])
        for a in range(int(model.nu))
        if int(model.actuator_trntype[a]) in OF_JOINTS
    }


def wheels_of(
    robot: RobotSpec, legs: tuple[FoundLimb, ...], pose: VecN
) -> tuple[str, ...]:
    """Return the legs that end in a wheel: their last joint turns a round shape.

    A shape is round about the joint where its lowest point stays as low when it turns.

    Args:
        robot: any robot.
        legs: its legs.
        pose: in which it stands, (nq,).
    """
    model = robot.model
    now = robot_in_pose(robot, pose) if legs else None
    return tuple(
        leg.name
        for leg in legs
        if now is not None
        and int(model.jnt_type[leg.joints[-1]]) == HINGE
        and _is_wheel(robot, now, leg, pose)
    )


def _is_wheel(robot: RobotSpec, now: Posed, leg: FoundLimb, pose: VecN) -> bool:
    """Return whether a leg's last joint turns a shape that is round about it."""
    model, joint = robot.model, leg.joints[-1]
    weld = int(model.body_weldid[int(model.jnt_bodyid[joint])])
    part = [b for b in leg.bodies if int(model.body_weldid[b]) == weld]
    low = now.lowest(part)
    radius = float(now.data.xanchor[joint][2]) - low
    axis = np.abs(now.data.xaxis[joint])
    way = float(np.ptp(model.jnt_range[joint])) if model.jnt_limited[joint] else np.inf
    if way < TURNS:
        return False
    if not (np.isfinite(radius) and radius > 0.0) or axis[2] > 0.5:
        return False
    for turn in (0.8, 1.6, 2.4, 3.2):
        moved = np.array(pose)
        moved[model.jnt_qposadr[joint]] += turn
        if abs(robot_in_pose(robot, moved).lowest(part) - low) > EVEN * radius:
            return False
    return True


def walking_heading(
    robot: RobotSpec, base: str, legs: tuple[FoundLimb, ...], pose: VecN
) -> float:
    """Return which way a robot walks, from its base's x axis: 0 or a right angle [rad].

    Knees turn across the way it walks. Where they turn both ways it is x.

    Args:
        robot: any robot.
        base: off which its legs hang.
        legs: its legs.
        pose: in which it stands, (nq,).
    """
    knees = [leg.joints[-1] for leg in legs if len(leg.joints) <= FEW]
    knees = [j for j in knees if int(robot.model.jnt_type[j]) == HINGE]
    if not knees:
        return 0.0
    data = robot_in_pose(robot, pose).data
    R_WB = data.xmat[int(robot.model.body(base).id)].reshape(3, 3)
    x, y, _ = np.abs(data.xaxis[knees] @ R_WB).sum(axis=0)
    return 0.5 * float(np.pi) if x > ACROSS * y else 0.0
