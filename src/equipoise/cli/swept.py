"""What may be varied of a job, and the design that was typed."""

import csv
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from equipoise.core.errors import BadFileError, ConfigError, UnknownNameError
from equipoise.runs.sweep.design import Choices, Design, Span, Values, evenly

__all__ = ["SWEPT", "asked_design", "expect_job", "job_options", "typed"]

SWEPT = ("balance", "check", "limits", "modules", "walk")
"""Commands that can be asked many times."""
OWN = {"json", "out", "seed", "seeds", "help", "view", "gif", "mcap", "compare"}
"""Options of those that a sweep has itself, or that write."""
NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")
KINDS = ("grid", "random", "sobol")
MOST_POINTS = 1_000_000
MOST_BYTES = 64_000_000


def expect_job(job: str, rest: Sequence[str]) -> None:
    """Refuse a job that cannot be swept, and options that a sweep has itself.

    Args:
        job: what was typed first.
        rest: options for all rows.

    Raises:
        UnknownNameError: no such job.
        ConfigError: an option that belongs to the sweep, or is not the job's.
    """
    if job not in SWEPT:
        raise UnknownNameError("job", job, SWEPT, "sweep")
    known = job_options(job)
    for word in rest:
        name = word.removeprefix("--").partition("=")[0]
        if word.startswith("--") and name not in known:
            raise unknown(name, known, job)


def job_options(job: str) -> set[str]:
    """Return the names of a job's options, as they are typed without dashes.

    Args:
        job: one of ``SWEPT``.
    """
    import typer.main

    from equipoise.cli.app import app

    front: Any = typer.main.get_command(app)
    command = front.commands[job]
    command = command.commands["run"] if hasattr(command, "commands") else command
    words = {
        word for one in command.params for word in (*one.opts, *one.secondary_opts)
    }
    return {word[2:] for word in words if word.startswith("--")} - OWN


def unknown(name: str, known: set[str], job: str) -> UnknownNameError:
    """Return the error of an option that a job does not have."""
    return UnknownNameError("option", name, known, f"'{job}' in a sweep")


def asked_design(
    vary: Sequence[str],
    job: str,
    kind: str,
    samples: int,
    file: Path | None,
    seeds: int,
    seed: int,
) -> tuple[Design, dict[str, str]]:
    """Return the design that was typed, and the unit that each option was given in.

    Args:
        vary: as ``speed=0.1:0.6:6``.
        job: whose options they are.
        kind: of the design.
        samples: points that are drawn.
        file: of a list; None for none.
        seeds: rows at each point.
        seed: the first of them.

    Raises:
        EquipoiseError: an option that the job does not have, or a design of nothing.
    """
    known, units, varied = job_options(job), dict[str, str](), dict[str, Values]()
    if kind not in KINDS:
        raise UnknownNameError("design", kind, KINDS, "sweep")
    for text in vary:
        name, equals, values = text.partition("=")
        name = name.strip().removeprefix("--")
        if not equals or not values.strip():
            problem = f"--vary takes NAME=LO:HI:N or NAME=A,B,C, got {text!r}"
            raise ConfigError("the sweep", [problem])
        if name not in known and name.removeprefix("set.") == name:
            raise unknown(name, known, job)
        if name in varied:
            raise ConfigError("the sweep", [f"{name} is varied twice"])
        varied[name], units[name] = read_values(name, values)
    listed = [] if file is None else read_list(file)
    for name in dict.fromkeys(name for point in listed for name in point):
        if name not in known and name.removeprefix("set.") == name:
            raise unknown(name, known, job)
    asked = Design(
        vary=varied,
        kind="list" if file is not None else kind,  # type: ignore[arg-type]
        samples=samples,
        listed=listed,
        seeds=seeds,
        seed=seed,
    )
    return asked, units


def read_values(name: str, text: str) -> tuple[Values, str]:
    """Return what an option is varied over, and the unit of its numbers.

    Args:
        name: of the option.
        text: ``LO:HI:N``, ``LO:HI``, or values between commas.

    Raises:
        ConfigError: no such form.
    """
    parts = [part.strip() for part in text.split(":")]
    numbers = [split_unit(part) for part in parts]
    if len(parts) in (2, 3) and numbers[0] is not None and numbers[1] is not None:
        (low, unit), (high, other) = numbers[0], numbers[1]
        if unit != other:
            problem = f"{name} goes from '{unit}' to '{other}'; give both ends one unit"
            raise ConfigError("the sweep", [problem])
        if len(parts) == 2:
            return Span(float(low), float(high)), unit
        if not (parts[2].isdecimal() and 1 <= int(parts[2]) <= MOST_POINTS):
            problem = f"{name} takes 1 to {MOST_POINTS:,} points, got '{parts[2]}'"
            raise ConfigError("the sweep", [problem])
        return Choices(evenly(low, high, int(parts[2]))), unit
    words = [word.strip() for word in text.split(",")]
    found = [split_unit(word) for word in words]
    known = [one for one in found if one is not None]
    if len(known) == len(found) and len({unit for _, unit in known}) == 1:
        return Choices(tuple(number for number, _ in known)), known[0][1]
    if any(is_nan(word) for word in words) or "" in words:
        problem = f"{name} takes finite numbers or names, got '{text}'"
        raise ConfigError("the sweep", [problem])
    return Choices(tuple(words)), ""


def split_unit(word: str) -> tuple[float | int, str] | None:
    """Return a number and its unit; None for what is no number."""
    match = NUMBER.fullmatch(word)
    if match is None:
        return None
    text = match[1]
    number = int(text) if text.lstrip("+-").isdecimal() else float(text)
    return (number, match[2]) if math.isfinite(number) else None


def is_nan(word: str) -> bool:
    """Say whether a word is a number that is none."""
    try:
        return not math.isfinite(float(word))
    except ValueError:
        return False


def read_list(path: Path) -> list[dict[str, Any]]:
    """Return the points of a CSV or YAML file; empty cells are left to the job.

    Args:
        path: ``.csv`` with a row of names first, or ``.yaml`` with a list of mappings.

    Raises:
        BadFileError: it cannot be read, or is no such list.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadFileError(f"{path}: is larger than {MOST_BYTES // 10**6} MB.")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        told = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise BadFileError(f"{path} cannot be read: {told}.") from None
    if path.suffix.lower() == ".csv":
        rows: Any = [dict(row) for row in csv.DictReader(text.splitlines())]
    elif path.suffix.lower() in (".yaml", ".yml"):
        import yaml

        try:
            rows = yaml.safe_load(text)
        except yaml.YAMLError:
            rows = None
    else:
        raise BadFileError(f"{path}: a list ends in .csv or .yaml.")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadFileError(f"{path}: is no list of points, each with names and values.")
    return [point_of(row, path, k) for k, row in enumerate(rows)]


def point_of(row: Mapping[Any, Any], path: Path, k: int) -> dict[str, Any]:
    """Return a point of a list, or say what is wrong with it."""
    point: dict[str, Any] = {}
    for name, value in row.items():
        if value is None or value == "":
            continue
        is_plain = isinstance(name, str) and isinstance(value, bool | int | float | str)
        if not is_plain or (isinstance(value, float) and not math.isfinite(value)):
            raise BadFileError(
                f"{path}: row {k + 1} has {name!r} = {value!r}; give a finite number "
                "or a name."
            )
        if is_nan(str(value)):
            raise BadFileError(
                f"{path}: row {k + 1} has {name} = {value}; give a number."
            )
        number = split_unit(value) if isinstance(value, str) else None
        plain = number is not None and number[1] == ""
        point[name.strip().removeprefix("--")] = (
            number[0] if plain and number else value
        )
    return point


def typed(point: Mapping[str, Any], units: Mapping[str, str]) -> list[str]:
    """Return a point as options of a command.

    Args:
        point: values by name.
        units: in which numbers are.
    """
    words: list[str] = []
    for name, value in point.items():
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
            continue
        text = f"{value!r}" if isinstance(value, float) else str(value)
        text += units.get(name, "")
        if name.startswith("set."):
            words += ["--set", f"{name.removeprefix('set.')}={text}"]
        else:
            words += [f"--{name}={text}"]
    return words
