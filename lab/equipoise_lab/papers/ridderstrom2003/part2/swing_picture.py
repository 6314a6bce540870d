"""Figure 5.8 of [Ridderstrom2003]: legs in the air, their voltages and speeds."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise_lab.papers.ridderstrom2003.part2.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.part2.swing import Swing, swung
from equipoise_lab.papers.ridderstrom2003.part4.rig_picture import tidy

__all__ = ["draw_swing"]

NAMES = ("hip flexion", "knee")


def draw_swing(path: str | Path) -> Path:
    """Simulate both ellipses and draw them as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(11.0, 6.6)
    rows = figure.subplots(2, 3)
    for row, period in zip(rows, PRINTED.periods, strict=True):
        swing = swung(period)
        _draw_path(row[0], swing, period)
        first = swing.time < swing.time[0] + 2 * period
        time = swing.time[first] - swing.time[0]
        most = PRINTED.volts
        _draw_pair(row[1], time, swing.volts[first], "voltage [V]", most)
        speed = PRINTED.forward.speed
        _draw_pair(row[2], time, swing.speeds[first], "speed [rad/s]", speed)
    figure.suptitle(
        "Fig. 5.8: feet led round an ellipse in the air; grey: limits of table 5.2",
        fontsize=12,
    )
    return save_figure(figure, path)


def _draw_path(axes: Axes, swing: Swing, period: float) -> None:
    """Draw foot and reference from the side."""
    axes.plot(*swing.aim.T, color="0.35", linestyle="--", linewidth=1.0, label="aim")
    axes.plot(*swing.foot.T, color=PALETTE[0], label="foot")
    axes.set_xlabel("forward of the hip [m]")
    axes.set_ylabel("above the hip [m]")
    axes.set_xlim(-0.21, 0.21)
    axes.set_ylim(-0.56, -0.44)
    axes.set_title(f"period {period:g} s", fontsize=10)
    axes.legend(loc="upper right", fontsize=8, frameon=False)
    tidy(axes)


def _draw_pair(
    axes: Axes, time: np.ndarray, pair: np.ndarray, what: str, most: float
) -> None:
    """Draw a signal of hip and knee, and its limits."""
    for k, name in enumerate(NAMES):
        axes.plot(time, pair[:, k], color=PALETTE[k], label=name)
    for level in (-most, most):
        axes.axhline(level, color="0.7", linewidth=1.0)
    axes.set_ylim(-1.4 * most, 1.4 * most)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(what)
    axes.legend(loc="upper right", fontsize=8, frameon=False, ncols=2)
    tidy(axes)
