"""SAP, 9 kg on two legs in front and two wheels behind, [Ridderstrom2003] 3.2.3.

Printed are the legs' length and mass, that valves drive them, how fast those are, and
the size over all; the other numbers are ours, and say so. Legs swing in planes upright
and ahead; wheels turn freely.
"""

import math
from math import radians

import mujoco
import numpy as np

from equipoise.robots.drives import Drive
from equipoise.robots.robot import Robot
from equipoise.robots.source import (
    Stated,
    chosen,
    follows,
    printed,
    tried,
)

__all__ = ["SENSES", "SIMPLIFIED", "SOURCES", "sap"]

MASS, TRUNK_MASS, TRUNK_INERTIA = 9.0, 6.4, (0.07, 0.15, 0.18)
TRUNK_SIZE, TRUNK_CENTRE = (0.46, 0.20, 0.10), -0.09
HIP = (0.20, 0.12)  # ahead and aside of the trunk's middle [m]
LENGTHS, LEG_MASSES = (0.2, 0.2), (0.6, 0.4)  # of thigh and shank [m], [kg]
LOWER, UPPER = (radians(-60.0), radians(-120.0)), (radians(80.0), 0.0)
HEIGHT, FOOT_RADIUS = 0.33, 0.02
TORQUE, SPEED, ROTOR = 18.0, 15.0, 0.02
BANDWIDTH, VALVE = 70.0, 200.0  # of torque, and of the valve alone [Hz]
AXLE, WHEEL_RADIUS, WHEEL_MASS = (-0.20, 0.14), 0.05, 0.3
BEARING = 0.01
OUTSIDE = (0.5, 0.3, 0.6)

TEXT = "[Ridderstrom2003] section 3.2.3"
PLAIN = chosen("every machine needs it to know how it moves")
LEG = printed(f"{TEXT}: legs of about 0.4 m and 1 kg")
RALPHY = chosen("as RALPHY's, whose legs it has")
SIMULATED = printed("[Ridderstrom2003] section 3.2.4, of a simulation")
WALKED = tried("walked with these")
SOURCES = {
    "MASS": Stated("mass of the whole machine", "kg", WALKED),
    "TRUNK_MASS": Stated("mass of the trunk", "kg", WALKED),
    "TRUNK_INERTIA": Stated("moments of inertia of the trunk", "kg m²", WALKED),
    "TRUNK_SIZE": Stated("box of the trunk", "m", chosen("from hips to wheels")),
    "TRUNK_CENTRE": Stated(
        "its mass ahead of its middle",
        "m",
        tried("one leg and the wheels carry it"),
    ),
    "HIP": Stated("hips ahead and aside of the trunk's middle", "m", WALKED),
    "LENGTHS": Stated("thigh and shank", "m", LEG),
    "LEG_MASSES": Stated("mass of thigh and shank", "kg", LEG),
    "LOWER": Stated("least angles of hip and knee", "rad", RALPHY),
    "UPPER": Stated("largest angles of hip and knee", "rad", RALPHY),
    "HEIGHT": Stated("height of the hips as it stands", "m", RALPHY),
    "FOOT_RADIUS": Stated("radius of a foot", "m", RALPHY),
    "TORQUE": Stated("largest torque of a drive", "N m", RALPHY),
    "SPEED": Stated("largest speed of a drive", "rad/s", RALPHY),
    "ROTOR": Stated("inertia of a drive, seen from the joint", "kg m²", RALPHY),
    "BANDWIDTH": Stated("bandwidth of a drive's torque", "Hz", SIMULATED),
    "VALVE": Stated("bandwidth of its valve alone", "Hz", SIMULATED),
    "AXLE": Stated("wheels ahead and aside of the trunk's middle", "m", WALKED),
    "WHEEL_RADIUS": Stated("radius of a wheel", "m", follows("OUTSIDE, AXLE")),
    "WHEEL_MASS": Stated("mass of a wheel", "kg", WALKED),
    "BEARING": Stated("friction of a wheel's bearing", "N m", chosen("a ball bearing")),
    "OUTSIDE": Stated("length, width and height over all", "m", printed(TEXT)),
}
"""Where its numbers come from."""
SENSES = {
    "q": printed(TEXT),
    "current": chosen("joint torques are known from the pressures in the chambers"),
    "limit": PLAIN,
    "force": chosen("the legs' law compares forces, so they are measured"),
    "gyro": PLAIN,
    "acceleration": PLAIN,
    "inclination": PLAIN,
}
"""Its sensors, and how that is known."""
SIMPLIFIED = (
    "no mast: what stands above the trunk is not drawn",
    "wheels touch the ground as balls do",
    "no pneumatics: a cylinder is modelled by limits of torque and speed and by a lag",
)
"""What the machine had and its model has not."""

BODY, LIMB, SHANK, DARK = (
    (0.75, 0.72, 0.62, 1.0),
    (0.30, 0.47, 0.66, 1.0),
    (0.62, 0.65, 0.68, 1.0),
    (0.2, 0.2, 0.2, 1.0),
)
SIDES = {"left": 1.0, "right": -1.0}
HINGE = mujoco.mjtJoint.mjJNT_HINGE


def sap() -> Robot:
    """Return the machine, standing with its feet below its hips.

    Joints are ``<side>_hip`` and ``<side>_knee``, zero with a leg straight down and
    positive forward, and ``<side>_wheel``, which nothing drives.
    """
    spec = mujoco.MjSpec()
    spec.modelname = "sap"
    spec.compiler.fusestatic, spec.compiler.degree = False, False
    trunk = spec.worldbody.add_body(name="trunk", pos=[0.0, 0.0, HEIGHT])
    trunk.add_freejoint(name="base")
    trunk.explicitinertial = True
    trunk.mass, trunk.inertia = TRUNK_MASS, TRUNK_INERTIA
    trunk.ipos = [TRUNK_CENTRE, 0.0, 0.0]
    size = 0.5 * np.array(TRUNK_SIZE)
    box = mujoco.mjtGeom.mjGEOM_BOX
    trunk.add_geom(name="trunk", type=box, size=size, rgba=BODY)
    for side, sign in SIDES.items():
        _add_leg(spec, trunk, side, sign)
    for side, sign in SIDES.items():
        _add_wheel(trunk, side, sign)
    legs = [*_stand(), *_stand()]
    spec.add_key(name="start", qpos=[0, 0, HEIGHT, 1, 0, 0, 0, *legs, 0, 0])
    drive = Drive.of_limits(TORQUE, SPEED, ROTOR).behind_valve(BANDWIDTH, VALVE)
    return Robot(
        "sap",
        spec,
        base="trunk",
        feet=tuple(f"{side}_foot" for side in SIDES),
        wheels=tuple(f"{side}_tyre" for side in SIDES),
        legs=tuple(f"{side}_thigh" for side in SIDES),
        drives=(drive,) * 4,
        senses=frozenset(SENSES),
    )


def _stand() -> tuple[float, float]:
    """Return the angles of a leg whose foot is below its hip [rad]."""
    thigh, shank = LENGTHS
    reach = HEIGHT - FOOT_RADIUS
    knee = math.acos((reach**2 - thigh**2 - shank**2) / (2.0 * thigh * shank))
    return math.atan2(shank * math.sin(knee), thigh + shank * math.cos(knee)), -knee


def _add_leg(
    spec: mujoco.MjSpec, trunk: mujoco.MjsBody, side: str, sign: float
) -> None:
    """Add thigh and shank with their joints, and the foot."""
    body, place = trunk, (HIP[0], sign * HIP[1], 0.0)
    for k, (part, joint) in enumerate((("thigh", "hip"), ("shank", "knee"))):
        body = body.add_body(name=f"{side}_{part}", pos=place)
        place = (0.0, 0.0, -LENGTHS[k])
        body.add_joint(
            name=f"{side}_{joint}",
            type=HINGE,
            axis=(0.0, -1.0, 0.0),
            limited=mujoco.mjtLimited.mjLIMITED_TRUE,
            range=[LOWER[k], UPPER[k]],
        )
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CAPSULE,
            fromto=[0.0, 0.0, 0.0, *place],
            size=[FOOT_RADIUS * (1.0 if k == 0 else 0.7), 0.0, 0.0],
            mass=LEG_MASSES[k],
            rgba=LIMB if k == 0 else SHANK,
            contype=0,
            conaffinity=0,
        )
        motor = spec.add_actuator(name=f"{side}_{joint}", target=f"{side}_{joint}")
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
        motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
        motor.ctrlrange = [-TORQUE, TORQUE]
    body.add_geom(
        name=f"{side}_foot",
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[FOOT_RADIUS, 0.0, 0.0],
        pos=place,
        mass=0.0,
        rgba=DARK,
    )


def _add_wheel(trunk: mujoco.MjsBody, side: str, sign: float) -> None:
    """Add a wheel that turns freely: drawn as a disc, touching as a ball."""
    across, along = 0.25 * WHEEL_MASS * WHEEL_RADIUS**2, 0.5 * WHEEL_MASS
    wheel = trunk.add_body(
        name=f"{side}_wheel", pos=[AXLE[0], sign * AXLE[1], WHEEL_RADIUS - HEIGHT]
    )
    wheel.explicitinertial = True
    wheel.mass, wheel.ipos = WHEEL_MASS, np.zeros(3)
    wheel.inertia = [across, along * WHEEL_RADIUS**2, across]
    wheel.add_joint(
        name=f"{side}_wheel", type=HINGE, axis=(0.0, 1.0, 0.0), frictionloss=BEARING
    )
    wheel.add_geom(
        name=f"{side}_tyre",
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[WHEEL_RADIUS, 0.0, 0.0],
        mass=0.0,
        group=3,
    )
    width = 0.01
    wheel.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CYLINDER,
        fromto=[0.0, -width, 0.0, 0.0, width, 0.0],
        size=[WHEEL_RADIUS, 0.0, 0.0],
        mass=0.0,
        rgba=DARK,
        contype=0,
        conaffinity=0,
    )
    x, y, _ = AXLE[0], sign * AXLE[1], 0.0
    trunk.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE,
        fromto=[x, y * 0.6, 0.0, x, y * 0.9, WHEEL_RADIUS - HEIGHT],
        size=[0.4 * FOOT_RADIUS, 0.0, 0.0],
        mass=0.0,
        rgba=SHANK,
        contype=0,
        conaffinity=0,
    )
