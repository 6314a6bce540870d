"""Time plots of recorded runs.

Matplotlib by its objects only: no global state, no window, the Agg canvas.
"""

import io
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.core.files import atomic_write
from equipoise.core.log import timed
from equipoise.core.text import plot_text
from equipoise.viz.colours import PALETTE

__all__ = ["PALETTE", "new_figure", "plot_balance", "run_label", "save_figure"]

STYLES = ("-", "--", ":", "-.")
"""Line styles of a controller's variants."""
DPI = 120
MOST_LINES = 4
"""Of one text in a plot."""
MESSAGE_BINS = 250
"""Points of the message curve; each is a mean."""
BALANCED_W = 0.1
"""Distance to the support line below which a robot is balanced [module widths]."""
LARGEST_LEGEND = 12
"""Curves up to which each is drawn in full strength; more of them are thin and pale."""


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of a size in inches that draws without a screen."""
    figure = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save_figure(figure: Figure, path: str | Path) -> Path:
    """Write a figure as PNG, whole or not at all, and return its path.

    All its texts are taken as they are, never as formulas; endless ones are shortened.

    Raises:
        BadFileError: the file cannot be written.
    """
    for text in figure.findobj(Text):
        lines = str(text.get_text()).split("\n")[:MOST_LINES]
        text.set_text("\n".join(map(plot_text, lines)))
    for axis in figure.findobj(Axis):
        names = axis.get_major_formatter()
        if isinstance(names, FuncFormatter):  # given as text, not made from numbers
            axis.set_major_formatter(FuncFormatter(partial(_tick_text, names)))
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI)
    return atomic_write(path, buffer.getvalue())


def _tick_text(names: FuncFormatter, x: float, pos: int | None) -> str:
    """Return a tick's name as a plot shows it."""
    return plot_text(names(x, pos))


def _is_off(value: Any) -> bool:
    """Return whether an attribute read from a file means no."""
    return str(value).strip().lower() in ("0", "false", "no", "off")


def run_label(attrs: Mapping[Any, Any]) -> str:
    """Return a run's name in a legend: its controller and what differs from usual.

    Args:
        attrs: attributes of a recorded run; ``controller``, ``gravity_compensation``
            and ``contacts`` are used where present.
    """
    label = str(attrs.get("controller", "run"))
    for key, words in (
        ("gravity_compensation", "gravity compensation off"),
        ("contacts", "contacts off"),
    ):
        if _is_off(attrs.get(key, True)):
            label += f" ({words})"
    return label


def _curve(run: xr.Dataset, name: str) -> tuple[Array, Array] | None:
    """Return time [s] and a signal of a run, thinned to what a plot can show.

    Counts jump from step to step, so ``messages`` is averaged where it is thinned.
    """
    if name not in run or run[name].dims != ("time",) or not run.sizes["time"]:
        return None
    time = np.asarray(run["time"].values, dtype=np.float64)
    values = np.asarray(run[name].values, dtype=np.float64)
    if name != "messages":
        step = max(1, len(time) // 4000)
        return time[::step], values[::step]
    starts = np.arange(0, len(time), max(1, len(time) // MESSAGE_BINS))
    counts = np.diff(np.append(starts, len(time)))
    mean_time = np.add.reduceat(time, starts) / counts
    return mean_time, np.add.reduceat(values, starts) / counts


def _panel(
    axes: Axes, runs: Sequence[xr.Dataset], name: str, looks: Sequence[dict[str, Any]]
) -> bool:
    """Draw one signal of all runs; return whether any run has it."""
    found = False
    for run, look in zip(runs, looks, strict=True):
        if (curve := _curve(run, name)) is not None:
            axes.plot(*curve, **look)
            found = True
    if not found:
        axes.text(
            0.5,
            0.5,
            f"no signal '{name}' recorded",
            transform=axes.transAxes,
            ha="center",
            color="0.5",
        )
    axes.margins(x=0.01)
    axes.grid(True, color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return found


def _looks(runs: Sequence[xr.Dataset]) -> list[dict[str, Any]]:
    """Return colour, style and name of every run's curve; a name appears once.

    A controller keeps its colour; its variants (compensation off) differ in style.
    """
    names = [run_label(run.attrs) for run in runs]
    controllers = [str(run.attrs.get("controller", "run")) for run in runs]
    hues = list(dict.fromkeys(controllers))
    variants: dict[str, list[str]] = {}
    looks: list[dict[str, Any]] = []
    is_crowded = len(runs) > LARGEST_LEGEND
    for name, controller in sorted(set(zip(names, controllers, strict=True))):
        variants.setdefault(controller, []).append(name)
    seen: set[str] = set()
    for name, controller in zip(names, controllers, strict=True):
        hue, style = hues.index(controller), variants[controller].index(name)
        looks.append(
            {
                "color": PALETTE[hue % len(PALETTE)],
                "linestyle": STYLES[(style + hue // len(PALETTE)) % len(STYLES)],
                "linewidth": 0.8 if is_crowded else 1.7,
                "alpha": 0.45 if is_crowded else 1.0,
                "label": "_nolegend_" if name in seen else name,
            }
        )
        seen.add(name)
    return looks


def _finish_distance(axes: Axes) -> None:
    """Label the distance panel and mark where a robot counts as balanced."""
    axes.axhline(BALANCED_W, color="0.35", linewidth=1.0, linestyle=(0, (4, 3)))
    axes.annotate(
        f"balanced: {BALANCED_W:g}",
        (1.0, BALANCED_W),
        xycoords=("axes fraction", "data"),
        xytext=(-2, 3),
        textcoords="offset points",
        ha="right",
        color="0.35",
        fontsize=8,
    )
    axes.set_ylim(bottom=0.0)
    axes.set_ylabel("distance to the\nsupport line [w]")


def _finish_height(axes: Axes, runs: Sequence[xr.Dataset]) -> None:
    """Label the height panel; if all runs start alike, add the share of the start."""
    axes.set_ylabel("centre-of-mass\nheight [m]")
    curves = [_curve(run, "com_height") for run in runs]
    starts = [float(curve[1][0]) for curve in curves if curve is not None]
    if not starts or not 0.0 < max(starts) <= min(starts) * 1.001:
        return
    axes.set_ylim(bottom=0.0)
    right = axes.secondary_yaxis(
        "right",
        functions=(
            lambda height: np.asarray(height) / starts[0],
            lambda share: np.asarray(share) * starts[0],
        ),
    )
    right.set_ylabel("of the start [1]")
    right.spines["right"].set_visible(False)


@timed("drawing")
def plot_balance(
    runs: Sequence[xr.Dataset], path: str | Path, *, title: str = ""
) -> Path:
    """Plot distance, height and messages of runs over time, as PNG.

    Distances are in module widths (w). A signal that no run has leaves its panel empty,
    with a note.

    Args:
        runs: recorded runs; the signals ``distance_w``, ``com_height`` [m] and
            ``messages`` (a step) over the dimension ``time`` [s] are drawn.
        path: the file to make or replace.
        title: the line on top; made from the first run's ``robot`` and ``seed``
            attributes if left out.

    Returns:
        The path.

    Raises:
        ConfigError: no runs, or a run without ``time``.
        BadFileError: the file cannot be written.
    """
    if not len(runs):
        raise ConfigError("plot_balance", ["it needs at least one run, got none"])
    if any("time" not in run.dims for run in runs):
        raise ConfigError("plot_balance", ["every run needs the dimension 'time'"])
    figure = new_figure(7.5, 7.0)
    panels = figure.subplots(3, 1, sharex=True, height_ratios=(1.35, 1.0, 0.8))
    looks = _looks(runs)
    _panel(panels[0], runs, "distance_w", looks)
    _finish_distance(panels[0])
    if _panel(panels[1], runs, "com_height", looks):
        _finish_height(panels[1], runs)
    else:
        panels[1].set_ylabel("centre-of-mass\nheight [m]")
    has_messages = _panel(panels[2], runs, "messages", looks)
    panels[2].set_ylabel("messages\na step [1]")
    panels[2].set_ylim(0.0, 1.1 * panels[2].dataLim.y1 if has_messages else 1.0)
    panels[2].set_xlabel("time [s]")
    figure.align_ylabels(panels)
    figure.suptitle(title or _title(runs), fontsize=12)
    _legend(figure, looks)
    return save_figure(figure, path)


def _title(runs: Sequence[xr.Dataset]) -> str:
    """Return a title from the first run's attributes."""
    robot, seed = runs[0].attrs.get("robot"), runs[0].attrs.get("seed")
    title = "Balance" if robot is None else f"Balance of {robot}"
    same = len({str(run.attrs.get("seed")) for run in runs}) == 1
    return title if seed is None or not same else f"{title}, seed {seed}"


def _legend(figure: Figure, looks: Sequence[dict[str, Any]]) -> None:
    """Name the curves below the panels, whichever panels they appear in."""
    named = [look for look in looks if look["label"] != "_nolegend_"]
    full = {"alpha": 1.0, "linewidth": 1.7}
    handles = [Line2D([], [], **{**look, **full}) for look in named]
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=2 if len(named) > 1 else 1,
        frameon=False,
        fontsize=9,
    )
