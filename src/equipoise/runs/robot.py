"""From what a user names to a robot: a built-in name with its options, or a file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from equipoise.core.errors import ConfigError
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.robots.load import load
from equipoise.robots.robot import Robot

__all__ = ["MOST_SEED", "RobotChoice", "find_robot"]

MOST_SEED = 2**63  # so that a recording can hold it


@dataclass(frozen=True, kw_only=True, slots=True)
class RobotChoice:
    """Which robot; what is not given keeps the robot's default.

    Raises:
        ConfigError: options out of range, or that belong to another robot.
        UnknownNameError: options that no robot has.
    """

    name: str = "superbot"
    """A built-in name, or a file: ``.yaml`` assembly, URDF or MJCF."""
    seed: int = 0
    """Which one, where the robot is drawn at random."""
    base: str | None = None
    """Which body of a file is the robot's base; files only."""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Of a built-in robot, by name, as its folder declares them."""

    def __post_init__(self) -> None:
        """Refuse options out of range, or that belong to another robot."""
        problems = foreign_options(self.name, self.options)
        if self.base is not None and self.name in builtin_names():
            problems.append(f"base is for robot files, got the built-in '{self.name}'")
        if not 0 <= self.seed < MOST_SEED:
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        if problems:
            raise ConfigError("the choice of robot", problems)
        if self.name in builtin_names():
            builtin(self.name).chosen(self.options)

    def resolved(self) -> dict[str, Any]:
        """Return every option that a command offers, with the value that counts."""
        if self.name not in builtin_names():
            given = {} if self.base is None else {"base": self.base}
            return {"robot": self.name} | given
        robot = builtin(self.name)
        chosen = robot.chosen(self.options)
        values = {option.name: getattr(chosen, option.name) for option in robot.typed}
        return {"robot": self.name} | values


def foreign_options(robot: str, given: Iterable[str]) -> list[str]:
    """Return a complaint for options that belong to other robots only.

    Args:
        robot: name of the robot that was chosen.
        given: names of the options that were given.
    """
    typed = {
        name: [option.name for option in builtin(name).typed]
        for name in builtin_names()
    }
    known = {field.name for field in own_fields(robot)}
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


def own_fields(robot: str) -> tuple[Any, ...]:
    """Return the fields of a built-in robot's options; a file has none."""
    return fields(builtin(robot).options) if robot in builtin_names() else ()


def find_robot(choice: RobotChoice) -> Robot:
    """Return the robot that was chosen.

    Raises:
        BadFileError: the file cannot be used.
        ConfigError: options that do not fit together.
        UnknownNameError: neither a built-in robot nor a file.
    """
    options = dict(choice.options)
    if any(field.name == "seed" for field in own_fields(choice.name)):
        options["seed"] = choice.seed
    if choice.base is not None:
        options["base"] = choice.base
    return load(choice.name, **options)
