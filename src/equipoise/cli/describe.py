"""``equipoise describe``: what was found in a robot file, as a file to edit."""

from pathlib import Path
from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_robot_files
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    say,
    write_files,
)
from equipoise.cli.robot_options import NONE, RobotOptions, takes_robot_options

__all__ = ["describe_command"]

MOST = 12  # names in a line
File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="URDF, xacro or MJCF file, or the name of a robot that is a file.",
        autocompletion=complete_robot_files,
    ),
]


@takes_robot_options(is_built_in=False, has_drives=True, says=False)
def describe_command(
    file: File,
    robot_options: RobotOptions = NONE,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """Show which legs, feet, stand and drives a robot file has, and what is assumed.

    With --out the command writes NAME.robot.yaml, a sidecar file to edit and to put
    beside the robot file. Exits 1 when no legs are found.
    """
    from equipoise.core.errors import BadFileError
    from equipoise.core.files import atomic_write
    from equipoise.robots.builtin import is_unknown, unknown_robot
    from equipoise.robots.files.named import robot_path
    from equipoise.robots.found.file import description_text
    from equipoise.robots.load import load
    from equipoise.robots.sidecar import ROBOT_ENDINGS, description_name
    from equipoise.runs.describe import robot_description

    expect_out(out)
    file = Path(robot_path(file))
    if is_unknown(file):
        raise unknown_robot(str(file))
    if file.suffix.lower() not in ROBOT_ENDINGS:
        known = " or ".join(ROBOT_ENDINGS)
        raise BadFileError(
            f"{file}: this is not a robot file; name one that ends in {known}."
        )
    found = robot_description(load(file, **robot_options))
    text = description_text(found)
    name = description_name(file)
    written = write_files(out, lambda to: [atomic_write(to / name, text)])
    if json_output:
        print_json(found)
    else:
        print_description(found)
        print_written(written)
    return 0 if found["legs"] else 1


def print_description(found: dict[str, Any]) -> None:
    """Print what was found for people."""
    if not found["legs"]:
        say(f"{found['robot']}: no legs were found: {found['reasons'][0]}.")
        return
    rows = [
        (
            leg["name"],
            len(leg["joints"]),
            leg["foot"]["kind"],
            " x ".join(f"{x:.3f}" for x in leg["foot"]["size_m"]),
            ", ".join(leg["foot"]["shapes"][:2]) or "-",
        )
        for leg in found["legs"]
    ]
    head = ("leg", "joints", "foot", "size [m]", "shape")
    print_table(head, rows, f"{found['robot']}, on {found['base']}", "left")
    drives = [
        (
            row["joint"],
            f"{row['torque']:.4g}",
            f"{row['speed']:.4g}",
            f"{row['inertia']:.3g}",
            ", ".join(row["assumed"]) or "-",
        )
        for row in found["drives"]
    ]
    print_table(("drive", "torque", "speed", "inertia", "assumed"), drives)
    stand = found["stand"]
    say(f"stand: {stand['from']}, base at {stand['height_m']:.3f} m")
    say(f"it stands like that: {found['stands']} ({found['reasons'][0]})")
    if found["held"]:
        say(f"held: {_listed(found['held'])}")
    if found["root"] != "free":
        say(f"its base is {found['root']}, not free")
    still = [joint for leg in found["legs"] for joint in leg["passive"]]
    if still:
        say(f"nothing drives: {_listed(still)}")
    if found["wheels"]:
        say(f"on wheels: {_listed(found['wheels'])}")
    if found["loops"]:
        say(f"tied together beside their joints: {_listed(found['loops'])}")
    if found["coupled"]:
        say(f"joints that follow others: {_listed(found['coupled'])}")
    if found["description"]:
        say(f"taken from {found['description']}")
    for line in found["assumed"]:
        say(f"assumed: {line}")


def _listed(names: list[str]) -> str:
    """Return some names for people."""
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return ", ".join(names[:MOST]) + more
