"""``equipoise balance`` of a file on four balls or more: held in stance, and hit."""

from typing import TYPE_CHECKING

from equipoise.cli import live
from equipoise.cli.answer_page import with_index
from equipoise.cli.export import with_log
from equipoise.cli.movie import with_movie
from equipoise.cli.output import (
    print_json,
    print_table,
    print_written,
    progress_bar,
    say,
    write_files,
)
from equipoise.cli.setting_options import Settings
from equipoise.cli.walk_report import ROWS, number, print_found
from equipoise.core.setting import expect_known

if TYPE_CHECKING:
    from equipoise.cli.stand import RunOutput
    from equipoise.robots.robot import Robot
    from equipoise.runs.robot import RobotChoice
    from equipoise.runs.walk.walk import WalkResult

__all__ = ["stance_command"]

YES, NO = 0, 1
TOLD = (
    "roll_max_deg", "pitch_max_deg", "slip_m", "torque_peak_share", "realtime_factor",
)  # fmt: skip


def stance_command(
    robot: "Robot",
    choice: "RobotChoice",
    settings: Settings,
    written: "RunOutput",
    page: live.LivePage | None = None,
) -> int:
    """Hold a robot in stance while it is hit; print it, and return the exit code.

    Args:
        robot: as it was loaded.
        choice: how it was named.
        settings: what was typed, gains and seed too.
        written: what is written, and how.
        page: where it is watched live; None for not.
    """
    from equipoise.runs.walk.stance import STANCE, held_in_stance, stance_config

    expect_known(settings, STANCE, robot.name, "robots with soles or modules")
    config = stance_config(robot, choice, settings)
    if page is not None:
        from equipoise.runs.live.start import live_walk

        job = live_walk(robot, config, stands=True)
        return live.show_live(job, page, written.json_output, settings.get("seconds"))
    with progress_bar("standing") as progress:
        result = held_in_stance(robot, config, progress)
    save = with_log(result.save, [result], written.mcap)
    save = with_movie(save, result, written.gif)
    files = write_files(
        written.out, with_index(save, written.out, _print_stance, result)
    )
    if written.json_output:
        print_json(result.summary)
    else:
        _print_stance(result)
        print_written(files)
    return YES if result.verdict == "yes" else NO


def _print_stance(result: "WalkResult") -> None:
    """Print one run for people."""
    s = result.summary
    print_found(s)
    rows = [
        (words, number(s[key], factor, pattern))
        for words, key, factor, pattern in ROWS
        if key in TOLD
    ]
    title = (
        f"{s['machine']}, held on all feet, a push of {s['settings']['push']:.3g} N s"
    )
    print_table(("", "value"), rows, title)
    if s["fell"]:
        say(f"It fell after {s['fell_at_s']:.2f} s ({s['fell_how']}).")
    else:
        after = s["simulated_s"] - s["settings"]["push_at"]
        say(f"It stands, {after:g} s after the push.")
