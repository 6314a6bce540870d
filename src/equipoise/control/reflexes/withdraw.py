"""A foot that sank into the ground is lifted higher, by as much as it sank."""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.parts import REFLEXES, AbstractReflex, Asked, Estimate, Stance
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled

__all__ = ["WithdrawConfig", "WithdrawReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class WithdrawConfig:
    """How far feet are pulled out; defaults suit WARP1.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    firm: float = 0.01
    """Depth that counts as none: dead reckoning is no better [m]."""
    most: float = 0.1
    """Most that is added to the lift [m]."""

    def __post_init__(self) -> None:
        expect_positive(self, "firm", "most", zero=True)


@final
@REFLEXES.register("withdraw")
@dataclass(frozen=True)
class WithdrawReflex(AbstractReflex[VecN]):
    """Lifts feet out; its state is, per leg, where it landed and how deep it is."""

    config: WithdrawConfig = field(default_factory=WithdrawConfig)

    def init(self) -> VecN:
        """Return a state that fits any number of legs."""
        return np.zeros(0)

    def step(
        self, estimate: Estimate, stance: Stance, aim: Array, asked: Asked, state: VecN
    ) -> VecN:
        """Lift feet by as much as they sank; return the next state."""
        nl = len(stance.legs)
        after = state.copy() if len(state) else np.full(2 * nl, np.nan)
        c = self.config
        withdraw(stance.legs, estimate.footholds, c.firm, c.most, after, aim)
        return after


@compiled(allocates=False)
def withdraw(
    legs: Array, footholds: Array, firm: float, most: float, state: VecN, aim: Array
) -> None:
    """Raise the aims of swinging feet by how deep they stood, at most ``most``."""
    nl = legs.shape[0]
    for leg in range(nl):
        if legs[leg, 1] > 0.0:
            height = footholds[leg, 2]
            if math.isnan(state[leg]):
                state[leg] = height
            state[nl + leg] = min(max(state[leg] - height - firm, 0.0), most)
        else:
            state[leg] = math.nan
            if legs[leg, 5] == 0.0 and not math.isnan(state[nl + leg]):
                aim[0, leg, 2] += state[nl + leg] * math.sin(math.pi * legs[leg, 2])
