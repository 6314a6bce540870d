"""Options about a robot: those that built-in robots declare, and those of robot files.

A command that works on robots takes ``robot_options``, a dictionary, and is decorated
with ``takes_robot_options``: in its place stand the options of every built-in robot of
the kinds it works on, as their folders declare them, and those of a robot file: which
body is its base, and what its user says of it. No command names a robot's option.
"""

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from equipoise.cli.command import ONLY
from equipoise.cli.output import complain
from equipoise.cli.setting_options import setting_parameter
from equipoise.core.setting import FieldSetting, described_settings
from equipoise.robots.builtin import BuiltIn, Task, builtin, builtin_names
from equipoise.runs.robot import ChangeOptions, FileOptions

__all__ = [
    "NONE",
    "RobotOptions",
    "options_apart",
    "robot_names",
    "robots_that",
    "takes_robot_options",
]

PLACE = "robot_options"
CHANGE = "change"
JOINED = {CHANGE: ",", "packages": os.pathsep}
"""Options that may be repeated, and what is put between."""
MOST_NAMES = 4  # of robots that a line of help lists
ROBOT = ("robot", "machine", "file", "run")  # what the argument for a robot is called
RobotOptions = dict[str, Any]
"""The options of a robot that were typed, by name."""
NONE: RobotOptions = {}
Parameters = dict[str, inspect.Parameter]


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
            apart = () if has_drives else ("drives",)
            offered |= _described(FileOptions, apart) | _described(ChangeOptions)
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
        from equipoise.robots.sidecar import sidecar_path

        places = [sidecar_path(robot) for robot in robots]
    for place in places:
        if place is not None:
            complain(f"Settings in {place} take precedence over the robot file.")


def _described(options: type, apart: Sequence[str] = ()) -> Parameters:
    """Return the parameters of a command for described options.

    Args:
        options: a dataclass with described fields.
        apart: names of those that are left out.
    """
    every = described_settings(options).values()
    return {one.name: setting_parameter(one) for one in every if one.name not in apart}


def _offered_options(robots: Iterable[BuiltIn]) -> Parameters:
    """Return the parameters of a command for what can be chosen of some robots.

    Args:
        robots: on which it works; an option that several have is offered once.
    """
    owners: dict[str, list[tuple[BuiltIn, FieldSetting]]] = {}
    for robot in robots:
        for option in robot.typed:
            owners.setdefault(option.name, []).append((robot, option))
    return {name: _parameter(found) for name, found in owners.items()}


def _parameter(owners: list[tuple[BuiltIn, FieldSetting]]) -> inspect.Parameter:
    """Return the parameter of a command for one option.

    Args:
        owners: the robots that have it, and what each says about it.
    """
    told = [option.help for _, option in owners[:1]]
    if len(owners) > 1:
        told = [f"{robot.name}: {_lowered(option.help)}" for robot, option in owners]
    defaults = dict.fromkeys(option.shown_default for _, option in owners)
    return setting_parameter(
        owners[0][1],
        help=" ".join(told),
        show_default=" or ".join(defaults),
        rich_help_panel=ONLY + ", ".join(robot.name for robot, _ in owners),
    )


def _lowered(sentence: str) -> str:
    """Return a sentence as it goes on after a colon."""
    return sentence[:1].lower() + sentence[1:]
