"""What a program says of a robot file, on top of the description beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.robots.description import Description
from equipoise.robots.found.file import read_description, read_drives
from equipoise.robots.found.user_description import (
    Names,
    drive_numbers,
    known_name,
    names_of,
    stand_in,
)
from equipoise.robots.robot_spec import RobotSpec
from equipoise.robots.sidecar import sidecar_path

__all__ = ["SAYS", "with_description"]

R = TypeVar("R", bound=RobotSpec)
SAYS = ("description", "feet", "leg_names", "stand", "drives")
"""Options of ``equipoise.load`` that say what counts in place of what is found."""


def with_description(
    robot: R, path: Path, base: str | None, options: Mapping[str, Any]
) -> R:
    """Return a robot with what its user says of it.

    Args:
        robot: as read from its file.
        path: the file.
        base: as given to ``equipoise.load``; a link that is not the robot's own base
            carries its legs.
        options: by name, see ``SAYS``; None counts as not given.

    Raises:
        BadFileError: a description that cannot be.
        ConfigError: an option that cannot be.
    """
    given = {key: value for key, value in options.items() if value is not None}
    place = given.pop("description", None) or sidecar_path(path)
    names = names_of(robot)
    told = None if place is None else read_description(place, names)
    carrier = base if base in names.bodies and base != robot.base else None
    if not given and carrier is None:
        return robot if told is None else _described(robot, told)
    try:
        said = _spoken(told or Description(str(path)), given, names)
    except BadFileError as problem:
        fault = str(problem).rstrip(".")
        raise ConfigError(f"the choice for {path}", [fault]) from None
    if carrier is not None:
        said = replace(said, base=carrier)
    return _described(robot, said)


def _described(robot: R, told: Description) -> R:
    """Return a robot with what is said of it, and the models that it has already."""
    made = replace(robot, description=told)
    kept = {k: v for k, v in robot.__dict__.items() if k in ("model", "scene_model")}
    made.__dict__.update(kept)
    return made


def _spoken(told: Description, given: Mapping[str, Any], names: Names) -> Description:
    """Return a description with what a program says put over it."""
    if "feet" in given:
        feet = _words(given["feet"], "feet")
        links = {**names.shapes, **{body: body for body in names.bodies}}
        ends = tuple(links[known_name(foot, links, "link")] for foot in feet)
        if len(set(ends)) < len(ends):
            raise BadFileError("feet must be different links")
        told = replace(told, ends=ends, legs={}, feet={})
    if "leg_names" in given:
        called = _words(given["leg_names"], "leg_names")
        if len(set(called)) < len(called):
            raise BadFileError("leg_names must differ from one another")
        told = replace(told, leg_names=called)
    stand = given.get("stand")
    if isinstance(stand, str):
        told = replace(told, pose=stand)
    elif stand is not None:
        told = replace(told, stand=told.stand | stand_in({"joints": stand}, names))
    drives = given.get("drives")
    if drives is None:
        return told
    is_file = isinstance(drives, str | Path)
    read = read_drives(drives, names) if is_file else drive_numbers(drives, names)
    over = Description("", drives=read)
    every = {j: told.drive_of(j) | over.drive_of(j) for j in names.joints}
    return replace(told, drives={j: numbers for j, numbers in every.items() if numbers})


def _words(content: Any, what: str) -> tuple[str, ...]:
    """Return some words, or say what should be some."""
    is_list = isinstance(content, Sequence) and not isinstance(content, str)
    if not is_list or not content or not all(isinstance(w, str) for w in content):
        raise BadFileError(f"{what} must be a list of names, got {content!r:.60}")
    return tuple(content)
