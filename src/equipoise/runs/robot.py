"""From what a user names to a robot: a built-in name with its options, or a file."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, final

from equipoise.core.errors import ConfigError
from equipoise.core.setting import Setting, described_settings
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.robots.files.named import is_robot_file, robot_path
from equipoise.robots.sidecar import sidecar_path

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot  # brings MuJoCo

__all__ = [
    "MOST_SEED",
    "PACKAGES",
    "ChangeOptions",
    "FileOptions",
    "RobotChoice",
    "find_robot",
    "kept",
]

Made = TypeVar("Made")

FILES = "Robot files"
CHANGE = "change"
MOST_SEED = 2**63  # so that a recording can hold it
PACKAGES = Setting(
    "Folder of the package NAME in package://NAME/..., or a folder that contains "
    "packages; can be repeated",
    option="package-path",
    metavar="[NAME=]DIR",
    between="",
    usual="ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, folders above the file",
    panel=FILES,
)


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class FileOptions:
    """What commands offer to say of a robot file; ``equipoise.load`` takes more."""

    base: Annotated[
        str | None,
        Setting(
            "Body of the file that is the robot's base; for a URDF also 'free' or "
            "'fixed'",
            metavar="NAME",
            usual="found",
            panel=FILES,
        ),
    ] = None
    description: Annotated[
        str | None,
        Setting(
            "Sidecar file that corrects or completes the robot file; 'equipoise "
            "describe' writes one",
            metavar="FILE",
            usual="NAME.robot.yaml beside the file",
            panel=FILES,
            completion="yaml",
        ),
    ] = None
    packages: Annotated[tuple[str, ...], PACKAGES] = ()
    drives: Annotated[
        str | None,
        Setting(
            "Drives of the file's joints, as YAML: '*_knee: {torque: 40, speed: 20, "
            "armature: 0.01}'",
            metavar="FILE",
            usual="found",
            panel=FILES,
            completion="yaml",
        ),
    ] = None


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeOptions:
    """What commands offer to change of any robot."""

    change: Annotated[
        tuple[str, ...],
        Setting(
            "Change a number of the robot: mass or length of a body; damping, "
            "friction, stiffness or armature of a joint. NAME can contain *. VALUE is "
            "a number such as 30kg, or a factor such as 1.2x; can be repeated",
            metavar="WHAT.NAME=VALUE",
            between="",
            usual="none",
        ),
    ] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class RobotChoice:
    """Which robot; what is not given keeps the robot's default.

    Raises:
        ConfigError: options out of range, or that belong to another robot.
        UnknownNameError: options that no robot has.
    """

    name: str = "superbot"
    """A built-in name, or a file: ``.yaml`` assembly, URDF or MJCF, the name of one
    that comes along (``colt``) or of the package ``robot_descriptions``."""
    seed: int = 0
    """Which one, where the robot is drawn at random."""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """By name: of a built-in robot as its folder declares them; of a robot file those
    of ``equipoise.load`` (``base``, ``description``, ``drives``, ``packages``); of both
    ``change``, as ``mass.trunk=30kg,length.*_shank=1.1x``."""

    def __post_init__(self) -> None:
        """Refuse options out of range, or that belong to another robot."""
        problems = _foreign_options(self.name, self.options)
        if not is_robot_file(self.name):
            problems += [
                f"{key} is for robot files, got '{self.name}'"
                for key in described_settings(FileOptions)
                if key in self.options
            ]
        if not 0 <= self.seed < MOST_SEED:
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        if problems:
            raise ConfigError("the choice of robot", problems)
        if self.name in builtin_names():
            builtin(self.name).chosen(self.built)

    @property
    def built(self) -> dict[str, Any]:
        """What it is built or read with; changes come after."""
        return {key: value for key, value in self.options.items() if key != CHANGE}

    def resolved(self) -> dict[str, Any]:
        """Return every option that a command offers, with the value that counts."""
        if self.name not in builtin_names():
            told = {key: str(value) for key, value in self.options.items()}
            place = sidecar_path(self.name)
            near = {} if place is None else {"description": str(place)}
            return {"robot": self.name} | near | told
        robot = builtin(self.name)
        chosen = robot.chosen(self.built)
        values = {option.name: getattr(chosen, option.name) for option in robot.typed}
        changes = {CHANGE: self.options[CHANGE]} if CHANGE in self.options else {}
        return {"robot": self.name} | values | changes


def _foreign_options(robot: str, given: Iterable[str]) -> list[str]:
    """Return a complaint for options that belong to other robots only.

    Args:
        robot: name of the robot that was chosen.
        given: names of the options that were given.
    """
    typed = {
        name: [option.name for option in builtin(name).typed]
        for name in builtin_names()
    }
    known = {field.name for field in _own_fields(robot)}
    owners: dict[tuple[str, ...], list[str]] = {}
    for key in given:
        own = tuple(name for name, keys in typed.items() if key in keys)
        if own and key not in known:
            owners.setdefault(own, []).append(key.replace("_", "-"))
    return [
        f"{', '.join(foreign)} {'belongs' if len(foreign) == 1 else 'belong'} to "
        f"{' and '.join(repr(name) for name in own)}; '{robot}' brings its own"
        for own, foreign in owners.items()
    ]


def _own_fields(robot: str) -> tuple[Any, ...]:
    """Return the fields of a built-in robot's options; a file has none."""
    return fields(builtin(robot).options) if robot in builtin_names() else ()


def find_robot(choice: RobotChoice) -> "Robot":
    """Return the robot that was chosen.

    Raises:
        BadFileError: the file cannot be used.
        ConfigError: options that do not fit together.
        UnknownNameError: neither a built-in robot nor a file.
    """
    from equipoise.robots.load import load  # brings MuJoCo

    options = dict(choice.options)
    if any(field.name == "seed" for field in _own_fields(choice.name)):
        options["seed"] = choice.seed
    return load(choice.name, **options)


@lru_cache(maxsize=4)
def _made_once(
    make: Callable[[RobotChoice], Made], told: str, stamps: tuple[int, ...]
) -> Made:
    """Return what is made of a choice of robot; ``stamps`` tell its files apart."""
    return make(RobotChoice(**json.loads(told)))


def kept(choice: RobotChoice, make: Callable[[RobotChoice], Made]) -> Made:
    """Return what is made of a choice of robot: once in a process, for many runs.

    It is made anew when a file has changed, and every time where an option is neither
    a plain value nor a path.

    Args:
        choice: which robot.
        make: makes it, as ``find_robot``; a function of a module.
    """
    given = {
        key: str(value) if isinstance(value, PurePath) else value
        for key, value in choice.options.items()
    }
    try:
        told = json.dumps({"name": choice.name, "seed": choice.seed, "options": given})
    except TypeError:
        return make(choice)
    named = [robot_path(choice.name), *choice.resolved().values(), *given.values()]
    files = [path for path in map(Path, map(str, named)) if path.is_file()]
    return _made_once(make, told, tuple(path.stat().st_mtime_ns for path in files))
