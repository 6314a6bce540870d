"""``equipoise check``: will it stand, by how much, and which way does it fail first."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    say,
    write_files,
)
from equipoise.cli.quantities import one_of, quantity, several
from equipoise.cli.robot_options import NONE, RobotOptions, takes_robot_options
from equipoise.core.quantity import Quantity

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot
    from equipoise.runs.check.check import CheckResult

__all__ = ["check_command"]

MOST_ROWS = 12  # contacts and notes that are printed; --json has all
CODES = {"yes": 0, "no": 1, "unknown": 3}


@takes_robot_options()
def check_command(
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
            help="Which pose of the run is told.",
            show_default="worst",
        ),
    ] = None,
    freeze: Annotated[
        bool, typer.Option("--freeze", help="Freeze the run's robot there and watch.")
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
            help="Of the feet on the ground.",
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
            help="Of the ground under a foot.",
            show_default="rigid",
        ),
    ] = None,
    leg_stiffness: Annotated[
        float | None,
        quantity(
            kind="stiffness",
            unit="N/m",
            help="Of a leg, upwards.",
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
    robot_options: RobotOptions = NONE,
    seed: options.Seed = 0,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Say whether a robot stands in a pose, its joints held.

    Exits 0 when it stands, 1 when it does not, 3 when that cannot be known.
    """
    from equipoise.core.errors import ConfigError
    from equipoise.runs.check.uncertain import Tolerances
    from equipoise.runs.robot import RobotChoice, find_robot

    expect_out(out)
    if sum(given is not None for given in (keyframe, pose, run)) > 1:
        raise ConfigError("check", ["give one of --keyframe, --pose and --run"])
    if run is not None and (no_settle or foot or ground != "rigid"):
        problem = "--no-settle, --foot and --ground are not for --run"
        raise ConfigError("check", [problem])
    if run is None and (freeze or at is not None):
        raise ConfigError("check", ["--at and --freeze are for --run"])
    slope_deg, heading_deg = (*(slope or (0.0,)), 0.0)[:2]
    found = find_robot(RobotChoice(name=robot, seed=seed, options=robot_options))
    settings = {
        "friction": friction,
        "ground_stiffness": ground_stiffness,
        "leg_stiffness": leg_stiffness,
        "slope_deg": slope_deg,
        "heading_deg": heading_deg,
        "torque_limits": True if torque_limits == "own" else torque_limits or False,
        "tolerances": Tolerances(mass_tolerance, com_tolerance, stiffness_tolerance),
    }
    if run is not None:
        result = checked_run(found, run, at, freeze, settings)
    else:
        settings |= {
            "settle": not no_settle,
            "feet": feet_by_name(foot),
            "ground": ground,
        }
        result = checked_pose(found, keyframe, pose, settings)
    written = write_files(out, result.save)
    if json_output:
        print_json(result.summary)
    else:
        print_check(result.summary)
        print_written(written)
    return CODES[result.verdict]


def checked_pose(
    robot: "Robot", keyframe: str | None, pose: Path | None, settings: dict[str, Any]
) -> "CheckResult":
    """Return the check of one pose."""
    from equipoise.robots.files.pose import read_pose
    from equipoise.runs.check.check import check

    qpos = None if pose is None else read_pose(robot, pose)
    return check(robot, keyframe=keyframe, qpos=qpos, **settings)


def checked_run(
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


def feet_by_name(given: list[str] | None) -> dict[str, list[str]] | None:
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


def shown(value: float | None, pattern: str = "{:.4f}") -> str:
    """Return a number for people; a dash where there is none."""
    return "-" if value is None else pattern.format(value)


def print_check(s: dict[str, Any]) -> None:
    """Print a check for people."""
    feet = dict.fromkeys(c["geom"] for c in s["contacts"])
    rows = [
        ("mass [kg]", shown(s["mass"], "{:.6g}")),
        ("centre of mass x, y, z [m]", ", ".join(f"{x:.4f}" for x in s["com"])),
        ("stands on", ", ".join(feet) or "-"),
        *world_rows(s),
        ("static margin [m]", shown(s["static_margin_m"])),
        ("energy margin [J]", shown(s["energy_margin_j"], "{:.4g}")),
        ("area where the centre may be [m²]", shown(s["region_area_m2"])),
        ("margin in it [m]", shown(s["region_margin_m"])),
        *joint_rows(s["joints"]),
        *soft_rows(s),
    ]
    rows += interval_rows(s["intervals"]) + run_rows(s.get("run"))
    print_table(("", "value"), rows, s["robot"])
    answer = {"yes": "It stands", "no": "It does not stand", "unknown": "Not known"}
    say(f"{answer[s['stands']]}: {'; '.join(s['reasons'])}.")
    for phrase in s["joints"]["beyond_range"][:MOST_ROWS]:
        say(f"Note: joint {phrase}.")


def world_rows(s: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the rows about the world it is in, and how it was put down."""
    source = {"option": "as given", "file": "the file's", "assumed": "assumed"}
    floor = {
        "own": "of the file",
        "assumed": "assumed, level below it",
        "out of reach": "of the file, which it cannot touch",
    }
    friction = shown(s["friction"], "{:.3g}")
    gravity = ", ".join(f"{x:.4g}" for x in s["gravity"])
    rows = [
        ("friction, at least", f"{friction} ({source[s['friction_from']]})"),
        ("gravity x, y, z [m/s²]", gravity),
        ("ground", floor[s["floor"]]),
    ]
    if s["left_out"]:
        rows.append(("left out of its file", ", ".join(s["left_out"])))
    if s["settled_deg"] is None:
        return [*rows, ("put down", "no, judged as given")]
    told = f"turns by {s['settled_deg']:.3g} deg, sinks by {s['settled_m']:.3g} m"
    return [*rows, ("put down gently it", told)]


def joint_rows(joints: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the rows about joints; none where there are none."""
    if not joints["held"]:
        return []
    rows = [("joints, taken as held", str(joints["held"]))]
    if joints["torque_share"] is not None:
        share = joints["torque_share"]
        told = f"{share:.3g}" if share <= 1.0 else f"{share:.3g}: they cannot hold it"
        rows.append(("torque they need, share of their limits", told))
    return rows


def soft_rows(s: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the rows about soft ground or legs; none without."""
    soft = s["compliance"]
    if soft is None:
        return []
    lean = ", ".join(f"{x:.3f}" for x in soft["weakest_direction"])
    rows = [
        ("stands down to, of every stiffness", shown(soft["multiplier"])),
        ("critical stiffness [N/m]", shown(soft["critical_stiffness"], "{:.5g}")),
        ("critical height [m]", shown(soft["critical_height_m"])),
        ("leans most easily towards x, y", lean),
    ]
    springs = zip(
        s["contacts"], soft["contact_foot"], soft["contact_stiffness"], strict=True
    )
    for contact, foot, stiffness in list(springs)[:MOST_ROWS]:
        at = ", ".join(f"{x:.3f}" for x in contact["position"][:2])
        label = f"foot {foot + 1}, {contact['geom']} at {at} [N/m]"
        rows.append((label, f"{stiffness:.5g}"))
    if len(s["contacts"]) > MOST_ROWS:
        rows.append(("and more contacts", str(len(s["contacts"]) - MOST_ROWS)))
    return rows


def interval_rows(intervals: dict[str, Any] | None) -> list[tuple[str, str]]:
    """Return the rows about tolerances; none without."""
    names = {
        "static_margin_m": "static margin, from and to [m]",
        "energy_margin_j": "energy margin, from and to [J]",
        "region_margin_m": "margin within friction, from and to [m]",
        "multiplier": "stands down to, from and to",
    }
    found = intervals or {}
    return [
        (label, ", ".join(shown(x, "{:.4g}") for x in found[key]))
        for key, label in names.items()
        if found.get(key) is not None
    ]


def run_rows(run: dict[str, Any] | None) -> list[tuple[str, str]]:
    """Return the rows about a recorded run; none without."""
    if run is None:
        return []
    return [
        ("told of the pose at [s]", shown(run["at_s"], "{:.3f}")),
        ("worst static margin [m]", shown(run["worst_static_margin_m"])),
        ("at [s]", shown(run["worst_s"], "{:.3f}")),
        ("worst zero moment point margin [m]", shown(run["worst_zmp_margin_m"])),
        ("at [s]", shown(run["worst_zmp_s"], "{:.3f}")),
        ("stands in the end", run["last_stands"]),
        ("static margin in the end [m]", shown(run["last_static_margin_m"])),
    ]
