"""The biped of [Wendlandt1997]: a trunk on two legs, made from a human's size.

The paper prints neither masses nor lengths. They are taken from a human's proportions
[Winter2009] for a given body height and mass: 13 rigid bodies, 12 revolute joints (hip
3, knee 1, ankle 2 a leg), 18 degrees of freedom. The hip's and the ankle's intermediate
bodies take a share of the thigh and the shank.

Every body's frame lies at its centre of mass, parallel to the world when all joints are
at zero. The biped faces -x, as the printed angles imply with pitch axes along +y; its
left leg therefore has y < 0.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.robots.biped.options import PAPER_HEIGHT, BipedOptions, FootShape
from equipoise.robots.robot import Robot
from equipoise.robots.source import Stated, chosen, printed

__all__ = ["SOURCES", "BipedSize", "biped", "set_point"]

HIP_ASIDE, TRUNK_LENGTH, THIGH, SHANK, ANKLE_HEIGHT = 0.05, 0.288, 0.245, 0.246, 0.039
SOLE = (0.152, 0.055)  # length and width; all these are shares of the height
TRUNK_MASS, THIGH_MASS, SHANK_MASS, FOOT_MASS = 0.678, 0.100, 0.0465, 0.0145  # shares
TRUNK_CENTRE, LIMB_CENTRE = 0.626, 0.433  # from the upper end, shares of its length
TRUNK_GYRATION, THIGH_GYRATION, SHANK_GYRATION = 0.496, 0.323, 0.302  # likewise
HEEL, TRUNK_BOX, LIMB_RADII = 0.065, (0.45, 0.20), (0.075, 0.05)  # at paper size [m]
LIGHT_MASS, LIGHT_INERTIA = 0.2, 1e-3  # of bodies within a joint, at 70 kg
CLEARANCE = 0.0017  # of the soles at the start, for any size [m]
START_ANGLES = np.deg2rad([0.0, 40.0, 0.0, -77.4595, 0.0, 42.4595])
START_LEAN = math.radians(-5.0)  # of the trunk about +y
SET_LEAN = math.radians(-15.0)
SET_PLACE = (-0.01, 0.0, 1.14)  # of the trunk's centre of mass, at the paper's size [m]
JOINTS = ("hip_roll", "hip_pitch", "hip_yaw", "knee", "ankle_roll", "ankle_pitch")
AXES = ("x", "y", "z", "y", "x", "y")
BODIES = ("hip_roll", "hip_pitch", "thigh", "shank", "ankle", "foot")
SKIN_COLOUR, SHOE_COLOUR = (0.80, 0.72, 0.62, 1.0), (0.25, 0.30, 0.38, 1.0)
SHIRT_COLOUR = (0.30, 0.47, 0.66, 1.0)
CORNER_RADIUS = 0.005  # of a sphere foot's corners [m]
WINTER = printed("[Winter2009], a human's proportions")
PAPER = printed("[Wendlandt1997]")
USUAL = chosen("no source states it")
SOURCES = {
    "HIP_ASIDE": Stated("hip from the middle, of the height", "", chosen("of a human")),
    "TRUNK_LENGTH": Stated("length of the trunk, of the height", "", WINTER),
    "THIGH": Stated("hip to knee, of the height", "", WINTER),
    "SHANK": Stated("knee to ankle, of the height", "", WINTER),
    "ANKLE_HEIGHT": Stated("ankle over the sole, of the height", "", WINTER),
    "SOLE": Stated("length and width of a sole, of the height", "", WINTER),
    "TRUNK_MASS": Stated("trunk, head and arms, of the mass", "", WINTER),
    "THIGH_MASS": Stated("a thigh, of the mass", "", WINTER),
    "SHANK_MASS": Stated("a shank, of the mass", "", WINTER),
    "FOOT_MASS": Stated("a foot, of the mass", "", WINTER),
    "TRUNK_CENTRE": Stated("its centre above the hips, of its length", "", WINTER),
    "LIMB_CENTRE": Stated("a limb's centre, of its length", "", WINTER),
    "TRUNK_GYRATION": Stated("its radius of gyration, of its length", "", WINTER),
    "THIGH_GYRATION": Stated("a thigh's, of its length", "", WINTER),
    "SHANK_GYRATION": Stated("a shank's, of its length", "", WINTER),
    "HEEL": Stated("ankle before the heel", "m", chosen("of a human")),
    "TRUNK_BOX": Stated("breadth and depth of the trunk", "m", chosen("of a human")),
    "LIMB_RADII": Stated("radii of thigh and shank", "m", chosen("of a human")),
    "LIGHT_MASS": Stated("of a body within hip or ankle", "kg", USUAL),
    "LIGHT_INERTIA": Stated("its moments of inertia", "kg m²", USUAL),
    "CLEARANCE": Stated("of the soles at the start", "m", PAPER),
    "START_ANGLES": Stated("of a leg's joints at the start", "rad", PAPER),
    "START_LEAN": Stated("of the trunk at the start", "rad", PAPER),
    "SET_LEAN": Stated("of the trunk as it is wanted", "rad", PAPER),
    "SET_PLACE": Stated("of the trunk's centre as it is wanted", "m", PAPER),
    "CORNER_RADIUS": Stated("of a sole's corners as spheres", "m", USUAL),
}
"""What the numbers above mean, and where each comes from."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class BipedSize:
    """Size of a human, from which all numbers of the biped follow."""

    height: float = BipedOptions().height
    """Of the standing body [m]."""
    body_mass: float = BipedOptions().body_mass
    """[kg]."""

    def length(self, share: float) -> float:
        """Return a share of the body's height [m]."""
        return share * self.height

    @property
    def scale(self) -> float:
        """Size against the paper's biped."""
        return self.height / PAPER_HEIGHT

    @property
    def hip(self) -> Vec3:
        """The left hip from the trunk's centre of mass [m]."""
        return self.height * np.array([0.0, -HIP_ASIDE, -TRUNK_CENTRE * TRUNK_LENGTH])

    @property
    def thigh(self) -> float:
        """Hip to knee [m]."""
        return self.length(THIGH)

    @property
    def shank(self) -> float:
        """Knee to ankle [m]."""
        return self.length(SHANK)

    @property
    def sole(self) -> tuple[float, float]:
        """Length and width of a sole [m]."""
        return self.length(SOLE[0]), self.length(SOLE[1])

    @property
    def ankle(self) -> Vec3:
        """The ankle from the foot's centre: 6.5 cm before the heel, at paper size."""
        return np.array(
            [
                0.5 * self.sole[0] - HEEL * self.scale,
                0.0,
                0.5 * self.length(ANKLE_HEIGHT),
            ]
        )


@dataclass(frozen=True)
class LegPart:
    """One rigid body of a leg: where its joint sits, and its mass."""

    mass: float
    inertia: Vec3
    joint_inboard: Vec3
    """The joint in the inboard body's frame [m]."""
    joint_own: Vec3
    """The joint in its own frame [m]."""


def biped(options: BipedOptions | None = None) -> Robot:
    """Return the biped, standing in the paper's posture just above the ground.

    Keyframe ``start`` is the paper's initial posture with the soles 1.7 mm above the
    ground; keyframe ``set`` is its set point with the feet where they were, flat on the
    ground. Actuators are torque sources, the left leg's six first, hip to ankle.

    Args:
        options: its size, soles and strength; None for the paper's.
    """
    options = options or BipedOptions()
    size = BipedSize(height=options.height, body_mass=options.body_mass)
    spec = mujoco.MjSpec()
    spec.modelname = "biped"
    spec.compiler.degree = False
    spec.compiler.fusestatic = False
    trunk = spec.worldbody.add_body(name="trunk", pos=[0.0, 0.0, SET_PLACE[2]])
    trunk.add_freejoint(name="base")
    _set_mass(trunk, TRUNK_MASS * size.body_mass, _trunk_inertia(size))
    _add_trunk_shapes(trunk, size)
    soles = []
    for side in ("left", "right"):
        soles += _add_leg(spec, trunk, size, side, options.feet, options.torque_limit)
    for name, qpos in (("start", _start_pose(size)), ("set", _set_pose(size))):
        spec.add_key(name=name, qpos=qpos)
    legs = tuple(f"{side}_{BODIES[0]}" for side in ("left", "right"))
    return Robot("biped", spec, base="trunk", feet=tuple(soles), legs=legs)


def set_point(size: BipedSize) -> tuple[Vec3, Array]:
    """Return where the paper wants the trunk: its centre [m] and quaternion (w first).

    The printed quaternion turns about -x; the text and the figures say -y.
    """
    return size.scale * np.array(SET_PLACE), _pitched(SET_LEAN)


def _trunk_inertia(size: BipedSize) -> Vec3:
    """Return the moments of head, arms and trunk about their common centre."""
    mass = TRUNK_MASS * size.body_mass
    gyration = TRUNK_GYRATION * size.length(TRUNK_LENGTH)
    breadth, depth = TRUNK_BOX[0] * size.scale, TRUNK_BOX[1] * size.scale
    turning = mass * (breadth**2 + depth**2) / 12.0
    return np.array([mass * gyration**2, mass * gyration**2, turning])


def _leg_parts(size: BipedSize) -> tuple[LegPart, ...]:
    """Return the left leg's six bodies, hip first."""
    mass, scale, none = size.body_mass, size.scale, np.zeros(3)
    light = LIGHT_MASS * mass / 70.0
    small = np.full(3, LIGHT_INERTIA * mass / 70.0 * scale**2)

    def limb(own: float, length: float, gyration: float, radius: float) -> Vec3:
        across = own * (gyration * length) ** 2
        return np.array([across, across, 0.5 * own * (radius * scale) ** 2])

    thigh, shank = THIGH_MASS * mass - 2 * light, SHANK_MASS * mass - light
    foot = FOOT_MASS * mass
    (long, wide), tall = size.sole, size.length(ANKLE_HEIGHT)
    box = np.array([wide**2 + tall**2, long**2 + tall**2, long**2 + wide**2])
    top, knee = (
        np.array([0.0, 0.0, LIMB_CENTRE]),
        np.array([0.0, 0.0, LIMB_CENTRE - 1.0]),
    )
    return (
        LegPart(light, small, size.hip, none),
        LegPart(light, small, none, none),
        LegPart(
            thigh,
            limb(thigh, size.thigh, THIGH_GYRATION, LIMB_RADII[0]),
            none,
            size.thigh * top,
        ),
        LegPart(
            shank,
            limb(shank, size.shank, SHANK_GYRATION, LIMB_RADII[1]),
            size.thigh * knee,
            size.shank * top,
        ),
        LegPart(light, small, size.shank * knee, none),
        LegPart(foot, foot * box / 12.0, none, size.ankle),
    )


def _add_leg(
    spec: mujoco.MjSpec,
    trunk: mujoco.MjsBody,
    size: BipedSize,
    side: str,
    feet: FootShape,
    torque_limit: float | None,
) -> list[str]:
    """Add one leg and its motors, and return the names of its sole's geoms."""
    mirror = np.array([1.0, 1.0 if side == "left" else -1.0, 1.0])
    inboard = trunk
    for body, joint, axis, part in zip(
        BODIES, JOINTS, AXES, _leg_parts(size), strict=True
    ):
        inboard = inboard.add_body(
            name=f"{side}_{body}", pos=mirror * part.joint_inboard - part.joint_own
        )
        _set_mass(inboard, part.mass, part.inertia)
        name = f"{side}_{joint}"
        inboard.add_joint(
            name=name,
            type=mujoco.mjtJoint.mjJNT_HINGE,
            pos=part.joint_own,
            axis=[float(axis == a) for a in "xyz"],
        )
        motor = spec.add_actuator(name=name, target=name)
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
        if torque_limit is not None:
            motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
            motor.ctrlrange = [-torque_limit, torque_limit]
        if body in LIMB_SHAPES:
            LIMB_SHAPES[body](inboard, size)
    return (_add_box_sole if feet == "box" else _add_corner_sole)(inboard, size, side)


def _set_mass(body: mujoco.MjsBody, mass: float, inertia: Vec3) -> None:
    """Give a body its mass about its own origin."""
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = mass, [0.0, 0.0, 0.0], inertia


def _add_box_sole(foot: mujoco.MjsBody, size: BipedSize, side: str) -> list[str]:
    """Add a foot that stands on its whole sole."""
    half = [0.5 * size.sole[0], 0.5 * size.sole[1], 0.5 * size.length(ANKLE_HEIGHT)]
    name = f"{side}_sole"
    foot.add_geom(
        name=name, type=mujoco.mjtGeom.mjGEOM_BOX, size=half, rgba=SHOE_COLOUR
    )
    return [name]


def _add_corner_sole(foot: mujoco.MjsBody, size: BipedSize, side: str) -> list[str]:
    """Add a foot that stands on four small spheres whose bottoms are the corners."""
    radius = CORNER_RADIUS * size.scale
    half, bottom = 0.5 * np.array(size.sole), -0.5 * size.length(ANKLE_HEIGHT)
    foot.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[*half, 0.5 * size.length(ANKLE_HEIGHT) - radius],
        pos=[0.0, 0.0, radius],
        rgba=SHOE_COLOUR,
        contype=0,
        conaffinity=0,
    )
    names = []
    for x, end in ((half[0], "heel"), (-half[0], "toe")):
        for y, edge in ((-half[1], "left"), (half[1], "right")):
            names.append(f"{side}_{end}_{edge}")
            foot.add_geom(
                name=names[-1],
                type=mujoco.mjtGeom.mjGEOM_SPHERE,
                size=[radius, 0.0, 0.0],
                pos=[x, y, bottom + radius],
                rgba=SHOE_COLOUR,
            )
    return names


def _add_trunk_shapes(trunk: mujoco.MjsBody, size: BipedSize) -> None:
    """Add the trunk's box, which a block can hit, and a head to look at."""
    s = size.scale
    trunk.add_geom(
        name="trunk",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[0.10 * s, 0.16 * s, 0.28 * s],
        rgba=SHIRT_COLOUR,
    )
    for name, pos, radius, colour in (
        ("head", [-0.02 * s, 0.0, 0.42 * s], 0.11 * s, SKIN_COLOUR),
        ("nose", [-0.13 * s, 0.0, 0.42 * s], 0.025 * s, SKIN_COLOUR),
    ):
        trunk.add_geom(
            name=name,
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[radius, 0.0, 0.0],
            pos=pos,
            rgba=colour,
            contype=0,
            conaffinity=0,
        )


def _add_limb(body: mujoco.MjsBody, top: float, bottom: float, radius: float) -> None:
    """Add a limb to look at; legs do not collide."""
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE,
        fromto=[0.0, 0.0, top, 0.0, 0.0, bottom],
        size=[radius, 0.0, 0.0],
        rgba=SKIN_COLOUR,
        contype=0,
        conaffinity=0,
    )


LIMB_SHAPES: dict[str, Callable[[mujoco.MjsBody, BipedSize], None]] = {
    "thigh": lambda body, size: _add_limb(
        body, 0.433 * size.thigh, -0.567 * size.thigh, 0.065 * size.scale
    ),
    "shank": lambda body, size: _add_limb(
        body, 0.433 * size.shank, -0.567 * size.shank, 0.045 * size.scale
    ),
}


def _pitched(angle: float) -> Array:
    """Return the quaternion of a rotation about +y."""
    return np.array([math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0])


def _below(angle: float, length: float) -> Vec3:
    """Return the way down a limb pitched by an angle from the vertical."""
    return -length * np.array([math.sin(angle), 0.0, math.cos(angle)])


def _ankle_at_start(size: BipedSize) -> Vec3:
    """Return the left ankle from the trunk's centre, in the world, at the start."""
    thigh = START_LEAN + START_ANGLES[1]
    shank = thigh + START_ANGLES[3]
    hip = _hip_below(size, START_LEAN)
    return hip + _below(thigh, size.thigh) + _below(shank, size.shank)


def _hip_below(size: BipedSize, lean: float) -> Vec3:
    """Return the left hip from the trunk's centre, in the world."""
    return np.array([0.0, size.hip[1], 0.0]) + _below(lean, -size.hip[2])


def _start_pose(size: BipedSize) -> Array:
    """Return the paper's initial posture, (nq,), its height solved for the soles."""
    place = np.array([0.0, 0.0, CLEARANCE + size.length(ANKLE_HEIGHT)])
    place[2] -= _ankle_at_start(size)[2]
    return np.hstack([place, _pitched(START_LEAN), START_ANGLES, START_ANGLES])


def _set_pose(size: BipedSize) -> Array:
    """Return the posture at the set point, (nq,): soles flat where they began.

    Two limbs in a plane: the knee from the law of cosines, the hip from what is left.
    """
    place, quat = set_point(size)
    ankle = _ankle_at_start(size)
    ankle[2] = size.length(ANKLE_HEIGHT)
    way = ankle - (place + _hip_below(size, SET_LEAN))
    reach = math.hypot(way[0], way[2])
    cosine = (reach**2 - size.thigh**2 - size.shank**2) / (2 * size.thigh * size.shank)
    knee = -math.acos(cosine)
    bend = math.atan2(
        size.shank * math.sin(knee), size.thigh + size.shank * math.cos(knee)
    )
    thigh = math.atan2(-way[0], -way[2]) - bend
    hip, foot = thigh - SET_LEAN, -(thigh + knee)
    leg = np.array([0.0, hip, 0.0, knee, 0.0, foot])
    return np.hstack([place, quat, leg, leg])
