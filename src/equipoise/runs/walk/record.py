"""A walk as a recording: the machine's signals, its margins and its numbers."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from equipoise.control.ground_map import GroundMap
from equipoise.control.signals import NO_MAP
from equipoise.runs.walk.judge import WalkMargins
from equipoise.runs.walk.recorded_plan import with_contacts, with_map, with_plan
from equipoise.sim.recording import RunInfo, recorded
from equipoise.sim.run import Run
from equipoise.sim.world import World

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["recorded_walk"]

KEPT_TIME = 0.01  # from sample to sample [s]


def recorded_walk(
    world: World,
    run: Run,
    margins: WalkMargins,
    summary: Mapping[str, Any],
    ground: GroundMap = NO_MAP,
) -> "xr.Dataset":
    """Return a walk as a dataset, see ``sim.recording``, 100 samples a second.

    Args:
        world: where it walked.
        run: what happened.
        margins: at each sample of the run.
        summary: its numbers and settings, kept as attributes.
        ground: what the machine knew of it.
    """
    step = float(run.time[1] - run.time[0]) if len(run.time) > 1 else KEPT_TIME
    every = max(1, round(KEPT_TIME / step))
    info = RunInfo(
        controller=str(summary["gait"]),
        seed=int(summary["seed"]),
        config=summary["settings"],
    )
    dataset = recorded(world, run, info, every)
    keep = sorted({*range(0, len(run.time), every), len(run.time) - 1})
    for name, values in zip(margins._fields, margins, strict=True):
        dataset[f"{name}_margin"] = ("time", values[keep], {"units": "m"})
    limits = [drive.torque for drive in world.robot.drives]
    dataset["torque_limit"] = ("actuator", limits, {"units": "N m"})
    dataset.attrs.update(gait=summary["gait"], terrain=summary["terrain"])
    dataset.attrs["ground_normal"] = world.surface.normal.tolist()
    dataset.attrs["summary"] = json.dumps(dict(summary), allow_nan=False)
    dataset = with_contacts(with_plan(dataset, len(world.robot.feet)), run)
    return with_map(dataset, ground)
