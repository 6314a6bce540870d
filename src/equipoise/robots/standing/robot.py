"""A robot file as a robot that a balance controller can hold.

It gets soles of small balls at the corners of what was found, a motor a joint in place
of the file's own actuators, and the keyframes ``start`` and ``set``. What is changed or
assumed is said in a sentence each.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, final

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError
from equipoise.robots.found.assumed import torques_said
from equipoise.robots.found.description import Found
from equipoise.robots.found.limits import JointDrive, drive_limits, static_torques
from equipoise.robots.robot import Robot
from equipoise.robots.standing.bend import BENT, STRAIGHT, bent_stand, greatest_stretch
from equipoise.robots.standing.soles import FoundSole, sole_of
from equipoise.robots.standing.spec import (
    TARGET,
    add_motors,
    add_soles,
    add_target,
    leg_bodies,
    strip,
    touch_only_others,
)

__all__ = ["StandingRobot", "standing_robot"]

EVEN = 0.004  # share of the height by which soles may differ in level


@final
@dataclass(frozen=True, eq=False)
class StandingRobot:
    """A robot ready to stand, and what had to be assumed."""

    robot: Robot
    """With ``feet``, ``legs``, a motor a joint, keyframes ``start`` and ``set``."""
    assumed: tuple[str, ...]
    """A sentence each."""
    height: float
    """Of its base as it stands [m]."""
    drives: tuple[JointDrive, ...] = field(repr=False)
    """Of all its joints, in the order of its motors."""


class StandAndSoles(NamedTuple):
    """Pose in which a robot stands, and its soles."""

    qpos: VecN
    """Soles on the ground at z = 0, (nq,)."""
    soles: tuple[FoundSole, ...]
    """One a leg."""
    said: str
    """Where the pose is from; empty where a file says it."""


def standing_robot(robot: Robot) -> StandingRobot:
    """Return a robot file's robot, made ready to stand.

    Args:
        robot: from a file, free in space, with legs of six joints and soles.

    Raises:
        ConfigError: no pose is found in which it stands on its soles.
    """
    found = robot.found
    footing = _footing_of(robot, found)
    drives = _all_drives(robot, found, footing.qpos)
    spec = robot.spec.copy()
    strip(spec)
    legs = leg_bodies(robot.model, found)
    still, is_solid = touch_only_others(spec, legs)
    if not is_solid:
        add_target(spec, robot, found.height)
    feet = add_soles(spec, found, footing.soles)
    add_motors(spec, drives)
    for key in ("start", "set"):
        spec.add_key(name=key, qpos=footing.qpos)
    model = robot.model
    roots = tuple(
        str(model.body(int(model.jnt_bodyid[model.joint(leg.joints[0]).id])).name)
        for leg in found.legs
    )
    made = replace(
        robot, spec=spec, feet=feet, legs=roots, scene=None, description=None
    )
    lines = _sentences(robot, found, footing, drives, still)
    if not is_solid:
        side = 2.0 * TARGET * found.height
        lines.append(
            f"its trunk has no collision shape, so it gets a cube of {side:.3f} m"
        )
    return StandingRobot(made, tuple(lines), found.height, drives)


def _footing_of(robot: Robot, found: Found) -> StandAndSoles:
    """Return the pose and the soles: as a file says, or with the legs bent."""
    where = f"robot '{robot.name}'"
    qpos, said = np.array(found.qpos), ""
    soles = _soles_in(robot, found, qpos)
    low = [sole.level for sole in soles]
    share = greatest_stretch(robot, found.legs, qpos)
    is_told = not any(line.startswith("the stand is") for line in found.assumed)
    if max(low) - min(low) > EVEN * found.height:
        raise ConfigError(
            where,
            [
                f"in its stand ({found.stand}) one sole is "
                f"{1e3 * (max(low) - min(low)):.0f} mm above the other; edit 'stand' "
                "in what 'equipoise describe' writes"
            ],
        )
    base = int(robot.model.body_jntadr[robot.model.body(robot.base).id])
    qpos[int(robot.model.jnt_qposadr[base]) + 2] -= min(low)
    if share > STRAIGHT or not is_told:
        middle = np.mean([_sole_middle(robot, sole, qpos) for sole in soles], axis=0)
        pose = bent_stand(robot, found.legs, qpos, middle)
        if pose is None:
            raise ConfigError(
                where,
                [
                    f"its legs are at {100 * share:.0f} % of their length in its stand "
                    f"({found.stand}), and none is found with bent legs; give one in "
                    "what 'equipoise describe' writes"
                ],
            )
        qpos = pose
        said = (
            f"the stand is computed from {found.stand}: legs bent to {BENT:g} of their "
            "length, soles level, the centre of mass over their middle"
        )
    return StandAndSoles(qpos, soles, said)


def _soles_in(robot: Robot, found: Found, qpos: VecN) -> tuple[FoundSole, ...]:
    """Return the soles, all of which are known."""
    soles = [sole_of(robot, leg, qpos, found.height) for leg in found.legs]
    return tuple(sole for sole in soles if sole is not None)


def _sole_middle(robot: Robot, sole: FoundSole, qpos: VecN) -> VecN:
    """Return the middle of a sole in a pose, seen from above, (2,) [m]."""
    model, data = robot.model, mujoco.MjData(robot.model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    body = model.body(sole.link).id
    R = data.xmat[body].reshape(3, 3)
    return (data.xpos[body] + R @ sole.corners.mean(axis=0))[:2]


def _all_drives(robot: Robot, found: Found, qpos: VecN) -> tuple[JointDrive, ...]:
    """Return what moves each joint; what is computed is as with bent legs."""
    model = robot.model
    joints = [int(model.joint(name).id) for name in robot.joint_names]
    ends = [int(model.jnt_bodyid[model.joint(leg.joints[-1]).id]) for leg in found.legs]
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    feet = [(body, np.array(data.xpos[body])) for body in ends]
    static = static_torques(robot, qpos, feet)
    known = {d.joint: d for d in found.drives if "torque" not in d.assumed}
    every = drive_limits(robot, joints, static, found.height)
    return tuple(known.get(drive.joint, drive) for drive in every)


def _sentences(
    robot: Robot,
    found: Found,
    footing: StandAndSoles,
    drives: Sequence[JointDrive],
    still: int,
) -> list[str]:
    """Return what was assumed, a sentence each."""
    lines = [footing.said] if footing.said else []
    for leg, sole in zip(found.legs, footing.soles, strict=True):
        across = " x ".join(f"{x:.3f}" for x in sole.size)
        count = len(sole.corners)
        lines.append(
            f"leg '{leg.name}' stands on {count} corners of a sole, {across} m"
        )
    weak = torques_said(drives)
    lines += [weak] if weak else []
    if found.held:
        more = f" and {len(found.held) - 1} more" if len(found.held) > 1 else ""
        lines.append(f"joint '{next(iter(found.held))}'{more} is held as it stands")
    if robot.model.nu and robot.has_world:
        lines.append("the file's actuators are replaced by motors of the same torque")
    left = [f"{still} shape{'s' * (still > 1)} of its ground"] if still else []
    left += [f"body '{name}'" for name in robot.others[:3]]
    if left:
        lines.append(f"left out of the scene: {', '.join(left)}")
    pull = np.array(robot.model.opt.gravity)
    if robot.has_world and abs(pull[2] + GRAVITY) > 0.02:
        lines.append(
            f"gravity is {GRAVITY:g} m/s² downwards, not the file's {-pull[2]:g}"
        )
    lines.append(
        "it stands on level ground, and its parts do not collide with each other"
    )
    lines.append("joint speeds are not limited, rotors are as heavy as the file says")
    return lines
