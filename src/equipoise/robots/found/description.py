"""What was found in a robot file, all of it, and where each number is from."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.errors import BadFileError
from equipoise.robots.found.feet import FoundFoot, feet_of, posed, standing_limbs
from equipoise.robots.found.file import Description
from equipoise.robots.found.limbs import SINGLE, FoundLimb, limbs_of
from equipoise.robots.found.limits import JointDrive, drives_of, static_torques
from equipoise.robots.found.stand import Stand, bent, told_stand
from equipoise.robots.robot import Robot

__all__ = ["Found", "FoundLeg", "found_in"]

FEW = (2, 3)  # joints of a leg that stands bent where no file says how
MANY = 4  # such limbs are legs, though they do not reach the ground when straight


@final
@dataclass(frozen=True)
class FoundLeg:
    """A leg, from the base to the ground."""

    name: str
    joints: tuple[str, ...]
    foot: FoundFoot


@final
@dataclass(frozen=True, eq=False)
class Found:
    """What a robot file leaves to be seen."""

    legs: tuple[FoundLeg, ...]
    """From front to rear, left before right."""
    qpos: VecN
    """The stand, on level ground at z = 0, of ``robot.model``, (nq,)."""
    stand: str
    """Where it is from, in words."""
    height: float
    """Of the base in it [m]."""
    drives: tuple[JointDrive, ...]
    """Of the legs' joints, leg by leg."""
    held: tuple[str, ...]
    """Joints of no leg: arms, heads, hands, which are held as in the stand."""
    assumed: tuple[str, ...]
    """What the file does not say, a sentence each."""

    def summary(self, robot: Robot) -> dict[str, Any]:
        """Return everything as plain numbers and words, for JSON and YAML.

        Args:
            robot: the robot that was looked at.
        """
        return {
            "robot": robot.name,
            "base": robot.base,
            "legs": [
                {
                    "name": leg.name,
                    "joints": list(leg.joints),
                    "foot": {
                        "shapes": list(leg.foot.shapes),
                        "body": leg.foot.body,
                        "kind": leg.foot.kind,
                        "size_m": [round(x, 6) for x in leg.foot.size],
                    },
                }
                for leg in self.legs
            ],
            "stand": {
                "from": self.stand,
                "height_m": round(self.height, 6),
                "joints": {n: round(v, 6) + 0.0 for n, v in angles(robot, self.qpos)},
            },
            "drives": [
                {
                    "joint": d.joint,
                    "torque": round(d.torque, 6),
                    "speed": round(d.speed, 6),
                    "inertia": round(d.inertia, 8),
                    "assumed": list(d.assumed),
                }
                for d in self.drives
            ],
            "held": list(self.held),
            "assumed": list(self.assumed),
        }


def angles(robot: Robot, qpos: VecN) -> list[tuple[str, float]]:
    """Return the joints with one freedom, by name, in a pose."""
    model = robot.model
    return [
        (str(model.joint(j).name), float(qpos[model.jnt_qposadr[j]]))
        for j in range(model.njnt)
        if int(model.jnt_type[j]) in SINGLE
    ]


def found_in(robot: Robot) -> Found:
    """Return what is found in a robot: legs, feet, stand, drives.

    Args:
        robot: any robot.
    """
    path = Path(robot.source) if robot.source else None
    limbs, _ = limbs_of(robot)
    stand = told_stand(robot, path)
    legs, height = standing_limbs(robot, limbs, stand.qpos)
    short = tuple(limb for limb in limbs if len(limb.joints) in FEW)
    if not stand.is_told and (set(legs) <= set(short) if legs else len(short) >= MANY):
        stand = bent(robot, legs or short, stand)
        legs, height = standing_limbs(robot, limbs, stand.qpos)
    if robot.description is not None:
        stand = as_described(robot, robot.description, stand)
        legs, height = standing_limbs(robot, limbs, stand.qpos)
        legs = chosen(robot, robot.description, limbs) or legs
    feet = feet_of(robot, legs, stand.qpos, height)
    qpos = put_on_ground(robot, legs, stand.qpos, height)
    model = robot.model
    joints = [j for leg in legs for j in leg.joints]
    static = static_torques(robot, qpos, places(robot, legs, qpos))
    drives = drives_of(robot, joints, static, height, path)
    if robot.description is not None:
        drives = tuple(set_drive(robot.description, drive) for drive in drives)
    names = {str(model.joint(j).name) for j in joints}
    found = tuple(
        FoundLeg(leg.name, tuple(str(model.joint(j).name) for j in leg.joints), foot)
        for leg, foot in zip(legs, feet, strict=True)
    )
    held = tuple(name for name in robot.joint_names if name not in names)
    assumed = (*said(found, stand, drives), *unseen(robot))
    return Found(found, qpos, stand.source, height, drives, held, assumed)


def as_described(robot: Robot, description: Description, stand: Stand) -> Stand:
    """Return the stand with the joints that a description names."""
    if not description.stand:
        return stand
    model, pose = robot.model, np.array(stand.qpos)
    for name, value in description.stand.items():
        pose[model.jnt_qposadr[model.joint(name).id]] = value
    return Stand(pose, Path(description.path).name, True)


def chosen(
    robot: Robot, description: Description, limbs: tuple[FoundLimb, ...]
) -> tuple[FoundLimb, ...]:
    """Return the legs that a description names, in its order.

    Raises:
        BadFileError: one that is no limb of the robot.
    """
    model = robot.model
    by_joints = {
        tuple(str(model.joint(j).name) for j in limb.joints): limb for limb in limbs
    }
    legs = []
    for name, joints in description.legs.items():
        if joints not in by_joints:
            known = "; ".join(", ".join(own) for own in list(by_joints)[:4])
            raise BadFileError(
                f"{description.path}: the joints of leg '{name}' are no chain from the "
                f"base outwards; there are {known}."
            )
        legs.append(replace(by_joints[joints], name=name))
    return tuple(legs)


def set_drive(description: Description, drive: JointDrive) -> JointDrive:
    """Return a drive with the numbers that a description gives."""
    told = description.drives.get(drive.joint, {})
    left = tuple(what for what in drive.assumed if what not in told)
    return replace(drive, **told, assumed=left)  # type: ignore[arg-type]


def put_on_ground(
    robot: Robot, legs: tuple[FoundLimb, ...], qpos: VecN, height: float
) -> VecN:
    """Return a pose with its lowest point at z = 0, where its base is free."""
    model, pose = robot.model, np.array(qpos)
    root = int(model.body_rootid[model.body(robot.base).id])
    joint = int(model.body_jntadr[root])
    if legs and joint >= 0 and int(model.jnt_type[joint]) not in SINGLE:
        _, data = posed(robot, pose)
        ground = float(data.body(robot.base).xpos[2]) - height
        pose[int(model.jnt_qposadr[joint]) + 2] -= ground
    return pose


def places(
    robot: Robot, legs: tuple[FoundLimb, ...], qpos: VecN
) -> list[tuple[int, VecN]]:
    """Return body and place of each leg's end."""
    _, data = posed(robot, qpos)
    return [(leg.bodies[-1], np.array(data.xpos[leg.bodies[-1]])) for leg in legs]


def unseen(robot: Robot) -> list[str]:
    """Return what is not shown of it, in one line."""
    if len(robot.unseen) < 2:
        return list(robot.unseen)
    return [f"{robot.unseen[0]}; and {len(robot.unseen) - 1} more visuals"]


def said(
    legs: tuple[FoundLeg, ...], stand: Stand, drives: tuple[JointDrive, ...]
) -> list[str]:
    """Return what is assumed, a sentence each."""
    lines: list[str] = []
    if legs and not stand.is_told:
        lines.append(f"the stand is {stand.source}")
    for leg in legs:
        if leg.foot.kind == "unknown":
            lines.append(f"leg '{leg.name}' has no shape that is known to touch")
    for what in ("torque", "speed", "inertia"):
        joints = [d.joint for d in drives if what in d.assumed]
        if joints:
            more = f" and {len(joints) - 1} more" if len(joints) > 1 else ""
            lines.append(f"{what} of the drive of '{joints[0]}'{more} is computed")
    return lines
