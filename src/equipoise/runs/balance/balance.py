"""Balance a robot in simulation: the whole job, from a choice of robot to its numbers.

``fell`` is said when the base is free and its foot leaned more than 45 degrees from how
it stood at the start, at any recorded moment, or when the run stopped on a state or
command that is not finite.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import mujoco
import numpy as np

from equipoise.control.com.controller import ComConfig, ComController
from equipoise.control.com.goal import ComGoal, distance_to, line_goal, point_goal
from equipoise.control.com.law import RECOMMENDED, find_law, law_names
from equipoise.control.laws import steering_law
from equipoise.core.arrays import Array
from equipoise.core.contracts import Controller
from equipoise.core.errors import ConfigError
from equipoise.core.settings import plain_settings
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.robot import Robot
from equipoise.runs.result import AbstractResult, Verdict, said
from equipoise.runs.robot import MOST_SEED, RobotChoice, find_robot
from equipoise.sim.recording import RunInfo, recorded
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Outcome, Run
from equipoise.sim.world import World, WorldConfig, build_world

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["BalanceConfig", "BalanceResult", "SteerConfig", "balance", "steered"]

Progress = Callable[[float], None]
BALANCED_W = 0.1
"""Distance below which a robot is balanced [module widths]."""
LARGEST_LEAN = math.radians(45.0)
"""Lean of a free foot from which the robot has fallen [rad]."""
MOST_SECONDS = 600.0
MOST_HOP_MS = 1000.0


@dataclass(frozen=True, kw_only=True, slots=True)
class SteerConfig:
    """How a robot is steered and simulated; the defaults are the command's."""

    controller: str = RECOMMENDED
    """Name of a steering law."""
    gains: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the law by name, see ``equipoise controllers NAME``."""
    seconds: float = 5.0
    """Simulated time, at most 600 [s]."""
    seed: int = 0
    """Which messages are lost."""
    hop_delay_ms: float = 1.0
    """Time a message takes to a neighbour, a multiple of the 1 ms step [ms]."""
    loss: float = 0.0
    """Chance that a message is lost, in [0, 1)."""
    gravity_compensation: bool = True
    """Whether each joint holds the weight it knows it carries."""
    contacts: bool = True
    """Whether things can touch."""
    target: tuple[float, ...] | None = None
    """Where the centre of mass shall be: x, y of a vertical line or x, y, z [m]; None
    for the support line, the vertical through where the robot stands."""

    def __post_init__(self) -> None:
        """Refuse settings out of range, all problems at once."""
        problems = []
        if not 0.0 < self.seconds <= MOST_SECONDS:
            problems.append(
                f"seconds must be > 0 and at most {MOST_SECONDS:g}, "
                f"got {self.seconds!r}"
            )
        if not 0 <= self.seed < MOST_SEED:
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        hop = self.hop_delay_ms
        if not 0.0 <= hop <= MOST_HOP_MS:
            problems.append(f"hop-delay-ms must be 0 to {MOST_HOP_MS:g}, got {hop!r}")
        elif hop != round(hop):
            problems.append(
                f"hop-delay-ms must be a multiple of the 1 ms step, got {hop!r}; "
                f"{round(hop)} would do"
            )
        if not 0.0 <= self.loss < 1.0:
            problems.append(f"loss must be in [0, 1), got {self.loss!r}")
        if self.target is not None and not is_place(self.target):
            problems.append(
                f"target must be 2 or 3 finite numbers in metres, got {self.target!r}"
            )
        if problems:
            raise ConfigError("the run", problems)

    def goal(self) -> ComGoal:
        """Return where the centre of mass shall be."""
        if self.target is None:
            return line_goal((0.0, 0.0))
        return (line_goal if len(self.target) == 2 else point_goal)(self.target)


@dataclass(frozen=True, kw_only=True, slots=True)
class BalanceConfig:
    """One balance run: which robot, and how it is steered."""

    robot: RobotChoice = field(default_factory=RobotChoice)
    steer: SteerConfig = field(default_factory=SteerConfig)


@final
@dataclass(frozen=True)
class BalanceResult(AbstractResult):
    """What a run gave."""

    robot: Robot = field(repr=False)
    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    dataset: "xr.Dataset" = field(repr=False)
    """Every signal by name, see ``equipoise.open_run``."""
    outcome: Outcome

    @property
    def verdict(self) -> Verdict:
        """Whether it ended on the line and did not fall."""
        is_near = self.summary["distance_final_w"] < BALANCED_W
        return said(is_near and not self.summary["fell"])

    def save(self, out: str | Path) -> list[Path]:
        """Write recording, plot, pictures and replay into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        from equipoise.runs.balance.outputs import write_outputs  # brings pictures

        return write_outputs([self], out)


def balance(config: BalanceConfig, progress: Progress | None = None) -> BalanceResult:
    """Balance the robot that a configuration names.

    Args:
        config: which robot and how.
        progress: called with the share done, in [0, 1].

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    expect_steering(config.steer.controller)  # said before a robot is built
    robot = find_robot(config.robot)
    return steered(robot, config.steer, config.robot.resolved(), progress)


def steered(
    robot: Robot,
    config: SteerConfig,
    choice: dict[str, Any],
    progress: Progress | None = None,
    own: Controller[Any] | None = None,
) -> BalanceResult:
    """Run one configuration on a robot.

    Args:
        robot: made of modules.
        config: how it is steered and simulated.
        choice: how the robot was chosen, written beside the run.
        progress: called with the share done, in [0, 1].
        own: a controller of the caller's own in place of a law; what configures a law
            does not count then.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    assembly = expect_modules(robot)
    if own is None:
        expect_steering(config.controller)
    world = build_world(robot, WorldConfig(contacts=config.contacts))
    goal = config.goal()
    controller = steering(assembly, config, goal) if own is None else own
    run = rollout(world, controller, config.seconds, signals=(), progress=progress)
    distance_w = distance_to(goal, run.p_WC) / assembly.body.width
    resolved = {**choice, **plain_settings(config)}
    info = RunInfo(controller=config.controller, seed=config.seed, config=resolved)
    dataset = recorded(world, run, info)
    dataset["distance_w"] = ("time", distance_w, {"units": "module widths"})
    dataset.attrs |= {
        "gravity_compensation": int(config.gravity_compensation),
        "contacts": int(config.contacts),
        "module_width_m": assembly.body.width,
        "goal": json.dumps([*goal.point[0].tolist()]),
        "goal_kind": "point" if goal.is_point else "line",
    }
    summary = summarised(world, config, run, distance_w)
    dataset.attrs["summary"] = json.dumps(summary)
    return BalanceResult(robot, summary, dataset, run.outcome)


def steering(assembly: Assembly, config: SteerConfig, goal: ComGoal) -> ComController:
    """Return the controller that a configuration names."""
    return ComController(
        assembly,
        steering_law(config.controller, config.gains, assembly),
        ComConfig(
            hop_delay=round(config.hop_delay_ms) * 1e-3,
            loss=config.loss,
            gravity_compensation=config.gravity_compensation,
            seed=config.seed,
        ),
        goal,
    )


def expect_steering(name: str) -> None:
    """Refuse a controller that does not steer modules, naming those that do."""
    from equipoise.control.workspace.balancer import balance_law_names

    if name in balance_law_names():
        raise ConfigError(
            f"controller '{name}'",
            [
                "it balances a biped; robots made of modules have "
                f"{', '.join(law_names())}"
            ],
        )
    find_law(name)


def expect_modules(robot: Robot) -> Assembly:
    """Return the robot's assembly, or say that it has none."""
    if robot.assembly is None:
        raise ConfigError(
            f"robot '{robot.name}'",
            [
                "balance steers robots made of modules; give 'superbot' or an assembly"
                + (", or use equipoise.simulate" if robot.feet else "")
            ],
        )
    return robot.assembly


def summarised(
    world: World, config: SteerConfig, run: Run, distance_w: Array
) -> dict[str, Any]:
    """Return the numbers of a run, all finite or None."""
    height = run.p_WC[:, 2]
    settled = settling_time(run.time, distance_w) if run.is_finite else None
    return {
        "robot": world.robot.name,
        "controller": config.controller,
        "seed": config.seed,
        "modules": len(world.robot.modules),
        "distance_initial_w": float(distance_w[0]),
        "distance_final_w": float(distance_w[-1]),
        "settling_time_s": settled,
        "height_ratio": float(height[-1] / height[0]) if height[0] else None,
        "saturation": mean_of(run.saturation),
        "contact_share": mean_of(np.where(run.contacts > 0, 1.0, 0.0 * run.contacts)),
        "messages": int(np.nansum(run.messages)),
        "fell": not run.is_finite or has_tipped(world, run.qpos),
        "realtime_factor": run.realtime_factor,
    }


def mean_of(values: Array) -> float:
    """Return the mean over the ticks that happened; 0 if there were none."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else 0.0


def settling_time(time: Array, distance_w: Array) -> float | None:
    """Return when the distance went below 0.1 w for good; None if it did not [s]."""
    away = np.flatnonzero(~(distance_w < BALANCED_W))
    if not away.size:
        return 0.0
    return None if away[-1] == len(time) - 1 else float(time[away[-1] + 1])


def has_tipped(world: World, q: Array) -> bool:
    """Say whether a free base ever leaned more than 45 degrees from how it stood."""
    model = world.model
    joint = int(model.body_jntadr[world.base])
    free = int(mujoco.mjtJoint.mjJNT_FREE)
    if joint < 0 or int(model.jnt_type[joint]) != free:
        return False
    address = int(model.jnt_qposadr[joint]) + 3
    quat = q[:, address : address + 4]
    start, up, turned = np.empty(3), np.array([0.0, 0.0, 1.0]), np.empty(3)
    back = quat[0] * (1.0, -1.0, -1.0, -1.0)
    mujoco.mju_rotVecQuat(start, up, back)  # the world's up in the foot's frame
    for row in quat:
        mujoco.mju_rotVecQuat(turned, start, row)
        if turned[2] < math.cos(LARGEST_LEAN) * np.dot(row, row):
            return True
    return False


def is_place(target: tuple[float, ...]) -> bool:
    """Say whether a target is two or three finite numbers."""
    return len(target) in (2, 3) and all(math.isfinite(x) for x in target)
