"""A foot that finds no ground where it should goes on down until it does."""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.parts import REFLEXES, AbstractReflex, Asked, Estimate, Stance
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled

__all__ = ["ReachConfig", "ReachReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ReachConfig:
    """How a foot searches; defaults suit WARP1.

    Raises:
        ConfigError: a number that is not positive.
    """

    speed: float = 0.25
    """Downwards [m/s]."""
    depth: float = 0.12
    """Farthest below its foothold [m]."""

    def __post_init__(self) -> None:
        expect_positive(self, "speed", "depth")


@final
@REFLEXES.register("reach")
@dataclass(frozen=True)
class ReachReflex(AbstractReflex[VecN]):
    """Lowers the aim of late feet; it has no state."""

    config: ReachConfig = field(default_factory=ReachConfig)

    def init(self) -> VecN:
        """Return an empty state."""
        return np.zeros(0)

    def step(
        self, estimate: Estimate, stance: Stance, aim: Array, asked: Asked, state: VecN
    ) -> VecN:
        """Lower late feet."""
        reach(stance.legs, self.config.speed, self.config.depth, aim)
        return state


@compiled(allocates=False)
def reach(legs: Array, speed: float, depth: float, aim: Array) -> None:
    """Lower the aims of feet that are late by their speed, at most to the depth."""
    for leg in range(legs.shape[0]):
        if legs[leg, 1] == 0.0 and legs[leg, 5] > 0.0:
            deep = speed * legs[leg, 5]
            aim[0, leg, 2] -= min(deep, depth)
            aim[1, leg, 2] -= speed if deep < depth else 0.0
