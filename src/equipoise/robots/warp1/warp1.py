"""WARP1, the four-legged walking platform of [Ridderstrom2003], and its variants.

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
from equipoise.robots.senses import WARP1_SENSES
from equipoise.robots.source import Stated, chosen, follows, printed
from equipoise.robots.warp1.options import Warp1Options

__all__ = ["LEGS", "SOURCES", "warp1"]

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
ROLL, PITCH, KNEE = np.deg2rad([(-30.0, 30.0), (-45.0, 80.0), (-110.0, 5.0)])
# What the thesis gives no numbers for: a foot below an ankle, cut off the shank.
FOOT, FOOT_MASS, FOOT_CENTRE, FOOT_INERTIA = 0.06, 0.3, 0.03, (1e-4, 1e-4, 1e-4)
ANKLE = np.deg2rad((-70.0, 70.0))
PAYLOAD_SIZE, PAYLOAD_HEIGHT = (0.4, 0.3, 0.06), 0.12  # iron up to 56 kg [m]
METAL, LIMB, PAD = (0.62, 0.65, 0.68, 1.0), (0.30, 0.47, 0.66, 1.0), (0.2, 0.2, 0.2, 1)
LOAD = (0.80, 0.40, 0.10, 1.0)
FORWARD, ACROSS = (1.0, 0.0, 0.0), (0.0, -1.0, 0.0)
TABLE_51 = printed("[Ridderstrom2003] table 5.1")
TABLE_52 = printed("[Ridderstrom2003] table 5.2")
TABLE_64 = printed("[Ridderstrom2003] table 6.4")
TABLE_65 = printed("[Ridderstrom2003] table 6.5")
CUT = chosen("the thesis has no ankle; taken from the shank")
SOURCES = {
    "TRUNK_MASS": Stated("mass of the trunk, hip drives in it", "kg", TABLE_65),
    "TRUNK_INERTIA": Stated("moments of inertia of the trunk", "kg m²", TABLE_65),
    "TRUNK_SIZE": Stated("size of the trunk", "m", TABLE_51),
    "HIP": Stated("half distances of the hips, and their height", "m", TABLE_64),
    "HIPS_BACK": Stated("how far back their middle is", "m", TABLE_64),
    "THIGH": Stated("hip to knee", "m", TABLE_64),
    "SHANK": Stated("knee to foot", "m", TABLE_64),
    "THIGH_MASS": Stated("mass of a thigh", "kg", TABLE_65),
    "SHANK_MASS": Stated("mass of a shank", "kg", TABLE_65),
    "THIGH_CENTRE": Stated("its centre down the thigh", "m", TABLE_64),
    "SHANK_CENTRE": Stated("its centre down the shank", "m", TABLE_64),
    "THIGH_ASIDE": Stated("its centre towards the robot's middle", "m", TABLE_64),
    "SHANK_ASIDE": Stated("its centre towards the robot's middle", "m", TABLE_64),
    "THIGH_INERTIA": Stated("moments of inertia of a thigh", "kg m²", TABLE_65),
    "SHANK_INERTIA": Stated("moments of inertia of a shank", "kg m²", TABLE_65),
    "FOOT_RADIUS": Stated(
        "radius of a foot",
        "m",
        chosen("[Ridderstrom2003] section 6.1.2 prints about 2 cm"),
    ),
    "HIP_HEIGHT": Stated(
        "height of the hips as it stands", "m", chosen("as it walks in the thesis")
    ),
    "HIP_DRIVE": Stated("drive of hip roll: torque, speed", "N m, rad/s", TABLE_52),
    "LIMB_DRIVE": Stated(
        "drives of hip pitch and knee: torque, speed", "N m, rad/s", TABLE_52
    ),
    "ROLL": Stated("stops of hip roll", "rad", TABLE_52),
    "PITCH": Stated("stops of hip pitch", "rad", TABLE_52),
    "KNEE": Stated("stops of the knee", "rad", TABLE_52),
    "FOOT": Stated("length of a foot below an ankle", "m", CUT),
    "FOOT_MASS": Stated("its mass", "kg", CUT),
    "FOOT_CENTRE": Stated("its centre below the ankle", "m", CUT),
    "FOOT_INERTIA": Stated("its moments of inertia", "kg m²", CUT),
    "ANKLE": Stated("stops of an ankle", "rad", CUT),
    "PAYLOAD_SIZE": Stated("size of a payload", "m", chosen("iron up to 56 kg")),
    "PAYLOAD_HEIGHT": Stated(
        "its centre above the trunk's", "m", follows("sizes of trunk and payload")
    ),
}
"""What the numbers above mean, and where each comes from."""


def warp1(options: Warp1Options | None = None) -> Robot:
    """Return WARP1 standing on its feet, each under its hip.

    Joints ``<leg>_hip_roll``, ``<leg>_hip_pitch`` and ``<leg>_knee``; positive pitch
    swings the leg forward, the knee bends with negative angles where its cap points
    forward. Feet are spheres about the thesis's points P. Keyframe ``start`` has the
    hips 0.50 m above the ground.

    Joints stop where table 5.2 says, and each has a motor of its drive's torque, leg by
    leg. What the drives' rotors weigh is not in the specification but in ``drives``.

    Args:
        options: knees, places and number of legs, payload; None for the thesis's.
    """
    options = options or Warp1Options()
    spec = mujoco.MjSpec()
    spec.modelname = "warp1"
    spec.compiler.degree = False
    spec.compiler.fusestatic = False
    start = _start_pose(options)
    trunk = spec.worldbody.add_body(name="trunk", pos=start[:3])
    trunk.add_freejoint(name="base")
    _set_mass(trunk, TRUNK_MASS, np.zeros(3), TRUNK_INERTIA)
    trunk.add_geom(
        name="trunk",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=0.5 * np.array(TRUNK_SIZE),
        rgba=METAL,
    )
    names, drives = options.leg_names, []
    for k in range(len(names)):
        drives += _add_leg(spec, trunk, options, k)
    if options.payload:
        _add_payload(trunk, options.payload)
    spec.add_key(name="start", qpos=start)
    return Robot(
        "warp1",
        spec,
        base="trunk",
        feet=tuple(f"{leg}_foot" for leg in names),
        legs=tuple(f"{leg}_thigh" for leg in names),
        drives=tuple(drives),
        senses=WARP1_SENSES,
        unladen_mass=TRUNK_MASS + len(names) * (THIGH_MASS + SHANK_MASS),
    )


def _add_leg(
    spec: mujoco.MjSpec, trunk: mujoco.MjsBody, options: Warp1Options, k: int
) -> list[Drive]:
    """Add thigh, shank and foot, all pointing down at zero; return their drives."""
    leg, row, inwards = options.leg_names[k], k // 2, -1.0 if k % 2 == 0 else 1.0
    bend, joints, drives = options.bend(row), options.leg_joints, []

    def hinge(body: mujoco.MjsBody, joint: str, reach: Array, drive: Drive) -> None:
        axis = FORWARD if joint == "hip_roll" else ACROSS
        _add_hinge(spec, body, f"{leg}_{joint}", axis, reach, drive)
        drives.append(drive)

    hip = np.array([_hip_along(options, row), -inwards * options.half_width, HIP[2]])
    thigh = trunk.add_body(name=f"{leg}_thigh", pos=hip)
    place = np.array([0.0, inwards * THIGH_ASIDE, -THIGH_CENTRE])
    _set_mass(thigh, THIGH_MASS, place, THIGH_INERTIA)
    if joints >= 3:
        hinge(thigh, "hip_roll", ROLL, HIP_DRIVE)
    hinge(thigh, "hip_pitch", _bent(PITCH, bend), LIMB_DRIVE)
    _add_limb(thigh, THIGH, 0.04)
    shank = thigh.add_body(name=f"{leg}_shank", pos=[0.0, 0.0, -THIGH])
    if joints >= 2:
        hinge(shank, "knee", _bent(KNEE, bend), LIMB_DRIVE)
    last, length = shank, SHANK
    if joints == 4:
        last, length = _add_ankle(shank, leg, inwards), FOOT
        hinge(last, "ankle", ANKLE, HIP_DRIVE)
    else:
        place = np.array([0.0, inwards * SHANK_ASIDE, -SHANK_CENTRE])
        _set_mass(shank, SHANK_MASS, place, SHANK_INERTIA)
        _add_limb(shank, SHANK, 0.025)
    last.add_geom(
        name=f"{leg}_foot",
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[FOOT_RADIUS, 0.0, 0.0],
        pos=[0.0, 0.0, -length],
        rgba=PAD,
    )
    return drives


def _add_ankle(shank: mujoco.MjsBody, leg: str, inwards: float) -> mujoco.MjsBody:
    """Cut a foot off the shank and return it; straight, both are the shank they were.

    m = m₁ + m₂, m c = m₁ c₁ + m₂ c₂ and I = I₁ + m₁ (c₁ - c)² + I₂ + m₂ (c₂ - c)²
    """
    low = SHANK - FOOT + FOOT_CENTRE
    mass = SHANK_MASS - FOOT_MASS
    high = (SHANK_MASS * SHANK_CENTRE - FOOT_MASS * low) / mass
    shift = mass * (high - SHANK_CENTRE) ** 2 + FOOT_MASS * (low - SHANK_CENTRE) ** 2
    across = SHANK_INERTIA[0] - FOOT_INERTIA[0] - shift
    along = SHANK_INERTIA[2] - FOOT_INERTIA[2]
    aside = inwards * SHANK_ASIDE
    _set_mass(shank, mass, np.array([0.0, aside, -high]), (across, across, along))
    _add_limb(shank, SHANK - FOOT, 0.025)
    foot = shank.add_body(name=f"{leg}_foot", pos=[0.0, 0.0, FOOT - SHANK])
    _set_mass(foot, FOOT_MASS, np.array([0.0, aside, -FOOT_CENTRE]), FOOT_INERTIA)
    _add_limb(foot, FOOT, 0.02)
    return foot


def _add_payload(trunk: mujoco.MjsBody, mass: float) -> None:
    """Tie a box to the trunk's back: I_x = m (b² + c²) / 12, and so on round."""
    a, b, c = (side**2 for side in PAYLOAD_SIZE)
    box = trunk.add_body(name="payload", pos=[0.0, 0.0, PAYLOAD_HEIGHT])
    inertia = (mass * (b + c) / 12.0, mass * (a + c) / 12.0, mass * (a + b) / 12.0)
    _set_mass(box, mass, np.zeros(3), inertia)
    box.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=0.5 * np.array(PAYLOAD_SIZE),
        rgba=LOAD,
        contype=0,
        conaffinity=0,
    )


def _set_mass(
    body: mujoco.MjsBody, mass: float, centre: Vec3, inertia: tuple[float, float, float]
) -> None:
    """Give a body its mass about its centre, in axes parallel to its frame."""
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = mass, centre, inertia


def _add_hinge(
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


def _add_limb(body: mujoco.MjsBody, length: float, radius: float) -> None:
    """Add a limb to look at; only feet and trunk collide."""
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE,
        fromto=[0.0, 0.0, 0.0, 0.0, 0.0, -length],
        size=[radius, 0.0, 0.0],
        rgba=LIMB,
        contype=0,
        conaffinity=0,
    )


def _hip_along(options: Warp1Options, row: int) -> float:
    """Return how far before the trunk's centre of mass a row of hips is [m]."""
    rows = options.legs // 2
    share = 0.5 - row / (rows - 1) if rows > 1 else 0.0
    return share * options.leg_spacing - HIPS_BACK


def _bent(reach: Array, bend: float) -> Array:
    """Return a range of angles, mirrored for a knee that bends the other way."""
    return reach if bend < 0.0 else -reach[::-1]


def _start_pose(options: Warp1Options) -> Array:
    """Return the standing posture, (nq,): each foot under its hip, on the ground."""
    height = options.height if options.leg_joints > 1 else THIGH + SHANK + FOOT_RADIUS
    below = (
        FOOT if options.leg_joints == 4 else 0.0
    )  # the foot hangs down from its ankle
    pitch, knee = _leg_bend(height - FOOT_RADIUS - below, THIGH, SHANK - below)
    angles = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    angles[2] = height - HIP[2]
    for k in range(options.legs):
        turn = -options.bend(k // 2)
        leg = [0.0, turn * pitch, turn * knee, -turn * (pitch + knee)]
        own = {1: [0.0], 2: leg[1:3], 3: leg[:3], 4: leg}
        angles += own[options.leg_joints]
    return np.array(angles)


def _leg_bend(reach: float, thigh: float, shank: float) -> tuple[float, float]:
    """Return hip pitch and knee angle that put the ankle or foot under the hip."""
    cosine = (reach**2 - thigh**2 - shank**2) / (2.0 * thigh * shank)
    knee = -math.acos(min(cosine, 1.0))
    pitch = -math.atan2(shank * math.sin(knee), thigh + shank * math.cos(knee))
    return pitch, knee
