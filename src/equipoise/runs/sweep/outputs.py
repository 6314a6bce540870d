"""Files of a sweep: its table, its recording, its numbers and pictures."""

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.files import atomic_write, write_json, write_together
from equipoise.core.text import shown
from equipoise.runs.sweep.columns import (
    YES,
    apart,
    average,
    column,
    known,
    line_of,
    standing_words,
)
from equipoise.runs.sweep.design import Choices
from equipoise.sim.recording import write_netcdf
from equipoise.viz.sweep_plots import (
    Captions,
    plot_lines,
    plot_map,
    plot_points,
)

if TYPE_CHECKING:
    from equipoise.runs.sweep.sweep import SweepResult

__all__ = ["write_sweep"]

S = TypeVar("S", np.float64, np.bool_)
USUAL = (
    "static_margin_m",
    "mean_speed_mps",
    "distance_final_w",
    "position_error_m",
    "block_mass_kg",
    "value",
)
"""Numbers that are drawn beside the share of yes, the first that a job has."""
MOST_PAIRS, MOST_LINES = 6, 8


def write_sweep(
    result: "SweepResult", out: str | Path, draw: Sequence[str] = ()
) -> list[Path]:
    """Write everything into a folder and return the files.

    Args:
        result: of the sweep.
        out: the folder, made if needed.
        draw: columns of the table to draw; () for the answer and what matters most.

    Raises:
        BadFileError: a file cannot be written; none is.
        UnknownNameError: no such column.
        ConfigError: a column that holds no numbers.
    """
    names = _drawn_names(result, draw)

    def write(folder: Path) -> Sequence[Path]:
        table = atomic_write(folder / "sweep.csv", result.csv())
        recording = write_netcdf(result.dataset, folder / "sweep.nc")
        numbers = write_json(folder, "sweep.json", result.summary)
        drawn = [path for what in names for path in pictures(result, what, folder)]
        return [table, recording, numbers, *drawn]

    return write_together(out, write).files


def _drawn_names(result: "SweepResult", draw: Sequence[str]) -> list[str]:
    """Return which numbers are drawn."""
    has_answers = any(row["verdict"] for row in result.rows)
    if not draw:
        usual = [name for name in USUAL if name in result.columns][:1]
        return [YES] * has_answers + usual
    for name in draw:
        if name != YES and name not in result.columns:
            raise UnknownNameError("column", name, result.columns, "the sweep's table")
        if name != YES and not np.isfinite(column(result, name)).any():
            problem = f"'{shown(name)}' has no numbers that could be drawn"
            raise ConfigError("the sweep", [problem])
    return list(dict.fromkeys(draw))


def pictures(result: "SweepResult", what: str, folder: Path) -> list[Path]:
    """Draw one number over what is varied."""
    if result.design.kind != "grid":
        return _scatters(result, what, folder)
    varied = {
        name: values.values
        for name, values in result.design.vary.items()
        if isinstance(values, Choices)
    }
    shape = (*map(len, varied.values()), result.design.seeds)
    values = column(result, what).reshape(shape)
    fell = apart(result, what).reshape(shape)
    axes = [k for k, name in enumerate(varied) if len(varied[name]) > 1]
    names = list(varied)
    if len(axes) == 1:
        return [_curve(result, what, names[axes[0]], values, fell, axes[0], folder)]
    files: list[Path] = []
    for a, b in list(combinations(axes, 2))[:MOST_PAIRS]:
        both = _moved_first(values, a, b)
        down = _moved_first(fell, a, b)
        files.append(_two(result, what, (names[a], names[b]), both, down, folder))
        if len(varied[names[b]]) <= MOST_LINES:
            files.append(
                _family(result, what, (names[a], names[b]), both, down, folder)
            )
    return files


def _moved_first(values: NDArray[S], *axes: int) -> NDArray[S]:
    """Return an array with some axes first and all others as one last axis."""
    moved = np.moveaxis(values, axes, range(len(axes)))
    return moved.reshape(*moved.shape[: len(axes)], -1)


def _curve(
    result: "SweepResult",
    what: str,
    name: str,
    values: Array,
    fell: NDArray[np.bool_],
    axis: int,
    folder: Path,
) -> Path:
    """Draw one number over one option."""
    line = line_of(what, _moved_first(values, axis), _moved_first(fell, axis), "")
    title = f"{_titled(result, values, axis)}{standing_words(fell)}"
    told = Captions(_labelled(result, name), _said(what), title)
    path = folder / f"{_safe(what)}.png"
    return plot_lines(_at(result, name), [line], told, path, _limits_of(what))


def _two(
    result: "SweepResult",
    what: str,
    names: tuple[str, str],
    both: Array,
    fell: NDArray[np.bool_],
    folder: Path,
) -> Path:
    """Draw one number over two options, averaged over all others."""
    down = fell.sum(axis=2).astype(np.int64).T
    middle = np.array([[average(cell) for cell in row] for row in both]).T
    across, up = (_at(result, name) for name in names)
    told = Captions(
        _labelled(result, names[0]),
        _labelled(result, names[1]),
        f"{_short_job(result)}\n{_said(what)}{_means_of(both.shape[2])}"
        f"{standing_words(fell)}",
    )
    path = folder / f"{_safe(what)}-{_safe(names[0])}-{_safe(names[1])}.png"
    counts = down if down.any() else None
    return plot_map(across, up, middle, told, path, _limits_of(what), counts)


def _family(
    result: "SweepResult",
    what: str,
    names: tuple[str, str],
    both: Array,
    fell: NDArray[np.bool_],
    folder: Path,
) -> Path:
    """Draw one number over one option, with a line for each value of another."""
    unit = result.design.units.get(names[1], "")
    lines = [
        line_of(what, both[:, k], fell[:, k], f"{names[1]} {_shorter(value)}{unit}")
        for k, value in enumerate(_at(result, names[1]))
    ]
    title = f"{_short_job(result)}{_intervals_of(both.shape[2])}{standing_words(fell)}"
    told = Captions(_labelled(result, names[0]), _said(what), title)
    path = folder / f"{_safe(what)}-{_safe(names[0])}-by-{_safe(names[1])}.png"
    return plot_lines(_at(result, names[0]), lines, told, path, _limits_of(what))


def _scatters(result: "SweepResult", what: str, folder: Path) -> list[Path]:
    """Draw points that were drawn or listed, over options two by two."""
    values, fell = column(result, what), apart(result, what)
    names = [
        name
        for name in result.design.names
        if np.unique(known(column(result, name))).size > 1
    ]
    pairs = list(combinations(names, 2))[:MOST_PAIRS] or [(name, "") for name in names]
    files: list[Path] = []
    for a, b in pairs:
        up = column(result, b) if b else values
        labels = _labelled(result, a), _labelled(result, b) if b else _said(what)
        title = f"{_short_job(result)}\n{_said(what)} of {len(values)} rows"
        told = Captions(*labels, f"{title}{standing_words(fell)}")
        path = folder / f"{'-'.join(_safe(n) for n in (what, a, b) if n)}.png"
        across = column(result, a)
        files.append(plot_points(across, up, values, told, path, fell))
    return files


def _at(result: "SweepResult", name: str) -> Sequence[Any]:
    """Return the values of an option of a grid."""
    values = result.design.vary[name]
    return values.values if isinstance(values, Choices) else ()


def _titled(result: "SweepResult", values: Array, axis: int) -> str:
    """Return the title of a curve: what was asked, and how often."""
    count = values.size // values.shape[axis]
    return f"{_short_job(result)}{_intervals_of(count)}"


def _means_of(count: int) -> str:
    """Return how many rows a number is the mean of; nothing is said of one."""
    return f", mean of {count} rows each" if count > 1 else ""


def _intervals_of(count: int) -> str:
    """Return how many rows a number and its interval are of; one has no interval."""
    return f"\nmean and 95 % interval of {count} rows each" if count > 1 else ""


def _short_job(result: "SweepResult") -> str:
    """Return what was asked, with files by their names alone."""
    words = result.job.split(" ")
    return " ".join(word.rpartition("/")[2] or word for word in words)


def _limits_of(what: str) -> tuple[float, float] | None:
    """Return between what a number lies by its nature."""
    return (0.0, 1.0) if what == YES else None


def _labelled(result: "SweepResult", name: str) -> str:
    """Return an option's name for an axis, with its unit."""
    unit = result.design.units.get(name, "")
    return f"{name} [{unit}]" if unit else name


def _said(what: str) -> str:
    """Return a number's name for people."""
    return "share of yes" if what == YES else what


def _shorter(value: Any) -> str:
    """Return a value for a legend."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _safe(name: str) -> str:
    """Return a name that any file may have."""
    return re.sub(r"[^\w.]+", "_", name).strip("._") or "x"
