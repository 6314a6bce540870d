"""Robots with a trunk and any number of legs, written as scripts; WARP1 among them.

The class of [Ridderstrom2003] section 6.1.1: the trunk floats, turned by yaw, pitch and
roll (figure 6.2), with speeds along and about its own axes, eqs. (6.8) and (6.9). A leg
has one to four joints: abduction about b1, then flexion of thigh, shank and foot about
the normal of the leg's plane, each counted from the hip's frame H and not from the limb
above (figure 6.3). At zero h1 = -b3 points down, h2 = b1 and h3 = -b2.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, final

from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError
from equipoise.equations.mechanism.frames import Frame, Vector
from equipoise.equations.mechanism.system import System
from equipoise.equations.tape.functions import cos, sin
from equipoise.equations.tape.tape import Expr, Value
from equipoise.robots.warp1 import warp1 as tables

__all__ = ["Leg", "Legged", "Limb", "legged", "warp1_system"]

Three = tuple[float, float, float]
Kept = Literal["sparse", "general"]
LIMBS = ("thigh", "shank", "foot")
SPEEDS = ("aa", "fe", "k", "a")


@final
@dataclass(frozen=True)
class Limb:
    """Rigid limb in its own frame: first axis along it, third axis across the leg."""

    mass: float
    centre: Three
    """Position of the centre of mass from the joint [m]."""
    inertia: Three
    """Inertia about the centre of mass, along the limb's axes [kg m²]."""
    end: Three
    """Position of the next joint, or of the pad [m]."""


@final
@dataclass(frozen=True)
class Leg:
    """Leg: a hip on the trunk, and the limbs below it."""

    hip: Three
    """Position of the hip in the trunk's axes, from its centre of mass [m]."""
    limbs: tuple[Limb, ...]
    joints: int
    """Number of joints, 1 to 4; one more than limbs, or one with one limb."""
    relative: bool = False
    """Whether a knee's and an ankle's angle are counted from the limb above, not from
    the hip's frame."""


@final
@dataclass(frozen=True)
class Legged:
    """Script of a legged robot, with its trunk, hips and pads."""

    system: System
    world: Frame
    trunk: Frame
    hips: tuple[Vector, ...]
    pads: tuple[Vector, ...]


def legged(
    name: str,
    mass: float,
    inertia: Three,
    legs: Sequence[Leg],
    parameters: Kept = "sparse",
) -> Legged:
    """Return the script of a robot with a trunk and legs.

    Inputs are, leg by leg, the torques of the joints, ``u_1``, and the force of the
    ground on the pad, ``f_1``, in the world's axes.

    Args:
        name: of the system.
        mass: of the trunk [kg].
        inertia: of the trunk about its axes [kg m²].
        legs: any number, none included.
        parameters: ``sparse`` leaves out what is zero in the legs' numbers, ``general``
            makes every component a parameter.

    Raises:
        ConfigError: a leg's limbs do not fit its joints.
    """
    S = System(name)
    x, y, z, yaw, pitch, roll = S.coords("x y z yaw pitch roll")
    vx, vy, vz, wx, wy, wz = S.speeds("vx vy vz wx wy wz")
    (g,) = S.parameters("g", GRAVITY)
    n = S.inertial("n")
    b = n.rot("a", 3, yaw).rot("c", 2, pitch).rot("b", 1, roll)
    heading = (sin(roll) * wy + cos(roll) * wz) / cos(pitch)
    velocity = b[vx, vy, vz]
    vxn, vyn, vzn = velocity.in_(n)
    S.kde(x=vxn, y=vyn, z=vzn, yaw=heading)
    S.kde(pitch=cos(roll) * wy - sin(roll) * wz, roll=wx + sin(pitch) * heading)
    S.spin(b, b[wx, wy, wz])
    origin = S.point("trunk", n[x, y, z], velocity)
    m, ix, iy, iz = S.parameters("m Ix Iy Iz", mass, *inertia)
    S.force(S.body("trunk", m, origin, b.inertia(ix, iy, iz)), n[0, 0, -m * g])
    writer = LegScript(S, n, b, g, parameters == "general")
    ends = [writer.leg(k + 1, leg, origin) for k, leg in enumerate(legs)]
    return Legged(S, n, b, tuple(h for h, _ in ends), tuple(p for _, p in ends))


@final
@dataclass(frozen=True)
class LegScript:
    """Writes legs into a script."""

    system: System
    world: Frame
    trunk: Frame
    g: Expr
    all_of_them: bool

    def several(self, name: str, values: Sequence[float], free: bool) -> list[Value]:
        """Return parameters; zeros stay zeros where they may."""
        found: list[Value] = []
        for k, value in enumerate(values):
            if value == 0.0 and not free:
                found.append(0.0)
            else:
                found += self.system.parameters(f"{name}{'xyz'[k]}", value)
        return found

    def leg(self, number: int, leg: Leg, origin: Vector) -> tuple[Vector, Vector]:
        """Write one leg; return its hip and its pad."""
        if leg.joints not in (1, 2, 3, 4) or len(leg.limbs) != max(1, leg.joints - 1):
            problem = f"{leg.joints} joints do not match {len(leg.limbs)} limbs"
            raise ConfigError(f"leg {number}", [problem])
        S, free = self.system, self.all_of_them
        names = [f"{joint}_{number}" for joint in SPEEDS[: leg.joints]]
        angles = S.coords(" ".join(f"q_{joint}" for joint in names))
        speeds = S.speeds(" ".join(f"w_{joint}" for joint in names))
        torques = S.inputs(" ".join(f"u_{joint}" for joint in names))
        S.kde(**{f"q_{n}": w for n, w in zip(names, speeds, strict=True)})
        down = self.trunk.rot(f"d_{number}", 2, math.pi / 2)
        across = down.rot(f"e_{number}", 1, math.pi / 2)
        h = across.rot(f"h_{number}", 2, angles[0])
        at = hip = origin + self.trunk[self.several(f"hip_{number}_", leg.hip, True)]
        above = self.trunk
        for k, limb in enumerate(leg.limbs):
            label = f"{LIMBS[k]}_{number}"
            base = above if leg.relative and k > 0 else h
            frame = h if leg.joints == 1 else base.rot(label, 3, angles[k + 1])
            if k == 0:
                S.torque(frame, h[0, torques[0], 0], reaction=above)
            if leg.joints > 1:
                S.torque(frame, frame[0, 0, torques[k + 1]], reaction=above)
            (m,) = S.parameters(f"m_{label}", limb.mass)
            centre = at + frame[self.several(f"c_{label}_", limb.centre, free)]
            entries = self.several(f"I_{label}_", limb.inertia, True)
            if free:
                entries += self.products(f"I_{label}_")
            body = S.body(label, m, centre, frame.inertia(*entries))
            S.force(body, self.world[0, 0, -m * self.g])
            at = at + frame[self.several(f"r_{label}_", limb.end, free)]
            above = frame
        ground = S.inputs(" ".join(f"f{c}_{number}" for c in "xyz"))
        S.force(at, self.world[ground])
        S.ports({f"u_{number}": torques, f"f_{number}": ground})
        return hip, at

    def products(self, name: str) -> list[Expr]:
        """Return parameters for entries off the diagonal, zero."""
        return self.system.parameters(f"{name}xy {name}xz {name}yz", 0.0, 0.0, 0.0)


def warp1_system(parameters: Kept = "sparse") -> Legged:
    """Return WARP1 as a script, with the numbers of the robot ``warp1``.

    Args:
        parameters: ``sparse`` leaves out what is zero in tables 6.4 and 6.5, as far as
            the legs go; ``general`` makes every component a parameter.
    """
    legs: list[Leg] = []
    for leg in tables.LEGS:
        row, side = leg.split("_")
        across = -1.0 if side == "left" else 1.0  # h3 points to the right
        x = tables.HIP[0] if row == "front" else -tables.HIP[0]
        hip = (x - tables.HIPS_BACK, -across * tables.HIP[1], tables.HIP[2])
        aside = -across
        thigh = Limb(
            tables.THIGH_MASS,
            (tables.THIGH_CENTRE, 0.0, aside * tables.THIGH_ASIDE),
            _down_first(tables.THIGH_INERTIA),
            (tables.THIGH, 0.0, 0.0),
        )
        shank = Limb(
            tables.SHANK_MASS,
            (tables.SHANK_CENTRE, 0.0, aside * tables.SHANK_ASIDE),
            _down_first(tables.SHANK_INERTIA),
            (tables.SHANK, 0.0, 0.0),
        )
        legs.append(Leg(hip, (thigh, shank), 3))
    return legged("warp1", tables.TRUNK_MASS, tables.TRUNK_INERTIA, legs, parameters)


def _down_first(about: Three) -> Three:
    """Return moments of inertia about x, y, z in the order of a limb: z, x, y."""
    return (about[2], about[0], about[1])
