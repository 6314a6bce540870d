"""``equipoise view``: play a recorded run in a browser, from a file."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.cli import live, options
from equipoise.cli.completion import complete_looks
from equipoise.cli.output import expect_out, print_json, say, write_files
from equipoise.cli.robot_options import NONE, RobotOptions, takes_robot_options

if TYPE_CHECKING:
    from equipoise.runs.robot import RobotChoice

__all__ = ["view_command"]


@takes_robot_options(is_built_in=False)
def view_command(
    context: typer.Context,
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN",
            help="Recorded run (a run.nc, or its folder), or a robot to show.",
            autocompletion=complete_looks,
        ),
    ],
    robot_options: RobotOptions = NONE,
    is_live: Annotated[
        bool,
        typer.Option(
            "--live",
            help="Serve an interactive page: push the robot, or move through the run.",
            rich_help_panel=live.LIVE,
        ),
    ] = False,
    host: live.Host = live.HOST,
    port: live.Port = live.PORT,
    open_browser: live.Open = True,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """Turn a recorded run into a page that plays it, and open the page.

    Given a robot file or the name of a built-in robot, the page shows the robot as it
    stands. Without --out the page goes to a temporary folder. Only --live starts a
    server, on this machine and until Ctrl-C: there the robot stands by its own
    controller, or is held by springs, and can be pushed.
    """
    import sys
    import tempfile
    import webbrowser

    from equipoise.robots.builtin import builtin_names
    from equipoise.robots.files.named import is_robot_file
    from equipoise.robots.load import ASSEMBLY_ENDINGS
    from equipoise.runs.replay.page import (
        REPLAY,
        write_robot_replay,
        write_run_replay,
    )
    from equipoise.runs.robot import RobotChoice, find_robot
    from equipoise.sim.recording import open_run

    expect_out(out)
    choice = RobotChoice(name=str(run), options=robot_options)
    is_named = str(run) in builtin_names() or is_robot_file(run)
    is_robot = run.suffix.lower() in ASSEMBLY_ENDINGS or is_named
    page_live = live.live_page(is_live, options.given_options(context), "--live")
    if page_live is not None:
        return _watched(run, choice, is_robot, page_live, json_output)
    if is_robot:
        write = partial(write_robot_replay, find_robot(choice))
    else:
        write = partial(write_run_replay, open_run(run), where=str(run))
    folder = Path(tempfile.mkdtemp(prefix="equipoise-")) if out is None else out
    try:
        page = write_files(folder, lambda to: [write(path=to / REPLAY)])[0].absolute()
    finally:
        if out is None and not any(folder.iterdir()):
            folder.rmdir()
    if json_output:
        print_json({"run": str(run), "replay": str(page)})
    else:
        say("Open this in a browser:", f"  {page}")
    if open_browser and not json_output and sys.stdout.isatty():
        webbrowser.open(page.as_uri())
    return 0


def _watched(
    run: Path,
    choice: "RobotChoice",
    is_robot: bool,
    page: live.LivePage,
    json_output: bool,
) -> int:
    """Serve a robot or a run, and return the exit code."""
    from equipoise.runs.live.played import PlayedJob
    from equipoise.runs.live.start import live_robot
    from equipoise.runs.robot import find_robot
    from equipoise.sim.recording import open_run

    if is_robot:
        job = live_robot(find_robot(choice))
    else:
        job = PlayedJob(open_run(run), str(run))
    return live.show_live(job, page, json_output, None)
