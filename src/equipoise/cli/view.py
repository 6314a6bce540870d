"""``equipoise view``: play a recorded run in a browser, from a file."""

from pathlib import Path
from typing import Annotated

import typer

from equipoise.cli import options
from equipoise.cli.output import expect_out, print_json, say, write_files

__all__ = ["view_command"]


def view_command(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run.nc, or its folder.")
    ],
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open it when on a terminal.")
    ] = True,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """Turn a recorded run into a page that plays it, and open the page.

    Without --out the page goes to a temporary folder. No server is started.
    """
    import sys
    import tempfile
    import webbrowser

    from equipoise.runs.balance.outputs import REPLAY, write_run_replay
    from equipoise.sim.recording import open_run

    expect_out(out)
    dataset = open_run(run)
    folder = Path(tempfile.mkdtemp(prefix="equipoise-")) if out is None else out
    try:
        page = write_files(
            folder, lambda to: [write_run_replay(dataset, to / REPLAY, where=str(run))]
        )[0].absolute()
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
