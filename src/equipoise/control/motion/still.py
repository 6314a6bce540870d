"""The trunk stays over its feet, at a height and attitude of one's choice.

Its centre of mass is brought over the middle of the footholds and kept there, whatever
velocity the goal has; heading is the one that it was first seen with.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.balance.effort import tilt_of
from equipoise.control.parts import (
    MOTIONS,
    POSE,
    AbstractMotion,
    Estimate,
    Stance,
    TrunkReference,
)
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive, expect_within
from equipoise.core.jit import compiled

__all__ = ["StillConfig", "StillMotion"]

STATE = 7  # place 3, roll, pitch, yaw, begun


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class StillConfig:
    """Where the trunk is held.

    Raises:
        ConfigError: a number that is not finite or out of range.
    """

    height: float | None = None
    """Of the hips over the footholds' middle [m]; None for the machine's own."""
    roll: float = 0.0
    """[rad]."""
    pitch: float = 0.0
    """[rad]."""
    time: float = 0.3
    """In which it gets there [s]."""

    def __post_init__(self) -> None:
        if self.height is not None:
            expect_positive(self, "height")
        expect_positive(self, "time")
        expect_within(self, "roll", -0.5, 0.5)
        expect_within(self, "pitch", -0.5, 0.5)


@final
@MOTIONS.register("still")
@dataclass(frozen=True)
class StillMotion(AbstractMotion[VecN]):
    """Holds the trunk; its state is the reference, on its way there."""

    config: StillConfig = field(default_factory=StillConfig)

    def init(self) -> VecN:
        """Return a reference that begins where the trunk is first seen."""
        return np.zeros(STATE)

    def step(
        self, estimate: Estimate, goal: VecN, stance: Stance, state: VecN
    ) -> tuple[TrunkReference, VecN]:
        """Return the reference, and the next state."""
        c, machine, after = self.config, estimate.machine, state.copy()
        pose, places = np.zeros(POSE), np.empty((machine.legs, 3))
        height = machine.height if c.height is None else c.height
        stay(
            estimate.dt, estimate.trunk, estimate.footholds, machine.geometry.hips,
            height, c.roll, c.pitch, c.time, after, pose, places,
        )  # fmt: skip
        return TrunkReference(pose, places), after


@compiled(allocates=False)
def stay(
    dt: float,
    trunk: VecN,
    footholds: Array,
    hips: Array,
    height: float,
    roll: float,
    pitch: float,
    time: float,
    state: VecN,
    pose: VecN,
    places: Array,
) -> None:
    """Draw the reference to where it is to stay, and write it."""
    nl = hips.shape[0]
    if state[6] == 0.0:
        state[0], state[1], state[2] = trunk[0], trunk[1], trunk[2]
        state[3], state[4], state[5] = tilt_of(trunk)
        state[6] = 1.0
    hip, x0, share = 0.0, 0.0, dt / (time + dt)
    for leg in range(nl):
        hip += hips[leg, 2] / nl
        x0 += hips[leg, 0] / nl
    for i in range(3):
        middle, centre = 0.0, hip - height
        for leg in range(nl):
            middle += footholds[leg, i] / nl
        if i < 2:
            centre = 0.0
            for j in range(3):
                centre += trunk[9 + 3 * i + j] * trunk[18 + j]
        state[i] += share * (middle - centre - state[i])
    state[3] += share * (roll - state[3])
    state[4] += share * (pitch - state[4])
    for i in range(6):
        pose[i] = state[i]
    down = height - hip + trunk[20]  # from the feet up to the centre of mass
    for leg in range(nl):
        ahead = trunk[18] - x0 + down * math.tan(state[4])
        places[leg, 0] = hips[leg, 0] + ahead
        places[leg, 1] = hips[leg, 1] + trunk[19] - down * math.tan(state[3])
        places[leg, 2] = hip - height
