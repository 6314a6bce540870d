"""Robots by the names of the package ``robot_descriptions``, as ``go2_description``.

The package knows some two hundred public robots and fetches a robot's repository with
git when its name is first used; from then on the files are on this machine. A file or
folder of the same name in the present folder comes first, and so does a built-in robot.
"""

import contextlib
import difflib
import importlib
import io
import os
import re
import shutil
import sys
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

from equipoise.core.errors import BadFileError, MissingToolError, UnknownNameError
from equipoise.core.text import shown

__all__ = ["described_file", "described_names", "is_described", "near_described"]

PACKAGE = "robot_descriptions"
NAME = re.compile(r"[A-Za-z0-9_]{1,80}_description")
FILES = ("URDF_PATH", "MJCF_PATH")
"""What a robot's module of the package says where its file is."""
NEAR = 4  # robots in a sentence
EXAMPLE = "go2_description"
ALIKE = 0.66  # one letter of three may be wrong
CACHE = "ROBOT_DESCRIPTIONS_CACHE"
USUAL_CACHE = "~/.cache/robot_descriptions"
OFFLINE = {"GIT_TERMINAL_PROMPT": "0"}  # git asks nobody for a password


def is_described(name: str | Path) -> bool:
    """Return whether a name is one that only ``robot_descriptions`` can know.

    Args:
        name: whatever a user gave for a robot.
    """
    text = str(name)
    return NAME.fullmatch(text) is not None and not os.path.lexists(text)


def described_names() -> tuple[str, ...]:
    """Return the names that the package has, sorted; none where it is missing."""
    try:
        return tuple(sorted(importlib.import_module(PACKAGE).DESCRIPTIONS))
    except (ImportError, AttributeError):
        return ()


def near_described(name: str) -> list[str]:
    """Return the names of the package that a user may have meant, nearest first.

    Args:
        name: what was given, with or without ``_description``.
    """
    named: dict[str, list[str]] = {}
    for one in described_names():
        named.setdefault(_stem(one), []).append(one)
    text = _stem(name[:80].lower())
    near = difflib.get_close_matches(text, named, n=NEAR, cutoff=ALIKE)
    return [one for key in near[: 1 if text in named else NEAR] for one in named[key]]


def _stem(name: str) -> str:
    """Return what of a name is the robot's own, of a misspelt one too."""
    return re.sub(r"(_mj)?(_desc[a-z]*)?$", "", name)


def described_file(name: str) -> Path:
    """Return where a robot's file is, fetched if it is not on this machine yet.

    Args:
        name: one for which ``is_described`` says yes.

    Raises:
        MissingToolError: the package is missing, or the robot cannot be fetched.
        UnknownNameError: the package has no such robot.
        BadFileError: the package has no URDF or MJCF file of it.
    """
    try:
        package: Any = importlib.import_module(PACKAGE)
    except ImportError:
        raise MissingToolError(
            f"'{name}' is a name of the package {PACKAGE}, which is not installed; "
            f"install it (pip install {PACKAGE}), give a path to a robot file, or take "
            "a robot that 'equipoise robots' lists."
        ) from None
    known: Mapping[str, Any] = package.DESCRIPTIONS
    if name not in known:
        where = f"the package {PACKAGE}, with {len(known)} robots,"
        raise UnknownNameError("robot", name, near_described(name) or known, where)
    module = _fetched(name, known[name])
    places = [str(getattr(module, key)) for key in FILES if hasattr(module, key)]
    if not places:
        raise BadFileError(
            f"'{name}' of {PACKAGE} has neither a URDF nor an MJCF file; "
            "give a path to one."
        )
    return Path(places[0])


def _fetched(name: str, about: Any) -> Any:
    """Return a robot's module of the package; nothing is left of a failed fetch.

    Args:
        name: of the robot.
        about: what the package knows of it.

    Raises:
        MissingToolError: it cannot be fetched.
    """
    folder = _folder_of(about)
    is_new = folder is not None and not folder.exists()
    try:
        with _git_that_asks_nobody(), _told_on_terminals_only():
            return importlib.import_module(f"{PACKAGE}.{name}")
    except BaseException as error:
        if folder is not None and is_new:
            shutil.rmtree(folder, ignore_errors=True)
        if not isinstance(error, Exception):
            raise  # stopped by hand
        raise MissingToolError(
            f"'{name}' is not on this machine yet, and {PACKAGE} cannot fetch it "
            f"({_reason(error)}); try again with git and a network, or give a path to "
            "a robot file."
        ) from None


def _folder_of(about: Any) -> Path | None:
    """Return where the package keeps a robot's repository; None if it does not say.

    Args:
        about: what the package knows of the robot.
    """
    try:
        kept = importlib.import_module(f"{PACKAGE}._repositories").REPOSITORIES
        place = str(kept[about.repository].cache_path)
    except (ImportError, AttributeError, KeyError):
        return None
    commit = os.environ.get("ROBOT_DESCRIPTION_COMMIT")
    top = f"{place}-{commit}" if commit else place
    return Path(os.environ.get(CACHE, USUAL_CACHE)).expanduser() / top


@contextlib.contextmanager
def _told_on_terminals_only() -> Generator[None]:
    """Send what the package prints to stderr, or nowhere if nobody looks."""
    to = sys.stderr if sys.stderr.isatty() else io.StringIO()
    with contextlib.redirect_stdout(to), contextlib.redirect_stderr(to):
        yield


@contextlib.contextmanager
def _git_that_asks_nobody() -> Generator[None]:
    """Let git fail where it would ask for a password, as long as this lasts."""
    before = {key: os.environ.get(key) for key in OFFLINE}
    os.environ.update(OFFLINE)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value


def _reason(error: Exception) -> str:
    """Return the last line that says what went wrong, for a sentence.

    Args:
        error: of the package, of git or of the system.
    """
    lines = [line.strip(" '\n\t") for line in str(error).splitlines()]
    said = [line for line in lines if line.startswith(("stderr:", "fatal:"))]
    text = (said or [line for line in lines if line] or [type(error).__name__])[-1]
    return shown(text.removeprefix("stderr:").strip(" '")).rstrip(".")
