"""A stance drawn from above and from the side: feet, region, centre of mass."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from equipoise.core.arrays import Array, Vec3
from equipoise.viz.plots import PALETTE, new_figure, save_figure

__all__ = ["plot_stance"]

SUPPORT, REGION, CENTRE = PALETTE[0], PALETTE[2], PALETTE[1]
POINT: dict[str, Any] = {"marker": "s", "linestyle": "none", "markersize": 5}


def plot_stance(
    path: str | Path,
    *,
    points: Array,
    polygon: Array,
    region: Array,
    com: Vec3,
    weakest: Array | None = None,
    title: str = "",
) -> Path:
    """Draw a stance as PNG.

    Args:
        path: the file to make or replace.
        points: what touches the ground, (n, 3) [m].
        polygon: corners of the support seen from above, (m, 2) [m].
        region: corners of where the centre of mass may be, (k, 2) [m].
        com: centre of mass, (3,) [m].
        weakest: direction seen from above in which it falls first, (2,).
        title: the line on top.

    Returns:
        The path.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(9.0, 4.6)
    above, side = figure.subplots(1, 2)
    draw_above(above, points, polygon, region, com, weakest)
    draw_side(side, points, com, weakest)
    figure.suptitle(title)
    figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    return save_figure(figure, path)


def draw_above(
    axes: Axes,
    points: Array,
    polygon: Array,
    region: Array,
    com: Vec3,
    weakest: Array | None,
) -> None:
    """Draw what is seen from above."""
    for corners, colour, label in (
        (polygon, SUPPORT, "support"),
        (region, REGION, "centre of mass may be here"),
    ):
        if len(corners):
            ring = np.vstack([corners, corners[:1]])
            axes.fill(*ring.T, facecolor=colour, alpha=0.15)
            axes.plot(*ring.T, color=colour, label=label, linewidth=1.2)
    if len(points):
        axes.plot(*points[:, :2].T, color="black", label="touches the ground", **POINT)
    axes.plot(*com[:2], "o", color=CENTRE, label="centre of mass")
    if weakest is not None and np.any(weakest):
        length = 0.25 * float(np.ptp(np.vstack([points, com])[:, :2], axis=0).max())
        axes.annotate(
            "",
            xy=tuple(com[:2] + length * np.asarray(weakest)),
            xytext=tuple(com[:2]),
            arrowprops={"arrowstyle": "->", "color": CENTRE},
        )
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel="x [m]", ylabel="y [m]", title="from above")


def draw_side(axes: Axes, points: Array, com: Vec3, weakest: Array | None) -> None:
    """Draw what is seen from the side, along the weakest direction."""
    is_told = weakest is not None and np.any(weakest)
    way = np.asarray(weakest) if is_told else np.array([1.0, 0.0])
    ground = float(points[:, 2].min()) if len(points) else 0.0
    axes.axhline(ground, color="0.6", linewidth=1.0)
    if len(points):
        axes.plot(points[:, :2] @ way, points[:, 2], color="black", **POINT)
    here = float(com[:2] @ way)
    axes.plot([here, here], [ground, com[2]], ":", color=CENTRE)
    axes.plot(here, com[2], "o", color=CENTRE)
    axes.set_aspect("equal", adjustable="datalim")
    label = "along the weakest direction [m]" if is_told else "x [m]"
    axes.set(xlabel=label, ylabel="z [m]", title="from the side")
