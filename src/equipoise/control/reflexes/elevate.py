"""A swinging foot that hits something is lifted higher for the rest of its swing."""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.parts import REFLEXES, AbstractReflex, Asked, Estimate, Stance
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled

__all__ = ["ElevateConfig", "ElevateReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ElevateConfig:
    """How a foot clears what it hits; defaults suit WARP1.

    Raises:
        ConfigError: a number that is not positive.
    """

    height: float = 0.03
    """On top of its lift [m]."""
    time: float = 0.03
    """Of touching after which it has the whole height [s]."""
    load: float = 30.0
    """From which it has hit something [N]."""

    def __post_init__(self) -> None:
        expect_positive(self, "height", "time", "load")


@final
@REFLEXES.register("elevate")
@dataclass(frozen=True)
class ElevateReflex(AbstractReflex[VecN]):
    """Lifts feet that drag; its state is how much higher each goes, (nl,)."""

    config: ElevateConfig = field(default_factory=ElevateConfig)

    def init(self) -> VecN:
        """Return a state that fits any number of legs."""
        return np.zeros(0)

    def step(
        self, estimate: Estimate, stance: Stance, aim: Array, asked: Asked, state: VecN
    ) -> VecN:
        """Lift what drags; return how much higher each foot goes."""
        c, nl = self.config, len(stance.legs)
        extra = state.copy() if len(state) else np.zeros(nl)
        step = c.height * estimate.dt / c.time
        elevate(stance.legs, estimate.load, c.load, step, c.height, extra, aim)
        return extra


@compiled(allocates=False)
def elevate(
    legs: Array,
    load: VecN,
    least: float,
    step: float,
    most: float,
    extra: VecN,
    aim: Array,
) -> None:
    """Raise the aims of feet that touch amid their swing, from 0.1 to 0.75 of it."""
    for leg in range(legs.shape[0]):
        u = legs[leg, 2]
        if legs[leg, 1] > 0.0:
            extra[leg] = 0.0
        elif load[leg] > least and 0.1 < u < 0.75:
            extra[leg] = min(most, extra[leg] + step)
        if legs[leg, 1] == 0.0 and legs[leg, 5] == 0.0:
            aim[0, leg, 2] += extra[leg] * math.sin(math.pi * u)
