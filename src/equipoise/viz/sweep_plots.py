"""What a sweep found: a curve over one option, a map over two.

A share of answers has Wilson's interval [Wilson1927], a number's mean its spread over
seeds by Student's t; both at 95 %.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from equipoise.core.arrays import Array
from equipoise.viz.plots import PALETTE, new_figure, save_figure

__all__ = ["mean_interval", "plot_curve", "plot_map", "share_interval"]

Z = 1.959963984540054  # of the normal distribution, 95 % within


def share_interval(hits: int, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson's score.

    Args:
        hits: how many of them.
        count: how many there were; none for no knowledge at all.
    """
    if count == 0:
        return 0.0, 1.0
    p, spread = hits / count, Z * Z / count
    middle = p + 0.5 * spread
    half = Z * math.sqrt(p * (1.0 - p) / count + spread / (4.0 * count))
    low, high = (middle - half) / (1.0 + spread), (middle + half) / (1.0 + spread)
    return (0.0 if hits == 0 else low), (1.0 if hits == count else high)


def mean_interval(values: Array) -> tuple[float, float]:
    """Return the 95 % interval of a mean by Student's t; the value itself of one.

    Args:
        values: finite or not; what is not does not count.
    """
    from scipy.special import stdtrit

    known = values[np.isfinite(values)]
    if known.size < 2:
        both = float(known[0]) if known.size else math.nan
        return both, both
    half = stdtrit(known.size - 1, 0.975) * known.std(ddof=1) / math.sqrt(known.size)
    return float(known.mean() - half), float(known.mean() + half)


def plot_curve(
    at: Sequence[Any],
    middle: Array,
    low: Array,
    high: Array,
    labels: tuple[str, str, str],
    path: str | Path,
) -> Path:
    """Draw a number over an option with its interval, and return the file.

    Args:
        at: values of the option, numbers or names.
        middle: the number at each, NaN for none.
        low: lower ends of its intervals.
        high: upper ends.
        labels: of both axes and the title.
        path: of the picture.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(7.0, 4.2)
    axes = figure.add_subplot()
    x = positions(axes.xaxis, at)
    axes.fill_between(x, low, high, color=PALETTE[0], alpha=0.2, lw=0)
    axes.plot(x, middle, color=PALETTE[0], marker="o", ms=4)
    label(axes, labels)
    axes.grid(alpha=0.3)
    return save_figure(figure, path)


def plot_map(
    across: Sequence[Any],
    up: Sequence[Any],
    values: Array,
    labels: tuple[str, str, str],
    path: str | Path,
) -> Path:
    """Draw a number over two options, written into its cells, and return the file.

    Args:
        across: values of the first option.
        up: values of the second.
        values: a number a pair, NaN for none, (len(up), len(across)).
        labels: of both axes and the title.
        path: of the picture.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(1.6 + 0.75 * min(len(across), 16), 1.6 + 0.5 * min(len(up), 16))
    axes = figure.add_subplot()
    drawn = axes.imshow(values, origin="lower", aspect="auto", cmap="viridis")
    for axis, names in ((axes.xaxis, across), (axes.yaxis, up)):
        axis.set_ticks(range(len(names)), [shown(name) for name in names])
    if values.size <= 200:
        middle = 0.5 * (np.nanmin(values) + np.nanmax(values))
        for (row, column), value in np.ndenumerate(values):
            text = "-" if not math.isfinite(value) else f"{value:.3g}"
            colour = "black" if value > middle else "white"
            colour = "black" if text == "-" else colour
            axes.text(column, row, text, ha="center", va="center", color=colour)
    figure.colorbar(drawn, ax=axes)
    label(axes, labels)
    return save_figure(figure, path)


def positions(axis: Any, at: Sequence[Any]) -> Sequence[float]:
    """Return where values stand on an axis; names stand side by side."""
    if all(isinstance(value, int | float) for value in at):
        return at
    axis.set_ticks(range(len(at)), [shown(value) for value in at])
    return range(len(at))


def label(axes: Axes, labels: tuple[str, str, str]) -> None:
    """Write both axes' labels and the title."""
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.set_title(labels[2])


def shown(value: Any) -> str:
    """Return a value for a tick."""
    return f"{value:g}" if isinstance(value, float) else str(value)
