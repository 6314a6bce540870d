"""Let a machine walk in simulation and say how well it did.

It stands for a second, then walks as it is told. A fall (see ``runs.walk.fall``) ends
the run; everything is reported all the same.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from equipoise.control.ground_map import GroundMap
from equipoise.control.parts import NO_MAP
from equipoise.core.contracts import Controller
from equipoise.robots.lying import LIES, lying
from equipoise.robots.robot import Robot
from equipoise.runs.result import AbstractResult, Verdict, said
from equipoise.runs.robot import find_robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.fall import fall_watch
from equipoise.runs.walk.freeze import FreezeWatch, freeze_numbers, freeze_ticks
from equipoise.runs.walk.goal_watch import goal_watch
from equipoise.runs.walk.goals import START
from equipoise.runs.walk.judge import WalkMargins, no_margins, walk_margins
from equipoise.runs.walk.known_ground import track_of
from equipoise.runs.walk.loading import can_be_tried, loading_trial
from equipoise.runs.walk.planned import (
    footing,
    forces_of,
    machine_config,
    own_plan,
    planned,
    pushes_of,
    walking_controller,
)
from equipoise.runs.walk.record import recorded_walk
from equipoise.runs.walk.summary import walk_summary
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Run
from equipoise.sim.world import World

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["WalkConfig", "WalkResult", "walk", "walk_robot"]

Progress = Callable[[float], None]
JOINT_NOISE = math.radians(1.0)  # at the start
RISES = 2.0  # for a machine that starts on its belly [s]
LONG = 100.0  # beyond which fewer samples are kept [s]


@final
@dataclass(frozen=True, eq=False)
class WalkResult(AbstractResult):
    """What a walk gave."""

    robot: Robot = field(repr=False)
    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    run: Run = field(repr=False)
    """Every signal of every sample."""
    margins: WalkMargins = field(repr=False)
    """At every sample."""
    world: World = field(repr=False)
    ground: GroundMap = field(default=NO_MAP, repr=False)
    """What the machine knew of it beforehand."""

    @property
    def verdict(self) -> Verdict:
        """Whether it walked to the end, to its goal if it had one, and did not fall."""
        goal = self.summary["goal"]
        is_there = goal is None or goal["reached"]
        return said(is_there and not self.summary["fell"])

    def save(self, out: str | Path) -> list[Path]:
        """Write recording, plots, stills, replay and numbers into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        from equipoise.runs.walk.outputs import write_walk  # brings pictures

        return write_walk(self, out)

    @property
    def dataset(self) -> "xr.Dataset":
        """Every signal by name at 100 Hz, see ``equipoise.open_run``."""
        return recorded_walk(
            self.world, self.run, self.margins, self.summary, self.ground
        )


def walk(
    config: WalkConfig | None = None, progress: Progress | None = None
) -> WalkResult:
    """Let a machine walk and return what happened.

    Args:
        config: which machine, how it walks and on what; None for WARP1's trot.
        progress: called with the share done, in [0, 1].

    Raises:
        EquipoiseError: a machine or settings that cannot be used; nothing has been
            simulated then.
    """
    config = config or WalkConfig()
    return walk_robot(find_robot(config.robot), config, progress)


def walk_robot(
    robot: Robot,
    config: WalkConfig | None = None,
    progress: Progress | None = None,
    own: Controller[Any] | None = None,
) -> WalkResult:
    """Let a given robot walk and return what happened.

    Args:
        robot: with legs and drives, or of a file in which legs are found.
        config: how it walks; which robot it names does not count here.
        progress: called with the share done, in [0, 1].
        own: a controller of the caller's own, which steps on ``Readings``; gait and
            parts do not count then, and no speed is commanded unless given.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    config = config or WalkConfig()
    plan = planned(robot, config) if own is None else own_plan(robot, config, own)
    friction, terrain = footing(config, plan.machine)
    controller = own or walking_controller(plan, config)
    lies = config.start == "belly"
    world = machine_world(
        lying(plan.robot) if lies else plan.robot,
        terrain,
        friction=friction,
        ground=config.ground,
        rigid_drives=config.actuators != "elastic",
        joint_noise=JOINT_NOISE,
        seed=config.seed,
        size=plan.size,
        start=LIES if lies else "start",
        track=track_of(plan.machine),
    )
    watch = fall_watch(world, rises_until=RISES if lies else 0.0)
    plant = machine_config(plan.machine, config)
    ends = config.seconds if config.stop_at is None else config.stop_at
    ticks = freeze_ticks(config.freeze, START, ends, plant.period, config.seed)
    frozen = FreezeWatch(world.model, ticks)
    run = rollout(
        world,
        controller,
        config.seconds,
        plant=plant,
        watch=frozen if ticks else None,
        pushes=pushes_of(config),
        forces=forces_of(config),
        progress=progress,
        stop=watch if config.goal is None else goal_watch(world, watch, config.goal),
        record_every=1 + int(config.seconds // LONG),
    )
    radius = plan.machine.geometry.foot_radius
    margins = walk_margins(run, world.surface.normal, radius)
    if plan.robot.wheels:  # they carry it too
        margins = no_margins(run)
    summary = walk_summary(config, world, run, watch, plan, margins)
    summary["freeze"] = freeze_numbers(world, frozen, watch, plant.period)
    if config.adapt and summary["forces"] is not None and can_be_tried(config, plan):
        summary["forces"]["adaptation"] = loading_trial(
            config, plan, lambda one: walk_robot(robot, one).summary
        )
    return WalkResult(world.robot, summary, run, margins, world, plan.ground)
