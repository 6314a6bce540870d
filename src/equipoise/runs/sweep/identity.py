"""What tells a sweep from others: the files that its rows read, and the versions."""

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from equipoise.runs.sweep.cluster.shipped_files import files_named

__all__ = ["file_digests"]


def file_digests(words: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of every file that words name, and of all that these read.

    A robot file reads included files, meshes, textures and its sidecar file. Each is
    called as it lies from where the sweep was typed, so that a folder that was moved
    as a whole is still the same.

    Args:
        words: as typed: paths, and options with paths in them.
    """
    named = sorted(files_named([list(words)]))
    if not named:
        return {}
    from equipoise.runs.sweep.cluster.packing import read_by  # brings robots

    found: dict[str, str] = {}
    for path in named:
        found[str(path)] = _digest(path)
        for inside in read_by(path):
            beside = os.path.relpath(inside, path.parent)
            found[os.path.normpath(path.parent / beside)] = _digest(inside)
    return found


def _digest(path: Path) -> str:
    """Return what tells a file's contents from others; "" where nobody may read it."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:  # the row itself says so
        return ""
