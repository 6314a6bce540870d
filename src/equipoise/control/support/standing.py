"""All feet stand, whatever the goal: for posture control."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import SUPPORTS, AbstractSupport
from equipoise.control.records import GaitClock, LegStance, Travel
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.records import Records

__all__ = ["StandingSupport"]


@final
@SUPPORTS.register("standing")
@dataclass(frozen=True)
class StandingSupport(AbstractSupport[WalkingStance]):
    """Support on all legs, whatever the goal."""

    limps: ClassVar[bool] = True

    def init(self, machine: LeggedMachine) -> WalkingStance:
        """Return a stance on all legs, the answer that it always gives."""
        legs, clock = LegStance.zeros(machine.legs), GaitClock.zeros()
        legs["scheduled"] = legs["stands"] = clock["cycle"] = 1.0
        legs["goal"] = math.nan
        return WalkingStance(legs, clock)

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        asked: SupportRequest,
        state: WalkingStance,
    ) -> tuple[WalkingStance, WalkingStance]:
        """Return a stance on all legs."""
        return state, state
