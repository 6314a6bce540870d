"""Finished rows on disk, one line each: a sweep that is killed goes on where it was.

A line is written when its row is done and forced to the disk, so that a finished row
is never lost; a line that a kill or a full disk cut in two is not taken for one. What
was asked stands in the first line: another sweep does not go on in the same folder. A
damaged line costs its own row, which is done again, and no other.
"""

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, final

from equipoise.core.errors import ConfigError, DamagedFileWarning
from equipoise.core.files import missing_folders, plain, refusal, remove_empty
from equipoise.core.text import shown

__all__ = ["Journal"]

NAME = "sweep.jsonl"
ASKED, INDEX = "asked", "index"
MOST_NAMES = 4  # of what differs, in a sentence


@final
class Journal:
    """The rows of a sweep that are done.

    Args:
        folder: where the file is or will be.
        asked: what tells this sweep from others; must be the same to go on.
        known: what each row's line must say, by its number: the number itself, the
            values that are varied, the seed.

    Raises:
        ConfigError: the folder holds another sweep.
        BadFileError: the file cannot be read or written.

    Warns:
        DamagedFileWarning: lines of it are damaged; their rows are done again.
    """

    def __init__(
        self,
        folder: Path,
        asked: Mapping[str, Any],
        known: Sequence[Mapping[str, Any]],
    ) -> None:
        self.path = folder / NAME
        self.rows: dict[int, dict[str, Any]] = {}
        """Done before, by their number."""
        self._asked, self._known = plain(asked), plain(known)
        self._made = missing_folders(folder)
        self._is_new = True
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._is_new = not self.path.exists()
            self._file = self.path.open("a+b", buffering=0)
            self._take_up()
        except OSError as error:
            self._forget()
            raise refusal(self.path, error) from error

    def _take_up(self) -> None:
        """Read what is there and make ready to write behind it."""
        _take_alone(self._file, self.path)
        kept = self._read()
        self._file.truncate(kept)
        if not kept:
            self._line({ASKED: self._asked})

    def _read(self) -> int:
        """Read the lines that are whole and return where they end [bytes].

        Raises:
            ConfigError: it is of another sweep, or none of ours.
        """
        self._file.seek(0)
        text = self._file.read()
        end, damaged = text.rfind(b"\n") + 1, 0
        for k, line in enumerate(text[:end].splitlines()):
            said = _spoken(line)
            if ASKED in said or k == 0:
                self._expect_same(said.get(ASKED), k)
            elif self._is_row(said):
                self.rows[said[INDEX]] = said
            else:
                damaged += 1
        if damaged:
            lines = "one line is" if damaged == 1 else f"{damaged} lines are"
            told = f"{self.path}: {lines} damaged; the rows are run again."
            warnings.warn(told, DamagedFileWarning, stacklevel=2)
        return end

    def _is_row(self, said: Mapping[str, Any]) -> bool:
        """Return whether a line is one of our rows, whole."""
        k = said.get(INDEX)
        if not isinstance(k, int) or isinstance(k, bool):
            return False
        if not 0 <= k < len(self._known):
            return False
        own = self._known[k]
        error = said.get("error", 0)
        is_whole = isinstance(said.get("verdict"), str)
        is_whole = is_whole and (error is None or isinstance(error, str))
        return is_whole and all(said.get(name) == own[name] for name in own)

    def _expect_same(self, before: Any, k: int) -> None:
        """Refuse what was asked otherwise; a line that says the same again is none.

        Args:
            before: what a line says was asked.
            k: number of the line, from zero.
        """
        if before != self._asked:
            self._file.close()
            why = _differing(before, self._asked) + (f", in line {k + 1}" if k else "")
            problem = f"{self.path} is of another sweep ({why}); name another folder"
            raise ConfigError("the sweep", [f"{problem}, or remove it"])

    def keep(self, row: Mapping[str, Any]) -> None:
        """Write a finished row, for good.

        Args:
            row: with its number as ``index``.

        Raises:
            BadFileError: the disk is full, or the file cannot be written.
        """
        try:
            self._line(plain(row))
        except OSError as error:
            raise refusal(self.path, error) from error

    def _line(self, content: Any) -> None:
        """Write a line, all of it or nothing."""
        left = memoryview((json.dumps(content, allow_nan=False) + "\n").encode())
        whole = os.fstat(self._file.fileno()).st_size
        try:
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError:
            with suppress(OSError):
                self._file.truncate(whole)
            raise

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):  # every line was forced to the disk before
            self._file.close()

    def discard(self) -> None:
        """Close the file and remove it, with the folders, if they were made for it."""
        self.close()
        self._forget()

    def _forget(self) -> None:
        """Remove the file and folders that were made for it."""
        if self._is_new:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
            remove_empty(self._made)


def _spoken(line: bytes) -> dict[str, Any]:
    """Return what a line says; nothing of one that is damaged."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _differing(before: Any, now: Mapping[str, Any]) -> str:
    """Return what was asked otherwise, in words."""
    if not isinstance(before, dict):
        return "it has another form"
    names = [name for name in now if before.get(name) != now[name]]
    return (
        f"other {', '.join(_told(name, before.get(name), now[name]) for name in names)}"
    )


def _told(name: str, before: Any, now: Any) -> str:
    """Return what differs, with the names inside it where it has some."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return name
    inside = [one for one in {**now, **before} if before.get(one) != now.get(one)]
    more = ", ..." if len(inside) > MOST_NAMES else ""
    return f"{name}: {', '.join(map(shown, inside[:MOST_NAMES]))}{more}"


def _take_alone(file: IO[bytes], path: Path) -> None:
    """Refuse a file that another sweep is writing; the lock ends with the process."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        problem = f"another sweep is writing {path}; wait for it or name another folder"
        raise ConfigError("the sweep", [problem]) from None
    except OSError:  # a disk that knows no locks
        return
