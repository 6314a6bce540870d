"""Keep a legged robot standing in simulation while something hits it.

``fell`` is said when the centre of mass of the robot's base comes below 0.72 of its set
height, when the base is turned by more than 60 degrees from its set orientation, or
when the run stops on numbers that are not finite; the run ends there. ``survived`` is
said when it did not fall and ends at rest, within 5 cm and 5 degrees of where the
controller wants it, which moves when the robot takes a step. At rest means that the
base moves by less than 0.05 m/s and 0.1 rad/s.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import mujoco
import numpy as np

from equipoise.control.laws import balance_law
from equipoise.control.workspace.balancer import (
    RECOMMENDED,
    Balancer,
    balance_law_names,
    find_balance_law,
)
from equipoise.control.workspace.laws.step import TIMED
from equipoise.core.arrays import Array
from equipoise.core.checks import is_number, is_whole
from equipoise.core.contracts import Command, Controller, Sensed
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.jit import compiled
from equipoise.core.settings import plain_settings
from equipoise.robots.robot import Robot
from equipoise.runs.result import AbstractResult, Verdict, said
from equipoise.runs.robot import MOST_SEED, RobotChoice, find_robot
from equipoise.runs.stand.judge import set_place, trunk_centre
from equipoise.runs.stand.own_robot import footed, scale_of, usual_block
from equipoise.runs.stand.plan import expect_able_to_stand
from equipoise.runs.stand.result import AIMS, SIGNALS, add_signals, loop_numbers
from equipoise.runs.stand.throw import thrown_block
from equipoise.sim.delay import DelayedController, delay_ticks
from equipoise.sim.disturbances import Push, ThrownBlock
from equipoise.sim.ideal import IdealConfig
from equipoise.sim.recording import RunInfo, recorded
from equipoise.sim.rollout import rollout, steps_per_period
from equipoise.sim.run import Outcome, Run
from equipoise.sim.soles import SoleWatch
from equipoise.sim.world import World, WorldConfig, build_world

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["StandConfig", "StandResult", "stand", "stand_robot"]

Progress = Callable[[float], None]
STEPPING = "workspace-step"
PERIOD = 0.002
"""Of the controller [s]: 500 Hz, as in [Wendlandt1997]."""
CONTACT_TIME = 0.01  # at the engine's own 0.02 s soles sink in twice as deep [s]
LOWEST, FARTHEST = 0.72, math.radians(60.0)
"""Share of the set height, and turn from the set pose, at which it has fallen."""
MOST_SECONDS, MOST_SPEED, MOST_BLOCK = 600.0, 50.0, 1000.0
LEAST_BLOCK = 1e-6  # a lighter one has less inertia than the engine takes [kg]


@dataclass(frozen=True, kw_only=True, slots=True)
class StandConfig:
    """One run of a biped; the defaults are the throw of [Wendlandt1997]."""

    controller: str = RECOMMENDED
    """Name of a balance law."""
    gains: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the law by name, see ``equipoise controllers NAME``."""
    block_mass: float | None = None
    """Of the block that is thrown, 0 for none [kg]; None for 1.8, of a robot file 0.03
    of its mass."""
    block_speed: float = 4.5
    """Towards -x at the start [m/s]."""
    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="biped"))
    """Which robot that stands on feet, and its size."""
    friction: float = 0.3
    """Coulomb friction everywhere; the controller is told."""
    seconds: float = 3.0
    """Simulated time, at most 600 [s]."""
    timestep: float = 0.0005
    """Of the simulation, a whole part of the controller's 2 ms [s]."""
    delay_ms: float = 0.0
    """From reading to torque, a multiple of the controller's 2 ms [ms]."""
    push: Push | None = None
    """A push besides the block."""
    seed: int = 0
    """Nothing here is drawn at random; repeated in the summary."""

    def __post_init__(self) -> None:
        """Refuse settings out of range, all problems at once."""
        problems = []
        thrown: dict[str, Any] = {"block_mass": MOST_BLOCK, "block_speed": MOST_SPEED}
        if self.block_mass is None:
            del thrown["block_mass"]
        for name, most in thrown.items():
            value: Any = getattr(self, name)
            if not (is_number(value) and 0.0 <= value <= most):
                shown = name.replace("_", "-")
                problems.append(f"{shown} must be 0 to {most:g}, got {value!r}")
            elif name == "block_mass" and 0.0 < value < LEAST_BLOCK:
                what = f"block-mass must be 0 or at least {LEAST_BLOCK:g} kg"
                problems.append(f"{what}, got {value!r}")
        if not (is_number(self.friction) and 0.0 < self.friction < math.inf):
            problems.append(f"friction must be > 0, got {self.friction!r}")
        if not (is_number(self.seconds) and PERIOD <= self.seconds <= MOST_SECONDS):
            problems.append(
                f"seconds must be {PERIOD:g} to {MOST_SECONDS:g}, got {self.seconds!r}"
            )
        if not (is_number(self.timestep) and 1e-5 <= self.timestep <= PERIOD):
            problems.append(
                f"timestep must be 1e-5 to {PERIOD:g} s, got {self.timestep!r}"
            )
        if not (self.push is None or isinstance(self.push, Push)):
            example = "equipoise.sim.disturbances.Push(impulse=(0, 20, 0))"
            problems.append(f"push must be as {example} [N s], got {self.push!r}")
        if not (is_whole(self.seed) and 0 <= self.seed < MOST_SEED):
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        if not is_number(self.delay_ms):
            problems.append(f"delay-ms must be a number, got {self.delay_ms!r}")
        if problems:
            raise ConfigError("the run", problems)
        steps_per_period(self.timestep, PERIOD)
        delay_ticks(self.delay_ms, PERIOD)


@final
@dataclass(frozen=True)
class StandResult(AbstractResult):
    """What a run gave."""

    robot: Robot = field(repr=False)
    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    dataset: "xr.Dataset" = field(repr=False)
    """Every signal by name, see ``equipoise.open_run``."""
    outcome: Outcome

    @property
    def verdict(self) -> Verdict:
        """Whether it stood to the end and came to rest."""
        return said(self.summary["survived"])

    def save(self, out: str | Path) -> list[Path]:
        """Write recording, plot, stills and replay into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        from equipoise.runs.stand.outputs import write_stand  # brings pictures

        return write_stand(self, out)


def stand(
    config: StandConfig | None = None, progress: Progress | None = None
) -> StandResult:
    """Throw a block at a biped, or push it, and return what happened.

    Args:
        config: the robot, its controller and what happens to it; None for the
            throw of [Wendlandt1997].
        progress: called with the share done, in [0, 1].

    Raises:
        EquipoiseError: a robot or settings that cannot be used; nothing has been
            simulated then.
    """
    config = config or StandConfig()
    expect_law(config.controller)
    choice = config.robot
    return stand_robot(find_robot(choice), config, choice.resolved(), progress)


def stand_robot(
    robot: Robot,
    config: StandConfig | None = None,
    choice: dict[str, Any] | None = None,
    progress: Progress | None = None,
    own: Controller[Any] | None = None,
) -> StandResult:
    """Do the same to any robot with two feet or more.

    It starts in its keyframe ``start`` and is to be held in its keyframe ``set``; the
    block's flight scales with the set height of its base. A robot file that names no
    feet is made ready first, see ``equipoise.robots.standing``.

    Args:
        robot: free in space, every joint driven by a motor, its ``feet`` named; or from
            a file, with legs of six joints and soles.
        config: all but its choice of robot, which does not count here.
        choice: what is written beside the run about the robot; None for its name.
        progress: called with the share done, in [0, 1].
        own: a controller of the caller's own in place of a law; its aim is the set
            pose, unless it says another.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    config = config or StandConfig()
    if own is None:
        expect_law(config.controller)
    ready = footed(robot)
    robot = ready.robot
    if config.block_mass is None:
        config = replace(config, block_mass=usual_block(robot))
    world, controller = prepared(robot, config, own)
    watch = SoleWatch.of(world, round(config.seconds / PERIOD))
    run = simulated(world, controller, config, watch, progress)
    how = {k: v for k, v in plain_settings(config).items() if k != "robot"}
    info = RunInfo(
        controller=config.controller,
        seed=config.seed,
        config={**(choice or {"robot": robot.name}), **how},
    )
    dataset = recorded(world, run, info).drop_vars(["messages", "contacts"])
    summary = {
        "robot": robot.name,
        "controller": config.controller,
        "seed": config.seed,
        **add_signals(dataset, robot, run, watch.log),
        "state": "ideal",
        "scale": scale_of(robot, config.block_mass or 0.0),
        **loop_numbers(robot, run),
        "assumed": list(ready.assumed),
        "unfit": [],
    }
    dataset.attrs["summary"] = json.dumps(summary, allow_nan=False)
    return StandResult(robot, summary, dataset, run.outcome)


def expect_law(name: str) -> None:
    """Refuse a controller that no robot with feet has, naming those that it has."""
    from equipoise.control.com.law import law_names

    if name in law_names():
        raise ConfigError(
            f"controller '{name}'",
            [
                "it steers robots made of modules; a biped has "
                f"{', '.join(balance_law_names())}"
            ],
        )
    try:
        find_balance_law(name)
    except UnknownNameError:
        names = balance_law_names()
        raise UnknownNameError("controller", name, names, "the biped") from None


def prepared(
    robot: Robot, config: StandConfig, own: Controller[Any] | None = None
) -> tuple[World, Controller[Any]]:
    """Return the world and the controller, after asking whether it can stand."""
    controller: Controller[Any]
    if own is None:
        usual = TIMED if robot.source and config.controller == STEPPING else {}
        gains = {**usual, **config.gains}
        law, shared = balance_law(config.controller, gains, config.friction)
        controller = Balancer(robot, law, shared)
        expect_able_to_stand(robot)
    else:
        aim = np.hstack(set_place(robot)).tolist()
        controller = Aimed(own, dict(zip(AIMS, aim, strict=True)))
    late = delay_ticks(config.delay_ms, PERIOD)
    if late:
        controller = DelayedController(controller, late)
    settings = WorldConfig(
        timestep=config.timestep,
        friction=config.friction,
        cone="elliptic",
        impratio=10.0,
        contact_time=CONTACT_TIME,
        skins=False,
    )
    return build_world(robot, settings, thrown_blocks(robot, config)), controller


@final
@dataclass(frozen=True)
class Aimed:
    """A controller that may not say what it aims at: it then is the set pose."""

    controller: Controller[Any]
    aim: dict[str, float]

    def init(self) -> Any:
        """Return the state before the first tick."""
        return self.controller.init()

    def step(self, sensed: Sensed, state: Any) -> tuple[Command, Any]:
        """Return the command, with an aim."""
        command, state = self.controller.step(sensed, state)
        said = {**self.aim, "steps": 0.0, "gave_up": 0.0, **command.telemetry}
        return Command(command.tau, said), state


def thrown_blocks(robot: Robot, config: StandConfig) -> list[ThrownBlock]:
    """Return the block that is thrown, if one is."""
    mass = usual_block(robot) if config.block_mass is None else config.block_mass
    return [thrown_block(robot, mass, config.block_speed)] if mass > 0.0 else []


def simulated(
    world: World,
    controller: Controller[Any],
    config: StandConfig,
    watch: SoleWatch | None = None,
    progress: Progress | None = None,
) -> Run:
    """Run until the end or the fall."""
    place, quat = set_place(world.robot)
    p_BO = trunk_centre(world.robot)
    lowest, nearest = LOWEST * float(place[2]), math.cos(0.5 * FARTHEST)

    base = world.base

    def stop(data: mujoco.MjData) -> bool:
        R_WB = data.xmat[base].reshape(3, 3)
        return has_fallen(data.xpos[base], R_WB, p_BO, quat, lowest, nearest)

    return rollout(
        world,
        controller,
        config.seconds,
        plant=IdealConfig(period=PERIOD, counts_contacts=False),
        pushes=() if config.push is None else (config.push,),
        signals=SIGNALS,
        watch=watch,
        record_every=1,
        progress=progress,
        stop=stop,
    )


@compiled(allocates=False)
def has_fallen(
    p_WB: Array, R_WB: Array, p_BO: Array, quat: Array, lowest: float, nearest: float
) -> bool:
    """Say whether a base is too low or turned too far from an orientation.

    The trace of the turn between two orientations is 4 c² - 1, c the cosine of half the
    angle.
    """
    height = p_WB[2]
    for a in range(3):
        height += R_WB[2, a] * p_BO[a]
    w, x, y, z = quat[0], quat[1], quat[2], quat[3]
    trace = R_WB[0, 0] * (w * w + x * x - y * y - z * z)
    trace += R_WB[1, 1] * (w * w - x * x + y * y - z * z)
    trace += R_WB[2, 2] * (w * w - x * x - y * y + z * z)
    trace += 2.0 * (R_WB[0, 1] * (x * y - w * z) + R_WB[1, 0] * (x * y + w * z))
    trace += 2.0 * (R_WB[0, 2] * (x * z + w * y) + R_WB[2, 0] * (x * z - w * y))
    trace += 2.0 * (R_WB[1, 2] * (y * z - w * x) + R_WB[2, 1] * (y * z + w * x))
    return height < lowest or trace < 4.0 * nearest * nearest - 1.0
