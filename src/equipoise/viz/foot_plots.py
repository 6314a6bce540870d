"""A walk seen from above: feet, centre of mass, what was planned and forbidden."""

from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from equipoise.core.arrays import Array, Ints
from equipoise.core.log import timed
from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise.viz.push import draw_push_place
from equipoise.viz.walk_plots import expect_walk, foot_names, heading

__all__ = ["plot_feet"]

EDGE = 0.15  # beyond the feet to which forbidden cells are drawn [m]


@timed("drawing")
def plot_feet(run: xr.Dataset, path: str | Path, *, title: str = "") -> Path:
    """Draw the ways of feet and centre of mass, seen from above, as PNG.

    Args:
        run: a recorded walk.
        path: the file to make or replace.
        title: the line on top; made from the run's attributes if left out.

    Raises:
        ConfigError: not the recording of a walk.
        BadFileError: the file cannot be written.
    """
    expect_walk(run)
    feet, com = run["foot_place"].values, run["com"].values
    touches = run["foot_touches"].values > 0.0
    wide, high = feet_extent(feet)
    figure = new_figure(9.0, min(max(9.0 * high / wide, 2.2), 9.0) + 0.9)
    axes = figure.subplots()
    draw_banned(axes, run)
    for leg, name in enumerate(foot_names(run)):
        colour = PALETTE[leg % len(PALETTE)]
        axes.plot(*feet[:, leg, :2].T, color=colour, linewidth=0.5, alpha=0.6)
        down = np.where(touches[:, leg, None], feet[:, leg, :2], np.nan)
        axes.plot(*down.T, color=colour, linewidth=3.0, label=name)
    axes.plot(*com[:, :2].T, color="black", linewidth=1.0, label="centre of mass")
    draw_goals(axes, run)
    axes.set_aspect("equal")
    draw_push_place(axes, run)
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(frameon=False, fontsize=8, ncols=5, loc="outside lower center")
    figure.suptitle(title or f"Feet of {heading(run)}", fontsize=12)
    return save_figure(figure, path)


def draw_goals(axes: Axes, run: xr.Dataset) -> None:
    """Ring where feet were bound for as they landed; where it is planned."""
    if "foot_goal" not in run:
        return
    mask = np.nan_to_num(run["said_standing"].values).astype(np.int64)
    goals = run["foot_goal"].values
    places = np.concatenate(
        [_last_goals(goals[:, leg], mask >> leg & 1) for leg in range(goals.shape[1])]
    )
    if len(places):
        ring = {"ms": 7, "mfc": "none", "mec": "black", "mew": 0.8}
        axes.plot(*places.T, "o", label="planned foothold", **ring)


def _last_goals(goals: Array, stands: Ints) -> Array:
    """Return the places that one foot was bound for last before it stood, (n, 2).

    Args:
        goals: at each sample, (nt, 3); NaN while there is none.
        stands: whether it does, (nt,).
    """
    bound = goals[np.flatnonzero(np.diff(stands) == 1), :2]
    return bound[np.isfinite(bound).all(axis=1)]


def draw_banned(axes: Axes, run: xr.Dataset) -> None:
    """Shade forbidden cells near the feet, where there are some."""
    if "banned" not in run:
        return
    banned = run["banned"]
    west, south, cell = (banned.attrs[k] for k in ("west_m", "south_m", "cell_m"))
    places = run["foot_place"].values[:, :, :2].reshape(-1, 2)
    low, high = places.min(axis=0) - EDGE, places.max(axis=0) + EDGE
    i, j = np.nonzero(banned.values > 0.0)
    corners = np.stack([west + cell * i, south + cell * j], axis=1)
    near = ((corners + cell > low) & (corners < high)).all(axis=1)
    squares = [Rectangle((x, y), cell, cell) for x, y in corners[near]]
    shade = PatchCollection(squares, facecolor="0.75", edgecolor="none", zorder=0)
    shade.set_label("forbidden")
    axes.add_collection(shade, autolim=False)


def feet_extent(feet: Array) -> tuple[float, float]:
    """Return how far feet went along x and along y [m]."""
    flat = feet[:, :, :2].reshape(-1, 2)
    wide, high = flat.max(axis=0) - flat.min(axis=0)
    return float(max(wide, 0.5)), float(max(high, 0.3))
