"""The widths of section 11.1.3: how fast a simulated WARP1 leans, and predictions."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise_lab.papers.ridderstrom2003.chapter11.narrow import (
    Narrow,
    growth,
    narrowed,
)
from equipoise_lab.papers.ridderstrom2003.chapter11.narrow_claims import CASES
from equipoise_lab.papers.ridderstrom2003.part4.rig_picture import tidy

__all__ = ["draw_narrow"]

SHARES = (0.94, 0.96, 0.98, 1.02, 1.04)
"""Of the critical width, drawn besides what the search tried."""
NEAR = 0.045  # share of the width beyond which another motion decays last


def draw_narrow(path: str | Path) -> Path:
    """Simulate narrow stances and draw them as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(10.0, 4.2)
    for axes, case in zip(figure.subplots(1, 2), CASES, strict=True):
        found = narrowed(*case)
        _draw_case(axes, found)
        axes.set_title(
            f"{case[0] / 1e3:g} kN/m along, {case[1] / 1e3:g} kN/m up", fontsize=10
        )
    figure.suptitle(
        "Section 11.1.3: the half-width at which a simulated WARP1 starts to lean",
        fontsize=12,
    )
    return save_figure(figure, path)


def _draw_case(axes: Axes, found: Narrow) -> None:
    """Draw rates over half-widths, and both predictions."""
    middle = found.simulated
    more = [(s * middle, growth(s * middle, found.along, found.up)) for s in SHARES]
    tried = np.array(sorted([*found.tried, *more]))
    tried = tried[np.isfinite(tried[:, 1]) & (tried[:, 0] < (1.0 + NEAR) * middle)]
    axes.axhline(0.0, color="0.7", linewidth=1.0)
    axes.plot(*tried.T, "o-", color=PALETTE[0], markersize=4, label="simulated")
    lines = (
        ("energy test with the legs' masses", found.predicted.heavy, PALETTE[2]),
        ("(11.3), all mass in the trunk", found.predicted.lumped, PALETTE[1]),
    )
    for name, width, colour in lines:
        off = 100.0 * (width / middle - 1.0)
        axes.axvline(width, color=colour, linestyle="--", label=f"{name}: {off:+.1f} %")
    axes.set_xlim(0.92 * middle, 1.16 * middle)
    axes.set_ylim(-0.7, 1.2)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.set_xlabel("half-width of hips and feet [m]")
    axes.set_ylabel("growth of a small roll [1/s]")
    axes.legend(loc="upper right", fontsize=8, framealpha=1.0, edgecolor="white")
    tidy(axes)
