"""Files that rows name, on their way to machines that do not have them.

A robot file goes with all that it reads, meshes too. On a worker they are put under a
folder of its own as they stand here, and its rows begin in the folder in which the
sweep was typed: what was written in a row means the same there. A worker that has the
same files at the same places reads those.
"""

import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, final

__all__ = [
    "FileBundle",
    "UnpackedBundle",
    "drop_bundles",
    "files_named",
    "is_file",
    "unpack",
    "unpack_bundle",
]

LONGEST = 4096  # letters of a path
PLACED: dict[str, "UnpackedBundle"] = {}
"""What this worker has, by the bundle's name."""


@final
@dataclass(frozen=True)
class FileBundle:
    """Files and where they stand."""

    folder: str
    """In which the sweep was typed."""
    files: dict[str, bytes]
    """Contents by absolute path."""

    @cached_property
    def name(self) -> str:
        """Name that distinguishes it from any other."""
        told = sha256(self.folder.encode())
        for path, content in self.files.items():
            told.update(f"\0{path}\0{len(content)}\0".encode() + content)
        return told.hexdigest()


@final
@dataclass(frozen=True)
class UnpackedBundle:
    """Files of a sweep on a worker."""

    root: str
    """In front of every path; empty where they stand as they do on our machine."""
    folder: str
    """In which rows begin."""
    paths: frozenset[str]
    """Absolute paths as they are on our machine."""

    def word(self, word: str) -> str:
        """Return a word of a row as it is meant on this machine.

        Args:
            word: a path, or an option with one.
        """
        before, equals, value = word.rpartition("=")
        return f"{before}{equals}{self.root}{value}" if value in self.paths else word


def files_named(rows: Iterable[Any]) -> set[Path]:
    """Return the files that rows name: ``go2.urdf``, ``--terrain=field:hill.png``.

    Args:
        rows: lists of words; whatever else there is names none.
    """
    listed = (row for row in rows if isinstance(row, list))
    words = {word for row in listed for word in row if isinstance(word, str)}
    texts = {text for word in words for text in (word, *re.split("[=:]", word)[1:])}
    texts |= {word.partition("=")[2] for word in words}
    found = {Path(t) for t in texts if t and len(t) < LONGEST and "\0" not in t}
    return {path for path in found if is_file(path)}


def is_file(path: Path) -> bool:
    """Return whether there is such a file.

    Args:
        path: as it was written.
    """
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def unpack(bundle: FileBundle, root: Path) -> None:
    """Write all files under a folder, as they stand on our machine.

    Args:
        bundle: all files.
        root: the folder.
    """
    Path(f"{root}{bundle.folder}").mkdir(parents=True, exist_ok=True)
    for path, content in bundle.files.items():
        there = Path(f"{root}{path}")
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_bytes(content)


def unpack_bundle(bundle: FileBundle) -> None:
    """Take in the files of a sweep; done on a worker.

    Args:
        bundle: all files.
    """
    if bundle.name in PLACED:
        return
    paths = frozenset(bundle.files)
    if Path(bundle.folder).is_dir() and _has_all(bundle):
        PLACED[bundle.name] = UnpackedBundle("", bundle.folder, paths)
        return
    root = mkdtemp(prefix="equipoise-")
    unpack(bundle, Path(root))
    PLACED[bundle.name] = UnpackedBundle(root, f"{root}{bundle.folder}", paths)


def _has_all(bundle: FileBundle) -> bool:
    """Return whether the same files stand at the same places here."""
    try:
        return all(Path(p).read_bytes() == c for p, c in bundle.files.items())
    except OSError:
        return False


def drop_bundles(names: Sequence[str]) -> None:
    """Forget the files of sweeps; done on a worker.

    Args:
        names: of bundles.
    """
    for name in names:
        placed = PLACED.pop(name, None)
        if placed is not None and placed.root:
            shutil.rmtree(placed.root, ignore_errors=True)
