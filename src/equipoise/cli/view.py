"""``equipoise view``: play a recorded run in a browser, from a file."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from equipoise.cli import options
from equipoise.cli.output import expect_out, print_json, say, write_files
from equipoise.cli.robot_options import NONE, RobotOptions, takes_robot_options

__all__ = ["view_command"]


@takes_robot_options(is_built_in=False)
def view_command(
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN", help="A run.nc, or its folder; or a robot, to see it stand."
        ),
    ],
    robot_options: RobotOptions = NONE,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open it when on a terminal.")
    ] = True,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """Turn a recorded run into a page that plays it, and open the page.

    A robot file, or the name of a built-in robot, gives a page of it as it stands.
    Without --out the page goes to a temporary folder. No server is started.
    """
    import sys
    import tempfile
    import webbrowser

    from equipoise.robots.beside import ROBOT_ENDINGS
    from equipoise.robots.builtin import builtin_names
    from equipoise.robots.files.described import is_described
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
    endings = (*ASSEMBLY_ENDINGS, *ROBOT_ENDINGS)
    is_named = str(run) in builtin_names() or is_described(run)
    if run.suffix.lower() in endings or is_named:
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
