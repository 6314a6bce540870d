"""``equipoise balance`` of a file on four balls or more: it is held in stance, and hit.

Laws that press on soles cannot hold it; the walking controller can, all feet standing.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equipoise.cli import live, options
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
from equipoise.cli.robot_options import RobotOptions
from equipoise.cli.told import with_index
from equipoise.cli.walked import ROWS, number, print_found

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot
    from equipoise.runs.walk.walk import WalkResult

__all__ = ["stance_command", "stands_on_balls"]

YES, NO = 0, 1
FEWEST = 4  # legs
BLOCK, SPEED = 0.03, 4.5  # of its mass, and in m/s, unless given
HIT_AT, SECONDS = 2.0, 6.0  # [s]
FROM_AHEAD = 180.0  # heading of the push [degrees]
TOLD = (
    "roll_max_deg", "pitch_max_deg", "slip_m", "torque_peak_share", "realtime_factor",
)  # fmt: skip
FOREIGN = ("controller", "timestep", "delay_ms")


def stands_on_balls(robot: "Robot") -> bool:
    """Say whether a robot of a file has four legs or more, with balls for feet.

    Args:
        robot: as it was loaded.
    """
    legs = robot.found.legs
    return len(legs) >= FEWEST and all(leg.foot.kind == "ball" for leg in legs)


def stance_command(
    robot: "Robot",
    robot_options: RobotOptions,
    given: Mapping[str, Any],
    json_output: bool,
    out: Path | None,
    page: live.LivePage | None = None,
) -> int:
    """Hold a robot in stance while it is hit; print it, and return the exit code.

    Args:
        robot: as it was loaded.
        robot_options: what was typed of it.
        given: the options that were typed, by name.
        json_output: whether to print JSON.
        out: folder for files; None for none.
        page: where it is watched live; None for not.
    """
    from equipoise.runs.robot import RobotChoice
    from equipoise.runs.walk.walk import WalkConfig, walk_robot

    options.expect_own_options(
        given, FOREIGN, robot.name, "robots with soles or modules"
    )
    mass = float(robot.model.body_subtreemass[robot.model.body(robot.base).id])
    block = given.get("block_mass")
    speed = given.get("block_speed")
    hit = (BLOCK * mass if block is None else block) * (
        SPEED if speed is None else speed
    )
    config = WalkConfig(
        robot=RobotChoice(name=robot.source, options=robot_options),
        support="standing",
        speed=0.0,
        seconds=given.get("seconds", SECONDS),
        push=hit,
        push_heading=FROM_AHEAD,
        push_at=HIT_AT,
        friction=given.get("friction"),
        seed=given.get("seed", 0),
        **options.gains_given(given.get("settings")),
    )
    if page is not None:
        from equipoise.runs.live.start import live_walk

        job = live_walk(robot, config, stands=True)
        return live.show_live(job, page, json_output, given.get("seconds"))
    with progress_bar("standing") as progress:
        result = walk_robot(robot, config, progress)
    result.summary["assumed"].append(
        f"the block is a push of {hit:.3g} N s from ahead, {HIT_AT:g} s after the start"
    )
    save = with_log(result.save, [result], "mcap" in given)
    save = with_movie(save, result, "gif" in given)
    written = write_files(out, with_index(save, out, _print_stance, result))
    if json_output:
        print_json(result.summary)
    else:
        _print_stance(result)
        print_written(written)
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
        say(f"It stands, {s['simulated_s'] - HIT_AT:g} s after the push.")
