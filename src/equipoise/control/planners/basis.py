"""Thing's planner: a supervisor over the control basis, one move after the other.

[Ridderstrom2003] section 3.3. In each state a composition is run kinematically from
where feet really stand; where it leads becomes a plan: the trunk's way, and the step of
at most one leg. The next state follows when feet stand again. Before a leg lifts the
three others must carry; where they would not, feet are set anew one by one (F1, F2).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, final

import numpy as np

from equipoise.control.basis.build import BasisConfig, basis_parts, basis_stance
from equipoise.control.basis.compose import Instance, Outcome, bind, subject_to
from equipoise.control.basis.predicates import TRIPODS, margins, name_of, predicates
from equipoise.control.basis.stance import BasisParts, BasisStance
from equipoise.control.basis.supervisor import (
    AROUND,
    FLAT,
    TURN,
    Supervisor,
    SupervisorState,
    relabelled,
)
from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import (
    PLANNERS,
    AbstractPlanner,
    Estimate,
    SupportRequest,
    WalkingPlan,
    WalkingStance,
)
from equipoise.control.records import PlannedLeg, PlannedTrunk, Travel
from equipoise.core.arrays import Array
from equipoise.core.records import Records

__all__ = ["BasisPlanState", "BasisPlanner"]

SLOW = 1e-6  # commanded speed below which it stands [m/s]
WAYS = tuple(relabelled(FLAT, legs) for legs in AROUND)
"""Forward, to the left, backward, to the right."""
LACKED = (4, 3, 1, 2)
"""Leg that is not in each of the tripods."""
CYCLE = 8  # moves


class BasisPlanState(NamedTuple):
    """What the planner carries from tick to tick."""

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
    made: float
    """Moves that have been planned."""
    failed: float
    """Compositions that did not converge."""
    reset: float
    """Feet that were set anew since the others would not have carried."""


@final
@PLANNERS.register("basis")
@dataclass(frozen=True)
class BasisPlanner(AbstractPlanner[BasisPlanState]):
    """Plans a move when the one before is over."""

    needs: ClassVar[frozenset[str]] = frozenset({"heeded plan", "followed plan"})
    gives: ClassVar[frozenset[str]] = frozenset({"plan"})
    legs_taken: ClassVar[int] = 4
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
            made=0.0,
            failed=0.0,
            reset=0.0,
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
        wanted = goal["velocity"][0]
        wants = bool(goal["walks"][0] > 0.0) and float(np.abs(wanted).max()) > SLOW
        stands = bool((stance.legs["stands"] > 0.0).all())
        if wants and stands and now >= state.ends:
            state = self.moved_on(estimate, wanted, now, state)
        plan = state.plan
        return WalkingPlan(plan.legs, plan.trunk, goal), state

    def tell(self, state: BasisPlanState) -> Mapping[str, float]:
        """Return how many moves were planned, did not converge, or set feet anew."""
        return {
            "plan_made": state.made,
            "plan_failed": state.failed,
            "feet_reset": state.reset,
        }

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
        stance = self.measured(estimate, state)
        state = self.in_charge(stance, wanted, state)
        told = state.supervisor.states[state.name]
        after, outcome = self.run(told, stance, wanted, state)
        leg = lifted(told, stance, after)
        failed = state.failed + float(outcome is Outcome.FAILED)
        if leg and not self.carries(leg, stance, after, state.parts):
            after, leg = self.mended(stance, state.parts)
            state = state._replace(reset=state.reset + 1.0)
        else:
            state = state._replace(name=following(state, told, after, outcome))
        lasts = state.stretch * self.lasts(stance, after, leg)
        legs, knots = planned(stance, after, leg, now, lasts, self.config.clearance)
        return state._replace(
            plan=WalkingPlan(legs, knots, state.plan.travel),
            stance=after,
            ends=now + lasts + state.stretch * self.config.rest,
            made=state.made + 1.0,
            failed=failed,
        )

    def measured(
        self, estimate: Estimate, state: BasisPlanState
    ) -> Records[BasisStance]:
        """Return feet where they stand, and the trunk where the last plan led it."""
        feet, R = np.array(estimate.footholds), estimate.R_WB
        at, yaw = np.array(estimate.p_WB), math.atan2(R[1, 0], R[0, 0])
        if state.stance is not None:
            at, yaw = state.stance["p_WB"][0].copy(), float(state.stance["yaw"][0])
        at[2] = feet[:, 2].mean() - state.parts[1]["home"][:, 2].mean()
        return basis_stance(state.parts, feet, at, yaw)[0]

    def in_charge(
        self, stance: Records[BasisStance], wanted: Array, state: BasisPlanState
    ) -> BasisPlanState:
        """Return a state with the supervisor for what is wanted, and its pace."""
        yaw = float(stance["yaw"][0])
        if self.turns(wanted):
            supervisor, heading = self.learned or TURN, yaw
        else:
            way = round(math.atan2(wanted[1], wanted[0]) / (0.5 * math.pi)) % 4
            heading = yaw if math.isnan(state.heading) else state.heading
            supervisor = WAYS[way]
        state = state._replace(heading=heading)
        if supervisor is not state.supervisor:
            name = seen_state(supervisor, supervisor.first, stance, state.parts)
            state = state._replace(supervisor=supervisor, name=name, left=0)
        if state.left == 0:
            stretch = self.pace(stance, wanted, state)
            state = state._replace(stretch=stretch, left=CYCLE)
        return state._replace(left=state.left - 1)

    def turns(self, wanted: Array) -> bool:
        """Say whether it turns on the spot."""
        return bool(abs(wanted[2]) > self.config.turning)

    def run(
        self,
        told: SupervisorState,
        stance: Records[BasisStance],
        wanted: Array,
        state: BasisPlanState,
    ) -> tuple[Records[BasisStance], Outcome]:
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

    def pace(
        self, stance: Records[BasisStance], wanted: Array, state: BasisPlanState
    ) -> float:
        """Return by how much moves are slower than they could be, >= 1.

        A cycle is gone through beforehand, to see how far it leads and how long it
        takes.
        """
        at, time = stance, 0.0
        for _ in range(CYCLE):
            told = state.supervisor.states[state.name]
            after, outcome = self.run(told, at, wanted, state)
            time += self.lasts(at, after, lifted(told, at, after)) + self.config.rest
            at, state = (
                after,
                state._replace(name=following(state, told, after, outcome)),
            )
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
        far = float(moved) + 0.1 * turned
        lasts = max(lag, math.sqrt(6.0 * far / c.push))  # of a cubic from rest to rest
        if leg:
            way = np.linalg.norm((after["feet"] - before["feet"])[0, leg - 1])
            lasts = max(lasts, c.swing, float(way) / c.quick)
        return lasts

    def carries(
        self,
        leg: int,
        before: Records[BasisStance],
        after: Records[BasisStance],
        parts: BasisParts,
    ) -> bool:
        """Say whether the machine stands on its other legs all along a step."""
        at = LACKED.index(leg)
        least = min(margins(before, parts)[at], margins(after, parts)[at])
        return least > self.config.least

    def mended(
        self, stance: Records[BasisStance], parts: BasisParts
    ) -> tuple[Records[BasisStance], int]:
        """Return a stance from which to go on, and the leg that is set anew for it.

        That is the leg farthest from its best posture of those that can be spared; if
        none can, the trunk goes over the three feet that carry best.
        """
        has = margins(stance, parts)
        off, found = -1.0, (stance, 0)
        for margin, leg in zip(has, LACKED, strict=True):
            if margin <= self.config.least:
                continue
            chain = bind([Instance("phi2", (leg,), leg)])
            after, _ = subject_to(chain, stance, parts)
            way = np.linalg.norm((after["feet"] - stance["feet"])[0, leg - 1])
            if way > off and self.carries(leg, stance, after, parts):
                off, found = float(way), (after, leg)
        if found[1]:
            return found
        best = TRIPODS[int(np.argmax(has))]
        after, _ = subject_to(bind([Instance("phi1", best, "xy")]), stance, parts)
        return after, 0


def following(
    state: BasisPlanState,
    told: SupervisorState,
    after: Records[BasisStance],
    outcome: Outcome,
) -> str:
    """Return the name of the state that follows one."""
    name = told.otherwise if outcome is Outcome.FAILED else told.then
    return name or seen_state(state.supervisor, state.name, after, state.parts)


def seen_state(
    supervisor: Supervisor, usual: str, stance: Records[BasisStance], parts: BasisParts
) -> str:
    """Return the state that the predicates name, the usual one where there is none."""
    if supervisor.states[usual].then:
        return usual
    seen = name_of(predicates(stance, parts))
    return seen if seen in supervisor.states else usual


def lifted(
    told: SupervisorState, before: Records[BasisStance], after: Records[BasisStance]
) -> int:
    """Return the leg that a state lifts, 1 to 4, or that was moved; 0 for none."""
    if told.lifts:
        return told.lifts
    moved = np.abs(after["feet"] - before["feet"])[0].max(axis=1)
    return int(moved.argmax()) + 1 if moved.max() > 0.0 else 0


def standing_legs() -> Records[PlannedLeg]:
    """Return a plan on which all legs stay."""
    legs = PlannedLeg.zeros(4)
    legs["lift"] = legs["land"] = math.inf
    legs["foothold"] = math.nan
    return legs


def planned(
    before: Records[BasisStance],
    after: Records[BasisStance],
    leg: int,
    now: float,
    lasts: float,
    clearance: float,
) -> tuple[Records[PlannedLeg], Records[PlannedTrunk]]:
    """Return a move as support and motion parts take it: from rest to rest.

    Args:
        before: where it begins, (1,).
        after: where it leads, (1,).
        leg: that is carried over, 1 to 4; 0 for none.
        now: when it begins, by the clock [s].
        lasts: how long it takes [s].
        clearance: of the foot [m].
    """
    legs, knots = standing_legs(), PlannedTrunk.zeros(2)
    if leg:
        one = legs[leg - 1]
        one.lift, one.land, one.clearance = now, now + lasts, clearance
        one.foothold[:2] = after["feet"][0, leg - 1, :2]
    for knot, stance, time in zip(knots, (before, after), (0.0, lasts), strict=True):
        knot.time, knot.rpy_WB[2] = now + time, stance["yaw"][0]
        knot.p_WB[:2] = stance["p_WB"][0, :2]
        knot.p_WB[2] = math.nan
    return legs, knots
