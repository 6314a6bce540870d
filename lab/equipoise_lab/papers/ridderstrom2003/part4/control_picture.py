"""Fig. 11.1 of [Ridderstrom2003]: how wide soft control must stand."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from equipoise.core.arrays import Array
from equipoise.stability import cartesian_critical_width
from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise_lab.papers.ridderstrom2003.part4.rig_picture import tidy
from equipoise_lab.papers.ridderstrom2003.part4.setting import PRINTED

__all__ = ["draw_control"]

STIFF = np.linspace(1.0, 25.0, 49)


def draw_control(path: str | Path) -> Path:
    """Draw the critical width over both stiffnesses as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(11.5, 5.0)
    along, up = np.meshgrid(STIFF, STIFF)
    width = np.vectorize(cartesian_critical_width)(along, up)
    _draw_width(figure.add_subplot(1, 2, 1, projection="3d"), along, up, width)
    _draw_lines(figure.add_subplot(1, 2, 2), along, up, width)
    figure.suptitle(
        "Feet held by a Cartesian controller: the critical r/h (fig. 11.1)", fontsize=12
    )
    return save_figure(figure, path)


def _draw_width(axes: Any, along: Array, up: Array, width: Array) -> None:
    """Draw the surface; it stands above."""
    axes.plot_surface(along, up, width, cmap="viridis", linewidth=0, alpha=0.9)
    axes.set_xlabel("k₁' along [1]")
    axes.set_ylabel("k₃' up [1]")
    axes.set_zlabel("critical r/h [1]")
    axes.view_init(elev=25, azim=50)
    axes.set_title("it stands above the surface", fontsize=10)


def _draw_lines(axes: Axes, along: Array, up: Array, width: Array) -> None:
    """Draw the same as lines of equal width, and where WARP1 is."""
    levels = (0.15, 0.175, 0.19, 0.2, 0.225, 0.25, 0.3, 0.4, 0.5)
    lines = axes.contour(along, up, width, levels, colors="0.45", linewidths=1.0)
    axes.clabel(lines, fontsize=8)
    k1, k3 = PRINTED.warp1_dimensionless
    for place, colour, name, aside in (
        ((k1, k3), PALETTE[0], "as printed", (7, 5)),
        ((k3, k1), PALETTE[1], "as the words say", (-90, -14)),
    ):
        critical = cartesian_critical_width(*place)
        axes.plot(*place, "o", color=colour)
        axes.annotate(
            f"WARP1 {name}: {critical:.4f}", place, xytext=aside, fontsize=9,
            textcoords="offset points", color=colour,
        )  # fmt: skip
    axes.set_xlabel("k₁' along [1]")
    axes.set_ylabel("k₃' up [1]")
    axes.set_title(f"WARP1 by the thesis: {PRINTED.warp1_critical:g}", fontsize=10)
    tidy(axes)
