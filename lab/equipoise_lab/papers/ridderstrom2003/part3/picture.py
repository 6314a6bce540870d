"""Table 7.1 as bars, and arms drawn from lines that their equations give."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from equipoise.core.arrays import Array
from equipoise.equations import Arm, arm, scara
from equipoise.equations.tape.interpret import interpret
from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise_lab.papers.ridderstrom2003.part3.cost_claims import table
from equipoise_lab.papers.ridderstrom2003.part4.rig_picture import tidy

__all__ = ["draw_costs", "line_points"]

ROWS = {
    "B_v_HP1": "foot velocity\nin the trunk",
    "N_v_HP1": "foot velocity\nin the world",
    "N_r_CM": "centre\nof mass",
    "rbm field, sparse": "equations\nof motion",
    "rbm field, feet": "the same,\nwith ankles",
}
ARM_START, ARM_END = (-0.4, -0.9, 0.9), (0.9, -0.2, 1.0)
SCARA_START, SCARA_END = (-0.8, 0.4, 0.05), (0.7, 1.1, 0.25)
POSES = 5


def draw_costs(path: str | Path) -> Path:
    """Draw table 7.1 beside ours, and the two arms, as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(13.5, 4.8)
    grid = figure.add_gridspec(1, 3, width_ratios=(1.5, 1.0, 1.0))
    _draw_bars(figure.add_subplot(grid[0]))
    for place, made, ends, name in (
        (1, arm(), (ARM_START, ARM_END), "the arm of chapter 8"),
        (2, scara(), (SCARA_START, SCARA_END), "a SCARA, fig. 7.7"),
    ):
        axes = figure.add_subplot(grid[place], projection="3d")
        _draw_arm(axes, line_points(made, *ends, POSES), name)
    return save_figure(figure, path)


def _draw_bars(axes: Axes) -> None:
    """Draw additions and products of each row, printed and ours."""
    found = table()
    for k, name in enumerate(ROWS):
        printed, ours, _ = found[name]
        for side, (size, colour) in enumerate(
            (
                (printed[0] + printed[1], "0.6"),
                (ours.add + ours.mul, PALETTE[0]),
            )
        ):
            at = k + (side - 0.5) * 0.38
            label = ("table 7.1", "ours")[side] if k == 0 else None
            axes.bar(at, size, 0.36, color=colour, label=label)
            axes.annotate(
                f"{size}", (at, size), xytext=(0, 2), textcoords="offset points",
                ha="center", fontsize=8,
            )  # fmt: skip
    axes.set_yscale("log")
    axes.set_ylim(5.0, 4e4)
    axes.set_xticks(range(len(ROWS)), list(ROWS.values()), fontsize=8)
    axes.set_ylabel("additions, products, divisions")
    axes.set_title("what evaluating once costs, WARP1 (table 7.1)", fontsize=10)
    axes.legend(loc="upper left", fontsize=8, frameon=False)
    tidy(axes)


def line_points(
    made: Arm, start: tuple[float, ...], end: tuple[float, ...], count: int
) -> Array:
    """Return the points of an arm in poses between two, (count, points, 3).

    Args:
        made: the arm, whose block ``mkLineData`` gives the points.
        start: its coordinates at first.
        end: and at last.
        count: how many poses.
    """
    block = made.lines()
    shares = np.linspace(0.0, 1.0, count)[:, None]
    q = np.array(start) + shares * (np.array(end) - np.array(start))
    x = np.hstack([q, np.zeros_like(q)])
    return interpret(block.program, x, block.values).reshape(count, -1, 3)


def _draw_arm(axes: Any, points: Array, name: str) -> None:
    """Draw an arm in its poses, the last darkest."""
    for k, pose in enumerate(points, start=1):
        last = k == len(points)
        axes.plot(
            *pose.T, "-o", color=PALETTE[0] if last else "0.75", markersize=3,
            linewidth=2.0 if last else 1.0, zorder=k,
        )  # fmt: skip
    axes.plot(*points[:, -1].T, ":", color=PALETTE[1], linewidth=1.2)
    axes.set_aspect("equal")
    axes.tick_params(labelsize=7)
    axes.locator_params(nbins=5)
    axes.set_title(f"{name}: derived lines [m]", fontsize=10)
