"""What is written into a drawing of a robot: lengths, axes, scale, centre of mass."""

import math
from typing import NamedTuple

import numpy as np
from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Wedge

from equipoise.core.arrays import Array
from equipoise.viz.colours import hex_of

__all__ = [
    "EDGE",
    "HALO",
    "DrawingFrame",
    "centre_mark",
    "corner_arrows",
    "dimension",
    "fitted_frame",
    "length_words",
    "round_length",
    "scale_bar",
    "tipping_arc",
]

CENTRE, EDGE = hex_of("centre of mass"), hex_of("bad")
GREY = "0.35"
ROOM = 0.09  # round what is drawn, of its size
LEAST = 14.0  # pixels of an arrow that can be seen
SHORT = 70.0  # pixels of an arrow beside which its length has no room
HALO = [patheffects.withStroke(linewidth=3.0, foreground="white")]
BAR = 0.3  # of a drawing's width, at most, that the scale takes


class DrawingFrame(NamedTuple):
    """Frame of a drawing: its extent, and pixels per metre."""

    left: float
    right: float
    bottom: float
    top: float
    per_metre: float

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top [m]."""
        return self.left, self.right, self.bottom, self.top


def length_words(metres: float) -> str:
    """Return a length for people, in mm or m, without a negative zero."""
    size = abs(metres)
    if size < 5e-5:
        return "0 mm"
    sign = "-" if metres < 0.0 else ""
    if size < 9.995e-3:
        return f"{sign}{1e3 * size:.1f} mm"
    return f"{sign}{1e3 * size:.0f} mm" if size < 0.9995 else f"{sign}{size:.2f} m"


def fitted_frame(axes: Axes, corners: Array) -> DrawingFrame:
    """Fit axes round points with room on all sides, one scale both ways."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = max(float((high - low).max()), 1e-3)
    low, high = low - ROOM * size, high + ROOM * size
    box = axes.get_window_extent()
    per_metre = min(box.width / (high[0] - low[0]), box.height / (high[1] - low[1]))
    middle = 0.5 * (low + high)
    half = 0.5 * np.array([box.width, box.height]) / per_metre
    left, bottom = middle - half
    right, top = middle + half
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    axes.set_autoscale_on(False)
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_color("0.85")
    return DrawingFrame(left, right, bottom, top, per_metre)


def centre_mark(axes: Axes, frame: DrawingFrame, at: Array) -> None:
    """Draw the sign of a centre of mass: a quartered disc."""
    radius = 8.0 / frame.per_metre
    axes.add_patch(Circle(tuple(at), radius, facecolor="white", zorder=7))
    for start in (0.0, 180.0):
        axes.add_patch(
            Wedge(tuple(at), radius, start, start + 90.0, color=CENTRE, zorder=7)
        )
    axes.add_patch(
        Circle(tuple(at), radius, fill=False, color=CENTRE, linewidth=1.6, zorder=7)
    )


def dimension(
    axes: Axes, frame: DrawingFrame, start: Array, end: Array, margin: float
) -> None:
    """Draw the arrow of a margin with its length beside it."""
    way = end - start
    pixels = float(np.linalg.norm(way)) * frame.per_metre
    if pixels > LEAST:
        axes.annotate(
            "",
            xy=tuple(end),
            xytext=tuple(start),
            arrowprops={
                "arrowstyle": "-|>",
                "color": EDGE,
                "linewidth": 1.8,
                "shrinkA": 0.0,
                "shrinkB": 0.0,
            },
            zorder=6,
        )
    words = length_words(abs(margin)) + (" outside" if margin < 0.0 else "")
    at, shift, sides = _label_place(start, end, pixels)
    axes.annotate(
        words,
        tuple(at),
        xytext=tuple(shift),
        textcoords="offset points",
        ha=sides[0],
        va=sides[1],
        color=EDGE,
        fontsize=12,
        fontweight="bold",
        path_effects=HALO,
        zorder=8,
        gid="margin",
    )


def _label_place(
    start: Array, end: Array, pixels: float
) -> tuple[Array, Array, tuple[str, str]]:
    """Return where a margin's length is written: beside its arrow, or past a short one.

    Args:
        start: of the arrow, (2,) [m].
        end: of the arrow, (2,) [m].
        pixels: length of the arrow.

    Returns:
        A point [m], the shift of the text from there [points], and how it is set.
    """
    way = end - start
    size = float(np.linalg.norm(way))
    along = way / size if size > 0.0 else np.array([1.0, 0.0])
    if pixels < SHORT:
        if abs(along[0]) < 0.5:
            return end, 9.0 * along, ("center", "bottom" if along[1] > 0.0 else "top")
        return end, 9.0 * along, ("left" if along[0] > 0.0 else "right", "center")
    across = np.array([-along[1], along[0]])
    is_level = abs(across[0]) < 0.5
    if across[1 if is_level else 0] < 0.0:
        across = -across
    sides = ("center", "bottom") if is_level else ("left", "center")
    return 0.5 * (start + end), 10.0 * across, sides


def corner_arrows(axes: Axes, frame: DrawingFrame, names: tuple[str, str]) -> None:
    """Draw which way two axes go, in the lower left corner.

    Args:
        axes: where.
        frame: of the drawing.
        names: of the axis to the right and of that up the page.
    """
    at = np.array([frame.left, frame.bottom]) + 16.0 / frame.per_metre
    for way, name in zip(np.eye(2), names, strict=True):
        tip = at + way * 34.0 / frame.per_metre
        arrow = {"arrowstyle": "-|>", "color": GREY, "shrinkA": 0.0, "shrinkB": 0.0}
        axes.annotate("", xy=tuple(tip), xytext=tuple(at), arrowprops=arrow, zorder=8)
        x, y = tip + way * 10.0 / frame.per_metre
        axes.text(x, y, name, ha="center", va="center", fontsize=9, color=GREY)


def round_length(most: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is not larger [m].

    Args:
        most: > 0 [m].
    """
    unit = 10.0 ** math.floor(math.log10(most))
    return max(k * unit for k in (1.0, 2.0, 5.0) if k * unit <= most * (1.0 + 1e-9))


def scale_bar(axes: Axes, frame: DrawingFrame) -> None:
    """Draw a length to compare with, in the lower right corner."""
    length = round_length(BAR * (frame.right - frame.left))
    right = frame.right - 16.0 / frame.per_metre
    low = frame.bottom + 14.0 / frame.per_metre
    tick = 4.0 / frame.per_metre
    ends = [right - length, right]
    x = [ends[0], ends[0], ends[0], ends[1], ends[1], ends[1]]
    y = [low - tick, low + tick, low, low, low + tick, low - tick]
    axes.plot(x, y, color=GREY, linewidth=1.4, zorder=8, gid="scale")
    axes.text(
        right - 0.5 * length,
        low + 5.0 / frame.per_metre,
        length_words(length),
        ha="center",
        va="bottom",
        fontsize=9,
        color=GREY,
        path_effects=HALO,
        zorder=8,
    )


def tipping_arc(axes: Axes, pivot: Array, centre: Array) -> None:
    """Draw how the centre of mass would rise over the edge, up to the top."""
    radius = float(np.linalg.norm(centre - pivot))
    first = math.atan2(centre[1] - pivot[1], centre[0] - pivot[0])
    if not math.pi / 2.0 < first < math.pi:
        return
    angle = np.linspace(first, math.pi / 2.0, 40)
    x = pivot[0] + radius * np.cos(angle)
    y = pivot[1] + radius * np.sin(angle)
    axes.plot(x, y, color=EDGE, linewidth=1.0, linestyle=(0, (4, 3)), zorder=6)
    axes.plot([pivot[0]] * 2, [pivot[1], y[-1]], color=EDGE, linewidth=0.6, zorder=4)
