"""``equipoise check``: will it stand, by how much, and which way does it fail first."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.checked import print_reports
from equipoise.cli.completion import complete_robots
from equipoise.cli.output import expect_out, print_written, write_files
from equipoise.cli.quantities import one_of, quantity, several
from equipoise.cli.robot_options import NONE, RobotOptions, takes_robot_options
from equipoise.core.quantity import Quantity

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot
    from equipoise.runs.check.check import CheckResult

__all__ = ["check_command"]


@takes_robot_options()
def check_command(
    robot: Annotated[
        list[str],
        typer.Argument(
            metavar="ROBOT",
            help="Built-in robots, see 'equipoise robots', or files; one or more.",
            autocompletion=complete_robots(),
            show_default=False,
        ),
    ],
    keyframe: Annotated[
        str | None,
        typer.Option(
            help="Name of the keyframe to judge.",
            show_default="start, else the model's own",
        ),
    ] = None,
    pose: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|file",
            help="Pose as YAML, a value by joint name; 'file' for the robot file's own "
            "pose, even if it has joints out of their range.",
        ),
    ] = None,
    joints: Annotated[
        str | None,
        typer.Option(
            metavar="own|held",
            help="Judge the robot on its own servos, springs and motors, or take "
            "its joints as held.",
            show_default="own for files with joints, else held",
        ),
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option(metavar="RUN.nc", help="Judge every pose of a recorded run."),
    ] = None,
    at: Annotated[
        Any,
        one_of(
            ("worst", "last"),
            of=Quantity("time", "s"),
            metavar="worst|last|S",
            help="Pose of the run whose numbers are printed.",
            show_default="worst",
        ),
    ] = None,
    freeze: Annotated[
        bool,
        typer.Option(
            "--freeze",
            help="Freeze all joints at that pose and watch whether it falls.",
        ),
    ] = False,
    no_settle: Annotated[
        bool,
        typer.Option(
            "--no-settle", help="Judge the pose as given, not put down first."
        ),
    ] = False,
    friction: Annotated[
        float | None,
        quantity(
            kind="coefficient",
            metavar="NUMBER",
            help="Coulomb friction of the feet.",
            show_default="the file's, else 0.6",
        ),
    ] = None,
    ground: Annotated[
        str,
        typer.Option(
            metavar="rigid|engine",
            help="Judge on hard ground, or on an MJCF file's own contacts.",
        ),
    ] = "rigid",
    ground_stiffness: Annotated[
        float | None,
        quantity(
            kind="stiffness",
            unit="N/m",
            help="Stiffness of the ground under each foot.",
            show_default="rigid",
        ),
    ] = None,
    leg_stiffness: Annotated[
        float | None,
        quantity(
            kind="stiffness",
            unit="N/m",
            help="Vertical stiffness of each leg.",
            show_default="rigid",
        ),
    ] = None,
    slope: Annotated[
        Any,
        several(
            of=(Quantity("slope", "deg"), Quantity("angle", "deg")),
            least=1,
            between=":",
            metavar="DEG[:HEADING]",
            help="Tilt the ground, and the robot with it; it falls towards a heading "
            "from x.",
            show_default="level",
        ),
    ] = None,
    torque_limits: Annotated[
        Any,
        one_of(
            ("own",),
            of=Quantity("torque", "N m"),
            metavar="own|NM",
            help="Limit the joints' torques: to the model's own, or all to a number.",
            show_default="none",
        ),
    ] = None,
    foot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SHAPE,...",
            help="Shapes that share one stiffness; may be repeated.",
            show_default="each patch of contact",
        ),
    ] = None,
    mass_tolerance: Annotated[
        float, quantity(kind="share", help="How well the mass is known.")
    ] = 0.0,
    com_tolerance: Annotated[
        float,
        quantity(
            kind="length", unit="m", help="How well its centre is, along each axis."
        ),
    ] = 0.0,
    stiffness_tolerance: Annotated[
        float, quantity(kind="share", help="How well each stiffness is known.")
    ] = 0.0,
    require: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A number that the check must give, may be repeated. At least: "
            "margin, static-margin, region-margin, zmp-margin [m], energy [J], "
            "area [m²], torque-reserve, slope [deg]. At most: mass [kg], height [m], "
            "torque-share, friction, ground-stiffness, critical-stiffness [N/m], "
            "stiffness-share; beside --compare-to margin-drop [m], energy-drop [J], "
            "mass-rise [kg].",
            show_default="none",
        ),
    ] = None,
    compare_to: Annotated[
        str | None,
        typer.Option(
            metavar="OLD",
            help="An older version of the robot, or a folder with files of the same "
            "names.",
        ),
    ] = None,
    no_worse: Annotated[
        bool,
        typer.Option(
            "--no-worse", help="Answer and margin may be no worse than the older ones."
        ),
    ] = False,
    no_remedies: Annotated[
        bool, typer.Option("--no-remedies", help="Do not search for what would do.")
    ] = False,
    summary: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|github",
            help="Write a summary as Markdown; 'github' adds it to the run's page.",
        ),
    ] = None,
    junit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the answers as JUnit XML."),
    ] = None,
    skip_others: Annotated[
        bool,
        typer.Option("--skip-others", help="Pass over XML files that are no robots."),
    ] = False,
    robot_options: RobotOptions = NONE,
    seed: options.Seed = 0,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Say whether a robot stands in a pose, on its own drives or with its joints held.

    Exits 0 when it stands, 1 when it does not, 3 when that cannot be known; what is
    required counts as well, and of several robots the worst. A robot that creeps, sinks
    by more than 5 % of its height or has passive joints is not called standing.
    """
    from equipoise.runs.check.compare import older
    from equipoise.runs.check.reports.report import exit_code, reported
    from equipoise.runs.check.reports.write import (
        expect_reports,
        saved,
        write_reports,
    )
    from equipoise.runs.check.require.requirement import required, typed_requirements
    from equipoise.runs.check.uncertain import Tolerances
    from equipoise.runs.robot import RobotChoice, find_robot

    expect_out(out)
    expect_reports(summary, junit)
    _expect_fitting(
        several_poses=sum(given is not None for given in (keyframe, pose, run)) > 1,
        pose_options_of_run=run is not None
        and bool(no_settle or foot or ground != "rigid" or compare_to or joints),
        run_options_of_pose=run is None and (freeze or at is not None),
        worse_than_nothing=no_worse and compare_to is None,
    )
    slope_deg, heading_deg = (*(slope or (0.0,)), 0.0)[:2]
    wanted = typed_requirements(require)
    required(wanted)
    settings = {
        "friction": friction,
        "ground_stiffness": ground_stiffness,
        "leg_stiffness": leg_stiffness,
        "slope_deg": slope_deg,
        "heading_deg": heading_deg,
        "torque_limits": {None: False, "own": True}.get(torque_limits, torque_limits),
        "tolerances": Tolerances(mass_tolerance, com_tolerance, stiffness_tolerance),
        "require": wanted,
    }
    posed = {
        "settle": not no_settle,
        "feet": _feet_by_name(foot),
        "ground": ground,
        "joints": joints,
        "remedies": not no_remedies,
    }

    def found(name: str) -> "Robot":
        return find_robot(RobotChoice(name=name, seed=seed, options=robot_options))

    def checked(name: str) -> "CheckResult":
        if run is not None:
            return _checked_run(found(name), run, at, freeze, settings)
        old = older(compare_to, name)
        before = None if old is None else found(old)
        compared = {"compare_to": before, "no_worse": no_worse and before is not None}
        asked = settings | posed | compared
        return _checked_pose(found(name), keyframe, pose, asked)

    reports = [reported(name, checked, skip_others) for name in robot]
    written = write_files(out, lambda to: saved(reports, to))
    written += write_reports(reports, summary, junit)
    print_reports(reports, json_output)
    if not json_output:
        print_written(written)
    return exit_code(reports)


def _expect_fitting(**problems: bool) -> None:
    """Refuse options that do not go together, all problems at once."""
    from equipoise.core.errors import ConfigError

    told = {
        "several_poses": "give one of --keyframe, --pose and --run",
        "pose_options_of_run": "--no-settle, --foot, --ground, --joints and "
        "--compare-to are not for --run",
        "run_options_of_pose": "--at and --freeze are for --run",
        "worse_than_nothing": "--no-worse needs --compare-to",
    }
    if found := [told[name] for name, is_there in problems.items() if is_there]:
        raise ConfigError("check", found)


def _checked_pose(
    robot: "Robot", keyframe: str | None, pose: str | None, settings: dict[str, Any]
) -> "CheckResult":
    """Return the check of one pose."""
    from equipoise.robots.files.pose import read_pose
    from equipoise.runs.check.check import check

    if pose == "file":
        return check(robot, keyframe=keyframe, pose="file", **settings)
    qpos = None if pose is None else read_pose(robot, Path(pose))
    return check(robot, keyframe=keyframe, qpos=qpos, **settings)


def _checked_run(
    robot: "Robot",
    run: Path,
    at: "str | float | None",
    freeze: bool,
    settings: dict[str, Any],
) -> "CheckResult":
    """Return the check of a recorded run."""
    from equipoise.runs.check.run import check_run

    instant: Any = "worst" if at is None else at
    return check_run(robot, run, at=instant, freeze=freeze, **settings)


def _feet_by_name(given: list[str] | None) -> dict[str, list[str]] | None:
    """Return which shapes are one foot, as they are typed."""
    from equipoise.core.errors import ConfigError

    found: dict[str, list[str]] = {}
    for text in given or []:
        name, _, shapes = text.partition("=")
        found[name] = [shape.strip() for shape in shapes.split(",") if shape.strip()]
        if not name or not found[name]:
            problem = f"--foot must be NAME=SHAPE,..., as left=toe,heel, got '{text}'"
            raise ConfigError("check", [problem])
    return found or None
