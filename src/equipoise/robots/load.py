"""One door to every robot: a built-in name, an assembly file, a URDF or MJCF file."""

from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from equipoise.core.errors import BadFileError, ConfigError, UnknownNameError
from equipoise.robots.assembly.file import read_assembly
from equipoise.robots.assembly.spec import robot_from_assembly
from equipoise.robots.biped.biped import biped
from equipoise.robots.files.robot_file import read_robot_file
from equipoise.robots.robot import Robot
from equipoise.robots.superbot.module import SuperbotModule
from equipoise.robots.superbot.superbot import random_tree
from equipoise.robots.warp1.options import Warp1Config
from equipoise.robots.warp1.warp1 import warp1

__all__ = ["builtin_names", "load"]

TREE_OPTIONS = ("modules", "branches", "seed", "angles", "mount", "module")
MODULE_OPTIONS = tuple(field.name for field in fields(SuperbotModule))
BIPED_OPTIONS = ("height", "body_mass", "feet", "torque_limit")
WARP1_OPTIONS = tuple(field.name for field in fields(Warp1Config))
ASSEMBLY_ENDINGS, ROBOT_ENDINGS = (".yaml", ".yml"), (".urdf", ".xml")


def load(name_or_path: str | Path, **options: Any) -> Robot:
    """Return a robot.

    Args:
        name_or_path: ``superbot``, ``biped``, ``warp1``, a ``.yaml`` assembly, or a
            ``.urdf`` or ``.xml`` robot file. A name with a slash or an ending is a
            path.
        options: for ``superbot`` those of ``random_tree`` and of ``SuperbotModule``
            (``modules=8, seed=3, mass_scale=0.2, kind="conro"``); for ``biped`` those
            of ``biped`` (``height=1.6, body_mass=55``); for ``warp1`` those of
            ``Warp1Config`` (``knees="inwards", payload=50``); for a URDF file
            ``base="free"`` or ``"fixed"``; for an MJCF file ``base=`` the name of the
            robot's base, where several bodies move; none for an assembly.

    Raises:
        UnknownNameError: no such built-in robot, or no such option.
        BadFileError: the file cannot be used.
        ConfigError: an option's value does not fit.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, str) and text in BUILT_IN:
        return BUILT_IN[text](**options)
    path = Path(name_or_path)
    ending = path.suffix.lower()
    if ending in ASSEMBLY_ENDINGS:
        expect_options(options, (), f"the assembly file {path}")
        return robot_from_assembly(read_assembly(path))
    if ending in ROBOT_ENDINGS:
        expect_options(options, ("base",), f"the robot file {path}")
        return read_robot_file(path, **options)
    if path.is_dir() and text:
        raise BadFileError(f"{path}: is a folder; name a robot file inside it.")
    if path.is_file() or len(path.parts) > 1 or ending:
        known = ", ".join(ASSEMBLY_ENDINGS + ROBOT_ENDINGS)
        raise BadFileError(
            f"{path}: is not a kind of robot file that can be read; "
            f"name one that ends in {known}."
        )
    where = "the library (a path to a file may be given as well)"
    raise UnknownNameError("robot", text, BUILT_IN, where)


def builtin_names() -> tuple[str, ...]:
    """Return the names that ``load`` knows without a file."""
    return tuple(sorted(BUILT_IN))


def superbot(**options: Any) -> Robot:
    """Return a random tree; settings of the module go to the module."""
    expect_options(options, TREE_OPTIONS + MODULE_OPTIONS, "'superbot'")
    settings = {k: v for k, v in options.items() if k in MODULE_OPTIONS}
    plan = {k: v for k, v in options.items() if k in TREE_OPTIONS}
    if settings:
        if plan.get("module") is not None:
            listed = ", ".join(settings)
            raise ConfigError(
                "'superbot'", [f"give either module or {listed}, not both"]
            )
        plan["module"] = SuperbotModule(**settings)
    return random_tree(**plan)


def sized_biped(**options: Any) -> Robot:
    """Return a biped of a human's size."""
    expect_options(options, BIPED_OPTIONS, "'biped'")
    return biped(**options)


def chosen_warp1(**options: Any) -> Robot:
    """Return WARP1, its legs and payload as chosen."""
    expect_options(options, WARP1_OPTIONS, "'warp1'")
    return warp1(Warp1Config(**options))


def expect_options(options: dict[str, Any], known: Iterable[str], where: str) -> None:
    """Refuse an option that does not exist here."""
    for name in options:
        if name not in known:
            raise UnknownNameError("option", name, known, where)


BUILT_IN: dict[str, Callable[..., Robot]] = {
    "biped": sized_biped,
    "superbot": superbot,
    "warp1": chosen_warp1,
}
