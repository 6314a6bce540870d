"""A stance drawn from above and from the side: feet, region, centre of mass."""

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from equipoise.core.arrays import Array, Vec3
from equipoise.viz.plots import PALETTE, new_figure, save_figure

__all__ = ["plot_stance"]

WIDE = 100  # characters of a line over the pictures
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
    normals: Array | None = None,
    title: str = "",
    reason: str = "",
) -> Path:
    """Draw a stance as PNG.

    Args:
        path: the file to make or replace.
        points: what touches the ground, (n, 3) [m].
        polygon: corners of the support seen from above, (m, 2) [m].
        region: corners of where the centre of mass may be, (k, 2) [m].
        com: centre of mass, (3,) [m].
        weakest: direction seen from above in which it falls first, (2,).
        normals: of the ground at each point, (n, 3); None for level ground.
        title: the line on top.
        reason: why it stands or not, below the title.

    Returns:
        The path.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(9.0, 4.6)
    above, side = figure.subplots(1, 2)
    draw_above(above, points, polygon, region, com, weakest)
    draw_side(side, points, com, weakest, normals)
    lines = [title, *textwrap.wrap(reason, WIDE)[:3]]
    figure.suptitle("\n".join(lines), parse_math=False, fontsize=11)
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
        tip = com[:2] + length * np.asarray(weakest)
        axes.plot(*tip)  # nothing to see, but an arrow out of the picture is not drawn
        axes.annotate(
            "",
            xy=tuple(tip),
            xytext=tuple(com[:2]),
            arrowprops={"arrowstyle": "->", "color": CENTRE},
        )
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel="x [m]", ylabel="y [m]", title="from above")


def draw_side(
    axes: Axes,
    points: Array,
    com: Vec3,
    weakest: Array | None,
    normals: Array | None = None,
) -> None:
    """Draw what is seen from the side, along the weakest direction."""
    is_told = weakest is not None and np.any(weakest)
    way = np.asarray(weakest) if is_told else np.array([1.0, 0.0])
    ground = float(points[:, 2].min()) if len(points) else 0.0
    if normals is None or not np.any(normals[:, :2]):
        axes.axhline(ground, color="0.6", linewidth=1.0)
    else:
        draw_ground(axes, points, normals, way)
    if len(points):
        axes.plot(points[:, :2] @ way, points[:, 2], color="black", **POINT)
    here = float(com[:2] @ way)
    axes.plot([here, here], [ground, com[2]], ":", color=CENTRE)
    axes.plot(here, com[2], "o", color=CENTRE)
    axes.set_aspect("equal", adjustable="datalim")
    label = "along the weakest direction [m]" if is_told else "x [m]"
    axes.set(xlabel=label, ylabel="z [m]", title="from the side")


def draw_ground(axes: Axes, points: Array, normals: Array, way: Array) -> None:
    """Draw the ground below each point, as it falls along a direction."""
    half = 0.15 * (float(np.ptp(points[:, :2] @ way)) or 0.1)
    for point, normal in zip(points, normals, strict=True):
        fall = -half * float(normal[:2] @ way), half * float(normal[2])
        along = np.array([-fall[1], fall[1]]) + float(point[:2] @ way)
        height = np.array([-fall[0], fall[0]]) + point[2]
        axes.plot(along, height, color="0.6", linewidth=1.0)
