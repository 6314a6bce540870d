"""Files of a sweep: its table, its recording, its numbers and pictures."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.files import atomic_path, atomic_write, write_json, write_together
from equipoise.runs.sweep.design import Choices
from equipoise.viz.sweep_plots import (
    mean_interval,
    plot_curve,
    plot_map,
    share_interval,
)

if TYPE_CHECKING:
    from equipoise.runs.sweep.sweep import SweepResult

__all__ = ["write_sweep"]

YES = "yes"
SHOWN = (
    "static_margin_min_m",
    "mean_speed_mps",
    "distance_final_w",
    "position_error_m",
    "margin_m",
    "block_mass_kg",
)
"""Numbers that are drawn beside the share of yes, where a job has one of them."""
MOST_MAPS = 6


def write_sweep(result: "SweepResult", out: str | Path) -> list[Path]:
    """Write everything into a folder and return the files.

    Args:
        result: of the sweep.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """

    def write(folder: Path) -> Sequence[Path]:
        table = atomic_write(folder / "sweep.csv", result.csv())
        with atomic_path(folder / "sweep.nc") as path:
            result.dataset.to_netcdf(path, engine="h5netcdf", invalid_netcdf=False)
        numbers = write_json(folder, "sweep.json", result.summary)
        return [table, folder / "sweep.nc", numbers, *pictures(result, folder)]

    return write_together(out, write).files


def pictures(result: "SweepResult", folder: Path) -> list[Path]:
    """Draw the share of yes, and one number, over the options of a grid."""
    if result.design.kind != "grid":
        return []
    varied = {
        name: values.values
        for name, values in result.design.vary.items()
        if isinstance(values, Choices) and len(values.values) > 1
    }
    drawn = [number for number in SHOWN if number in result.columns][:1]
    files = []
    for what in ("yes", *drawn):
        if len(varied) == 1:
            files.append(curve(result, what, *varied.items(), folder))
        for pair in list(combinations(varied, 2))[:MOST_MAPS]:
            names = pair[0], pair[1]
            files.append(two(result, what, names, varied, folder))
    return files


def curve(
    result: "SweepResult", what: str, varied: tuple[str, tuple[Any, ...]], folder: Path
) -> Path:
    """Draw one number over one option."""
    name, values = varied
    found = [cells(result, what, {name: value}) for value in values]
    middle = np.array([average(one) for one in found])
    spans = [interval(what, one) for one in found]
    low, high = (np.array([span[k] for span in spans]) for k in (0, 1))
    labels = (name, said(what), result.job)
    return plot_curve(values, middle, low, high, labels, folder / f"{what}.png")


def two(
    result: "SweepResult",
    what: str,
    names: tuple[str, str],
    varied: dict[str, tuple[Any, ...]],
    folder: Path,
) -> Path:
    """Draw one number over two options, averaged over all others."""
    across, up = varied[names[0]], varied[names[1]]
    values = np.array(
        [
            [average(cells(result, what, {names[0]: x, names[1]: y})) for x in across]
            for y in up
        ]
    )
    labels = (names[0], names[1], f"{result.job}: {said(what)}")
    path = folder / f"{what}-{names[0]}-{names[1]}.png"
    return plot_map(across, up, values, labels, path)


def cells(result: "SweepResult", what: str, point: dict[str, Any]) -> Array:
    """Return a number of all rows at a point, NaN where a row has none."""
    rows = [r for r in result.rows if all(r[key] == v for key, v in point.items())]
    if what == YES:
        known = [row["verdict"] for row in rows]
        return np.array([np.nan if not v else float(v == YES) for v in known])
    found = [row.get(what) for row in rows]
    return np.array([np.nan if v is None else float(v) for v in found])


def average(values: Array) -> float:
    """Return the mean of what is known, NaN of nothing."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")


def interval(what: str, values: Array) -> tuple[float, float]:
    """Return the 95 % interval of a mean or a share."""
    if what != YES:
        return mean_interval(values)
    known = values[np.isfinite(values)]
    return share_interval(int(known.sum()), known.size)


def said(what: str) -> str:
    """Return a number's name for people."""
    return "share of yes" if what == YES else what
