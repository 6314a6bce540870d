"""What can be chosen of a walk, described once.

The command, ``equipoise.simulate``, sweeps, many robots on a card, environments and the
live page take their settings from the fields here, and from nowhere else.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Annotated, Any, final

from equipoise.core.checks import expect_none, is_whole
from equipoise.core.kinds import ActuatorKind, GroundKind, SensorKind, StartKind
from equipoise.core.setting import Setting, usage_problems
from equipoise.core.settings import plain_settings
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.runs.robot import MOST_SEED, RobotChoice
from equipoise.runs.walk.conflicts import (
    SHORTEST,
    bad_command,
    bad_goal,
    bad_ground,
    bad_names,
    bad_ramp,
    bad_times,
    soft_terrain,
)

__all__ = ["BUILD", "WalkConfig"]

LONGEST = 1200.0  # of a run [s]
USUAL, TO_GOAL = 10.0, 900.0  # unless given; the second at most, to a goal [s]
FARTHEST = 1000.0  # of a goal [m]
MOST_FROZEN = 500  # fewer than the control periods of the shortest walk
BUILD = ("robot",)
"""Settings that a robot given by hand brings itself."""
GROUND, DISTURBANCES = "Ground", "Disturbances"
HARDWARE, PARTS = "Drives and sensors", "Controller (see 'equipoise controllers')"
OWN = "the controller's own"


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class WalkConfig:
    """One walk; the defaults are a trot on level ground.

    Raises:
        ConfigError: values out of range; all of them are named.
        UnknownNameError: no such terrain, or no such part of the controller.
    """

    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="warp1"))
    """Which machine, and how it is built; or a file of a robot with such legs."""
    gait: Annotated[
        str | None,
        Setting(
            "Gait, see 'equipoise gait'",
            metavar="trot|crawl|...",
            completion="gaits",
            usual=OWN,
        ),
    ] = None
    speed: Annotated[
        float | None,
        Setting(
            "Forward speed",
            "m/s",
            usual="0.4, crawling 0.15; of robot files by their size",
        ),
    ] = None
    left: Annotated[float, Setting("Sideways speed, positive to the left", "m/s")] = 0.0
    turn: Annotated[float, Setting("Turning speed, positive to the left", "rad/s")] = (
        0.0
    )
    heading: Annotated[
        float,
        Setting(
            "Crab angle: direction of the speed, 90 to the left, while the trunk keeps "
            "its yaw",
            "deg",
            kind="angle",
        ),
    ] = 0.0
    ramp: Annotated[
        tuple[float, float] | None,
        Setting(
            "Two speeds [m/s] between which the speed rises linearly",
            "m/s",
            above=0.0,
            metavar="FROM,TO",
            usual="one speed",
            without=("gpu", "gym"),
        ),
    ] = None
    goal: Annotated[
        tuple[float, float] | None,
        Setting(
            "Place to walk to, metres ahead and to the left of the start; obstacles on "
            "the way are walked around",
            "m",
            least=-FARTHEST,
            most=FARTHEST,
            metavar="X,Y",
            usual="straight on",
            without=("gpu", "gym", "live"),
        ),
    ] = None
    seconds: Annotated[
        float,
        Setting(
            "Simulated time, the first second of it standing",
            "s",
            least=SHORTEST,
            most=LONGEST,
            usual=f"{USUAL:g}, to a goal at most {TO_GOAL:g}",
            without=("gym", "many"),
        ),
    ] = math.inf
    stop_at: Annotated[
        float | None,
        Setting(
            "Time of the command to stop", "s", usual="never", without=("gpu", "gym")
        ),
    ] = None
    duty: Annotated[
        float | None,
        Setting(
            "Duty factor: share of a cycle during which a leg stands",
            least=0.0,
            usual="the gait's own",
        ),
    ] = None
    terrain: Annotated[
        str,
        Setting(
            "Terrain: a slope rises ahead; blocks are 0.3 m wide and at most as high "
            "as given, with an h in hip heights",
            metavar="flat|slope:PERCENT|blocks:CM|blocks:0.1h|soft:N/M|wall|"
            "plates:CM|...",
            completion="terrains",
            panel=GROUND,
        ),
    ] = "flat"
    mapped: Annotated[
        bool,
        Setting(
            "Give the machine a map of the wall, instead of letting it meet the wall",
            panel=GROUND,
            without=("gpu",),
        ),
    ] = False
    ground_stiffness: Annotated[
        float | None,
        Setting(
            "Stiffness of soft ground under each foot; short for --terrain soft:N/M",
            "N/m",
            usual="as the terrain has it",
            panel=GROUND,
        ),
    ] = None
    friction: Annotated[
        float | None,
        Setting(
            "Friction coefficient of the ground",
            kind="coefficient",
            metavar="NUMBER",
            least=0.0,
            usual="0.6 to 0.8, drawn by the seed",
            panel=GROUND,
        ),
    ] = None
    ground: Annotated[
        GroundKind,
        Setting(
            "Model of the ground under the feet: the engine's contacts, or a row of "
            "the thesis's table",
            panel=GROUND,
        ),
    ] = "mujoco"
    push: Annotated[
        float,
        Setting(
            "Impulse of a push on the trunk, which lasts 0.1 s",
            "N s",
            kind="impulse",
            panel=DISTURBANCES,
            without=("many",),
        ),
    ] = 0.0
    push_heading: Annotated[
        float,
        Setting(
            "Direction of the push: 0 forward, 90 to the left",
            "deg",
            kind="angle",
            panel=DISTURBANCES,
            without=("many",),
        ),
    ] = 90.0
    push_at: Annotated[
        float | None,
        Setting(
            "Start of the push",
            "s",
            usual="half time",
            panel=DISTURBANCES,
            without=("many",),
        ),
    ] = None
    force: Annotated[
        float,
        Setting(
            "Standard deviation of random forces on the trunk, each held for 0.1 s",
            "N",
            least=0.0,
            panel=DISTURBANCES,
            without=("live", "many"),
        ),
    ] = 0.0
    freeze: Annotated[
        int,
        Setting(
            "Number of random instants at which all joints of a copy are frozen, to "
            "see whether it stays up",
            least=0,
            most=MOST_FROZEN,
            metavar="N",
            panel=DISTURBANCES,
            without=("gpu", "gym", "live"),
        ),
    ] = 0
    start: Annotated[
        StartKind,
        Setting(
            "Posture at the start; from its belly the machine has to get up first",
            panel=DISTURBANCES,
            without=("gpu", "gym"),
        ),
    ] = "stand"
    amputate: Annotated[
        tuple[str, ...],
        Setting(
            "Leg to take off, as middle_left; several between commas or by repeating "
            "the option",
            metavar="LEG",
            usual="none",
            panel=HARDWARE,
            without=("gpu",),
        ),
    ] = ()
    actuators: Annotated[
        ActuatorKind, Setting("Fidelity of the drives", panel=HARDWARE)
    ] = "motor"
    sensors: Annotated[
        SensorKind,
        Setting(
            "Sensors: the machine's own with their bus, or ideal ones without delay",
            panel=HARDWARE,
        ),
    ] = "real"
    controller: Annotated[
        str | None,
        Setting(
            "Walking controller, which sets all parts at once: walking, titan6, ...",
            metavar="NAME",
            completion="controllers:whole",
            usual="the machine's own",
            panel=PARTS,
        ),
    ] = None
    mode: Annotated[
        str | None,
        Setting(
            "Operating mode of a controller that has several: tripod, precision, ...",
            metavar="NAME",
            usual=OWN,
            panel=PARTS,
            without=("gpu",),
        ),
    ] = None
    learned: Annotated[
        str | None,
        Setting(
            "Policy file of 'equipoise learn --policy FILE' that turns the machine, "
            "with --turn",
            metavar="FILE",
            usual="the hand-written rules",
            panel=PARTS,
            without=("gpu",),
        ),
    ] = None
    tracking: Annotated[
        str | None,
        Setting(
            "How the legs of sap track their references",
            metavar="position|rotated|force",
            usual="force",
            panel=PARTS,
            without=("gpu",),
        ),
    ] = None
    adapt: Annotated[
        bool,
        Setting(
            "Let legs that track forces learn the ground, and report the benefit",
            panel=PARTS,
            without=("gpu", "live"),
        ),
    ] = False
    command: Annotated[
        tuple[float, float, float] | None,
        Setting(
            "Any velocity command [m/s, rad/s], of which the controller grants what it "
            "can stop from",
            "m/s,m/s,rad/s",
            metavar="VX,VY,TURN",
            usual="--speed, --left and --turn",
            panel=PARTS,
            without=("gpu",),
        ),
    ] = None
    pilot: Annotated[
        str | None,
        Setting(
            "Pilot: chooses the velocity command",
            metavar="NAME",
            completion="controllers:pilot",
            usual=OWN,
            panel=PARTS,
        ),
    ] = None
    planner: Annotated[
        str | None,
        Setting(
            "Planner: plans footholds and the trunk's motion ahead of time",
            metavar="NAME",
            completion="controllers:planner",
            usual=OWN,
            panel=PARTS,
        ),
    ] = None
    support: Annotated[
        str | None,
        Setting(
            "Support: decides which feet stand and when they step",
            metavar="NAME",
            completion="controllers:support",
            usual=OWN,
            panel=PARTS,
        ),
    ] = None
    motion: Annotated[
        str | None,
        Setting(
            "Motion: decides where the trunk goes",
            metavar="NAME",
            completion="controllers:motion",
            usual=OWN,
            panel=PARTS,
        ),
    ] = None
    balance: Annotated[
        str | None,
        Setting(
            "Balance: decides how the trunk is kept upright",
            metavar="NAME",
            completion="controllers:balance",
            usual=OWN,
            panel=PARTS,
        ),
    ] = None
    leg_program: Annotated[
        str | None,
        Setting(
            "Leg program: decides how feet stand and swing",
            metavar="NAME",
            completion="controllers:legs",
            usual=OWN,
            panel=PARTS,
        ),
    ] = None
    reflexes: Annotated[
        tuple[str, ...] | None,
        Setting(
            "Reflexes, in their order, as reach,elevate; '' for none",
            metavar="NAME",
            usual=OWN,
            panel=PARTS,
        ),
    ] = None
    gains: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the parts by name, as ``stride.sway``, see ``WalkerConfig``."""
    seed: Annotated[
        int,
        Setting(
            "Seed of friction, sensors, bus, joints at the start, tiles and forces",
            without=("command", "gym", "many"),
        ),
    ] = 0

    def __post_init__(self) -> None:
        """Refuse settings out of range, all problems at once."""
        if self.seconds == math.inf:
            usual = USUAL if self.goal is None else TO_GOAL
            object.__setattr__(self, "seconds", usual)
        problems = usage_problems(self) or bad_times(self)
        if is_whole(self.seed) and not 0 <= self.seed < MOST_SEED:
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        problems += bad_command(self) + bad_ramp(self) + bad_goal(self)
        problems += bad_ground(self)
        expect_none("the walk", problems, bad_names(self))
        if self.ground_stiffness is not None:
            object.__setattr__(self, "terrain", soft_terrain(self))

    @property
    def pushed_at(self) -> float:
        """Time of the push [s]."""
        return 0.5 * self.seconds if self.push_at is None else self.push_at

    @property
    def walks_until(self) -> float:
        """Time of the command to stop, or of the end [s]."""
        return self.seconds if self.stop_at is None else self.stop_at

    def parts(self) -> dict[str, Any]:
        """Return the parts that were chosen, by what they decide."""
        names = ("planner", "support", "motion", "balance", "reflexes")
        chosen = {name: getattr(self, name) for name in names}
        chosen["legs"] = self.leg_program
        chosen["guide"] = self.pilot or ("harmonic" if self.goal else None)
        return {name: part for name, part in chosen.items() if part is not None}

    def settings_record(self) -> dict[str, Any]:
        """Return all settings as plain values, those of the robot among them."""
        chosen = {
            key: str(value) if isinstance(value, PurePath) else value
            for key, value in self.robot.options.items()
        }
        if self.robot.name in builtin_names():
            chosen = builtin(self.robot.name).settings_record(chosen)
        settings = plain_settings(self) | chosen
        del settings["robot"]
        return settings
