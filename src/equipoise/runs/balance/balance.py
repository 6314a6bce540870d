"""Balance a robot in simulation: the whole job, from a choice of robot to its numbers.

``fell`` is said when the base is free and its foot leaned more than 45 degrees from how
it stood at the start, at any recorded moment, or when the run stopped on a state or
command that is not finite.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from equipoise.control.com.delay import hop_delay_limit
from equipoise.control.com.goal import distance_to
from equipoise.core.arrays import Array
from equipoise.core.contracts import Controller
from equipoise.core.kinds import Verdict
from equipoise.core.log import timed
from equipoise.core.settings import plain_settings
from equipoise.robots.robot import Robot
from equipoise.runs.balance.config import BalanceConfig, SteerConfig
from equipoise.runs.balance.free import BALANCED_W, Hand, foot_margin, root_support
from equipoise.runs.balance.staged import (
    expect_modules,
    expect_steering,
    goal_of,
    has_tipped,
    staged_balance,
    stands_on_feet,
)
from equipoise.runs.result import AbstractResult, yes_or_no
from equipoise.runs.robot import find_robot
from equipoise.sim.recording import RunInfo, recorded
from equipoise.sim.run import Outcome, Run
from equipoise.sim.staged import StagedRun
from equipoise.sim.world import World

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = [
    "MANY_FEET", "BalanceConfig", "BalanceResult", "SteerConfig", "balance", "steered",
]  # fmt: skip

Progress = Callable[[float], None]
ALONE = 2.0
"""Time for which a robot that was let go must stand by itself [s]."""
MANY_FEET = "many feet"  # name of the law for robots on several feet


@final
@dataclass(frozen=True, repr=False)
class BalanceResult(AbstractResult):
    """Result of a run with a robot made of modules."""

    robot: Robot = field(repr=False)
    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    dataset: "xr.Dataset" = field(repr=False)
    """Every signal by name, see ``equipoise.open_run``."""
    outcome: Outcome

    @property
    def verdict(self) -> Verdict:
        """Whether the robot ended on the line and did not fall.

        Unknown of a free root that a hand held nearly to the end.
        """
        s = self.summary
        is_near = s["distance_final_w"] < BALANCED_W and not s["fell"]
        end = float(self.dataset["time"].values[-1])
        let_go = s.get("let_go_s")  # what ran as processes does not say
        is_late = let_go is not None and end - let_go < ALONE
        if is_near and (s.get("root") == "held" or is_late):
            return "unknown"
        return yes_or_no(is_near)

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


@timed("simulating")
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
    staged = staged_balance(robot, config, own)
    goal = goal_of(staged.world, assembly, config)
    world, run = staged.world, staged.run(progress)
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
    summary = _summarised(world, config, run, distance_w)
    summary |= _on_the_ground(staged, run)
    on_feet = stands_on_feet(assembly)
    if own is None and on_feet:
        summary["controller"] = MANY_FEET
    limit = None if own is not None or on_feet else hop_delay_limit(assembly)
    summary["hop_delay_limit_ms"] = None if limit is None else 1e3 * limit
    dataset.attrs["summary"] = json.dumps(summary)
    return BalanceResult(staged.robot, summary, dataset, run.outcome)


def _summarised(
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
        "saturation": _mean_of(run.saturation),
        "contact_share": _mean_of(np.where(run.contacts > 0, 1.0, 0.0 * run.contacts)),
        "messages": int(np.nansum(run.messages)),
        "fell": not run.is_finite or has_tipped(world, run.qpos),
        "realtime_factor": run.realtime_factor,
    }


def _on_the_ground(staged: StagedRun, run: Run) -> dict[str, Any]:
    """Return how the root is on the ground, and how well it stands once it is let go.

    Args:
        staged: the run, over.
        run: what happened.
    """
    world, hand = staged.world, staged.moves
    root, let_go, margin = root_support(expect_modules(world.robot)), None, None
    if isinstance(hand, Hand):
        let_go = hand.let_go
        root = "held" if let_go is None else root
        if let_go is not None and run.is_finite:
            is_alone = run.frame_time >= let_go
            samples = np.searchsorted(run.time, run.frame_time[is_alone])
            inside = foot_margin(world, run.qpos[is_alone], run.p_WC[samples])
            margin = 1e3 * float(inside.min())
    return {
        "root": root,
        "let_go_s": let_go,
        "foot_margin_min_mm": margin,
    }


def _mean_of(values: Array) -> float:
    """Return the mean over the ticks that happened; 0 if there were none."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else 0.0


def settling_time(time: Array, distance_w: Array) -> float | None:
    """Return when the distance went below 0.1 w for good; None if it did not [s]."""
    away = np.flatnonzero(~(distance_w < BALANCED_W))
    if not away.size:
        return 0.0
    return None if away[-1] == len(time) - 1 else float(time[away[-1] + 1])
