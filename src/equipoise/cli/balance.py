"""``equipoise balance``: keep a robot balanced in simulation."""

import json
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import live, options
from equipoise.cli.answer_page import with_index
from equipoise.cli.export import expect_mcap, with_log
from equipoise.cli.movie import with_movie
from equipoise.cli.output import (
    expect_beside,
    expect_out,
    millimetres,
    print_json,
    print_table,
    print_written,
    progress_bar,
    say,
    write_files,
)
from equipoise.cli.robot_options import (
    NONE,
    RobotOptions,
    options_apart,
    robots_that,
    takes_robot_options,
)
from equipoise.cli.setting_options import NONE as NO_SETTINGS
from equipoise.cli.setting_options import Settings, takes_settings
from equipoise.cli.stand import RunOutput, stand_command
from equipoise.core.checks import expect_none
from equipoise.core.setting import described_settings, expect_fields, expect_known
from equipoise.robots.files.named import is_robot_file
from equipoise.runs.balance.config import BalanceConfig, SteerConfig
from equipoise.runs.jobs.balance import balances_on_feet
from equipoise.runs.robot import RobotChoice
from equipoise.runs.stand.config import StandConfig

if TYPE_CHECKING:
    from equipoise.runs.balance.balance import BalanceResult

__all__ = ["balance_command"]

EXIT = {"yes": 0, "no": 1, "unknown": 3}


@takes_robot_options("steer", "stand", has_drives=True)
@takes_settings(SteerConfig, StandConfig)
def balance_command(
    context: typer.Context,
    robot: options.RobotName = "superbot",
    settings: Settings = NO_SETTINGS,
    gains: options.Set = None,
    seed: options.Seed = 0,
    robot_options: RobotOptions = NONE,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Also run the paper's three schemes, with compensation off and on.",
        ),
    ] = False,
    json_output: options.Json = False,
    out: options.Out = None,
    mcap: options.Mcap = False,
    gif: options.Gif = False,
    view: live.View = False,
    host: live.Host = live.HOST,
    port: live.Port = live.PORT,
    open_browser: live.Open = True,
) -> int:
    """Keep a robot balanced in simulation: modules by messages, a biped on its feet.

    A humanoid's URDF or MJCF file is taken with the soles, stand and drives that are
    found in it. A file with four legs or more on balls is held standing on all feet
    and pushed; 'equipoise walk FILE' and eq.simulate let it walk. Exits 0 when it ends
    balanced, 1 when not. Modules: centre of mass within 0.1 module widths of the line,
    not fallen; with --compare this is judged by the recommended controller. On feet:
    not fallen, at rest within 5 cm and 5 degrees of its aim.
    """
    expect_mcap(mcap, out)
    if gif:
        expect_beside("--gif", "run.gif", out)
    page = live.live_page(view, options.given_options(context))
    asked = {**settings, "seed": seed, **options.gains_given(gains)}
    if balances_on_feet(robot):
        flags = {"compare": True} if compare else {}
        _expect_standing(robot, {**robot_options, **settings, **flags})
        choice = RobotChoice(name=robot, options=robot_options)
        written = RunOutput(json_output, out, mcap, gif)
        return stand_command(choice, asked, written, page)
    choice = RobotChoice(name=robot, seed=seed, options=robot_options)
    standing = " and ".join(f"'{found.name}'" for found in robots_that("stand"))
    expect_fields(SteerConfig, asked, robot, f"{standing} and robot files")
    expect_out(out)
    expect_none("balance", _bad_comparison(settings, gains) if compare else [])
    config = BalanceConfig(robot=choice, steer=SteerConfig(**asked))
    if page is not None:
        from equipoise.runs.live.start import live_modules
        from equipoise.runs.robot import find_robot

        job = live_modules(find_robot(config.robot), config.steer)
        return live.show_live(job, page, json_output, settings.get("seconds"))
    return _run_and_print(config, compare, json_output, out, mcap, gif)


def _expect_standing(robot: str, given: Settings) -> None:
    """Refuse what is for robots made of modules."""
    known = [field.name for field in fields(StandConfig)]
    foreign = [name for name in described_settings(SteerConfig) if name not in known]
    if not is_robot_file(robot):
        foreign = [*options_apart("steer", robot), *foreign]
    known = [name for name in given if name not in (*foreign, "compare")]
    expect_known(given, known, robot, "robots made of modules")


def _bad_comparison(settings: Settings, gains: Sequence[str] | None) -> list[str]:
    """Return what cannot be chosen where all controllers are compared."""
    found = list[str]()
    if gains:
        found.append("--compare chooses the controllers; leave --set out")
    if "controller" in settings:
        found.append("--compare chooses the controllers; leave --controller out")
    if not settings.get("gravity_compensation", True):
        found.append(
            "--compare runs with it off and on; leave --no-gravity-compensation out"
        )
    return found


def _run_and_print(
    config: BalanceConfig,
    is_comparison: bool,
    json_output: bool,
    out: Any,
    mcap: bool,
    gif: bool,
) -> int:
    """Run, write files if asked to, print, and return the exit code."""
    from equipoise.runs.balance.balance import balance
    from equipoise.runs.balance.compare import compare
    from equipoise.runs.balance.outputs import write_outputs

    with progress_bar("balancing") as progress:
        if is_comparison:
            results: Sequence[BalanceResult] = compare(config, progress)
        else:
            results = [balance(config, progress)]
    judged = results[-1]  # ours comes last
    save = with_log(lambda to: write_outputs(results, to), results, mcap)
    tell = _print_comparison if is_comparison else _print_run
    save = with_index(with_movie(save, judged, gif), out, tell, results)
    written = write_files(out, save)
    if json_output:
        runs = [result.summary for result in results]
        print_json({"runs": runs} if is_comparison else judged.summary)
    else:
        tell(results)
        print_written(written)
    return EXIT[judged.verdict]


def _number(value: float | None, pattern: str = "{:.3f}") -> str:
    """Return a number for people; a dash where there is none."""
    return "-" if value is None else pattern.format(value)


Row = tuple[str, Callable[[dict[str, Any]], str]]
ROWS: tuple[Row, ...] = (
    ("final height [of the start]", lambda s: _number(s["height_ratio"])),
    ("joints at their torque limit", lambda s: _number(s["saturation"], "{:.2%}")),
    ("time with contacts", lambda s: _number(s["contact_share"], "{:.1%}")),
    ("messages sent", lambda s: f"{s['messages']:,}"),
    ("times real time", lambda s: _number(s["realtime_factor"], "{:.1f}")),
)


def _distance_rows(s: dict[str, Any], aim: str) -> list[tuple[str, str]]:
    """Return how far the centre of mass was, and from what.

    Args:
        s: a run's numbers.
        aim: what it is to be at, in words.
    """
    start, end = _number(s["distance_initial_w"]), _number(s["distance_final_w"])
    return [
        (f"centre of mass from {aim}, at the start [module widths]", start),
        ("at the end [module widths]", end),
        ("settled below 0.1 after [s]", _number(s["settling_time_s"])),
    ]


def _print_run(results: "Sequence[BalanceResult]") -> None:
    """Print one run for people."""
    result = results[0]
    s = result.summary
    title = f"{s['robot']}, {s['modules']} modules, steered by '{s['controller']}'"
    rows = _distance_rows(s, _aim_of(result))
    rows += [(name, show(s)) for name, show in ROWS]
    rows.append(("root", s["root"]))
    if s["let_go_s"] is not None:
        inside = _number(s["foot_margin_min_mm"], "{:.1f}")
        rows.append(("root released at [s]", _number(s["let_go_s"], "{:.2f}")))
        rows.append(("smallest margin inside its face afterwards [mm]", inside))
    print_table(("", "value"), rows, title)
    say(_verdict(result))
    if s["root"] == "bolted":
        say("Its root is bolted to the ground; --free releases it.")
    if late := _late_links(result):
        say(late)


def _late_links(result: "BalanceResult") -> str | None:
    """Return a warning where messages come late for this robot; None where not."""
    from equipoise.control.com.delay import late_news
    from equipoise.control.com.law import RECOMMENDED

    s, told = result.summary, json.loads(result.dataset.attrs["config"])
    limit = s["hop_delay_limit_ms"]
    return late_news(
        1e-3 * told["hop_delay_ms"],
        None if limit is None else 1e-3 * limit,
        is_heeded=s["controller"] == RECOMMENDED,
    )


def _verdict(result: "BalanceResult") -> str:
    """Return in a sentence how a run ended."""
    s = result.summary
    if result.verdict == "yes":
        settled = s["settling_time_s"]
        when = "from the start" if not settled else f"after {settled:.2f} s"
        alone = s["let_go_s"] is not None
        which = ", its root let go and held by nothing" if alone else ""
        return (
            f"Balanced {when}, and it stayed so{which}: at the end its centre of mass "
            f"is {_in_metres(result)} from {_aim_of(result)}."
        )
    if result.verdict == "unknown":
        return "Unknown: it was released too late to see whether it stands by itself."
    if str(result.outcome.name) not in ("FINISHED", "STOPPED"):
        return f"Not balanced: {result.outcome}"
    if s["fell"]:
        return "Not balanced: it tipped over."
    return (
        f"Not balanced: at the end its centre of mass is {_in_metres(result)} from "
        f"{_aim_of(result)}, {s['distance_final_w']:.2f} module widths; below 0.1 "
        "would count."
    )


def _aim_of(result: "BalanceResult") -> str:
    """Return what the distance of a run's centre of mass is to, in words."""
    from equipoise.runs.balance.balance import MANY_FEET

    if result.summary["controller"] == MANY_FEET:
        return "the middle of its feet"
    target = json.loads(result.dataset.attrs["config"])["target"]
    return "the support line" if target is None else "its target"


def _in_metres(result: "BalanceResult") -> str:
    """Return the distance that is left at the end, for people."""
    width = float(result.dataset.attrs["module_width_m"])
    return millimetres(width * result.summary["distance_final_w"])


def _print_comparison(results: "Sequence[BalanceResult]") -> None:
    """Print several runs of one robot, a row each."""
    first = results[0].summary
    rows = [
        (
            s["controller"],
            "on" if s["gravity_compensation"] else "off",
            _number(s["distance_final_w"]),
            _number(s["settling_time_s"], "{:.2f}"),
            _number(s["height_ratio"], "{:.2f}"),
            _number(s["saturation"], "{:.1%}"),
            result.verdict,
        )
        for result in results
        for s in [result.summary]
    ]
    title = (
        f"{first['robot']}, {first['modules']} modules, "
        f"centre of mass {first['distance_initial_w']:.2f} module widths from "
        f"{_aim_of(results[0])} at the start"
    )
    head = (
        "controller",
        "gravity comp.",
        "at the end",
        "settled",
        "height",
        "at limit",
    )
    print_table((*head, "balanced"), rows, title)
    say(f"Ours, '{results[-1].summary['controller']}': {_verdict(results[-1])}")
