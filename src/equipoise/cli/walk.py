"""``equipoise walk``: let a machine walk in simulation."""

from pathlib import Path
from typing import Annotated

import typer

from equipoise.cli import live, options
from equipoise.cli.answer_page import with_index
from equipoise.cli.completion import complete_robots
from equipoise.cli.export import expect_mcap, with_log
from equipoise.cli.movie import with_movie
from equipoise.cli.output import (
    expect_beside,
    expect_out,
    print_json,
    print_written,
    progress_bar,
    write_files,
)
from equipoise.cli.robot_options import (
    NONE,
    RobotOptions,
    robot_names,
    takes_robot_options,
)
from equipoise.cli.setting_options import NONE as NO_SETTINGS
from equipoise.cli.setting_options import Settings, takes_settings
from equipoise.cli.walk_report import print_spread, print_walk
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.config import WalkConfig

__all__ = ["walk_command"]

YES, NO = 0, 1


@takes_robot_options("walk", has_drives=True)
@takes_settings(WalkConfig)
def walk_command(
    context: typer.Context,
    machine: Annotated[
        str,
        typer.Argument(
            metavar=robot_names("walk", first="warp1"),
            help="Machine, see 'equipoise robots', or a robot file.",
            autocompletion=complete_robots("walk"),
        ),
    ] = "warp1",
    settings: Settings = NO_SETTINGS,
    robot_options: RobotOptions = NONE,
    gains: options.Set = None,
    seed: options.Seed = 0,
    seeds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Walk with N seeds from --seed on, and print the spread.",
            show_default="one walk",
        ),
    ] = None,
    json_output: options.Json = False,
    out: options.Out = None,
    mcap: options.Mcap = False,
    gif: options.Gif = False,
    view: live.View = False,
    host: live.Host = live.HOST,
    port: live.Port = live.PORT,
    open_browser: live.Open = True,
) -> int:
    """Let a machine walk by its own sensors and drives, and say how well it did.

    It stands for a second and then walks. Exits 0 when it arrived where it was sent, 1
    when it covered less than half of the way, did not reach its goal, or fell: its
    trunk on the ground, tilted by more than 35 degrees, or below half its height.
    """
    expect_out(out)
    expect_mcap(mcap, out, seeds)
    if gif:
        expect_beside("--gif", "run.gif", out, seeds)
    config = WalkConfig(
        robot=RobotChoice(name=machine, options=robot_options),
        seed=seed,
        **settings,
        **options.gains_given(gains),
    )
    page = live.live_page(view, options.given_options(context))
    if page is not None:
        return _watched_walk(config, page, json_output, settings.get("seconds"))
    if seeds is not None:
        return _many_walks(config, seeds, json_output, out)
    return _one_walk(config, json_output, out, mcap, gif)


def _one_walk(
    config: WalkConfig, json_output: bool, out: Path | None, mcap: bool, gif: bool
) -> int:
    """Walk once, write files if asked to, print, and return the exit code."""
    from equipoise.runs.walk.walk import walk

    with progress_bar("walking") as progress:
        result = walk(config, progress)
    save = with_log(result.save, [result], mcap)
    save = with_index(with_movie(save, result, gif), out, print_walk, result)
    written = write_files(out, save)
    if json_output:
        print_json(result.summary)
    else:
        print_walk(result)
        print_written(written)
    return YES if result.verdict == "yes" else NO


def _watched_walk(
    config: WalkConfig, page: live.LivePage, json_output: bool, seconds: float | None
) -> int:
    """Walk while somebody watches, and return the exit code."""
    from equipoise.runs.live.start import live_walk
    from equipoise.runs.robot import find_robot

    job = live_walk(find_robot(config.robot), config)
    return live.show_live(job, page, json_output, seconds)


def _many_walks(
    config: WalkConfig, seeds: int, json_output: bool, out: Path | None
) -> int:
    """Walk with many seeds, print the spread, and return the exit code."""
    from equipoise.runs.walk.seeds import walk_seeds

    with progress_bar("walking") as progress:
        result = walk_seeds(config, seeds, progress=progress)
    written = write_files(out, with_index(result.save, out, print_spread, result))
    if json_output:
        print_json(result.summary)
    else:
        print_spread(result)
        print_written(written)
    return YES if result.verdict == "yes" else NO
