"""Plots of a robot that is hit: errors, joints, torques, the ground, limits."""

from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.core.log import timed
from equipoise.stability.rigid.hull import support_polygon
from equipoise.viz.plots import PALETTE, new_figure, save_figure

__all__ = ["plot_stand"]

STYLES = ("-", "--", ":", "-.")
NEEDED = ("position_error", "orientation_error", "contact_force", "centre_of_pressure")


@timed("drawing")
def plot_stand(run: xr.Dataset, path: str | Path, *, title: str = "") -> Path:
    """Plot how a standing robot responds to a hit, as PNG.

    Errors of the body, joint angles, torques, forces under the feet and the heights of
    the heels over time, and the centre of pressure in the outline of each sole.

    Args:
        run: a recorded run, see ``equipoise.runs.stand.stand``.
        path: the file to make or replace.
        title: the line on top; made from the run's attributes if left out.

    Returns:
        The path.

    Raises:
        ConfigError: not the recording of a robot on its feet.
        BadFileError: the file cannot be written.
    """
    missing = [name for name in NEEDED if name not in run]
    if missing:
        raise ConfigError(
            "plot_stand", [f"the run has no signal '{missing[0]}'; give one of a biped"]
        )
    figure = new_figure(11.0, 9.5)
    grid = figure.add_gridspec(5, 2, width_ratios=(1.7, 1.0))
    first = figure.add_subplot(grid[0, 0])
    panels = [first] + [
        figure.add_subplot(grid[k, 0], sharex=first) for k in range(1, 5)
    ]
    _draw_errors(panels[0], run)
    draw_joints(panels[1], run, joint_angles(run), "joint angle [°]")
    draw_joints(panels[2], run, run["tau"].values, "torque [N m]")
    _draw_forces(panels[3], run)
    draw_heels(panels[4], run)
    for axes in panels:
        plain_panel(axes)
    for axes in panels[:-1]:
        axes.tick_params(labelbottom=False)
    panels[-1].set_xlabel("time [s]")
    figure.align_ylabels(panels)
    _draw_soles(figure, grid, run)
    name = f"{run.attrs.get('robot', 'robot')}, {run.attrs.get('controller', '')}"
    figure.suptitle(title or f"A hit taken by {name}", fontsize=12)
    return save_figure(figure, path)


def plain_panel(axes: Axes) -> None:
    """Give a panel its grid and take away what does not help."""
    axes.margins(x=0.01)
    axes.grid(True, color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_errors(axes: Axes, run: xr.Dataset) -> None:
    """Draw how far the body is from its aim, both errors on scales of their own."""
    time = run["time"].values
    lines = axes.plot(
        time, 1e3 * run["position_error"].values, color=PALETTE[0], label="position"
    )
    axes.set_ylabel("body, off its\naim [mm]")
    other = axes.twinx()
    lines += other.plot(
        time,
        run["orientation_error"].values,
        color=PALETTE[1],
        linestyle="--",
        label="orientation",
    )
    other.set_ylabel("turned [°]")
    other.spines[["top"]].set_visible(False)
    axes.set_ylim(bottom=0.0)
    other.set_ylim(bottom=0.0)
    axes.legend(handles=lines, loc="upper right", fontsize=8, frameon=False, ncols=2)


def joint_angles(run: xr.Dataset) -> Array:
    """Return the driven joints' angles, (nf, nu) [degrees]; NaN where unknown."""
    known = [str(name) for name in run["coordinate"].values]
    names = [str(name) for name in run["actuator"].values]
    q = run["qpos"].values
    columns = [
        q[:, known.index(name)] if name in known else np.full(len(q), np.nan)
        for name in names
    ]
    return np.degrees(np.stack(columns, axis=1))


def draw_joints(axes: Axes, run: xr.Dataset, values: Array, label: str) -> None:
    """Draw a curve a joint: its colour says which one, its style which leg."""
    names = [str(name) for name in run["actuator"].values]
    sides = list(dict.fromkeys(name.partition("_")[0] for name in names))
    kinds = list(dict.fromkeys(name.partition("_")[2] or name for name in names))
    for j, name in enumerate(names):
        side, _, kind = name.partition("_")
        is_first = side == sides[0]
        axes.plot(
            run["frame_time"].values,
            values[:, j],
            color=PALETTE[kinds.index(kind or name) % len(PALETTE)],
            linestyle=STYLES[sides.index(side) % len(STYLES)],
            linewidth=1.2,
            label=(kind or name).replace("_", " ") if is_first else "_nolegend_",
        )
    axes.set_ylabel(label)
    if label.startswith("torque"):
        axes.legend(
            loc="upper right",
            fontsize=8,
            frameon=False,
            ncols=2,
            title=", ".join(
                f"{side} {style}"
                for side, style in zip(sides, ("full", "dashed"), strict=False)
            ),
            title_fontsize=8,
        )


def _draw_forces(axes: Axes, run: xr.Dataset) -> None:
    """Draw the ground's upward force on each foot, and the horizontal one."""
    for k, foot in enumerate(run["foot"].values):
        force = run["contact_force"].values[:, k]
        name, colour = str(foot).replace("_", " "), PALETTE[k % len(PALETTE)]
        axes.plot(run["time"].values, force[:, 2], color=colour, label=f"{name}, up")
        axes.plot(
            run["time"].values,
            np.hypot(force[:, 0], force[:, 1]),
            color=colour,
            linestyle=":",
            label=f"{name}, along",
        )
    axes.set_ylabel("force of the\nground [N]")
    axes.set_ylim(bottom=0.0)
    axes.legend(loc="upper right", fontsize=8, frameon=False, ncols=2)


def draw_heels(axes: Axes, run: xr.Dataset) -> None:
    """Draw how high heels and toes are."""
    for k, foot in enumerate(run["foot"].values):
        for signal, style in (("heel_height", "-"), ("toe_height", ":")):
            axes.plot(
                run["time"].values,
                1e3 * run[signal].values[:, k],
                color=PALETTE[k % len(PALETTE)],
                linestyle=style,
                label=f"{str(foot).replace('_', ' ')}, {signal.partition('_')[0]}",
            )
    axes.set_ylabel("height [mm]")
    axes.legend(loc="best", fontsize=8, frameon=False, ncols=2)


def _draw_soles(figure: Figure, grid: Any, run: xr.Dataset) -> None:
    """Draw each sole from above, toes up, with its centre of pressure."""
    inner = grid[0:4, 1].subgridspec(2, run.sizes["foot"], height_ratios=(30, 1))
    panels, dots = list[Axes](), None
    ahead = _toes_of(run["sole"].values[0])
    for k, foot in enumerate(run["foot"].values):
        axes = figure.add_subplot(inner[0, k])
        corners = run["sole"].values[k][:, :2]
        outline = 1e3 * support_polygon(corners[np.isfinite(corners).all(axis=1)])
        axes.fill(
            -ahead * outline[:, 1],
            ahead * outline[:, 0],
            facecolor="0.95",
            edgecolor="0.3",
            zorder=0,
        )
        cop = 1e3 * run["centre_of_pressure"].values[:, k]
        dots = axes.scatter(
            -ahead * cop[:, 1],
            ahead * cop[:, 0],
            c=run["time"].values,
            s=9,
            cmap="viridis",
            norm=PowerNorm(0.5),  # most happens early
        )
        axes.set_aspect("equal", anchor="S")
        axes.set_title(str(foot).replace("_", " "), fontsize=9)
        axes.set_xlabel(f"{'-' if ahead > 0.0 else ''}y [mm]", fontsize=8)
        axes.tick_params(labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
        panels.append(axes)
    along = f"{'' if ahead > 0.0 else '-'}x [mm]"
    panels[0].set_ylabel(f"centre of pressure, {along}, toes up", fontsize=8)
    if dots is not None:
        room = figure.add_subplot(inner[1, :])
        bar = figure.colorbar(dots, cax=room, orientation="horizontal")
        bar.set_label("time [s]", fontsize=8)
        bar.ax.tick_params(labelsize=8)


def _toes_of(corners: Any) -> float:
    """Return 1 where the toes point along +x of the foot, else -1.

    Args:
        corners: of a sole, the heel's first, (n, 3) [m]; NaN where there are fewer.
    """
    known = corners[np.isfinite(corners).all(axis=1)]
    half = len(known) // 2
    gap = known[half:, 0].mean() - known[:half, 0].mean() if half else 0.0
    return 1.0 if gap > 0.0 else -1.0
