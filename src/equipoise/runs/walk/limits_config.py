"""Which pushes are tried on a walking machine, and on which walks."""

from dataclasses import dataclass, field
from typing import final

from equipoise.core.checks import expect_none, is_whole
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.runs.limits import bad_pushes
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.config import SensorKind, WalkConfig

__all__ = [
    "AFTER",
    "AT",
    "CARD_PHASES",
    "CARD_PUSHES",
    "RANDOM_AT",
    "RANDOM_PER_MASS",
    "WalkLimitsConfig",
    "expect_walker",
    "is_walker",
]

PHASES, QUICK_PHASES, CARD_PHASES = 4, 2, 8
PUSHES, QUICK_PUSHES, CARD_PUSHES = 40, 8, 200
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
    """Which machine, how it walks, and how many pushes are tried."""

    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="warp1"))
    controller: str | None = None
    """By name; None for the machine's own."""
    gait: str | None = None
    """None for the controller's own."""
    speed: float | None = None
    """Forward; None for the usual one [m/s]."""
    sensors: SensorKind = "real"
    """As the machine has them, or ideal; on a card always ideal."""
    phases: int | None = None
    """At how many instants of the gait's cycle, each with its own seed, an impulse has
    to be survived, 1 to 64; None for 4, quick 2, on a card 8."""
    quick: bool = False
    """Whether the grid is twice as coarse, with half the instants and directions."""
    pushes: int | None = None
    """How many random pushes, 0 to 100000; None for 40, quick 8, on a card 200."""
    seed: int = 0
    """The first of the instants' seeds, and which random pushes."""
    friction: float | None = None
    """Of the ground; None draws 0.6 to 0.8 by the seed, on a card 0.7."""
    impulse: float | None = None
    """Of every random push, per mass [N s/kg]; None for 0.2 to 1.4."""

    def __post_init__(self) -> None:
        """Refuse settings out of range."""
        problems = bad_pushes(self.random_pushes, self.impulse)
        count = self.instants
        if not (is_whole(count) and 1 <= count <= MOST_PHASES):
            problems.append(f"phases must be 1 to {MOST_PHASES}, got {count!r}")
        try:
            self.walk(0, 0.0, AT)
        except ConfigError as error:
            problems += error.problems
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
        return QUICK_PUSHES if self.quick else PUSHES

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


def is_walker(robot: Robot) -> bool:
    """Say whether a robot walks by parts of a controller."""
    if robot.drives and robot.legs:
        return True
    is_file = bool(robot.source) and robot.assembly is None
    return is_file and len(robot.found.legs) >= 4


def expect_walker(robot: Robot) -> None:
    """Refuse a robot that does not walk.

    Raises:
        ConfigError: says so, and what would work.
    """
    if not is_walker(robot):
        problem = (
            f"pushes on a walk are for machines on four legs and more; '{robot.name}' "
            "is none"
        )
        raise ConfigError("limits", [problem])
