"""The largest pushes that a walking machine survives, by direction, over its cycle.

A push at one instant and to one side says little: the same machine may take it a
quarter of a cycle later, or from the other side, and fall. So an impulse counts as
survived only where the machine survives it at several instants of the gait's cycle,
each with a seed of its own (friction, sensors, joints at the start), and where it
survives every smaller impulse of an even grid. The grid is followed a little beyond the
first fall: a larger push that is survived shows that the fall is a *pocket*.

A push has been survived when the machine has not fallen four seconds after it began.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.kinds import Verdict
from equipoise.robots.robot import Robot
from equipoise.runs.limits_result import AbstractLimitsResult
from equipoise.runs.process_map import Gathered, Lost, gathered
from equipoise.runs.result import yes_or_no
from equipoise.runs.robot import find_robot, kept
from equipoise.runs.walk.limits_config import AT, WalkLimitsConfig, expect_walker
from equipoise.runs.walk.push_grid import (
    PushGrid,
    RandomPushes,
    grid_words,
    grids_of,
    heading_words,
    limit_of,
    pockets,
    push_trial,
    random_pockets,
    random_rows,
)
from equipoise.runs.walk.resolved import ResolvedWalk, resolved_walk

__all__ = ["WalkLimitsConfig", "WalkLimitsResult", "push_limits"]

BATCH = 4  # random pushes a job


@final
@dataclass(frozen=True, eq=False, repr=False)
class WalkLimitsResult(AbstractLimitsResult):
    """What was found."""

    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    random: Array = field(repr=False)
    """Impulse [N s], heading [rad], instant [s] of each random push that was tried, and
    1 where it was survived, (4, pushes)."""
    robot: Robot | None = field(default=None, repr=False)
    """Which one, for pictures."""

    @property
    def verdict(self) -> Verdict:
        """Whether it survives some push from every side; unknown where one lacks."""
        known = [value for value in self.summary["impulse_ns"] if value is not None]
        if min(known, default=1.0) <= 0.0:
            return "no"
        return yes_or_no(True) if self.summary["complete"] else "unknown"

    def pushes_tried(self) -> list[dict[str, Any]]:
        """Return each random push in numbers, and whether it was survived."""
        names = ("impulse_ns", "heading_rad", "start_s", "survived")
        return [dict(zip(names, row, strict=True)) for row in self.random.T.tolist()]


def push_limits(
    config: WalkLimitsConfig | None = None,
    *,
    processes: int = 2,
    progress: Callable[[float], None] | None = None,
    on_result: Callable[[str], None] | None = None,
    is_stoppable: bool = False,
) -> WalkLimitsResult:
    """Return the largest pushes that a walking machine survives.

    Args:
        config: which machine, and how it walks; None for WARP1's trot.
        processes: how many walks at a time; the numbers do not depend on it.
        progress: called with the share done, in [0, 1].
        on_result: called with a sentence for each result as it comes.
        is_stoppable: whether Ctrl-C ends it early with what is known, instead of
            raising.

    Raises:
        EquipoiseError: a machine or settings that cannot be used; nothing has been
            simulated then.
    """
    config = config or WalkLimitsConfig()
    robot = kept(config.robot, find_robot)
    expect_walker(robot)
    walked = resolved_walk(robot, config.walk(0, 0.0, AT))
    mass = walked.machine.mass
    grids = grids_of(config, walked)
    rows = random_rows(config, mass)
    batches = [
        RandomPushes(config, k, tuple(rows[k : k + BATCH]))
        for k in range(0, len(rows), BATCH)
    ]
    jobs: list[PushGrid | RandomPushes] = [*grids, *batches]

    def tell(k: int, found: Any) -> None:
        if on_result is None or k >= len(grids):
            return
        heading = grids[k].heading_deg
        if isinstance(found, Lost):
            on_result(f"{heading_words(heading)}: not known, {found.reason}")
        else:
            on_result(grid_words(heading, limit_of(found, config.instants), mass))

    found = gathered(
        push_trial,
        jobs,
        processes=processes,
        progress=progress,
        done=tell,
        is_stoppable=is_stoppable,
    )
    return _result_of(config, walked, grids, batches, found)


def _result_of(
    config: WalkLimitsConfig,
    walked: ResolvedWalk,
    grids: Sequence[PushGrid],
    batches: Sequence[RandomPushes],
    found: Gathered,
) -> WalkLimitsResult:
    """Return what is known after some jobs, those that are missing as None."""
    mass, count = walked.machine.mass, config.instants
    limits = [
        limit_of(found.done[k], count) if k in found.done else None
        for k in range(len(grids))
    ]
    pushed = [
        (*row, float(is_well))
        for k, batch in enumerate(batches, len(grids))
        if k in found.done
        for row, is_well in zip(batch.rows, found.done[k], strict=True)
    ]
    tested = [row for k in range(len(grids)) for row in found.done.get(k, ())]
    own = [None if one is None else one["impulse_ns"] for one in limits]
    headings = [grid.heading_deg for grid in grids]
    summary = {
        "robot": walked.robot.name,
        "controller": walked.controller or walked.gait,
        "gait": walked.gait,
        "speed": walked.speed,
        "seed": config.seed,
        "block_mass_kg": None,
        "impulse_ns": own,
        "heading_deg": headings,
        "falls_at_ns": [None if one is None else one["falls_at_ns"] for one in limits],
        "pockets": [*pockets(headings, limits), *random_pockets(headings, own, pushed)],
        "phases": count,
        "step_ns": grids[0].step,
        "bound_ns": grids[0].bound,
        "walks": sum(row.tried for row in tested) + len(pushed),
        "pushes_survived": sum(int(row[3]) for row in pushed),
        "pushes": len(pushed),
        "faces_deg": 0.0,
        "mass_kg": mass,
        "impulse_ns_per_kg": [None if x is None else x / mass for x in own],
        "friction": config.friction,
        "ground": "mujoco",
        "state": "sensors" if config.sensors == "real" else "ideal",
        "quick": config.quick,
        "complete": found.is_complete,
        "lost": found.lost,
        "assumed": list(walked.assumed),
        "warnings": list(walked.warnings),
        "unfit": [],
    }
    rows = np.array(pushed, np.float64).reshape(-1, 4).T
    return WalkLimitsResult(summary, rows, walked.robot)
