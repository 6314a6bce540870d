"""How a robot made of modules is balanced."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from equipoise.control.com.goal import ComGoal, line_goal, point_goal
from equipoise.control.com.law import RECOMMENDED
from equipoise.core.errors import ConfigError
from equipoise.runs.robot import MOST_SEED, RobotChoice

__all__ = ["BalanceConfig", "SteerConfig"]

MOST_SECONDS = 600.0
MOST_HOP_MS = 1000.0


@dataclass(frozen=True, kw_only=True, slots=True)
class SteerConfig:
    """How a robot is steered and simulated; the defaults are the command's."""

    controller: str = RECOMMENDED
    """Name of a steering law."""
    gains: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the law by name, see ``equipoise controllers NAME``."""
    seconds: float = 5.0
    """Simulated time, at most 600 [s]."""
    seed: int = 0
    """Which messages are lost."""
    hop_delay_ms: float = 1.0
    """Time a message takes to a neighbour, a multiple of the 1 ms step [ms]."""
    loss: float = 0.0
    """Chance that a message is lost, in [0, 1)."""
    gravity_compensation: bool = True
    """Whether each joint holds the weight it knows it carries."""
    contacts: bool = True
    """Whether things can touch."""
    free: bool = False
    """Whether the root is not bolted to the ground: it stands on its own face, held by
    a hand until the centre of mass is over it, then let go."""
    target: tuple[float, ...] | None = None
    """Where the centre of mass shall be: x, y of a vertical line or x, y, z [m]; None
    for the support line, the vertical through where the robot stands."""

    def __post_init__(self) -> None:
        """Refuse settings out of range, all problems at once."""
        problems = []
        if not 0.0 < self.seconds <= MOST_SECONDS:
            problems.append(
                f"seconds must be > 0 and at most {MOST_SECONDS:g}, "
                f"got {self.seconds!r}"
            )
        if not 0 <= self.seed < MOST_SEED:
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        hop = self.hop_delay_ms
        if not 0.0 <= hop <= MOST_HOP_MS:
            problems.append(f"hop-delay-ms must be 0 to {MOST_HOP_MS:g}, got {hop!r}")
        elif hop != round(hop):
            problems.append(
                f"hop-delay-ms must be a multiple of the 1 ms step, got {hop!r}; "
                f"{round(hop)} would do"
            )
        if not 0.0 <= self.loss < 1.0:
            problems.append(f"loss must be in [0, 1), got {self.loss!r}")
        if self.free and not self.contacts:
            problems.append("free needs contacts: nothing else carries the robot")
        if self.target is not None and not _is_place(self.target):
            problems.append(
                f"target must be 2 or 3 finite numbers in metres, got {self.target!r}"
            )
        if problems:
            raise ConfigError("the run", problems)

    def goal(self) -> ComGoal:
        """Return where the centre of mass shall be."""
        if self.target is None:
            return line_goal((0.0, 0.0))
        return (line_goal if len(self.target) == 2 else point_goal)(self.target)


@dataclass(frozen=True, kw_only=True, slots=True)
class BalanceConfig:
    """One balance run: which robot, and how it is steered."""

    robot: RobotChoice = field(default_factory=RobotChoice)
    steer: SteerConfig = field(default_factory=SteerConfig)


def _is_place(target: tuple[float, ...]) -> bool:
    """Say whether a target is two or three finite numbers."""
    return len(target) in (2, 3) and all(math.isfinite(x) for x in target)
