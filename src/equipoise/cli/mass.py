"""``equipoise mass``: mass, centre of mass and inertia of a whole robot."""

from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_robots
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    write_files,
)
from equipoise.cli.robot_options import NONE, RobotOptions, takes_robot_options

__all__ = ["mass_command"]


@takes_robot_options()
def mass_command(
    robot: Annotated[
        str,
        typer.Argument(
            metavar="ROBOT",
            help="Built-in robot ('equipoise robots' lists them) or robot file.",
            autocompletion=complete_robots(),
        ),
    ] = "superbot",
    seed: options.Seed = 0,
    robot_options: RobotOptions = NONE,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Compute mass, centre of mass and inertia of a robot.

    The modules of a modular robot compute them by exchanging messages.
    """
    from equipoise.runs.mass import robot_mass
    from equipoise.runs.robot import RobotChoice

    expect_out(out)
    choice = RobotChoice(name=robot, seed=seed, options=robot_options)
    result = robot_mass(choice)
    written, summary = write_files(out, result.save), result.summary
    if json_output:
        print_json(summary)
    else:
        _print_mass(summary)
        print_written(written)
    return 0


def _print_mass(s: dict[str, Any]) -> None:
    """Print mass properties for people."""
    rows = [
        ("mass [kg]", f"{s['mass']:.6g}"),
        ("centre of mass x, y, z [m]", ", ".join(f"{x:.4f}" for x in s["com"])),
    ]
    for axis, line in zip("xyz", s["inertia"], strict=True):
        numbers = ", ".join(f"{x:.4g}" for x in line)
        rows.append((f"inertia about the centre, row {axis} [kg m²]", numbers))
    rows.append(("equivalent box [m]", " x ".join(f"{x:.3f}" for x in s["extents"])))
    if s["messages"] is not None:
        rows.append(("messages, in rounds", f"{s['messages']}, in {s['rounds']}"))
    rows.append(("largest error against MuJoCo", f"{s['max_error_vs_engine']:.1e}"))
    title = s["robot"] if not s["modules"] else f"{s['robot']}, {s['modules']} modules"
    if s["left_out"]:
        rows.append(("left out of the file", ", ".join(s["left_out"])))
    print_table(("", "value"), rows, title)
