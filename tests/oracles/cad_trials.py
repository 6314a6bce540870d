"""Whether lint finds the mistakes of ``cad_mistakes``, drawn from a seed."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from equipoise.robots.lint.lint import lint
from oracles.cad_files import mjcf_text, urdf_text, write_box_stl
from oracles.cad_mistakes import MISTAKES
from oracles.cad_robots import ROBOTS, CadRobot

__all__ = ["Trial", "sound_alarms", "trial"]


@dataclass(frozen=True)
class Trial:
    """One mistake in one robot."""

    mistake: str
    robot: str
    kind: str
    bodies: tuple[str, ...]
    is_found: bool
    findings: tuple[str, ...]


def written(robot: CadRobot, kind: str, folder: Path) -> Path:
    """Write a robot as URDF or MJCF, its meshes beside it."""
    path = folder / ("robot.urdf" if kind == "urdf" else "robot.xml")
    path.write_text(urdf_text(robot) if kind == "urdf" else mjcf_text(robot))
    for shape in (s for link in robot.links for s in link.shapes if s.mesh):
        write_box_stl(folder / shape.mesh, shape.size)
    return path


def trial(mistake: str, seed: int, folder: Path) -> Trial:
    """Plant a mistake into a robot that has a place for it; lint the file.

    Found is what a warning or an error says of a body concerned: by its name, or
    where its partner on the other side is told to differ from it.
    """
    rng = np.random.default_rng([seed, list(MISTAKES).index(mistake)])
    kind = ("urdf", "mjcf")[int(rng.integers(2))]
    while True:
        name = list(ROBOTS)[int(rng.integers(len(ROBOTS)))]
        robot = ROBOTS[name](rng)
        bodies = MISTAKES[mistake](robot, rng)
        if bodies:
            break
    findings = lint(written(robot, kind, folder)).findings
    loud = [f for f in findings if f.level in ("error", "warning")]
    found = any(f.body in bodies or any(f"'{b}'" in f.what for b in bodies)
                for f in loud)  # fmt: skip
    told = tuple(f"{f.level} {f.body}: {f.what}: {f.value}" for f in findings)
    return Trial(mistake, name, kind, tuple(bodies), found, told)


def sound_alarms(seed: int, folder: Path) -> list[str]:
    """Return what lint says of sound robots beyond notes; it should say nothing."""
    said: list[str] = []
    for at, (name, build) in enumerate(ROBOTS.items()):
        for kind in ("urdf", "mjcf"):
            robot = build(np.random.default_rng([seed, at]))
            report = lint(written(robot, kind, folder))
            said += [
                f"{name} {kind} {f.level} {f.body}: {f.what}: {f.value}"
                for f in report.findings
                if f.level != "note"
            ]
    return said
