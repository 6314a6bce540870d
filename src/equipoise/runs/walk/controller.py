"""Which controller walks a machine, and with which settings."""

import dataclasses
from typing import final

from equipoise.control.fit import unfit_machine, unfit_parts
from equipoise.control.machine import LeggedMachine, foot_mobility, stance_radius
from equipoise.control.pilots.harmonic import HarmonicConfig
from equipoise.control.recipe import CONTROLLERS, AbstractRecipe, AskedWalk
from equipoise.control.scaling import scaled_settings
from equipoise.control.walker import WARP1, WalkerConfig, carried_over
from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.core.settings import with_settings
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.robots.robot import Robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.heading import (
    HEADING_RATE,
    SLIP_TIME,
    heading_rate,
    keeping_its_heading,
)
from equipoise.runs.walk.policy import read_policy
from equipoise.sim.terrain import Terrain

__all__ = ["COMMON", "ChosenController", "chosen_controller"]

COMMON = "walking"
"""The controller of whoever has no other: gaits that have names."""
ROOM = 3.75  # of how far feet are from the middle, around start and goal
USUAL_GAITS = {6: "tripod", 8: "wave"}  # of it, by legs; a trot on four


@final
@dataclasses.dataclass(frozen=True, eq=False)
class ChosenController:
    """A recipe that was chosen for a machine."""

    name: str
    recipe: AbstractRecipe
    gait: str
    """What it walks, in words."""
    pattern: str
    """The gait of ``control.gaits`` by which it is checked before."""
    own: str
    """Name of the machine's own controller."""
    robot: Robot
    """Robot that walks."""
    machine: LeggedMachine
    """The same as a walking machine, at its usual height."""
    config: WalkConfig
    """How it shall walk."""
    terrain: Terrain
    """On what."""

    @property
    def is_own(self) -> bool:
        """Whether the machine is the one that it was made for."""
        return self.own == self.name

    @property
    def is_common(self) -> bool:
        """Whether gaits are asked of it by name."""
        return self.name == COMMON

    def settings(self, late: float, velocity: Array | None = None) -> WalkerConfig:
        """Return its parts and their settings for the machine.

        Args:
            late: time from its sensors to its feet, hold included [s].
            velocity: forward and to the left, at which a robot of a file shall be
                held by its steps, (2,) [m/s]; None for settings by similarity alone.

        Raises:
            ConfigError: parts that do not go together.
        """
        machine, config = self.machine, self.config
        walking = self.recipe.config(self.asked())
        if machine.is_scaled or not self.is_common:
            mobility = foot_mobility(machine)
            walking = carried_over(walking, machine, mobility, late, self.recipe.size)
        clocked = dataclasses.replace(walking.clocked, legs=machine.legs)
        walking = dataclasses.replace(walking, clocked=clocked, **config.parts())
        if machine.is_scaled and self.is_common and config.sensors == "real":
            walking = keeping_its_heading(walking, heading_rate(machine, velocity))
        if config.goal is not None:
            walking = finding_its_way(walking, machine)
        if config.learned is not None:
            walking = _with_policy(walking, machine, config.learned)
        _expect_parts(walking, machine.legs)
        if config.adapt:
            walking = _learning(walking, config)
        where = f"gait '{self.gait}'" if self.is_common else f"controller '{self.name}'"
        return with_settings(
            walking, config.gains, where, "equipoise controllers walker"
        )

    def asked(self) -> AskedWalk:
        """Return what is asked of it, at the size of its own machine."""
        robot, machine, config = self.robot, self.machine, self.config
        by, terrain = machine.scale.over(self.recipe.size), self.terrain
        speed, is_own = config.speed, machine.is_scaled and self.is_common
        return AskedWalk(
            robot=robot.name,
            legs=machine.legs,
            gait=self.pattern,
            duty=config.duty,
            speed=None if speed is None else speed / by["m/s"],
            left=config.left / by["m/s"],
            turn=config.turn / by["rad/s"],
            payload=robot.payload,
            acceleration=_own_acceleration(robot),
            is_soft=terrain.kind == "soft",
            rough=terrain.unseen / by["m"],
            slope=terrain.slope,
            mode=config.mode,
            tracking=config.tracking,
            is_commanded=config.command is not None,
            is_mapped=terrain.kind == "banned",
            is_backdrivable=machine.is_backdrivable,
            ground="mujoco" if is_own else config.ground,  # measured with WARP1 alone
            actuators="motor" if is_own else config.actuators,
        )


def chosen_controller(
    robot: Robot, machine: LeggedMachine, config: WalkConfig, terrain: Terrain
) -> ChosenController:
    """Return the controller that is asked for, else the machine's own.

    Args:
        robot: that walks.
        machine: that it is.
        config: how it shall walk.
        terrain: on what.

    Raises:
        UnknownNameError: no such controller.
        ConfigError: it does not go with the machine, or takes no gait; all reasons are
            named.
    """
    own = builtin(robot.name).controller if robot.name in builtin_names() else COMMON
    name = config.controller or (own if config.gait is None else COMMON)
    recipe = CONTROLLERS.find(name)()
    problems = unfit_machine(machine, recipe.fit, name)
    if config.gait is not None and name != COMMON:
        problems.append(
            f"controller '{name}' has its own gait, {recipe.gait}, got "
            f"'{config.gait}'; leave --gait out"
        )
    problems += _unfit_asking(recipe, name, config)
    if problems:
        raise ConfigError(f"robot '{robot.name}'", problems)
    gait, pattern = recipe.gait, recipe.pattern
    if name == COMMON:
        gait = pattern = config.gait or USUAL_GAITS.get(machine.legs, recipe.gait)
    return ChosenController(
        name, recipe, gait, pattern, own, robot, machine, config, terrain
    )


def _learning(walking: WalkerConfig, config: WalkConfig) -> WalkerConfig:
    """Return settings with which legs learn the ground.

    Args:
        walking: how it walks anyhow.
        config: what is asked.

    Raises:
        ConfigError: legs that cannot, or that are told not to.
    """
    problems: list[str] = []
    if walking.legs != "cycloid":
        problems.append(
            f"adapt: leg program '{walking.legs}' does not learn the ground; take "
            "--controller ralphy, or --leg-program cycloid"
        )
    if "cycloid.adapts" in config.gains:
        problems.append("adapt stands for cycloid.adapts; give only one")
    if problems:
        raise ConfigError("the controller", problems)
    cycloid = dataclasses.replace(walking.cycloid, adapts=True)
    return dataclasses.replace(walking, cycloid=cycloid)


def _with_policy(
    walking: WalkerConfig, machine: LeggedMachine, path: str
) -> WalkerConfig:
    """Return settings with which a machine turns by what it has learned.

    Args:
        walking: how it walks anyhow.
        machine: that learned it.
        path: of the policy's file.

    Raises:
        ConfigError: its planner goes by no supervisor.
        BadFileError: no policy of this machine.
    """
    if walking.planner != "basis":
        problem = (
            f"a learned policy is for planner 'basis', got '{walking.planner}'; walk "
            "with --controller thing"
        )
        raise ConfigError("the walk", [problem])
    policy = read_policy(path, machine)
    basis = dataclasses.replace(walking.basis, **policy.settings)
    return dataclasses.replace(walking, basis=basis, learned=policy.supervisor)


def finding_its_way(walking: WalkerConfig, machine: LeggedMachine) -> WalkerConfig:
    """Return settings with which a machine gets to a place of its own reckoning.

    Args:
        walking: how it walks anyhow.
        machine: whose size the pilot's cells are of.
    """
    way = scaled_settings(HarmonicConfig(), machine.scale.over(WARP1))
    wide = ROOM * stance_radius(machine)  # of machines that sprawl
    way = dataclasses.replace(way, room=max(way.room, wide))
    observer = dataclasses.replace(
        walking.observer, heading_rate=HEADING_RATE, slip_time=SLIP_TIME
    )
    return dataclasses.replace(walking, harmonic=way, observer=observer)


def _unfit_asking(recipe: AbstractRecipe, name: str, config: WalkConfig) -> list[str]:
    """Return why a mode or a command cannot be asked of a controller.

    Args:
        recipe: of the controller.
        name: of it.
        config: what is asked.
    """
    problems: list[str] = []
    if config.turn and not recipe.turns:
        problems.append(
            f"turn: controller '{name}' keeps its yaw; give --heading, or another "
            f"controller, got {config.turn:g}"
        )
    if config.tracking is not None and config.tracking not in recipe.trackings:
        has = f"must be {' or '.join(recipe.trackings)}, got '{config.tracking}'"
        if not recipe.trackings:
            has = (
                f"controller '{name}' has only one way to control its legs; "
                "leave it out"
            )
        problems.append(f"tracking: {has}")
    if config.mode is not None and config.mode not in recipe.modes:
        has = f"has the modes {', '.join(recipe.modes)}" if recipe.modes else "has none"
        problems.append(f"mode '{config.mode}': controller '{name}' {has}")
    if config.command is not None and not recipe.is_guarded:
        problems.append(
            f"command: controller '{name}' follows given speeds; give --speed, --left "
            "and --turn, or --controller asv"
        )
    return problems


def _expect_parts(walking: WalkerConfig, legs: int) -> None:
    """Refuse parts that do not go together.

    Args:
        walking: which parts there are.
        legs: of the machine.

    Raises:
        ConfigError: every reason is named.
    """
    names = ("planner", "support", "motion", "balance", "legs", "reflexes")
    problems = unfit_parts({name: getattr(walking, name) for name in names}, legs)
    if problems:
        raise ConfigError("the controller", problems)


def _own_acceleration(robot: Robot) -> float | None:
    """Return the acceleration that a built-in machine asks for, if any [m/s²]."""
    return builtin(robot.name).acceleration if robot.name in builtin_names() else None
