"""``equipoise linearize``: A, B and poles of a robot that stands on springs."""

from pathlib import Path
from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    say,
    write_files,
    write_json,
)
from equipoise.cli.quantities import quantity
from equipoise.cli.robot_options import NONE, RobotOptions, takes_robot_options

__all__ = ["linearize_command"]


@takes_robot_options()
def linearize_command(
    robot: Annotated[
        str,
        typer.Argument(
            metavar="ROBOT", help="A built-in robot or a file.", show_default=False
        ),
    ],
    keyframe: Annotated[
        str | None,
        typer.Option(help="Pose by name.", show_default="start, else the model's own"),
    ] = None,
    pose: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Pose as YAML: a value by joint name."),
    ] = None,
    ground_stiffness: Annotated[
        float,
        quantity(kind="stiffness", unit="N/m", help="Of the ground under a foot."),
    ] = 70e3,
    ground_damping: Annotated[
        float,
        quantity(kind="damping", unit="N s/m", help="Of the ground under a foot."),
    ] = 2e3,
    seed: options.Seed = 0,
    robot_options: RobotOptions = NONE,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Linearise a robot about a pose: dx/dt = A x + B u, and its poles.

    x is a change of position, then of speed; u one of the joints' torques, which are
    not controlled. Its feet stand on springs and dampers.
    """
    from equipoise.runs.linearize import linearize_pose
    from equipoise.runs.robot import RobotChoice

    expect_out(out)
    summary = linearize_pose(
        RobotChoice(name=robot, seed=seed, options=robot_options),
        keyframe=keyframe,
        pose=pose,
        ground_stiffness=ground_stiffness,
        ground_damping=ground_damping,
    )
    written = write_files(out, lambda to: [write_json(to, "linearize.json", summary)])
    if json_output:
        print_json(summary)
    else:
        print_linear(summary)
        print_written(written)
    return 0


def print_linear(s: dict[str, Any]) -> None:
    """Print the poles for people."""
    rows = [(f"{re:.4g}", f"{im:.4g}") for re, im in s["eigenvalues"] if im >= 0.0]
    title = f"{s['robot']}: poles, those of a pair once [1/s]"
    print_table(("real", "imaginary"), rows, title)
    unstable = sum(re > 1e-6 for re, _ in s["eigenvalues"])
    say(f"{len(s['states'])} states, {len(s['inputs'])} inputs, {unstable} unstable.")
    if not s["is_equilibrium"]:
        say("The torques and the ground do not hold it there: it is no equilibrium.")
    if s["left_out"]:
        say(f"Not in the equations: {'; '.join(s['left_out'])}.")
