"""One process at a time does a piece of work; the others wait, and find it done.

Two commands that start together, or the processes of a test run, would else compile
the same kernels side by side.
"""

import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

__all__ = ["turn"]

FILE = "turns.lock"
PATIENCE = 60.0
"""Then the work is done twice [s]."""
PAUSE = 0.01
"""Between two looks [s]; a small kernel takes five times as long."""


@contextmanager
def turn(folder: str, work: str) -> Generator[None]:
    """Do a piece of work while no other process does it.

    A process that ends, however it ends, gives up its turn; for one that was stopped
    nobody waits longer than ``PATIENCE``. Where nothing can be locked nobody waits.

    Args:
        folder: where its results are kept; a file for the locks is made in it.
        work: what it is, in any words; each piece is a place in the file.
    """
    place = int.from_bytes(sha256(work.encode()).digest()[:5])
    file = _lock_file(folder)
    has_it = file >= 0 and _locked(file, place)
    try:
        yield
    finally:
        if has_it:
            _unlock(file, place)


if sys.platform == "win32":

    def _lock_file(folder: str) -> int:
        return -1

    def _locked(file: int, place: int) -> bool:
        return False

    def _unlock(file: int, place: int) -> None: ...

else:
    import fcntl

    @cache
    def _lock_file(folder: str) -> int:
        """Open a folder's file, for good: closing it would give up all turns."""
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            return os.open(Path(folder) / FILE, flags, 0o600)
        except OSError:
            return -1

    def _locked(file: int, place: int) -> bool:
        """Wait for a place in a file and take it; tell whether that worked."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except (BlockingIOError, PermissionError):  # another process has it
                time.sleep(PAUSE)
            except OSError:
                return False
            else:
                return True
        return False

    def _unlock(file: int, place: int) -> None:
        with suppress(OSError):
            fcntl.lockf(file, fcntl.LOCK_UN, 1, place)
