"""What was found in a robot file, all of it, and where each number is from."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

from equipoise.core.arrays import VecN
from equipoise.core.errors import BadFileError
from equipoise.core.log import note
from equipoise.robots.found.assumed import assumption_sentences, invisible_parts
from equipoise.robots.found.chosen import chosen_legs, told_feet
from equipoise.robots.found.feet import FoundFoot, Place, leg_feet
from equipoise.robots.found.footing import (
    foot_body_and_place,
    put_on_ground,
    stand_of,
    why_no_legs,
)
from equipoise.robots.found.heights import robot_in_pose
from equipoise.robots.found.legs import in_order
from equipoise.robots.found.limbs import SINGLE, FoundLimb
from equipoise.robots.found.limits import JointDrive, drive_limits, static_torques
from equipoise.robots.found.nature import (
    base_motion,
    coupled_joints,
    driven_joints,
    loops_of,
    walking_heading,
    wheels_of,
)
from equipoise.robots.robot_spec import RobotSpec

__all__ = ["Found", "FoundLeg", "found_in"]


@final
@dataclass(frozen=True)
class FoundLeg:
    """A leg, from the base to the ground."""

    name: str
    joints: tuple[str, ...]
    foot: FoundFoot
    kinds: tuple[str, ...] = ()
    """Of each joint, "hinge" or "slide"."""
    axes: tuple[Place, ...] = ()
    """Of each joint in the base's frame, as it stands."""
    anchors: tuple[Place, ...] = ()
    """A point of each joint's axis in the base's frame, as it stands [m]."""
    passive: tuple[str, ...] = ()
    """Those of its joints that nothing drives, where the file has actuators at all."""


@final
@dataclass(frozen=True, eq=False)
class Found:
    """Legs, feet, stand and drives that were found in a robot file."""

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
    base: str = ""
    """Body off which the legs hang."""
    root: str = "free"
    """How the base moves: "free", "fixed", "planar" (in a plane) or "guided"."""
    heading: float = 0.0
    """Which way it walks, from the base's x axis [rad]."""
    wheels: tuple[str, ...] = ()
    """Names of the legs that end in a wheel."""
    loops: tuple[str, ...] = ()
    """Bodies that are tied together beside their joints, a pair each."""
    coupled: tuple[str, ...] = ()
    """Joints that follow other joints."""
    why_not: str = ""
    """Why no legs were found, in words; empty where some were."""

    def summary(self, robot: RobotSpec) -> dict[str, Any]:
        """Return everything as plain numbers and words, for JSON and YAML.

        Args:
            robot: the robot that was looked at.
        """
        joints = {n: round(v, 6) + 0.0 for n, v in _angles(robot, self.qpos)}
        return {
            "robot": robot.name,
            "base": self.base,
            "root": self.root,
            "legs": [_leg_summary(leg) for leg in self.legs],
            "stand": {
                "from": self.stand,
                "height_m": round(self.height, 6),
                "joints": joints,
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
            "heading_rad": round(self.heading, 6),
            "wheels": list(self.wheels),
            "loops": list(self.loops),
            "coupled": list(self.coupled),
        }


def _leg_summary(leg: FoundLeg) -> dict[str, Any]:
    """Return a leg as plain numbers and words."""
    foot = leg.foot
    return {
        "name": leg.name,
        "joints": list(leg.joints),
        "kinds": list(leg.kinds),
        "axes": [_rounded(axis) for axis in leg.axes],
        "anchors": [_rounded(place) for place in leg.anchors],
        "passive": list(leg.passive),
        "foot": {
            "shapes": list(foot.shapes),
            "body": foot.body,
            "kind": foot.kind,
            "size_m": [round(x, 6) for x in foot.size],
            "radius": round(foot.radius, 6),
            "centre": _rounded(foot.centre),
            "corners": [_rounded(corner) for corner in foot.corners],
        },
    }


def _rounded(place: Place) -> list[float]:
    """Return a place with the digits that people read."""
    return [round(x, 6) + 0.0 for x in place]


def _angles(robot: RobotSpec, qpos: VecN) -> list[tuple[str, float]]:
    """Return the joints with one freedom, by name, in a pose."""
    model = robot.model
    return [
        (str(model.joint(j).name), float(qpos[model.jnt_qposadr[j]]))
        for j in range(model.njnt)
        if int(model.jnt_type[j]) in SINGLE
    ]


def found_in(robot: RobotSpec) -> Found:
    """Return what is found in a robot: legs, feet, stand, drives.

    Args:
        robot: any robot.
    """
    told, path = robot.description, Path(robot.source) if robot.source else None
    base = told.base if told is not None and told.base else robot.base
    stand, borne = stand_of(robot, base, path)
    legs, heading = borne.legs, 0.0
    if told is not None and (told.legs or told.ends):
        legs = chosen_legs(robot, told, base)
    heading = walking_heading(robot, base, legs, stand.qpos)
    if told is None or not (told.legs or told.ends):
        legs = in_order(robot, base, legs, stand.qpos, heading)
    legs = _renamed(robot, legs)
    feet = leg_feet(robot, legs, stand.qpos, borne.height)
    feet = told_feet(robot, legs, feet)
    qpos = put_on_ground(robot, legs, feet, stand.qpos)
    now = robot_in_pose(robot, qpos)
    height = float(now.data.body(base).xpos[2]) - now.ground
    joints = [j for leg in legs for j in leg.joints]
    places = [foot_body_and_place(now, foot) for foot in feet]
    static = static_torques(robot, qpos, places)
    drives = drive_limits(robot, joints, static, height)
    found = tuple(
        _found_leg(robot, base, leg, foot, qpos)
        for leg, foot in zip(legs, feet, strict=True)
    )
    names = {str(robot.model.joint(j).name) for j in joints}
    assumed = (
        *assumption_sentences(robot, found, stand, drives),
        *invisible_parts(robot),
    )
    for line in assumed if robot.source else ():
        note(f"assumed of {robot.name}: {line}")
    return Found(
        found,
        qpos,
        stand.source,
        height,
        drives,
        held=tuple(name for name in robot.joint_names if name not in names),
        assumed=assumed,
        base=base,
        root=base_motion(robot),
        heading=heading,
        wheels=wheels_of(robot, legs, qpos),
        loops=loops_of(robot),
        coupled=coupled_joints(robot),
        why_not="" if legs else why_no_legs(robot, base, borne),
    )


def _renamed(robot: RobotSpec, legs: tuple[FoundLimb, ...]) -> tuple[FoundLimb, ...]:
    """Return legs called as the user says, in their order.

    Raises:
        BadFileError: another number of names than of legs.
    """
    told = robot.description
    if told is None or not told.leg_names:
        return legs
    if len(told.leg_names) != len(legs):
        own = ", ".join(leg.name for leg in legs)
        raise BadFileError(
            f"{told.path}: {len(told.leg_names)} leg names for {len(legs)} legs "
            f"({own or 'none'})."
        )
    return tuple(
        replace(leg, name=name) for leg, name in zip(legs, told.leg_names, strict=True)
    )


def _found_leg(
    robot: RobotSpec, base: str, leg: FoundLimb, foot: FoundFoot, qpos: VecN
) -> FoundLeg:
    """Return a leg with what its joints are."""
    model, data = robot.model, robot_in_pose(robot, qpos).data
    body = int(model.body(base).id)
    R_WB, p_WB = data.xmat[body].reshape(3, 3), data.xpos[body]
    driven = driven_joints(model) or set(leg.joints)
    return FoundLeg(
        leg.name,
        tuple(str(model.joint(j).name) for j in leg.joints),
        foot,
        tuple(
            "hinge" if int(model.jnt_type[j]) == SINGLE[0] else "slide"
            for j in leg.joints
        ),
        tuple(_triple(R_WB.T @ data.xaxis[j]) for j in leg.joints),
        tuple(_triple(R_WB.T @ (data.xanchor[j] - p_WB)) for j in leg.joints),
        tuple(str(model.joint(j).name) for j in leg.joints if j not in driven),
    )


def _triple(values: VecN) -> Place:
    """Return three plain numbers."""
    x, y, z = (float(v) for v in values)
    return (x, y, z)
