"""``equipoise walk``: let a machine walk in simulation."""

import math
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import live, options
from equipoise.cli.asked_walks import CaughtWalk
from equipoise.cli.completion import (
    complete_controllers,
    complete_gaits,
    complete_robots,
    complete_terrains,
)
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
from equipoise.cli.quantities import quantity, several
from equipoise.cli.robot_options import (
    NONE,
    RobotOptions,
    robot_names,
    takes_robot_options,
)
from equipoise.cli.told import with_index
from equipoise.cli.walked import print_spread, print_walk
from equipoise.core.quantity import Quantity

if TYPE_CHECKING:
    from equipoise.runs.walk.walk import WalkConfig

__all__ = ["walk_command"]

YES, NO = 0, 1
SPEED, LENGTH = Quantity("speed", "m/s"), Quantity("length", "m")
TURNING = Quantity("turning speed", "rad/s")
PARTS = "Its controller, see 'equipoise controllers'"
GROUND, BUILD = "What it walks on and what happens to it", "How it is built and driven"


def _option(*names: str, **settings: Any) -> Any:
    """Return an option of the command."""
    return typer.Option(*names, **settings)


def _part(what: str, kind: str = "") -> Any:
    """Return an option that names a part of the controller.

    Args:
        what: it does, for the help.
        kind: as the list of controllers calls it; "" for none of them.
    """
    return _option(
        metavar="NAME",
        autocompletion=complete_controllers(kind) if kind else None,
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
            metavar=robot_names("walk", first="warp1"),
            help="Which machine, see 'equipoise robots', or a robot file.",
            autocompletion=complete_robots("walk"),
        ),
    ] = "warp1",
    gait: Annotated[
        str | None,
        _option(
            metavar="trot|crawl|...",
            help="See 'equipoise gait'.",
            autocompletion=complete_gaits,
            show_default="the controller's own",
        ),
    ] = None,
    speed: Annotated[
        float | None,
        quantity(
            kind="speed",
            unit="m/s",
            help="Forward.",
            show_default="0.4, crawling 0.15; of files by their size",
        ),
    ] = None,
    ramp: Annotated[
        Any,
        several(
            of=(SPEED, SPEED),
            least=2,
            metavar="FROM,TO",
            help="In m/s: faster and faster, evenly.",
            show_default="one speed",
        ),
    ] = None,
    heading: Annotated[
        float,
        quantity(
            kind="angle",
            unit="deg",
            help="Where the speed goes, the trunk keeping its yaw: 90 is to the left.",
        ),
    ] = 0.0,
    left: Annotated[float, quantity(kind="speed", unit="m/s", help="Sideways.")] = 0.0,
    turn: Annotated[
        float, quantity(kind="turning speed", unit="rad/s", help="To the left.")
    ] = 0.0,
    goal: Annotated[
        Any,
        several(
            of=(LENGTH, LENGTH),
            least=2,
            metavar="X,Y",
            help="In m, ahead and to the left: walk there, round what is met.",
            show_default="straight on",
        ),
    ] = None,
    seconds: Annotated[
        float,
        quantity(
            kind="time",
            unit="s",
            help="Simulated, 2.5 to 1200; the first of them it stands.",
            show_default="10, to a goal at most 900",
        ),
    ] = math.inf,
    stop_at: Annotated[
        float | None,
        quantity(
            kind="time",
            unit="s",
            help="When it is told to stop.",
            show_default="never",
        ),
    ] = None,
    duty: Annotated[
        float | None,
        quantity(
            kind="share",
            help="Of a cycle for which a leg stands.",
            show_default="the gait's own",
        ),
    ] = None,
    terrain: Annotated[
        str,
        _option(
            metavar="flat|slope:PERCENT|blocks:CM|blocks:0.1h|soft:N/M|wall|plates:CM|...",
            autocompletion=complete_terrains,
            help="A slope rises ahead; blocks are 0.3 m wide and up to so high, with "
            "an h in heights of the hips.",
            rich_help_panel=GROUND,
        ),
    ] = "flat",
    mapped: Annotated[
        bool,
        _option(
            "--mapped",
            help="It has a map of the wall, instead of meeting it.",
            rich_help_panel=GROUND,
        ),
    ] = False,
    ground_stiffness: Annotated[
        float | None,
        quantity(
            kind="stiffness",
            unit="N/m",
            help="Of soft ground under each foot: short for --terrain soft:N/M.",
            show_default="as firm as the terrain is",
            rich_help_panel=GROUND,
        ),
    ] = None,
    friction: Annotated[
        float | None,
        quantity(
            kind="coefficient",
            metavar="NUMBER",
            help="Of the ground.",
            show_default="0.6 to 0.8, drawn by the seed",
            rich_help_panel=GROUND,
        ),
    ] = None,
    ground: Annotated[
        str,
        _option(
            metavar="mujoco|weak|heavy",
            help="What carries the feet: the engine, or a row of the thesis's table.",
            rich_help_panel=GROUND,
        ),
    ] = "mujoco",
    push: Annotated[
        float,
        quantity(
            kind="impulse",
            unit="N s",
            help="On the trunk, for 0.1 s.",
            rich_help_panel=GROUND,
        ),
    ] = 0.0,
    push_heading: Annotated[
        float,
        quantity(
            kind="angle",
            unit="deg",
            help="Where to: 0 forward, 90 to the left.",
            rich_help_panel=GROUND,
        ),
    ] = 90.0,
    push_at: Annotated[
        float | None,
        quantity(
            kind="time",
            unit="s",
            help="When.",
            show_default="half time",
            rich_help_panel=GROUND,
        ),
    ] = None,
    force: Annotated[
        float,
        quantity(
            kind="force",
            unit="N",
            help="Standard deviation of random forces on the trunk, each held 0.1 s.",
            rich_help_panel=GROUND,
        ),
    ] = 0.0,
    freeze: Annotated[
        int,
        _option(
            metavar="N",
            help="At N instants, which the seed draws, hold all joints of a copy of it "
            "where they are: does it stay up?",
            rich_help_panel=GROUND,
        ),
    ] = 0,
    start: Annotated[
        str,
        _option(
            metavar="stand|belly",
            help="How it starts: from its belly it has to get up first.",
            rich_help_panel=GROUND,
        ),
    ] = "stand",
    amputate: Annotated[
        list[str] | None,
        _option(
            metavar="LEG",
            help="Take a leg off, as middle_left; again, or between commas, for more.",
            show_default="none",
            rich_help_panel=BUILD,
        ),
    ] = None,
    robot_options: RobotOptions = NONE,
    actuators: Annotated[
        str,
        _option(
            metavar="ideal|motor|elastic",
            help="How faithful its drives are.",
            rich_help_panel=BUILD,
        ),
    ] = "motor",
    sensors: Annotated[
        str,
        _option(
            metavar="ideal|real",
            help="As the machine has them, with its bus; or ideal and at once.",
            rich_help_panel=BUILD,
        ),
    ] = "real",
    controller: Annotated[
        str | None,
        _option(
            metavar="NAME",
            help="All parts at once: walking, titan6, ...",
            autocompletion=complete_controllers("whole"),
            show_default="the machine's own",
            rich_help_panel=PARTS,
        ),
    ] = None,
    mode: Annotated[
        str | None,
        _part("Operating mode of a controller that has some: tripod, precision, ..."),
    ] = None,
    learned: Annotated[
        Path | None,
        _option(
            metavar="FILE",
            help="Turn by what 'equipoise learn --policy FILE' wrote, with --turn.",
            show_default="by hand-made rules",
            rich_help_panel=PARTS,
        ),
    ] = None,
    tracking: Annotated[
        str | None,
        _option(
            metavar="position|rotated|force",
            help="How the legs of sap track their references.",
            show_default="force",
            rich_help_panel=PARTS,
        ),
    ] = None,
    adapt: Annotated[
        bool,
        _option(
            "--adapt",
            help="Legs that track forces learn the ground; tell what that is worth.",
            rich_help_panel=PARTS,
        ),
    ] = False,
    command: Annotated[
        Any,
        several(
            of=(SPEED, SPEED, TURNING),
            least=3,
            metavar="VX,VY,TURN",
            help="In m/s and rad/s, any: it grants what it can stop from.",
            show_default="--speed, --left and --turn",
            rich_help_panel=PARTS,
        ),
    ] = None,
    pilot: Annotated[str | None, _part("Says where to.", "pilot")] = None,
    planner: Annotated[str | None, _part("Decides ahead of time.", "planner")] = None,
    support: Annotated[
        str | None, _part("Decides which feet stand, and when they step.", "support")
    ] = None,
    motion: Annotated[
        str | None, _part("Decides where the trunk goes.", "motion")
    ] = None,
    balance: Annotated[
        str | None, _part("Decides how it is kept upright.", "balance")
    ] = None,
    leg_program: Annotated[
        str | None, _part("How feet stand and swing.", "legs")
    ] = None,
    reflexes: Annotated[
        str | None, _part("What is done at once, as reach,elevate; '' for none.")
    ] = None,
    settings: options.Set = None,
    seed: options.Seed = 0,
    seeds: Annotated[
        int | None,
        _option(
            metavar="N",
            help="Walk with N seeds, --seed being the first, and tell the spread.",
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

    It stands for a second and then walks. Exits 0 when it went where it was told, 1
    when it came less than half of the way or did not get to its goal, or fell: its
    trunk on the ground, tilted by more than 35 degrees, or at less than half its
    height.
    """
    from equipoise.runs.robot import RobotChoice
    from equipoise.runs.walk.walk import WalkConfig

    expect_out(out)
    expect_mcap(mcap, out, seeds)
    if gif:
        expect_beside("--gif", "run.gif", out, seeds)
    given = options.given_options(context) | options.gains_given(settings)
    if reflexes is not None:
        given["reflexes"] = tuple(name for name in reflexes.split(",") if name)
    if amputate:
        given["amputate"] = tuple(leg for text in amputate for leg in text.split(","))
    if learned is not None:
        given["learned"] = str(learned)
    own = {field.name for field in fields(WalkConfig)} - {"robot"}
    config = WalkConfig(
        robot=RobotChoice(name=machine, options=robot_options),
        **{name: value for name, value in given.items() if name in own},
    )
    if isinstance(context.obj, CaughtWalk):
        context.obj.config = config
        return YES
    page = live.live_page(view, given)
    if page is not None:
        return _watched_walk(config, page, json_output, given.get("seconds"))
    if seeds is not None:
        return _many_walks(config, seeds, json_output, out)
    return _one_walk(config, json_output, out, mcap, gif)


def _one_walk(
    config: "WalkConfig", json_output: bool, out: Path | None, mcap: bool, gif: bool
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
    config: "WalkConfig", page: live.LivePage, json_output: bool, seconds: float | None
) -> int:
    """Walk while somebody watches, and return the exit code."""
    from equipoise.runs.live.start import live_walk
    from equipoise.runs.robot import find_robot

    job = live_walk(find_robot(config.robot), config)
    return live.show_live(job, page, json_output, seconds)


def _many_walks(
    config: "WalkConfig", seeds: int, json_output: bool, out: Path | None
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
