"""From what a user names to a robot: a built-in name with its options, or a file."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from equipoise.core.errors import ConfigError
from equipoise.robots.load import load
from equipoise.robots.robot import Robot

__all__ = ["BUILT_IN", "RobotChoice", "find_robot"]

BUILT_IN = {
    "biped": "a trunk on two legs of six joints, of a human's size; it stands",
    "superbot": "a random tree of SuperBot modules, standing on the ground",
    "warp1": "the four-legged walking platform WARP1, 60.4 kg; its rigid bodies",
}
"""Robots by name, and what they are."""
OPTIONS = {
    "biped": ("height", "body_mass", "feet", "torque_limit"),
    "superbot": ("modules", "branches", "angles", "mass_scale"),
}
"""Which options belong to which robot."""
MOST_MODULES = 2000
MOST_SEED = 2**63  # so that a recording can hold it


@dataclass(frozen=True, kw_only=True, slots=True)
class RobotChoice:
    """Which robot; None means not given, a built-in robot then takes its default."""

    name: str = "superbot"
    """A built-in name, or a file: ``.yaml`` assembly, URDF or MJCF."""
    seed: int = 0
    """Which tree, where the robot is drawn at random."""
    modules: int | None = None
    """How many, 1 to 2000; ``superbot`` only, 20 unless given."""
    branches: int | None = None
    """Into how many branches they are divided; ``superbot`` only, 4 unless given, fewer
    where there are fewer modules."""
    angles: Literal["zero", "random"] | None = None
    """Joint angles at the start; ``superbot`` only, zero unless given."""
    mass_scale: float | None = None
    """Share of a module's real mass; ``superbot`` only, 0.1 unless given."""
    height: float | None = None
    """Of the body, 0.5 to 2.5; ``biped`` only, 1.72 unless given [m]."""
    body_mass: float | None = None
    """5 to 300; ``biped`` only, 70 unless given [kg]."""
    feet: Literal["box", "spheres"] | None = None
    """Shape of the soles; ``biped`` only, box unless given."""
    torque_limit: float | None = None
    """Of every joint, > 0; ``biped`` only, none unless given [N m]."""
    base: str | None = None
    """Which body of a file is the robot's base; files only."""

    def __post_init__(self) -> None:
        """Refuse options out of range, or that belong to another robot."""
        given = {
            key: getattr(self, key)
            for keys in OPTIONS.values()
            for key in keys
            if getattr(self, key) is not None
        }
        problems = foreign_options(self.name, given)
        if self.base is not None and self.name in BUILT_IN:
            problems.append(f"base is for robot files, got the built-in '{self.name}'")
        if not 0 <= self.seed < MOST_SEED:
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        if not 1 <= given.get("modules", 1) <= MOST_MODULES:
            problems.append(
                f"modules must be 1 to {MOST_MODULES}, got {self.modules!r}"
            )
        if given.get("branches", 1) < 1:
            problems.append(f"branches must be >= 1, got {self.branches!r}")
        if given.get("angles", "zero") not in ("zero", "random"):
            problems.append(f"angles must be 'zero' or 'random', got {self.angles!r}")
        if not 0.0 < given.get("mass_scale", 1.0) < float("inf"):
            problems.append(f"mass-scale must be > 0, got {self.mass_scale!r}")
        if problems:
            raise ConfigError("the choice of robot", problems)

    def resolved(self) -> dict[str, Any]:
        """Return every option with the value that counts."""
        if self.name == "biped":
            return {
                "robot": self.name,
                "height": 1.72 if self.height is None else self.height,
                "body_mass": 70.0 if self.body_mass is None else self.body_mass,
                "feet": "box" if self.feet is None else self.feet,
                "torque_limit": self.torque_limit,
            }
        if self.name != "superbot":
            given = {} if self.base is None else {"base": self.base}
            return {"robot": self.name} | given
        modules = 20 if self.modules is None else self.modules
        return {
            "robot": self.name,
            "modules": modules,
            "branches": min(4, modules) if self.branches is None else self.branches,
            "angles": "zero" if self.angles is None else self.angles,
            "mass_scale": 0.1 if self.mass_scale is None else self.mass_scale,
        }


def foreign_options(robot: str, given: Iterable[str]) -> list[str]:
    """Return a complaint for each robot that other options belong to.

    Args:
        robot: name of the robot that was chosen.
        given: names of the options that were given.
    """
    problems = []
    for owner, keys in OPTIONS.items():
        foreign = [key.replace("_", "-") for key in given if key in keys]
        if foreign and owner != robot:
            verb = "belongs" if len(foreign) == 1 else "belong"
            problems.append(
                f"{', '.join(foreign)} {verb} to '{owner}'; '{robot}' brings its own"
            )
    return problems


def find_robot(choice: RobotChoice) -> Robot:
    """Return the robot that was chosen.

    Raises:
        BadFileError: the file cannot be used.
        ConfigError: options that do not fit together.
        UnknownNameError: neither a built-in robot nor a file.
    """
    options = choice.resolved()
    del options["robot"]
    if choice.name == "superbot":
        options["seed"] = choice.seed
    return load(choice.name, **options)
