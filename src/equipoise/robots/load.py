"""One door to every robot: a built-in name, an assembly file, a URDF or MJCF file.

Or the name of a file that comes along or that the package ``robot_descriptions``
knows, see ``robots.files.named``.
"""

from pathlib import Path
from typing import Any

from equipoise.core.errors import BadFileError
from equipoise.core.log import note
from equipoise.robots.assembled import robot_from_assembly
from equipoise.robots.assembly.file import read_assembly
from equipoise.robots.builtin import (
    builtin,
    builtin_names,
    expect_options,
    unknown_robot,
)
from equipoise.robots.changes.change import changed
from equipoise.robots.files.named import robot_path
from equipoise.robots.files.other_formats import OTHER_FORMATS, other_format
from equipoise.robots.files.packages import packages_of
from equipoise.robots.found.overrides import SAYS, with_description
from equipoise.robots.robot import Robot
from equipoise.robots.robot_file import read_robot_file
from equipoise.robots.sidecar import ROBOT_ENDINGS

__all__ = ["load"]

ASSEMBLY_ENDINGS = (".yaml", ".yml")


def load(name_or_path: str | Path, **options: Any) -> Robot:
    """Return a robot.

    Args:
        name_or_path: a built-in robot (``superbot``, ``biped``, ``warp1``, see
            ``builtin_names``), a ``.yaml`` assembly, or a ``.urdf`` or ``.xml`` robot
            file, or a ``.xacro`` file where xacro is installed. A name with a slash or
            an ending is a path. Or the name of a robot file that comes along (``colt``,
            ``squire``, see ``shipped_names``), or one of the package
            ``robot_descriptions`` (``go2_description``).
        options: of a built-in robot what its folder declares: for ``superbot`` those of
            ``SuperbotOptions`` and of ``SuperbotModule`` (``modules=8, seed=3,
            mass_scale=0.2, kind="conro"``); for ``biped`` those of ``BipedOptions``
            (``height=1.6, body_mass=55``); for ``warp1`` those of ``Warp1Options``
            (``knees="inwards", payload=50``); none for an assembly. For a robot file
            what counts in place of what would be found in it: ``base=`` the link that
            carries the legs, of a URDF also ``"free"`` or ``"fixed"``, of an MJCF file
            with several moving bodies also which of them is the robot; ``feet=`` the
            links at the ends of its legs; ``leg_names=`` one each; ``stand=`` values by
            joint, or the name of a pose of the file; ``drives=`` numbers by joint, as
            ``{"*_knee": {"torque": 40}}``, or a YAML file of them; ``description=`` a
            file with all that, as ``equipoise describe`` writes it, else
            ``NAME.robot.yaml`` beside the file if it is there; ``packages=`` where the
            packages of ``package://NAME/...`` are, ``{"go2_description": folder}``, or
            a folder that holds packages, or several. For any of them but an
            assembly ``change=``, other numbers than its own by name:
            ``{"mass.trunk": 30, "length.*_shank": "1.1x"}``, see ``robots.changes``.

    Raises:
        UnknownNameError: no such built-in robot, or no such option.
        BadFileError: the file cannot be used.
        ConfigError: an option's value does not fit.
        MissingToolError: ``robot_descriptions`` is missing, or cannot fetch a robot.
    """
    changes = options.pop("change", None)
    robot = _loaded(name_or_path, options)
    return robot if changes is None else changed(robot, changes)


def _loaded(name_or_path: str | Path, options: dict[str, Any]) -> Robot:
    """Return a robot as its file or builder has it."""
    text = str(name_or_path)
    if isinstance(name_or_path, str) and text in builtin_names():
        robot = builtin(text)
        return robot.build(robot.chosen(options))
    path = Path(robot_path(name_or_path))
    note(f"reading {path}")
    ending = path.suffix.lower()
    if ending in ASSEMBLY_ENDINGS:
        expect_options(options, (), f"the assembly file {path}")
        return robot_from_assembly(read_assembly(path))
    if ending in ROBOT_ENDINGS:
        expect_options(options, ("base", "packages", *SAYS), f"the robot file {path}")
        base = options.pop("base", None)
        said = packages_of(options.pop("packages", None))
        robot = read_robot_file(path, base, said)
        return with_description(robot, path, base, options)
    if ending in OTHER_FORMATS:
        raise BadFileError(f"{path}: {other_format(ending)}.")
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        is_folder = is_file = False
    if is_folder and text:
        raise BadFileError(f"{path}: is a folder; name a robot file inside it.")
    if is_file or len(path.parts) > 1 or ending:
        known = ", ".join(ASSEMBLY_ENDINGS + ROBOT_ENDINGS)
        raise BadFileError(
            f"{path}: is not a kind of robot file that can be read; "
            f"name one that ends in {known}."
        )
    raise unknown_robot(text)
