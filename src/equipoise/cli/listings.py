"""``equipoise robots`` and ``equipoise controllers``: what is built in."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.cli import options
from equipoise.cli.about import show_robot
from equipoise.cli.completion import complete_robots, complete_settings
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    write_files,
    write_json,
)
from equipoise.cli.robot_options import robots_that
from equipoise.control.recommended import BALANCE_LAW, STEERING_LAW

if TYPE_CHECKING:
    from equipoise.core.setting import FieldSetting

__all__ = ["controllers_command", "robots_command"]


CONTROL = "equipoise.control"
"""Where the files of controllers are."""
GROUPS = {
    "modules": "robots made of modules",
    "biped": "the biped",
    "walking machines": "walking machines",
}
"""What a controller's robot is called in a table."""
WALKING_PARTS = {
    "guide": "pilots",
    "planner": "planners",
    "support": "support",
    "motion": "motion",
    "balance": "balance",
    "legs": "leg_programs",
    "reflexes": "reflexes",
}
"""Where the files of a walking controller's parts are, by what they decide."""
CALLED = {"guide": "pilot"}
"""Parts that users call otherwise than the settings do."""


def robots_command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Show one robot: legs, limits, sensors, and each number's source.",
            autocompletion=complete_robots(files=False),
            show_default=False,
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="Write the robot to a .urdf or .xml (MJCF) file for editing.",
            show_default=False,
        ),
    ] = None,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """List the robots that can be given by name, or describe one with its sources.

    A file works wherever a name does; 'equipoise describe FILE' describes it. Some
    named robots are files: 'equipoise describe NAME' describes them, too.
    """
    expect_out(out)
    if name is not None:
        return show_robot(name, json_output, out, save)
    if save is not None:
        from equipoise.core.errors import ConfigError

        problem = "--save takes one robot: name it (equipoise robots NAME --save FILE)"
        raise ConfigError("the list of robots", [problem])
    return _show("robots", _robot_rows(), json_output, out)


def _robot_rows() -> list[dict[str, object]]:
    """Return the robots that have a name: made by programs, and robot files."""
    from equipoise.robots.files.named import shipped_names, shipped_what

    found = {robot.name: robot.what for robot in robots_that()}
    found |= {name: shipped_what(name) for name in shipped_names()}
    return [{"name": name, "what": found[name]} for name in sorted(found)]


def controllers_command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="List the settings (--set) of one controller or part, or of 'walker', "
            "that is, of all walking parts.",
            autocompletion=complete_settings,
            show_default=False,
        ),
    ] = None,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """List the controllers by kind of robot, or the settings of one.

    'equipoise balance --controller NAME' takes those of modules and of the biped. For
    walking machines, 'equipoise walk --controller NAME' takes a whole controller, and
    --pilot, --planner, --support, --motion, --balance, --leg-program and --reflexes
    take parts.
    """
    expect_out(out)
    if name is not None:
        return _show_settings(name, json_output, out)
    return _show("controllers", controller_rows(), json_output, out)


def controller_rows() -> list[dict[str, object]]:
    """Return all controllers, as their files say; no file is run for that."""
    from equipoise.core.catalogue import offered

    rows: list[dict[str, object]] = []
    for robot, usual, laws in (
        ("modules", STEERING_LAW, f"{CONTROL}.com.laws"),
        ("biped", BALANCE_LAW, f"{CONTROL}.workspace.laws"),
    ):
        for name, what in offered(laws).items():
            rows.append(_row_of(name, what, name == usual, robot))
    return rows + whole_walkers() + _walking_parts()


def whole_walkers() -> list[dict[str, object]]:
    """Return the controllers of walking machines that bring all parts themselves."""
    from equipoise.core.catalogue import offered

    return [
        _row_of(name, f"whole: {what}", False, "walking machines")
        for name, what in offered(f"{CONTROL}.controllers").items()
    ]


def _walking_parts() -> list[dict[str, object]]:
    """Return the parts of walking controllers; those of the trot are recommended."""
    from equipoise.core.catalogue import offered, written

    rows: list[dict[str, object]] = []
    for kind, home in WALKING_PARTS.items():
        usual = written(f"{CONTROL}.walker", f"WalkerConfig.{kind}")
        own = usual if isinstance(usual, tuple) else (usual,)
        for name, what in offered(f"{CONTROL}.{home}").items():
            what = f"{CALLED.get(kind, kind)}: {what}"
            rows.append(_row_of(name, what, name in own, "walking machines"))
    return rows


def _row_of(name: str, what: str, recommended: bool, robot: str) -> dict[str, object]:
    """Return a controller's row."""
    return {"name": name, "what": what, "recommended": recommended, "robot": robot}


def _settings_rows(name: str) -> list[dict[str, object]]:
    """Return what can be set of a controller: name, default, unit and meaning."""
    from equipoise.core.errors import ConfigError

    if name in {row["name"] for row in whole_walkers()}:
        problem = (
            f"'{name}' is made of parts, which have the settings; 'equipoise "
            "controllers walker' lists those of all parts"
        )
        raise ConfigError("the list of settings", [problem])
    found = controller_settings(name)
    return [
        {
            "name": one.name,
            "default": one.default,
            "unit": one.about.unit,
            "what": one.about.meaning,
        }
        for one in found.values()
    ]


def controller_settings(name: str) -> "dict[str, FieldSetting]":
    """Return the settings of a controller, or of the parts of walking ones, by asking.

    Args:
        name: of the controller or part; 'walker' for all parts.
    """
    walking = {part["name"] for part in _walking_parts()}
    if name != "walker" and name not in walking:
        from equipoise.control.laws import law_settings

        return law_settings(name)
    from equipoise.control.walker import WalkerConfig
    from equipoise.core.settings import settings_of

    found = settings_of(WalkerConfig())
    if name == "walker":
        return found
    return {key: one for key, one in found.items() if key.startswith(f"{name}.")}


def _show_settings(name: str, json_output: bool, out: Path | None) -> int:
    """Print what can be set of a controller, and return the exit code."""
    rows = _settings_rows(name)
    content = {"controller": name, "settings": rows}
    written = write_files(out, lambda to: [write_json(to, f"{name}.json", content)])
    if json_output:
        print_json(content)
        return 0
    cells = [
        (str(row["name"]), _shown(row["default"]), str(row["unit"]), str(row["what"]))
        for row in rows
    ]
    head = (f"--set, of '{name}'", "default", "unit", "meaning")
    print_table(head, cells or [("nothing", "", "", "")], justify="left")
    print_written(written)
    return 0


def _shown(value: object) -> str:
    """Return a value as it is typed after ``--set NAME=``."""
    if isinstance(value, tuple):
        return ",".join(_shown(one) for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value).lower()


def _show(
    kind: str, rows: Sequence[Mapping[str, object]], json_output: bool, out: Path | None
) -> int:
    """Print a list and return the exit code."""
    content = {kind: rows}
    written = write_files(out, lambda to: [write_json(to, f"{kind}.json", content)])
    if json_output:
        print_json({kind: rows})
        return 0
    kinds = list(dict.fromkeys(row.get("robot") for row in rows))
    for group in kinds:
        cells = [
            (
                f"{row['name']}{' (recommended)' if row.get('recommended') else ''}",
                row["what"],
            )
            for row in rows
            if row.get("robot") == group
        ]
        head = kind if group is None else f"{kind} of {GROUPS.get(str(group), group)}"
        print_table((head, "description"), cells, justify="left")
    print_written(written)
    return 0
