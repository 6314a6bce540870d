"""What the operator wants, as the machine is told: velocities ramped, a start, a stop.

A machine that is told to stop slows down first and then steps on the spot for a while,
so that its feet come to stand where they belong.
"""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.records import Travel
from equipoise.core.arrays import Vec3
from equipoise.core.bound import settled
from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry, room_like

__all__ = ["Pilot", "PilotConfig", "WalkingGoal"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class WalkingGoal:
    """What the operator wants from some time on.

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
class PilotConfig:
    """How fast commands may change; defaults suit WARP1's trot.

    Raises:
        ConfigError: a number that is not positive.
    """

    acceleration: float = 0.4
    """Of the commanded velocity [m/s²]."""
    turn_acceleration: float = 0.5
    """Of the commanded rate of turn [rad/s²]."""
    lead: float = 0.0
    """How long the machine steps on the spot before it sets off [s]."""
    settle: float = 0.7
    """And before it stops [s]."""

    def __post_init__(self) -> None:
        expect_positive(self, "acceleration", "turn_acceleration", "settle")
        expect_positive(self, "lead", zero=True)


class GoalRow(Record):
    """A goal as the kernel takes it."""

    time: float = entry("from when on", "s")
    velocity: Vec3 = entry("forward, left [m/s] and turn to the left", "rad/s", 3)
    walks: float = entry("1 where the machine shall walk at all")


class PilotLimits(Record):
    """How fast commands may change."""

    acceleration: Vec3 = entry("forward, left [m/s^2] and of the turn", "rad/s^2", 3)
    lead: float = entry("for which it steps on the spot before it sets off", "s")
    settle: float = entry("and before it stops", "s")


@final
@dataclass(frozen=True)
class Pilot:
    """Goals in time, ramped; its state is the last command."""

    goals: tuple[WalkingGoal, ...]
    config: PilotConfig = field(default_factory=PilotConfig)
    rows: Records[GoalRow] = field(init=False, repr=False, compare=False)
    limits: Records[PilotLimits] = field(init=False, repr=False, compare=False)
    _ramp = settled(lambda: ramp)

    def __post_init__(self) -> None:
        c, rows, limits = (
            self.config,
            GoalRow.zeros(len(self.goals)),
            PilotLimits.zeros(),
        )
        for row, goal in zip(
            rows, sorted(self.goals, key=lambda goal: goal.time), strict=True
        ):
            row.time, row.walks = goal.time, float(goal.walk)
            row.velocity[:] = goal.forward, goal.left, goal.turn
        one = limits[0]
        one.acceleration[:] = c.acceleration, c.acceleration, c.turn_acceleration
        one.lead, one.settle = c.lead, c.settle
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "limits", limits)

    def init(self) -> Records[Travel]:
        """Return a state at rest."""
        return Travel.zeros()

    def step(
        self, time: float, dt: float, state: Records[Travel]
    ) -> tuple[Records[Travel], Records[Travel]]:
        """Return the command; it is the next state, which is returned beside it."""
        after = room_like(state)
        self._ramp(time, dt, self.rows, self.limits, state, after)
        return after, after


@compiled(allocates=False)
def ramp(
    time: float,
    dt: float,
    rows: Records[GoalRow],
    limits: Records[PilotLimits],
    before: Records[Travel],
    after: Records[Travel],
) -> None:
    """Advance the command towards what is wanted now."""
    after[0] = before[0]
    told, limit, now = after[0], limits[0], -1
    for k in range(rows.shape[0]):
        if rows[k].time <= time:
            now = k
    walks = now >= 0 and rows[now].walks > 0.0
    rest = True
    for i in range(3):
        goes = walks and told.walked >= limit.lead
        wanted = rows[now].velocity[i] if goes else 0.0
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
