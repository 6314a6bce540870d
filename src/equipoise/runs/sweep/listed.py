"""Points of a sweep from a file: CSV with names in its first row, or YAML."""

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from equipoise.core.errors import BadFileError
from equipoise.core.text import shown
from equipoise.runs.sweep.design import Value
from equipoise.runs.sweep.values import common_unit, is_no_number

__all__ = ["checked_points", "read_points"]

MOST_BYTES = 64_000_000
Points = list[dict[str, Value]]


def read_points(path: Path) -> tuple[Points, dict[str, str]]:
    """Return the points of a file, and the unit of each column that has one.

    Empty cells are left to the job.

    Args:
        path: ``.csv`` with a row of names first, or ``.yaml`` with a list of mappings.

    Raises:
        BadFileError: it cannot be read, or is no such list.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadFileError(f"{path}: is larger than {MOST_BYTES // 10**6} MB.")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        told = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise BadFileError(f"{path} cannot be read: {told}.") from None
    if path.suffix.lower() == ".csv":
        rows = _csv_rows(text, path)
    elif path.suffix.lower() in (".yaml", ".yml"):
        rows = _yaml_rows(text)
    else:
        raise BadFileError(f"{path}: a list ends in .csv or .yaml.")
    return checked_points(rows, str(path))


def _csv_rows(text: str, path: Path) -> list[dict[Any, Any]]:
    """Return the rows of a CSV file by column."""
    try:
        rows = [dict(row) for row in csv.DictReader(text.splitlines(), strict=True)]
    except csv.Error as error:
        raise BadFileError(f"{path}: is no CSV file ({error}).") from None
    long = [k for k, row in enumerate(rows) if None in row]
    if long:
        raise BadFileError(
            f"{path}: row {long[0] + 1} has more cells than the first row has names."
        )
    return rows


def _yaml_rows(text: str) -> Any:
    """Return what a YAML file holds; None where it is none."""
    import yaml

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError):
        return None


def checked_points(rows: Any, where: str) -> tuple[Points, dict[str, str]]:
    """Return points whose values are finite numbers or names, and their units.

    Args:
        rows: a list of mappings.
        where: they come from, for complaints.

    Raises:
        BadFileError: they are no such list, or a value cannot be.
    """
    is_list = isinstance(rows, Sequence) and not isinstance(rows, str)
    if not is_list or not all(isinstance(row, Mapping) for row in rows):
        raise BadFileError(
            f"{where}: is not a list of points, each with names and values."
        )
    listed: list[Any] = list(rows)
    points = [_plain_point(row, where, k) for k, row in enumerate(listed)]
    units: dict[str, str] = {}
    for name in dict.fromkeys(name for point in points for name in point):
        having = [point for point in points if isinstance(point.get(name), str)]
        if not having or len(having) < sum(name in point for point in points):
            continue
        values, units[name] = common_unit([str(point[name]) for point in having])
        for point, value in zip(having, values, strict=True):
            point[name] = value
    return points, {name: unit for name, unit in units.items() if unit}


def _plain_point(row: Mapping[Any, Any], where: str, k: int) -> dict[str, Value]:
    """Return a point of a list, or say what is wrong with it."""
    point: dict[str, Value] = {}
    for name, value in row.items():
        if value is None or value == "":
            continue
        value = value.item() if hasattr(value, "item") else value  # NumPy's
        is_plain = isinstance(name, str) and isinstance(value, bool | int | float | str)
        is_bad = isinstance(value, float) and not math.isfinite(value)
        if not is_plain or is_bad or (isinstance(value, str) and is_no_number(value)):
            raise BadFileError(
                f"{where}: row {k + 1} has {shown(str(name))} = {shown(str(value))}; "
                "give a finite number or a name."
            )
        point[name.strip()] = value.strip() if isinstance(value, str) else value
    return point
