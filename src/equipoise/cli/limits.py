"""``equipoise limits``: how much a robot takes before it falls."""

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import (
    complete_controllers,
    complete_gaits,
    complete_robots,
)
from equipoise.cli.output import (
    complain,
    expect_out,
    print_json,
    print_table,
    print_written,
    progress_bar,
    say,
    write_files,
)
from equipoise.cli.quantities import quantity
from equipoise.cli.robot_options import (
    NONE,
    RobotOptions,
    robot_names,
    robots_that,
    takes_robot_options,
)
from equipoise.robots.files.named import is_robot_file

if TYPE_CHECKING:
    from equipoise.runs.limits import LimitsResult
    from equipoise.runs.robot import RobotChoice
    from equipoise.runs.walk.limits import WalkLimitsResult
    from equipoise.runs.walk.limits_config import WalkLimitsConfig

__all__ = ["limits_command"]


YES, NO, UNKNOWN, STOPPED = 0, 1, 3, 130
OF_WALKS = ("gait", "speed", "sensors", "phases")
"""Options of machines that walk."""
OF_STANDS = ("timestep", "delay_ms")
"""Options of robots that stand."""
NOT_ON_CARDS = (*OF_STANDS, "processes", "quick", "sensors")


@takes_robot_options("stand", "walk", has_drives=True)
def limits_command(
    context: typer.Context,
    robot: Annotated[
        str,
        typer.Argument(
            metavar=robot_names("stand", "walk", first="biped"),
            help="The biped, a machine that walks, or the file of one like these.",
            autocompletion=complete_robots("stand", "walk"),
            show_default=False,
        ),
    ] = "biped",
    controller: Annotated[
        str | None,
        typer.Option(
            help="Which law, or which walking controller, see 'equipoise controllers'.",
            autocompletion=complete_controllers("biped"),
            show_default="the recommended one, of a machine that walks its own",
        ),
    ] = None,
    pushes: Annotated[
        int | None,
        typer.Option(
            help="How many random pushes.",
            show_default="200, quick 20; on a walk 40, quick 8, with --gpu 200",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Coarser and several times as quick."),
    ] = False,
    phases: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Instants of the gait's cycle, each with its own seed, at which a "
            "machine that walks has to survive a push.",
            show_default="4, quick 2, with --gpu 8",
        ),
    ] = None,
    gait: Annotated[
        str | None,
        typer.Option(
            metavar="trot|crawl|...",
            help="Of a machine that walks.",
            autocompletion=complete_gaits,
            show_default="the controller's own",
        ),
    ] = None,
    speed: Annotated[
        float | None,
        quantity(
            kind="speed",
            unit="m/s",
            help="Of a machine that walks, forward.",
            show_default="as in 'equipoise walk'",
        ),
    ] = None,
    sensors: Annotated[
        str,
        typer.Option(
            metavar="ideal|real", help="Of a machine that walks; with --gpu ideal."
        ),
    ] = "real",
    impulse: Annotated[
        float | None,
        quantity(
            kind="impulse per mass",
            unit="N s/kg",
            help="Of every random push, per mass of the robot.",
            show_default="drawn, 0.06 to 0.34; with --gpu 0.2 to 1.4",
        ),
    ] = None,
    robot_options: RobotOptions = NONE,
    friction: options.Friction = None,
    timestep: options.Timestep = None,
    delay_ms: options.DelayMs = None,
    processes: Annotated[
        int, typer.Option(help="Runs at a time; the numbers do not depend on it.")
    ] = 2,
    gpu: options.Gpu = False,
    backend: options.GpuBackend = None,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """Find the largest pushes that a robot survives, from all sides, and at random.

    A robot on soles (the biped, or a file with legs of six joints) stands, and a block
    is thrown at it too. It survives where it has not fallen and is at rest within 5 cm
    and 5 degrees of its aim 4 s after the start.

    A machine that walks (WARP1 and others, or a file with four legs and more) is pushed
    at several instants of its gait's cycle: an impulse counts only where it survives
    that and every smaller one of a grid at all of them, for 4 s. With --gpu all pushes
    are tried at once.

    Results come as they are found, on stderr; Ctrl-C ends early with those that are
    known. Exits 0 when done, 3 when runs were lost, 130 after Ctrl-C.
    """
    from equipoise.runs.robot import RobotChoice

    expect_out(out)
    card = options.card_of(gpu, backend)
    given = options.given_options(context)
    choice = RobotChoice(name=robot, options=robot_options)
    if card is not None:
        found = _walk_limits_on_card(choice, given, card)
    elif _walks(choice):
        found = _walk_limits(choice, given, processes)
    else:
        found = _stand_limits(choice, given, processes)
    return tell_limits(found, json_output, out)


def _walks(choice: "RobotChoice") -> bool:
    """Say whether a robot is one that walks, not one that stands.

    Raises:
        ConfigError: it is neither.
    """
    from equipoise.core.errors import ConfigError
    from equipoise.runs.robot import find_robot
    from equipoise.runs.walk.limits_config import is_walker

    known = {found.name: found.task for found in robots_that("stand", "walk")}
    if choice.name in known:
        return known[choice.name] == "walk"
    if is_robot_file(choice.name):
        return is_walker(find_robot(choice))
    listed = ", ".join(f"'{name}'" for name in known)
    problem = f"limits are known of {listed} and robot files, got '{choice.name}'"
    raise ConfigError("limits", [problem])


def _expect_processes(processes: int) -> None:
    """Refuse a number of processes that is none."""
    from equipoise.core.errors import ConfigError

    if not 1 <= processes <= 256:
        raise ConfigError("limits", [f"processes must be 1 to 256, got {processes}"])


def _stand_limits(
    choice: "RobotChoice", given: dict[str, Any], processes: int
) -> "LimitsResult":
    """Find the limits of a robot that stands."""
    from equipoise.runs.limits import LimitsConfig, limits

    options.expect_own_options(given, OF_WALKS, choice.name, "machines that walk")
    _expect_processes(processes)
    own = {field.name for field in fields(LimitsConfig)} - {"robot"}
    config = LimitsConfig(
        robot=choice, **{name: value for name, value in given.items() if name in own}
    )
    with progress_bar("looking for limits") as progress:
        return limits(
            config,
            processes=processes,
            progress=progress,
            told=complain,
            is_stoppable=True,
        )


def _walk_limits(
    choice: "RobotChoice", given: dict[str, Any], processes: int
) -> "WalkLimitsResult":
    """Find the largest pushes of a machine that walks."""
    from equipoise.runs.walk.limits import push_limits

    options.expect_own_options(given, OF_STANDS, choice.name, "robots that stand")
    _expect_processes(processes)
    config = _walk_config(choice, given)
    with progress_bar("looking for limits") as progress:
        return push_limits(
            config,
            processes=processes,
            progress=progress,
            told=complain,
            is_stoppable=True,
        )


def _walk_limits_on_card(
    choice: "RobotChoice", given: dict[str, Any], card: str
) -> "WalkLimitsResult":
    """Find the largest pushes of a walking robot on a card."""
    from equipoise.core.errors import ConfigError
    from equipoise.runs.many import limits

    for name in NOT_ON_CARDS:
        if name in given:
            problem = f"--{name.replace('_', '-')} and --gpu do not go together"
            raise ConfigError("limits", [problem])
    with progress_bar("looking for limits") as progress:
        return limits.walk_limits(
            _walk_config(choice, given), backend=card, progress=progress
        )


def _walk_config(choice: "RobotChoice", given: dict[str, Any]) -> "WalkLimitsConfig":
    """Return how a machine walks and is pushed, as typed."""
    from equipoise.runs.walk.limits_config import WalkLimitsConfig

    own = {field.name for field in fields(WalkLimitsConfig)} - {"robot"}
    return WalkLimitsConfig(
        robot=choice, **{name: value for name, value in given.items() if name in own}
    )


def tell_limits(
    result: "LimitsResult | WalkLimitsResult", json_output: bool, out: Path | None
) -> int:
    """Write what is known into a folder, if there is one, tell it, and return the code.

    Args:
        result: what was found.
        json_output: whether to print JSON.
        out: the folder; None for none.
    """
    written = write_files(out, result.save)
    if json_output:
        print_json(result.summary)
    else:
        _print_limits(result.summary)
        print_written(written)
    if result.summary.get("falls_unpushed"):
        return NO
    if result.summary["complete"]:
        return YES
    return UNKNOWN if result.summary["lost"] else STOPPED


def _print_limits(s: dict[str, Any]) -> None:
    """Print limits for people."""
    rows = list[tuple[str, str, str]]()
    if "block_share" in s:
        what = "largest block at 4.5 m/s [kg]"
        rows.append(
            (what, _number(s["block_mass_kg"], 2), _number(s["block_share"], 3))
        )
    found = zip(s["heading_deg"], s["impulse_ns"], s["impulse_ns_per_kg"], strict=True)
    for heading, impulse, own in found:
        what = f"largest push towards {heading:.0f}° [N s]"
        rows.append((what, _number(impulse, 1), _number(own, 3)))
    rows.append(
        ("random pushes survived", f"{s['pushes_survived']} of {s['pushes']}", "-")
    )
    facing = f"it faces {s['faces_deg']:.0f}°"
    does = "walking" if "phases" in s else "balanced"
    title = f"{s['robot']}, {does} by '{s['controller']}'; {facing}"
    print_table(("", "value", "per kg of robot"), rows, title)
    if "phases" in s:
        say(*_walk_words(s))
    if s.get("falls_unpushed"):
        say(
            f"It does not stand where nobody pushes it: '{s['controller']}' does not "
            "hold it, so these are no limits of the robot."
        )
    for line in s["lost"]:
        say(f"A run was lost: {line}.")
    if not s["complete"]:
        known = sum(impulse is not None for impulse in s["impulse_ns"])
        say(f"Not complete: {known} of {len(s['impulse_ns'])} directions are known.")
    for line in s["assumed"]:
        say(f"assumed: {line}")


def _walk_words(s: dict[str, Any]) -> list[str]:
    """Return how the limits of a walk are meant, and the pockets in them.

    Args:
        s: the numbers that were found.
    """
    from equipoise.runs.walk.push_grid import pocket_words

    each = "each with its own seed" if "step_ns" in s else "of the same seed"
    step = f" in steps of {s['step_ns']:.3g} N s" if "step_ns" in s else ""
    line = (
        f"Survived at {s['phases']} instants of the gait's cycle, {each}, and so is "
        f"every smaller push of the grid; tried{step} up to {s['bound_ns']:.3g} N s."
    )
    return [line, *(pocket_words(one) for one in s["pockets"])]


def _number(value: float | None, digits: int) -> str:
    """Return a number for people, or that it is not known."""
    return "not known" if value is None else f"{value:.{digits}f}"
