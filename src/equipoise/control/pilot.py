"""What the operator wants, and how fast commands may change.

A machine that is told to stop slows down first and then steps on the spot for a while,
so that its feet come to stand where they belong.
"""

from dataclasses import dataclass, field
from typing import Annotated, final

import numpy as np

from equipoise.control.records import Travel, TrunkEstimate
from equipoise.core.arrays import Vec3
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = [
    "GoalRow",
    "PilotConfig",
    "PilotLimits",
    "PilotTask",
    "WalkingGoal",
    "approach",
    "goal_rows",
    "pilot_limits",
    "ramp",
]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class WalkingGoal:
    """Goal of the operator from some time on.

    Raises:
        ConfigError: a number that is not finite.
    """

    time: float = 0.0
    """From when [s]."""
    forward: float = 0.0
    """[m/s]."""
    left: float = 0.0
    """[m/s]."""
    turn: float = 0.0
    """To the left [rad/s]."""
    walk: bool = True
    """Whether to walk at all."""

    def __post_init__(self) -> None:
        problems = [
            f"{name} must be a finite number, got {getattr(self, name)!r}"
            for name in ("time", "forward", "left", "turn")
            if not np.isfinite(getattr(self, name))
        ]
        if problems:
            raise ConfigError("WalkingGoal", problems)


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class PilotConfig(Settings):
    """Settings of how fast commands may change; the defaults suit WARP1's trot."""

    acceleration: Annotated[
        float,
        Setting("Largest acceleration of the commanded velocity", "m/s²", above=0.0),
    ] = 0.4
    turn_acceleration: Annotated[
        float,
        Setting(
            "Largest acceleration of the commanded rate of turn", "rad/s²", above=0.0
        ),
    ] = 0.5
    lead: Annotated[
        float,
        Setting(
            "Time the machine steps on the spot before it sets off", "s", least=0.0
        ),
    ] = 0.0
    settle: Annotated[
        float,
        Setting("Time the machine steps on the spot before it stops", "s", above=0.0),
    ] = 0.7


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class PilotTask:
    """All that the operator wants: velocities in time, or a place to get to.

    Raises:
        ConfigError: a place that is not finite.
    """

    goals: tuple[WalkingGoal, ...] = ()
    """In time; the last one's velocity is the speed with which a place is gone to."""
    place: tuple[float, float] | None = None
    """In W, ahead and to the left of the start [m]."""
    turns: bool = True
    """Whether the controller can be told to."""
    limits: PilotConfig = field(default_factory=PilotConfig)

    def __post_init__(self) -> None:
        if self.place is not None and not np.isfinite(self.place).all():
            problem = f"place must be finite, got {self.place!r}"
            raise ConfigError("PilotTask", [problem])


class GoalRow(Record):
    """A goal as the kernel takes it."""

    time: float = entry("from when on", "s")
    velocity: Vec3 = entry("forward, left [m/s] and turn to the left", "rad/s", 3)
    walks: float = entry("1 where the machine shall walk at all")


class PilotLimits(Record):
    """Limits on the rate of change of commands."""

    acceleration: Vec3 = entry("forward, left [m/s^2] and of the turn", "rad/s^2", 3)
    lead: float = entry("for which it steps on the spot before it sets off", "s")
    settle: float = entry("and before it stops", "s")


def goal_rows(goals: tuple[WalkingGoal, ...]) -> Records[GoalRow]:
    """Return goals as kernels take them, the earliest first, (n,)."""
    rows = GoalRow.zeros(len(goals))
    for row, goal in zip(rows, sorted(goals, key=lambda goal: goal.time), strict=True):
        row.time, row.walks = goal.time, float(goal.walk)
        row.velocity[:] = goal.forward, goal.left, goal.turn
    return rows


def pilot_limits(config: PilotConfig) -> Records[PilotLimits]:
    """Return how fast commands may change as kernels take it, (1,)."""
    limits = PilotLimits.zeros()
    one = limits[0]
    one.acceleration[:2], one.acceleration[2] = (
        config.acceleration,
        config.turn_acceleration,
    )
    one.lead, one.settle = config.lead, config.settle
    return limits


@compiled(allocates=False)
def ramp(
    trunk: Records[TrunkEstimate],
    rows: Records[GoalRow],
    limits: Records[PilotLimits],
    before: Records[Travel],
    after: Records[Travel],
) -> None:
    """Advance the command towards the latest goal.

    Args:
        trunk: with the time, (1,).
        rows: goals in time, (n,).
        limits: of the command, (1,).
        before: the command of the last tick, (1,).
        after: overwritten, (1,).
    """
    now = -1
    for k in range(rows.shape[0]):
        if rows[k].time <= trunk[0].time:
            now = k
    walks = now >= 0 and rows[now].walks > 0.0
    approach(trunk, rows[max(now, 0)].velocity, walks, limits, before, after)


@compiled(allocates=False)
def approach(
    trunk: Records[TrunkEstimate],
    velocity: Vec3,
    walks: bool,
    limits: Records[PilotLimits],
    before: Records[Travel],
    after: Records[Travel],
) -> None:
    """Advance the command towards what is wanted now.

    Args:
        trunk: with the control period, (1,).
        velocity: wanted: forward, left [m/s] and turn [rad/s], (3,).
        walks: whether to walk at all.
        limits: of the command, (1,).
        before: the command of the last tick, (1,).
        after: overwritten, (1,).
    """
    after[0] = before[0]
    told, limit, dt = after[0], limits[0], trunk[0].dt
    rest = True
    for i in range(3):
        goes = walks and told.walked >= limit.lead
        wanted = velocity[i] if goes else 0.0
        most = dt * limit.acceleration[i]
        told.velocity[i] += min(max(wanted - told.velocity[i], -most), most)
        rest = rest and abs(told.velocity[i]) < 1e-9
    told.walked = told.walked + dt if told.walks > 0.0 else 0.0
    if walks:
        told.walks, told.rested = 1.0, 0.0
    elif rest and told.walks > 0.0:
        told.rested += dt
        if told.rested > limit.settle:
            told.walks = 0.0
