"""Plots of a walk over time: trunk, torques, margins, forces, steps."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from equipoise.control.gaits.stances import logged_stances
from equipoise.core.errors import ConfigError
from equipoise.core.log import timed
from equipoise.core.text import plot_text
from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise.viz.push import draw_push_time
from equipoise.viz.stand_plots import plain_panel

__all__ = ["expect_walk", "foot_names", "heading", "plot_steps", "plot_walk"]

NEEDED = ("attitude", "static_margin", "foot_force", "said_schedule", "torque_limit")
JOINTS = ("hip_roll", "hip_pitch", "knee")
WINDOW = 4.0
"""Of the steps that are shown, the last ones [s]."""
USUAL_SHARE = 97.0
"""Of the forces that are shown in full; footfalls are short and far above [%]."""
CHATTER = 0.03  # contacts shorter than this are not drawn [s]


@timed("drawing")
def plot_walk(run: xr.Dataset, path: str | Path, *, title: str = "") -> Path:
    """Plot a walk over time, as PNG.

    Place and attitude of the trunk, the largest torque of each kind of joint over its
    limit, the margins on the scheduled support, and the ground's force on each foot.

    Args:
        run: a recorded walk, see ``equipoise.runs.walk.walk``.
        path: the file to make or replace.
        title: the line on top; made from the run's attributes if left out.

    Raises:
        ConfigError: not the recording of a walk.
        BadFileError: the file cannot be written.
    """
    expect_walk(run)
    figure = new_figure(9.0, 10.5)
    panels: Sequence[Axes] = figure.subplots(5, 1, sharex=True)
    _draw_place(panels[0], run)
    _draw_attitude(panels[1], run)
    draw_torques(panels[2], run)
    _draw_margins(panels[3], run)
    _draw_forces(panels[4], run)
    for k, axes in enumerate(panels):
        plain_panel(axes)
        draw_push_time(axes, run, is_named=k == 0)
        if axes.get_legend_handles_labels()[1]:
            axes.legend(frameon=False, fontsize=8, ncols=4, loc="upper left")
        low, high = axes.get_ylim()
        axes.set_ylim(low, high + 0.25 * (high - low))  # room for the legend
    panels[-1].set_xlabel("time [s]")
    figure.align_ylabels(panels)
    figure.suptitle(title or heading(run), fontsize=12)
    return save_figure(figure, path)


def expect_walk(run: xr.Dataset) -> None:
    """Refuse a recording that is not of a walk."""
    missing = [name for name in NEEDED if name not in run]
    if missing:
        problem = f"the run has no signal '{missing[0]}'; give one of a walk"
        raise ConfigError("the plot", [problem])


def heading(run: xr.Dataset) -> str:
    """Return what was walked, in words."""
    keys = (("robot", "machine"), ("gait", "walk"), ("terrain", "flat"))
    return ", ".join(str(run.attrs.get(key, usual)) for key, usual in keys)


def foot_names(run: xr.Dataset) -> list[str]:
    """Return the feet's names as the robot has them, safe to draw."""
    return [plot_text(str(name), 30) for name in run["foot"].values]


def _draw_place(axes: Axes, run: xr.Dataset) -> None:
    """Draw where the trunk is; its height is drawn against its start's."""
    time, q = run["frame_time"].values, run["qpos"].values
    axes.plot(time, q[:, 0], color=PALETTE[0], label="ahead")
    axes.plot(time, q[:, 1], color=PALETTE[1], label="to the left")
    axes.plot(time, q[:, 2], color=PALETTE[2], label="up")
    if "foot_goal" in run:  # of a machine that plans
        for k in range(2):
            label = "as planned" if k == 0 else None
            wanted = run["plan_trunk"].values[:, k]
            axes.plot(run["time"], wanted, ":", color="black", lw=1.0, label=label)
    axes.set_ylabel("trunk [m]")


def _draw_attitude(axes: Axes, run: xr.Dataset) -> None:
    """Draw roll, pitch and heading."""
    degrees = np.degrees(np.unwrap(run["attitude"].values, axis=0))
    for k, name in enumerate(("roll", "pitch", "heading")):
        style = "--" if name == "heading" else "-"
        axes.plot(run["time"], degrees[:, k], style, color=PALETTE[k], label=name)
    axes.set_ylabel("attitude [°]")


def draw_torques(axes: Axes, run: xr.Dataset) -> None:
    """Draw the largest torque of each kind of joint over its limit."""
    share = np.abs(run["tau"].values) / run["torque_limit"].values
    names = [str(name) for name in run["actuator"].values]
    for k, (label, own) in enumerate(joint_kinds(names, run.sizes["foot"]).items()):
        largest = 100.0 * share[:, own].max(axis=1)
        colour = PALETTE[k % len(PALETTE)]
        axes.plot(run["frame_time"], largest, color=colour, linewidth=0.9, label=label)
    axes.axhline(100.0, color="black", linewidth=0.8)
    axes.set_ylabel("torque [% of limit]")


def joint_kinds(names: Sequence[str], legs: int) -> dict[str, list[int]]:
    """Return the joints of each kind: by name, else by their place in a leg.

    Args:
        names: of the joints, leg by leg.
        legs: how many there are.
    """
    known = {
        kind.replace("_", " "): [j for j, n in enumerate(names) if n.endswith(kind)]
        for kind in JOINTS
    }
    is_known = sum(len(own) for own in known.values()) == len(names)
    if is_known or not legs or len(names) % legs:
        return {kind: own for kind, own in known.items() if own}
    found: dict[str, list[int]] = {}
    each = len(names) // legs
    for k in range(each):
        own = list(range(k, len(names), each))
        ends = _common_words([names[j] for j in own])
        found[f"{k + 1}: {plot_text(ends, 30)}" if ends else f"joint {k + 1}"] = own
    return found


def _common_end(names: Sequence[str]) -> str:
    """Return the letters in which all names end."""
    ends = ""
    for letters in zip(*(name[::-1] for name in names), strict=False):
        if len(set(letters)) > 1:
            break
        ends = letters[0] + ends
    return ends


def _common_words(names: Sequence[str]) -> str:
    """Return the words in which all names end, as 'up' of 'front_up' and 'left_up'."""
    ends = _common_end(names)
    first, _, rest = ends.partition("_")
    is_part = first and any(not n.endswith("_" + ends) and n != ends for n in names)
    return (rest if is_part and rest else ends).strip("_ ")


def _draw_margins(axes: Axes, run: xr.Dataset) -> None:
    """Draw both margins."""
    for k, (name, label) in enumerate(
        (("static_margin", "centre of mass"), ("zmp_margin", "centre of pressure"))
    ):
        values = 1e3 * run[name].values
        shown = np.where(np.isfinite(values), values, np.nan)
        axes.plot(run["time"], shown, color=PALETTE[k], linewidth=1.0, label=label)
    axes.axhline(0.0, color="black", linewidth=0.8)
    axes.set_ylabel("margin [mm]")


def _draw_forces(axes: Axes, run: xr.Dataset) -> None:
    """Draw the ground's force up on each foot."""
    force = run["foot_force"].values[:, :, 2]
    for leg, name in enumerate(foot_names(run)):
        axes.plot(
            run["time"],
            force[:, leg],
            color=PALETTE[leg % len(PALETTE)],
            linewidth=0.8,
            label=name,
        )
    axes.set_ylim(0.0, 1.2 * float(np.percentile(force, USUAL_SHARE)))
    axes.set_ylabel("foot force [N]")


@timed("drawing")
def plot_steps(run: xr.Dataset, path: str | Path, *, title: str = "") -> Path:
    """Draw who should have stood and who did, over the last seconds, as PNG.

    Args:
        run: a recorded walk.
        path: the file to make or replace.
        title: the line on top; made from the run's attributes if left out.

    Raises:
        ConfigError: not the recording of a walk.
        BadFileError: the file cannot be written.
    """
    expect_walk(run)
    last = last_steps(run)
    legs = run.sizes["foot"]
    figure = new_figure(9.0, 1.2 + 0.45 * legs)
    axes = figure.subplots()
    mask = np.nan_to_num(last["said_schedule"].values, nan=0.0).astype(np.int64)
    wanted = (mask[:, None] >> np.arange(legs)) & 1
    bars(axes, last, wanted, "scheduled", PALETTE[0], -0.36)
    bars(axes, last, last["foot_touches"].values, "on the ground", PALETTE[1], 0.02)
    axes.set_yticks(range(legs), foot_names(run))
    axes.set_ylim(legs - 0.5, -0.5)
    time = last["time"].values
    draw_push_time(axes, run, is_named=True)
    axes.set_xlim(time[0], time[-1])
    axes.set_xlabel("time [s]")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(frameon=False, fontsize=8, ncols=2, loc="outside lower right")
    figure.suptitle(title or f"Steps of {heading(run)}", fontsize=12)
    return save_figure(figure, path)


def last_steps(run: xr.Dataset) -> xr.Dataset:
    """Return the last seconds of what was walked; the last sample has no schedule."""
    walks = np.flatnonzero(np.nan_to_num(run["said_walking"].values) > 0.0)
    time = run["time"].values
    end = time[walks[-1]] if len(walks) else time[-1]
    chosen = (time >= end - WINDOW) & (time <= end)
    return run.isel(time=np.flatnonzero(chosen))


def bars(
    axes: Axes, run: xr.Dataset, stands: Any, label: str, colour: str, below: float
) -> None:
    """Draw a bar while a leg stands."""
    if run.sizes["time"] < 2:
        return
    found = logged_stances(run["time"].values, np.asarray(stands) > 0, CHATTER)
    for leg, both in enumerate(found):
        spans = [(float(a), float(b - a)) for a, b in both]
        name = label if leg == 0 else None
        axes.broken_barh(spans, (leg + below, 0.34), color=colour, label=name)
