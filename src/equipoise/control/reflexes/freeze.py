"""A machine that leans too far, or has lost a foot's sense, lifts no more legs.

The stop reflex: legs in the air still come down, and walking goes on when the trunk is
upright again and all feet feel.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.balance.effort import tilt_of
from equipoise.control.parts import REFLEXES, AbstractReflex, Asked, Estimate, Stance
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled

__all__ = ["FreezeConfig", "FreezeReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class FreezeConfig:
    """When to freeze; defaults suit WARP1, whose trunk stays within 0.1 rad.

    Raises:
        ConfigError: a number that is not positive, or an angle to be upright again that
            is above the one to freeze at.
    """

    tilt: float = 0.25
    """Roll or pitch beside the ground's from which no leg lifts [rad]."""
    upright: float = 0.12
    """Below which legs lift again [rad]."""
    silent: float = 0.05
    """For how long a foot must have felt nothing while others do [s]."""

    def __post_init__(self) -> None:
        expect_positive(self, "tilt", "upright", "silent")
        if self.upright > self.tilt:
            problem = f"upright must be <= tilt, {self.tilt!r}, got {self.upright!r}"
            raise ConfigError("FreezeConfig", [problem])


@final
@REFLEXES.register("freeze")
@dataclass(frozen=True)
class FreezeReflex(AbstractReflex[VecN]):
    """Vetoes lift-offs; its state is whether it leans and for how long feet are mute.

    (1 + nl,).
    """

    config: FreezeConfig = field(default_factory=FreezeConfig)

    def init(self) -> VecN:
        """Return a state that fits any number of legs: upright, all feel."""
        return np.zeros(0)

    def step(
        self, estimate: Estimate, stance: Stance, aim: Array, asked: Asked, state: VecN
    ) -> VecN:
        """Veto every lift-off while something is amiss."""
        c, nl = self.config, len(stance.legs)
        after = state.copy() if len(state) else np.zeros(1 + nl)
        freeze(
            estimate.dt, estimate.trunk, estimate.load, estimate.footholds, c.tilt,
            c.upright, c.silent, after, asked.veto,
        )  # fmt: skip
        return after


@compiled(allocates=False)
def freeze(
    dt: float,
    trunk: VecN,
    load: VecN,
    footholds: Array,
    tilt: float,
    upright: float,
    silent: float,
    state: VecN,
    veto: VecN,
) -> None:
    """Advance what is amiss, and veto all legs if anything is."""
    nl = load.shape[0]
    roll, pitch, _ = tilt_of(trunk)
    up = slope_of(footholds)
    off = max(abs(roll), abs(pitch)) - up
    if not off <= tilt:
        state[0] = 1.0
    elif off < upright:
        state[0] = 0.0
    feels = False
    for leg in range(nl):
        feels = feels or not math.isnan(load[leg])
    is_frozen = state[0] > 0.0
    for leg in range(nl):
        mute = feels and math.isnan(load[leg])
        state[1 + leg] = state[1 + leg] + dt if mute else 0.0
        is_frozen = is_frozen or state[1 + leg] > silent
    if is_frozen:
        for leg in range(nl):
            veto[leg] = 1.0


@compiled(allocates=False)
def slope_of(footholds: Array) -> float:
    """Return the steepest angle between two footholds [rad]: that of the ground."""
    steepest = 0.0
    for a in range(footholds.shape[0]):
        for b in range(a):
            x = footholds[a, 0] - footholds[b, 0]
            y = footholds[a, 1] - footholds[b, 1]
            rise = abs(footholds[a, 2] - footholds[b, 2])
            level = math.sqrt(x * x + y * y)
            if level > 0.1:
                steepest = max(steepest, math.atan(rise / level))
    return steepest
