"""Many robots in one picture: who still stands, and what felled the others."""

from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from equipoise.core.log import timed
from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise.viz.sweep_plots import share_interval

__all__ = ["plot_many"]

BINS = 16
MOST_POINTS = 5000
"""Robots that are drawn one by one; more of them are thinned out evenly."""


@timed("drawing")
def plot_many(run: xr.Dataset, title: str, path: str | Path) -> Path:
    """Draw who still stands over time, and falls over impulse or speed over command.

    Args:
        run: of ``ManyResult.dataset``.
        title: of the picture.
        path: of the picture.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(9.0, 3.8)
    left, right = figure.subplots(1, 2)
    _standing(left, run)
    if "push_impulse" in run and np.ptp(run["push_impulse"].values) > 0.0:
        _falls(right, run)
    else:
        _speeds(right, run)
    for axes in (left, right):
        axes.grid(alpha=0.3)
    figure.suptitle(title)
    return save_figure(figure, path)


def _standing(axes: Axes, run: xr.Dataset) -> None:
    """Draw the share that still stands, over time."""
    fell, robots = run["fell_at_s"].values, run.sizes["robot"]
    end = float(run["simulated_s"].max())
    at = np.sort(fell[np.isfinite(fell)])
    time = np.concatenate([[0.0], at, [end]])
    share = 1.0 - np.minimum(np.arange(len(time)), len(at)) / robots
    axes.step(time, share, where="post", color=PALETTE[0])
    axes.set_xlim(0.0, end)
    axes.set_ylim(min(0.98, float(share.min()) - 0.02), 1.005)
    axes.set_xlabel("time [s]")
    axes.set_ylabel("share that still stands")


def _falls(axes: Axes, run: xr.Dataset) -> None:
    """Draw the share that fell over the impulse of its push, with its interval."""
    impulse = run["push_impulse"].values
    fell = np.isfinite(run["fell_at_s"].values)
    edges = np.linspace(impulse.min(), impulse.max(), BINS + 1)
    of = np.clip(np.digitize(impulse, edges) - 1, 0, BINS - 1)
    counts = np.bincount(of, minlength=BINS)
    hits = np.bincount(of, weights=fell, minlength=BINS).astype(int)
    known = counts > 0
    middle = 0.5 * (edges[1:] + edges[:-1])[known]
    pairs = zip(hits[known].tolist(), counts[known].tolist(), strict=True)
    low, high = np.array([share_interval(*pair) for pair in pairs]).T
    share = hits[known] / counts[known]
    axes.fill_between(middle, low, high, color=PALETTE[1], alpha=0.2, lw=0)
    axes.plot(middle, share, color=PALETTE[1], marker="o", ms=4)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("impulse of the push [N s]")
    axes.set_ylabel("share that fell")


def _speeds(axes: Axes, run: xr.Dataset) -> None:
    """Draw the speed of those that stand over the commanded one."""
    told = np.hypot(run["speed"].values, run["left"].values)
    speed = run["mean_speed_mps"].values
    some = np.flatnonzero(np.isfinite(speed))
    some = some[:: max(1, len(some) // MOST_POINTS)]
    most = float(max(told.max(), np.nanmax(speed, initial=0.0), 0.01))
    axes.plot([0.0, most], [0.0, most], color="0.6", lw=1.0)
    axes.plot(told[some], speed[some], ".", ms=2, color=PALETTE[0], alpha=0.6)
    axes.set_xlabel("commanded speed [m/s]")
    axes.set_ylabel("mean speed [m/s]")
