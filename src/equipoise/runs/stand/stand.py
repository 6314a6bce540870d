"""Keep a legged robot standing in simulation while something hits it.

``fell`` is said when the centre of mass of the robot's base comes below 0.72 of its set
height, when the base is turned by more than 60 degrees from its set orientation, or
when the run stops on numbers that are not finite; the run ends there. ``survived`` is
said when it did not fall and ends at rest, within 5 cm and 5 degrees of where the
controller wants it, which moves when the robot takes a step. At rest means that the
base moves by less than 0.05 m/s and 0.1 rad/s.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from equipoise.core.contracts import Controller
from equipoise.core.kinds import Verdict
from equipoise.core.log import timed
from equipoise.core.settings import plain_settings
from equipoise.robots.robot import Robot
from equipoise.runs.result import AbstractResult, yes_or_no
from equipoise.runs.robot import find_robot
from equipoise.runs.stand.config import PERIOD, StandConfig
from equipoise.runs.stand.own_robot import footed, scale_of, usual_block
from equipoise.runs.stand.result import add_signals, loop_numbers
from equipoise.runs.stand.staged import expect_law, staged_stand
from equipoise.sim.recording import RunInfo, recorded
from equipoise.sim.run import Outcome
from equipoise.sim.soles import SoleWatch

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["StandConfig", "StandResult", "stand", "stand_robot"]

Progress = Callable[[float], None]


@final
@dataclass(frozen=True, repr=False)
class StandResult(AbstractResult):
    """Result of a run with a robot that stands on its feet."""

    robot: Robot = field(repr=False)
    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    dataset: "xr.Dataset" = field(repr=False)
    """Every signal by name, see ``equipoise.open_run``."""
    outcome: Outcome

    @property
    def verdict(self) -> Verdict:
        """Whether the robot stood to the end and came to rest."""
        return yes_or_no(self.summary["survived"])

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
    config: StandConfig | None = None,
    progress: Progress | None = None,
    robot: Robot | None = None,
) -> StandResult:
    """Throw a block at a biped, or push it, and return what happened.

    Args:
        config: the robot, its controller and what happens to it; None for the
            throw of [Wendlandt1997].
        progress: called with the share done, in [0, 1].
        robot: the one that the configuration names, where it is loaded already.

    Raises:
        EquipoiseError: a robot or settings that cannot be used; nothing has been
            simulated then.
    """
    config = config or StandConfig()
    expect_law(config.controller)
    choice = config.robot
    robot = robot or find_robot(choice)
    return stand_robot(robot, config, choice.resolved(), progress)


@timed("simulating")
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
    staged = staged_stand(robot, config, own)
    watch = SoleWatch.of(staged.world, round(config.seconds / PERIOD))
    run = replace(staged, watch=watch).run(progress)
    how = {k: v for k, v in plain_settings(config).items() if k != "robot"}
    info = RunInfo(
        controller=config.controller,
        seed=config.seed,
        config={**(choice or {"robot": robot.name}), **how},
    )
    dataset = recorded(staged.world, run, info).drop_vars(["messages", "contacts"])
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
