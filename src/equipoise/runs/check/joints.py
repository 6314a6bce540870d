"""The joints of a robot that is checked: held is an assumption, and this is about it.

Whether torques limit the contact forces is asked for; what share of their limits the
joints need to hold the stance, and which of them are posed beyond their range, is told
in every answer that can tell.
"""

import math
from typing import Any, NamedTuple

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import robot_bodies
from equipoise.robots.scene.self_contact import SelfPush, self_push
from equipoise.robots.stance.stance import Stance
from equipoise.runs.check.friction import StanceGrip
from equipoise.stability.region.torques import joint_torque_ranges
from equipoise.stability.region.torques import torque_limits as torque_limits_of
from equipoise.stability.rigid.torque_share import torque_share

__all__ = [
    "ENOUGH",
    "SAFE_SHARE",
    "TorqueShares",
    "beyond_range",
    "joints_block",
    "torque_rows",
    "torque_shares",
    "without_effort",
]

DISABLE = mujoco.mjtDisableBit
SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
SAFE_SHARE = 0.3
"""Share of their torque limits below which joints are strong enough even where soft
contacts let the robot lean by a degree."""
ENOUGH = 0.95
"""Share of their torque that motors which hold a robot need at most: a controller sags
by a hundredth of the robot's size before it gives its torque."""
HARDLY = 1e-4  # friction with which no foot braces another
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
        problem = "the robot has no torque limits; give one in N m for all joints"
        raise ConfigError(f"the check of '{robot.name}'", [problem])
    rows, bounds = torque_limits_of(
        model, pose, stance.points, stance.bodies, ranges, gravity
    )
    weight = stance.mass * gravity
    return {"weight": weight, "force_rows": rows, "force_bounds": bounds}


class TorqueShares(NamedTuple):
    """Shares of their torque limits that the joints of a stance need."""

    least: float | None
    """Of all forces within friction, those that need least, the stops and the dry
    friction of joints helping; None where no joint has a limit or no forces do,
    infinite where none within friction hold the robot."""
    carried: float | None
    """The same where each contact only carries weight, no foot braces another, and
    neither stops nor dry friction help: in the engine they give way. Links that push
    each other count where that asks for more."""
    is_helped: bool = False
    """Whether stops or dry friction help."""
    links: tuple[str, ...] = ()
    """Two links that touch and push each other, by name; empty where none do."""
    unpushed: float | None = None
    """The share ``carried`` would be if no links touched."""
    leaves_none: bool = False
    """Whether motors that push one way harder than the other are at the weak end of
    what they can, so that they have nothing left to balance with."""


def torque_shares(
    robot: Robot, pose: VecN, stance: Stance, grip: StanceGrip, gravity: float
) -> TorqueShares:
    """Return what share of their torque limits the joints of a stance need.

    Args:
        robot: whose joints they are.
        pose: (nq,), gravity along -z.
        stance: its contacts in that pose.
        grip: friction of the contacts.
        gravity: [m/s²].
    """
    model, count = robot.model, len(stance.points)
    ranges = joint_torque_ranges(model)
    if not (count and np.isfinite(ranges).any()):
        return TorqueShares(None, None)
    none_touch = SelfPush(np.zeros(int(model.nv)), ())
    own = none_touch
    if robot.has_world:  # links of a URDF overlap by their drawing, not by physics
        own = self_push(model, pose, robot_bodies(model, robot.base))

    def share(
        ranges: Array,
        normals: Array,
        friction: Array,
        push: SelfPush = none_touch,
        *,
        is_centred: bool = False,
    ) -> float | None:
        on = stance.points, stance.bodies
        rows, full = torque_limits_of(model, pose, *on, ranges, gravity, push.forces)
        rest = _middle_of(ranges) if is_centred else np.zeros_like(ranges)
        none = np.where(np.isfinite(ranges), rest, ranges)
        slack = torque_limits_of(model, pose, *on, none, gravity, push.forces)[1]
        weight = stance.mass * gravity
        return torque_share(
            stance.points, normals, friction, stance.com, weight, rows, slack, full
        )

    helped = _helped_ranges(model, pose, ranges)
    upright = np.tile([0.0, 0.0, 1.0], (count, 1))
    unpushed = carried = share(ranges, upright, np.full(count, HARDLY))
    if own.links and carried is not None:
        pushed = share(ranges, upright, np.full(count, HARDLY), own)
        carried = max(carried, math.inf if pushed is None else pushed)
    leaves_none = False
    if (_middle_of(ranges) != 0.0).any():
        friction = np.full(count, HARDLY)
        used = share(ranges, upright, friction, is_centred=True)
        leaves_none = used is None or used > ENOUGH
    return TorqueShares(
        share(helped, stance.normals, grip.most),
        carried,
        bool((helped != ranges).any()),
        own.links,
        unpushed,
        leaves_none,
    )


def _middle_of(ranges: Array) -> Array:
    """Return the middle of each range at both of its ends, (n, 2); zero if infinite."""
    is_finite = np.isfinite(ranges).all(axis=1, keepdims=True)
    return np.where(is_finite, ranges, 0.0).mean(axis=1, keepdims=True) * np.ones(2)


def _helped_ranges(model: Any, pose: VecN, ranges: Array) -> Array:
    """Return torque ranges of joints, with what their stops and dry friction add.

    Args:
        model: compiled.
        pose: (nq,).
        ranges: lowest and highest torque of each velocity, (nv, 2).
    """
    found, off = np.array(ranges), int(model.opt.disableflags)
    has_stops = not off & (int(DISABLE.mjDSBL_LIMIT) | int(DISABLE.mjDSBL_CONSTRAINT))
    for j in np.flatnonzero(np.asarray(model.jnt_limited) * has_stops):
        if int(model.jnt_type[j]) not in SINGLE:
            continue
        value, dof = float(pose[int(model.jnt_qposadr[j])]), int(model.jnt_dofadr[j])
        low, high = (float(x) for x in model.jnt_range[j])
        if value <= low + ROUNDING:
            found[dof, 1] = math.inf
        if value >= high - ROUNDING:
            found[dof, 0] = -math.inf
    loss = np.asarray(model.dof_frictionloss)
    if off & (int(DISABLE.mjDSBL_FRICTIONLOSS) | int(DISABLE.mjDSBL_CONSTRAINT)):
        return found
    return found + np.stack([-loss, loss], axis=1)


def joints_block(robot: Robot, pose: VecN, shares: TorqueShares) -> dict[str, Any]:
    """Return what is told about the joints of a stance.

    Args:
        robot: whose joints they are.
        pose: (nq,), gravity along -z.
        shares: what share of their torques they need.
    """
    least, carried = shares.least, shares.carried
    return {
        "held": int(np.isin(robot.model.jnt_type, SINGLE).sum()),
        "torque_share": _finite(least),
        "torque_share_without_bracing": _finite(carried),
        "beyond_range": beyond_range(robot, pose),
        "without_effort": without_effort(robot),
    }


def without_effort(robot: Robot) -> list[str]:
    """Return the joints that a URDF gives an effort of 0 or none, by name.

    CAD exporters write 0 where they know no limit, so it is taken as none.

    Args:
        robot: any robot.
    """
    if robot.has_world or not robot.source:
        return []
    model = robot.model
    single = np.isin(model.jnt_type, SINGLE)
    without = np.flatnonzero(single & (np.asarray(model.jnt_actfrclimited) == 0))
    return [str(model.joint(int(j)).name) for j in without]


def _finite(value: float | None) -> float | None:
    """Return a number, None where it is not finite."""
    return value if value is not None and math.isfinite(value) else None


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
