"""Legs step according to the plan, which waits for feet that are late.

A leg stands but between its planned lift-off and footfall. The clock by which plans go
stands still while a foot that is due has not found the ground, for a while at most.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, final

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import SUPPORTS, AbstractSupport
from equipoise.control.records import (
    ClockRequest,
    GaitClock,
    LegAim,
    LegEstimate,
    LegStance,
    PlannedLeg,
    Travel,
    TrunkEstimate,
)
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.control.support.landing import (
    LandingConfig,
    Near,
    Patience,
    Touch,
    lands,
)
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, pooled_empty_like
from equipoise.core.setting import Setting

__all__ = ["PlannedConfig", "PlannedSupport"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedConfig(LandingConfig):
    """Settings of stepping by a plan; the defaults are TITAN VI's."""

    touch: Touch = 60.0
    near: Near = 0.2
    patience: Patience = 0.05
    waits: Annotated[
        float, Setting("Longest time the plan waits for a late foot", "s", least=0.0)
    ] = 0.5
    grace: Annotated[
        float,
        Setting("Delay of a foot after which the plan waits for it", "s", least=0.0),
    ] = 0.0


@final
@SUPPORTS.register("planned")
@dataclass(frozen=True)
class PlannedSupport(AbstractSupport[WalkingStance]):
    """Support by the times of the plan; the last stance is its state."""

    needs: ClassVar[frozenset[str]] = frozenset({"plan"})
    gives: ClassVar[frozenset[str]] = frozenset({"heeded plan"})
    config: PlannedConfig = field(default_factory=PlannedConfig)
    _run = cached_dispatch(lambda: run_planned_clock)
    _step_legs = cached_dispatch(lambda: _step_planned)

    def init(self, machine: LeggedMachine) -> WalkingStance:
        """Return a stance on all legs, the clock at zero."""
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
        """Return who stands; it is the next state, which is returned beside it."""
        plan, legs, clock = (
            estimate.plan.legs,
            pooled_empty_like(state.legs),
            pooled_empty_like(state.clock),
        )
        self._run(
            estimate.trunk,
            asked.clock,
            (self.config.grace, self.config.waits),
            plan,
            state.legs,
            state.clock,
            clock,
        )
        self._step_legs(
            estimate.trunk,
            estimate.legs,
            asked.legs,
            self.settings,
            plan,
            clock,
            state.legs,
            legs,
        )
        stance = WalkingStance(legs, clock)
        return stance, stance


@compiled(allocates=False)
def run_planned_clock(
    trunk: Records[TrunkEstimate],
    asked: Records[ClockRequest],
    waits: tuple[float, float],
    plan: Records[PlannedLeg],
    legs: Records[LegStance],
    before: Records[GaitClock],
    after: Records[GaitClock],
) -> None:
    """Advance the clock unless it is held or a late foot is waited for."""
    after[0] = before[0]
    clock, dt, swings, is_late = after[0], trunk[0].dt, False, False
    for leg in legs:
        swings = swings or leg.stands == 0.0
        is_late = is_late or waits[0] < leg.late < waits[1]
    goes = False
    for one in range(plan.shape[0]):
        goes = goes or clock.time < plan[one].lift < math.inf
    runs = asked[0].hold == 0.0 and not is_late
    clock.rate = 1.0 if runs else 0.0
    clock.time += clock.rate * dt
    clock.lifts = 1.0 if asked[0].halt == 0.0 else 0.0
    clock.walking = 1.0 if swings or goes else 0.0
    clock.walked = clock.walked + dt if clock.walking > 0.0 else 0.0


@compiled(allocates=False)
def _eased(time: float, step: PlannedLeg) -> float:
    """Return how far a leg has yet to take its load on, or has handed it over: 0 to 1.

    Args:
        time: of the clock [s].
        step: what is planned of the leg.
    """
    if step.eased <= 0.0:
        return 0.0
    nearest = step.lift - time if time < step.lift else time - step.land
    return min(max(1.0 - nearest / step.eased, 0.0), 1.0)


@compiled(allocates=False)
def _step_planned(
    trunk: Records[TrunkEstimate],
    known: Records[LegEstimate],
    aims: Records[LegAim],
    settings: Records[PlannedConfig],
    plan: Records[PlannedLeg],
    clocks: Records[GaitClock],
    before: Records[LegStance],
    after: Records[LegStance],
) -> None:
    """Write which feet stand; arguments as in the class."""
    clock, dt, setting = clocks[0], trunk[0].dt, settings[0]
    for one in range(after.shape[0]):
        after[one] = before[one]
        leg = after[one]
        is_scheduled, share = True, 0.0
        if one < plan.shape[0]:
            step = plan[one]
            is_scheduled = not step.lift <= clock.time < step.land
            leg.swing = max(step.land - step.lift, dt) if step.lift < math.inf else 1.0
            share = (clock.time - step.lift) / leg.swing
            leg.clearance, leg.eased = step.clearance, _eased(clock.time, step)
            for i in range(3):
                leg.goal[i] = step.foothold[i]
        may_lift = clock.lifts > 0.0 and leg.stands > 0.0 and aims[one].veto == 0.0
        if is_scheduled:
            leg.lifted = 0.0
        elif may_lift and leg.lifted == 0.0:
            leg.stands, leg.lifted, leg.late = 0.0, 1.0, 0.0
        leg.progress = 0.0
        if leg.stands == 0.0:
            leg.progress = 1.0 if is_scheduled else share
            leg.late = leg.late + dt if is_scheduled else 0.0  # it may swing anew
            if lands(
                is_scheduled, leg, known[one], aims[one], setting, setting.patience
            ):
                leg.stands = 1.0
        leg.scheduled = 1.0 if is_scheduled else 0.0
        leg.support = leg.swing
        leg.late = leg.late if leg.stands == 0.0 else 0.0
