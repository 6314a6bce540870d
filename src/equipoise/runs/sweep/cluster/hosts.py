"""The machines of a cluster by ssh, as a file lists them.

One machine a line, as ``ssh`` takes it, and what is special about it::

    # office
    anna@ant.lab.example workers=8
    10.0.0.7 python=/opt/equipoise/bin/python

Ports, keys and jumps are said where ``ssh`` reads them, in ``~/.ssh/config``.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import final

from equipoise.core.errors import BadFileError
from equipoise.core.text import shown

__all__ = ["ClusterHost", "read_hosts"]

NAME = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.@:%\[\]-]*")  # never an option of ssh
MOST_WORKERS = 1024
MOST_BYTES = 1_000_000
WORDS = ("workers", "python")


@final
@dataclass(frozen=True, slots=True)
class ClusterHost:
    """A machine that does rows."""

    name: str
    """As ``ssh`` takes it: ``host`` or ``user@host``."""
    workers: int | None = None
    """Rows at a time; None for one a core."""
    python: str = sys.executable
    """That has equipoise there; by default it is where ours is."""


def read_hosts(path: Path) -> list[ClusterHost]:
    """Return the machines that a file lists.

    Args:
        path: the file.

    Raises:
        BadFileError: it cannot be read, lists none, or a line is not understood.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadFileError(f"{path}: is too large for a list of hosts.")
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        told = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise BadFileError(f"{path}: cannot be read: {told}.") from None
    found = list[ClusterHost]()
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if words:
            found.append(_read_host(words, f"{path}: line {number}"))
    if not found:
        raise BadFileError(
            f"{path}: lists no host; give one per line, such as user@host."
        )
    names = [host.name for host in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise BadFileError(f"{path}: lists '{twice[0]}' twice; give it workers=N.")
    return found


def _read_host(words: list[str], where: str) -> ClusterHost:
    """Return the machine of one line.

    Args:
        words: of the line.
        where: for the error.

    Raises:
        BadFileError: a word is not understood.
    """
    name, said = words[0], dict[str, str]()
    if not NAME.fullmatch(name):
        raise BadFileError(f"{where} has an invalid host name: '{shown(name)}'.")
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if key not in WORDS or not equals or not value or key in said:
            known = "workers=N and python=PATH, once each"
            raise BadFileError(f"{where} has '{shown(word)}'; known are {known}.")
        said[key] = value
    workers = said.get("workers")
    if workers is None:
        return ClusterHost(name, python=said.get("python", sys.executable))
    is_count = workers.isascii() and workers.isdecimal() and len(workers) < 5
    if not (is_count and 1 <= int(workers) <= MOST_WORKERS):
        allowed = f"a whole number from 1 to {MOST_WORKERS}"
        raise BadFileError(f"{where} has workers={shown(workers)}; give {allowed}.")
    return ClusterHost(name, int(workers), said.get("python", sys.executable))
