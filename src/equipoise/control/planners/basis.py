"""Thing's planner: a supervisor over the control basis, one move after the other.

[Ridderstrom2003] section 3.3. In each state a composition is run kinematically from
where feet really stand; where it leads becomes a plan: the trunk's way, and the step of
at most one leg. The next state follows when feet stand again. A foot that finds no
ground goes back to where it stood (the text's state F1). Before a leg lifts the three
others must carry; where they would not, feet are set anew one by one (F2).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, final

import numpy as np

from equipoise.control.basis.build import BasisConfig, basis_parts, basis_stance
from equipoise.control.basis.compose import Ending, bind, subject_to
from equipoise.control.basis.edges import away_from_edges
from equipoise.control.basis.moves import (
    Mends,
    carries,
    following,
    homeward,
    lifted,
    mended,
    planned_move,
    put_back,
    seen_state,
    standing_legs,
    strays,
)
from equipoise.control.basis.stance import BasisParts, BasisStance
from equipoise.control.basis.supervisor import (
    AROUND,
    FLAT,
    TURN,
    UNEVEN,
    Supervisor,
    SupervisorState,
    relabelled,
)
from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import PLANNERS, AbstractPlanner
from equipoise.control.records import PlannedTrunk, Travel
from equipoise.control.signals import (
    Estimate,
    SupportRequest,
    WalkingPlan,
    WalkingStance,
)
from equipoise.core.arrays import Array
from equipoise.core.records import Records

__all__ = ["BasisPlanState", "BasisPlanner"]

SLOW = 1e-6  # commanded speed below which it stands [m/s]
LEVEL = tuple(relabelled(FLAT, legs) for legs in AROUND)
"""Forward, to the left, backward, to the right."""
ROUGH = tuple(relabelled(UNEVEN, legs) for legs in AROUND)
CYCLE = 8  # moves
ASTRAY = 2.0  # strides from home, from where feet are set anew before another way
KEPT = 40  # footholds that are remembered


class BasisPlanState(NamedTuple):
    """State of the planner between two ticks."""

    parts: BasisParts
    plan: WalkingPlan
    """In force."""
    stance: Records[BasisStance] | None
    """To which it leads; None before the first."""
    supervisor: Supervisor
    """In charge."""
    name: str
    """Of the state that comes next."""
    ends: float
    """When the move is over, by the clock [s]."""
    heading: float
    """That is kept [rad]."""
    left: int
    """Moves that are left of a cycle, after which its pace is looked at again."""
    stretch: float
    """By which moves are slower than they could be, for the speed that is wanted."""
    known: Array
    """Where feet have stood, the latest last, (n, 3) [m]."""
    made: float
    """Moves that have been planned."""
    failed: float
    """Compositions that did not converge."""
    returned: float
    """Feet that found no ground and went back."""
    reset: float
    """Times that feet were set anew since others would not have carried."""
    mends: Mends
    """Legs that are still to be set anew, and where to."""


@final
@PLANNERS.register("basis")
@dataclass(frozen=True)
class BasisPlanner(AbstractPlanner[BasisPlanState]):
    """Planner by a supervisor over the control basis."""

    needs: ClassVar[frozenset[str]] = frozenset({"heeded plan", "followed plan"})
    gives: ClassVar[frozenset[str]] = frozenset({"plan"})
    legs_taken: ClassVar[int] = 4
    made_for: ClassVar[str | None] = "thing"
    config: BasisConfig = field(default_factory=BasisConfig)
    learned: Supervisor | None = None
    """That turns it in place of the hand-made one."""

    def init(self, machine: LeggedMachine) -> BasisPlanState:
        """Return a state in which it stands."""
        return BasisPlanState(
            parts=basis_parts(machine, self.config),
            plan=WalkingPlan(standing_legs(), PlannedTrunk.zeros(0), Travel.zeros()),
            stance=None,
            supervisor=FLAT,
            name=FLAT.first,
            ends=0.0,
            heading=math.nan,
            left=0,
            stretch=1.0,
            known=np.zeros((0, 3)),
            made=0.0,
            failed=0.0,
            returned=0.0,
            reset=0.0,
            mends=(),
        )

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        asked: SupportRequest,
        state: BasisPlanState,
    ) -> tuple[WalkingPlan, BasisPlanState]:
        """Return the plan in force, a new one where the last is done."""
        now = float(stance.clock["time"][0] + estimate.trunk["dt"][0])
        wanted, flies = goal["velocity"][0], stance.legs["stands"] == 0.0
        wants = bool(goal["walks"][0] > 0.0) and float(np.abs(wanted).max()) > SLOW
        lost = np.flatnonzero(flies & (asked.legs["banned"] > 0.0))
        if len(lost):
            state = self.returns(estimate, int(lost[0]), now, state)
        elif wants and not flies.any() and now >= state.ends:
            state = self.moved_on(estimate, wanted, now, state)
        plan = state.plan
        return WalkingPlan(plan.legs, plan.trunk, goal), state

    def tell(self, state: BasisPlanState) -> Mapping[str, float]:
        """Return how many moves were planned, did not converge, or set feet anew."""
        return {
            "plan_made": state.made,
            "plan_failed": state.failed,
            "feet_returned": state.returned,
            "feet_reset": state.reset,
        }

    def returns(
        self, estimate: Estimate, one: int, now: float, state: BasisPlanState
    ) -> BasisPlanState:
        """Return a state in which a foot goes back to where it stood."""
        lasts, plan = self.config.swing, state.plan
        legs = put_back(plan.legs, one, estimate.footholds[one], now, lasts)
        return state._replace(
            plan=WalkingPlan(legs, plan.trunk, plan.travel),
            ends=now + lasts + self.config.rest,
            returned=state.returned + 1.0,
        )

    def moved_on(
        self, estimate: Estimate, wanted: Array, now: float, state: BasisPlanState
    ) -> BasisPlanState:
        """Return a state with the next move planned.

        Args:
            estimate: of this tick.
            wanted: forward, left [m/s] and turn [rad/s], (3,).
            now: by the clock [s].
            state: so far.
        """
        stance, state = self.measured(estimate, state)
        state, least = self.in_charge(stance, wanted, state), self.config.least
        told = state.supervisor.states[state.name]
        after, outcome = self.run(told, stance, wanted, state)
        leg = lifted(told, stance, after)
        if leg and not carries(leg, stance, after, state.parts, least):
            mends = state.mends or homeward(stance, state.parts)
            state = state._replace(mends=mends, reset=state.reset + (not state.mends))
        if state.mends:
            after, leg, mends = mended(state.mends, stance, state.parts, least)
            first = state.supervisor.first
            name = seen_state(state.supervisor, first, after, state.parts)
            state = state._replace(mends=mends, name=name)
        else:
            after = self.kept_off(told, leg, stance, after, state)
            name = following(state.supervisor, state.name, after, outcome, state.parts)
            failed = state.failed + float(outcome is Ending.FAILED)
            state = state._replace(name=name, failed=failed)
        lasts = state.stretch * self.lasts(stance, after, leg)
        legs, knots = planned_move(stance, after, leg, now, lasts)
        legs["clearance"] = self.config.clearance
        if self.config.uneven:
            knots["p_WB"][:, 2] = stance["p_WB"][0, 2], after["p_WB"][0, 2]
        return state._replace(
            plan=WalkingPlan(legs, knots, state.plan.travel),
            stance=after,
            ends=now + lasts + state.stretch * self.config.rest,
            made=state.made + 1.0,
        )

    def measured(
        self, estimate: Estimate, state: BasisPlanState
    ) -> tuple[Records[BasisStance], BasisPlanState]:
        """Return feet where they stand, the trunk where the last plan led it."""
        feet, R = np.array(estimate.footholds), estimate.R_WB
        at, yaw = np.array(estimate.p_WB), math.atan2(R[1, 0], R[0, 0])
        level = feet[:, 2].mean() - state.parts[1]["home"][:, 2].mean()
        before = state.stance
        if before is not None:
            at, yaw = before["p_WB"][0].copy(), float(before["yaw"][0])
        if before is None or not self.config.uneven:
            at[2] = level
        stance, reached = basis_stance(state.parts, feet, at, yaw)
        if not reached:  # the ground is not where it was thought to be
            at[2] = level
            stance, _ = basis_stance(state.parts, feet, at, yaw)
        known = np.vstack([state.known, feet])[-KEPT:] if self.config.uneven else feet
        return stance, state._replace(known=known)

    def in_charge(
        self, stance: Records[BasisStance], wanted: Array, state: BasisPlanState
    ) -> BasisPlanState:
        """Return a state with the supervisor for what is wanted, and its pace."""
        heading = float(stance["yaw"][0])
        if self.turns(wanted):
            supervisor = self.learned or TURN
        else:
            way = round(math.atan2(wanted[1], wanted[0]) / (0.5 * math.pi)) % 4
            supervisor = (ROUGH if self.config.uneven else LEVEL)[way]
            heading = heading if math.isnan(state.heading) else state.heading
        state = state._replace(heading=heading)
        if supervisor is not state.supervisor:
            name = seen_state(supervisor, supervisor.first, stance, state.parts)
            state = state._replace(supervisor=supervisor, name=name, left=0)
            mends = homeward(stance, state.parts)
            if state.made > 0.0 and strays(mends, stance) > ASTRAY * self.config.stride:
                state = state._replace(mends=mends)
        if state.left == 0:
            stretch = self.pace(stance, wanted, state)
            state = state._replace(stretch=stretch, left=CYCLE)
        return state._replace(left=state.left - 1)

    def turns(self, wanted: Array) -> bool:
        """Return whether it turns on the spot."""
        return bool(abs(wanted[2]) > self.config.turning)

    def run(
        self,
        told: SupervisorState,
        stance: Records[BasisStance],
        wanted: Array,
        state: BasisPlanState,
    ) -> tuple[Records[BasisStance], Ending]:
        """Return where a state's composition leads, and how it ends."""
        heading, config = state.heading, self.config
        if self.turns(wanted):
            heading = float(stance["yaw"][0]) + math.copysign(config.quarter, wanted[2])
        ahead = heading + math.atan2(wanted[1], wanted[0])
        x, y = math.cos(ahead), math.sin(ahead)
        p = stance["p_WB"][0]
        until = float(x * p[0] + y * p[1]) + config.stride
        chain = bind(told.chain, (x, y), until, heading)
        return subject_to(chain, stance, state.parts)

    def kept_off(
        self,
        told: SupervisorState,
        leg: int,
        before: Records[BasisStance],
        after: Records[BasisStance],
        state: BasisPlanState,
    ) -> Records[BasisStance]:
        """Return the stance with the foot that steps kept off an edge, if it can be."""
        c, contact = self.config, told.chain[-1]
        if not (leg and c.uneven and contact.kind == "phi1"):
            return after
        other = away_from_edges(
            after, leg, state.known, contact, state.parts, c.near, c.riser
        )
        if carries(leg, before, other, state.parts, c.least):
            return other
        return after

    def pace(
        self, stance: Records[BasisStance], wanted: Array, state: BasisPlanState
    ) -> float:
        """Return by how much moves are slower than they could be, >= 1.

        A cycle is gone through beforehand, to see how far it leads and how long it
        takes.
        """
        at, time, name, supervisor = stance, 0.0, state.name, state.supervisor
        for _ in range(CYCLE):
            told = supervisor.states[name]
            after, outcome = self.run(told, at, wanted, state)
            time += self.lasts(at, after, lifted(told, at, after)) + self.config.rest
            name = following(supervisor, name, after, outcome, state.parts)
            at = after
        x, y = (at["p_WB"] - stance["p_WB"])[0, :2]
        way, speed = math.hypot(x, y), math.hypot(wanted[0], wanted[1])
        if self.turns(wanted):
            way, speed = abs(float(at["yaw"][0] - stance["yaw"][0])), abs(wanted[2])
        return max(way / (max(speed, SLOW) * time), 1.0)

    def lasts(
        self, before: Records[BasisStance], after: Records[BasisStance], leg: int
    ) -> float:
        """Return how long a move takes at least [s]."""
        c, lag = self.config, 0.1 * self.config.swing
        moved = np.linalg.norm((after["p_WB"] - before["p_WB"])[0])
        turned = abs(float(after["yaw"][0] - before["yaw"][0]))
        far = float(moved) + c.arm * turned
        lasts = max(lag, math.sqrt(6.0 * far / c.push))  # of a cubic from rest to rest
        if leg:
            way = np.linalg.norm((after["feet"] - before["feet"])[0, leg - 1])
            lasts = max(lasts, c.swing, float(way) / c.quick)
        return lasts
