"""What ``equipoise learn`` can be asked: which machine learns what, how long."""

from dataclasses import dataclass, field
from typing import Annotated, final

from equipoise.core.checks import expect_none, is_whole
from equipoise.core.errors import UnknownNameError
from equipoise.core.setting import Setting, usage_problems
from equipoise.runs.robot import MOST_SEED, RobotChoice

__all__ = ["TASKS", "LearnConfig"]

TASKS = ("turn",)
"""What can be learned."""
MOST_STEPS = 100_000


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LearnConfig:
    """One machine that learns one task.

    Raises:
        ConfigError: values out of range; all of them are named.
        UnknownNameError: no such task.
    """

    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="thing"))
    """Which machine; four legs of three joints."""
    task: str = "turn"
    """One of ``TASKS``."""
    steps: Annotated[
        int,
        Setting(
            "Number of steps; exploration is down to 0.1 at the last one",
            least=1,
            most=MOST_STEPS,
        ),
    ] = 500
    seed: Annotated[
        int,
        Setting("Seed of the beginning and of what is tried"),
    ] = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        unknown: list[UnknownNameError] = []
        if self.task not in TASKS:
            where = "equipoise learn"
            unknown.append(UnknownNameError("task", self.task, TASKS, where))
        problems = usage_problems(self)
        if is_whole(self.seed) and not 0 <= self.seed < MOST_SEED:
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        expect_none("learning", problems, unknown)
