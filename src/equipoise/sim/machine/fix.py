"""Where a machine is on its map, told from outside a few times a second.

Dead reckoning cannot keep a machine in a map of small cells: heading drifts by degrees
in a minute. So whoever gives it a map also tells it where on the map it is, as marks on
the ground or a camera over it would.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.core.checks import expect_positive
from equipoise.core.contracts import Readings
from equipoise.core.seeds import stream

__all__ = ["FixConfig", "MapFix"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class FixConfig:
    """How well the place is told; no work prints it, so it is our choice.

    Raises:
        ConfigError: a rate that is not positive, a noise that is negative.
    """

    rate: float = 5.0
    """[1/s]."""
    place_noise: float = 0.004
    """Standard deviation of x and y [m]."""
    heading_noise: float = math.radians(0.1)
    """[rad]."""
    seed: int | None = None
    """Of the noise; None for none."""

    def __post_init__(self) -> None:
        expect_positive(self, "rate")
        expect_positive(self, "place_noise", "heading_noise", zero=True)


@final
class MapFix:
    """Tells a machine's place; the map's origin is the world's.

    Args:
        config: how well.
        readings: that get it.
    """

    def __init__(self, config: FixConfig, readings: Readings) -> None:
        self.config, self.readings = config, readings
        self.every = max(1, round(1.0 / (config.rate * readings.dt)))
        self.rng = stream(0 if config.seed is None else config.seed, "map fix")

    def read(self, k: int, p_WB: Vec3, R_WB: Array) -> None:
        """Tell the place at some ticks.

        Args:
            k: number of the control period.
            p_WB: place of the trunk, (3,) [m].
            R_WB: its orientation, (3, 3).
        """
        if k % self.every:
            return
        c, heading = self.config, math.atan2(R_WB[1, 0], R_WB[0, 0])
        fix = np.array([p_WB[0], p_WB[1], heading])
        if c.seed is not None:
            sigma = (c.place_noise, c.place_noise, c.heading_noise)
            fix += self.rng.standard_normal(3) * sigma
        self.readings.fix, self.readings.fixed = fix, k * self.readings.dt
