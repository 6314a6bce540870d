"""What can be chosen of a check, described once, as it is typed and swept.

``equipoise.check`` takes the same from Python, with robots, poses and tolerances as
objects.
"""

from dataclasses import dataclass
from typing import Annotated, Literal, final

from equipoise.core.checks import expect_none
from equipoise.core.setting import Setting, usage_problems

__all__ = ["CheckConfig"]

GROUND, TOLERANCES = "Ground and legs", "Tolerances"
RUN, REQUIRED = "Recorded runs", "Requirements and comparison"


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CheckConfig:
    """One check of one robot; the defaults judge its own pose on hard ground.

    Raises:
        ConfigError: settings that do not go together; all of them are named.
    """

    keyframe: Annotated[
        str | None,
        Setting(
            "Name of the keyframe to judge",
            metavar="NAME",
            usual="start, else the model's own",
        ),
    ] = None
    pose: Annotated[
        str | None,
        Setting(
            "Pose as a YAML file, a value by joint name; 'file' for the robot file's "
            "own pose, even with joints out of their range",
            metavar="FILE|file",
        ),
    ] = None
    joints: Annotated[
        Literal["own", "held"] | None,
        Setting(
            "Judge the robot on its own servos, springs and motors, or take its joints "
            "as held",
            usual="own for files with joints, else held",
        ),
    ] = None
    no_settle: Annotated[
        bool, Setting("Judge the pose as given, without putting the robot down first")
    ] = False
    no_remedies: Annotated[
        bool, Setting("Skip the search for changes that would make it stand")
    ] = False
    friction: Annotated[
        float | None,
        Setting(
            "Coulomb friction of the feet",
            kind="coefficient",
            metavar="NUMBER",
            usual="the file's, else 0.6",
            panel=GROUND,
        ),
    ] = None
    slope: Annotated[
        tuple[float, ...] | None,
        Setting(
            "Tilt of the ground, and the robot with it; the heading says which way it "
            "falls, from x towards y",
            "deg,deg",
            kind="slope,angle",
            metavar="DEG[:HEADING]",
            between=":",
            fewest=1,
            usual="level",
            panel=GROUND,
        ),
    ] = None
    ground: Annotated[
        Literal["rigid", "engine"],
        Setting(
            "Judge on hard ground, or on the contacts of an MJCF file", panel=GROUND
        ),
    ] = "rigid"
    ground_stiffness: Annotated[
        float | None,
        Setting(
            "Stiffness of the ground under each foot",
            "N/m",
            usual="rigid",
            panel=GROUND,
        ),
    ] = None
    leg_stiffness: Annotated[
        float | None,
        Setting("Vertical stiffness of each leg", "N/m", usual="rigid", panel=GROUND),
    ] = None
    foot: Annotated[
        tuple[str, ...],
        Setting(
            "Shapes that share one stiffness, may be repeated",
            metavar="NAME=SHAPE,...",
            between="",
            usual="each patch of contact",
            panel=GROUND,
        ),
    ] = ()
    torque_limits: Annotated[
        float | str | None,
        Setting(
            "Torque limits of the joints: the model's own, or one number for all",
            "N m",
            words=("own",),
            metavar="own|NM",
            panel=GROUND,
        ),
    ] = None
    mass_tolerance: Annotated[
        float, Setting("Uncertainty of the mass, as a share of it", panel=TOLERANCES)
    ] = 0.0
    com_tolerance: Annotated[
        float,
        Setting(
            "Uncertainty of the centre of mass along each axis", "m", panel=TOLERANCES
        ),
    ] = 0.0
    stiffness_tolerance: Annotated[
        float,
        Setting("Uncertainty of each stiffness, as a share of it", panel=TOLERANCES),
    ] = 0.0
    require: Annotated[
        tuple[str, ...],
        Setting(
            "Number that the check must give, may be repeated. At least: margin, "
            "static-margin, region-margin, zmp-margin [m], energy [J], area [m²], "
            "torque-reserve, slope [deg]. At most: mass [kg], height [m], "
            "torque-share, friction, ground-stiffness, critical-stiffness [N/m], "
            "stiffness-share; beside --compare-to margin-drop [m], energy-drop [J], "
            "mass-rise [kg]",
            metavar="NAME=VALUE",
            between="",
            usual="none",
            panel=REQUIRED,
        ),
    ] = ()
    compare_to: Annotated[
        str | None,
        Setting(
            "Older version of the robot, or a folder with files of the same names",
            metavar="OLD",
            panel=REQUIRED,
        ),
    ] = None
    no_worse: Annotated[
        bool,
        Setting(
            "Require that answer and margin are no worse than the older ones",
            panel=REQUIRED,
        ),
    ] = False
    run: Annotated[
        str | None,
        Setting(
            "Recorded run, every pose of which is judged", metavar="RUN.nc", panel=RUN
        ),
    ] = None
    at: Annotated[
        float | str | None,
        Setting(
            "Pose of the run whose numbers are printed",
            "s",
            words=("worst", "last"),
            metavar="worst|last|S",
            usual="worst",
            panel=RUN,
        ),
    ] = None
    freeze: Annotated[
        bool,
        Setting(
            "Freeze all joints at that pose and watch whether the robot falls",
            panel=RUN,
        ),
    ] = False

    def __post_init__(self) -> None:
        """Refuse settings that do not go together, all problems at once."""
        poses = sum(one is not None for one in (self.keyframe, self.pose, self.run))
        is_of_pose = self.no_settle or self.foot or self.compare_to or self.joints
        is_of_run = self.freeze or self.at is not None
        problems = usage_problems(self) or _bad_feet(self.foot)
        if poses > 1:
            problems.append("give one of --keyframe, --pose and --run")
        if self.run is not None and (is_of_pose or self.ground != "rigid"):
            problems.append(
                "--no-settle, --foot, --ground, --joints and --compare-to cannot be "
                "combined with --run"
            )
        if self.run is None and is_of_run:
            problems.append("--at and --freeze are for --run")
        if self.no_worse and self.compare_to is None:
            problems.append("--no-worse needs --compare-to")
        expect_none("check", problems)

    @property
    def slope_deg(self) -> float:
        """Tilt of the ground [degrees]."""
        return self.slope[0] if self.slope else 0.0

    @property
    def heading_deg(self) -> float:
        """Where it falls to, from x towards y [degrees]."""
        return self.slope[1] if self.slope and len(self.slope) > 1 else 0.0

    @property
    def feet(self) -> dict[str, list[str]] | None:
        """Shapes by the name of the foot that they are; None where none is given."""
        return dict(map(_foot, self.foot)) or None


def _foot(text: str) -> tuple[str, list[str]]:
    """Return the name and the shapes of a foot, as typed."""
    name, _, shapes = text.partition("=")
    return name, [shape.strip() for shape in shapes.split(",") if shape.strip()]


def _bad_feet(feet: tuple[str, ...]) -> list[str]:
    """Return what is wrong with texts that should be feet."""
    return [
        f"--foot must be NAME=SHAPE,..., as left=toe,heel, got '{text}'"
        for text in feet
        if not all(_foot(text))
    ]
