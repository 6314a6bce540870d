"""Where packages are: the folders that ``package://NAME/...`` in a robot file means.

A package is a folder that is called as the package is, or that holds a ``package.xml``
with that name. A user names packages; folders of packages come from the user, too, and
from the variables that ROS and Gazebo set.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

from equipoise.core.errors import ConfigError
from equipoise.core.text import shown

__all__ = ["MANIFEST", "NO_PACKAGES", "Packages", "SaidPackages", "packages_of"]

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*")
MANIFEST = "package.xml"
MANIFEST_NAME = re.compile(rb"<name>\s*([^<\s]+)\s*</name>")
IGNORED = ("CATKIN_IGNORE", "COLCON_IGNORE", "AMENT_IGNORE")
DEEPEST = 6  # folders below one that holds packages; colcon and rospack look as deep
MOST_FOLDERS = 20_000
MANIFEST_BYTES = 4096  # of its beginning, where its name is
VARIABLES = {
    "ROS_PACKAGE_PATH": "",
    "AMENT_PREFIX_PATH": "share",
    "GZ_SIM_RESOURCE_PATH": "",
}
"""Variables with folders of packages, and where in each folder the packages are."""

SaidPackages = (
    str | Path | Mapping[str, str | Path] | Iterable[str | Path] | None
)  # as ``equipoise.load(packages=...)`` takes them


@final
@dataclass(frozen=True)
class Packages:
    """Folders of packages as given by the user."""

    named: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """Folders of packages by name."""
    folders: tuple[Path, ...] = ()
    """Folders that hold packages, or that are one."""


NO_PACKAGES = Packages()


def packages_of(said: SaidPackages) -> Packages:
    """Return what a user says of packages.

    Args:
        said: folders by name; or a folder that holds packages, or ``NAME=DIR``, or
            several of these, in a list or in one text with ``:`` between them (``;`` on
            Windows), as in ROS_PACKAGE_PATH.

    Raises:
        ConfigError: one of them is no folder, or no name of a package.
    """
    if said is None:
        return NO_PACKAGES
    if isinstance(said, Mapping):
        entries = [(str(name), Path(folder)) for name, folder in said.items()]
    else:
        if isinstance(said, str):
            said = [part for part in said.split(os.pathsep) if part.strip()]
        parts = [said] if isinstance(said, Path) else list(said)
        entries = [_entry_of(part) for part in parts]
    problems = [
        f"{shown(name)!r} is no name of a package"
        for name, _ in entries
        if name and not NAME.fullmatch(name)
    ]
    problems += [
        f"'{shown(str(folder))}' is not a folder; give NAME=DIR, or one that has "
        "packages"
        for _, folder in entries
        if not _is_folder(folder)
    ]
    if problems:
        raise ConfigError("the path of packages", problems)
    absolute = [(name, folder.expanduser().absolute()) for name, folder in entries]
    return Packages(
        {name: folder for name, folder in absolute if name},
        tuple(folder for name, folder in absolute if not name),
    )


def _entry_of(part: str | Path) -> tuple[str, Path]:
    """Return the name of a package, empty for a folder of packages, and its folder."""
    name, equals, folder = str(part).strip().partition("=")
    if isinstance(part, Path) or not equals or _is_folder(Path(str(part))):
        return "", Path(part)
    return name, Path(folder)


def _is_folder(path: Path) -> bool:
    """Return whether a path is a folder."""
    try:
        return str(path) != "" and path.expanduser().is_dir()
    except (OSError, ValueError, RuntimeError):  # RuntimeError: no home to expand
        return False


def variable_folders() -> list[tuple[str, Path]]:
    """Return the folders of packages that the environment names, with the variable."""
    return [
        (variable, Path(part) / inside)
        for variable, inside in VARIABLES.items()
        for part in os.environ.get(variable, "").split(os.pathsep)
        if part.strip()
    ]


def packages_below(folder: Path) -> dict[str, Path]:
    """Return the packages in a folder by name: those that have a ``package.xml``.

    Packages do not hold packages; a folder is left out with a file ``COLCON_IGNORE``,
    ``AMENT_IGNORE`` or ``CATKIN_IGNORE``.

    Args:
        folder: that holds packages, or that is one.
    """
    found: dict[str, Path] = {}
    seen: set[str] = set()
    for at, folders, files in os.walk(folder, followlinks=True):
        depth = len(Path(at).relative_to(folder).parts)
        real = os.path.realpath(at)
        is_done = real in seen or len(seen) >= MOST_FOLDERS
        seen.add(real)
        if is_done or not {*IGNORED}.isdisjoint(files) or MANIFEST in files:
            folders.clear()
        if is_done or not {*IGNORED}.isdisjoint(files):
            continue
        if MANIFEST in files:
            found.setdefault(manifest_name(Path(at)), Path(at))
            found.setdefault(Path(at).name, Path(at))
        folders[:] = sorted(f for f in folders if f[:1] != "." and depth < DEEPEST)
    found.pop("", None)
    return found


def manifest_name(folder: Path) -> str:
    """Return the name that a package's manifest says; empty where it says none."""
    try:
        path = folder / MANIFEST
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            match = MANIFEST_NAME.search(file.read(MANIFEST_BYTES))
    except OSError:
        return ""
    return match[1].decode(errors="replace") if match else ""
