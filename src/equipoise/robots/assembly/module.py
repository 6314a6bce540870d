"""The SuperBot module [Salemi2006], as numbers.

Four rigid parts in a row: outer a - hinge - inner a - roll - inner b - hinge - outer b.
At zero the module is straight, its length along z, both hinge axes along y. Each outer
bracket carries three connectors: front, left (+y) and right (-y).
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from numbers import Real
from typing import Literal

import numpy as np

from equipoise.core.arrays import Mat3
from equipoise.core.errors import ConfigError
from equipoise.robots.assembly.mass_scale import MASS_SCALE
from equipoise.robots.assembly.module_body import Connector, ModuleBody, ModuleJoint
from equipoise.robots.source import Stated, chosen, printed
from equipoise.spatial.mass.mass import MassProperties
from equipoise.spatial.poses import Pose

__all__ = ["SOURCES", "SuperbotModule"]

SMALLEST, LARGEST = 1e-4, 1e4  # SI units; no module is beyond these
ROLL_OF_KIND = {"superbot": None, "mtran": 0.0, "conro": np.pi / 2}
LATTICE = chosen("a lattice of 84 mm on which faces meet; ReBots has 43, 40 + 12 mm")
REBOTS = printed("the laboratory's own simulator ReBots, 2015")
SOURCES = {
    "hinge_offset": Stated("module centre to hinge axis", "m", LATTICE),
    "front_offset": Stated("hinge axis to front face", "m", LATTICE),
    "side_offset": Stated("hinge axis to side face", "m", LATTICE),
    "side_forward": Stated("side face ahead of the hinge axis", "m", LATTICE),
    "mass": Stated("real mass of a module", "kg", REBOTS),
    "mass_scale": Stated(
        "share of the real mass that is simulated", "", printed("[Moll2006] section V")
    ),
    "inner_share": Stated("share of the mass in the inner parts", "", REBOTS),
    "hinge_limit": Stated(
        "hinges turn either way", "rad", chosen("no source states it")
    ),
    "roll_limit": Stated(
        "the roll joint turns either way", "rad", chosen("no source states it")
    ),
    "torque_limit": Stated(
        "largest joint torque", "N m", chosen("holds three horizontal modules")
    ),
    "damping": Stated(
        "damping of a joint", "N m s/rad", chosen("torque over 4 rad/s at no load")
    ),
    "armature": Stated(
        "rotor inertia at the joint", "kg m²", chosen("no source states it")
    ),
    "contact_radius": Stated(
        "ball that touches, round each hinge", "m", chosen("within the lattice")
    ),
}
"""What the numbers of a module mean, and where each comes from."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SuperbotModule:
    """Numbers of one SuperBot module; [assumed] marks what no source states.

    Lengths are the ideal lattice of 84 mm on which faces meet exactly; the laboratory's
    own simulator (ReBots, 2015) has 43 mm, 40 + 12 mm and side docks 15 mm forward.
    """

    kind: Literal["superbot", "mtran", "conro"] = "superbot"
    """``mtran`` locks the roll joint at 0 (parallel hinges), ``conro`` at 90 degrees
    (crossed hinges), as [Moll2006] section II says a SuperBot module can."""
    hinge_offset: float = 0.042
    """Distance from module centre to hinge axis [m]; ReBots 0.043."""
    front_offset: float = 0.042
    """Distance from hinge axis to front face [m]; ReBots 0.040 and a 0.012 dock."""
    side_offset: float = 0.042
    """Distance from hinge axis to side face, along the hinge axis [m]."""
    side_forward: float = 0.0
    """Offset of the side faces ahead of the hinge axis [m]; ReBots 0.015."""
    mass: float = 0.718
    """Real mass of a module [kg]; ReBots."""
    mass_scale: float = MASS_SCALE
    """Share of the real mass that is simulated."""
    inner_share: float = 0.65
    """Share of the mass in the two inner parts; ReBots."""
    hinge_limit: float = np.pi / 2
    """Range of both hinges either way [rad]; [assumed]."""
    roll_limit: float = np.pi
    """Range of the roll joint either way [rad]; [assumed]."""
    torque_limit: float = 6.38
    """Peak joint torque [N m]; [assumed], holds three horizontal modules."""
    damping: float = 1.6
    """Joint damping [N m s/rad]; [assumed], stall torque over 4 rad/s at no load."""
    armature: float = 0.005
    """Rotor inertia at the joint [kg m²]; [assumed]."""
    contact_radius: float = 0.040
    """Radius of the collision ball round each hinge centre [m]; [assumed]."""

    def __post_init__(self) -> None:
        """Refuse numbers that no module can have, all at once."""
        problems = list(self._problems()) or list(self._fit_problems())
        if problems:
            raise ConfigError(type(self).__name__, problems)
        for field in fields(self):
            if field.name != "kind":
                object.__setattr__(self, field.name, float(getattr(self, field.name)))

    def _problems(self) -> Iterator[str]:
        lowest = {"damping": 0.0, "armature": 0.0, "side_forward": -LARGEST}
        for field in fields(self):
            name, value = field.name, getattr(self, field.name)
            low = lowest.get(name, SMALLEST)
            if name == "kind":
                if value not in tuple(ROLL_OF_KIND):
                    listed = ", ".join(ROLL_OF_KIND)
                    yield f"kind must be one of {listed}, got {value!r}"
            elif isinstance(value, bool) or not isinstance(value, Real):
                yield f"{name} must be a number, got {value!r}"
            elif (
                not low <= float(value) <= LARGEST
            ):  # written so that NaN is refused too
                yield f"{name} must be {low:g} to {LARGEST:g}, got {value!r}"
            elif name == "inner_share" and not value < 1.0:
                yield f"{name} must be between 0 and 1, got {value!r}"

    def _fit_problems(self) -> Iterator[str]:
        """Balls as wide as the module would touch wherever two modules meet."""
        names = ("hinge_offset", "front_offset", "side_offset")
        name = min(names, key=lambda n: getattr(self, n))
        if self.contact_radius > getattr(self, name):
            yield (
                f"contact_radius must be at most {name}, {getattr(self, name)!r} m,"
                f" got {self.contact_radius!r}"
            )

    @property
    def width(self) -> float:
        """Side of a module [m]."""
        return 2.0 * self.side_offset

    def body(self) -> ModuleBody:
        """Return the module as parts, masses, joints and connectors."""
        return ModuleBody(
            parts=("outer_a", "inner_a", "inner_b", "outer_b"),
            part_mass=self._part_mass(),
            joints=self._joints(),
            connectors=self._connectors(),
            width=self.width,
            contact_radius=self.contact_radius,
        )

    def _part_mass(self) -> tuple[MassProperties, ...]:
        """Solid boxes: inner from hinge to centre, outer from hinge to front face."""
        total = self.mass * self.mass_scale
        inner, outer = (
            0.5 * total * self.inner_share,
            0.5 * total * (1 - self.inner_share),
        )
        side = 2.0 * self.side_offset
        inner_box = box_inertia(inner, 0.75 * side, 0.75 * side, self.hinge_offset)
        outer_box = box_inertia(outer, side, side, self.front_offset)
        up = np.array([0.0, 0.0, 1.0])
        inner_com, outer_com = 0.5 * self.hinge_offset, 0.5 * self.front_offset
        return (
            MassProperties(outer, -outer_com * up, outer_box),
            MassProperties(inner, inner_com * up, inner_box),
            MassProperties(inner, inner_com * up, inner_box),
            MassProperties(outer, outer_com * up, outer_box),
        )

    def _joints(self) -> tuple[ModuleJoint, ...]:
        along_y, along_z = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
        step = self.hinge_offset * along_z
        rows = (
            ("hinge_a", along_y, np.zeros(3), self.hinge_limit, None),
            ("roll", along_z, step, self.roll_limit, ROLL_OF_KIND[self.kind]),
            ("hinge_b", along_y, step, self.hinge_limit, None),
        )
        return tuple(
            ModuleJoint(
                name=name,
                kind="hinge",
                axis=axis,
                origin=origin,
                lower=-limit,
                upper=limit,
                effort=self.torque_limit,
                damping=self.damping,
                armature=self.armature,
                locked=locked,
            )
            for name, axis, origin, limit, locked in rows
        )

    def _connectors(self) -> tuple[Connector, ...]:
        faces = []
        for part, bracket, front in ((0, "a", -1.0), (3, "b", 1.0)):
            ahead = np.array([0.0, 0.0, front])
            rows = (
                ("front", ahead, self.front_offset * ahead),
                ("left", np.array([0.0, 1.0, 0.0]), None),
                ("right", np.array([0.0, -1.0, 0.0]), None),
            )
            for side, normal, origin in rows:
                if origin is None:
                    origin = self.side_offset * normal + self.side_forward * ahead
                pose = Pose(_face_frame(normal), origin)
                faces.append(Connector(name=f"{bracket}_{side}", part=part, X_PC=pose))
        return tuple(faces)


def _face_frame(normal: np.ndarray) -> Mat3:
    """Return the frame whose z is the face normal and whose x is the part's x axis."""
    x = np.array([1.0, 0.0, 0.0])
    return np.column_stack([x, np.cross(normal, x), normal])


def box_inertia(mass: float, a: float, b: float, c: float) -> Mat3:
    """Return the inertia of a solid box about its centre, (3, 3) [kg m²]."""
    return mass / 12.0 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
