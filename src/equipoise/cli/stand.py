"""``equipoise balance biped``, or a humanoid's file: a block is thrown at it."""

from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equipoise.cli import live, options
from equipoise.cli.export import with_log
from equipoise.cli.movie import with_movie
from equipoise.cli.output import (
    expect_out,
    millimetres,
    print_json,
    print_table,
    print_written,
    progress_bar,
    say,
    write_files,
)
from equipoise.cli.robot_options import RobotOptions, options_apart
from equipoise.cli.stance import stance_command, stands_on_balls
from equipoise.cli.told import with_index
from equipoise.robots.files.named import is_robot_file

if TYPE_CHECKING:
    from equipoise.runs.stand.config import StandConfig
    from equipoise.runs.stand.stand import StandResult

__all__ = ["STANDING", "stand_command"]

YES, NO = 0, 1
STANDING = ("block_mass", "block_speed", "friction", "timestep", "delay_ms")
"""Options of 'equipoise balance' that only robots on feet have; their own aside."""
STEERING = (
    "hop_delay_ms",
    "loss",
    "gravity_compensation",
    "contacts",
    "free",
    "compare",
    "target",
)
"""Options that only robots made of modules have; their own aside."""


def stand_command(
    robot: str,
    robot_options: RobotOptions,
    given: Mapping[str, Any],
    json_output: bool,
    out: Path | None,
    page: live.LivePage | None = None,
) -> int:
    """Run what was asked for, print it, and return the exit code.

    Args:
        robot: one that stands on feet.
        robot_options: what was typed of it.
        given: the options that were typed, by name.
        json_output: whether to print JSON.
        out: folder for files; None for none.
        page: where it is watched live; None for not.
    """
    from equipoise.runs.robot import RobotChoice, find_robot
    from equipoise.runs.stand.stand import StandConfig, stand

    expect_out(out)
    if is_robot_file(robot):
        foreign = [*STEERING]
    else:
        foreign = [*options_apart("steer", robot), *STEERING]
    options.expect_own_options(given, foreign, robot, "robots made of modules")
    choice = RobotChoice(name=robot, options=robot_options)
    if is_robot_file(robot):
        loaded = find_robot(choice)
        if stands_on_balls(loaded):
            return stance_command(loaded, robot_options, given, json_output, out, page)
    own = {field.name for field in fields(StandConfig)} - {"robot"}
    config = StandConfig(
        robot=choice,
        **{name: value for name, value in given.items() if name in own},
        **options.gains_given(given.get("settings")),
    )
    if page is not None:
        from equipoise.runs.live.start import live_stand

        job = live_stand(find_robot(choice), config)
        return live.show_live(job, page, json_output, given.get("seconds"))
    with progress_bar("standing") as progress:
        result = stand(config, progress)
    save = with_log(result.save, [result], "mcap" in given)
    save = with_movie(save, result, "gif" in given)
    tell = partial(_print_stand, config=config, given=given)
    written = write_files(out, with_index(save, out, tell, result))
    if json_output:
        print_json(result.summary)
    else:
        tell(result)
        print_written(written)
    return YES if result.verdict == "yes" else NO


def _number(value: float | None, pattern: str) -> str:
    """Return a number for people; a dash where there is none."""
    return "-" if value is None else pattern.format(value)


def _print_stand(
    result: "StandResult", config: "StandConfig", given: Mapping[str, Any]
) -> None:
    """Print one run for people.

    Args:
        result: what happened.
        config: how it was asked for.
        given: the options that were typed, by name.
    """
    s = result.summary
    away = s["position_error_m"]
    rows = [
        (
            f"{result.robot.base} from its aim at the end [mm]",
            _number(None if away is None else 1e3 * away, "{:.4g}"),
        ),
        (
            "turned from its aim [degrees]",
            _number(s["orientation_error_deg"], "{:.4g}"),
        ),
        ("heels rose by [mm]", _number(s["heel_lift_mm"], "{:.1f}")),
        ("heels back on the ground at [s]", _number(s["recontact_s"], "{:.3f}")),
        ("largest torque [N m]", _number(s["peak_torque_nm"], "{:.4g}")),
        ("feet slipped by [mm]", _number(s["slip_mm"], "{:.1f}")),
        ("steps taken", str(s["steps"])),
        ("times real time", _number(s["realtime_factor"], "{:.1f}")),
    ]
    scale = s["scale"]
    if scale["block_share"] > 0.0:
        row = ("block [of the robot's mass]", f"{scale['block_share']:.3f}")
        rows.insert(0, row)
    of_paper = "" if "friction" in given else " (as in Wendlandt 1997)"
    rows.insert(0, ("friction of the ground", f"{config.friction:g}{of_paper}"))
    rows.insert(0, ("mass [kg]", f"{scale['mass_kg']:.1f}"))
    print_table(("", "value"), rows, f"{s['robot']}, balanced by '{s['controller']}'")
    for line in s["assumed"]:
        say(f"assumed: {line}")
    say(_verdict(result))


def _verdict(result: "StandResult") -> str:
    """Return in a sentence how a run ended."""
    s = result.summary
    if result.verdict == "yes":
        return (
            f"It stands: {s['simulated_s']:g} s after the start its "
            f"{result.robot.base} is at rest, {millimetres(s['position_error_m'])} and "
            f"{s['orientation_error_deg']:.2f} degrees from its aim."
        )
    if s["fell"]:
        from equipoise.robots.found.assumed import torques_in

        weak = torques_in(s["assumed"])
        also = f"; its {weak}" if weak else ""
        return f"It fell, {s['simulated_s']:.2f} s after the start{also}."
    return (
        f"It did not fall but is not at rest within 5 cm and 5 degrees of its aim "
        f"after {s['simulated_s']:g} s; give it longer with --seconds."
    )
