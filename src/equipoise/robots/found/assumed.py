"""What a robot file does not say and is assumed, a sentence each."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from equipoise.robots.found.limbs import SINGLE
from equipoise.robots.found.limits import TIMES, JointDrive
from equipoise.robots.found.nature import TURNS, driven_joints
from equipoise.robots.found.stand import Stand
from equipoise.robots.robot_spec import RobotSpec

if TYPE_CHECKING:
    from equipoise.robots.found.description import FoundLeg

__all__ = ["assumption_sentences", "invisible_parts", "torques_in", "torques_said"]

TORQUES = "torque limits"


def assumption_sentences(
    robot: RobotSpec,
    legs: "tuple[FoundLeg, ...]",
    stand: Stand,
    drives: tuple[JointDrive, ...],
) -> list[str]:
    """Return what is assumed, a sentence each."""
    lines = _lost(robot)
    if legs and not stand.is_told:
        lines.append(f"the stand is {stand.source}")
    for leg in legs:
        if leg.foot.kind == "unknown":
            lines.append(f"leg '{leg.name}' has no shape that is known to touch")
    if legs and not driven_joints(robot.model):
        lines.append("the file has no actuators, so each joint gets a motor")
    weak = torques_said(drives)
    lines += [weak] if weak else []
    for what in ("speed", "inertia"):
        joints = [d.joint for d in drives if what in d.assumed]
        if joints:
            lines.append(f"{what} of the drive of {_several(joints)} is computed")
    wide = [d.joint for d in drives if _is_endless(robot, d.joint)]
    if wide:
        lines.append(
            f"the range of {_several(wide)} is a placeholder of two turns or more"
        )
    return lines


def torques_said(drives: Sequence[JointDrive]) -> str:
    """Return in words which torque limits are assumed, and how to give them.

    Args:
        drives: of a robot file; empty words where the file gives every limit.
    """
    weak = [d for d in drives if "torque" in d.assumed]
    if not weak:
        return ""
    low, high = (f"{pick(d.torque for d in weak):.3g}" for pick in (min, max))
    span = low if low == high else f"{low} to {high}"
    return (
        f"{TORQUES} of {_several([d.joint for d in weak])} are assumed, {span} N m, "
        f"{TIMES:g} times what the stand takes; give the drives' own with --drives FILE"
    )


def torques_in(lines: Iterable[str]) -> str:
    """Return of some assumptions the one about torque limits; empty without one.

    Args:
        lines: sentences, as ``assumption_sentences`` returns them.
    """
    return next((line for line in lines if line.startswith(TORQUES)), "")


def _lost(robot: RobotSpec) -> list[str]:
    """Return which shapes of it could not be used and why, in one line."""
    if not robot.dropped:
        return []
    count = len(robot.dropped)
    said = "1 shape is" if count == 1 else f"{count} shapes are"
    return [f"{said} left out; {robot.dropped[0]}"]


def invisible_parts(robot: RobotSpec) -> list[str]:
    """Return what is not shown of it, in one line."""
    if len(robot.unseen) < 2:
        return list(robot.unseen)
    return [f"{robot.unseen[0]}; and {len(robot.unseen) - 1} more visuals"]


def _several(names: list[str]) -> str:
    """Return the first of some names and how many more there are."""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"'{names[0]}'{more}"


def _is_endless(robot: RobotSpec, name: str) -> bool:
    """Return whether a hinge has a range that no leg has: more than two turns."""
    model = robot.model
    joint = int(model.joint(name).id)
    is_hinge = int(model.jnt_type[joint]) == SINGLE[0]
    wide = float(np.ptp(model.jnt_range[joint])) > TURNS
    return is_hinge and bool(model.jnt_limited[joint]) and wide
