"""Robots that are files and go by a name: those that come along, and public ones.

``colt`` is ``shipped/colt.urdf``: a plain robot file that is read as any user's is.
Whoever takes a robot file takes these names, too. Quick, for commands ask before all
else.
"""

import re
from functools import cache
from pathlib import Path

from equipoise.robots.files.described import described_file, is_described

__all__ = [
    "ROBOT_ENDINGS",
    "is_robot_file",
    "robot_path",
    "shipped_file",
    "shipped_names",
    "shipped_what",
    "typed_name",
]

ROBOT_ENDINGS = (".urdf", ".xml", ".xacro")
SHIPPED = Path(__file__).parents[1] / "shipped"
FIRST = re.compile(r"<!--\s*(.*?)[.](?:\s|-->)", re.DOTALL)
"""First sentence of a file's first comment."""


@cache  # asked for a dozen times a run
def _shipped_files() -> dict[str, Path]:
    """Return the robot files that come with the library, by name."""
    found = (p for p in SHIPPED.iterdir() if p.suffix in ROBOT_ENDINGS)
    return {path.stem: path for path in sorted(found)}


def shipped_names() -> tuple[str, ...]:
    """Return the names of the robot files included in the library, sorted."""
    return tuple(_shipped_files())


def shipped_file(name: str) -> Path | None:
    """Return the file of a robot included in the library; None if there is none.

    Args:
        name: whatever a user gave for a robot.
    """
    return _shipped_files().get(name)


def shipped_what(name: str) -> str:
    """Return what a robot that comes with the library is: how its file begins.

    Args:
        name: one of ``shipped_names``.
    """
    found = FIRST.search(_shipped_files()[name].read_text("utf-8"))
    return " ".join(found[1].split()) if found else ""


def robot_path(name: str | Path) -> str | Path:
    """Return the file of a robot that goes by a name; anything else as it is.

    Args:
        name: whatever a user gave for a robot.

    Raises:
        MissingToolError: ``robot_descriptions`` is missing, or cannot fetch the robot.
        UnknownNameError: the package has no such robot.
        BadFileError: the package has no URDF or MJCF file of it.
    """
    own = shipped_file(str(name))
    if own is not None:
        return own
    return described_file(str(name)) if is_described(name) else name


def typed_name(source: str) -> str:
    """Return what a user types for a robot: the name of one that comes along.

    Args:
        source: the file that it was read from; empty for none.
    """
    path = Path(source)
    if shipped_file(path.stem) == path:
        return path.stem
    return path.name or "FILE"


def is_robot_file(name: str | Path) -> bool:
    """Return whether a robot is a URDF or MJCF file, by its ending or by its name.

    Args:
        name: whatever a user gave for a robot.
    """
    if Path(name).suffix.lower() in ROBOT_ENDINGS:
        return True
    return shipped_file(str(name)) is not None or is_described(name)
