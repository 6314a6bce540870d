"""Random forces on a robot's trunk, each held for a while."""

from dataclasses import dataclass
from typing import Annotated, final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.seeds import stream
from equipoise.core.setting import Setting, expect_usable

__all__ = ["HeldForces", "held_plan"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class HeldForces:
    """Horizontal Gaussian forces on the base's centre of mass, each held for a time."""

    sigma: Annotated[
        float,
        Setting("Standard deviation of each horizontal component", "N", least=0.0),
    ]
    hold: Annotated[
        float, Setting("Time for which a force is held", "s", least=1e-6)
    ] = 0.1
    start: Annotated[
        float, Setting("Time at which the first force begins", "s", least=0.0)
    ] = 0.0
    seed: Annotated[int, Setting("Seed of the forces", least=0)] = 0

    def __post_init__(self) -> None:
        """Refuse what is no force."""
        expect_usable(self, "HeldForces")


def held_plan(forces: HeldForces, ticks: int, period: float) -> Array:
    """Return the force at each control period, in W, (ticks, 3) [N].

    A longer run begins with the same forces as a shorter one.

    Args:
        forces: what acts.
        ticks: number of control periods.
        period: length of one [s].
    """
    begin = np.arange(ticks) * period - forces.start
    index = np.floor(begin / forces.hold + 1e-9).astype(np.int64)
    count = max(0, int(index.max(initial=-1))) + 1
    drawn = stream(forces.seed, "held forces").standard_normal((count, 2))
    plan = np.zeros((ticks, 3))
    acts = index >= 0
    plan[acts, :2] = forces.sigma * drawn[index[acts]]
    return plan
