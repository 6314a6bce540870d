"""No balance part: legs are springs to their references, nothing more.

[Ridderstrom2003] section 11.1.1: with law (5.1) alone WARP1 crawls and trots.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.control.parts import (
    BALANCES,
    AbstractBalance,
    Effort,
    Estimate,
    Stance,
    TrunkReference,
)
from equipoise.core.arrays import VecN

__all__ = ["NoBalance"]


@final
@BALANCES.register("none")
@dataclass(frozen=True)
class NoBalance(AbstractBalance[VecN]):
    """Adds no force and shifts no foothold; it has no state."""

    def init(self) -> VecN:
        """Return an empty state."""
        return np.zeros(0)

    def step(
        self, estimate: Estimate, stance: Stance, trunk: TrunkReference, state: VecN
    ) -> tuple[Effort, VecN]:
        """Return no effort."""
        nl = estimate.machine.legs
        return Effort(trunk, np.zeros((nl, 3)), np.zeros((nl, 2))), state
