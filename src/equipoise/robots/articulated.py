"""Machines with a mammal's legs: hip roll, hip pitch and knee, upright under the trunk.

A leg hangs straight down at zero; its first joint swings it aside, the second forward,
the third bends its knee. Segments are even rods; the block that carries the first joint
weighs something too, at the hip.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.robots.drives import Drive
from equipoise.robots.robot import Robot
from equipoise.robots.sliding import LEG_NAMES
from equipoise.robots.source import (
    Provenance,
    Source,
    Stated,
    expect_sources,
    facts_from,
)

__all__ = ["ArticulatedBuild", "articulated_machine", "articulated_provenance"]

JOINTS = ("hip_roll", "hip_pitch", "knee")
AXES = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, -1.0, 0.0))
LIMB, SHANK, PAD = (
    (0.30, 0.47, 0.66, 1.0),
    (0.62, 0.65, 0.68, 1.0),
    (0.2, 0.2, 0.2, 1.0),
)
TRUNK = (0.75, 0.72, 0.62, 1.0)
Three = tuple[float, float, float]
MEANINGS: dict[str, tuple[str, str]] = {
    "mass": ("mass of the whole machine", "kg"),
    "trunk_mass": ("mass of the trunk", "kg"),
    "trunk_inertia": ("moments of inertia of the trunk", "kg m²"),
    "trunk_size": ("box that the trunk touches the ground with", "m"),
    "hips": ("hips forward and left of the trunk's centre", "m"),
    "lengths": ("thigh and shank", "m"),
    "masses": ("hip block, thigh and shank", "kg"),
    "lower": ("least angles of a leg's joints", "rad"),
    "upper": ("largest angles of a leg's joints", "rad"),
    "height": ("height of the hips as it stands", "m"),
    "torque": ("largest torques of a leg's drives", "N m"),
    "speed": ("largest speed of a drive", "rad/s"),
    "rotor": ("inertia of a drive, seen from the joint", "kg m²"),
    "bandwidth": ("bandwidth of a drive's torque", "Hz"),
    "valve": ("bandwidth of its valve alone", "Hz"),
    "foot_radius": ("radius of a foot", "m"),
    "rate": ("rate of the legs' controllers", "1/s"),
}
"""What each number means, and its unit."""
ROUNDING = 1e-9  # of the sum of all masses [kg]


@final
@dataclass(frozen=True, kw_only=True)
class ArticulatedBuild:
    """Design of such a machine, with the source of each number.

    Raises:
        ConfigError: a number without a source, or parts that do not add up.
        UnknownNameError: a sensor that there is not.
    """

    name: str
    sources: Mapping[str, Source]
    """Of every number, by its name here."""
    senses: Mapping[str, Source]
    """Its sensors, by the names of ``robots.senses.SENSES``."""
    simplified: tuple[str, ...]
    """What the machine had and this has not, a phrase each."""
    mass: float
    """Of the whole machine [kg]."""
    trunk_mass: float
    """[kg]."""
    trunk_inertia: Three
    """About its centre [kg m²]."""
    trunk_size: Three
    """A box [m]."""
    hips: tuple[tuple[float, float], ...]
    """Forward and left of the trunk's centre, front to rear, left before right [m]."""
    lengths: tuple[float, float]
    """Of thigh and shank, to the middle of the foot [m]."""
    masses: Three
    """Of hip block, thigh and shank [kg]."""
    lower: Three
    """Least angles of hip roll, hip pitch and knee [rad]."""
    upper: Three
    """Largest [rad]."""
    height: float
    """Of the hips over the ground as it stands, feet below them [m]."""
    torque: Three
    """Largest [N m]."""
    speed: float
    """[rad/s]."""
    rotor: float
    """[kg m²]."""
    foot_radius: float
    """[m]."""
    rate: float = 500.0
    """Of the legs' controllers [1/s]."""
    bandwidth: float | None = None
    """Of the torque where a valve gives it; None for motors [Hz]."""
    valve: float | None = None
    """And of the valve alone [Hz]."""

    def __post_init__(self) -> None:
        """Refuse a number of which nobody knows where it comes from."""
        where = f"the build of '{self.name}'"
        expect_sources(self.numbers, self.sources, where)
        parts = self.trunk_mass + len(self.hips) * sum(self.masses)
        if abs(parts - self.mass) > ROUNDING:
            problem = f"its parts weigh {parts:g} kg, all of it {self.mass:g} kg"
            raise ConfigError(where, [problem])

    @property
    def numbers(self) -> dict[str, Any]:
        """All numbers by name."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        words = ("name", "sources", "senses", "simplified")
        return {k: v for k, v in own.items() if k not in words and v is not None}

    @property
    def stand(self) -> Three:
        """Angles of a leg whose foot is below its hip [rad]."""
        thigh, shank = self.lengths
        reach = self.height - self.foot_radius
        knee = math.acos((reach**2 - thigh**2 - shank**2) / (2.0 * thigh * shank))
        pitch = math.atan2(shank * math.sin(knee), thigh + shank * math.cos(knee))
        return 0.0, pitch, -knee

    @property
    def drives(self) -> tuple[Drive, ...]:
        """Of a leg."""
        motors = [Drive.of_limits(t, self.speed, self.rotor) for t in self.torque]
        if self.bandwidth is None or self.valve is None:
            return tuple(motors)
        return tuple(m.behind_valve(self.bandwidth, self.valve) for m in motors)


def articulated_provenance(build: ArticulatedBuild) -> Provenance:
    """Return where a machine's numbers and sensors come from.

    Args:
        build: how it is built.
    """
    numbers = build.numbers
    stated = {name: Stated(*MEANINGS[name], build.sources[name]) for name in numbers}
    facts = facts_from(numbers, stated, f"'{build.name}'")
    return Provenance(facts=facts, senses=build.senses, simplified=build.simplified)


def articulated_machine(build: ArticulatedBuild) -> Robot:
    """Return such a machine, standing.

    Joints are ``<leg>_hip_roll``, ``<leg>_hip_pitch`` and ``<leg>_knee``; positive
    pitch swings the leg forward, the knee bends with negative angles.

    Args:
        build: how it is built.
    """
    spec = mujoco.MjSpec()
    spec.modelname = build.name
    spec.compiler.fusestatic, spec.compiler.degree = False, False
    trunk = spec.worldbody.add_body(name="trunk", pos=[0.0, 0.0, build.height])
    trunk.add_freejoint(name="base")
    trunk.explicitinertial = True
    trunk.mass, trunk.inertia = build.trunk_mass, build.trunk_inertia
    trunk.ipos = np.zeros(3)
    trunk.add_geom(
        name="trunk",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=0.5 * np.array(build.trunk_size),
        rgba=TRUNK,
    )
    names = LEG_NAMES[len(build.hips)]
    for name, hip in zip(names, build.hips, strict=True):
        _add_leg(spec, trunk, build, name, hip)
    start = [0.0, 0.0, build.height, 1.0, 0.0, 0.0, 0.0, *build.stand * len(names)]
    spec.add_key(name="start", qpos=start)
    return Robot(
        build.name,
        spec,
        base="trunk",
        feet=tuple(f"{name}_foot" for name in names),
        legs=tuple(f"{name}_hip" for name in names),
        drives=build.drives * len(names),
        senses=frozenset(build.senses),
        period=1.0 / build.rate,
    )


def _add_leg(
    spec: mujoco.MjSpec,
    trunk: mujoco.MjsBody,
    build: ArticulatedBuild,
    name: str,
    hip: tuple[float, float],
) -> None:
    """Add a leg's hip block, its segments, joints and foot."""
    bodies, body = ("hip", "thigh", "shank"), trunk
    places = ((hip[0], hip[1], 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, -build.lengths[0]))
    radius = build.foot_radius
    for k, joint in enumerate(JOINTS):
        body = body.add_body(name=f"{name}_{bodies[k]}", pos=places[k])
        body.add_joint(
            name=f"{name}_{joint}",
            type=mujoco.mjtJoint.mjJNT_HINGE,
            axis=AXES[k],
            limited=mujoco.mjtLimited.mjLIMITED_TRUE,
            range=[build.lower[k], build.upper[k]],
        )
        shape: dict[str, Any] = {
            "type": mujoco.mjtGeom.mjGEOM_CYLINDER,
            "fromto": [-radius, 0.0, 0.0, radius, 0.0, 0.0],
            "size": [1.5 * radius, 0.0, 0.0],
        }
        if k > 0:
            shape = {
                "type": mujoco.mjtGeom.mjGEOM_CAPSULE,
                "fromto": [0.0, 0.0, 0.0, 0.0, 0.0, -build.lengths[k - 1]],
                "size": [radius * (1.0 if k == 1 else 0.7), 0.0, 0.0],
            }
        body.add_geom(
            **shape,
            mass=build.masses[k],
            rgba=SHANK if k == 2 else LIMB,
            contype=0,
            conaffinity=0,
        )
        motor = spec.add_actuator(name=f"{name}_{joint}", target=f"{name}_{joint}")
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
        motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
        motor.ctrlrange = [-build.torque[k], build.torque[k]]
    body.add_geom(
        name=f"{name}_foot",
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[radius, 0.0, 0.0],
        pos=[0.0, 0.0, -build.lengths[1]],
        mass=0.0,
        rgba=PAD,
    )
