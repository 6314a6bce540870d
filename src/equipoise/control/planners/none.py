"""No planner: the parts act on each tick without a plan."""

from dataclasses import dataclass
from typing import ClassVar, final

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import PLANNERS, AbstractPlanner
from equipoise.control.records import Travel
from equipoise.control.signals import (
    NOTHING_PLANNED,
    Estimate,
    SupportRequest,
    WalkingPlan,
    WalkingStance,
)
from equipoise.core.records import Records

__all__ = ["NoPlanner"]


@final
@PLANNERS.register("none")
@dataclass(frozen=True)
class NoPlanner(AbstractPlanner[None]):
    """Planner that grants the goal as it is."""

    limps: ClassVar[bool] = True

    def init(self, machine: LeggedMachine) -> None:
        """Return no state."""

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        asked: SupportRequest,
        state: None,
    ) -> tuple[WalkingPlan, None]:
        """Return a plan of nothing, with the goal as it is."""
        nothing = NOTHING_PLANNED
        return WalkingPlan(nothing.legs, nothing.trunk, goal), None
