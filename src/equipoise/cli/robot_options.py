"""Options about a robot: those that built-in robots declare, and those of robot files.

A command that works on robots takes ``robot_options``, a dictionary, and is decorated
with ``takes_robot_options``: in its place stand the options of every built-in robot of
the kinds it works on, as their folders declare them, and those of a robot file: which
body is its base, and what its user says of it. No command names a robot's option.
"""

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from equipoise.cli.command import ONLY
from equipoise.cli.completion import complete_choices
from equipoise.cli.output import complain
from equipoise.cli.quantities import quantity
from equipoise.core.quantity import quantity_in
from equipoise.core.setting import FieldSetting
from equipoise.robots.builtin import BuiltIn, Task, builtin, builtin_names

__all__ = [
    "NONE",
    "RobotOptions",
    "options_apart",
    "package_option",
    "robot_names",
    "robots_that",
    "takes_robot_options",
]

PLACE = "robot_options"
FILES = "Robot files"
CHANGE = "change"
JOINED = {CHANGE: ",", "packages": os.pathsep}
"""Options that may be repeated, and what is put between."""
MOST_NAMES = 4  # of robots that a line of help lists
ROBOT = ("robot", "machine", "file", "run")  # what the argument for a robot is called
RobotOptions = dict[str, Any]
"""The options of a robot that were typed, by name."""
NONE: RobotOptions = {}


def robots_that(*tasks: Task) -> list[BuiltIn]:
    """Return the built-in robots that do something; all of them if none is named.

    Args:
        tasks: what they do.
    """
    robots = [builtin(name) for name in builtin_names()]
    return [robot for robot in robots if not tasks or robot.task in tasks]


def options_apart(task: Task, robot: str) -> list[str]:
    """Return the options of robots that do something which another does not have.

    Args:
        task: what they do.
        robot: name of the other, a built-in one.
    """
    own = [option.name for option in builtin(robot).typed]
    theirs = [o.name for found in robots_that(task) for o in found.typed]
    return [name for name in theirs if name not in own]


def robot_names(*tasks: Task, first: str = "", more: str = "FILE") -> str:
    """Return how a command's argument is shown: names of robots, or a file.

    Where there are many names, 'equipoise robots' tells them.

    Args:
        tasks: what the robots do; all of them if none is named.
        first: the robot that is taken where none is named.
        more: what else can be given.
    """
    names = sorted((robot.name for robot in robots_that(*tasks)), key=first.__ne__)
    few = names if len(names) <= MOST_NAMES else [names[0], "ROBOT"]
    return "|".join([*few, *([more] if more else [])])


def takes_robot_options(
    *tasks: Task, is_built_in: bool = True, has_drives: bool = False, says: bool = True
) -> Callable[[Callable[..., int]], Any]:
    """Decorator: let a command take the options of built-in robots and robot files.

    Args:
        tasks: what the built-in robots do on which it works; all robots if none is
            named. One that works on robots of modules only takes no robot files.
        is_built_in: whether it works on built-in robots.
        has_drives: whether it matters to it what drives the joints.
        says: whether the description of a file that counts is named on stderr.
    """
    is_of_files = tasks != ("steer",)

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        offered = _offered_options(robots_that(*tasks)) if is_built_in else {}
        if is_of_files:
            offered |= _file_options(has_drives) | _change_option()
        signature = inspect.signature(command, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for name, parameter in signature.parameters.items():
            parameters += offered.values() if name == PLACE else [parameter]

        @functools.wraps(command)
        def with_options(**values: Any) -> int:
            typed = {name: values.pop(name) for name in offered}
            given = {name: value for name, value in typed.items() if value is not None}
            for name, between in JOINED.items():
                if name in given:
                    given[name] = between.join(given[name])
            if is_of_files and says:
                _say_description(values, given)
            return command(**values, **{PLACE: given})

        made: Any = with_options
        made.__signature__ = signature.replace(parameters=parameters)
        made.__annotations__ = {p.name: p.annotation for p in parameters}
        return made

    return decorate


def _say_description(values: Mapping[str, Any], given: RobotOptions) -> None:
    """Say on stderr which description of a robot file counts, if one does."""
    named = next((values[name] for name in ROBOT if name in values), "")
    robots = [str(robot) for robot in (named if isinstance(named, list) else [named])]
    places: list[Any] = [given.get("description")]
    if places == [None]:
        from equipoise.robots.beside import sidecar_path

        places = [sidecar_path(robot) for robot in robots]
    for place in places:
        if place is not None:
            complain(f"Settings in {place} take precedence over the robot file.")


def _file_options(has_drives: bool) -> dict[str, inspect.Parameter]:
    """Return the parameters of a command for what can be said of a robot file.

    Args:
        has_drives: whether drives are among them.
    """
    said: dict[str, tuple[type, Any]] = {
        "base": (
            str,
            typer.Option(
                "--base",
                metavar="NAME",
                help="Body of the file that is the robot's base; for a URDF also "
                "'free' or 'fixed'.",
                show_default="found",
                rich_help_panel=FILES,
            ),
        ),
        "description": (
            Path,
            typer.Option(
                "--description",
                metavar="FILE",
                help="Sidecar file that corrects or completes the robot file; "
                "'equipoise describe' writes one.",
                show_default="NAME.robot.yaml beside the file",
                rich_help_panel=FILES,
            ),
        ),
    }
    said["packages"] = (list[str], package_option())
    if has_drives:
        said["drives"] = (
            Path,
            typer.Option(
                "--drives",
                metavar="FILE",
                help="Drives of the file's joints, as YAML: '*_knee: {torque: 40, "
                "speed: 20, armature: 0.01}'.",
                show_default="found",
                rich_help_panel=FILES,
            ),
        )
    return {
        name: inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=None,
            annotation=Annotated[kind | None, option],
        )
        for name, (kind, option) in said.items()
    }


def package_option() -> Any:
    """Return the option that says where packages of meshes are."""
    return typer.Option(
        "--package-path",
        metavar="[NAME=]DIR",
        help="Folder of the package NAME in package://NAME/..., or a folder that "
        "contains packages; can be repeated.",
        show_default="ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, folders above the file",
        rich_help_panel=FILES,
    )


def _change_option() -> dict[str, inspect.Parameter]:
    """Return the parameter of a command for other numbers than a robot's own."""
    option = typer.Option(
        "--change",
        metavar="WHAT.NAME=VALUE",
        help="Change a number of the robot: mass or length of a body; damping, "
        "friction, stiffness or armature of a joint. NAME can contain *. VALUE is a "
        "number such as 30kg, or a factor such as 1.2x; can be repeated.",
        show_default="none",
    )
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    annotation = Annotated[list[str] | None, option]
    made = inspect.Parameter(CHANGE, kind, default=None, annotation=annotation)
    return {CHANGE: made}


def _offered_options(robots: Iterable[BuiltIn]) -> dict[str, inspect.Parameter]:
    """Return the parameters of a command for what can be chosen of some robots.

    Args:
        robots: on which it works; an option that several have is offered once.
    """
    owners: dict[str, list[tuple[BuiltIn, FieldSetting]]] = {}
    for robot in robots:
        for option in robot.typed:
            owners.setdefault(option.name, []).append((robot, option))
    return {name: _parameter(name, found) for name, found in owners.items()}


def _parameter(
    name: str, owners: list[tuple[BuiltIn, FieldSetting]]
) -> inspect.Parameter:
    """Return the parameter of a command for one option.

    Args:
        name: of the option.
        owners: the robots that have it, and what each says about it.
    """
    told = [option.help for _, option in owners[:1]]
    if len(owners) > 1:
        told = [f"{robot.name}: {_lowered(option.help)}" for robot, option in owners]
    defaults = dict.fromkeys(option.shown_default for _, option in owners)
    first = owners[0][1]
    settings: dict[str, Any] = {
        "help": " ".join(told),
        "show_default": " or ".join(defaults),
        "rich_help_panel": ONLY + ", ".join(robot.name for robot, _ in owners),
    }
    if first.choices:
        words = tuple(map(str, first.choices))
        settings["metavar"] = "|".join(words)
        settings["autocompletion"] = complete_choices(*words)
    if first.kind is float:
        kind = quantity_in(first.about.unit).kind
        offer = quantity(
            f"--{first.option}", kind=kind, unit=first.about.unit, **settings
        )
    else:
        offer = typer.Option(f"--{first.option}", **settings)
    annotation = Annotated[first.kind | None, offer]
    return inspect.Parameter(
        name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=None,
        annotation=annotation,
    )


def _lowered(sentence: str) -> str:
    """Return a sentence as it goes on after a colon."""
    return sentence[:1].lower() + sentence[1:]
