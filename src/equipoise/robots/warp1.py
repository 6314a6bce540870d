"""WARP1, the four-legged walking platform of [Ridderstrom2003]: its rigid bodies.

Tables 6.4 and 6.5, corrected: as printed the hips of legs 1 and 3 coincide, and so do
those of 2 and 4; they are 0.31 m before and behind a point 0.02 m behind the trunk's
centre of mass. The hip turns the leg about the forward axis first (h2 = b1, as in the
caption of figure 6.3), then about the leg plane's normal; knee angles are relative to
the thigh. Trunk 37.6 kg with the hip drives lumped into it, 60.4 kg in all.

The trunk's frame lies at its centre of mass: x forward, y left, z up.
"""

import math

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.robots.drives import Drive
from equipoise.robots.robot import Robot

__all__ = ["LEGS", "warp1"]

LEGS = ("front_left", "front_right", "rear_left", "rear_right")
"""The thesis's legs 1 to 4."""
TRUNK_MASS, TRUNK_INERTIA = 37.6, (1.6, 3.4, 4.3)
TRUNK_SIZE = (0.8, 0.4, 0.18)  # table 5.1 [m]
HIP = (0.31, 0.25, -0.14)  # half distances of the hips, and their height [m]
HIPS_BACK = 0.02  # their middle from the trunk's centre of mass [m]
THIGH, SHANK = 0.29, 0.30  # hip to knee, knee to foot [m]
THIGH_MASS, SHANK_MASS = 3.7, 2.0
THIGH_CENTRE, SHANK_CENTRE = 0.15, 0.05  # down the limb [m]
THIGH_ASIDE, SHANK_ASIDE = 0.02, 0.03  # towards the robot's middle [m]
THIGH_INERTIA, SHANK_INERTIA = (0.03, 0.03, 0.003), (0.02, 0.02, 0.001)
FOOT_RADIUS = 0.025  # [m]
HIP_HEIGHT = 0.50  # above the ground as it stands [m]
HIP_DRIVE = Drive(
    torque_constant=10.0, resistance=2.0, current_rise=0.7e-3, inertia=1.0
)  # abduction, table 5.2: 50 N m at 5 A, 48 V at 4.8 rad/s
LIMB_DRIVE = Drive()  # flexion of hip and knee
RANGES = np.deg2rad([(-30.0, 30.0), (-45.0, 80.0), (-110.0, 5.0)])  # table 5.2
METAL, LIMB, PAD = (0.62, 0.65, 0.68, 1.0), (0.30, 0.47, 0.66, 1.0), (0.2, 0.2, 0.2, 1)


def warp1() -> Robot:
    """Return WARP1 standing on its four feet, each under its hip, knees forward.

    Joints ``<leg>_hip_roll``, ``<leg>_hip_pitch`` and ``<leg>_knee``; positive pitch
    swings the leg forward, the knee bends with negative angles. Feet are spheres about
    the thesis's points P. Keyframe ``start`` has the hips 0.50 m above the ground.

    Joints stop where table 5.2 says, and each has a motor of its drive's torque, leg by
    leg. What the drives' rotors weigh is not in the specification but in ``drives``.
    """
    spec = mujoco.MjSpec()
    spec.modelname = "warp1"
    spec.compiler.degree = False
    spec.compiler.fusestatic = False
    trunk = spec.worldbody.add_body(name="trunk", pos=[0.0, 0.0, trunk_height()])
    trunk.add_freejoint(name="base")
    set_mass(trunk, TRUNK_MASS, np.zeros(3), TRUNK_INERTIA)
    trunk.add_geom(
        name="trunk",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=0.5 * np.array(TRUNK_SIZE),
        rgba=METAL,
    )
    for leg in LEGS:
        add_leg(spec, trunk, leg)
    spec.add_key(name="start", qpos=start_pose())
    feet = tuple(f"{leg}_foot" for leg in LEGS)
    legs = tuple(f"{leg}_thigh" for leg in LEGS)
    drives = (HIP_DRIVE, LIMB_DRIVE, LIMB_DRIVE) * len(LEGS)
    return Robot("warp1", spec, base="trunk", feet=feet, legs=legs, drives=drives)


def add_leg(spec: mujoco.MjSpec, trunk: mujoco.MjsBody, leg: str) -> None:
    """Add thigh, shank and foot, all pointing down at zero, and their motors."""
    row, side = leg.split("_")
    inwards = -1.0 if side == "left" else 1.0
    x = HIP[0] if row == "front" else -HIP[0]
    hip = np.array([x - HIPS_BACK, -inwards * HIP[1], HIP[2]])
    thigh = trunk.add_body(name=f"{leg}_thigh", pos=hip)
    place = np.array([0.0, inwards * THIGH_ASIDE, -THIGH_CENTRE])
    set_mass(thigh, THIGH_MASS, place, THIGH_INERTIA)
    roll, pitch, knee = RANGES
    add_hinge(spec, thigh, f"{leg}_hip_roll", (1.0, 0.0, 0.0), roll, HIP_DRIVE)
    add_hinge(spec, thigh, f"{leg}_hip_pitch", (0.0, -1.0, 0.0), pitch, LIMB_DRIVE)
    add_limb(thigh, THIGH, 0.04)
    shank = thigh.add_body(name=f"{leg}_shank", pos=[0.0, 0.0, -THIGH])
    place = np.array([0.0, inwards * SHANK_ASIDE, -SHANK_CENTRE])
    set_mass(shank, SHANK_MASS, place, SHANK_INERTIA)
    add_hinge(spec, shank, f"{leg}_knee", (0.0, -1.0, 0.0), knee, LIMB_DRIVE)
    add_limb(shank, SHANK, 0.025)
    shank.add_geom(
        name=f"{leg}_foot",
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[FOOT_RADIUS, 0.0, 0.0],
        pos=[0.0, 0.0, -SHANK],
        rgba=PAD,
    )


def set_mass(
    body: mujoco.MjsBody, mass: float, centre: Vec3, inertia: tuple[float, float, float]
) -> None:
    """Give a body its mass about its centre, in axes parallel to its frame."""
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = mass, centre, inertia


def add_hinge(
    spec: mujoco.MjSpec,
    body: mujoco.MjsBody,
    name: str,
    axis: tuple[float, float, float],
    reach: Array,
    drive: Drive,
) -> None:
    """Add a joint at the body's origin, with its stops and its motor."""
    body.add_joint(
        name=name,
        type=mujoco.mjtJoint.mjJNT_HINGE,
        axis=axis,
        limited=mujoco.mjtLimited.mjLIMITED_TRUE,
        range=reach,
    )
    motor = spec.add_actuator(name=name, target=name)
    motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
    motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
    motor.ctrlrange = [-drive.torque, drive.torque]


def add_limb(body: mujoco.MjsBody, length: float, radius: float) -> None:
    """Add a limb to look at; only feet and trunk collide."""
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE,
        fromto=[0.0, 0.0, 0.0, 0.0, 0.0, -length],
        size=[radius, 0.0, 0.0],
        rgba=LIMB,
        contype=0,
        conaffinity=0,
    )


def trunk_height() -> float:
    """Return the trunk's height as it stands [m]."""
    return HIP_HEIGHT - HIP[2]


def start_pose() -> Array:
    """Return the standing posture, (nq,): each foot under its hip, on the ground."""
    reach = HIP_HEIGHT - FOOT_RADIUS
    cosine = (reach**2 - THIGH**2 - SHANK**2) / (2.0 * THIGH * SHANK)
    knee = -math.acos(cosine)
    pitch = -math.atan2(SHANK * math.sin(knee), THIGH + SHANK * math.cos(knee))
    place = [0.0, 0.0, trunk_height(), 1.0, 0.0, 0.0, 0.0]
    return np.array(place + [0.0, pitch, knee] * len(LEGS))
