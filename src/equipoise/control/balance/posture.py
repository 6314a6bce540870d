"""Feet carry the weight and hold the attitude, [Ridderstrom2003] section 11.2."""

from dataclasses import dataclass, field
from typing import final

from equipoise.control.balance.carry import PostureBalanceConfig, carry
from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import BALANCES, AbstractBalance
from equipoise.control.records import (
    LegBalance,
    LegEstimate,
    LegStance,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.control.signals import (
    BalanceCommand,
    Estimate,
    TrunkReference,
    WalkingStance,
)
from equipoise.core.bound import cached_dispatch
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.records import Records, pooled_empty_like

__all__ = ["PostureBalance", "PostureBalanceConfig"]


@final
@BALANCES.register("posture")
@dataclass(frozen=True)
class PostureBalance(AbstractBalance[Records[LegBalance]]):
    """Balance by loads on standing feet; the last loads are its state."""

    config: PostureBalanceConfig = field(default_factory=PostureBalanceConfig)
    _hold_up = cached_dispatch(lambda: hold_up)

    def init(self, machine: LeggedMachine) -> Records[LegBalance]:
        """Return a state in which no foot has taken anything on yet."""
        return LegBalance.zeros(machine.legs)

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        trunk: TrunkReference,
        state: Records[LegBalance],
    ) -> tuple[BalanceCommand, Records[LegBalance]]:
        """Return the loads, and the next state."""
        known, after = estimate, pooled_empty_like(state)
        self._hold_up(
            known.trunk,
            known.legs,
            stance.legs,
            trunk.pose,
            self.settings,
            state,
            after,
        )
        return BalanceCommand(trunk, after), after


@compiled(allocates=False)
def hold_up(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    pose: Records[TrunkPose],
    gains: Records[PostureBalanceConfig],
    before: Records[LegBalance],
    after: Records[LegBalance],
) -> None:
    """Write each foot's force; arguments as in the class."""
    weight = GRAVITY * trunk[0].mass * gains[0].weight
    carry(trunk[0], legs, stance, pose[0], gains[0], weight, before, after)
