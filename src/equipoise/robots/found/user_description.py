"""What a user says of a robot file: checked, each with a sentence where it cannot be.

It comes from a file or from a program; both may name a base, legs by their joints, feet
by their links, a stand and drives. Names of drives may be patterns, as ``*_knee``.
"""

import difflib
import math
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import mujoco

from equipoise.core.checks import is_number
from equipoise.core.errors import BadFileError, QuantityError
from equipoise.core.quantity import number_of, quantity_in
from equipoise.core.text import shown
from equipoise.robots.description import DescribedFoot, Place
from equipoise.robots.robot_spec import RobotSpec

__all__ = [
    "NUMBERS",
    "Names",
    "base_in",
    "drive_numbers",
    "expect_robot",
    "feet_in",
    "legs_in",
    "names_of",
    "stand_in",
]

NUMBERS = ("torque", "speed", "inertia")
TURNING = {"torque": "N m", "speed": "rad/s", "inertia": "kg m²"}
SLIDING = {"torque": "N", "speed": "m/s", "inertia": "kg"}
"""Units of a drive's numbers where none is given."""
ARMATURE = "armature"  # MuJoCo's word for the inertia of a rotor
FOOT = ("body", "radius", "centre", "corners")
LARGEST = 1e9  # of a number that is said of a robot


class Names(NamedTuple):
    """Names that a description may use."""

    robot: str
    joints: tuple[str, ...]
    """With one freedom."""
    bodies: tuple[str, ...]
    shapes: dict[str, str]
    """The body of each shape that has a name."""
    slides: frozenset[str] = frozenset()
    """Those of the joints that move along a line."""


def names_of(robot: RobotSpec) -> Names:
    """Return what a robot has that can be named.

    Args:
        robot: any robot.
    """
    model = robot.model
    bodies = [str(model.body(b).name) for b in range(1, model.nbody)]
    shapes = {
        str(model.geom(g).name): str(model.body(int(model.geom_bodyid[g])).name)
        for g in range(model.ngeom)
        if model.geom(g).name
    }
    named = tuple(body for body in bodies if body)
    slides = frozenset(
        str(model.joint(j).name)
        for j in range(model.njnt)
        if int(model.jnt_type[j]) == int(mujoco.mjtJoint.mjJNT_SLIDE)
    )
    return Names(robot.name, robot.joint_names, named, shapes, slides)


def known_name(name: Any, names: Iterable[str], what: str) -> str:
    """Return a name that exists, or say which are the nearest."""
    every = list(names)
    if isinstance(name, str) and name in every:
        return name
    near = difflib.get_close_matches(str(name)[:120], every[:2000], n=3, cutoff=0.5)
    some = ", ".join(shown(found, 40) for found in near or every[:8]) or "none"
    few = "the nearest are" if near else "it has"
    raise BadFileError(f"'{shown(name, 60)}' is no {what} of the robot; {few} {some}")


def _mapping(content: Any, what: str) -> dict[str, Any]:
    """Return a mapping, or say what should be one."""
    if content is None:
        return {}
    if not isinstance(content, Mapping):
        raise BadFileError(f"{what} must be a mapping, got {shown(repr(content), 60)}")
    return dict(content)


def _finite(value: Any, what: str, least: float = -math.inf, unit: str = "m") -> float:
    """Return a number, or say what should be one.

    Args:
        value: the number, or a text that has a unit.
        what: it is, for an error.
        least: below every number that is allowed.
        unit: of a number alone.
    """
    if isinstance(value, str):
        try:
            value = number_of(value, quantity_in(unit), shown(what))
        except QuantityError as error:
            raise BadFileError(error.problem) from None
    if not is_number(value) or not -LARGEST <= value <= LARGEST or value <= least:
        above = "" if least == -math.inf else f" above {least:g}"
        got = shown(repr(value), 60)
        raise BadFileError(f"{shown(what)} must be a number{above}, got {got}")
    return float(value)


def _place_in(content: Any, what: str) -> Place:
    """Return three numbers, or say what should be some."""
    if not isinstance(content, list | tuple) or len(content) != 3:
        got = shown(repr(content), 60)
        raise BadFileError(f"{what} must be three numbers in metres, got {got}")
    x, y, z = (_finite(value, what) for value in content)
    return (x, y, z)


def expect_robot(content: Any, names: Names) -> None:
    """Refuse a description of another robot; one without a name is of any."""
    if content is not None and content != names.robot:
        said, own = shown(content, 60), shown(names.robot, 60)
        raise BadFileError(
            f"is of robot '{said}', not of '{own}'; take its own, or leave 'robot' out"
        )


def base_in(content: Any, names: Names) -> str:
    """Return the base that is named; "" where none is."""
    return "" if content is None else known_name(content, names.bodies, "link")


def legs_in(content: Any, names: Names) -> dict[str, tuple[str, ...]]:
    """Return the joints of each leg."""
    legs: dict[str, tuple[str, ...]] = {}
    for name, leg in _mapping(content, "'legs'").items():
        said = f"leg '{shown(name, 40)}'"
        told = _mapping(leg, said)
        unknown = [key for key in told if key not in ("joints", "foot")]
        if unknown:
            key = shown(unknown[0], 40)
            raise BadFileError(f"{said} has '{key}'; it may have joints, foot")
        own = told.get("joints")
        if not isinstance(own, list | tuple) or not own:
            got = shown(repr(own), 60)
            raise BadFileError(f"{said} must list its joints, got {got}")
        legs[str(name)] = tuple(
            known_name(joint, names.joints, "joint") for joint in own
        )
    every = [joint for joints in legs.values() for joint in joints]
    twice = next((joint for joint in every if every.count(joint) > 1), None)
    if twice is not None:
        raise BadFileError(f"joint '{shown(twice, 60)}' is in two legs; keep one")
    return legs


def feet_in(content: Any, names: Names) -> dict[str, DescribedFoot]:
    """Return what is said of the feet, by the legs' names."""
    feet: dict[str, DescribedFoot] = {}
    for name, leg in _mapping(content, "'legs'").items():
        said = f"the foot of leg '{shown(name, 40)}'"
        foot = _mapping(leg, said).get("foot")
        if foot is None:
            continue
        if isinstance(foot, str):
            foot = {"body": foot}
        feet[str(name)] = _foot_in(_mapping(foot, said), said, names)
    return feet


def _foot_in(told: dict[str, Any], said: str, names: Names) -> DescribedFoot:
    """Return what is said of one foot."""
    for key in told:
        if key not in FOOT:
            some = ", ".join(FOOT)
            raise BadFileError(f"{said} has '{shown(key, 40)}'; it may have {some}")
    corners = told.get("corners") or []
    if not isinstance(corners, list | tuple) or 0 < len(corners) < 3:
        raise BadFileError(f"the corners of {said} must be three or more places")
    if corners and "radius" in told:
        raise BadFileError(f"{said} has corners and a radius; keep one")
    radius, centre = told.get("radius"), told.get("centre")
    return DescribedFoot(
        known_name(told.get("body"), names.bodies, "link"),
        None if radius is None else _finite(radius, f"the radius of {said}", 0.0),
        None if centre is None else _place_in(centre, f"the centre of {said}"),
        tuple(_place_in(corner, f"a corner of {said}") for corner in corners),
    )


def stand_in(content: Any, names: Names) -> dict[str, float]:
    """Return the joints of the stand."""
    told = _mapping(content, "'stand'")
    unknown = [key for key in told if key != "joints"]
    if unknown:
        key = shown(unknown[0], 40)
        raise BadFileError(f"'stand' has '{key}'; it may have joints")
    own = _mapping(told.get("joints"), "'joints' of the stand")
    return {
        known_name(name, names.joints, "joint"): _finite(
            value, f"joint '{name}'", unit="m" if name in names.slides else "rad"
        )
        for name, value in own.items()
    }


def drive_numbers(content: Any, names: Names) -> dict[str, dict[str, float]]:
    """Return the numbers of each drive, by joint or pattern."""
    found: dict[str, dict[str, float]] = {}
    for name, drive in _mapping(content, "'drives'").items():
        said = f"the drive of '{shown(name, 60)}'"
        own = _mapping(drive, said)
        if ARMATURE in own and "inertia" in own:
            raise BadFileError(f"{said} has inertia and armature; keep one")
        own = {"inertia" if key == ARMATURE else key: v for key, v in own.items()}
        for key in own:
            if key not in NUMBERS:
                some = ", ".join(NUMBERS)
                problem = f"{said} has '{shown(key, 40)}'; it may have {some}"
                raise BadFileError(problem)
        meant = [joint for joint in names.joints if fnmatchcase(joint, str(name))]
        if not meant:
            meant = [
                known_name(name, names.joints, "joint")
            ]  # it may look like a pattern
        units = SLIDING if names.slides.issuperset(meant) else TURNING
        found[str(name)] = {
            key: _finite(value, f"{key} of '{name}'", 0.0, units[key])
            for key, value in own.items()
        }
    return found
