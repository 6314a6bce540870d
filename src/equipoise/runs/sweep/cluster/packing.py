"""Files for the way, with what robot files read beside themselves."""

import re
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.core.text import shown
from equipoise.robots.packed import named_files
from equipoise.robots.robot_file import read_robot_file
from equipoise.robots.sidecar import ROBOT_ENDINGS
from equipoise.runs.sweep.cluster.shipped_files import FileBundle, is_file, unpack

__all__ = ["file_bundle", "read_by"]

MOST_BYTES = 256_000_000
INCLUDED = re.compile(rb"""<include\s[^>]*?file\s*=\s*["']([^"']+)["']""")


def file_bundle(named: Iterable[Path]) -> FileBundle:
    """Return files, and all that robot files among them read.

    Args:
        named: by rows.

    Raises:
        ConfigError: they are too large, or a robot's files do not stand together.
        BadFileError: a robot file cannot be read.
    """
    paths: dict[str, None] = {}
    robots: list[Path] = []
    for path in sorted(named):
        paths[str(path.absolute())] = None
        if path.suffix.lower() in ROBOT_ENDINGS:
            robots.append(path)
        paths |= dict.fromkeys(str(p.absolute()) for p in read_by(path))
    size = sum(Path(path).stat().st_size for path in paths)
    if size > MOST_BYTES:
        large = f"{size / 1e6:.0f} MB of files, more than {MOST_BYTES / 1e6:.0f}"
        raise ConfigError("the cluster", [f"its rows name {large}"])
    bundle = FileBundle(
        str(Path.cwd()), {path: Path(path).read_bytes() for path in paths}
    )
    for robot in robots:
        _expect_together(bundle, robot)
    return bundle


def read_by(path: Path) -> list[Path]:
    """Return the files that a robot file reads beside itself.

    Args:
        path: of the robot file; any other file reads none.
    """
    if path.suffix.lower() not in ROBOT_ENDINGS:
        return []
    try:
        robot = read_robot_file(path, None)
    except EquipoiseError:  # the row itself says so
        return []
    spec = robot.scene or robot.spec
    folder = Path(str(spec.modelfiledir))
    found = [folder / where / str(thing.file) for thing, _, where in named_files(spec)]
    found += [path.with_suffix(".robot.yaml"), *included(path)]
    return [one for one in dict.fromkeys(found) if is_file(one)]


def included(path: Path) -> list[Path]:
    """Return the files that a file includes, and those that these include.

    Args:
        path: of the robot file, from whose folder MuJoCo counts all of them.
    """
    found: list[Path] = []
    todo = [path]
    while todo:
        for name in INCLUDED.findall(todo.pop().read_bytes()):
            inside = path.parent / name.decode(errors="replace")
            if is_file(inside) and inside not in found:
                found.append(inside)
                todo.append(inside)
    return found


def _expect_together(bundle: FileBundle, path: Path) -> None:
    """Refuse a robot that is another one where only the bundle is.

    Args:
        bundle: all files.
        path: of the robot file.

    Raises:
        ConfigError: it reads files that it would not find there.
    """
    try:
        here = read_robot_file(path, None).model
    except EquipoiseError:
        return
    with TemporaryDirectory(prefix="equipoise-") as root:
        unpack(bundle, Path(root))
        moved, inside = Path(f"{root}{path.absolute()}"), Path(root).resolve()
        try:
            there = read_robot_file(moved, None).model
            reads = [one.resolve() for one in read_by(moved)]
            is_same = all(one.is_relative_to(inside) for one in reads)
            is_same = is_same and same_numbers(here, there)
        except EquipoiseError:
            is_same = False
    if not is_same:
        problem = f"{shown(str(path))} reads files in other folders; put them "
        problem += "beside it, or the same files onto every machine"
        raise ConfigError("the cluster", [problem])


def same_numbers(one: Any, other: Any) -> bool:
    """Return whether two models have the same bodies, joints and shapes."""
    names = ("body_mass", "body_inertia", "jnt_pos", "geom_pos", "geom_size")
    names += ("mesh_vert", "hfield_data", "body_pos")
    return all(np.array_equal(getattr(one, n), getattr(other, n)) for n in names)
