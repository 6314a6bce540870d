"""``equipoise limits``: how much a robot takes before it falls."""

from dataclasses import fields
from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    progress_bar,
    write_files,
)
from equipoise.cli.robot_options import (
    NONE,
    RobotOptions,
    robot_names,
    robots_that,
    takes_robot_options,
)

__all__ = ["limits_command"]


@takes_robot_options("stand", has_drives=True)
def limits_command(
    context: typer.Context,
    robot: Annotated[
        str,
        typer.Argument(
            metavar=robot_names("stand", first="biped", more=""),
            help="The biped.",
            show_default=False,
        ),
    ] = "biped",
    controller: Annotated[
        str | None,
        typer.Option(
            help="Which law, see 'equipoise controllers'.",
            show_default="the recommended one",
        ),
    ] = None,
    pushes: Annotated[int, typer.Option(help="How many random pushes.")] = 200,
    robot_options: RobotOptions = NONE,
    friction: options.Friction = None,
    timestep: options.Timestep = None,
    processes: Annotated[
        int, typer.Option(help="Runs at a time; the numbers do not depend on it.")
    ] = 2,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """Find the largest block, pushes in 8 directions and share of random pushes.

    A run counts as survived when the robot has not fallen and is at rest within 5 cm
    and 5 degrees of its aim 4 s after the start. Exits 0 when done.
    """
    from equipoise.core.errors import ConfigError
    from equipoise.runs.limits import LimitsConfig, limits
    from equipoise.runs.robot import RobotChoice

    expect_out(out)
    known = [found.name for found in robots_that("stand")]
    if robot not in known:
        listed = ", ".join(f"'{name}'" for name in known)
        problem = f"limits are known of the robot {listed}, got '{robot}'"
        raise ConfigError("limits", [problem])
    if not 1 <= processes <= 256:
        raise ConfigError("limits", [f"processes must be 1 to 256, got {processes}"])
    given = options.given_options(context)
    own = {field.name for field in fields(LimitsConfig)} - {"robot"}
    config = LimitsConfig(
        robot=RobotChoice(name=robot, options=robot_options),
        **{name: value for name, value in given.items() if name in own},
    )
    with progress_bar("looking for limits") as progress:
        result = limits(config, processes=processes, progress=progress)
    written = write_files(out, result.save)
    if json_output:
        print_json(result.summary)
    else:
        print_limits(result.summary)
        print_written(written)
    return 0


def print_limits(s: dict[str, Any]) -> None:
    """Print limits for people."""
    rows = [("largest block at 4.5 m/s [kg]", f"{s['block_mass_kg']:.2f}")]
    for heading, impulse in zip(s["heading_deg"], s["impulse_ns"], strict=True):
        rows.append((f"largest push towards {heading:.0f}° [N s]", f"{impulse:.1f}"))
    rows.append(
        ("random pushes survived", f"{s['pushes_survived']} of {s['pushes']}"),
    )
    title = f"{s['robot']}, balanced by '{s['controller']}'; it faces 180°"
    print_table(("", "value"), rows, title)
