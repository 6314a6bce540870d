"""Where a machine is on its map, told from outside a few times a second.

Dead reckoning cannot keep a machine in a map of small cells: heading drifts by degrees
in a minute. So whoever gives it a map also tells it where on the map it is, as marks on
the ground or a camera over it would.
"""

import math
from dataclasses import dataclass
from typing import Annotated, final

import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.core.contracts import Readings
from equipoise.core.seeds import stream
from equipoise.core.setting import Setting, Settings

__all__ = ["FixConfig", "MapFix"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class FixConfig(Settings):
    """Accuracy of position fixes; no work prints it, so it is our choice.

    Raises:
        ConfigError: a rate that is not positive, a noise that is negative.
    """

    rate: Annotated[
        float, Setting("Rate at which the place on the map is told", "1/s", above=0.0)
    ] = 5.0
    place_noise: Annotated[
        float, Setting("Standard deviation of x and y", "m", least=0.0)
    ] = 0.004
    heading_noise: Annotated[
        float, Setting("Standard deviation of the heading", "rad", least=0.0)
    ] = math.radians(0.1)
    seed: Annotated[int | None, Setting("Seed of the noise", usual="no noise")] = None


@final
class MapFix:
    """Source of a machine's position; the map's origin is the world's.

    Args:
        config: how well.
        readings: that get it.
    """

    def __init__(self, config: FixConfig, readings: Readings) -> None:
        self.config, self.readings = config, readings
        self.every = max(1, round(1.0 / (config.rate * readings.dt)))
        self.rng = stream(0 if config.seed is None else config.seed, "map fix")

    def read(self, k: int, p_WB: Vec3, R_WB: Array) -> None:
        """Give the position at some ticks.

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
