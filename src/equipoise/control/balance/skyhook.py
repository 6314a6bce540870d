"""As ``posture``, and the trunk hangs on a spring and a damper from the sky.

The force that feet carry is not the weight alone but

    F_z = m g + K_z (z_ref - z) - D_z z'

so that height is damped against the level world and not against ground that goes up and
down, with loads between a least and a largest share of the weight. Attitude is held as
``posture`` does. The legs' own springs act beside it.
"""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.balance.effort import carry
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
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled

__all__ = ["SkyhookBalance", "SkyhookConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class SkyhookConfig:
    """Of the suspension; defaults are WARP1's: 1.5 Hz, damped by 0.7.

    Raises:
        ConfigError: a number that is negative or not finite, or a least load above the
            largest.
    """

    posture: PostureBalanceConfig = field(default_factory=PostureBalanceConfig)
    stiffness: float = 5000.0
    """K_z [N/m]."""
    damping: float = 800.0
    """D_z [N s/m]."""
    least: float = 0.01
    """Share of the weight that a foot is loaded with at least."""
    largest: float = 1.2
    """And at most."""

    def __post_init__(self) -> None:
        expect_positive(self, "stiffness", "damping", "least", "largest", zero=True)
        if self.least > self.largest:
            problem = f"least must be <= largest, {self.largest!r}, got {self.least!r}"
            raise ConfigError("SkyhookConfig", [problem])


@final
@BALANCES.register("skyhook")
@dataclass(frozen=True)
class SkyhookBalance(AbstractBalance[VecN]):
    """Loads on standing feet; its state is how far each has taken its share on."""

    config: SkyhookConfig = field(default_factory=SkyhookConfig)
    gains: VecN = field(init=False, repr=False)
    table: VecN = field(init=False, repr=False)

    def __post_init__(self) -> None:
        c = self.config
        table = np.array([c.stiffness, c.damping, c.least, c.largest])
        object.__setattr__(self, "gains", c.posture.gains)
        object.__setattr__(self, "table", table)

    def init(self) -> VecN:
        """Return a state that fits any number of legs: nothing taken on yet."""
        return np.zeros(0)

    def step(
        self, estimate: Estimate, stance: Stance, trunk: TrunkReference, state: VecN
    ) -> tuple[Effort, VecN]:
        """Return the loads, and the next state."""
        machine, nl = estimate.machine, estimate.machine.legs
        shares = state.copy() if len(state) else np.zeros(nl)
        force, posture = np.empty((nl, 3)), self.config.posture
        hang(
            estimate.dt, GRAVITY * machine.mass * posture.weight, self.gains,
            posture.sharing == "printed", self.table, estimate.trunk, trunk.pose,
            estimate.feet, machine.geometry.hips, stance.legs, shares,
            np.empty(3 + 6 * nl), force,
        )  # fmt: skip
        return Effort(trunk, force, np.zeros((nl, 2))), shares


@compiled(allocates=False)
def hang(
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
    shares: VecN,
    room: VecN,
    force: Array,
) -> None:
    """Write each foot's force; arguments as in the class."""
    pull = weight + table[0] * (pose[2] - trunk[2]) - table[1] * trunk[5]
    carry(
        dt, max(pull, 0.0), gains, is_printed, trunk, pose, feet, hips, legs, shares,
        room, force,
    )  # fmt: skip
    for leg in range(hips.shape[0]):
        load = 0.0
        for i in range(3):
            load -= force[leg, i] * trunk[15 + i]
        least = shares[leg] * table[2] * weight
        kept = min(max(load, least), shares[leg] * table[3] * weight)
        for i in range(3):
            force[leg, i] = -kept * trunk[15 + i]
