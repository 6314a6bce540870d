"""Descriptions: what was found in a robot file, as YAML to look at and to edit.

A description says again what a robot file leaves out; what it names counts, and the
rest is found as ever. ``go2.robot.yaml`` beside ``go2.urdf`` is taken by itself.
"""

from pathlib import Path
from typing import Any

from equipoise.core.errors import BadFileError
from equipoise.core.text import shown
from equipoise.robots.description import Description
from equipoise.robots.files.yaml import dump_yaml, load_yaml
from equipoise.robots.found.user_description import (
    NUMBERS,
    Names,
    base_in,
    drive_numbers,
    expect_robot,
    feet_in,
    legs_in,
    stand_in,
)

__all__ = [
    "Description",
    "description_text",
    "read_description",
    "read_drives",
]

KEYS = ("robot", "base", "legs", "stand", "drives", "held", "assumed")


def description_text(summary: dict[str, Any]) -> str:
    """Return a description as YAML.

    Args:
        summary: of what was found.
    """
    legs = {
        leg["name"]: {"joints": leg["joints"], "foot": _written_foot(leg["foot"])}
        for leg in summary["legs"]
    }
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


def _written_foot(foot: dict[str, Any]) -> dict[str, Any]:
    """Return what is written of a foot: where it is, and how it touches."""
    if foot["kind"] == "ball":
        return {key: foot[key] for key in ("body", "radius", "centre")}
    if foot["kind"] == "sole":
        return {key: foot[key] for key in ("body", "corners")}
    return {"body": foot["body"]}


def read_description(path: str | Path, names: Names) -> Description:
    """Return what a description says.

    Args:
        path: the file.
        names: that the robot has.

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
            found = shown(unknown[0], 40)
            raise BadFileError(f"has '{found}'; it may have {', '.join(KEYS)}")
        expect_robot(content.get("robot"), names)
        return Description(
            str(where),
            base=base_in(content.get("base"), names),
            legs=legs_in(content.get("legs"), names),
            feet=feet_in(content.get("legs"), names),
            stand=stand_in(content.get("stand"), names),
            drives=drive_numbers(content.get("drives"), names),
        )
    except BadFileError as problem:
        raise BadFileError(f"{where}: {str(problem).rstrip('.')}.") from None


def read_drives(path: str | Path, names: Names) -> dict[str, dict[str, float]]:
    """Return the drives that a file says: torque, speed and inertia by joint.

    Args:
        path: a YAML file that maps joints, or patterns of their names, to numbers; or
            a description, of which the drives are taken.
        names: that the robot has.

    Raises:
        BadFileError: it cannot be read, or says something that cannot be.
    """
    where = Path(path)
    try:
        content = load_yaml(where, "drives, as 'FL_*: {torque: 20, speed: 30}'")
        if isinstance(content, dict) and isinstance(content.get("drives"), dict):
            content = content["drives"]
        return drive_numbers(content, names)
    except BadFileError as problem:
        raise BadFileError(f"{where}: {str(problem).rstrip('.')}.") from None
