"""Completion of names, files and choices in the shell.

``equipoise --install-completion`` teaches it to bash, zsh, fish or PowerShell. Names
come from folders and tables that are read, not run, so that it is quick.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from equipoise.robots.builtin import Task

__all__ = [
    "complete_choices",
    "complete_controllers",
    "complete_files",
    "complete_gaits",
    "complete_looks",
    "complete_machines",
    "complete_robot_files",
    "complete_robots",
    "complete_runs",
    "complete_settings",
    "complete_shown_gaits",
    "complete_terrains",
    "completer",
]

ROBOT_FILES = (".urdf", ".xml", ".xacro", ".yaml", ".yml")
GAIT_FILE = "equipoise.control.gaits.named"
SHOWN_FILE = "equipoise.runs.gait.config"


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    """Return the names that begin as was typed."""
    return [name for name in names if name.startswith(incomplete)]


def complete_robots(*tasks: Task, files: bool = True) -> Callable[[str], list[str]]:
    """Return what completes a robot: names of built-in ones, then robot files.

    Args:
        tasks: what the robots do; all of them if none is named.
        files: whether a file can be given too.
    """

    def complete(incomplete: str) -> list[str]:
        from equipoise.cli.robot_options import robots_that
        from equipoise.robots.files.named import shipped_names

        known = [robot.name for robot in robots_that(*tasks)]
        if set(tasks) != {"steer"}:  # which only robots made of modules do
            known += shipped_names()
        names = _beginning(known, incomplete)
        return names + (_paths(incomplete, ROBOT_FILES) if files else [])

    return complete


def complete_robot_files(incomplete: str) -> list[str]:
    """Return what completes a URDF or MJCF file: names of such, then files."""
    from equipoise.robots.files.named import ROBOT_ENDINGS, shipped_names

    return _beginning(shipped_names(), incomplete) + _paths(incomplete, ROBOT_ENDINGS)


def complete_files(*endings: str) -> Callable[[str], list[str]]:
    """Return what completes a file.

    Args:
        endings: of the files that fit, as ``.nc``.
    """

    def complete(incomplete: str) -> list[str]:
        return _paths(incomplete, endings)

    return complete


def _paths(incomplete: str, endings: Sequence[str]) -> list[str]:
    """Return the files that begin as was typed.

    Where nothing is returned, shells go on to folders by themselves.

    Args:
        incomplete: a path so far.
        endings: of the files that fit.
    """
    folder, slash, first = incomplete.rpartition("/")
    place = Path(folder or slash or ".").expanduser()
    try:
        names = sorted(entry.name for entry in os.scandir(place) if entry.is_file())
    except OSError:
        return []
    return [
        f"{folder}{slash}{name}"
        for name in names
        if name.startswith(first)
        and name.isprintable()
        and Path(name).suffix.lower() in endings
    ]


def complete_choices(*names: str) -> Callable[[str], list[str]]:
    """Return what completes one of some words.

    Args:
        names: the words.
    """

    def complete(incomplete: str) -> list[str]:
        return _beginning(names, incomplete)

    return complete


def completer(what: str | Sequence[str]) -> Callable[[str], list[str]] | None:
    """Return what completes a setting's value; None where nothing does.

    Args:
        what: a catalogue, as ``gaits`` or ``controllers:pilot``, or the words.
    """
    if not isinstance(what, str):
        return complete_choices(*what) if what else None
    name, _, kind = what.partition(":")
    if name == "controllers":
        return (
            complete_controllers(*kind.split(",")) if kind else complete_controllers()
        )
    return {
        "": None,
        "gaits": complete_gaits,
        "yaml": complete_files(".yaml", ".yml"),
        "machines": complete_machines,
        "terrains": complete_terrains,
    }[name]


def complete_controllers(*kinds: str) -> Callable[[str], list[str]]:
    """Return what completes a controller's name.

    Args:
        kinds: robots that it is for, as 'biped'; or of which part of a walking
            controller, as 'support'; all if none is named.
    """

    def complete(incomplete: str) -> list[str]:
        from equipoise.cli.listings import controller_rows

        names = (
            str(row["name"])
            for row in controller_rows()
            if not kinds
            or row["robot"] in kinds
            or str(row["what"]).partition(":")[0] in kinds
        )
        return _beginning(names, incomplete)

    return complete


def complete_settings(incomplete: str) -> list[str]:
    """Return controllers and parts of which settings are listed."""
    return complete_controllers()(incomplete) + _beginning(["walker"], incomplete)


def complete_gaits(incomplete: str) -> list[str]:
    """Return the names of gaits."""
    from equipoise.core.catalogue import keys_written

    return _beginning(keys_written(GAIT_FILE, "FAMILIES"), incomplete)


def complete_shown_gaits(incomplete: str) -> list[str]:
    """Return the names of what ``equipoise gait`` shows."""
    from equipoise.core.catalogue import keys_written

    more = _beginning(keys_written(SHOWN_FILE, "GENERATED"), incomplete)
    return sorted({*complete_gaits(incomplete), *more})


def complete_machines(incomplete: str) -> list[str]:
    """Return the machines on which ``equipoise gait`` shows a gait."""
    from equipoise.runs.gait.config import machines

    return _beginning(machines(), incomplete)


def complete_terrains(incomplete: str) -> list[str]:
    """Return the kinds of ground; a colon where a number follows."""
    from equipoise.core.terrains import terrain_words

    return _beginning(terrain_words(), incomplete)


def complete_runs(incomplete: str) -> list[str]:
    """Return recorded runs."""
    return _paths(incomplete, (".nc",))


def complete_looks(incomplete: str) -> list[str]:
    """Return what can be looked at: built-in robots, robot files and recorded runs."""
    return complete_robots(files=False)(incomplete) + _paths(
        incomplete, (*ROBOT_FILES, ".nc")
    )
