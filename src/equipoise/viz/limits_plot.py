"""The largest pushes that a robot survives, drawn round the robot as seen from above.

What was tried are some directions, and nothing is known between them: each is a point
on its own. The ring next to the robot is a push of nothing.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.core.log import timed
from equipoise.core.text import shown
from equipoise.viz.colours import PALETTE
from equipoise.viz.plots import new_figure, save_figure
from equipoise.viz.silhouette import ABOVE, ShapeTriangles, sketch
from equipoise.viz.stance_marks import HALO, round_length

__all__ = ["plot_limits", "push_place"]

SIZE = (7.0, 7.4)  # inches
INNER = 0.3
"""Radius of the ring round the robot, which stands for no push, of the whole."""
ROBOT = 0.8
"""Half the size of the robot's outline, of that ring."""
OUTER = 1.5  # half of what is shown, of the largest push
BEYOND = 1.43  # where the sides are named, of it
PIXELS = 150  # of the robot's outline, along its longer side
APART = 3.5  # of several controllers' points in one direction [degrees]
BETWEEN = math.radians(67.5)
"""Direction in which rings are named."""
POINTS = 7.0  # from a point to its number [1/72 inch]
MIDDLE = 0.38  # of a unit vector, below which a number is centred on its point
SIDES = ("front", "left", "back", "right")
GREY, PALE = "0.4", "0.85"
NOTE = "Impulse survived in the direction of the push; between the points\n"
NOTE += "nothing was tried"


@timed("drawing")
def plot_limits(
    runs: Sequence[Mapping[str, Any]],
    path: str | Path,
    *,
    title: str = "",
    shapes: ShapeTriangles | None = None,
) -> Path:
    """Draw the largest pushes that controllers survive, by direction, as PNG.

    Args:
        runs: summaries of ``equipoise.runs.limits``, one a controller; a direction
            whose limit is None was not tried to the end and has no point.
        path: the file to make or replace.
        title: the line on top.
        shapes: of the robot as it stands, None to draw none.

    Raises:
        ConfigError: nothing to draw.
        BadFileError: the file cannot be written.
    """
    if not len(runs):
        raise ConfigError("plot_limits", ["it needs at least one result, got none"])
    figure = new_figure(*SIZE)
    axes = figure.subplots()
    known = [x for run in runs for x in run["impulse_ns"] if x is not None]
    most = max(known, default=0.0) or 1.0
    _draw_rings(axes, most)
    faces = float(runs[0].get("faces_deg", 180.0))
    if shapes is not None:
        _draw_robot(axes, shapes)
    draw_sides(axes, faces)
    for k, run in enumerate(runs):
        draw_points(axes, run, k, len(runs), most)
    axes.set(xlim=(-OUTER, OUTER), ylim=(-OUTER, OUTER), aspect="equal")
    axes.set_axis_off()
    handles, names = axes.get_legend_handles_labels()
    figure.legend(
        handles,
        names,
        loc="outside lower center",
        frameon=False,
        fontsize=9,
        title=NOTE,
        title_fontproperties={"size": 9},
    )
    name = shown(runs[0].get("robot", "the robot"), 40)
    figure.suptitle(
        title or f"Pushes that {name} survives", fontsize=14, fontweight="bold"
    )
    return save_figure(figure, path)


def push_place(
    impulse: float, heading_deg: float, most: float, shift_deg: float = 0.0
) -> Array:
    """Return where a push is drawn, (2,): the ring is none, 1 the largest.

    Args:
        impulse: its size [N s].
        heading_deg: towards where, from +x towards +y.
        most: the largest of all [N s].
        shift_deg: how far it is moved aside to be seen beside others.
    """
    angle = math.radians(heading_deg + shift_deg)
    radius = INNER + (1.0 - INNER) * impulse / most
    return radius * np.array([math.cos(angle), math.sin(angle)])


def _draw_rings(axes: Axes, most: float) -> None:
    """Draw circles of round impulses, and the directions."""
    step = round_length(most / 2.0)
    rings = step * np.arange(math.floor(most / step + 1e-9) + 1)
    for ring in rings.tolist():
        radius = float(np.linalg.norm(push_place(ring, 0.0, most)))
        is_none = ring == 0.0
        axes.add_patch(
            Circle(
                (0.0, 0.0),
                radius,
                fill=False,
                color="0.6" if is_none else PALE,
                linewidth=1.2 if is_none else 0.8,
                zorder=1,
            )
        )
        place = radius * np.array([math.cos(BETWEEN), math.sin(BETWEEN)])
        axes.text(
            place[0],
            place[1],
            f"{ring:g} N s" if ring else "0",
            ha="center",
            va="center",
            fontsize=8,
            color=GREY,
            path_effects=HALO,
            zorder=3,
        )


def _draw_robot(axes: Axes, shapes: ShapeTriangles) -> None:
    """Draw the robot's outline inside the ring that stands for no push."""
    flat = shapes.robot[:, :2]
    low, high = flat.min(axis=0), flat.max(axis=0)
    middle, half = 0.5 * (low + high), 0.55 * float((high - low).max())
    (x, y), reach = middle.tolist(), half
    bounds = (x - reach, x + reach, y - reach, y + reach)
    drawn = sketch(shapes, ABOVE, bounds, PIXELS / reach)
    size = ROBOT * INNER
    axes.imshow(drawn.image, extent=(-size, size, -size, size), zorder=2)


def draw_sides(axes: Axes, faces_deg: float) -> None:
    """Name the robot's sides round the picture, and mark its front."""
    for k, side in enumerate(SIDES):
        heading = faces_deg + 90.0 * k
        angle = math.radians(heading)
        place = BEYOND * np.array([math.cos(angle), math.sin(angle)])
        words = f"to its {side}\n{heading % 360.0:g}°"
        axes.text(
            place[0], place[1], words, ha="center", va="center", fontsize=9, color=GREY
        )
    angle = math.radians(faces_deg)
    way = np.array([math.cos(angle), math.sin(angle)])
    arrow = {"arrowstyle": "-|>", "color": "black", "shrinkA": 0.0, "shrinkB": 0.0}
    axes.annotate(
        "",
        xy=tuple(0.97 * INNER * way),
        xytext=tuple(0.72 * INNER * way),
        arrowprops={**arrow, "linewidth": 2.0},
        zorder=4,
        gid="front",
    )


def draw_points(
    axes: Axes, run: Mapping[str, Any], k: int, count: int, most: float
) -> None:
    """Draw one controller's pushes: a point each, on a stem from no push."""
    colour = PALETTE[k % len(PALETTE)]
    shift = APART * (k - 0.5 * (count - 1))
    pairs = zip(run["heading_deg"], run["impulse_ns"], strict=True)
    tried = [(heading, ns) for heading, ns in pairs if ns is not None]
    for heading, ns in tried:
        ends = [push_place(size, heading, most, shift) for size in (0.0, ns)]
        axes.plot(*np.array(ends).T, color=colour, alpha=0.35, linewidth=1.6, zorder=4)
        if count == 1:
            _name_point(axes, ends[1], f"{ns:.3g}")
    places = [push_place(ns, heading, most, shift) for heading, ns in tried]
    block = run["block_mass_kg"]  # None where none was thrown
    thrown = "" if block is None else f", hit by a block of up to {block:.3g} kg"
    if places:
        axes.plot(
            *np.array(places).T,
            "o",
            color=colour,
            markersize=8,
            markeredgecolor="white",
            label=f"{run['controller']}{thrown}",
            zorder=5,
            gid=f"limits {k}",
        )


def _name_point(axes: Axes, place: Array, words: str) -> None:
    """Write a point's number outside of it, clear of the point at every angle.

    Args:
        axes: of the picture.
        place: of the point, (2,).
        words: the number.
    """
    out = place / float(np.linalg.norm(place))
    sides = [("right", "left"), ("top", "bottom")]
    lies = [
        "center" if abs(x) < MIDDLE else names[int(x > 0.0)]
        for x, names in zip(out.tolist(), sides, strict=True)
    ]
    axes.annotate(
        words,
        xy=tuple(place),
        xytext=tuple(POINTS * out),
        textcoords="offset points",
        ha=lies[0],
        va=lies[1],
        fontsize=10,
        path_effects=HALO,
        zorder=6,
    )
