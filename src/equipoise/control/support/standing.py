"""All feet stand, whatever the goal: for posture control."""

from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.control.parts import (
    LEG,
    SUPPORTS,
    AbstractSupport,
    Asked,
    Estimate,
    Stance,
)
from equipoise.core.arrays import VecN

__all__ = ["StandingSupport"]


@final
@SUPPORTS.register("standing")
@dataclass(frozen=True)
class StandingSupport(AbstractSupport[VecN]):
    """No leg ever lifts; it has no state."""

    def init(self) -> VecN:
        """Return an empty state."""
        return np.zeros(0)

    def step(
        self, estimate: Estimate, goal: VecN, asked: Asked, state: VecN
    ) -> tuple[Stance, VecN]:
        """Return a stance on all legs."""
        legs = np.zeros((estimate.machine.legs, LEG))
        legs[:, :2] = 1.0
        return Stance(legs, np.array([0.0, 1.0, 0.0, 0.0])), state
