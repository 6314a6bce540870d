"""Without fresh readings nothing new is done: aims freeze, forces fade, legs stay down.

Readings are stale when their time does not advance, or when joints and trunk read as
before, to the last bit, while no foot feels anything: sensors that fail read NaN, which
observers bridge with the last good value. [Ridderstrom2003] section 5.2 has a time-out
of its nodes to the same end.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.parts import REFLEXES, AbstractReflex, Asked, Estimate, Stance
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_count, expect_positive
from equipoise.core.jit import compiled

__all__ = ["DeadmanConfig", "DeadmanReflex"]

HEAD = 6  # numbers before those of the legs: time, ticks, fade, turn of the trunk
LEG = 12  # per leg: joint angles and speeds, place and force of its last good aim


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class DeadmanConfig:
    """How long stale readings are borne.

    Raises:
        ConfigError: a number that is not positive.
    """

    ticks: int = 3
    """Stale ticks after which the machine freezes."""
    fade: float = 0.3
    """Time in which forces on the feet fade to 1/e then [s]."""

    def __post_init__(self) -> None:
        expect_count(self, "ticks")
        expect_positive(self, "fade")


@final
@REFLEXES.register("deadman")
@dataclass(frozen=True)
class DeadmanReflex(AbstractReflex[VecN]):
    """Freezes a blind machine; its state is what was last known and aimed at."""

    config: DeadmanConfig = field(default_factory=DeadmanConfig)

    def init(self) -> VecN:
        """Return a state that fits any number of legs: nothing known yet."""
        return np.zeros(0)

    def step(
        self, estimate: Estimate, stance: Stance, aim: Array, asked: Asked, state: VecN
    ) -> VecN:
        """Keep the last good aims while readings are stale, and ask for a halt."""
        c = self.config
        if len(state):
            after = state.copy()
        else:
            after = np.full(HEAD + LEG * len(stance.legs), np.nan)
        asked.halt += hold_still(
            estimate.time, estimate.dt, estimate.q, estimate.v, estimate.trunk,
            estimate.load, c.ticks, c.fade, after, aim,
        )  # fmt: skip
        return after


@compiled(allocates=False)
def hold_still(
    time: float,
    dt: float,
    q: VecN,
    v: VecN,
    trunk: VecN,
    load: VecN,
    ticks: int,
    fade: float,
    state: VecN,
    aim: Array,
) -> float:
    """Count stale ticks; past the limit change the aims and return 1, else 0."""
    if is_fresh(time, q, v, trunk, load, state):
        state[1], state[2] = 0.0, 1.0
    else:
        state[1] += 1.0
    for leg in range(load.shape[0]):
        kept = state[HEAD + LEG * leg : HEAD + LEG * (leg + 1)]
        for i in range(3):
            kept[i], kept[3 + i] = q[3 * leg + i], v[3 * leg + i]
            if state[1] < ticks:
                kept[6 + i], kept[9 + i] = aim[0, leg, i], aim[2, leg, i]
            else:
                aim[0, leg, i], aim[2, leg, i] = kept[6 + i], state[2] * kept[9 + i]
                aim[1, leg, i], aim[5, leg, i] = 0.0, 0.0
    if state[1] < ticks:
        return 0.0
    state[2] *= math.exp(-dt / fade)
    return 1.0


@compiled(allocates=False)
def is_fresh(
    time: float, q: VecN, v: VecN, trunk: VecN, load: VecN, state: VecN
) -> bool:
    """Say whether anything is new, and keep what time and turn of the trunk are."""
    is_late = time == state[0]
    is_same = True
    for i in range(3):
        is_same = is_same and trunk[6 + i] == state[3 + i]
        state[3 + i] = trunk[6 + i]
    for leg in range(load.shape[0]):
        kept = state[HEAD + LEG * leg : HEAD + LEG * (leg + 1)]
        is_same = is_same and math.isnan(load[leg])
        for i in range(3):
            is_same = is_same and q[3 * leg + i] == kept[i]
            is_same = is_same and v[3 * leg + i] == kept[3 + i]
    state[0] = time
    return not (is_late or is_same)
