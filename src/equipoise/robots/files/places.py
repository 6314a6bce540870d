"""Where a robot file's meshes are: beside it, in packages, at the other end of a link.

A mesh's name is a path, or ``package://NAME/rest``, ``model://NAME/rest``,
``$(find NAME)/rest`` or ``file://`` and a path; ``%20`` and the like may stand for
letters. A package is where the user says that it is. Where he says nothing, it is
looked for in the user's folders of packages, in the robot file's folder and those
above, in ``ROS_PACKAGE_PATH``, in ``share`` of ``AMENT_PREFIX_PATH``, and in
``GZ_SIM_RESOURCE_PATH``; last comes a folder above the file that is called otherwise,
as that of a checked-out repository is. Of a symbolic link both ends count.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import final
from urllib.parse import unquote

from equipoise.core.text import shown
from equipoise.robots.files.packages import (
    MANIFEST,
    NO_PACKAGES,
    Packages,
    manifest_name,
    packages_below,
    variable_folders,
)

__all__ = ["MeshPlaces", "mesh_places"]

MAX_MESH_BYTES = 256 * 2**20
PACKAGE = re.compile(r"(?:package://|model://|(?:file://)?\$\(find\s+)(.*)", re.DOTALL)
FILE, HOST = "file://", "localhost/"
DEEP = 4  # folders that a package's root is above a robot file, at most
SHOWN = 2  # folders of the user that a sentence lists


@final
@dataclass(frozen=True)
class MeshPlaces:
    """Folders in which a robot file's meshes are searched."""

    folders: tuple[Path, ...]
    """The robot file's folder, and that of what it is a link to."""
    packages: Packages = NO_PACKAGES
    """What the user says of packages."""
    meshdir: str = ""
    """Folder of meshes that the file names, from its own folder on."""
    below: dict[Path, dict[str, Path]] = field(
        default_factory=dict[Path, dict[str, Path]], repr=False, compare=False
    )
    """Packages by folder, those folders that were looked through already."""

    def find(self, name: str) -> Path | None:
        """Return the plain file that a mesh's name means; None where there is none.

        Args:
            name: as the robot file writes it.
        """
        return next((p for p in self.candidates(name) if _is_plain(p)), None)

    def inside(self, folder: str) -> "MeshPlaces":
        """Return the places of a file whose meshes are all in a folder beside it.

        Args:
            folder: from the file's own on.
        """
        return replace(self, folders=tuple(near / folder for near in self.folders))

    def package(self, name: str) -> Path | None:
        """Return a package's folder; None where it is not found.

        Args:
            name: of the package.
        """
        return next(filter(_is_folder, self.package_folders(name)), None)

    def why_missing(self, name: str) -> str:
        """Return where a mesh was looked for and how to say where it is, in words.

        Args:
            name: as the robot file writes it.
        """
        package = _package_in(_spellings(name)[0])
        if package is None:
            if name.startswith(FILE) or Path(name).is_absolute():
                return "is not there"
            said = "give the folder that it starts from, --package-path DIR"
            return f"is not there, in {self.folders[0]}; {said}"
        called, inside = package
        folder = self.package(called) if called else None
        if called in self.packages.named:
            return f"is not there, in {self.packages.named[called]}"
        remedy = f"give --package-path {shown(called, 60)}=DIR"
        if folder is not None:
            return f"is not there, {folder} has no {shown(inside, 120)}; {remedy}"
        given = [str(one) for one in self.packages.folders]
        more = f" and {len(given) - SHOWN} more" if len(given) > SHOWN else ""
        where = [", ".join(given[:SHOWN]) + more] if given else []
        where += [f"{self.folders[0]} and the folders above"]
        where += [f"those above {one}" for one in self.folders[1:]]
        names = [variable for variable, _ in variable_folders()]
        where += dict.fromkeys(names) if names else ["no ROS_PACKAGE_PATH"]
        return (
            f"is not there: no package '{shown(called, 60)}' in {', '.join(where)}; "
            f"{remedy}"
        )

    def candidates(self, name: str) -> Iterator[Path]:
        """Yield where a mesh may be, the likeliest first."""
        for text in _spellings(name):
            package = _package_in(text)
            if package is not None:
                called, inside = package
                for folder in self.package_folders(called):
                    yield folder / inside
                if called not in self.packages.named and inside:
                    yield from (above / inside for above in self.above)
                    yield from (folder / inside for folder in self.packages.folders)
                continue
            is_url = text.startswith(FILE)
            plain = text.removeprefix(FILE)
            if is_url and plain.startswith(HOST):
                plain = plain[len(HOST) - 1 :]
            for folder in self.folders:
                yield folder / plain
            for folder in (*self.package_roots(), *self.packages.folders):
                yield folder / plain
            if self.meshdir:
                for folder in self.folders:
                    yield folder / self.meshdir / plain
                    yield folder / self.meshdir / Path(plain).name

    @property
    def above(self) -> list[Path]:
        """The file's folders and all those above them."""
        every = [one for near in self.folders for one in (near, *near.parents)]
        return list(dict.fromkeys(every))

    def package_roots(self) -> Iterator[Path]:
        """Yield the packages that hold the file: some write meshes from there on."""
        for near in self.folders:
            above = (near, *list(near.parents)[:DEEP])
            yield from (one for one in above[1:] if _is_plain(one / MANIFEST))

    def package_folders(self, name: str) -> Iterator[Path]:
        """Yield where a package may be; where the user names it, only that."""
        if name in self.packages.named:
            yield self.packages.named[name]
            return
        for folder in self.packages.folders:
            yield from self.in_folder(folder, name)
        for above in self.above:
            yield above / name
            if above.name == name or manifest_name(above) == name:
                yield above
        for _, folder in variable_folders():
            yield from self.in_folder(folder, name)

    def in_folder(self, folder: Path, name: str) -> Iterator[Path]:
        """Yield where a package may be in a folder of packages."""
        if folder.name == name:
            yield folder
        yield folder / name
        if folder not in self.below:
            self.below[folder] = packages_below(folder)
        if name in self.below[folder]:
            yield self.below[folder][name]


def mesh_places(
    path: Path, packages: Packages = NO_PACKAGES, meshdir: str = ""
) -> MeshPlaces:
    """Return where the meshes of a robot file are looked for.

    Args:
        path: the robot file.
        packages: what the user says of packages.
        meshdir: folder of meshes that the file names.
    """
    folders = [path.absolute().parent]
    try:
        folders.append(path.resolve().parent)
    except (OSError, ValueError, RuntimeError):  # a loop of links
        pass
    return MeshPlaces(tuple(dict.fromkeys(folders)), packages, meshdir)


def _spellings(name: str) -> list[str]:
    """Return what a mesh's name may stand for, as it is written first."""
    plain = unquote(name)
    every = (name, plain, name.replace("\\", "/"), plain.replace("\\", "/"))
    return list(dict.fromkeys(every))


def _package_in(name: str) -> tuple[str, str] | None:
    """Return a name's package and the path inside it; None for a plain path."""
    match = PACKAGE.fullmatch(name)
    if match is None:
        return None
    called, _, inside = match[1].lstrip("/").partition("/")
    return called.rstrip(") "), inside


def _is_plain(path: Path) -> bool:
    """Return whether a path is a plain file of a size that can be read."""
    try:
        return path.is_file() and path.stat().st_size <= MAX_MESH_BYTES
    except (OSError, ValueError):
        return False


def _is_folder(path: Path) -> bool:
    """Return whether a path is a folder."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
