"""Figures 11.3 and 11.4 of [Ridderstrom2003]: steps, power and the balance board."""

import math
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from equipoise.sim.board import Rocking
from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise_lab.papers.ridderstrom2003.chapter11.posture import responded, rocked
from equipoise_lab.papers.ridderstrom2003.chapter11.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.chapter11.step_claims import FRICTION, steps
from equipoise_lab.papers.ridderstrom2003.part4.rig_picture import tidy

__all__ = ["draw_posture"]

LAWS = {
    "ours": "recommended",
    "printed": "printed law",
    "rubs": f"printed, friction {FRICTION:g} N m",
}
ROCKING = 9.0  # [s]


def draw_posture(path: str | Path) -> Path:
    """Simulate the balance experiments and draw them as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(11.0, 7.4)
    (pitch, roll), (height, power), boards = figure.subplots(3, 2)
    tried = steps(0)
    named = {"pitch": pitch, "roll": roll, "height": height}
    for name, axes in named.items():
        for k, (key, label) in enumerate(LAWS.items()):
            found = responded(tried[f"{name} {key}"])
            axes.plot(found.time, found.share, color=PALETTE[k], label=label)
            if name == "height":
                power.plot(found.time, found.power, color=PALETTE[k], label=label)
        axes.axhline(1.0, color="0.6", linestyle=":", linewidth=1.0)
        axes.set_ylabel(f"share of the step in {name}")
    power.set_ylabel("power, step in height [W]")
    for axes in (*named.values(), power):
        axes.set_xlabel("time since the step [s]")
        axes.set_xlim(-0.1, 2.5)
        axes.legend(loc="lower right" if axes is not power else "upper right",
                    fontsize=8, frameon=False)  # fmt: skip
        tidy(axes)
    _draw_board(boards[0], "pitch", 1)
    _draw_board(boards[1], "roll", 0)
    figure.suptitle("Figs 11.3 and 11.4: posture control of WARP1", fontsize=12)
    return save_figure(figure, path)


def _draw_board(axes: Axes, name: str, column: int) -> None:
    """Draw the board's angle and the trunk's."""
    most, rate = PRINTED.board
    angles = {"pitch": most if name == "pitch" else 0.0}
    angles["roll"] = most - angles["pitch"]
    run = rocked(angles["pitch"], angles["roll"], seed=0, seconds=ROCKING)
    turned = {key: math.radians(value) for key, value in angles.items()}
    motion = Rocking(rate=math.radians(rate), start=0.5, **turned)
    board = np.degrees([motion(t)[1 - column] for t in run.time])
    trunk = np.degrees(run.attitude[:, column])
    axes.plot(run.time, board, "--", color="0.5", linewidth=1.0, label="board")
    axes.plot(run.time, trunk, color=PALETTE[0], label="trunk")
    axes.set_ylim(-11.0, 13.0)
    axes.set_ylabel(f"{name} on the board [°]")
    axes.set_xlabel("time [s]")
    axes.legend(loc="upper right", fontsize=8, frameon=False, ncols=2)
    tidy(axes)
