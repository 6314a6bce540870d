"""How a robot that stands is balanced, and what is done to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from equipoise.control.recommended import BALANCE_LAW
from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError
from equipoise.core.friction import SLIPPERY_FRICTION
from equipoise.core.setting import Setting, usage_problems
from equipoise.runs.robot import MOST_SEED, RobotChoice

if TYPE_CHECKING:
    from equipoise.sim.disturbances import Push  # brings NumPy

__all__ = ["PERIOD", "StandConfig"]

FEET = "Robots that stand on feet"

PERIOD = 0.002
"""Of the controller [s]: 500 Hz, as in [Wendlandt1997]."""
MOST_SECONDS, MOST_SPEED, MOST_BLOCK = 600.0, 50.0, 1000.0
LEAST_BLOCK = 1e-6  # a lighter one has less inertia than the engine takes [kg]


@dataclass(frozen=True, kw_only=True, slots=True)
class StandConfig:
    """One run of a biped; the defaults are the throw of [Wendlandt1997]."""

    controller: Annotated[
        str,
        Setting(
            "Balance law, see 'equipoise controllers'",
            metavar="NAME",
            completion="controllers:biped",
            usual="the recommended one",
        ),
    ] = BALANCE_LAW
    gains: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the law by name, see ``equipoise controllers NAME``."""
    block_mass: Annotated[
        float | None,
        Setting(
            "Mass of the block thrown at the robot; 0 for none",
            "kg",
            least=0.0,
            most=MOST_BLOCK,
            usual="1.8 as in Wendlandt 1997, of a robot file 0.03 of its mass",
            panel=FEET,
        ),
    ] = None
    block_speed: Annotated[
        float,
        Setting(
            "Speed of the block towards the robot",
            "m/s",
            least=0.0,
            most=MOST_SPEED,
            usual="4.5 as in Wendlandt 1997",
            panel=FEET,
        ),
    ] = 4.5
    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="biped"))
    """Which robot that stands on feet, and its size."""
    friction: Annotated[
        float,
        Setting(
            "Friction coefficient of the ground, which the controller knows",
            kind="coefficient",
            metavar="NUMBER",
            above=0.0,
            usual="0.3 as in Wendlandt 1997; 0.6 to 0.8 under balls for feet",
            panel=FEET,
        ),
    ] = SLIPPERY_FRICTION
    seconds: Annotated[
        float,
        Setting(
            "Simulated time", "s", least=PERIOD, most=MOST_SECONDS, without=("gym",)
        ),
    ] = 3.0
    timestep: Annotated[
        float,
        Setting(
            "Time step of the simulation, a whole fraction of 0.002 s",
            "s",
            least=1e-5,
            most=PERIOD,
            panel=FEET,
        ),
    ] = 0.0005
    delay_ms: Annotated[
        float,
        Setting(
            "Delay from reading to torque, a multiple of 2 ms",
            "ms",
            kind="time",
            panel=FEET,
            without=("gym",),
        ),
    ] = 0.0
    push: "Push | None" = None
    """A push besides the block."""
    seed: Annotated[
        int,
        Setting(
            "Nothing is drawn at random; repeated in the summary",
            without=("command", "gym"),
        ),
    ] = 0

    def __post_init__(self) -> None:
        """Refuse settings out of range, all problems at once."""
        from equipoise.sim.delay import delay_ticks  # brings NumPy, as the next
        from equipoise.sim.disturbances import Push
        from equipoise.sim.rollout import steps_per_period

        problems = usage_problems(self)
        block = self.block_mass
        if block is not None and 0.0 < block < LEAST_BLOCK:
            what = f"block-mass must be 0 or at least {LEAST_BLOCK:g} kg"
            problems.append(f"{what}, got {block!r}")
        if not (self.push is None or isinstance(self.push, Push)):
            example = "equipoise.sim.disturbances.Push(impulse=(0, 20, 0))"
            problems.append(f"push must be as {example} [N s], got {self.push!r}")
        if not (is_whole(self.seed) and 0 <= self.seed < MOST_SEED):
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        if problems:
            raise ConfigError("the run", problems)
        steps_per_period(self.timestep, PERIOD)
        delay_ticks(self.delay_ms, PERIOD)
