"""``equipoise modules run``: every module a process, MuJoCo the world."""

import math
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from string import digits
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.answer_page import with_index
from equipoise.cli.command import SpokenCommand
from equipoise.cli.completion import complete_robots
from equipoise.cli.export import expect_mcap, with_log
from equipoise.cli.movie import with_movie
from equipoise.cli.output import (
    complain,
    console,
    expect_beside,
    expect_out,
    print_json,
    print_table,
    print_written,
    say,
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
from equipoise.runs.processes.config import EACH, MIDDLE, ModuleRunConfig
from equipoise.runs.robot import RobotChoice

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from equipoise.runs.processes.fleet import Event, Fleet
    from equipoise.runs.processes.run import ModuleRunResult

__all__ = ["RunCommand", "run_command"]

YES, NO = 0, 1
ROUND = 0.001  # in which a frame goes to a neighbour [s]
REFRESH = 0.2  # of the live table [s]


class RunCommand(SpokenCommand):
    """Lets ``--processes`` and ``--partition`` stand alone.

    They then mean a process for each module, and a cut in the middle of the run.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give a lonely option its value, then parse as ever."""
        filled = list[str]()
        for k, word in enumerate(args):
            filled.append(word)
            after = args[k + 1] if k + 1 < len(args) else ""
            if word == "--processes" and not (after == EACH or _is_number(after)):
                filled.append(EACH)
            if word == "--partition" and not _is_span(after):
                filled.append(MIDDLE)
        return super().parse_args(ctx, filled)


@takes_robot_options("steer")
@takes_settings(ModuleRunConfig)
def run_command(
    robot: Annotated[
        str,
        typer.Argument(
            metavar=robot_names("steer", first="superbot"),
            help="Built-in robot made of modules, or an assembly file.",
            autocompletion=complete_robots("steer"),
            show_default=False,
        ),
    ] = "superbot",
    seed: options.Seed = 0,
    robot_options: RobotOptions = NONE,
    settings: Settings = NO_SETTINGS,
    json_output: options.Json = False,
    out: options.Out = None,
    mcap: options.Mcap = False,
    gif: options.Gif = False,
) -> int:
    """Balance a robot whose modules are processes, while MuJoCo simulates the world.

    Exits 0 when the centre of mass ends within 0.1 module widths of the support line, 1
    when it does not.
    """
    expect_out(out)
    expect_mcap(mcap, out)
    if gif:
        expect_beside("--gif", "run.gif", out)
    choice = RobotChoice(name=robot, seed=seed, options=robot_options)
    config = ModuleRunConfig(robot=choice, seed=seed, **settings)
    return run_and_print(config, json_output, out, mcap, gif)


def run_and_print(
    config: ModuleRunConfig,
    json_output: bool,
    out: Path | None,
    mcap: bool,
    gif: bool,
) -> int:
    """Run, show it live on a terminal, write files if asked to, print."""
    from equipoise.runs.processes.run import run_modules

    is_live = not json_output and sys.stdout.isatty()
    with _live_table(is_live) as screen:
        watch = None if screen is None else screen.show
        notice = _tell if screen is None else screen.tell
        result = run_modules(config, watch=watch, notice=notice)
    save = with_movie(with_log(result.save, [result], mcap), result, gif)
    written = write_files(out, with_index(save, out, _print_result, result))
    if json_output:
        print_json(result.summary)
    else:
        _print_result(result)
        print_written(written)
    return YES if result.verdict == "yes" else NO


def _print_result(result: "ModuleRunResult") -> None:
    """Print a run for people."""
    from equipoise.control.com.delay import late_news

    s, more = result.summary, result.details
    rows = [
        ("ticks", f"{s['ticks']:,} at {s['tick_rate_hz']:,.0f} a second"),
        ("frames sent, lost", f"{more['frames']:,}, {s['lost']:,}"),
        ("longest time not all knew [rounds]", f"{s['recovered_rounds_max']}"),
        ("all knew, share of the time", f"{more['right_share']:.1%}"),
        ("verdicts, wrong ones", f"{more['verdicts']:,}, {s['wrong_verdicts']}"),
        ("changes of leader", f"{s['leader_changes']}"),
        ("foreign datagrams", f"{more['foreign_datagrams']}"),
        (
            "centre of mass from the support line, start and end [module widths]",
            f"{more['distance_initial_w']:.3f}, {s['distance_final_w']:.3f}",
        ),
    ]
    title = (
        f"{s['modules']} modules in {s['processes']} processes, "
        f"frames by {s['transport']}"
    )
    print_table(("", "value"), rows, title)
    where = f"its centre of mass is {s['distance_final_w']:.2g} module widths from "
    end = "the support line at the end"
    if s["settled"]:
        say(f"Balanced: {where}{end}.")
    else:
        say(f"Not balanced: {where}{end}; below 0.1 would count.")
    if late := late_news(ROUND, more["hop_delay_limit_s"]):
        say(late)
    if s["orphans"]:
        complain(f"{s['orphans']} processes could not be ended.")


def _sentence(event: "Event") -> str:
    """Return an event for people."""
    few = ", ".join(map(str, event.modules[:6]))
    more = ", ..." if len(event.modules) > 6 else ""
    return (
        f"After {max(event.tick, 0)} ms: process {event.host} (modules {few}{more}) "
        f"{event.what}."
    )


def _tell(event: "Event") -> None:
    """Print an event on stderr."""
    complain(_sentence(event))


@dataclass
class Screen:
    """The live table: who knows what."""

    live: "Live"
    next_time: float = field(default=0.0)

    def show(self, tick: int, fleet: "Fleet") -> None:
        """Draw the table anew, a few times a second."""
        if perf_counter() >= self.next_time:
            self.live.update(_table_of(tick, fleet), refresh=True)
            self.next_time = perf_counter() + REFRESH

    def tell(self, event: "Event") -> None:
        """Print an event above the table."""
        self.live.console.print(_sentence(event), markup=False)


@contextmanager
def _live_table(is_wanted: bool) -> Generator[Screen | None, None, None]:
    """Yield what shows the run on a terminal; None where there is none.

    It is drawn by this thread alone: processes are forked while it is up.
    """
    if not is_wanted:
        yield None
        return
    from rich.live import Live

    with Live(console=console(), auto_refresh=False, transient=True) as live:
        yield Screen(live)


def _table_of(tick: int, fleet: "Fleet") -> "Table":
    """Return what every module says about itself."""
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=f"{tick + 1} ms")
    names = ("module", "process", "known", "leader", "count", "mass [kg]")
    for name in (*names, "distance [m]", "age [ms]"):
        table.add_column(escape(name), justify="right")
    home = {m: plan.number for plan in fleet.plans for m in plan.modules}
    for m in range(len(fleet.report)):
        report = fleet.report[m]
        is_known = report.known > 0.0
        leader = int(report.leader)
        away = math.hypot(report.com[0], report.com[1])
        state = ("yes" if is_known else "no") if fleet.alive[m] else "dead"
        cells = [
            str(leader - 1) if leader > 0 else "-",
            f"{report.count:.0f}" if is_known else "-",
            f"{report.mass:.3f}" if is_known else "-",
            f"{away:.4f}" if math.isfinite(away) and is_known else "-",
            f"{1e3 * report.age:.0f}" if is_known else "-",
        ]
        table.add_row(str(m), str(home[m]), state, *cells)
    return table


def _is_number(text: str) -> bool:
    """Return whether a word is a number, and so belongs to the option before it."""
    from equipoise.core.digits import plain_float

    try:
        plain_float(text)
    except ValueError:
        return False
    return True


def _is_span(text: str) -> bool:
    """Return whether a word is meant as FROM:TO, be it a good one or not."""
    return text == MIDDLE or ":" in text or text[:1] in set(digits)
