"""Machines with an insect's legs: a hinge upright at the body, then two across.

A leg stands out from the trunk; its first joint swings it forward, the second lifts it,
the third bends its knee. Angles count from a leg stretched out level, sideways or as
far forward in front and back in the rear as legs are splayed.
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

__all__ = ["SprawlingBuild", "sprawling_machine", "sprawling_provenance"]

JOINTS = ("swing", "lift", "bend")
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
    "trunk_size": ("box of the trunk", "m"),
    "hips": ("hips forward and left of the trunk's centre", "m"),
    "lengths": ("segments of a leg", "m"),
    "masses": ("masses of a leg's segments", "kg"),
    "lower": ("least angles of a leg's joints", "rad"),
    "upper": ("largest angles of a leg's joints", "rad"),
    "stand": ("angles of a leg's joints as it stands", "rad"),
    "splay": ("of legs from sideways: front ones forward, rear ones back", "rad"),
    "torque": ("largest torque of a drive", "N m"),
    "speed": ("largest speed of a drive", "rad/s"),
    "rotor": ("inertia of a drive's rotor, seen from the joint", "kg m²"),
    "foot_radius": ("radius of a foot", "m"),
    "outside": ("length, width and height over all", "m"),
}
"""What each number means, and its unit."""
ROUNDING = 1e-9  # of the sum of all masses [kg]


@final
@dataclass(frozen=True, kw_only=True)
class SprawlingBuild:
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
    trunk_size: Three
    """A box, filled evenly [m]."""
    hips: tuple[tuple[float, float], ...]
    """Forward and left of the trunk's centre, front to rear, left before right [m]."""
    lengths: Three
    """Of a leg's segments [m]."""
    masses: Three
    """Of a leg's segments, even rods [kg]."""
    lower: Three
    """Least angles of swing, lift and bend [rad]."""
    upper: Three
    """Largest [rad]."""
    stand: Three
    """As it stands [rad]."""
    torque: float
    """[N m]."""
    speed: float
    """[rad/s]."""
    rotor: float
    """[kg m²]."""
    foot_radius: float
    """[m]."""
    splay: float | None = None
    """How far legs of zero swing point forward in front and back in the rear [rad]."""
    outside: Three | None = None
    """Length, width and height over all, where they are known [m]."""

    def __post_init__(self) -> None:
        """Refuse a number of which nobody knows where it comes from."""
        expect_sources(self.numbers, self.sources, f"the build of '{self.name}'")
        parts = self.trunk_mass + len(self.hips) * sum(self.masses)
        if abs(parts - self.mass) > ROUNDING:
            problem = f"its parts weigh {parts:g} kg, all of it {self.mass:g} kg"
            raise ConfigError(f"the build of '{self.name}'", [problem])

    @property
    def numbers(self) -> dict[str, Any]:
        """All numbers by name."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        words = ("name", "sources", "senses", "simplified")
        return {k: v for k, v in own.items() if k not in words and v is not None}

    @property
    def height(self) -> float:
        """Of the hips over the ground as it stands [m]."""
        _, lift, bend = self.stand
        low = self.lengths[1] * math.sin(lift) + self.lengths[2] * math.sin(lift + bend)
        return self.foot_radius - low


def sprawling_provenance(build: SprawlingBuild) -> Provenance:
    """Return where a machine's numbers and sensors come from.

    Args:
        build: how it is built.
    """
    numbers = build.numbers
    stated = {name: Stated(*MEANINGS[name], build.sources[name]) for name in numbers}
    facts = facts_from(numbers, stated, f"'{build.name}'")
    return Provenance(facts=facts, senses=build.senses, simplified=build.simplified)


def sprawling_machine(build: SprawlingBuild) -> Robot:
    """Return such a machine, standing.

    Joints are ``<leg>_swing``, ``<leg>_lift`` and ``<leg>_bend``; positive ones swing
    forward, lift and stretch.

    Args:
        build: how it is built.
    """
    spec = mujoco.MjSpec()
    spec.modelname = build.name
    spec.compiler.fusestatic, spec.compiler.degree = False, False
    trunk = spec.worldbody.add_body(name="trunk", pos=[0.0, 0.0, build.height])
    trunk.add_freejoint(name="base")
    trunk.add_geom(
        name="trunk",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=0.5 * np.array(build.trunk_size),
        mass=build.trunk_mass,
        rgba=TRUNK,
    )
    names = LEG_NAMES[len(build.hips)]
    drive = Drive.of_limits(build.torque, build.speed, build.rotor)
    for name, hip in zip(names, build.hips, strict=True):
        _add_leg(spec, trunk, build, name, hip, drive)
    start = [0.0, 0.0, build.height, 1.0, 0.0, 0.0, 0.0, *build.stand * len(names)]
    spec.add_key(name="start", qpos=start)
    return Robot(
        build.name,
        spec,
        base="trunk",
        feet=tuple(f"{name}_foot" for name in names),
        legs=tuple(f"{name}_swing" for name in names),
        drives=(drive,) * (3 * len(names)),
        senses=frozenset(build.senses),
    )


def _add_leg(
    spec: mujoco.MjSpec,
    trunk: mujoco.MjsBody,
    build: SprawlingBuild,
    name: str,
    hip: tuple[float, float],
    drive: Drive,
) -> None:
    """Add a leg's segments, its joints and its foot."""
    side = 1.0 if hip[1] > 0.0 else -1.0
    half = -0.5 * side * math.copysign(build.splay or 0.0, hip[0])
    axes = ((0.0, 0.0, -side), (side, 0.0, 0.0), (side, 0.0, 0.0))
    body, before = trunk, (hip[0], hip[1], 0.0)
    for k, (joint, axis) in enumerate(zip(JOINTS, axes, strict=True)):
        body = body.add_body(name=f"{name}_{joint}", pos=before)
        if k == 0 and build.splay is not None:
            body.quat = [math.cos(half), 0.0, 0.0, math.sin(half)]
        before = (0.0, side * build.lengths[k], 0.0)
        body.add_joint(
            name=f"{name}_{joint}",
            type=mujoco.mjtJoint.mjJNT_HINGE,
            axis=axis,
            limited=mujoco.mjtLimited.mjLIMITED_TRUE,
            range=[build.lower[k], build.upper[k]],
        )
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CAPSULE,
            fromto=[0.0, 0.0, 0.0, *before],
            size=[build.foot_radius, 0.0, 0.0],
            mass=build.masses[k],
            rgba=SHANK if k == 2 else LIMB,
            contype=0,
            conaffinity=0,
        )
        motor = spec.add_actuator(name=f"{name}_{joint}", target=f"{name}_{joint}")
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
        motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
        motor.ctrlrange = [-drive.torque, drive.torque]
    body.add_geom(
        name=f"{name}_foot",
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[build.foot_radius, 0.0, 0.0],
        pos=before,
        mass=0.0,
        rgba=PAD,
    )
