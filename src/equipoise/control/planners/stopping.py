"""A plan that ends at rest is in force at every instant.

The Adaptive Suspension Vehicle's trunk planner, [Ridderstrom2003] section 3.2.2: ten
times a second a way is proposed that goes towards the command for half a second and
then stops. It is tried on a point model (``planners.point_model``); where it cannot be,
a weaker acceleration is. Where none can, the last plan is carried on, and comes to its
second half: the machine stops. It goes by the operator's mode (``control.modes``), and
in close manoeuvring the command is first limited to what legs can keep up with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, final

import numpy as np

from equipoise.control.forces.two_step import FootForce, ForceMiss, TrunkWrench
from equipoise.control.gaits.leg_limits import LegLimits, leg_limits
from equipoise.control.gaits.named import named_gait
from equipoise.control.machine import LeggedMachine
from equipoise.control.modes import (
    FREE_MODES,
    expect_mode,
)
from equipoise.control.parts import PLANNERS, AbstractPlanner
from equipoise.control.planners.point_legs import PointModel
from equipoise.control.planners.point_model import (
    PointLeg,
    StopPlan,
)
from equipoise.control.planners.proposals import (
    PlanningRoom,
    StoppingMemory,
    plan_on,
)
from equipoise.control.planners.stopping_config import StoppingConfig
from equipoise.control.records import Travel
from equipoise.control.signals import (
    NOTHING_PLANNED,
    Estimate,
    SupportRequest,
    WalkingPlan,
    WalkingStance,
)
from equipoise.core.bound import cached_dispatch
from equipoise.core.records import Records, pooled_empty_like

__all__ = ["StoppingConfig", "StoppingPlanner", "StoppingState"]

TRAVEL = Travel.zeros()  # whose like is made at every tick


class StoppingState(NamedTuple):
    """State of the planner between two ticks."""

    plan: Records[StopPlan]
    """In force, (1,)."""
    memory: Records[StoppingMemory]
    """(1,)."""
    model: Records[PointModel]
    """With the machine's inertia, (1,); never changed."""
    limits: Records[LegLimits]
    """Of the legs, (nl,); never changed."""


@final
@PLANNERS.register("stopping")
@dataclass(frozen=True)
class StoppingPlanner(AbstractPlanner[StoppingState]):
    """Planner that grants only velocities from which the machine can stop."""

    gives: ClassVar[frozenset[str]] = frozenset()
    made_for: ClassVar[str | None] = "asv"
    config: StoppingConfig = field(default_factory=StoppingConfig)
    _plan = cached_dispatch(lambda: plan_on)

    def init(self, machine: LeggedMachine) -> StoppingState:
        """Return a plan to rest, made at the start."""
        c, model = self.config, PointModel.zeros()
        model["config"], one = self.settings, model[0]
        one.mode = expect_mode(c.mode)
        one.is_free = 1.0 if c.mode in FREE_MODES else 0.0
        one.stays = 1.0 if c.mode == "precision" else 0.0
        one.inertia[:] = machine.turning
        plan = StopPlan.zeros()
        plan["lasts"], plan["stops"], plan["spins_down"] = (
            c.segment,
            c.stop,
            c.turn_stop,
        )
        gait = named_gait(c.gait, machine.legs, c.duty)
        limits = leg_limits(machine, gait, c.workspace)
        return StoppingState(plan, StoppingMemory.zeros(), model, limits)

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        asked: SupportRequest,
        state: StoppingState,
    ) -> tuple[WalkingPlan, StoppingState]:
        """Return what is granted, and the next state."""
        plan, memory, travel = (
            pooled_empty_like(state.plan),
            pooled_empty_like(state.memory),
            pooled_empty_like(TRAVEL),
        )
        self._plan(
            (estimate.trunk, estimate.legs),
            (stance.legs, stance.clock),
            goal,
            (state.model, state.limits),
            (state.plan, state.memory),
            (plan, memory),
            planning_room(len(stance.legs)),
            travel,
        )
        nothing = NOTHING_PLANNED
        return (
            WalkingPlan(nothing.legs, nothing.trunk, travel),
            StoppingState(plan, memory, state.model, state.limits),
        )

    def tell(self, state: StoppingState) -> Mapping[str, float]:
        """Return the plan's age, whether it can stop, and how often it had to."""
        memory = state.memory[0]
        return {
            "plan_age": float(memory.time - state.plan[0].made),
            "stop_armed": 1.0,
            "stops_executed": float(memory.stops),
            "plan_made": float(memory.tried - memory.refused),
            "plan_failed": float(memory.refused),
            "plan_shrunk": float(memory.shrunk),
            "plan_reason": float(memory.reason),
            "mode": float(memory.mode),
        }


def planning_room(legs: int) -> PlanningRoom:
    """Return memory in which plans are tried; what was in it does not count.

    Args:
        legs: how many the machine has.
    """
    if legs not in _ROOMS:
        _ROOMS[legs] = PlanningRoom(
            PointLeg.zeros(legs),
            FootForce.zeros(legs),
            np.zeros((legs, 2)),
            TrunkWrench.zeros(),
            ForceMiss.zeros(),
        )
    return _ROOMS[legs]


_ROOMS: dict[int, PlanningRoom] = {}
