"""``equipoise learn``: let a machine learn which controllers to compose, and when."""

from pathlib import Path
from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_robots
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
from equipoise.cli.setting_options import NONE as NO_SETTINGS
from equipoise.cli.setting_options import Settings, takes_settings
from equipoise.runs.learn.config import LearnConfig
from equipoise.runs.robot import RobotChoice

__all__ = ["learn_command"]

YES, NO = 0, 1


@takes_robot_options("walk")
@takes_settings(LearnConfig)
def learn_command(
    machine: Annotated[
        str,
        typer.Argument(
            metavar=robot_names("walk", first="thing"),
            help="Machine with four legs of three joints; 'equipoise robots' lists "
            "them.",
            autocompletion=complete_robots("walk"),
        ),
    ] = "thing",
    settings: Settings = NO_SETTINGS,
    policy: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File for what was learned; 'equipoise walk --learned FILE' uses it.",
            show_default="not written",
        ),
    ] = None,
    robot_options: RobotOptions = NONE,
    seed: options.Seed = 0,
    seeds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Learn with N seeds, beginning with --seed, and report the spread.",
            show_default="one",
        ),
    ] = None,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Let a machine learn a task by trial and error, and show what it learned.

    By Q-learning over safe actions, in a kinematic model, the machine learns which
    composition of controllers to run in which state. The share of random steps falls to
    0.1 at the last one. Exits 0 when it has learned to turn, 1 when it has not.
    """
    from equipoise.runs.learn.learn import learn_task
    from equipoise.runs.learn.seeds import learn_seeds
    from equipoise.runs.walk.policy import expect_writable, write_policy

    expect_out(out)
    expect_writable(policy)
    config = LearnConfig(
        robot=RobotChoice(name=machine, options=robot_options),
        seed=seed,
        **settings,
    )
    with progress_bar("learning") as progress:
        if seeds is None:
            result = first = learn_task(config, progress)
        else:
            result = learn_seeds(config, seeds, progress=progress)
            first = result.first
    written = write_files(out, result.save)
    if policy is not None:
        written.append(write_policy(first.policy, policy))
    if json_output:
        print_json(result.summary)
    else:
        _print_learned(result.summary)
        print_written(written)
    return YES if result.verdict == "yes" else NO


def _print_learned(s: dict[str, Any]) -> None:
    """Print what was learned for people."""
    learning, actions, cycle = s["learning"], s["actions"], s["cycle"]
    rows = [
        ("steps tried", str(learning["steps"])),
        ("random steps at the end [%]", f"{100 * learning['epsilon']:.0f}"),
        (
            "turn per step, last 50 steps [rad]",
            f"{learning['rad_per_step_last50']:.3f}",
        ),
        (
            "turn per step, without random steps [rad]",
            f"{learning['greedy_rad_per_step']:.3f}",
        ),
        ("the same from a new start [rad]", f"{learning['fresh_rad_per_step']:.3f}"),
        ("unsafe states", str(learning["unsafe"])),
        (
            "controllers, compositions, safe ones",
            f"{actions['controllers']}, {actions['compositions']}, "
            f"{actions['admissible']}",
        ),
        ("actions in a state, on average", f"{learning['actions_per_state']:.0f}"),
        ("main cycle", " ".join(cycle["states"])),
        ("share of steps in the main cycle [%]", f"{100 * cycle['share']:.0f}"),
    ]
    print_table(("", "value"), rows, f"{s['machine']} learns to {s['task']}")
    if "runs" in s:
        _print_spread(s)
        return
    policy = list(s["policy"].items())
    print_table(("state", "composition"), policy, "learned policy", justify="left")


def _print_spread(s: dict[str, Any]) -> None:
    """Print what many seeds learned."""
    names = {
        "rad_per_step_last50": "turn per step, last 50 steps [rad]",
        "greedy_rad_per_step": "turn per step, without random steps [rad]",
        "fresh_rad_per_step": "the same from a new start [rad]",
    }
    keys = ("median", "p5", "p95", "least", "most")
    rows = [
        (words, *(f"{s['spread'][name][key]:.3f}" for key in keys))
        for name, words in names.items()
    ]
    head = ("", "median", "5 %", "95 %", "least", "most")
    print_table(head, rows, f"{s['seeds']} seeds, beginning with {s['seed']}")
    say(f"{s['learned']} of {s['seeds']} learned to turn; {s['unsafe']} unsafe states.")
