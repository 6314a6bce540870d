"""What a sweep found: a curve over one option, a map over two.

A share of answers has Wilson's interval [Wilson1927], a number's mean its spread over
seeds by Student's t; both at 95 %.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, final

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints
from equipoise.viz.colours import hex_of
from equipoise.viz.plots import PALETTE, new_figure, save_figure

__all__ = [
    "Captions",
    "IntervalLine",
    "mean_interval",
    "plot_lines",
    "plot_map",
    "plot_points",
    "share_interval",
]

Z = 1.959963984540054  # of the normal distribution, 95 % within
MARGIN = 0.04  # beyond limits that are known
NOTHING = "0.9"  # colour of a cell without a number
MOST_TICKS, MOST_CELLS = 20, 200
LONGEST = 80  # letters of a title's line


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


@final
@dataclass(frozen=True)
class Captions:
    """Captions at a picture's edges."""

    across: str
    up: str
    title: str


@final
@dataclass(frozen=True)
class IntervalLine:
    """A number at each of some places, with its interval."""

    label: str
    """For the legend; "" for none."""
    middle: Array
    low: Array
    high: Array
    fallen: Ints | None = None
    """How many runs fell at each place, which do not count; None where all count."""


def plot_lines(
    at: Sequence[Any],
    lines: Sequence[IntervalLine],
    told: Captions,
    path: str | Path,
    limits: tuple[float, float] | None = None,
) -> Path:
    """Draw numbers over an option with their intervals, and return the file.

    Args:
        at: values of the option, numbers or names.
        lines: numbers at each, NaN for none.
        told: axes and title.
        path: of the picture.
        limits: between which the numbers lie; None for those that there are.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(7.0, 4.4)
    axes = figure.add_subplot()
    x = np.asarray(_positions(axes.xaxis, at), dtype=float)
    for line, colour in zip(lines, cycle(PALETTE), strict=False):
        axes.fill_between(x, line.low, line.high, color=colour, alpha=0.18, lw=0)
        axes.plot(x, line.middle, color=colour, marker="o", ms=4, label=line.label)
    mark_falls(axes, x, lines)
    if any(line.label for line in lines):
        axes.legend(fontsize="small")
    _label(axes, told)
    axes.grid(alpha=0.3)
    if limits is not None:
        axes.set_ylim(limits[0] - MARGIN, limits[1] + MARGIN)
    return save_figure(figure, path)


def mark_falls(axes: Axes, x: Array, lines: Sequence[IntervalLine]) -> None:
    """Write at the foot of a plot how many runs fell at each place."""
    told = [line.fallen for line in lines if line.fallen is not None]
    if not told:
        return
    for place, count in zip(x, np.sum(told, axis=0).tolist(), strict=True):
        if count:
            axes.annotate(
                f"\N{MULTIPLICATION SIGN} {count} fell",
                (place, 0.0),
                xycoords=axes.get_xaxis_transform(),
                xytext=(0, 4),
                textcoords="offset points",
                ha="center",
                fontsize="small",
                color=hex_of("bad"),
            )


def plot_map(
    across: Sequence[Any],
    up: Sequence[Any],
    values: Array,
    told: Captions,
    path: str | Path,
    limits: tuple[float, float] | None = None,
    fallen: Ints | None = None,
) -> Path:
    """Draw a number over two options, written into its cells, and return the file.

    Args:
        across: values of the first option.
        up: values of the second.
        values: a number a pair, NaN for none, (len(up), len(across)).
        told: axes and title.
        path: of the picture.
        limits: of the colours; None for those of the numbers.
        fallen: how many runs of each pair fell, which do not count in its number,
            (len(up), len(across)); None where all count.

    Raises:
        BadFileError: the file cannot be written.
    """
    width = 2.4 + 0.75 * min(max(len(across), 5), 16)
    figure = new_figure(width, 1.9 + 0.5 * min(max(len(up), 3), 16))
    axes = figure.add_subplot()
    known = values[np.isfinite(values)]
    low, high = limits or (
        (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    )
    axes.set_facecolor(NOTHING)
    drawn = axes.imshow(
        values, origin="lower", aspect="auto", cmap="viridis", vmin=low, vmax=high
    )
    for axis, names in ((axes.xaxis, across), (axes.yaxis, up)):
        every = max(1, math.ceil(len(names) / MOST_TICKS))
        places = range(0, len(names), every)
        axis.set_ticks(list(places), [_shown(names[k]) for k in places])
    if values.size <= MOST_CELLS and len(across) <= MOST_TICKS:
        write_cells(axes, values, 0.5 * (low + high), fallen)
    figure.colorbar(drawn, ax=axes)
    _label(axes, told)
    return save_figure(figure, path)


def write_cells(
    axes: Axes, values: Array, middle: float, fallen: Ints | None = None
) -> None:
    """Write the number into each cell of a map, and how many runs fell."""
    for (row, column), value in np.ndenumerate(values):
        is_known = math.isfinite(value)
        text = f"{value:z.3g}" if is_known else "-"
        if fallen is not None and (count := int(fallen[row, column])):
            text = f"{text}\n{count} fell" if is_known else f"{count} fell"
        colour = "white" if is_known and value < middle else "black"
        axes.text(
            column, row, text, ha="center", va="center", color=colour, fontsize="small"
        )


def plot_points(
    across: Array,
    up: Array,
    values: Array,
    told: Captions,
    path: str | Path,
    fell: NDArray[np.bool_] | None = None,
) -> Path:
    """Draw points by two numbers, coloured by a third, and return the file.

    Args:
        across: the first number of each point.
        up: the second.
        values: the third, NaN for none.
        told: axes and title.
        path: of the picture.
        fell: whose run ended in a fall, which has a mark of its own; None for nobody.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(7.0, 4.8)
    axes = figure.add_subplot()
    is_known, is_down = np.isfinite(values), np.zeros(len(values), dtype=bool)
    is_down |= False if fell is None else fell
    is_known &= ~is_down
    rest = ~is_known & ~is_down
    axes.scatter(across[rest], up[rest], marker="x", s=24, color="0.55", lw=1.0)
    if is_down.any():
        foot = np.nanmin(up) if np.isfinite(up).any() else 0.0
        place = np.where(np.isfinite(up), up, foot)[is_down]
        red = {"marker": "x", "s": 30, "color": hex_of("bad"), "lw": 1.4}
        axes.scatter(across[is_down], place, **red, label="fell")
        axes.legend(fontsize="small")
    drawn = axes.scatter(
        across[is_known], up[is_known], c=values[is_known], cmap="viridis", s=28
    )
    if is_known.any() and up is not values:
        figure.colorbar(drawn, ax=axes)
    _label(axes, told)
    axes.grid(alpha=0.3)
    return save_figure(figure, path)


def _positions(axis: Any, at: Sequence[Any]) -> Sequence[float]:
    """Return where values stand on an axis; names stand side by side."""
    if all(isinstance(value, int | float) for value in at):
        return at
    axis.set_ticks(range(len(at)), [_shown(value) for value in at])
    return range(len(at))


def _label(axes: Axes, told: Captions) -> None:
    """Write both axes' labels and the title; no text is read as a formula."""
    axes.set_xlabel(told.across, parse_math=False)
    axes.set_ylabel(told.up, parse_math=False)
    axes.set_title(_clipped(told.title), fontsize="medium", parse_math=False)


def _clipped(text: str) -> str:
    """Return a title whose lines are not longer than a picture."""
    lines = text.splitlines()
    return "\n".join(
        one if len(one) <= LONGEST else f"{one[: LONGEST - 3]}..." for one in lines
    )


def _shown(value: Any) -> str:
    """Return a value for a tick."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)[:24]
