"""``--view`` and ``--live``: a job on a page of this machine, until Ctrl-C."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from equipoise.cli.output import complain, print_json, print_table, say

if TYPE_CHECKING:
    from equipoise.runs.live.job import AbstractLiveJob

__all__ = ["Host", "LivePage", "Open", "Port", "View", "live_page", "show_live"]

LIVE = "Live view in a browser (needs equipoise[viewer])"
HOST, PORT = "127.0.0.1", 8080
CODES = {"yes": 0, "no": 1, "unknown": 3}
WITHOUT = ("out", "mcap", "gif", "seeds", "compare")
"""Options of a run with an end, which a page has not."""
ROWS = (
    ("simulated_s", "simulated [s]"),
    ("recorded_s", "recorded [s]"),
    ("realtime_factor", "times real time"),
    ("frames_a_second", "frames a second"),
    ("way_m", "way of the base [m]"),
    ("pushes", "pushes"),
    ("falls", "falls"),
    ("least_margin_mm", "least margin of the capture point [mm]"),
    ("distance_w", "distance to its line [module widths]"),
)


View = Annotated[
    bool,
    typer.Option(
        "--view",
        help="Show a live page on which you can push and change the robot; Ctrl-C "
        "ends it.",
        rich_help_panel=LIVE,
    ),
]
Host = Annotated[
    str,
    typer.Option(
        "--host",
        help="Address that the page is bound to; 127.0.0.1 is this machine only.",
        rich_help_panel=LIVE,
    ),
]
Port = Annotated[
    int,
    typer.Option(
        "--port",
        help="Port of the page, or the next free one; 0 for any.",
        rich_help_panel=LIVE,
    ),
]
Open = Annotated[
    bool,
    typer.Option(
        "--open/--no-open",
        help="Open the page in a browser, if run on a terminal.",
        rich_help_panel=LIVE,
    ),
]


class LivePage(NamedTuple):
    """Address at which a page is served."""

    host: str = HOST
    port: int = PORT
    opens: bool = True
    """Whether a browser is opened, on a terminal."""


def live_page(
    is_live: bool, given: Mapping[str, Any], flag: str = "--view"
) -> LivePage | None:
    """Return where to serve a page; None where none is asked for.

    Args:
        is_live: whether one is.
        given: the options that were typed, by name.
        flag: with which a page is asked for.

    Raises:
        ConfigError: options that do not go with a page, or only with one.
    """
    from equipoise.core.errors import ConfigError

    if not is_live:
        alone = [f"--{name}" for name in ("host", "port") if name in given]
        if alone:
            problem = f"{' and '.join(alone)}: only for a live page; add {flag}"
            raise ConfigError("the command", [problem])
        return None
    wrong = [f"--{name}" for name in WITHOUT if given.get(name)]
    if wrong:
        problem = (
            f"{', '.join(wrong)}: a live view does not end by itself; leave it out"
        )
        raise ConfigError("the command", [problem])
    return LivePage(
        given.get("host", HOST),
        given.get("port", PORT),
        given.get("open_browser", True),
    )


def show_live(
    job: "AbstractLiveJob", page: LivePage, json_output: bool, seconds: float | None
) -> int:
    """Serve a job until Ctrl-C, print the numbers, and return the exit code.

    Args:
        job: what runs.
        page: where it is served.
        json_output: whether to print JSON.
        seconds: of the job's own time after which it ends by itself; None for never.
    """
    from equipoise.runs.live.session import LiveSession
    from equipoise.viz.live.server import LiveServer

    server = LiveServer("equipoise", page.host, page.port)
    try:
        session = LiveSession(job, server)
        _watch(session, server, page, json_output, seconds)
        session.stop()
    finally:
        server.stop()
    summary = session.summary()
    if json_output:
        print_json(summary)
    else:
        _print_numbers(summary, job.look.title)
    return CODES[summary["lamp"]]


def _watch(
    session: Any, server: Any, page: LivePage, json_output: bool, seconds: float | None
) -> None:
    """Let time begin, say where the page is, and wait for Ctrl-C or the end."""
    try:
        session.start()
        _tell_address(server.address, server.is_private, json_output)
        if page.opens and not json_output and sys.stdout.isatty():
            import webbrowser

            webbrowser.open(server.address)
        while not session.is_done.wait(0.1):
            if seconds is not None and session.lived >= seconds:
                return
    except KeyboardInterrupt:  # which may come as soon as the address is read
        return


def _tell_address(address: str, is_private: bool, json_output: bool) -> None:
    """Say where the page is, at once."""
    line = f"Live on {address} (Ctrl-C ends it)"
    if json_output:
        complain(line)
    else:
        say(line)
        sys.stdout.flush()
    if not is_private:
        complain("Anybody who can reach this port can push and change the robot.")


def _print_numbers(summary: Mapping[str, Any], title: str) -> None:
    """Print the numbers so far for people."""
    rows = [
        (words, f"{summary[key]:.4g}" if summary[key] is not None else "-")
        for key, words in ROWS
        if key in summary
    ]
    print_table(("", "value"), rows, title)
    say(f"{summary['lamp']}: {summary['why']}")
