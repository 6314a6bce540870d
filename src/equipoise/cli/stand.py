"""``equipoise balance biped``, or a humanoid's file: a block is thrown at it."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from equipoise.cli import live
from equipoise.cli.answer_page import with_index
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
from equipoise.cli.setting_options import Settings
from equipoise.cli.stance import stance_command
from equipoise.robots.files.named import is_robot_file
from equipoise.runs.robot import RobotChoice
from equipoise.runs.stand.config import StandConfig

if TYPE_CHECKING:
    from equipoise.runs.stand.stand import StandResult

__all__ = ["RunOutput", "stand_command"]

YES, NO = 0, 1


class RunOutput(NamedTuple):
    """Output of a run."""

    json_output: bool
    out: Path | None
    mcap: bool = False
    gif: bool = False


def stand_command(
    choice: RobotChoice,
    settings: Settings,
    written: RunOutput,
    page: live.LivePage | None = None,
) -> int:
    """Run what was asked for, print it, and return the exit code.

    Args:
        choice: a robot that stands on feet.
        settings: what was typed, gains and seed too.
        written: what is printed and written.
        page: where it is watched live; None for not.
    """
    from equipoise.runs.robot import find_robot
    from equipoise.runs.stand.stand import stand
    from equipoise.runs.walk.stance import stands_on_balls

    out = written.out
    expect_out(out)
    robot = find_robot(choice) if is_robot_file(choice.name) else None
    if robot is not None and stands_on_balls(robot):
        return stance_command(robot, choice, settings, written, page)
    config = StandConfig(robot=choice, **settings)
    if page is not None:
        from equipoise.runs.live.start import live_stand

        job = live_stand(robot or find_robot(choice), config)
        seconds = settings.get("seconds")
        return live.show_live(job, page, written.json_output, seconds)
    with progress_bar("standing") as progress:
        result = stand(config, progress, robot)
    save = with_log(result.save, [result], written.mcap)
    save = with_movie(save, result, written.gif)
    tell = partial(_print_stand, config=config, given=settings)
    files = write_files(out, with_index(save, out, tell, result))
    if written.json_output:
        print_json(result.summary)
    else:
        tell(result)
        print_written(files)
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
