"""``equipoise linearize``: A, B and poles of a robot that stands on springs."""

from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_robots
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    say,
    write_files,
    write_json,
)
from equipoise.cli.robot_options import NONE, RobotOptions, takes_robot_options
from equipoise.cli.setting_options import NONE as NO_SETTINGS
from equipoise.cli.setting_options import Settings, takes_settings
from equipoise.runs.linearize_config import LinearizeConfig
from equipoise.runs.robot import RobotChoice

__all__ = ["linearize_command"]

MOST_MODES, MOST_PARTS = 24, 2  # that are printed


@takes_robot_options()
@takes_settings(LinearizeConfig)
def linearize_command(
    robot: Annotated[
        str,
        typer.Argument(
            metavar="ROBOT",
            help="Built-in robot ('equipoise robots' lists them) or robot file.",
            autocompletion=complete_robots(),
            show_default=False,
        ),
    ],
    settings: Settings = NO_SETTINGS,
    seed: options.Seed = 0,
    robot_options: RobotOptions = NONE,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Linearise a robot about a pose: dx/dt = A x + B u, its poles and modes.

    x holds the deviations of positions and speeds, u those of the joint torques, which
    no controller changes. The feet stand on springs and dampers.
    """
    from equipoise.runs.linearize import linearize_pose

    expect_out(out)
    choice = RobotChoice(name=robot, seed=seed, options=robot_options)
    summary = linearize_pose(LinearizeConfig(robot=choice, **settings))
    written = write_files(out, lambda to: [write_json(to, "linearize.json", summary)])
    if json_output:
        print_json(summary)
    else:
        _print_linear(summary)
        print_written(written)
    return 0


def _print_linear(s: dict[str, Any]) -> None:
    """Print the modes for people: what moves, what it does, and how fast."""
    rows = [
        (mode["name"], _pace(mode), _pole(mode["pole"]), _movers(mode["parts"]))
        for mode in s["modes"][:MOST_MODES]
    ]
    title = f"{s['robot']}: modes near this pose, the least stable first"
    head = ("mode", "how fast", "pole [1/s]", "moves most")
    print_table(head, rows, title, justify="left")
    if len(s["modes"]) > MOST_MODES:
        say(f"And {len(s['modes']) - MOST_MODES} faster modes; --json lists all.")
    unstable = [m for m in s["modes"] if m["doubling_time_s"] is not None]
    sizes = f"{len(s['states'])} states, {len(s['inputs'])} inputs"
    say(f"{sizes}, {len(unstable)} unstable.")
    if unstable:
        first = unstable[0]
        say(
            f"Without control it falls: '{first['name']}' doubles in "
            f"{first['doubling_time_s']:.3g} s."
        )
    if not s["is_equilibrium"]:
        say("The pose is not an equilibrium: torques and ground do not hold it.")
    if s["left_out"]:
        say(f"Not in the equations: {'; '.join(s['left_out'])}.")


def _pace(mode: dict[str, Any]) -> str:
    """Return what a mode does and how fast, in words."""
    told = list[str]()
    if mode["frequency_hz"] is not None:
        share = f"{round(100.0 * mode['damping_ratio']) + 0} %"
        told.append(f"swings at {mode['frequency_hz']:.3g} Hz, damping {share}")
    if mode["doubling_time_s"] is not None:
        told.append(f"doubles in {_in_time(mode['doubling_time_s'])}")
    elif mode["time_constant_s"] is not None:
        told.append(f"time constant {_in_time(mode['time_constant_s'])}")
    return ", ".join(told) or "stays as it is"


def _movers(parts: dict[str, float]) -> str:
    """Return what moves most in a mode, by the names of its speeds."""
    return ", ".join(name.removesuffix(".v") for name in list(parts)[:MOST_PARTS])


def _in_time(seconds: float) -> str:
    """Return a time for people."""
    return f"{seconds:.3g} s" if seconds >= 0.1 else f"{1e3 * seconds:.3g} ms"


def _pole(pair: list[float]) -> str:
    """Return a pole for people, both of a pair."""
    real, imaginary = pair
    return f"{real + 0.0:.4g}" + (f" ± {imaginary:.4g}i" if imaginary else "")
