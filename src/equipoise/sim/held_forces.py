"""Random forces on a robot's trunk, each held for a while."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.checks import is_number, is_whole
from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream

__all__ = ["HeldForces", "held_plan"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class HeldForces:
    """Horizontal Gaussian forces on the base's centre of mass, each held a while."""

    sigma: float
    """Standard deviation of each horizontal component, >= 0 [N]."""
    hold: float = 0.1
    """Time for which one acts, > 0 [s]."""
    start: float = 0.0
    """When the first one begins, >= 0 [s]."""
    seed: int = 0
    """>= 0."""

    def __post_init__(self) -> None:
        """Refuse what is no force."""
        problems = []
        for name, least in (("sigma", 0.0), ("start", 0.0), ("hold", 1e-6)):
            value = getattr(self, name)
            if not (is_number(value) and least <= value < math.inf):
                sign = "> 0" if name == "hold" else ">= 0"
                problems.append(f"{name} must be {sign}, got {value!r}")
        if not (is_whole(self.seed) and self.seed >= 0):
            problems.append(f"seed must be a whole number >= 0, got {self.seed!r}")
        if problems:
            raise ConfigError("the held forces", problems)


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
