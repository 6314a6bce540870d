"""One table of all rows: numbers by name, whatever the job answers.

What nests is flattened (``goal.reached``, ``impulse_ns[3]``). Columns come in the order
in which rows first have them, so that the table does not depend on who was faster.
Times of the computer stay out of it.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from equipoise.core.files import plain
from equipoise.core.text import shown
from equipoise.core.timing import TIMING_KEYS
from equipoise.runs.sweep.design import Choices, Design

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["columns_of", "csv_text", "dataset_of", "flat"]

LONGEST = 200  # letters of a cell that is neither number nor text
MOST_LISTED = 64  # numbers of a list that become columns
FIRST = ("index",)
LAST = ("verdict", "error")


def flat(numbers: Mapping[str, Any], within: str = "") -> dict[str, Any]:
    """Return nested numbers by one name each, times of the computer aside.

    Args:
        numbers: as a command's ``--json`` says them.
        within: what they are part of, as ``goal.``.
    """
    found: dict[str, Any] = {}
    for key, value in numbers.items():
        if key in TIMING_KEYS:
            continue
        name = f"{within}{key}"
        if isinstance(value, Mapping):
            found |= flat(value, f"{name}.")
        elif isinstance(value, list | tuple):
            if len(value) <= MOST_LISTED:
                listed = {f"[{k}]": item for k, item in enumerate(value)}
                found |= flat(listed, name)
        else:
            found[name] = _plain_cell(value)
    return found


def _plain_cell(value: Any) -> Any:
    """Return a value that a table can hold; what is neither number nor text is told."""
    value = plain(value)
    is_plain = value is None or isinstance(value, bool | int | float | str)
    return value if is_plain else shown(repr(value), LONGEST)


def columns_of(names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the table's columns: number, what is varied, seed, answer, numbers.

    Args:
        names: of what is varied.
        rows: all of them, in order.
    """
    fixed = [*FIRST, *names, "seed", *LAST]
    seen = dict.fromkeys(key for row in rows for key in row)
    return [*fixed, *(key for key in seen if key not in fixed)]


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the table as CSV; what a row does not have is empty.

    Args:
        columns: in order.
        rows: by column.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(_cell(row.get(column)) for column in columns)
    return text.getvalue()


def _cell(value: Any) -> Any:
    """Return a value as a table shows it: numbers whole, nothing where there is none.

    A text that a spreadsheet would take for a formula is quoted.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@"):
        return f"'{value}"
    return value


def dataset_of(
    design: Design, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> "xr.Dataset":
    """Return the table with a dimension for each option of a grid, and one of seeds.

    A list and a drawn design have one dimension, ``point``, beside that of seeds.

    Args:
        design: of the sweep.
        columns: of the table.
        rows: in its order.
    """
    import xarray as xr

    is_grid = design.kind == "grid"
    varied = {n: v.values for n, v in design.vary.items() if isinstance(v, Choices)}
    axes: dict[str, Any] = dict(varied) if is_grid else {"point": range(design.points)}
    axes = {name.replace("/", "_"): values for name, values in axes.items()}
    axes["seed"] = [design.seed + k for k in range(design.seeds)]
    shape = tuple(len(values) for values in axes.values())
    data = xr.Dataset(coords={name: list(values) for name, values in axes.items()})
    index = np.array([row["index"] for row in rows])
    data["index"] = (tuple(axes), index.reshape(shape))
    for column in columns:
        if column in axes or column == "index":
            continue
        values = _column_array([row.get(column) for row in rows])
        data[column.replace("/", "_")] = (tuple(axes), values.reshape(shape))
    for name, unit in design.units.items():
        if name in data.variables and unit:
            data[name].attrs["units"] = unit
    return data


def _column_array(values: Sequence[Any]) -> Any:
    """Return a column as numbers with NaN for nothing, or as texts."""
    known = [v for v in values if v is not None]
    if known and all(isinstance(v, bool | int | float) for v in known):
        return np.array([np.nan if v is None else float(v) for v in values])
    return np.array(["" if v is None else str(v) for v in values], dtype=object)
