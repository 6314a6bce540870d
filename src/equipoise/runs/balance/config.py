"""How a robot made of modules is balanced."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from equipoise.control.recommended import STEERING_LAW
from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError
from equipoise.core.setting import Setting, usage_problems
from equipoise.runs.robot import MOST_SEED, RobotChoice

if TYPE_CHECKING:
    from equipoise.control.com.goal import ComGoal  # brings NumPy

__all__ = ["BalanceConfig", "SteerConfig"]

MOST_SECONDS = 600.0
MOST_HOP_MS = 1000.0
MODULES = "Robots made of modules"


@dataclass(frozen=True, kw_only=True, slots=True)
class SteerConfig:
    """Settings of a balance run; the defaults are the command's."""

    controller: Annotated[
        str,
        Setting(
            "Law, see 'equipoise controllers'",
            metavar="NAME",
            completion="controllers:modules,biped",
            usual="the recommended one",
        ),
    ] = STEERING_LAW
    gains: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the law by name, see ``equipoise controllers NAME``."""
    seconds: Annotated[
        float,
        Setting(
            "Simulated time, at most 600",
            "s",
            above=0.0,
            most=MOST_SECONDS,
            usual="5, for a biped 3, for balls as feet 6",
            without=("gym",),
        ),
    ] = 5.0
    hop_delay_ms: Annotated[
        float,
        Setting(
            "Time that a message takes to a neighbour, a multiple of 1 ms",
            "ms",
            kind="time",
            least=0.0,
            most=MOST_HOP_MS,
            panel=MODULES,
        ),
    ] = 1.0
    loss: Annotated[
        float,
        Setting(
            "Probability that a message is lost", least=0.0, below=1.0, panel=MODULES
        ),
    ] = 0.0
    gravity_compensation: Annotated[
        bool,
        Setting("Let joints hold the weight that they know they carry", panel=MODULES),
    ] = True
    contacts: Annotated[bool, Setting("Let bodies touch each other", panel=MODULES)] = (
        True
    )
    free: Annotated[
        bool,
        Setting(
            "Leave the root unbolted: a hand holds it until the centre of mass is over "
            "it, then it stands by its own contacts",
            panel=MODULES,
        ),
    ] = False
    target: Annotated[
        tuple[float, ...] | None,
        Setting(
            "Target of the centre of mass [m]: a vertical line, or a point",
            "m,m,m",
            metavar="X,Y[,Z]",
            fewest=2,
            usual="the support line",
            panel=MODULES,
        ),
    ] = None
    seed: Annotated[
        int, Setting("Seed of the losses of messages", without=("command", "gym"))
    ] = 0

    def __post_init__(self) -> None:
        """Refuse settings out of range, all problems at once."""
        problems = usage_problems(self)
        if not 0 <= self.seed < MOST_SEED:
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        hop = self.hop_delay_ms
        if is_number(hop) and math.isfinite(hop) and hop != round(hop):
            problems.append(
                f"hop-delay-ms must be a multiple of the 1 ms step, got {hop!r}; "
                f"{round(hop)} would do"
            )
        if self.free and not self.contacts:
            problems.append("free needs contacts: nothing else carries the robot")
        if problems:
            raise ConfigError("the run", problems)

    def goal(self) -> "ComGoal":
        """Return where the centre of mass shall be."""
        from equipoise.control.com.goal import line_goal, point_goal

        if self.target is None:
            return line_goal((0.0, 0.0))
        return (line_goal if len(self.target) == 2 else point_goal)(self.target)


@dataclass(frozen=True, kw_only=True, slots=True)
class BalanceConfig:
    """One balance run: which robot, and how it is steered."""

    robot: RobotChoice = field(default_factory=RobotChoice)
    steer: SteerConfig = field(default_factory=SteerConfig)
