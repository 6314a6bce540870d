"""A run as one table: a row a moment, a column a number, for CSV and Parquet.

Signals are recorded along two times, every tick and every frame. The table has the
moments of both; a cell is empty where a signal has no sample then, or none that is a
number.
"""

import json
from collections.abc import Iterator
from itertools import product
from os import fsync
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.files import atomic_path

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = [
    "TIMES",
    "TimedSignal",
    "signals_of",
    "table_of",
    "write_csv",
    "write_parquet",
]

TIMES = ("time", "frame_time")
"""The two times that signals lie along."""
TIME = "time (s)"


class TimedSignal(NamedTuple):
    """A recorded signal, its numbers side by side."""

    name: str
    time: str
    """Which of the two times it lies along."""
    unit: str
    labels: tuple[tuple[str, ...], ...]
    """What each column is called along the signal's other axes; one () for a scalar."""
    values: Array
    """(nt, columns)."""


def signals_of(run: "xr.Dataset") -> Iterator[TimedSignal]:
    """Yield every signal of a run that has a time and is a number.

    Args:
        run: the recorded run.
    """
    for name, signal in run.data_vars.items():
        dims = [str(dim) for dim in signal.dims]
        if not dims or dims[0] not in TIMES or signal.dtype.kind not in "fiub":
            continue
        axes = [_axis_labels(run, dim, run.sizes[dim]) for dim in dims[1:]]
        values = np.asarray(signal.values, np.float64).reshape(len(signal), -1)
        unit = str(signal.attrs.get("units", ""))
        yield TimedSignal(str(name), dims[0], unit, tuple(product(*axes)), values)


def _axis_labels(run: "xr.Dataset", axis: str, size: int) -> list[str]:
    """Return what the places along an axis are called; their numbers if nothing."""
    if axis in run.coords:
        return [str(label) for label in run[axis].values]
    return [str(k) for k in range(size)]


def _column_name(signal: TimedSignal, label: tuple[str, ...]) -> str:
    """Return a column's name, as ``com[x] (m)``."""
    at = f"[{','.join(label)}]" if label else ""
    return f"{signal.name}{at}" + (f" ({signal.unit})" if signal.unit else "")


def table_of(run: "xr.Dataset") -> Any:
    """Return a run as a pandas table, its first column ``time (s)``.

    Args:
        run: the recorded run.
    """
    from pandas import DataFrame

    own: dict[str, VecN] = {
        name: np.asarray(run[name].values, np.float64) for name in TIMES if name in run
    }
    times = np.unique(np.concatenate(list(own.values())))
    times = times[np.isfinite(times)]
    columns: dict[str, Array] = {TIME: times}
    for signal in signals_of(run):
        mine = own[signal.time]
        rows = np.searchsorted(times, mine[np.isfinite(mine)])
        whole = np.full((len(times), signal.values.shape[1]), np.nan)
        whole[rows] = signal.values[np.isfinite(mine)]
        for k, label in enumerate(signal.labels):
            columns[_column_name(signal, label)] = whole[:, k]
    return DataFrame(columns)


def write_csv(run: "xr.Dataset", path: Path, where: str) -> Path:
    """Write a run as comma-separated text; numbers read back are the same.

    Args:
        run: the recorded run.
        path: the file to make or replace.
        where: what the run is called in an error.

    Raises:
        BadFileError: the file cannot be written.
    """
    del where  # nothing of a table can be wrong
    table = table_of(run)
    with atomic_path(path) as temporary, temporary.open("x", newline="") as file:
        table.to_csv(file, index=False, lineterminator="\n")
        file.flush()
        fsync(file.fileno())
    return path


def write_parquet(run: "xr.Dataset", path: Path, where: str) -> Path:
    """Write a run as a Parquet file; what the run was is in its schema's metadata.

    Args:
        run: the recorded run.
        path: the file to make or replace.
        where: what the run is called in an error.

    Raises:
        BadFileError: the file cannot be written.
    """
    del where
    from pyarrow import Table
    from pyarrow.parquet import write_table

    about = {key: value for key, value in run.attrs.items() if np.isscalar(value)}
    table = Table.from_pandas(table_of(run), preserve_index=False)
    told = json.dumps(about, default=str).encode()
    table = table.replace_schema_metadata(
        {**(table.schema.metadata or {}), b"equipoise": told}
    )
    with atomic_path(path) as temporary, temporary.open("xb") as file:
        write_table(table, file)
        file.flush()
        fsync(file.fileno())
    return path
