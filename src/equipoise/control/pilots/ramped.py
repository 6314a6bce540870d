"""Follows the operator's velocity command with limited acceleration."""

from dataclasses import dataclass, field
from typing import final

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import PILOTS, AbstractPilot
from equipoise.control.pilot import (
    GoalRow,
    PilotLimits,
    PilotTask,
    goal_rows,
    pilot_limits,
    ramp,
)
from equipoise.control.records import Travel
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.bound import cached_dispatch
from equipoise.core.records import Records, pooled_empty_like

__all__ = ["RampedPilot"]


@final
@PILOTS.register("ramped")
@dataclass(frozen=True)
class RampedPilot(AbstractPilot[Records[Travel]]):
    """Pilot that ramps to the operator's goals; the command is its state."""

    errand: PilotTask
    rows: Records[GoalRow] = field(init=False, repr=False, compare=False)
    limits: Records[PilotLimits] = field(init=False, repr=False, compare=False)
    _ramp = cached_dispatch(lambda: ramp)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", goal_rows(self.errand.goals))
        object.__setattr__(self, "limits", pilot_limits(self.errand.limits))

    def init(self, machine: LeggedMachine) -> Records[Travel]:
        """Return a state at rest."""
        return Travel.zeros()

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: Records[Travel],
    ) -> tuple[Records[Travel], Records[Travel]]:
        """Return the command; it is the next state, which is returned beside it."""
        after = pooled_empty_like(state)
        self._ramp(estimate.trunk, self.rows, self.limits, state, after)
        return after, after
