"""Are the mass properties of a URDF or MJCF file credible?

The XML itself is read, not a compiled model: a compiler refuses, mends or drops what
must be reported here. Only ``robots/lint/servos.py`` compiles an MJCF file in addition.
Findings about one body are in ``robots/lint/checks.py``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree as ET

import numpy as np

from equipoise.core.errors import BadFileError
from equipoise.robots.builtin import is_unknown, unknown_robot
from equipoise.robots.files.content import robot_content
from equipoise.robots.files.includes import with_includes
from equipoise.robots.files.markup import outline_of
from equipoise.robots.files.named import robot_path
from equipoise.robots.files.packages import SaidPackages, packages_of
from equipoise.robots.files.places import mesh_places
from equipoise.robots.lint.body import Finding, Reading
from equipoise.robots.lint.checks import body_findings
from equipoise.robots.lint.mirrored import side_findings
from equipoise.robots.lint.mjcf import read_mjcf_bodies
from equipoise.robots.lint.repeats import place_holder_findings, twice_findings
from equipoise.robots.lint.urdf import read_urdf_bodies

__all__ = ["LintReport", "lint"]

ORDER = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class LintReport:
    """Report on a robot file: its mass, and what is not plausible."""

    file: str
    kind: Literal["urdf", "mjcf"]
    bodies: int
    total_mass: float
    """Sum of the masses that can be read [kg]."""
    findings: tuple[Finding, ...]
    """Errors first, then warnings, then notes."""

    def count(self, level: str) -> int:
        """Return how many findings there are of a level."""
        return sum(finding.level == level for finding in self.findings)

    @property
    def summary(self) -> dict[str, Any]:
        """The numbers of the command's ``--json``."""
        return {
            "file": self.file,
            "kind": self.kind,
            "bodies": self.bodies,
            "total_mass_kg": self.total_mass,
            "findings": [
                {key: getattr(f, key) for key in Finding.__dataclass_fields__}
                for f in self.findings
            ],
            "errors": self.count("error"),
            "warnings": self.count("warning"),
        }


def lint(path: str | Path, packages: SaidPackages = None) -> LintReport:
    """Return what is not plausible about the mass properties of a robot file.

    Args:
        path: a URDF or MJCF file; its root element says which. Or the name of one that
            comes along (``colt``), or of the package ``robot_descriptions``.
        packages: where packages are, as ``equipoise.load`` takes it.

    Raises:
        BadFileError: it is no robot file; one sentence with its name.
    """
    path = Path(robot_path(path))
    if is_unknown(path):
        raise BadFileError(str(unknown_robot(str(path))))
    try:
        said = packages_of(packages)
        content = robot_content(path, said)
        kind = outline_of(content, is_strict=False).root
        root, places = _xml_root(content), mesh_places(path, said)
        if kind == "mujoco":
            root = with_includes(root, path)
        reading = (read_urdf_bodies if kind == "robot" else read_mjcf_bodies)(
            root, places
        )
        if not reading.bodies:
            raise BadFileError("has no bodies; a robot needs at least one")
    except BadFileError as error:
        raise BadFileError(f"{path}: {error}.") from None
    findings = list(reading.findings)
    with np.errstate(all="ignore"):  # 1e300 is a finding, not a warning of NumPy
        robot = reading.robot
        findings += _total_findings(robot.mass)
        for body in reading.bodies:
            findings += body_findings(body, robot)
        findings += side_findings(reading.bodies, robot)
        findings += twice_findings(reading.bodies, robot)
        findings += place_holder_findings(reading.bodies, robot)
    findings += _stray_findings(root, reading)
    if kind == "mujoco":
        from equipoise.robots.lint.servos import servo_findings  # slow to import

        findings += servo_findings(path, content, root)
    ordered = sorted(dict.fromkeys(findings), key=lambda f: ORDER[f.level])
    return LintReport(
        str(path), reading.kind, len(reading.bodies), robot.mass, tuple(ordered)
    )


def _xml_root(content: bytes) -> ET.Element:
    """Return the root element; the letters are UTF-8, whatever the file declares."""
    try:
        return ET.fromstring(content, ET.XMLParser(encoding="utf-8"))
    except ET.ParseError as error:  # a prefix without a name space, the rest is good
        raise BadFileError(f"is not complete XML ({error}); save it again") from None


def _total_findings(total: float) -> Iterator[Finding]:
    """Judge the whole robot's mass."""
    if not total > 0.0:
        yield Finding(
            "error", "", "the robot has no mass", f"{total:g} kg", "weigh its parts"
        )
    elif not 1e-3 <= total <= 1e5:
        yield Finding(
            "warning",
            "",
            "the whole mass is unusual",
            f"{total:g} kg",
            "masses are in kg",
        )


def _stray_findings(root: ET.Element, reading: Reading) -> Iterator[Finding]:
    """Find NaN in numbers that lint does not use, such as joint axes.

    Infinity is left alone there: it is how some write that there is no limit.
    """
    known = {(f.what, f.value) for f in reading.findings}
    for element in root.iter():
        for key, value in element.attrib.items():
            is_name = key in ("name", "link", "joint", "class")
            if is_name or "nan" not in value.lower().split():
                continue
            what, shown = f"<{element.tag} {key}> is not finite", value[:60]
            if (what, shown) not in known:
                yield Finding(
                    "error",
                    element.get("name", ""),
                    what,
                    shown,
                    "write a finite number",
                )
