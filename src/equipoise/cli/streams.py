"""Standard streams that may be closed or full, and requests to end.

A process may be started without some of its standard streams (``>&-``): the next file
that it opens would then stand in for one of them, and ``print`` says nothing. And a
stream may be on a disk that is full. Both are told in a sentence, where any can be.
"""

import errno
import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import Any, final

from equipoise.core.errors import EquipoiseError

__all__ = [
    "INTERRUPTED",
    "CannotPrintError",
    "EndRequest",
    "exhausted",
    "held_streams",
    "hushed",
    "stopped_by_signals",
]

INTERRUPTED = 130
"""Exit code of Ctrl-C; of other signals it is 128 and their number."""
SCARCE = {
    errno.EMFILE: "too many files are open in this process; allow more by "
    "'ulimit -n 4096'",
    errno.ENFILE: "too many files are open on this machine; end other programs",
    errno.ENOSPC: "a disk is full, perhaps that of temporary files; make room, or set "
    "TMPDIR to a folder with room",
    errno.EDQUOT: "your share of a disk is used up; make room",
    errno.EAGAIN: "no more processes can be started; end others, or ask for fewer",
    errno.ENOMEM: "there is not enough memory; use a smaller robot or a shorter run",
}
"""What the system runs out of, and what would work, by error number."""


class CannotPrintError(EquipoiseError):
    """The answer cannot be printed; the message says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The answer could not be printed: {reason}; make room, use a pipe, or "
            "'> /dev/null' where nobody reads it."
        )


@final
class _Told:
    """Standard output that tells apart its own failure from that of any other file."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Any:
        return iter(self._stream)

    def write(self, text: str) -> int:
        """Write text.

        Raises:
            CannotPrintError: the stream takes no more.
        """
        with _told():
            return self._stream.write(text)

    def writelines(self, lines: Any) -> None:
        """Write texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Hand on what was written.

        Raises:
            CannotPrintError: the stream takes no more.
        """
        with _told():
            self._stream.flush()


@contextmanager
def _told() -> Generator[None, None, None]:
    try:
        yield
    except BrokenPipeError:  # the reader left, which is no failure
        raise
    except OSError as error:
        raise CannotPrintError(error.strerror or str(error)) from None


@contextmanager
def held_streams() -> Generator[bool, None, None]:
    """Let all standard streams be there; yield whether an answer can be printed.

    What was closed is opened on the null device. Complaints that cannot be said are
    dropped: the exit code says what is the matter.
    """
    had_output = sys.stdout is not None
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal may not know a letter
            stream.reconfigure(errors="replace")
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            setattr(sys, name, _nothing(number))
    before = sys.stdout
    sys.stdout = told = _Told(before)  # type: ignore[assignment]
    try:
        yield had_output
    finally:
        if sys.stdout is told:
            sys.stdout = before


def _nothing(number: int) -> Any:
    """Return the null device in place of a standard stream that is closed."""
    mode = "w" if number else "r"
    try:
        os.fstat(number)
    except OSError:
        handle = os.open(os.devnull, os.O_RDWR)
        if handle != number:
            os.dup2(handle, number)
            os.close(handle)
        return os.fdopen(number, mode, closefd=False, encoding="utf-8")
    return Path(os.devnull).open(mode, encoding="utf-8")


def hushed() -> Any:
    """Return what takes the place of a stream that takes no more; it says nothing.

    Else the interpreter would write once more at its end, and change the exit code.
    """
    return Path(os.devnull).open("w", encoding="utf-8")


def exhausted(error: BaseException) -> str:
    """Return in a sentence what the system has run out of; "" for other errors.

    Args:
        error: as it came up.
    """
    scarce = SCARCE.get(error.errno or 0) if isinstance(error, OSError) else None
    if scarce is None:
        return ""
    return f"It could not be done: {scarce}."


@final
class EndRequest:
    """Request to end, if one came."""

    def __init__(self) -> None:
        self.number = 0
        """Of the signal; 0 for none, or Ctrl-C."""

    def note(self, number: int, _: FrameType | None) -> None:
        """End the work as Ctrl-C does, so that nothing is left behind."""
        self.number = number
        raise KeyboardInterrupt

    @property
    def code(self) -> int:
        """Exit code of a command that was stopped."""
        return 128 + self.number if self.number else INTERRUPTED

    @property
    def name(self) -> str:
        """Name of the signal that stopped it."""
        return signal.Signals(self.number).name if self.number else "Ctrl-C"


@contextmanager
def stopped_by_signals() -> Generator[EndRequest, None, None]:
    """Let polite requests to end, SIGTERM and SIGHUP, stop the work as Ctrl-C does.

    A signal that is ignored, as ``nohup`` has it, stays so; handlers of a program that
    calls us stay its own.
    """
    ending, before = EndRequest(), dict[int, Any]()
    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    if threading.current_thread() is threading.main_thread():
        for number in numbers:
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, ending.note)
    try:
        yield ending
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
