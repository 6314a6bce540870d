"""Figs 9.6 to 9.8 of [Ridderstrom2003]: who comes back, a mark for each start."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise_lab.papers.ridderstrom2003.part4.attraction import (
    FALLEN,
    RETURNED,
    Grid,
    limit_offset,
    outcomes,
)
from equipoise_lab.papers.ridderstrom2003.part4.attraction_claims import FIGURES
from equipoise_lab.papers.ridderstrom2003.part4.rig_picture import tidy

__all__ = ["draw_attraction"]

MARKS = 25
"""Rows and columns that are drawn; the claims have 100."""
TOPS = {"fig. 9.6": 1.1, "fig. 9.7": 1.0015, "fig. 9.8": 1.003}


def draw_attraction(path: str | Path) -> Path:
    """Simulate starts and draw them as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(13.0, 4.6)
    panels = figure.subplots(1, 3)
    for axes, grid in zip(panels, FIGURES, strict=True):
        _draw_grid(axes, replace(grid, count=MARKS))
    panels[0].legend(loc="lower left", fontsize=8, frameon=True, framealpha=1.0)
    figure.suptitle(
        "Let go at rest, leaning: does it come back? The line is the closed form",
        fontsize=12,
    )
    return save_figure(figure, path)


def _draw_grid(axes: Axes, grid: Grid) -> None:
    """Draw the starts of one figure and the boundary between them."""
    found, r = outcomes(grid), grid.half_width
    x, a = np.meshgrid(grid.columns() / r, grid.rows())
    for mark, colour, kind, name in (
        (".", PALETTE[0], RETURNED, "comes back"),
        ("x", PALETTE[1], FALLEN, "falls"),
    ):
        here = found == kind
        axes.plot(x[here], a[here], mark, color=colour, markersize=4, label=name)
    low, top = grid.softness[0], TOPS[grid.figure]
    rows = np.linspace(low, 1.0, 2001)
    edge = [limit_offset(y, grid.height, r) / r for y in rows]
    axes.plot(edge, rows, color="0.2", linewidth=1.5, label="closed form")
    axes.axvline(1.0, color="0.35", linestyle=":", linewidth=1.0)
    axes.axhline(1.0, color="0.35", linestyle=":", linewidth=1.0)
    axes.set_ylim(low - 0.03 * (top - low), top)
    axes.set_xlim(0.0, grid.widest + 0.02)
    axes.set_xlabel("offset of the centre of mass over r [1]")
    axes.set_ylabel("a = m g h / (2 k r²) [1]")
    axes.set_title(f"{grid.figure}: h = {grid.height:g} m, r = {r:g} m", fontsize=10)
    axes.ticklabel_format(axis="y", useOffset=False)
    tidy(axes)
