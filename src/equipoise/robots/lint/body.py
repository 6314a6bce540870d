"""What lint knows of a body, and how numbers are taken from XML without trust."""

from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree as ET

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.core.digits import plain_float
from equipoise.robots.lint.shapes import LintShape

__all__ = ["Finding", "LintBody", "Reading"]

LARGEST = 1e10  # MuJoCo's own limit
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


@dataclass
class LintBody:
    """One body as the file states it, in its own frame; None where it says nothing."""

    name: str
    mass: float | None = None
    com: Vec3 | None = None
    inertia: Mat3 | None = None
    """About the centre of mass; axes may be those of the inertial frame."""
    lacks_inertia: bool = False
    """Whether its ``<inertial>`` has no inertia at all."""
    shapes: list[LintShape] = field(default_factory=list)
    has_unknown_shape: bool = False
    """Whether a shape could not be read, so that its hull is not whole."""
    moves: bool = False
    """Whether a joint moves it, so that it needs a mass."""
    density: float | None = None
    """The file's own density, where its mass comes from that [kg/m³]."""

    @property
    def volume(self) -> float:
        """Of its shapes for collision or of those that are drawn, the larger [m³]."""
        drawn = sum(shape.volume for shape in self.shapes if shape.is_drawn)
        return max(drawn, sum(shape.volume for shape in self.shapes) - drawn)

    def found(self, level: Level, what: str, value: str, better: str) -> Finding:
        """Return a finding about this body, and what would be credible."""
        return Finding(level, self.name, what, value, better)


@dataclass
class Reading:
    """A file's bodies, and what was wrong with its numbers on the way."""

    kind: Literal["urdf", "mjcf"]
    bodies: list[LintBody] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    reach: float = 0.0
    """Longest step from a body to the next [m]; 0 where there is none."""

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
            self.add("error", body, f"{what} is not a number", shown(text), wanted)
            return None
        if not np.isfinite(values).all():
            self.add(
                "error",
                body,
                f"{what} is not finite",
                shown(text),
                "write a finite number",
            )
            return None
        if (np.abs(values) > LARGEST).any():
            self.add(
                "error",
                body,
                f"{what} is too large to compute",
                shown(text),
                f"write a number below {LARGEST:g}",
            )
            return None
        if count and len(values) != count:
            self.add(
                "error",
                body,
                f"{what} has {len(values)} numbers",
                shown(text),
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


def shown(text: str) -> str:
    """Return a file's text, shortened."""
    return text if len(text) <= 60 else text[:57] + "..."
