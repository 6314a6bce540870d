"""Finished rows on disk, one line each: a sweep that is killed goes on where it was.

A line is written when its row is done and forced to the disk, so that a finished row
is never lost; a line that a kill cut in two is not taken for one. What was asked stands
in the first line: another sweep does not go on in the same folder.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, final

from equipoise.core.errors import ConfigError
from equipoise.core.files import missing_folders, plain, refusal, remove_empty

__all__ = ["Journal"]

NAME = "sweep.jsonl"


@final
class Journal:
    """The rows of a sweep that are done.

    Args:
        folder: where the file is or will be.
        asked: what tells this sweep from others; must be the same to go on.

    Raises:
        ConfigError: the folder holds another sweep.
        BadFileError: the file cannot be read or written.
    """

    def __init__(self, folder: Path, asked: Mapping[str, Any]) -> None:
        self.path = folder / NAME
        self.rows: dict[int, dict[str, Any]] = {}
        """Done before, by their number."""
        self._made = missing_folders(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._is_new = not self.path.exists()
            self._file = self.path.open("a+b")
            take_alone(self._file, self.path)
            kept = self._taken_up(plain(asked))
            self._file.truncate(kept)
            if not kept:
                self._line({"asked": plain(asked)})
        except OSError as error:
            raise refusal(self.path, error) from error

    def _taken_up(self, asked: Any) -> int:
        """Read the lines that are whole and return where they end [bytes].

        Raises:
            ConfigError: it is of another sweep, or none of ours.
        """
        self._file.seek(0)
        text, end = self._file.read(), 0
        for line in text.splitlines(keepends=True):
            said = whole_line(line)
            if said is None:
                break  # cut by a kill: what follows was never finished
            if end == 0 and said.get("asked") != asked:
                raise self._other(differing(said.get("asked"), asked))
            if end:
                self.rows[int(said["index"])] = said
            end += len(line)
        if end == 0 and b"\n" in text:
            raise self._other("it has another form")
        return end

    def _other(self, why: str) -> ConfigError:
        """Return the error of a file that is of something else, and let go of it."""
        self._file.close()
        problem = f"{self.path} is of another sweep ({why}); name another folder"
        return ConfigError("the sweep", [f"{problem}, or remove it"])

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
        line = json.dumps(content, allow_nan=False) + "\n"
        self._file.write(line.encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def discard(self) -> None:
        """Close the file and remove it, with the folders, if they were made for it."""
        self._file.close()
        if self._is_new:
            self.path.unlink(missing_ok=True)
            remove_empty(self._made)


def whole_line(line: bytes) -> dict[str, Any] | None:
    """Return what a line says; None for one that was cut."""
    try:
        said = json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None
    is_ours = isinstance(said, dict) and ("asked" in said or "index" in said)
    return said if is_ours else None


def differing(before: Any, now: Mapping[str, Any]) -> str:
    """Return what was asked otherwise, in words."""
    if not isinstance(before, dict):
        return "it has another form"
    names = [name for name in now if before.get(name) != now[name]]
    return f"other {', '.join(names)}"


def take_alone(file: IO[bytes], path: Path) -> None:
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
