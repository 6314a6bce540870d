"""What lint knows of a body, and how numbers are taken from XML without trust."""

from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree as ET

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.core.digits import plain_float
from equipoise.robots.lint.shapes import LintShape

__all__ = ["Finding", "Level", "LintBody", "LintedRobot", "Reading"]

LARGEST = 1e10  # MuJoCo's own limit
NEGLIGIBLE = 1e-4
"""Share of the robot's mass that changes nothing on a body that is fixed to another."""
Level = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """One thing that is not credible, and what would be."""

    level: Level
    """``error``: no body can have it; ``warning``: hardly; ``note``: worth a look."""
    body: str
    """The body's name; empty where the whole file is meant."""
    what: str
    value: str
    suggestion: str


@dataclass(eq=False)
class LintBody:
    """One body as the file states it, in its own frame; None where it says nothing."""

    name: str
    parent: "LintBody | None" = None
    R_PB: Mat3 = field(default_factory=lambda: np.eye(3))
    """Orientation in its parent with every joint at zero, (3, 3)."""
    p_PB: Vec3 = field(default_factory=lambda: np.zeros(3))
    """Position in its parent with every joint at zero, (3,) [m]."""
    children: list["LintBody"] = field(default_factory=list)
    mass: float | None = None
    com: Vec3 | None = None
    inertia: Mat3 | None = None
    """About the centre of mass, along the body's axes, (3, 3) [kg m²]."""
    lacks_inertia: bool = False
    """Whether its ``<inertial>`` has no inertia at all."""
    shapes: list[LintShape] = field(default_factory=list)
    has_unknown_shape: bool = False
    """Whether a shape could not be read, so that its hull is not whole."""
    has_unknown_mass: bool = False
    """Whether its mass is that of a mesh which could not be read."""
    is_jointed: bool = False
    """Whether a joint moves it in its parent."""
    moves: bool = False
    """Whether a joint moves it, so that it needs a mass."""
    density: float | None = None
    """The file's own density, where its mass comes from that [kg/m³]."""

    def attach(self, parent: "LintBody | None", R_PB: Mat3, p_PB: Vec3) -> None:
        """Place the body in its parent."""
        self.parent, self.R_PB, self.p_PB = parent, R_PB, p_PB
        if parent is not None:
            parent.children.append(self)

    @property
    def volume(self) -> float:
        """Of its shapes for collision or of those that are drawn, the larger [m³]."""
        drawn = sum(shape.volume for shape in self.shapes if shape.is_drawn)
        return max(drawn, sum(shape.volume for shape in self.shapes) - drawn)

    def is_dummy(self, robot: "LintedRobot") -> bool:
        """Return whether it is fixed to another body and adds next to nothing to it."""
        is_joined = self.is_fixed or any(child.is_fixed for child in self.children)
        return (
            is_joined
            and not self.is_jointed
            and abs(self.mass or 0.0) <= NEGLIGIBLE * robot.mass
        )

    @property
    def is_fixed(self) -> bool:
        """Whether it is fixed to its parent, so that both are one rigid body."""
        return self.parent is not None and not self.is_jointed

    @property
    def room(self) -> Array | None:
        """Corners of what its mass is in: its shapes, its origin and its children's.

        (n, 3) [m]; None where a shape is not known or there is none.
        """
        if not self.shapes or self.has_unknown_shape:
            return None
        joints = [np.zeros(3), *(child.p_PB for child in self.children)]
        return np.vstack([*(shape.points for shape in self.shapes), np.array(joints)])

    @property
    def carried_mass(self) -> float:
        """Mass of all bodies that hang on it [kg]."""
        total, waiting = 0.0, list(self.children)
        while waiting:
            child = waiting.pop()
            total += child.mass or 0.0
            waiting += child.children
        return total

    @property
    def root(self) -> "LintBody":
        """The body that it hangs on in the end, or itself."""
        body = self
        while body.parent is not None:
            body = body.parent
        return body

    @property
    def pose(self) -> tuple[Mat3, Vec3]:
        """Its orientation and position in the world, every joint at zero."""
        R, p = self.R_PB, self.p_PB
        above = self.parent
        while above is not None:
            R, p = above.R_PB @ R, above.p_PB + above.R_PB @ p
            above = above.parent
        return R, p

    def found(self, level: Level, what: str, value: str, better: str) -> Finding:
        """Return a finding about this body, and what would be credible."""
        return Finding(level, self.name, what, value, better)


@dataclass(frozen=True)
class LintedRobot:
    """Typical values with which the bodies of a robot are compared."""

    mass: float
    """Sum of the masses that can be read [kg]."""
    size: float
    """Diagonal of the box around its joints and known shapes [m]; 0 if unknown."""
    reach: float
    """Longest step from a body to the next [m]."""
    usual_step: float
    """Median of the steps from a body to the next [m]; 0 where there is none."""


@dataclass
class Reading:
    """A file's bodies, and what was wrong with its numbers on the way."""

    kind: Literal["urdf", "mjcf"]
    bodies: list[LintBody] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    reach: float = 0.0
    """Longest step from a body to the next [m]; 0 where there is none."""

    @property
    def robot(self) -> LintedRobot:
        """What its bodies are compared with."""
        points = [np.zeros((0, 3))]
        for body in self.bodies:
            R_WB, p_WB = body.pose
            points.append(p_WB[None])
            points += [p_WB + shape.points @ R_WB.T for shape in body.shapes]
        corners = np.vstack(points)
        size = float(np.linalg.norm(np.ptp(corners, axis=0))) if len(corners) else 0.0
        mass = sum(body.mass or 0.0 for body in self.bodies)
        steps = [
            float(np.linalg.norm(body.p_PB)) for body in self.bodies if body.parent
        ]
        usual = float(np.median([s for s in steps if s > 0.0] or [0.0]))
        return LintedRobot(mass, size, self.reach, usual)

    def numbers(
        self, element: ET.Element | None, key: str, count: int, body: str
    ) -> Array | None:
        """Return an attribute's numbers, or None; what is no number is a finding.

        Args:
            element: where to look, or None.
            key: the attribute.
            count: how many are needed; 0 for any.
            body: for the finding.
        """
        text = None if element is None else element.get(key)
        if element is None or text is None:
            return None
        what = f"<{element.tag} {key}>"
        try:
            values = np.array([plain_float(word) for word in text.split()])
        except ValueError:
            wanted = f"write {count or 'plain'} number{'s' * (count != 1)}"
            self.add("error", body, f"{what} is not a number", _shown(text), wanted)
            return None
        if not np.isfinite(values).all():
            self.add(
                "error",
                body,
                f"{what} is not finite",
                _shown(text),
                "write a finite number",
            )
            return None
        if (np.abs(values) > LARGEST).any():
            self.add(
                "error",
                body,
                f"{what} is too large to compute",
                _shown(text),
                f"write a number below {LARGEST:g}",
            )
            return None
        if count and len(values) != count:
            self.add(
                "error",
                body,
                f"{what} has {len(values)} numbers",
                _shown(text),
                f"write {count}",
            )
            return None
        return values

    def number(self, element: ET.Element | None, key: str, body: str) -> float | None:
        """Return an attribute's one number, or None."""
        values = self.numbers(element, key, 1, body)
        return None if values is None else float(values[0])

    def add(
        self, level: Level, body: str, what: str, value: str, suggestion: str
    ) -> None:
        """Note a finding."""
        self.findings.append(Finding(level, body, what, value, suggestion))


def _shown(text: str) -> str:
    """Return a file's text, shortened."""
    return text if len(text) <= 60 else text[:57] + "..."
