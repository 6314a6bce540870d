"""Printing of the commands: JSON or a table on stdout, everything else on stderr.

Text that comes from a file is shown as it is, never as markup or terminal control.
"""

import json
import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from equipoise.cli.streams import hushed

if TYPE_CHECKING:
    from collections.abc import Callable

    from equipoise.viz.index_page import PageTable

__all__ = [
    "complain",
    "expect_beside",
    "expect_out",
    "heard",
    "millimetres",
    "print_json",
    "print_table",
    "print_written",
    "progress_bar",
    "remember_words",
    "say",
    "tell_replaced",
    "typed",
    "write_files",
    "write_json",
]

_EAR: "ContextVar[list[str | PageTable] | None]" = ContextVar("ear", default=None)
"""Who listens instead of the terminal."""
_TYPED: "ContextVar[tuple[str, ...]]" = ContextVar("typed", default=())
HOURS = 7200.0  # over which slow work's pace is measured [s]
LONGEST_LINE, LONGEST_CELL = 2000, 400
"""Characters that people see of one line, of a table's cell."""


def print_json(content: Mapping[str, Any]) -> None:
    """Print one JSON object on stdout."""
    from equipoise.core.files import plain

    print(json.dumps(plain(content), allow_nan=False))


def write_json(out: Path, name: str, content: Mapping[str, Any]) -> Path:
    """Write one JSON object into a folder and return the file's path."""
    from equipoise.core import files

    return files.write_json(out, name, content)


def write_files(
    out: Path | None, write: "Callable[[Path], Sequence[Path]]"
) -> list[Path]:
    """Write a command's files, all of them or none, and return them.

    Args:
        out: the folder of ``--out``; None to write nothing.
        write: writes the files into a folder and returns them.
    """
    from equipoise.core.files import write_together
    from equipoise.core.log import status_line

    if out is None:
        return []
    with status_line():
        written = write_together(out, write)
    tell_replaced(written.replaced)
    return written.files


def tell_replaced(paths: Sequence[Path]) -> None:
    """Say on stderr which files were there before."""
    if paths:
        names = ", ".join(path.name for path in paths)
        complain(f"Replaced in {paths[0].parent}: {names}.")


def complain(sentence: object, *, is_line: bool = True) -> None:
    """Print one line on stderr; where it takes none, the exit code alone says it.

    Args:
        sentence: what is said.
        is_line: whether it is put on one line, as all is but a defect's traceback.
    """
    from equipoise.core.text import shown

    said = str(sentence)
    line = " ".join(shown(said, LONGEST_LINE).split()) if is_line else said
    if sys.stderr is None:  # print would take that for standard output
        return
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = hushed()


def heard(tell: "Callable[[Any], None]", about: Any) -> "list[str | PageTable]":
    """Return what a function would print: its lines and tables, in order.

    Args:
        tell: prints by ``say`` and ``print_table``.
        about: what it is given.
    """
    ear: list[str | PageTable] = []
    mark = _EAR.set(ear)
    try:
        tell(about)
    finally:
        _EAR.reset(mark)
    return ear


def remember_words(words: Sequence[str]) -> None:
    """Keep what was typed for ``typed``.

    Args:
        words: after the command's name.
    """
    _TYPED.set(tuple(words))


def typed() -> tuple[str, ...]:
    """Return what was typed after the command's name."""
    return _TYPED.get()


def say(*lines: object) -> None:
    """Print lines on stdout, whatever names are in them."""
    from equipoise.core.text import shown

    ear = _EAR.get()
    if ear is not None:
        ear.extend(str(line) for line in lines)
        return
    for line in lines:
        print(shown(line, LONGEST_LINE))


def print_table(
    head: Sequence[str],
    rows: Iterable[Sequence[object]],
    title: str = "",
    justify: Literal["left", "right"] = "right",
) -> None:
    """Print a small table for people.

    Args:
        head: names of the columns.
        rows: their cells, shown as they are.
        title: a line above.
        justify: how the columns after the first are set.
    """
    ear = _EAR.get()
    if ear is not None:
        from equipoise.viz.index_page import PageTable

        ear.append(PageTable(head, [*rows], title))
        return
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    from equipoise.core.text import shown

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for k, name in enumerate(head):
        table.add_column(escape(name), justify="left" if k == 0 else justify)
    for row in rows:
        table.add_row(*(escape(shown(cell, LONGEST_CELL)) for cell in row))
    if title:
        say(shown(title))
    console().print(table)


def millimetres(metres: float) -> str:
    """Return a distance for people; one that nobody could measure is not told."""
    size = 1e3 * metres
    return "less than 0.01 mm" if size < 0.01 else f"{size:.3g} mm"


def print_written(paths: Sequence[Path]) -> None:
    """Name the files that were written, one a line, so that they can be copied."""
    if paths:
        say("Written:", *(f"  {path}" for path in paths))
    for page in [path for path in paths if path.name == "index.html"]:
        say(f"Open {page} in a browser: the page shows all of them.")


def console(stderr: bool = False) -> Any:
    """Return a console that neither colours numbers nor reads names as emoji."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, emoji=False)


@contextmanager
def progress_bar(
    label: str, is_slow: bool = False
) -> Generator["Callable[[float], None] | None", None, None]:
    """Yield what shows the share done on a terminal; None where there is no terminal.

    Until the first share comes it says that inner loops are being compiled, which takes
    up to a minute the first time and no time later.

    Args:
        label: what is going on, in words of ours.
        is_slow: whether minutes may pass from one share to the next.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    text = TextColumn("{task.description}", markup=False)
    columns = (text, BarColumn(), TimeRemainingColumn())
    shown: dict[str, Any] = {"console": console(stderr=True), "transient": True}
    if is_slow:
        columns = (text, BarColumn(), TaskProgressColumn(), *columns[2:])
        shown["speed_estimate_period"] = HOURS
    with Progress(*columns, **shown) as bar:
        task = bar.add_task(f"{label} (compiling, the first time)", total=1.0)
        yield lambda share: bar.update(task, completed=share, description=label)


def expect_out(out: Path | None) -> None:
    """Refuse a folder that cannot be written, before any work is done.

    Args:
        out: the folder of ``--out``; it need not exist yet.
    """
    import os

    from equipoise.core.errors import BadFileError

    if out is None:
        return
    there = next(p for p in (out, *out.absolute().parents) if os.path.lexists(p))
    if not there.is_dir():
        raise BadFileError(f"--out {out}: {there} is not a folder; choose another one.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise BadFileError(
            f"--out {out}: {there} cannot be written to; choose another folder."
        )


def expect_beside(
    flag: str, file: str, out: Path | None, seeds: int | None = None
) -> None:
    """Refuse a file beside a run's others where there is no folder, or many runs.

    Args:
        flag: with which the file is asked for.
        file: its name.
        out: folder of ``--out``.
        seeds: how many runs there are; None for one.

    Raises:
        ConfigError: there is no folder, or many runs.
    """
    from equipoise.core.errors import ConfigError

    problem = ""
    if out is None:
        problem = f"{flag} writes {file} into the folder of --out; give --out DIR too"
    elif seeds is not None:
        problem = f"{flag} is for a single run, got --seeds {seeds}; leave one out"
    if problem:
        raise ConfigError("the command", [problem])
