"""Machines whose legs are three slides: forward, aside and upright, one on the other.

Pantographs and four-bar linkages of the classic walking machines move a foot along one
axis with one drive each, [Ridderstrom2003] section 3.1; three slides do the same and
keep forces, strokes and speeds. Their masses lie where the slides are, at the hips.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.robots.drives import Drive
from equipoise.robots.robot import Robot
from equipoise.robots.source import (
    Provenance,
    Source,
    Stated,
    expect_sources,
    facts_from,
)

__all__ = ["LEG_NAMES", "SlidingBuild", "sliding_machine", "sliding_provenance"]

AXES = {"forward": (1.0, 0.0, 0.0), "aside": (0.0, 1.0, 0.0), "up": (0.0, 0.0, 1.0)}
PAD = (0.2, 0.2, 0.2, 1.0)
UNSEEN = 3  # group of shapes that touch and are not drawn
Three = tuple[float, float, float]
LEG_NAMES = {
    2 * len(rows): tuple(f"{row}_{side}" for row in rows for side in ("left", "right"))
    for rows in (("front", "rear"), ("front", "middle", "rear"))
}
"""Of machines of four and six legs."""
MEANINGS: dict[str, tuple[str, str]] = {
    "mass": ("mass of the whole machine", "kg"),
    "trunk_mass": ("mass of the trunk", "kg"),
    "trunk_inertia": ("moments of inertia of the trunk", "kg m²"),
    "trunk_size": ("box that the trunk touches the ground with", "m"),
    "hips": ("hips forward and left of the trunk's centre", "m"),
    "masses": ("parts of a leg that move forward, sideways and up", "kg"),
    "forward": ("stroke of a leg forward", "m"),
    "aside": ("stroke of a leg to the left", "m"),
    "up": ("stroke of a leg upwards", "m"),
    "force": ("largest forces of a leg's drives", "N"),
    "speed": ("largest speeds of a leg's drives", "m/s"),
    "rotor": ("what a drive's rotor weighs at the foot", "kg"),
    "foot_radius": ("radius of a foot", "m"),
    "height": ("height of the hips as it stands", "m"),
    "outside": ("length, width and height over all", "m"),
    "trunk_stroke": ("stroke of the trunk's front half upwards, if parted", "m"),
    "trunk_spring": ("spring and damper that hold it then", "N/m, N s/m"),
}
"""What each number means, and its unit."""
ROUNDING = 1e-9  # of the sum of all masses [kg]


@final
@dataclass(frozen=True, kw_only=True)
class SlidingBuild:
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
    """Box to fall on; ``looks.py`` of its folder draws the machine [m]."""
    hips: tuple[tuple[float, float], ...]
    """Forward and left of the trunk's centre, front to rear, left before right [m]."""
    masses: Three
    """Of a leg's parts that move forward, aside and upright [kg]."""
    forward: tuple[float, float]
    """Stroke [m]."""
    aside: tuple[float, float]
    """[m]."""
    up: tuple[float, float]
    """[m]."""
    force: Three
    """Largest of the drives [N]."""
    speed: Three
    """Largest [m/s]."""
    rotor: float
    """What a drive's rotor weighs at the foot [kg]."""
    foot_radius: float
    """[m]."""
    height: float
    """Of the hips over the ground as it stands [m]."""
    outside: Three | None = None
    """Length, width and height over all, where they are known [m]."""
    trunk_stroke: tuple[float, float] | None = None
    """Of the front half of the trunk, upwards, where it can be parted [m]."""
    trunk_spring: tuple[float, float] | None = None
    """Stiffness and damping that hold it then [N/m], [N s/m]."""

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


def sliding_provenance(build: SlidingBuild) -> Provenance:
    """Return where a machine's numbers and sensors come from.

    Args:
        build: how it is built.
    """
    numbers = build.numbers
    stated = {name: Stated(*MEANINGS[name], build.sources[name]) for name in numbers}
    facts = facts_from(numbers, stated, f"'{build.name}'")
    return Provenance(facts=facts, senses=build.senses, simplified=build.simplified)


def sliding_machine(build: SlidingBuild, *, is_parted: bool = False) -> Robot:
    """Return a machine of slides, standing with each foot below its hip.

    Joints are ``<leg>_forward``, ``<leg>_aside`` and ``<leg>_up``, zero as it stands.

    Args:
        build: how it is built.
        is_parted: whether the front half of its trunk slides up and down, held by a
            spring: joint ``trunk_joint``, which nothing drives.

    Raises:
        ConfigError: a trunk that cannot be parted.
    """
    spec = mujoco.MjSpec()
    spec.modelname = build.name
    spec.compiler.fusestatic = False
    trunk = spec.worldbody.add_body(name="trunk", pos=[0.0, 0.0, build.height])
    trunk.add_freejoint(name="base")
    front = _add_front(trunk, build) if is_parted else trunk
    if not is_parted:
        _set_mass(trunk, build.trunk_mass, build.trunk_inertia)
        _add_box(trunk, "trunk", build.trunk_size, 0.0)
    names = LEG_NAMES[len(build.hips)]
    drives: list[Drive] = []
    for name, hip in zip(names, build.hips, strict=True):
        drives += _add_leg(spec, front if hip[0] > 0.0 else trunk, build, name, hip)
    start = np.zeros(7 + is_parted + 3 * len(names))
    start[2], start[3] = build.height, 1.0
    spec.add_key(name="start", qpos=start)
    return Robot(
        build.name,
        spec,
        base="trunk",
        feet=tuple(f"{name}_foot" for name in names),
        legs=tuple(f"{name}_forward" for name in names),
        drives=tuple(drives),
        senses=frozenset(build.senses),
    )


def _add_front(trunk: mujoco.MjsBody, build: SlidingBuild) -> mujoco.MjsBody:
    """Make the trunk its rear half, and return the front one, on a sprung slide.

    Halves weigh the same, a quarter of the length before and behind the middle. At zero
    they are the trunk they were: I = 2 I' + m d² about y and z, I = 2 I' about x.
    """
    if build.trunk_stroke is None or build.trunk_spring is None:
        problem = "its trunk is one part; leave is_parted out"
        raise ConfigError(f"the build of '{build.name}'", [problem])
    length, width, tall = build.trunk_size
    away, half = 0.25 * length, 0.5 * build.trunk_mass
    x, y, z = (0.5 * moment for moment in build.trunk_inertia)
    inertia = (x, y - half * away**2, z - half * away**2)
    front = trunk.add_body(name="front")
    stiffness, damping = build.trunk_spring
    front.add_joint(
        name="trunk_joint",
        type=mujoco.mjtJoint.mjJNT_SLIDE,
        axis=AXES["up"],
        limited=mujoco.mjtLimited.mjLIMITED_TRUE,
        range=build.trunk_stroke,
        stiffness=stiffness,
        damping=damping,
    )
    for body, name, side in ((trunk, "trunk", -1.0), (front, "front", 1.0)):
        _set_mass(body, half, inertia)
        body.ipos = [side * away, 0.0, 0.0]
        _add_box(body, name, (0.5 * length, width, tall), side * away)
    return front


def _add_box(body: mujoco.MjsBody, name: str, size: Three, ahead: float) -> None:
    """Add a box that touches the ground when it falls."""
    body.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=0.5 * np.array(size),
        pos=[ahead, 0.0, 0.5 * size[2]],
        group=UNSEEN,
    )


def _add_leg(
    spec: mujoco.MjSpec,
    trunk: mujoco.MjsBody,
    build: SlidingBuild,
    name: str,
    hip: tuple[float, float],
) -> list[Drive]:
    """Add the slides of a leg, its shank and its foot; return its drives."""
    body, drives, below = trunk, list[Drive](), build.height - build.foot_radius
    for k, (way, axis) in enumerate(AXES.items()):
        place = [*hip, 0.0] if k == 0 else [0.0, 0.0, 0.0]
        body = body.add_body(name=f"{name}_{way}", pos=place)
        mass = build.masses[k]
        _set_mass(body, mass, tuple(mass * np.full(3, 0.01)))
        drive = Drive.of_limits(build.force[k], build.speed[k], build.rotor)
        body.add_joint(
            name=f"{name}_{way}",
            type=mujoco.mjtJoint.mjJNT_SLIDE,
            axis=axis,
            limited=mujoco.mjtLimited.mjLIMITED_TRUE,
            range=getattr(build, way),
        )
        motor = spec.add_actuator(name=f"{name}_{way}", target=f"{name}_{way}")
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
        motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
        motor.ctrlrange = [-drive.torque, drive.torque]
        drives.append(drive)
    body.add_geom(
        name=f"{name}_foot",
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[build.foot_radius, 0.0, 0.0],
        pos=[0.0, 0.0, -below],
        rgba=PAD,
    )
    return drives


def _set_mass(body: mujoco.MjsBody, mass: float, inertia: Three) -> None:
    """Give a body its mass about its origin."""
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = mass, np.zeros(3), inertia
