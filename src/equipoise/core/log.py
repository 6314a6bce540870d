"""What the library says while it works: the standard logger ``equipoise``.

It says which files are read, what was assumed and how long each stage took, at the
level INFO, to whoever listens (``logging.basicConfig(level="INFO")``, or ``--verbose``
of the command); nobody hears it otherwise. Text from files is made safe to show.
"""

import functools
import logging
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TextIO, TypeVar, final

from equipoise.core.text import shown

__all__ = ["LOG", "heard_on_stderr", "note", "status_line", "timed"]

P = ParamSpec("P")
R = TypeVar("R")
LOG = logging.getLogger("equipoise")
LOG.addHandler(logging.NullHandler())
LONGEST = 300


def note(sentence: object) -> None:
    """Log a line.

    Args:
        sentence: may hold text from a file.
    """
    if LOG.isEnabledFor(logging.INFO):
        LOG.info("%s", shown(sentence, LONGEST))


def timed(doing: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return what makes a function say what it does, and how long it took.

    Args:
        doing: as in "drawing"; the file that it is given, if any, is named.
    """

    def make(body: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(body)
        def told(*args: P.args, **kwargs: P.kwargs) -> R:
            if not LOG.isEnabledFor(logging.INFO):
                return body(*args, **kwargs)
            what = f"{doing}{_name_in([*args, *kwargs.values()])}"
            note(what)
            begin = time.perf_counter()
            try:
                return body(*args, **kwargs)
            finally:
                note(f"{what}: {time.perf_counter() - begin:.2f} s")

        return told

    return make


def _name_in(values: list[Any]) -> str:
    """Return the name of the first path among some values, after a blank; or none."""
    for value in values:
        if isinstance(value, Path):
            return f" {value.name}"
    return ""


@contextmanager
def heard_on_stderr(is_wanted: bool = True) -> Generator[None]:
    """Print on stderr what is said, as long as this lasts.

    Args:
        is_wanted: nothing is printed otherwise.
    """
    if not is_wanted:
        yield
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("equipoise: %(message)s"))
    with heard_by(handler):
        yield


@contextmanager
def status_line() -> Generator[None]:
    """Show on a terminal what is being done now, on one line that is wiped at the end.

    Nothing is shown where stderr is no terminal, or where all is printed anyway.
    """
    if not sys.stderr.isatty() or LOG.isEnabledFor(logging.INFO):
        yield
        return
    handler = StatusLine(sys.stderr)
    try:
        with heard_by(handler):
            yield
    finally:
        handler.wipe()


@final
class StatusLine(logging.StreamHandler[TextIO]):
    """Writes each line over the last one; the cursor stays at its beginning."""

    terminator = "\r"

    def format(self, record: logging.LogRecord) -> str:
        """Return a line that wipes what was there."""
        return f"\r\x1b[K{record.getMessage()} ..."

    def wipe(self) -> None:
        """Leave nothing behind."""
        self.stream.write("\r\x1b[K")
        self.flush()


@contextmanager
def heard_by(handler: logging.Handler) -> Generator[None]:
    """Let a handler hear what is said, as long as this lasts."""
    before = LOG.level
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    try:
        yield
    finally:
        LOG.removeHandler(handler)
        LOG.setLevel(before)
