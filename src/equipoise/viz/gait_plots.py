"""Gait diagrams, support patterns and margins over a cycle, as pictures."""

import math
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from equipoise.control.gaits.margins import PlanMargins
from equipoise.control.gaits.phase_gait import PhaseGait, leg_names
from equipoise.control.gaits.plan import FootfallPlan
from equipoise.control.gaits.stances import gait_stances
from equipoise.core.arrays import Array
from equipoise.core.log import timed
from equipoise.stability.rigid.hull import support_polygon
from equipoise.viz.plots import PALETTE, new_figure, save_figure

__all__ = ["draw_stances", "plot_gait", "plot_gaits", "plot_stances", "plot_supports"]

SUPPORT, CENTRE, AIR = PALETTE[0], PALETTE[1], "#b0b0b0"
JUMP = 1e-6  # change of a margin at an instant above which a line is broken [m]
MOST_PANELS = 12
"""Support patterns that are drawn; a walk may have more."""


def draw_stances(
    axes: Axes, stances: Sequence[Array], names: Sequence[str] | None = None
) -> None:
    """Draw a gait diagram: a bar while a leg stands, the first leg on top.

    Args:
        axes: to draw in.
        stances: when each leg stands, per leg (n, 2).
        names: of the legs; None for the usual ones.
    """
    names = leg_names(len(stances)) if names is None else names
    for row, both in enumerate(stances):
        bars = [(begin, end - begin) for begin, end in both]
        axes.broken_barh(bars, (row - 0.3, 0.6), color=SUPPORT)
        axes.axhline(row, color=AIR, linewidth=0.8, zorder=0)
    axes.set_yticks(range(len(stances)), names)
    axes.set_ylim(len(stances) - 0.5, -0.5)


def plot_stances(
    path: str | Path,
    stances: Sequence[Array],
    *,
    end: float,
    unit: str = "s",
    names: Sequence[str] | None = None,
    title: str = "",
) -> Path:
    """Draw a gait diagram alone, of a gait or of logged contacts, as PNG.

    Args:
        path: the file to make or replace.
        stances: when each leg stands, per leg (n, 2).
        end: of the time shown.
        unit: of the times.
        names: of the legs; None for the usual ones.
        title: the line on top.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(8.0, 1.0 + 0.32 * len(stances))
    axes = figure.subplots()
    draw_stances(axes, stances, names)
    axes.set_xlim(0.0, end)
    axes.set_xlabel(f"time [{unit}]")
    axes.set_title(title)
    return save_figure(figure, path)


def plot_gaits(
    path: str | Path, gaits: Sequence[PhaseGait], *, cycles: float = 1.0
) -> Path:
    """Draw the diagrams of some gaits side by side, three a line, as PNG.

    Args:
        path: the file to make or replace.
        gaits: at least one.
        cycles: how many are shown.

    Raises:
        BadFileError: the file cannot be written.
    """
    columns = min(3, len(gaits))
    lines = math.ceil(len(gaits) / columns)
    figure = new_figure(3.0 * columns, 1.9 * lines)
    grid = figure.subplots(lines, columns, squeeze=False)
    for axes, gait in zip(grid.flat, gaits, strict=False):
        draw_stances(axes, gait_stances(gait, cycles))
        axes.set_xlim(0.0, cycles)
        axes.set_title(f"{gait.name}, β = {gait.duty[0]:.3g}", fontsize=10)
        axes.tick_params(labelsize=8)
    for axes in grid.flat[len(gaits) :]:
        axes.set_visible(False)
    figure.supxlabel("time [cycles]", fontsize=9)
    return save_figure(figure, path)


@timed("drawing")
def plot_gait(
    path: str | Path,
    stances: Sequence[Array],
    margins: PlanMargins,
    *,
    unit: str = "cycles",
    title: str = "",
) -> Path:
    """Draw a gait's diagram and, below it, its margins, as PNG.

    Args:
        path: the file to make or replace.
        stances: when each leg stands, per leg (n, 2), over the margins' time.
        margins: over a walk.
        unit: of the times.
        title: the line on top.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(8.0, 3.6 + 0.3 * len(stances))
    ratios = [0.3 * len(stances), 2.4]
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=ratios)
    draw_stances(above, stances)
    above.set_title(title)
    for values, name, colour in (
        (margins.static, "to the nearest edge", SUPPORT),
        (margins.longitudinal, "ahead or behind", PALETTE[2]),
    ):
        times, line = broken_line(margins.times, values)
        below.plot(times, 1e3 * line, color=colour, label=name, linewidth=2.0)
    below.axhline(0.0, color="black", linewidth=0.8)
    below.set_xlim(margins.times[0, 0], margins.times[-1, 1])
    below.set_xlabel(f"time [{unit}]")
    below.set_ylabel("margin [mm]")
    below.legend(frameon=False, fontsize=9)
    return save_figure(figure, path)


def broken_line(times: Array, values: Array) -> tuple[Array, Array]:
    """Return times and margins row by row, NaN between rows where the margin jumps."""
    shown = np.where(np.isfinite(values), values, np.nan)
    jump = np.append(np.abs(shown[1:, 0] - shown[:-1, 1]) > JUMP, True)
    between = np.where(jump, np.nan, shown[:, 1])[:, None]
    both = np.hstack([times, times[:, 1:]]), np.hstack([shown, between])
    return both[0].reshape(-1), both[1].reshape(-1)


def plot_supports(path: str | Path, plan: FootfallPlan, *, title: str = "") -> Path:
    """Draw the support patterns of a walk one by one, with the centre of mass, as PNG.

    Each panel goes with the trunk, but does not turn with it: its middle is where the
    centre of mass is half way.
    The arrow's tail and head are where that is at the beginning and at the end.

    Args:
        path: the file to make or replace.
        plan: the walk; of one longer than 12 patterns the first 12.
        title: the line on top.

    Raises:
        BadFileError: the file cannot be written.
    """
    rows = range(len(plan.support))
    runs = groupby(rows, key=lambda row: tuple(plan.support[row].tolist()))
    shown = [list(run) for _, run in runs][:MOST_PANELS]
    columns = min(4, len(shown))
    lines = math.ceil(len(shown) / columns)
    reach = _feet_reach(plan)
    tall = min(max(1.7 * reach[0] / reach[1], 1.5), 4.0)
    figure = new_figure(1.7 * columns + 0.8, (tall + 0.4) * lines + 0.7)
    grid = figure.subplots(lines, columns, squeeze=False, sharex=True, sharey=True)
    for axes, run in zip(grid.flat, shown, strict=False):
        _draw_support(axes, plan, run)
        axes.set_xlim(reach[1], -reach[1])  # left is left
        axes.set_ylim(-reach[0], reach[0])
        axes.set_aspect("equal")
    for axes in grid.flat[len(shown) :]:
        axes.set_visible(False)
    figure.suptitle(title)
    figure.supxlabel("to the left [m]", fontsize=9)
    figure.supylabel("ahead [m]", fontsize=9)
    return save_figure(figure, path)


def _feet_reach(plan: FootfallPlan) -> tuple[float, float]:
    """Return how far from the centre of mass feet stand, ahead and aside [m]."""
    middle = 0.5 * (plan.centres[:-1] + plan.centres[1:])
    off = np.abs(plan.footholds - middle[:, None, :])
    largest = np.nanmax(off.reshape(-1, 2), axis=0)
    return 1.15 * float(largest[0]), 1.5 * float(largest[1])


def _draw_support(axes: Axes, plan: FootfallPlan, run: list[int]) -> None:
    """Draw one support pattern, x up and y to the left."""
    first, last = run[0], run[-1]
    begin, end = plan.centres[first], plan.centres[last + 1]
    middle, stands = 0.5 * (begin + end), plan.support[first]
    feet = (plan.footholds[first] - middle)[:, ::-1]
    corners = support_polygon(feet[stands]) if stands.any() else np.zeros((0, 2))
    if len(corners) > 2:
        axes.add_patch(Polygon(corners, color=SUPPORT, alpha=0.2, linewidth=0))
    axes.plot(*np.vstack([corners, corners[:1]]).T, color=SUPPORT, linewidth=1.2)
    axes.plot(*feet[stands].T, "o", color=SUPPORT, markersize=6)
    for leg in np.flatnonzero(stands):
        aside = -11.0 if feet[leg, 0] > 0.0 else 11.0
        axes.annotate(
            leg_names(len(stands))[leg],
            feet[leg],
            xytext=(aside, 0.0),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=7,
        )
    way = (plan.centres[first : last + 2] - middle)[:, ::-1]
    axes.plot(*way.T, color=CENTRE, linewidth=1.5)
    axes.plot(*way[-1:].T, "^", color=CENTRE, markersize=4)
    times = f"{plan.times[first]:.3g} to {plan.times[last + 1]:.3g}"
    axes.set_title(times, fontsize=8)
    axes.tick_params(labelsize=7)
