"""A disk that is soon full: a file system of a few kilobytes, gone after the test."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

__all__ = ["filled_but_for", "small_disk"]


@contextmanager
def small_disk(folder: Path, size_kb: int) -> Iterator[Path]:
    """Yield a folder on a disk of its own; skip the test where none can be mounted.

    Args:
        folder: made for it.
        size_kb: of the disk [kB]; it is counted in pages of 4 kB.
    """
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a small disk is mounted by root, on Linux")
    folder.mkdir()
    line = ["mount", "-t", "tmpfs", "-o", f"size={size_kb}k", "tmpfs", str(folder)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no disk could be mounted: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def filled_but_for(disk: Path, free_kb: int) -> Iterator[None]:
    """Fill a small disk but for some kilobytes, for a while.

    Args:
        disk: a folder of it.
        free_kb: that stay free [kB].
    """
    state = os.statvfs(disk)
    blocks = state.f_bavail - free_kb * 1024 // state.f_bsize
    rest = disk / "filled"
    rest.write_bytes(bytes(max(0, blocks) * state.f_bsize))
    try:
        yield
    finally:
        rest.unlink()
