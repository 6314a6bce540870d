"""What can be chosen of the search for the largest pushes on a robot that stands."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from equipoise.control.recommended import BALANCE_LAW
from equipoise.core.errors import ConfigError
from equipoise.core.friction import SLIPPERY_FRICTION
from equipoise.core.setting import Setting, expect_usable, usage_problems
from equipoise.runs.robot import RobotChoice

if TYPE_CHECKING:
    from equipoise.runs.stand.config import StandConfig

__all__ = ["HUMAN", "IMPULSE", "PUSHES", "LimitsConfig"]

SECONDS = 4.0  # after which a robot must be at rest [s]
SPEED = 4.5  # of the block [m/s]
USUAL_PUSHES, QUICK_PUSHES = 200, 20
HUMAN = 70.0
"""Mass for which blocks and pushes are given; those of a robot file scale [kg]."""
PUSHES = Setting(
    "Number of random pushes",
    least=0,
    most=100_000,
    usual="200, quick 20; on a walk 40, quick 8, with --gpu 200",
)
IMPULSE = Setting(
    "Impulse of every random push, per mass of the robot",
    "N s/kg",
    above=0.0,
    most=100.0,
    kind="impulse per mass",
    usual="drawn, 0.06 to 0.34; of walks 0.2 to 1.4",
)
STANDS = "Robots that stand"


@dataclass(frozen=True, kw_only=True, slots=True)
class LimitsConfig:
    """Settings of a search for limits."""

    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="biped"))
    """Which robot that stands on feet, and its size."""
    controller: Annotated[
        str,
        Setting(
            "Balance law, or walking controller, see 'equipoise controllers'",
            metavar="NAME",
            completion="controllers:biped,whole",
            usual="the recommended one; of a machine that walks its own",
        ),
    ] = BALANCE_LAW
    pushes: Annotated[int | None, PUSHES] = None
    impulse: Annotated[float | None, IMPULSE] = None
    quick: Annotated[
        bool,
        Setting(
            "Search in larger steps, to 10 % instead of 1 %, several times as fast",
            without=("gpu",),
        ),
    ] = False
    friction: Annotated[
        float,
        Setting(
            "Friction coefficient of the ground, which the controller knows",
            kind="coefficient",
            metavar="NUMBER",
            usual="0.3 as in Wendlandt 1997; of walks 0.6 to 0.8, with --gpu 0.7",
        ),
    ] = SLIPPERY_FRICTION
    timestep: Annotated[
        float,
        Setting(
            "Time step of the simulation, a whole fraction of 0.002 s",
            "s",
            panel=STANDS,
            without=("gpu",),
        ),
    ] = 0.0005
    delay_ms: Annotated[
        float,
        Setting(
            "Delay from reading to torque, a multiple of 2 ms",
            "ms",
            kind="time",
            panel=STANDS,
            without=("gpu",),
        ),
    ] = 0.0
    seed: Annotated[int, Setting("Seed of the pushes", without=("command",))] = 0

    def __post_init__(self) -> None:
        """Refuse settings out of range."""
        problems = usage_problems(self)
        if not problems:
            self.calm()
            return
        try:
            self.calm()
        except ConfigError as error:
            problems += [one for one in error.problems if one not in problems]
        expect_usable(self, "limits", *problems[len(usage_problems(self)) :])

    @property
    def random_pushes(self) -> int:
        """Random pushes that are tried."""
        if self.pushes is not None:
            return self.pushes
        return QUICK_PUSHES if self.quick else USUAL_PUSHES

    def calm(self) -> "StandConfig":
        """Return the run in which nothing happens."""
        from equipoise.runs.stand.config import StandConfig  # brings NumPy

        return StandConfig(
            controller=self.controller,
            block_mass=0.0,
            block_speed=SPEED,
            robot=self.robot,
            friction=self.friction,
            seconds=SECONDS,
            timestep=self.timestep,
            delay_ms=self.delay_ms,
            seed=self.seed,
        )
