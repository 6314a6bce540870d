"""The joints of a robot that is checked: held is an assumption, and this is about it.

Whether torques limit the contact forces is asked for; what share of their limits the
joints need to hold the stance, and which of them are posed beyond their range, is told
in every answer that can tell.
"""

import math
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.robots.stance.stance import Stance
from equipoise.runs.check.friction import StanceGrip
from equipoise.stability.region.torques import joint_torque_ranges
from equipoise.stability.region.torques import torque_limits as torque_limits_of
from equipoise.stability.rigid.torque_share import torque_share

__all__ = ["beyond_range", "joints_block", "torque_rows"]

SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
ROUNDING = 1e-6  # by which a joint at its limit may be beyond it [rad or m]


def torque_rows(
    robot: Robot, pose: VecN, stance: Stance, limit: bool | float, gravity: float
) -> dict[str, Any] | None:
    """Return what joint torques mean for the contact forces; None for no limit.

    Args:
        robot: whose joints they are.
        pose: (nq,), gravity along -z.
        stance: its contacts in that pose.
        limit: True for the model's own, a number for all [N m] or [N], False for none.
        gravity: [m/s²].

    Raises:
        ConfigError: there are no limits of its own.
    """
    if limit is False or not len(stance.points):
        return None
    model = robot.model
    ranges = joint_torque_ranges(model)
    if limit is not True:
        single = np.isin(model.jnt_type, SINGLE)
        ranges[model.jnt_dofadr[single]] = -limit, limit
    if not np.isfinite(ranges).any():
        problem = "it has no torque limits of its own; give one in N m for all joints"
        raise ConfigError(f"the check of '{robot.name}'", [problem])
    rows, bounds = torque_limits_of(
        model, pose, stance.points, stance.bodies, ranges, gravity
    )
    weight = stance.mass * gravity
    return {"weight": weight, "force_rows": rows, "force_bounds": bounds}


def joints_block(
    robot: Robot, pose: VecN, stance: Stance, grip: StanceGrip, gravity: float
) -> dict[str, Any]:
    """Return what is told about the joints of a stance.

    Args:
        robot: whose joints they are.
        pose: (nq,), gravity along -z.
        stance: its contacts in that pose.
        grip: friction of the contacts.
        gravity: [m/s²].
    """
    model = robot.model
    count = int(np.isin(model.jnt_type, SINGLE).sum())
    share = None
    ranges = joint_torque_ranges(model)
    if len(stance.points) and np.isfinite(ranges).any():
        rows, full = torque_limits_of(
            model, pose, stance.points, stance.bodies, ranges, gravity
        )
        none = np.where(np.isfinite(ranges), 0.0, ranges)
        slack = torque_limits_of(
            model, pose, stance.points, stance.bodies, none, gravity
        )[1]
        weight = stance.mass * gravity
        found = torque_share(
            stance.points,
            stance.normals,
            grip.most,
            stance.com,
            weight,
            rows,
            slack,
            full,
        )
        share = found if math.isfinite(found) else None
    return {
        "held": count,
        "torque_share": share,
        "beyond_range": beyond_range(robot, pose),
    }


def beyond_range(robot: Robot, pose: VecN) -> list[str]:
    """Return the joints that are posed beyond their range, one phrase each.

    Args:
        robot: whose joints they are.
        pose: (nq,).
    """
    model, found = robot.model, []
    for j in range(int(model.njnt)):
        if int(model.jnt_type[j]) not in SINGLE or not model.jnt_limited[j]:
            continue
        value = float(pose[int(model.jnt_qposadr[j])])
        low, high = (float(x) for x in model.jnt_range[j])
        if not low - ROUNDING <= value <= high + ROUNDING:
            name = model.joint(j).name or f"joint {j}"
            found.append(
                f"{name} is at {value:.4g}, its range is {low:.4g} to {high:.4g}"
            )
    return found
