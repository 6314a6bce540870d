"""The folder of a run of processes: private, and gone even if its run was killed.

A run removes its folder at the end, and an orphan removes it when the parent is gone.
When the parent is killed before it has children, nobody does: so each start looks for
folders that were left, and removes those of dead processes. Whose folder it is stands
in its name; that it is in use tells a lock, which ends with its last holder.
"""

import os
import re
import shutil
import stat
import tempfile
from pathlib import Path

__all__ = ["RunFolder", "sweep_folders"]

PREFIX = "equipoise-run-"
NAME = re.compile(re.escape(PREFIX) + r"(\d{1,9})-\w+")


class RunFolder:
    """A new folder for this process's sockets, locked until it is removed."""

    def __init__(self) -> None:
        """Remove what dead runs left, then make the folder and lock it."""
        import fcntl  # POSIX alone has it

        sweep_folders()
        self.path = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
        self._lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def remove(self) -> None:
        """Remove the folder and all in it; a second time it does nothing."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def sweep_folders() -> list[Path]:
    """Remove the folders of runs whose process is dead; return which.

    Only those that this user owns, that are folders and no links, and that no process
    holds locked.
    """
    swept = list[Path]()
    for path in sorted(Path(tempfile.gettempdir()).glob(f"{PREFIX}*")):
        named = NAME.fullmatch(path.name)
        if named and _is_own_folder(path) and not _is_running(int(named[1])):
            if not _is_locked(path):
                shutil.rmtree(path, ignore_errors=True)
                swept.append(path)
    return swept


def _is_own_folder(path: Path) -> bool:
    """Return whether a path is a folder of this user's own, and no link to one."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()


def _is_running(process: int) -> bool:
    """Return whether there is such a process, whosever it is."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _is_locked(path: Path) -> bool:
    """Return whether some process still holds a folder's lock."""
    import fcntl

    try:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return True  # not ours to look at, or gone
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False
