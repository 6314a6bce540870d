"""Let a machine walk in simulation and say how well it did.

It stands for a second, then walks as it is told. A fall (see ``runs.walk.fall``) ends
the run; everything is reported all the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from equipoise.control.ground_map import GroundMap
from equipoise.control.signals import NO_MAP
from equipoise.core.contracts import Controller
from equipoise.core.kinds import Verdict
from equipoise.core.log import timed
from equipoise.robots.robot import Robot
from equipoise.runs.result import AbstractResult, yes_or_no
from equipoise.runs.robot import find_robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.freeze import freeze_numbers
from equipoise.runs.walk.judge import WalkMargins, no_margins, walk_margins
from equipoise.runs.walk.loading import can_be_tried, loading_trial
from equipoise.runs.walk.record import recorded_walk
from equipoise.runs.walk.staged import staged_walk
from equipoise.runs.walk.summary import walk_summary
from equipoise.sim.run import Run
from equipoise.sim.world import World

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["WalkConfig", "WalkResult", "walk", "walk_robot"]

Progress = Callable[[float], None]


@final
@dataclass(frozen=True, eq=False, repr=False)
class WalkResult(AbstractResult):
    """Result of a walk."""

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
        """Whether it went where it was told, see ``numbers.way``, and did not fall."""
        return yes_or_no(self.summary["way"]["arrived"] and not self.summary["fell"])

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


@timed("simulating")
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
    stage = staged_walk(robot, config, own)
    resolved, world, run = stage.walk, stage.staged.world, stage.staged.run(progress)
    radius = resolved.machine.geometry.foot_radius
    margins = walk_margins(run, world.surface.normal, radius)
    if resolved.robot.wheels:  # they carry it too
        margins = no_margins(run)
    summary = walk_summary(resolved, world, run, stage.falls, margins)
    summary["freeze"] = freeze_numbers(world, stage.frozen, stage.falls, run.period)
    if config.adapt and summary["forces"] is not None and can_be_tried(resolved):
        summary["forces"]["adaptation"] = loading_trial(
            resolved, lambda one: walk_robot(robot, one).summary
        )
    return WalkResult(world.robot, summary, run, margins, world, resolved.ground)
