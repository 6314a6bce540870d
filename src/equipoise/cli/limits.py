"""``equipoise limits``: how much a robot takes before it falls."""

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_controllers, complete_robots
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    progress_bar,
    say,
    write_files,
)
from equipoise.cli.quantities import quantity
from equipoise.cli.robot_options import (
    NONE,
    RobotOptions,
    robot_names,
    robots_that,
    takes_robot_options,
)
from equipoise.robots.files.named import is_robot_file

__all__ = ["limits_command"]


@takes_robot_options("stand", has_drives=True)
def limits_command(
    context: typer.Context,
    robot: Annotated[
        str,
        typer.Argument(
            metavar=robot_names("stand", first="biped"),
            help="The biped, or the file of a robot on soles.",
            autocompletion=complete_robots("stand"),
            show_default=False,
        ),
    ] = "biped",
    controller: Annotated[
        str | None,
        typer.Option(
            help="Which law, see 'equipoise controllers'.",
            autocompletion=complete_controllers("biped"),
            show_default="the recommended one",
        ),
    ] = None,
    pushes: Annotated[int, typer.Option(help="How many random pushes.")] = 200,
    impulse: Annotated[
        float | None,
        quantity(
            kind="impulse per mass",
            unit="N s/kg",
            help="Of every random push, per mass of the robot.",
            show_default="drawn, 0.06 to 0.34; with --gpu 0.2 to 1.4",
        ),
    ] = None,
    robot_options: RobotOptions = NONE,
    friction: options.Friction = None,
    timestep: options.Timestep = None,
    delay_ms: options.DelayMs = None,
    processes: Annotated[
        int, typer.Option(help="Runs at a time; the numbers do not depend on it.")
    ] = 2,
    gpu: options.Gpu = False,
    backend: options.GpuBackend = None,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """Find the largest block, pushes in 8 directions and share of random pushes.

    The biped, or a URDF or MJCF file of a robot on soles with legs of six joints.

    With --gpu a robot on four legs and more walks instead, all pushes at once.

    A run counts as survived when the robot has not fallen and is at rest within 5 cm
    and 5 degrees of its aim 4 s after the start. Exits 0 when done.
    """
    from equipoise.core.errors import ConfigError
    from equipoise.runs.limits import LimitsConfig, limits
    from equipoise.runs.robot import RobotChoice

    expect_out(out)
    card = options.card_of(gpu, backend)
    given = options.given_options(context)
    if card is not None:
        return walk_limits_command(robot, robot_options, given, card, json_output, out)
    known = [found.name for found in robots_that("stand")]
    if robot not in known and not is_robot_file(robot):
        listed = ", ".join(f"'{name}'" for name in known)
        problem = f"limits are known of {listed} and robot files, got '{robot}'"
        raise ConfigError("limits", [problem])
    if not 1 <= processes <= 256:
        raise ConfigError("limits", [f"processes must be 1 to 256, got {processes}"])
    own = {field.name for field in fields(LimitsConfig)} - {"robot"}
    config = LimitsConfig(
        robot=RobotChoice(name=robot, options=robot_options),
        **{name: value for name, value in given.items() if name in own},
    )
    with progress_bar("looking for limits") as progress:
        result = limits(config, processes=processes, progress=progress)
    tell_limits(result, json_output, out)
    return 0


def walk_limits_command(
    robot: str,
    robot_options: RobotOptions,
    given: dict[str, Any],
    card: str,
    json_output: bool,
    out: Path | None,
) -> int:
    """Find the largest pushes of a walking robot on a card, and tell them."""
    from equipoise.core.errors import ConfigError
    from equipoise.runs.many.limits import WalkLimitsConfig, walk_limits
    from equipoise.runs.robot import RobotChoice

    for name in ("controller", "timestep", "delay_ms", "processes"):
        if name in given:
            problem = f"--{name.replace('_', '-')} and --gpu do not go together"
            raise ConfigError("limits", [problem])
    own = ("pushes", "seed", "friction", "impulse")
    config = WalkLimitsConfig(
        robot=RobotChoice(name=robot, options=robot_options),
        **{name: value for name, value in given.items() if name in own},
    )
    with progress_bar("looking for limits") as progress:
        result = walk_limits(config, backend=card, progress=progress)
    tell_limits(result, json_output, out)
    return 0


def tell_limits(result: Any, json_output: bool, out: Path | None) -> None:
    """Write what was found into a folder, if there is one, and tell it."""
    written = write_files(out, result.save)
    if json_output:
        print_json(result.summary)
    else:
        print_limits(result.summary)
        print_written(written)


def print_limits(s: dict[str, Any]) -> None:
    """Print limits for people."""
    rows = list[tuple[str, str, str]]()
    if s["block_mass_kg"] is not None:
        block, share = f"{s['block_mass_kg']:.2f}", f"{s['block_share']:.3f}"
        rows.append(("largest block at 4.5 m/s [kg]", block, share))
    found = zip(s["heading_deg"], s["impulse_ns"], s["impulse_ns_per_kg"], strict=True)
    for heading, impulse, own in found:
        what = f"largest push towards {heading:.0f}° [N s]"
        rows.append((what, f"{impulse:.1f}", f"{own:.3f}"))
    share = f"{s['pushes_survived']} of {s['pushes']}"
    rows.append(("random pushes survived", share, "-"))
    facing = f"it faces {s['faces_deg']:.0f}°"
    title = f"{s['robot']}, balanced by '{s['controller']}'; {facing}"
    print_table(("", "value", "per kg of robot"), rows, title)
    for line in s["assumed"]:
        say(f"assumed: {line}")
