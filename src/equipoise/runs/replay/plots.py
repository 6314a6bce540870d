"""What is plotted beside a recorded run: margins, loads, and its kind's own signals."""

from typing import TYPE_CHECKING

import mujoco
import numpy as np

from equipoise.core.arrays import Ints, VecN
from equipoise.runs.replay.marks import standing_margins
from equipoise.runs.replay.motion import Motion
from equipoise.runs.replay.recorded import RecordedMotion
from equipoise.viz.replay.marks import PlotLine, ReplayMarks, ReplayPlot

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["plots_of"]

MILLI = 1e3
SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
OWN = (
    ("distance_w", "distance to the support line", "module widths", 1.0),
    ("position_error", "trunk off its aim", "mm", MILLI),
)
"""Signals that one kind of run has: name, title, unit and scale."""


def plots_of(run: "xr.Dataset", seen: RecordedMotion) -> tuple[ReplayPlot, ...]:
    """Return what is plotted beside a run.

    Args:
        run: the recorded run.
        seen: its frames.
    """
    motion, at = seen.motion, seen.at
    found = [_margin_plot(motion, seen.marks)]
    for name, title, unit, scale in OWN:
        if name in run and run[name].dims == ("time",):
            line = PlotLine(title, scale * run[name].values[at])
            found.append(ReplayPlot(title, unit, (line,), has_zero=True))
    if "static_margin" in run:
        found.append(_speed_plot(run, motion, at))
    if "messages" in run and run["messages"].dims == ("time",):
        found.append(_messages_plot(run, motion.time))
    found += [*_load_plots(run, seen.marks), _joint_angles(motion)]
    if "tau" in run and run["tau"].dims == ("frame_time", "actuator"):
        names, tau = run["actuator"].values, run["tau"].values[seen.keep]
        torques = tuple(PlotLine(str(n), tau[:, k]) for k, n in enumerate(names))
        title, unit = "joint torques", "N m or N"
        found.append(ReplayPlot(title, unit, torques, is_joints=True, has_zero=True))
    return tuple(found)


def _margin_plot(motion: Motion, marks: ReplayMarks) -> ReplayPlot:
    """Return how far inside the support things are, in the colours of their marks."""
    lines = [
        PlotLine(name, standing_margins(points, motion), colour)
        for name, points, colour in (
            ("centre of mass", motion.com, "#d55e00"),
            ("pressure point", marks.pressure, "#0072b2"),
            ("capture point", marks.capture, "#cc79a7"),
        )
    ]
    known = tuple(line for line in lines if np.isfinite(line.values).any())
    title = "margin inside the support"
    return ReplayPlot(title, "mm", known, has_zero=True, is_cut=True)


def _speed_plot(run: "xr.Dataset", motion: Motion, at: Ints) -> ReplayPlot:
    """Return how fast a machine walks, and how fast it says it does, where it says."""
    v = motion.momentum / motion.mass
    lines = [PlotLine("over ground", np.hypot(v[:, 0], v[:, 1]))]
    if "said_speed" in run and run["said_speed"].dims == ("time",):
        lines.append(PlotLine("forwards, as it says", run["said_speed"].values[at]))
    return ReplayPlot("speed", "m/s", tuple(lines), has_zero=True)


def _messages_plot(run: "xr.Dataset", moments: VecN) -> ReplayPlot:
    """Return how many messages modules send, the mean since the frame before."""
    time = run["time"].values
    sent = run["messages"].values
    last = np.searchsorted(time, moments + 1e-9)
    first = np.concatenate(([0], last[:-1]))
    sums, ticks = (
        np.concatenate(([0.0], np.cumsum(each)))
        for each in (np.nan_to_num(sent), np.isfinite(sent))  # no tick follows the end
    )
    mean = (sums[last] - sums[first]) / np.maximum(ticks[last] - ticks[first], 1.0)
    tick = float(np.median(np.diff(time))) if len(time) > 1 else 1.0
    line = PlotLine("messages", mean / tick / MILLI)
    return ReplayPlot("messages sent", "thousand a second", (line,), has_zero=True)


def _load_plots(run: "xr.Dataset", marks: ReplayMarks) -> list[ReplayPlot]:
    """Return how the ground pushes up, on each foot that was recorded."""
    if marks.forces is None:
        return []
    names = [str(name) for name in run["foot"].values] if "foot" in run else []
    if len(names) != marks.forces.shape[1]:
        return []
    up = np.nan_to_num(marks.forces[:, :, 2])
    lines = tuple(PlotLine(name, up[:, f]) for f, name in enumerate(names))
    return [ReplayPlot("load of each foot", "N", lines, has_zero=True, is_cut=True)]


def _joint_angles(motion: Motion) -> ReplayPlot:
    """Return the robot's joints; hinges in degrees, slides in millimetres."""
    model, lines = motion.model, list[PlotLine]()
    for j in range(model.njnt):
        kind = int(model.jnt_type[j])
        if kind not in SINGLE or model.body_rootid[model.jnt_bodyid[j]] != motion.root:
            continue
        values = motion.qpos[:, model.jnt_qposadr[j]]
        is_hinge = kind == SINGLE[0]
        name = str(model.joint(j).name) or f"joint{j}"
        scaled = np.degrees(values) if is_hinge else MILLI * values
        lines.append(PlotLine(name if is_hinge else f"{name} [mm]", scaled))
    return ReplayPlot("joint angles", "deg", tuple(lines), is_joints=True)
