"""Xacro files, expanded in a process of its own where the package xacro is installed.

Xacro is a language: a file's expressions are evaluated. What ends in ``.xacro`` is
expanded, nothing else; the process has limits of time, memory, and what it may read
(``expand_xacro``), so that a broken file ends in a sentence.
"""

import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from equipoise.core.errors import BadFileError, MissingToolError
from equipoise.core.text import shown
from equipoise.robots.files.budget import MAX_BYTES, MOST_FILES
from equipoise.robots.files.packages import Packages

__all__ = ["expanded", "is_xacro"]

SECONDS = 60.0  # that an expansion may take; large public robots need two
MEMORY = 2 * 2**30  # that it may have [bytes]
CHILD = "equipoise.robots.files.expand_xacro"
MOST_SAID = 300  # letters of what xacro says


def is_xacro(path: Path) -> bool:
    """Return whether a file is to be expanded: by its ending alone."""
    return path.suffix.lower() == ".xacro"


def expanded(path: Path, packages: Packages) -> bytes:
    """Return what a xacro file expands to, with its arguments' default values.

    Args:
        path: the file.
        packages: what the user says of packages, for ``$(find NAME)``.

    Raises:
        BadFileError: what is wrong, without the file's name.
        MissingToolError: xacro is not installed.
    """
    line = f"xacro {path} > {path.stem.removesuffix('.urdf')}.urdf"
    if importlib.util.find_spec("xacro") is None:
        raise MissingToolError(
            f"{path}: is a xacro file, and the package that expands it is not "
            f"installed; install it (pip install xacro), or run {line} and "
            "give the result."
        )
    asked = {
        "path": str(path.absolute()),
        "named": {name: str(folder) for name, folder in packages.named.items()},
        "folders": [str(folder) for folder in packages.folders],
        "most_bytes": MAX_BYTES,
        "most_files": MOST_FILES,
        "seconds": SECONDS,
        "memory": MEMORY,
    }
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        try:
            # -P: a folder with a robot may hold a file xacro.py of its own
            done = subprocess.run(
                [sys.executable, "-P", "-m", CHILD],
                input=json.dumps(asked).encode(),
                stdout=out,
                stderr=said,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            problem = f"takes xacro more than {SECONDS:g} s to expand"
            raise BadFileError(f"{problem}; type {line} and take that") from None
        except OSError as error:
            problem = f"cannot be expanded ({error.strerror or error})"
            raise BadFileError(f"{problem}; type {line} and take that") from None
        for stream in (out, said):
            stream.seek(0)
        content = out.read(MAX_BYTES + 1)
        words = said.read(1 << 16).decode(errors="replace")
    if done.returncode:
        reason = shown(last_words(words) or "it ran out of memory or time", MOST_SAID)
        raise BadFileError(
            f"is a xacro file that cannot be expanded ({reason}); mend it, or type "
            f"{line} with what it misses (NAME:=VALUE) and take that"
        )
    if len(content) > MAX_BYTES:
        raise BadFileError(f"expands to more than {MAX_BYTES >> 20} MiB")
    return content


def last_words(words: str) -> str:
    """Return the line in which xacro says what is wrong; empty where it says none."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    marked = [line for line in lines if line.startswith("xacro: ")]
    said = (marked or lines or [""])[-1].removeprefix("xacro: ").rstrip(".")
    # xacro tells an error of a file twice, first with the name of its class
    head, _, rest = said.partition("'>: ")
    half = len(rest) // 2
    is_twice = head.startswith("<class") and rest[:half] == rest[half + 1 :]
    return rest[:half] if is_twice else said
