"""Run a robot whose modules are processes of their own, while MuJoCo plays the world.

The world steps in lock-step with the modules: a tick is readings out, frames between
neighbours, torques back. It never waits for the dead. Nothing is left behind, however
a run ends.
"""

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import mujoco

from equipoise.control.com.delay import hop_delay_limit
from equipoise.control.com.goal import distance_to, line_goal
from equipoise.control.com.law import RECOMMENDED, find_law
from equipoise.core.errors import ConfigError
from equipoise.core.kinds import Verdict
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.robot import Robot
from equipoise.runs.balance.free import BALANCED_W
from equipoise.runs.balance.staged import expect_modules
from equipoise.runs.processes.config import ModuleRunConfig
from equipoise.runs.processes.controller import FleetController, FleetState
from equipoise.runs.processes.fleet import Event, Fleet
from equipoise.runs.processes.judge import Judge
from equipoise.runs.processes.rows import LOST, REFUSED
from equipoise.runs.processes.setup import (
    FleetConfig,
    build_fleet,
    cut_link,
    households,
)
from equipoise.runs.result import AbstractResult, yes_or_no
from equipoise.runs.robot import find_robot
from equipoise.sim.recording import RunInfo, recorded
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Outcome, Run
from equipoise.sim.world import WorldConfig, build_world

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["ModuleRunResult", "Watcher", "run_modules"]

DT = 0.001
GOAL = line_goal((0.0, 0.0))
"""The vertical through where the robot stands."""
Watcher = Callable[[int, Fleet], None]
"""Called after each tick with its number and the fleet."""


@final
@dataclass(frozen=True, repr=False)
class ModuleRunResult(AbstractResult):
    """Result of a run of modules as processes."""

    robot: Robot = field(repr=False)
    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    details: dict[str, Any]
    """Further numbers: share of ticks in which all was right, verdicts, strangers."""
    events: tuple[Event, ...]
    """Deaths and returns of processes."""
    outcome: Outcome
    dataset: "xr.Dataset" = field(repr=False)
    """Every signal by name, see ``equipoise.open_run``."""

    @property
    def verdict(self) -> Verdict:
        """Whether it ended near its line and nobody was left behind."""
        return yes_or_no(self.summary["settled"] and not self.summary["orphans"])

    def save(self, out: str | Path) -> list[Path]:
        """Write recording, plot, pictures, replay and numbers into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        from equipoise.runs.processes.outputs import (
            write_module_outputs,  # brings pictures
        )

        return write_module_outputs(self, out)


def run_modules(
    config: ModuleRunConfig,
    *,
    watch: Watcher | None = None,
    notice: Callable[[Event], None] | None = None,
) -> ModuleRunResult:
    """Run a robot in processes to the end of its time.

    Args:
        config: which robot, which faults, how long.
        watch: called after each tick.
        notice: called when a process dies or is back.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    robot = find_robot(config.robot)
    assembly = _expect_grounded(robot)
    _expect_module(config, assembly)
    judge = _judge_of(assembly, config)
    world = build_world(robot, WorldConfig(contacts=config.contacts))
    fleet = _fleet_of(assembly, config, notice)
    left = 0
    try:
        show = None if watch is None else lambda tick: watch(tick, fleet)
        controller = FleetController(assembly, fleet, config.kills(), DT, show)

        def look(tick: int, data: mujoco.MjData) -> None:
            judge.look(tick, data.subtree_com[0], fleet.report, fleet.alive)

        run = rollout(world, controller, config.seconds, signals=(), watch=look)
    finally:
        left = fleet.close()
    away = distance_to(GOAL, run.p_WC) / assembly.body.width
    state = controller.last[0]
    summary = _summarised(config, fleet, state, judge, run, float(away[-1]))
    summary["orphans"] = left
    details = {
        "distance_initial_w": float(away[0]),
        "right_share": judge.right / max(state.tick, 1),
        "verdicts": judge.verdicts,
        "foreign_datagrams": fleet.foreign + int(fleet.total[REFUSED]),
        "frames": state.posted,
        "engine_us": 1e6 * run.cpu.physics / max(state.tick, 1),
        "hop_delay_limit_s": hop_delay_limit(assembly),
    }
    dataset = _dataset_of(world, run, config, summary, assembly)
    dataset["distance_w"] = ("time", away, {"units": "module widths"})
    events = tuple(fleet.events)
    return ModuleRunResult(robot, summary, details, events, run.outcome, dataset)


def _fleet_of(
    assembly: Assembly,
    config: ModuleRunConfig,
    notice: Callable[[Event], None] | None,
) -> Fleet:
    """Return the robot's processes, ready to be started."""
    settings = FleetConfig(
        processes=config.shared_by,
        transport=config.transport,
        can=config.can,
        loss=config.loss,
        partition=config.cut,
        seed=config.seed,
    )
    law = find_law(RECOMMENDED).fitting(assembly, DT)
    return build_fleet(assembly, settings, law=law, goal=GOAL, notice=notice)


def _summarised(
    config: ModuleRunConfig,
    fleet: Fleet,
    state: FleetState,
    judge: Judge,
    run: Run,
    away: float,
) -> dict[str, Any]:
    """Return the numbers of a run, but for who was left behind."""
    return {
        "modules": len(fleet.alive),
        "processes": len(fleet.plans),
        "transport": config.transport,
        "ticks": state.tick,
        "tick_rate_hz": state.tick / max(state.ended - state.began, 1e-9),
        "lost": int(fleet.total[LOST]),
        "recovered_rounds_max": judge.longest,
        "wrong_verdicts": judge.wrong_verdicts,
        "settled": bool(run.is_finite and away < BALANCED_W),
        "distance_final_w": away,
        "leader_changes": judge.leader_changes,
    }


def _dataset_of(
    world: Any,
    run: Run,
    config: ModuleRunConfig,
    summary: dict[str, Any],
    assembly: Assembly,
) -> "xr.Dataset":
    """Return the run as a recording that the same tools read as any balance run's."""
    resolved = {**config.robot.resolved(), **dataclasses.asdict(config)}
    info = RunInfo(controller=RECOMMENDED, seed=config.seed, config=resolved)
    dataset = recorded(world, run, info)
    dataset.attrs |= {
        "gravity_compensation": 1,
        "contacts": int(config.contacts),
        "module_width_m": assembly.body.width,
        "goal": json.dumps([0.0, 0.0, 0.0]),
        "goal_kind": "line",
        "summary": json.dumps(summary),
    }
    return dataset


def _judge_of(assembly: Assembly, config: ModuleRunConfig) -> Judge:
    """Return who judges the run."""
    if config.cut is None:
        return Judge(assembly, dt=DT)
    first, last = (round(time / DT) for time in config.cut)
    link = cut_link(assembly, config.seed)
    return Judge(assembly, dt=DT, cut=link, cut_ticks=(first, last))


def _expect_grounded(robot: Robot) -> Assembly:
    """Return the robot's assembly, or say why it cannot run in processes."""
    assembly = expect_modules(robot)
    if assembly.ground.mount == "feet":
        raise ConfigError(
            f"robot '{robot.name}'",
            ["it stands on several feet; modules run takes one that is held at one"],
        )
    return assembly


def _expect_module(config: ModuleRunConfig, assembly: Assembly) -> None:
    """Refuse a module that is not there, and a number of processes that cannot be."""
    households(assembly, config.shared_by)
    nm = len(assembly.modules)
    if config.kill is not None and not 0 <= config.kill < nm:
        raise ConfigError(
            "--kill", [f"modules are numbered 0 to {nm - 1}, got {config.kill}"]
        )
    if config.cut is not None:
        cut_link(assembly, config.seed)
