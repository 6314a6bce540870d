"""``equipoise derive``: equations of motion of a robot or a script, as C with names."""

from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_robots
from equipoise.cli.output import (
    complain,
    expect_out,
    print_json,
    print_table,
    print_written,
    say,
    tell_replaced,
)
from equipoise.cli.robot_options import NONE, RobotOptions, takes_robot_options
from equipoise.cli.setting_options import NONE as NO_SETTINGS
from equipoise.cli.setting_options import Settings, takes_settings
from equipoise.runs.derive_config import DeriveConfig
from equipoise.runs.robot import RobotChoice

__all__ = ["derive_command"]


@takes_robot_options()
@takes_settings(DeriveConfig)
def derive_command(
    robot: Annotated[
        str,
        typer.Argument(
            metavar="ROBOT|FILE.py:SYSTEM",
            help="A built-in robot or a robot file; or a Python file, which is "
            "executed, and the name of a System or Block in it.",
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
    """Derive equations of motion and write them as C, a header and an info file.

    FILE.py:SYSTEM names a Python program of your own, which is executed.
    """
    from equipoise.runs.derive import derive_to_files

    expect_out(out)
    choice = RobotChoice(name=robot, seed=seed, options=robot_options)
    result = derive_to_files(DeriveConfig(robot=choice, **settings), out, complain)
    if json_output:
        print_json(result.summary)
    else:
        _print_derived(result.summary)
        print_written(result.files)
    tell_replaced(result.replaced)
    return 0


def _print_derived(s: dict[str, Any]) -> None:
    """Print what was derived for people."""
    count, step = s["operations"], s["step_operations"]
    rows = [
        ("additions", count["add"], step["add"]),
        ("multiplications and divisions", count["mul"], step["mul"]),
        ("sines and cosines", count["trig"], step["trig"]),
    ]
    head = ("", "equations", "solved")
    print_table(head, rows, f"{s['name']}: M, F and kinematics; rates and outputs")
    say(
        f"{len(s['states'])} states, {len(s['parameters'])} parameters; "
        f"inputs {', '.join(s['inputs']) or '-'}; outputs {', '.join(s['outputs'])}."
    )
    say(f"Derived in {s['derive_s']:.3f} s, written as C in {s['emit_s']:.3f} s.")
    if s.get("kernels"):
        say(f"Kernels: {', '.join(s['kernels'])}.")
    if s["left_out"]:
        say(f"Not in the equations: {'; '.join(s['left_out'])}.")
