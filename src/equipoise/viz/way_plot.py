"""A walk to a place seen from above: the potential it climbed, its way, what it met."""

import json
from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from equipoise.control.harmonic.field import HarmonicField, harmonic_field
from equipoise.control.harmonic.grid import WayGrid, way_grid
from equipoise.core.errors import ConfigError
from equipoise.core.log import timed
from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise.viz.push import draw_push_place

__all__ = ["plot_way"]

LEAST = 1e-8  # of the potential, below which it is drawn alike
LEVELS = 17


@timed("drawing")
def plot_way(run: xr.Dataset, path: str | Path) -> Path:
    """Plot a walk to a place from above, as PNG.

    Drawn are the potential as it was solved last, in the machine's own reckoning, with
    the obstacles that its feet had found; its way by that reckoning and in truth.

    Args:
        run: a recorded walk with a goal.
        path: the file to make or replace.

    Raises:
        ConfigError: not the recording of a walk to a place.
        BadFileError: the file cannot be written.
    """
    settings = json.loads(str(run.attrs.get("summary", "{}"))).get("settings", {})
    if not settings.get("goal") or "said_met_x" not in run:
        raise ConfigError("the recording", ["it is not one of a walk to a place"])
    way = settings["controller_settings"]["harmonic"]
    grid = _found_grid(run, tuple(settings["goal"]), way["cell"], way["room"])
    field = harmonic_field(grid.is_obstacle, grid.goal, way["share"])
    nx, ny = grid.is_obstacle.shape
    figure = new_figure(8.0, 1.0 + 7.0 * min(ny / nx, 1.2))
    axes: Axes = figure.subplots()
    _draw_field(axes, grid, field)
    _draw_ways(axes, run, grid)
    axes.set_aspect("equal")
    draw_push_place(axes, run)
    axes.set_xlabel("ahead of the start [m]")
    axes.set_ylabel("to the left [m]")
    axes.legend(frameon=True, fontsize=8, loc="upper left")
    return save_figure(figure, path)


def _found_grid(
    run: xr.Dataset, goal: tuple[float, float], cell: float, room: float
) -> WayGrid:
    """Return the map with every obstacle that was met.

    Args:
        run: of the walk.
        goal: of it [m].
        cell: edge of a cell [m].
        room: around start and goal [m].
    """
    grid = way_grid(goal, cell, room)
    names = ("said_met_x", "said_met_y", "said_met_wide")
    met = np.stack([run[name].values for name in names], axis=1)
    for x, y, wide in np.unique(met[np.isfinite(met).all(axis=1)], axis=0):
        grid = grid.blocked(np.array([x, y]), float(wide))
    return grid


def _draw_field(axes: Axes, grid: WayGrid, field: HarmonicField) -> None:
    """Draw levels of the potential, and obstacles."""
    psi = field.share * field.held + (1.0 - field.share) * field.closed
    level = np.log10(np.maximum(psi, LEAST))
    level[grid.is_obstacle] = np.nan
    nx, ny = psi.shape
    x = grid.west + grid.edge * (np.arange(nx) + 0.5)
    y = grid.south + grid.edge * (np.arange(ny) + 0.5)
    axes.contourf(x, y, level.T, levels=LEVELS, cmap="Greys", alpha=0.6)
    blocked = np.where(grid.is_obstacle, 1.0, np.nan)
    axes.pcolormesh(x, y, blocked.T, cmap="Reds", vmin=0.0, vmax=1.6, alpha=0.7)


def _draw_ways(axes: Axes, run: xr.Dataset, grid: WayGrid) -> None:
    """Draw where the machine was, by its own reckoning and in truth."""
    place = run["qpos"].values
    axes.plot(place[:, 0], place[:, 1], color=PALETTE[0], lw=1.4, label="its way")
    x, y = run["said_ref_x"].values, run["said_ref_y"].values
    axes.plot(x, y, color=PALETTE[1], lw=0.8, ls="--", label="as it reckoned")
    met = run["said_met_x"].values, run["said_met_y"].values
    axes.plot(*met, "x", color="black", ms=6, ls="none", label="met by a foot")
    axes.plot(0.0, 0.0, "o", color="black", ms=5)
    axes.plot(*grid.place, "*", color=PALETTE[2], ms=14, label="goal")
