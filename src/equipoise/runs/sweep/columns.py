"""A sweep's columns as numbers: means, their intervals, and who counts in them.

A run that ended in a fall is apart: its speed or margin until then says nothing of
walking, so that a mean is over those that did not fall, and how many did is told.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array
from equipoise.viz.sweep_plots import IntervalLine, mean_interval, share_interval

if TYPE_CHECKING:
    from equipoise.runs.sweep.sweep import SweepResult

__all__ = ["YES", "apart", "average", "column", "known", "line_of", "standing_words"]

YES, FELL = "yes", "fell"
ABOUT_FALLS = ("fell", "fall")
"""What is in the name of a number that tells of falls."""


def column(result: "SweepResult", what: str) -> Array:
    """Return a number of all rows, NaN where a row has none; 1 for a yes, 0 for no."""
    if what == YES:
        verdicts = [row["verdict"] for row in result.rows]
        return np.array([np.nan if not v else float(v == YES) for v in verdicts])
    found: list[Any] = [row.get(what) for row in result.rows]
    numbers = np.array([float(v) if _is_number(v) else np.nan for v in found])
    return np.where(apart(result, what), np.nan, numbers)


def apart(result: "SweepResult", what: str) -> NDArray[np.bool_]:
    """Return which rows do not count in a number since their run ended in a fall.

    All count in the share of yes, in what was varied, and in what is told of falls.
    """
    is_about = any(word in what for word in ABOUT_FALLS)
    if what == YES or is_about or what in result.design.names:
        return np.zeros(len(result.rows), dtype=bool)
    return np.array([row.get(FELL) is True for row in result.rows], dtype=bool)


def standing_words(fell: NDArray[np.bool_]) -> str:
    """Return of how many runs a mean is where some fell; else nothing."""
    if not fell.any():
        return ""
    standing = int((~fell).sum())
    word = "run" if standing == 1 else "runs"
    return f"\nof the {standing} {word} that did not fall; {int(fell.sum())} fell"


def _is_number(value: Any) -> bool:
    """Return whether a cell holds a number or a truth value."""
    return isinstance(value, bool | int | float)


def line_of(
    what: str, cells: Array, fell: NDArray[np.bool_], label: str
) -> IntervalLine:
    """Return means and intervals, one a row of cells."""
    spans = np.array([_interval(what, known(one)) for one in cells])
    middle = np.array([average(one) for one in cells])
    down = fell.sum(axis=1).astype(np.int64) if fell.any() else None
    return IntervalLine(label, middle, spans[:, 0], spans[:, 1], down)


def known(values: Array) -> Array:
    """Return what is finite."""
    return values[np.isfinite(values)]


def average(values: Array) -> float:
    """Return the mean of what is known, NaN of nothing."""
    found = known(values)
    return float(found.mean()) if found.size else float("nan")


def _interval(what: str, values: Array) -> tuple[float, float]:
    """Return the 95 % interval of a mean or a share, NaN of one value or none."""
    if values.size < 2:
        return float("nan"), float("nan")
    if what != YES:
        return mean_interval(values)
    return share_interval(int(values.sum()), values.size)
