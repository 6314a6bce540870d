"""What ``equipoise learn`` can be asked: which machine learns what, how long."""

from dataclasses import dataclass, field
from typing import Annotated, Literal, final

from equipoise.core.checks import is_whole
from equipoise.core.setting import Setting, expect_usable
from equipoise.runs.robot import MOST_SEED, RobotChoice

__all__ = ["LearnConfig"]

MOST_STEPS = 100_000


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LearnConfig:
    """One machine that learns one task.

    Raises:
        ConfigError: values out of range; all of them are named.
    """

    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="thing"))
    """Which machine; four legs of three joints."""
    task: Annotated[Literal["turn"], Setting("Task to learn: turning to the left")] = (
        "turn"
    )
    steps: Annotated[
        int,
        Setting("Number of trial steps", least=1, most=MOST_STEPS),
    ] = 500
    seed: Annotated[
        int,
        Setting("Seed of the beginning and of what is tried", without=("command",)),
    ] = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        is_seed = not is_whole(self.seed) or 0 <= self.seed < MOST_SEED
        problem = f"seed must be >= 0 and below 2^63, got {self.seed!r}"
        expect_usable(self, "learning", "" if is_seed else problem)
