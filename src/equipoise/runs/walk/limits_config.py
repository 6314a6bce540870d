"""Which pushes are tried on a walking machine, and on which walks."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, final

from equipoise.core.checks import expect_none
from equipoise.core.errors import ConfigError
from equipoise.core.kinds import SensorKind
from equipoise.core.setting import Setting, usage_problems
from equipoise.runs.limits_config import IMPULSE, PUSHES
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.config import WalkConfig

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot  # brings MuJoCo

__all__ = [
    "AFTER",
    "AT",
    "CARD_PHASES",
    "CARD_PUSHES",
    "RANDOM_AT",
    "RANDOM_PER_MASS",
    "WalkLimitsConfig",
    "expect_walker",
]

PHASES, QUICK_PHASES, CARD_PHASES = 4, 2, 8
USUAL_PUSHES, QUICK_PUSHES, CARD_PUSHES = 40, 8, 200
WALKS = "Machines that walk"
MOST_PHASES = 64
AT = 3.0
"""When the first push comes: it walks evenly since a second [s]."""
AFTER = 4.0
"""For which a push has to be survived [s]."""
RANDOM_AT = (2.0, 4.0)
"""When random pushes come [s]."""
RANDOM_PER_MASS = (0.2, 1.4)
"""Impulses of random pushes [N s/kg]."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class WalkLimitsConfig:
    """Settings of a search for the largest pushes on a walk."""

    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="warp1"))
    controller: Annotated[
        str | None,
        Setting(
            "Walking controller, see 'equipoise controllers'",
            metavar="NAME",
            completion="controllers:whole",
            usual="the machine's own",
        ),
    ] = None
    pushes: Annotated[int | None, PUSHES] = None
    impulse: Annotated[float | None, IMPULSE] = None
    quick: Annotated[
        bool,
        Setting(
            "Search on a grid twice as coarse, with half the instants and directions",
            without=("gpu",),
        ),
    ] = False
    friction: Annotated[
        float | None,
        Setting(
            "Friction coefficient of the ground",
            kind="coefficient",
            metavar="NUMBER",
            least=0.0,
            usual="0.6 to 0.8, drawn by the seed; with --gpu 0.7",
        ),
    ] = None
    gait: Annotated[
        str | None,
        Setting(
            "Gait, see 'equipoise gait'",
            metavar="trot|crawl|...",
            completion="gaits",
            usual="the controller's own",
            panel=WALKS,
        ),
    ] = None
    speed: Annotated[
        float | None,
        Setting("Forward speed", "m/s", usual="as in 'equipoise walk'", panel=WALKS),
    ] = None
    sensors: Annotated[
        SensorKind,
        Setting(
            "Sensors: the machine's own with their bus, or ideal; with --gpu ideal",
            panel=WALKS,
            without=("gpu",),
        ),
    ] = "real"
    phases: Annotated[
        int | None,
        Setting(
            "Number of instants of the gait's cycle, each with its own seed, at which "
            "an impulse has to be survived",
            least=1,
            most=MOST_PHASES,
            metavar="N",
            usual="4, quick 2, with --gpu 8",
            panel=WALKS,
        ),
    ] = None
    seed: Annotated[
        int, Setting("First seed of the instants and pushes", without=("command",))
    ] = 0

    def __post_init__(self) -> None:
        """Refuse settings out of range."""
        problems = usage_problems(self)
        try:
            self.walk(0, 0.0, AT)
        except ConfigError as error:
            problems += [one for one in error.problems if one not in problems]
        expect_none("limits", problems)

    @property
    def instants(self) -> int:
        """Instants of the cycle at which an impulse is tried."""
        if self.phases is not None:
            return self.phases
        return QUICK_PHASES if self.quick else PHASES

    @property
    def random_pushes(self) -> int:
        """Random pushes that are tried."""
        if self.pushes is not None:
            return self.pushes
        return QUICK_PUSHES if self.quick else USUAL_PUSHES

    def walk(self, phase: int, impulse: float, at: float) -> WalkConfig:
        """Return the walk in which one push is tried.

        Args:
            phase: number of the instant, which says its seed.
            impulse: of the push, forward [N s].
            at: when it begins [s].
        """
        return WalkConfig(
            robot=self.robot,
            controller=self.controller,
            gait=self.gait,
            speed=self.speed,
            sensors=self.sensors,
            friction=self.friction,
            seconds=at + AFTER,
            push=impulse,
            push_heading=0.0,
            push_at=at,
            seed=self.seed + phase,
        )


def expect_walker(robot: "Robot") -> None:
    """Refuse a robot that does not walk.

    Raises:
        ConfigError: says so, and what would work.
    """
    from equipoise.runs.walk.fit import is_walker  # brings NumPy

    if not is_walker(robot):
        problem = (
            f"pushes on a walk are for machines with four legs or more; "
            f"'{robot.name}' is not one"
        )
        raise ConfigError("limits", [problem])
