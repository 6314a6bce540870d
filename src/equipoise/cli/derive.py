"""``equipoise derive``: equations of motion of a robot or a script, as C with names."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_choices, complete_robots
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

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["derive_command"]


@takes_robot_options()
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
    target: Annotated[
        str,
        typer.Option(
            metavar="host|simd|cortex-m|atmega128|cuda",
            help="Target of the C; cuda writes kernels for many robots on a graphics "
            "card.",
            autocompletion=complete_choices(
                "host", "simd", "cortex-m", "atmega128", "cuda"
            ),
        ),
    ] = "host",
    precision: Annotated[
        str | None,
        typer.Option(
            metavar="double|single",
            help="Precision of all numbers.",
            show_default="double; single on atmega128",
        ),
    ] = None,
    parameters: Annotated[
        str,
        typer.Option(
            metavar="sparse|general|numbers",
            help="Parameters of the robot that can be set later: those that are not "
            "zero, all, or none.",
        ),
    ] = "sparse",
    attitude: Annotated[
        str | None,
        typer.Option(
            metavar="yaw-pitch-roll|quaternion",
            help="Attitude coordinates of a floating base. With angles, its velocity "
            "is in its own axes; with a quaternion, as in MuJoCo.",
            show_default="yaw-pitch-roll; quaternion for cuda",
        ),
    ] = None,
    outputs: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="Outputs in addition to the accelerations: com, feet, lines ...",
        ),
    ] = "",
    seed: options.Seed = 0,
    robot_options: RobotOptions = NONE,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Derive equations of motion and write them as C, a header and an info file.

    FILE.py:SYSTEM names a Python program of your own, which is executed.
    """
    from equipoise.runs.derive import derive_to_files
    from equipoise.runs.robot import RobotChoice

    expect_out(out)
    _expect_choices(
        {
            "parameters": (parameters, ("sparse", "general", "numbers")),
            "attitude": (
                attitude or "quaternion",
                ("yaw-pitch-roll", "quaternion"),
            ),
        }
    )
    result = derive_to_files(
        RobotChoice(name=robot, seed=seed, options=robot_options),
        out=out,
        target=target,  # type: ignore[arg-type]  # checked where it is used
        precision=precision,  # type: ignore[arg-type]
        parameters=parameters,  # type: ignore[arg-type]  # checked above
        attitude=attitude,  # type: ignore[arg-type]
        outputs=[name.strip() for name in outputs.split(",") if name.strip()],
        notice=complain,
    )
    if json_output:
        print_json(result.summary)
    else:
        _print_derived(result.summary)
        print_written(result.files)
    tell_replaced(result.replaced)
    return 0


def _expect_choices(typed: "dict[str, tuple[str, Sequence[str]]]") -> None:
    """Refuse values that are not among the known ones, all of them.

    Args:
        typed: value and known ones, by the option's name.
    """
    from equipoise.core.checks import expect_none
    from equipoise.core.errors import UnknownNameError

    wrong = [
        UnknownNameError("value", value, known, f"--{name}")
        for name, (value, known) in typed.items()
        if value not in known
    ]
    expect_none("the command", [], wrong)


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
