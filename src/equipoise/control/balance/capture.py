"""As ``posture``, and feet step to where the machine is going rather than told to go.

A machine that moves faster than commanded by dv must put its feet down farther out: for
a point mass on massless legs of height h, with steps of duration t, by

    dv coth(w t) / w,   w² = g / h

to be at the commanded velocity a step later [Pratt2006]; here by a gain times dv. A
slow integral of dv takes out what a model of massless legs leaves. Another one, of the
trunk's tilt, lengthens the legs on the side to which it hangs, as TITAN III does
[Ridderstrom2003] section 3.1.1.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.balance.effort import carry, tilt_of
from equipoise.control.balance.posture import GRAVITY, PostureBalanceConfig
from equipoise.control.parts import (
    BALANCES,
    AbstractBalance,
    Effort,
    Estimate,
    Stance,
    TrunkReference,
)
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled

__all__ = ["CaptureBalance", "CaptureConfig"]

SLOW = 4  # numbers of the state before those of the legs: shifts, roll and pitch


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CaptureConfig:
    """Of the stepping; defaults suit WARP1's trot.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    posture: PostureBalanceConfig = field(default_factory=PostureBalanceConfig)
    gain: float = 0.2
    """Shift per velocity that is too much [s]."""
    integral: float = 0.1
    """Shift per distance gone too far, no unit."""
    reach: float = 0.2
    """Largest shift [m]."""
    slow_reach: float = 0.06
    """Largest shift by the integral [m]."""
    levelling: float = 1.0
    """Rate at which the reference's attitude is corrected by what is missing [1/s]."""
    most_levelling: float = 0.06
    """By how much at most [rad]."""

    def __post_init__(self) -> None:
        names = [n for n in self.__slots__ if n != "posture"]
        expect_positive(self, *names, zero=True)


@final
@BALANCES.register("capture")
@dataclass(frozen=True)
class CaptureBalance(AbstractBalance[VecN]):
    """Loads and shifted footholds; its state is integrals and the feet's shares."""

    config: CaptureConfig = field(default_factory=CaptureConfig)
    gains: VecN = field(init=False, repr=False)
    table: VecN = field(init=False, repr=False)

    def __post_init__(self) -> None:
        c = self.config
        slow = [c.slow_reach, c.levelling, c.most_levelling]
        table = np.array([c.gain, c.integral, c.reach, *slow])
        object.__setattr__(self, "gains", c.posture.gains)
        object.__setattr__(self, "table", table)

    def init(self) -> VecN:
        """Return a state that fits any number of legs."""
        return np.zeros(SLOW)

    def step(
        self, estimate: Estimate, stance: Stance, trunk: TrunkReference, state: VecN
    ) -> tuple[Effort, VecN]:
        """Return loads and shifts, and the next state."""
        machine, nl = estimate.machine, estimate.machine.legs
        after = state.copy() if len(state) > SLOW else np.zeros(SLOW + nl)
        force, shift = np.empty((nl, 3)), np.empty((nl, 2))
        posture, pose = self.config.posture, trunk.pose.copy()
        capture(
            estimate.dt, GRAVITY * machine.mass * posture.weight, self.gains,
            posture.sharing == "printed", self.table, estimate.trunk, pose,
            estimate.feet, machine.geometry.hips, stance.legs, stance.clock, after,
            np.empty(3 + 6 * nl), force, shift,
        )  # fmt: skip
        return Effort(TrunkReference(pose, trunk.places), force, shift), after


@compiled(allocates=False)
def capture(
    dt: float,
    weight: float,
    gains: VecN,
    is_printed: bool,
    table: VecN,
    trunk: VecN,
    pose: VecN,
    feet: Array,
    hips: Array,
    legs: Array,
    clock: VecN,
    state: VecN,
    room: VecN,
    force: Array,
    shift: Array,
) -> None:
    """Write forces and shifts and correct the pose; arguments as in the class."""
    level(dt, trunk, clock, table, state, pose)
    carry(
        dt, weight, gains, is_printed, trunk, pose, feet, hips, legs, state[SLOW:],
        room, force,
    )  # fmt: skip
    c, s = math.cos(pose[5]), math.sin(pose[5])
    dx, dy = trunk[3] - pose[6], trunk[4] - pose[7]
    for i in range(2):
        gone = c * dx + s * dy if i == 0 else c * dy - s * dx
        if clock[2] > 0.0:
            slow = state[i] + table[1] * gone * dt
            state[i] = min(max(slow, -table[3]), table[3])
        fast = min(max(table[0] * gone, -table[2]), table[2])
        for leg in range(hips.shape[0]):
            shift[leg, i] = fast + state[i]


@compiled(allocates=False)
def level(
    dt: float, trunk: VecN, clock: VecN, table: VecN, state: VecN, pose: VecN
) -> None:
    """Correct the reference's roll and pitch by the integral of what is missing."""
    roll, pitch, _ = tilt_of(trunk)
    for i in range(2):
        missing = pose[3 + i] - (roll if i == 0 else pitch)
        if clock[2] > 0.0:
            slow = state[2 + i] + table[4] * missing * dt
            state[2 + i] = min(max(slow, -table[5]), table[5])
        pose[3 + i] += state[2 + i]
