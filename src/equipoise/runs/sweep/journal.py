"""Finished rows on disk, one line each: a sweep that is killed goes on where it was.

A line is written when its row is done and forced to the disk, so that a finished row
is never lost; a line that a kill cut in two is not taken for one. What was asked stands
in the first line: another sweep does not go on in the same folder.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, final

from equipoise.core.errors import ConfigError
from equipoise.core.files import plain, refusal

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
        try:
            folder.mkdir(parents=True, exist_ok=True)
            kept = self._taken_up(plain(asked))
            self._file = self.path.open("r+b" if kept else "wb")
            self._file.seek(kept)
            self._file.truncate()
            if not kept:
                self._line({"asked": plain(asked)})
        except OSError as error:
            raise refusal(self.path, error) from error

    def _taken_up(self, asked: Any) -> int:
        """Read the lines that are whole and return where they end [bytes]."""
        if not self.path.exists():
            return 0
        end, first = 0, True
        for line in self.path.read_bytes().splitlines(keepends=True):
            try:
                said = json.loads(line) if line.endswith(b"\n") else None
            except ValueError:
                said = None
            if not isinstance(said, dict):
                break  # cut by a kill: what follows was never finished
            if first and said.get("asked") != asked:
                problem = f"{self.path} is of another sweep; name another folder"
                raise ConfigError("the sweep", [f"{problem}, or remove it"])
            if not first:
                self.rows[int(said["index"])] = said
            end, first = end + len(line), False
        return end

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
