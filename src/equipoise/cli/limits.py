"""``equipoise limits``: how much a robot takes before it falls."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import (
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
from equipoise.cli.robot_options import (
    NONE,
    RobotOptions,
    robot_names,
    takes_robot_options,
)
from equipoise.cli.setting_options import NONE as NO_SETTINGS
from equipoise.cli.setting_options import Settings, takes_settings
from equipoise.core.checks import expect_none
from equipoise.core.errors import ConfigError
from equipoise.core.setting import described_settings, expect_fields
from equipoise.runs.jobs.limits import walks
from equipoise.runs.limits_config import LimitsConfig
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.limits_config import WalkLimitsConfig

if TYPE_CHECKING:
    from equipoise.runs.limits import LimitsResult
    from equipoise.runs.walk.limits import WalkLimitsResult

__all__ = ["limits_command"]


YES, NO, UNKNOWN, STOPPED = 0, 1, 3, 130


@takes_robot_options("stand", "walk", has_drives=True)
@takes_settings(LimitsConfig, WalkLimitsConfig)
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
    settings: Settings = NO_SETTINGS,
    robot_options: RobotOptions = NONE,
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
    expect_out(out)
    card = options.card_of(gpu, backend)
    choice = RobotChoice(name=robot, options=robot_options)
    asked = {**settings, "seed": seed}
    if card is not None:
        if "processes" in options.given_options(context):
            raise ConfigError("limits", ["--processes and --gpu cannot be combined"])
        found = _walk_limits_on_card(choice, asked, card)
    elif walks(choice):
        found = _walk_limits(choice, asked, processes)
    else:
        found = _stand_limits(choice, asked, processes)
    return tell_limits(found, json_output, out)


def _expect_processes(processes: int) -> None:
    """Refuse a number of processes that is none."""
    if not 1 <= processes <= 256:
        raise ConfigError("limits", [f"processes must be 1 to 256, got {processes}"])


def _stand_limits(
    choice: RobotChoice, asked: Settings, processes: int
) -> "LimitsResult":
    """Find the limits of a robot that stands."""
    from equipoise.runs.limits import limits

    expect_fields(LimitsConfig, asked, choice.name, "machines that walk")
    _expect_processes(processes)
    config = LimitsConfig(robot=choice, **asked)
    with progress_bar("looking for limits") as progress:
        return limits(
            config,
            processes=processes,
            progress=progress,
            on_result=complain,
            is_stoppable=True,
        )


def _walk_limits(
    choice: RobotChoice, asked: Settings, processes: int
) -> "WalkLimitsResult":
    """Find the largest pushes of a machine that walks."""
    from equipoise.runs.walk.limits import push_limits

    expect_fields(WalkLimitsConfig, asked, choice.name, "robots that stand")
    _expect_processes(processes)
    config = WalkLimitsConfig(robot=choice, **asked)
    with progress_bar("looking for limits") as progress:
        return push_limits(
            config,
            processes=processes,
            progress=progress,
            on_result=complain,
            is_stoppable=True,
        )


def _walk_limits_on_card(
    choice: RobotChoice, asked: Settings, card: str
) -> "WalkLimitsResult":
    """Find the largest pushes of a walking robot on a card."""
    from equipoise.runs.many import limits

    described = {
        **described_settings(LimitsConfig),
        **described_settings(WalkLimitsConfig),
    }
    wrong = [name for name in asked if not described[name].is_offered("gpu")]
    problems = [
        f"--{described[name].option} and --gpu cannot be combined" for name in wrong
    ]
    expect_none("limits", problems)
    config = WalkLimitsConfig(robot=choice, **asked)
    with progress_bar("looking for limits") as progress:
        return limits.walk_limits(config, backend=card, progress=progress)


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
            f"It does not even stand without a push: '{s['controller']}' does not "
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
