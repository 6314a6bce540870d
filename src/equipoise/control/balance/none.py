"""No balance part: legs act as springs to their references.

[Ridderstrom2003] section 11.1.1: with law (5.1) alone WARP1 crawls and trots.
"""

from dataclasses import dataclass
from typing import final

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import BALANCES, AbstractBalance
from equipoise.control.records import LegBalance
from equipoise.control.signals import (
    BalanceCommand,
    Estimate,
    TrunkReference,
    WalkingStance,
)
from equipoise.core.records import Records

__all__ = ["NoBalance"]


@final
@BALANCES.register("none")
@dataclass(frozen=True)
class NoBalance(AbstractBalance[Records[LegBalance]]):
    """Balance part without forces and shifts, as a leg program alone needs it."""

    def init(self, machine: LeggedMachine) -> Records[LegBalance]:
        """Return the answer that it always gives."""
        legs = LegBalance.zeros(machine.legs)
        legs["spring"] = 1.0
        return legs

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        trunk: TrunkReference,
        state: Records[LegBalance],
    ) -> tuple[BalanceCommand, Records[LegBalance]]:
        """Return no force and no shift."""
        return BalanceCommand(trunk, state), state
