"""Figure 5.9 of [Ridderstrom2003]: kneeling with 50 kg."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise_lab.papers.ridderstrom2003.part2.kneeling import Kneeling, knelt
from equipoise_lab.papers.ridderstrom2003.part2.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.part4.rig_picture import tidy

__all__ = ["draw_kneel"]


def draw_kneel(path: str | Path) -> Path:
    """Simulate kneeling and draw it as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(11.0, 3.8)
    left, middle, right = figure.subplots(1, 3)
    driven, slack = knelt(), knelt(is_powered=False)
    left.plot(driven.time, driven.height, color=PALETTE[0], label="with power")
    left.plot(slack.time, slack.height, "--", color=PALETTE[1], label="resting without")
    left.set_ylabel("height of the trunk [m]")
    left.set_ylim(0.4, 0.68)
    left.legend(loc="upper center", fontsize=8, frameon=False)
    _draw_torque(middle, driven, 1, "hip flexion")
    _draw_torque(right, driven, 2, "knee")
    for axes in (left, middle, right):
        axes.axvspan(*PRINTED.rest, color="0.94")
        axes.set_xlabel("time [s]")
        tidy(axes)
    figure.suptitle(
        "Fig. 5.9: on its knees with 50 kg, front left leg; shaded: 7 to 17 s",
        fontsize=12,
    )
    return save_figure(figure, path)


def _draw_torque(axes: Axes, found: Kneeling, joint: int, name: str) -> None:
    """Draw what a joint was asked for and what it gave."""
    asked = found.asked[:, joint - 1]
    axes.plot(found.time, asked, color="0.55", linewidth=0.8, label="asked for")
    given = found.torques[:, 0, joint]
    axes.plot(found.time, given, color=PALETTE[0], label="given")
    limit = PRINTED.forward.torque
    for level in np.array([-limit, limit]):
        axes.axhline(level, color="0.7", linewidth=1.0)
    axes.set_ylim(-1.35 * limit, 1.35 * limit)
    axes.set_ylabel("torque [N m]")
    axes.set_title(name, fontsize=10)
    axes.legend(loc="upper right", fontsize=8, frameon=False, ncols=2)
