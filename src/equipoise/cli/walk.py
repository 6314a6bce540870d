"""``equipoise walk``: let a machine walk in simulation."""

import math
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.output import (
    expect_out,
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
    robot_names,
    takes_robot_options,
)

if TYPE_CHECKING:
    from equipoise.runs.walk.seeds import SeedsResult
    from equipoise.runs.walk.walk import WalkConfig, WalkResult

__all__ = ["walk_command"]

YES, NO = 0, 1
PARTS = "Its controller, see 'equipoise controllers'"
GROUND, BUILD = "What it walks on and what happens to it", "How it is built and driven"


def option(*names: str, **settings: Any) -> Any:
    """Return an option of the command."""
    return typer.Option(*names, **settings)


def part(what: str) -> Any:
    """Return an option that names a part of the controller."""
    return option(
        metavar="NAME",
        help=what,
        show_default="the controller's own",
        rich_help_panel=PARTS,
    )


@takes_robot_options("walk", has_drives=True)
def walk_command(
    context: typer.Context,
    machine: Annotated[
        str,
        typer.Argument(
            metavar=robot_names("walk", first="warp1"), help="Which machine."
        ),
    ] = "warp1",
    gait: Annotated[
        str | None,
        option(
            metavar="trot|crawl|...",
            help="See 'equipoise gait'.",
            show_default="the controller's own",
        ),
    ] = None,
    speed: Annotated[
        float | None,
        option(
            metavar="M/S",
            help="Forward.",
            show_default="0.4, crawling 0.15; of files by their size",
        ),
    ] = None,
    ramp: Annotated[
        str | None,
        option(
            metavar="FROM,TO",
            help="In m/s: faster and faster, evenly.",
            show_default="one speed",
        ),
    ] = None,
    heading: Annotated[
        float,
        option(
            metavar="DEG",
            help="Where the speed goes, the trunk keeping its yaw: 90 is to the left.",
        ),
    ] = 0.0,
    left: Annotated[float, option(metavar="M/S", help="Sideways.")] = 0.0,
    turn: Annotated[float, option(metavar="RAD/S", help="To the left.")] = 0.0,
    goal: Annotated[
        str | None,
        option(
            metavar="X,Y",
            help="In m, ahead and to the left: walk there, round what is met.",
            show_default="straight on",
        ),
    ] = None,
    seconds: Annotated[
        float,
        option(
            help="Simulated, 2.5 to 1200; the first of them it stands.",
            show_default="10, to a goal at most 900",
        ),
    ] = math.inf,
    stop_at: Annotated[
        float | None,
        option(metavar="S", help="When it is told to stop.", show_default="never"),
    ] = None,
    duty: Annotated[
        float | None,
        option(
            help="Share of a cycle for which a leg stands.",
            show_default="the gait's own",
        ),
    ] = None,
    terrain: Annotated[
        str,
        option(
            metavar="flat|slope:PERCENT|blocks:CM|blocks:0.1h|soft:N/M|wall|plates:CM",
            help="A slope rises ahead; blocks are 0.3 m wide and up to so high, with "
            "an h in heights of the hips.",
            rich_help_panel=GROUND,
        ),
    ] = "flat",
    mapped: Annotated[
        bool,
        option(
            "--mapped",
            help="It has a map of the wall, instead of meeting it.",
            rich_help_panel=GROUND,
        ),
    ] = False,
    friction: Annotated[
        float | None,
        option(
            help="Of the ground.",
            show_default="0.6 to 0.8, drawn by the seed",
            rich_help_panel=GROUND,
        ),
    ] = None,
    ground: Annotated[
        str,
        option(
            metavar="mujoco|weak|heavy",
            help="What carries the feet: the engine, or a row of the thesis's table.",
            rich_help_panel=GROUND,
        ),
    ] = "mujoco",
    push: Annotated[
        float,
        option(
            metavar="NS",
            help="On the trunk, for 0.1 s.",
            rich_help_panel=GROUND,
        ),
    ] = 0.0,
    push_heading: Annotated[
        float,
        option(
            metavar="DEG",
            help="Where to: 0 forward, 90 to the left.",
            rich_help_panel=GROUND,
        ),
    ] = 90.0,
    push_at: Annotated[
        float | None,
        option(
            metavar="S", help="When.", show_default="half time", rich_help_panel=GROUND
        ),
    ] = None,
    force: Annotated[
        float,
        option(
            metavar="N",
            help="Standard deviation of random forces on the trunk, each held 0.1 s.",
            rich_help_panel=GROUND,
        ),
    ] = 0.0,
    freeze: Annotated[
        int,
        option(
            metavar="N",
            help="At N instants, which the seed draws, hold all joints of a copy of it "
            "where they are: does it stay up?",
            rich_help_panel=GROUND,
        ),
    ] = 0,
    start: Annotated[
        str,
        option(
            metavar="stand|belly",
            help="How it starts: from its belly it has to get up first.",
            rich_help_panel=GROUND,
        ),
    ] = "stand",
    amputate: Annotated[
        list[str] | None,
        option(
            metavar="LEG",
            help="Take a leg off, as middle_left; again, or between commas, for more.",
            show_default="none",
            rich_help_panel=BUILD,
        ),
    ] = None,
    robot_options: RobotOptions = NONE,
    actuators: Annotated[
        str,
        option(
            metavar="ideal|motor|elastic",
            help="How faithful its drives are.",
            rich_help_panel=BUILD,
        ),
    ] = "motor",
    sensors: Annotated[
        str,
        option(
            metavar="ideal|real",
            help="As the machine has them, with its bus; or ideal and at once.",
            rich_help_panel=BUILD,
        ),
    ] = "real",
    controller: Annotated[
        str | None,
        option(
            metavar="NAME",
            help="All parts at once: walking, titan6, ...",
            show_default="the machine's own",
            rich_help_panel=PARTS,
        ),
    ] = None,
    mode: Annotated[
        str | None,
        part("Operating mode of a controller that has some: tripod, precision, ..."),
    ] = None,
    tracking: Annotated[
        str | None,
        option(
            metavar="position|rotated|force",
            help="How the legs of sap track their references.",
            show_default="force",
            rich_help_panel=PARTS,
        ),
    ] = None,
    command: Annotated[
        str | None,
        option(
            metavar="VX,VY,TURN",
            help="In m/s and rad/s, any: it grants what it can stop from.",
            show_default="--speed, --left and --turn",
            rich_help_panel=PARTS,
        ),
    ] = None,
    pilot: Annotated[str | None, part("Says where to.")] = None,
    planner: Annotated[str | None, part("Decides ahead of time.")] = None,
    support: Annotated[
        str | None, part("Decides which feet stand, and when they step.")
    ] = None,
    motion: Annotated[str | None, part("Decides where the trunk goes.")] = None,
    balance: Annotated[str | None, part("Decides how it is kept upright.")] = None,
    leg_program: Annotated[str | None, part("How feet stand and swing.")] = None,
    reflexes: Annotated[
        str | None, part("What is done at once, as reach,elevate; '' for none.")
    ] = None,
    settings: options.Set = None,
    seed: options.Seed = 0,
    seeds: Annotated[
        int | None,
        option(
            metavar="N",
            help="Walk with N seeds, --seed being the first, and tell the spread.",
            show_default="one walk",
        ),
    ] = None,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Let a machine walk by its own sensors and drives, and say how well it did.

    It stands for a second and then walks. Exits 0 when it walked, 1 when it fell: its
    trunk on the ground, tilted by more than 35 degrees, or at less than half its
    height.
    """
    from equipoise.runs.robot import RobotChoice
    from equipoise.runs.walk.walk import WalkConfig

    expect_out(out)
    given = options.given_options(context) | options.gains_given(settings)
    if reflexes is not None:
        given["reflexes"] = tuple(name for name in reflexes.split(",") if name)
    if amputate:
        given["amputate"] = tuple(leg for text in amputate for leg in text.split(","))
    if command is not None:
        given["command"] = some_numbers(command)
    if goal is not None:
        given["goal"] = some_numbers(goal)
    if ramp is not None:
        given["ramp"] = some_numbers(ramp)
    own = {field.name for field in fields(WalkConfig)} - {"robot"}
    config = WalkConfig(
        robot=RobotChoice(name=machine, options=robot_options),
        **{name: value for name, value in given.items() if name in own},
    )
    if seeds is not None:
        return many_walks(config, seeds, json_output, out)
    return one_walk(config, json_output, out)


def some_numbers(text: str) -> tuple[float, ...]:
    """Return numbers between commas; nan for what is none, which is refused later.

    Args:
        text: as the operator wrote it.
    """
    try:
        return tuple(float(word) for word in text.split(","))
    except ValueError:
        return (math.nan,)


def one_walk(config: "WalkConfig", json_output: bool, out: Path | None) -> int:
    """Walk once, write files if asked to, print, and return the exit code."""
    from equipoise.runs.walk.walk import walk

    with progress_bar("walking") as progress:
        result = walk(config, progress)
    written = write_files(out, result.save)
    if json_output:
        print_json(result.summary)
    else:
        print_walk(result)
        print_written(written)
    return YES if result.verdict == "yes" else NO


def many_walks(
    config: "WalkConfig", seeds: int, json_output: bool, out: Path | None
) -> int:
    """Walk with many seeds, print the spread, and return the exit code."""
    from equipoise.runs.walk.seeds import walk_seeds

    with progress_bar("walking") as progress:
        result = walk_seeds(config, seeds, progress=progress)
    written = write_files(out, result.save)
    if json_output:
        print_json(result.summary)
    else:
        print_spread(result)
        print_written(written)
    return YES if result.verdict == "yes" else NO


ROWS = (
    ("distance [m]", "distance_m", 1.0, ".2f"),
    ("mean speed once under way [m/s]", "mean_speed_mps", 1.0, ".3f"),
    ("faster than commanded by [%]", "speed_error", 100.0, ".1f"),
    ("roll, largest [degrees]", "roll_max_deg", 1.0, ".2f"),
    ("pitch, largest [degrees]", "pitch_max_deg", 1.0, ".2f"),
    ("margin of the centre of mass, least [mm]", "static_margin_min_m", 1e3, ".1f"),
    ("margin of the centre of pressure, least [mm]", "zmp_margin_min_m", 1e3, ".1f"),
    ("feet slipped by [m]", "slip_m", 1.0, ".3f"),
    ("positive joint work [J]", "energy_j", 1.0, ".0f"),
    ("cost of transport", "cost_of_transport", 1.0, ".3f"),
    ("electrical cost of transport", "electrical_cost_of_transport", 1.0, ".3f"),
    ("largest torque [% of its limit]", "torque_peak_share", 100.0, ".0f"),
    ("times real time", "realtime_factor", 1.0, ".1f"),
)
"""What people are told: words, key, factor and pattern."""


def number(value: float | None, factor: float, pattern: str) -> str:
    """Return a number for people; a dash where there is none."""
    if value is None:
        return "-"
    return f"{round(factor * value, 6) + 0.0:{pattern}}"


def print_walk(result: "WalkResult") -> None:
    """Print one walk for people."""
    s = result.summary
    print_warnings(s)
    print_found(s)
    rows = [
        (words, number(s[key], factor, pattern)) for words, key, factor, pattern in ROWS
    ]
    print_table(("", "value"), rows, title(s))
    if s["fell"]:
        say(f"It fell after {s['fell_at_s']:.2f} s ({s['fell_how']}).")
    elif s["goal"] is not None:
        say(goal_in_words(s["goal"], s["simulated_s"]))
    elif s["waited_s"] == 0.0:
        say(f"It walked for {s['simulated_s']:g} s and did not fall.")
    else:
        say(
            f"It did not fall in {s['simulated_s']:g} s, of which it waited "
            f"{s['waited_s']:.1f} s on all feet: on ground as soft as it felt it would "
            "fall with one less."
        )
    if s["freeze"] is not None:
        say(frozen_in_words(s["freeze"]))
    for kind, found in (s["recovery"] or {}).items():
        say(f"After the push, {kind}: {found['answer']}. {found['reason']}")


def goal_in_words(goal: dict[str, Any], seconds: float) -> str:
    """Return how a walk to a place ended, in a sentence.

    Args:
        goal: what is told of it.
        seconds: that it took [s].
    """
    met = f", having met something {goal['knocks']} times" if goal["knocks"] else ""
    if goal["reached"]:
        return f"It got there in {seconds:.0f} s{met}."
    why = "it knows no way" if goal["no_way"] else f"{goal['away_m']:.2f} m are left"
    return f"It did not get there in {seconds:.0f} s: {why}{met}."


def frozen_in_words(freeze: dict[str, Any]) -> str:
    """Return what became of a machine that was frozen, in a sentence."""
    tilted = number(freeze["tilt_max_deg"], 1.0, ".1f")
    return (
        f"Frozen at {freeze['tried']} instants it stayed up {freeze['stable']} times; "
        f"it tipped onto other feet {freeze['tipped']} times, by {tilted} degrees at "
        "most."
    )


def print_warnings(s: dict[str, Any]) -> None:
    """Print what was known to go wrong before it walked."""
    for line in s["warnings"]:
        say(f"Warning: {line}.")


def print_found(s: dict[str, Any]) -> None:
    """Print what a robot file was taken for, if it is one."""
    if not s["assumed"]:
        return
    size = s["scale"]
    say(
        f"{s['machine']}: {len(s['gait_found']['duty'] or ())} legs, "
        f"{size['mass_kg']:.3g} kg, hips {size['height_m']:.3g} m over its feet. "
        "Assumed:"
    )
    for line in s["assumed"]:
        say(f"- {line}")


def title(s: dict[str, Any]) -> str:
    """Return what was walked, in words."""
    how = s["settings"]
    at = f"{how['speed']:g} m/s"
    if how["goal"]:
        at += " to ({:g}, {:g}) m".format(*how["goal"])
    if how["heading"]:
        at += f" towards {how['heading']:g} degrees"
    if how["left"]:
        at += f", {how['left']:g} m/s to the left"
    if how["turn"]:
        at += f", turning {how['turn']:g} rad/s"
    return f"{s['machine']}, {s['gait']} at {at}, {s['terrain']}"


def print_spread(result: "SeedsResult") -> None:
    """Print many walks for people."""
    s = result.summary
    if s["lost"] == s["seeds"]:
        say(f"No walk gave a result: {result.rows[0]['error']}.")
        return
    print_warnings(s)
    parts = ("median", "p5", "p95")
    rows = [
        (words, *(number(s["spread"][key][part], factor, pattern) for part in parts))
        for words, key, factor, pattern in ROWS
    ]
    print_table(("", "median", "5 %", "95 %"), rows, title(s))
    fallen = ", ".join(str(seed) for seed in s["fallen_seeds"][:10])
    more = ", ..." if s["falls"] > 10 else ""
    say(
        f"{s['falls']} of {s['seeds']} fell"
        + (f" (seeds {fallen}{more})." if s["falls"] else ".")
    )
    if s["reached"] is not None:
        say(f"{s['reached']} of {s['seeds']} got to their goal.")
    if s["freeze"] is not None:
        say(frozen_in_words(s["freeze"]))
    if s["lost"]:
        lost = next(row for row in result.rows if "error" in row)
        say(f"{s['lost']} gave no result (seed {lost['seed']}: {lost['error']}).")
