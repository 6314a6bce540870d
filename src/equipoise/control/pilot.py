"""What the operator wants, as the machine is told: velocities ramped, a start, a stop.

A machine that is told to stop slows down first and then steps on the spot for a while,
so that its feet come to stand where they belong.
"""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled

__all__ = ["Goal", "Pilot", "PilotConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Goal:
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
            raise ConfigError("Goal", problems)


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


@final
@dataclass(frozen=True)
class Pilot:
    """Goals in time, ramped; its state is the last command and for how long it is 0."""

    goals: tuple[Goal, ...]
    config: PilotConfig = field(default_factory=PilotConfig)
    rows: Array = field(init=False, repr=False)
    table: VecN = field(init=False, repr=False)

    def __post_init__(self) -> None:
        c = self.config
        ordered = sorted(self.goals, key=lambda goal: goal.time)
        rows = [[g.time, g.forward, g.left, g.turn, float(g.walk)] for g in ordered]
        table = np.array([c.acceleration, c.turn_acceleration, c.settle, c.lead])
        object.__setattr__(self, "rows", np.array(rows).reshape(-1, 5))
        object.__setattr__(self, "table", table)

    def init(self) -> VecN:
        """Return a state at rest, (6,)."""
        return np.zeros(6)

    def step(self, time: float, dt: float, state: VecN) -> tuple[VecN, VecN]:
        """Return the command, whose first four numbers are forward, left, turn, walks.

        It is the next state, which is returned beside it.
        """
        after = state.copy()
        ramp(time, dt, self.rows, self.table, after)
        return after, after


@compiled(allocates=False)
def ramp(time: float, dt: float, rows: Array, table: VecN, state: VecN) -> None:
    """Advance the command towards what is wanted now."""
    now = -1
    for k in range(rows.shape[0]):
        if rows[k, 0] <= time:
            now = k
    walks = now >= 0 and rows[now, 4] > 0.0
    rest = True
    for i in range(3):
        goes = walks and state[5] >= table[3]
        wanted = rows[now, 1 + i] if goes else 0.0
        most = dt * (table[1] if i == 2 else table[0])
        state[i] += min(max(wanted - state[i], -most), most)
        rest = rest and abs(state[i]) < 1e-9
    state[5] = state[5] + dt if state[3] > 0.0 else 0.0
    if walks:
        state[3], state[4] = 1.0, 0.0
    elif rest and state[3] > 0.0:
        state[4] += dt
        if state[4] > table[2]:
            state[3] = 0.0
