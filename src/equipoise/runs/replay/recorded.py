"""A recorded run's motion and what is drawn over it, at some of its frames."""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from equipoise.core.arrays import Array, Ints, VecN
from equipoise.runs.replay.marks import (
    forces_on_ground,
    marks_of,
    planned_marks,
    standing_margins,
)
from equipoise.runs.replay.motion import Motion, motion_of
from equipoise.runs.replay.outcome import push_marks
from equipoise.sim.recorded_looks import recorded_spec
from equipoise.viz.replay.marks import ReplayMarks
from equipoise.viz.replay.page import played_samples

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["RecordedMotion", "recorded_motion"]

FASTEST = 1e4  # of any coordinate, beyond which numbers have broken [rad/s or m/s]


class RecordedMotion(NamedTuple):
    """Some frames of a run; nt of them."""

    keep: Ints
    """Each frame's place among the run's poses, (nt,)."""
    at: Ints
    """Each frame's sample among the run's times, (nt,)."""
    motion: Motion
    marks: ReplayMarks


def recorded_motion(
    run: "xr.Dataset", fps: float, where: str = "the run"
) -> RecordedMotion:
    """Return a run's motion, up to its last pose that a motion leads to.

    Args:
        run: the recorded run.
        fps: frames a second, at most; infinite for all there are.
        where: what the run is called in an error, its file.

    Raises:
        BadFileError: it has no usable robot.
        ConfigError: it has no finite pose.
    """
    frame_time, time = run["frame_time"].values, run["time"].values
    qpos = unbroken(frame_time, run["qpos"].values)
    keep = played_samples(frame_time, qpos, fps)
    at = np.searchsorted(time, frame_time[keep] - 1e-9).clip(0, len(time) - 1)
    scene = recorded_spec(run, where)
    motion = motion_of(scene, frame_time[keep], qpos[keep], where)
    marks = planned_marks(run, marks_of(motion, *forces_on_ground(run, motion, at)), at)
    marks = replace(
        marks,
        margin=1e-3 * standing_margins(motion.com, motion),
        push=push_marks(run, motion),
    )
    return RecordedMotion(keep, at, motion, marks)


def unbroken(time: VecN, qpos: Array) -> Array:
    """Return poses, NaN from the first on that no motion leads to."""
    if len(time) < 2:
        return qpos
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        rate = np.abs(np.diff(qpos, axis=0)).max(axis=1) / np.diff(time)
    broken = np.concatenate(([False], ~(rate < FASTEST)))
    if not broken.any():
        return qpos
    found = qpos.copy()
    found[int(np.argmax(broken)) :] = np.nan
    return found
