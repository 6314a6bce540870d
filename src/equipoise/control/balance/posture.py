"""Feet carry the weight and hold the attitude, [Ridderstrom2003] section 11.2."""

from dataclasses import dataclass, field
from typing import Literal, final

import numpy as np

from equipoise.control.balance.effort import carry
from equipoise.control.parts import (
    BALANCES,
    AbstractBalance,
    Effort,
    Estimate,
    Stance,
    TrunkReference,
)
from equipoise.core.arrays import VecN
from equipoise.core.checks import expect_positive
from equipoise.core.constants import GRAVITY

__all__ = ["PostureBalance", "PostureBalanceConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class PostureBalanceConfig:
    """Gains; defaults are WARP1's while it walks.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    roll_stiffness: float = 1000.0
    """[N m/rad]."""
    roll_damping: float = 100.0
    """[N m s/rad]."""
    pitch_stiffness: float = 1000.0
    """[N m/rad]."""
    pitch_damping: float = 100.0
    """[N m s/rad]."""
    take_on: float = 0.04
    """Time in which a foot that begins to stand takes its share on [s]."""
    weight: float = 1.0
    """Share of the machine's weight that is fed forward."""
    sharing: Literal["printed", "consistent"] = "consistent"
    """How feet share: by the printed rule, or so that force and moments are right."""

    def __post_init__(self) -> None:
        names = [n for n in self.__slots__ if n != "sharing"]
        expect_positive(self, *names, zero=True)

    @property
    def gains(self) -> VecN:
        """As ``carry`` takes them, (5,)."""
        return np.array(
            [
                self.roll_stiffness,
                self.roll_damping,
                self.pitch_stiffness,
                self.pitch_damping,
                self.take_on,
            ]
        )


@final
@BALANCES.register("posture")
@dataclass(frozen=True)
class PostureBalance(AbstractBalance[VecN]):
    """Loads on standing feet; its state is how far each has taken its share on."""

    config: PostureBalanceConfig = field(default_factory=PostureBalanceConfig)
    gains: VecN = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "gains", self.config.gains)

    def init(self) -> VecN:
        """Return a state that fits any number of legs: nothing taken on yet."""
        return np.zeros(0)

    def step(
        self, estimate: Estimate, stance: Stance, trunk: TrunkReference, state: VecN
    ) -> tuple[Effort, VecN]:
        """Return the loads, and the next state."""
        machine, nl = estimate.machine, estimate.machine.legs
        shares = state.copy() if len(state) else np.zeros(nl)
        force, weight = np.empty((nl, 3)), GRAVITY * machine.mass * self.config.weight
        carry(
            estimate.dt, weight, self.gains, self.config.sharing == "printed",
            estimate.trunk, trunk.pose, estimate.feet, machine.geometry.hips,
            stance.legs, shares, np.empty(3 + 6 * nl), force,
        )  # fmt: skip
        return Effort(trunk, force, np.zeros((nl, 2))), shares
