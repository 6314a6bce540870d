"""Descriptions: what was found in a robot file, as YAML to look at and to edit.

A description says again what a robot file leaves out; what it names counts, and the
rest is found as ever. ``go2.robot.yaml`` beside ``go2.urdf`` is taken by itself.
"""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

from equipoise.core.checks import is_number
from equipoise.core.errors import BadFileError
from equipoise.robots.assembly.yaml import dump_yaml, load_yaml

__all__ = ["Description", "beside", "description_text", "read_description"]

KEYS = ("robot", "base", "legs", "stand", "drives", "held", "assumed")
NUMBERS = ("torque", "speed", "inertia")


@final
@dataclass(frozen=True)
class Description:
    """What a user says about a robot file."""

    path: str
    legs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Joints of each leg from the base outwards, by the leg's name; empty: found."""
    stand: dict[str, float] = field(default_factory=dict)
    """Joints of the stand [rad or m]; those left out are as found."""
    drives: dict[str, dict[str, float]] = field(default_factory=dict)
    """Torque, speed and inertia by joint; what is left out is as found."""


def beside(path: Path) -> Path | None:
    """Return the description that lies beside a robot file; None where none does."""
    place = path.with_name(f"{path.stem}.robot.yaml")
    return place if place.is_file() else None


def description_text(summary: dict[str, Any]) -> str:
    """Return a description as YAML.

    Args:
        summary: of what was found.
    """
    legs = {leg["name"]: {"joints": leg["joints"]} for leg in summary["legs"]}
    drives = {
        row["joint"]: {name: row[name] for name in NUMBERS} for row in summary["drives"]
    }
    content = {
        "robot": summary["robot"],
        "base": summary["base"],
        "legs": legs,
        "stand": {"joints": summary["stand"]["joints"]},
        "drives": drives,
        "held": summary["held"],
        "assumed": summary["assumed"],
    }
    return dump_yaml(content)


def read_description(path: str | Path, joints: tuple[str, ...]) -> Description:
    """Return what a description says.

    Args:
        path: the file.
        joints: that the robot has.

    Raises:
        BadFileError: it cannot be read, or says something that cannot be.
    """
    where = Path(path)
    try:
        content = load_yaml(where, "a description, as 'equipoise describe' writes it")
        if not isinstance(content, dict):
            raise BadFileError("must map 'legs', 'stand' and 'drives' to what they are")
        unknown = [key for key in content if key not in KEYS]
        if unknown:
            raise BadFileError(f"has '{unknown[0]}'; it may have {', '.join(KEYS)}")
        return Description(
            str(where),
            legs_in(content.get("legs"), joints),
            stand_in(content.get("stand"), joints),
            drives_in(content.get("drives"), joints),
        )
    except BadFileError as problem:
        raise BadFileError(f"{where}: {str(problem).rstrip('.')}.") from None


def mapping(content: Any, what: str) -> dict[str, Any]:
    """Return a mapping, or say what should be one."""
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise BadFileError(f"{what} must be a mapping, got {content!r}")
    return content


def known(name: Any, joints: tuple[str, ...]) -> str:
    """Return a joint's name, or say which there are."""
    if name not in joints:
        some = ", ".join(joints[:8])
        raise BadFileError(f"'{name}' is no joint of the robot; it has {some}")
    return str(name)


def finite(value: Any, what: str, least: float = -math.inf) -> float:
    """Return a number, or say what should be one."""
    if not is_number(value) or not math.isfinite(value) or value <= least:
        above = "" if least == -math.inf else f" above {least:g}"
        raise BadFileError(f"{what} must be a number{above}, got {value!r}")
    return float(value)


def legs_in(content: Any, joints: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the joints of each leg."""
    legs: dict[str, tuple[str, ...]] = {}
    for name, leg in mapping(content, "'legs'").items():
        own = mapping(leg, f"leg '{name}'").get("joints")
        if not isinstance(own, list) or not own:
            raise BadFileError(f"leg '{name}' must list its joints, got {own!r}")
        legs[name] = tuple(known(joint, joints) for joint in own)
    return legs


def stand_in(content: Any, joints: tuple[str, ...]) -> dict[str, float]:
    """Return the joints of the stand."""
    own = mapping(mapping(content, "'stand'").get("joints"), "'joints' of the stand")
    return {known(n, joints): finite(v, f"joint '{n}'") for n, v in own.items()}


def drives_in(content: Any, joints: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """Return the numbers of each drive."""
    found: dict[str, dict[str, float]] = {}
    for name, drive in mapping(content, "'drives'").items():
        own = mapping(drive, f"the drive of '{name}'")
        for key in own:
            if key not in NUMBERS:
                problem = f"the drive of '{name}' has '{key}'; it may have "
                raise BadFileError(problem + ", ".join(NUMBERS))
        found[known(name, joints)] = {
            key: finite(value, f"{key} of '{name}'", 0.0) for key, value in own.items()
        }
    return found
