"""What the commands print: JSON or a table on stdout, all else on stderr.

Text that comes from a file is shown as it is, never as markup or terminal control.
"""

import json
import math
import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "complain",
    "expect_out",
    "plain",
    "print_json",
    "print_table",
    "print_written",
    "progress_bar",
    "write_json",
]


def plain(value: Any) -> Any:
    """Return a value as JSON can carry it: NaN and infinity become null."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def print_json(content: Mapping[str, Any]) -> None:
    """Print one JSON object on stdout."""
    print(json.dumps(plain(content), allow_nan=False))


def write_json(out: Path, name: str, content: Mapping[str, Any]) -> Path:
    """Write one JSON object into a folder and return the file's path."""
    from equipoise.core.files import atomic_write

    text = json.dumps(plain(content), allow_nan=False, indent=2)
    return atomic_write(out / name, text + "\n")


def complain(sentence: object) -> None:
    """Print one line on stderr."""
    line = " ".join(str(sentence).split())
    print("".join(c for c in line if c.isprintable()), file=sys.stderr)


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
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for k, name in enumerate(head):
        table.add_column(escape(name), justify="left" if k == 0 else justify)
    for row in rows:
        table.add_row(*(escape(str(cell)) for cell in row))
    if title:
        print(title)
    console().print(table)


def print_written(paths: Sequence[Path]) -> None:
    """Name the files that were written, one a line, so that they can be copied."""
    if paths:
        print("Written:")
    for path in paths:
        print(f"  {path}")


def console(stderr: bool = False) -> Any:
    """Return a console that neither colours numbers nor reads names as emoji."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, emoji=False)


@contextmanager
def progress_bar(label: str) -> Generator["Callable[[float], None] | None", None, None]:
    """Yield what shows the share done on a terminal; None where there is no terminal.

    Until the first share comes it says that inner loops are being compiled, which takes
    up to a minute the first time and no time later.

    Args:
        label: what is going on, in words of ours.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    text = TextColumn("{task.description}", markup=False)
    columns = (text, BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
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
