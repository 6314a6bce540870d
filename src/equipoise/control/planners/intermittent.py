"""TITAN VI's intermittent trot on two virtual legs, planned one step ahead.

Legs on a diagonal step together and are one virtual leg, [Ridderstrom2003] section
3.1.4. A step lasts from one pair's lift-off to the other's: for 2 (1 - β) of it two
feet stand, then all four. Footholds lie on the commanded path where it will be half way
through the time on them alone; laid out by the velocity over the swing alone, as the
text has it, the mean speed would be too low. Trunk motion is that of ``trunk_step``.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, NamedTuple, final

import numpy as np

from equipoise.control.gaits.footprint import balanced_footprint
from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import PLANNERS, AbstractPlanner
from equipoise.control.planners.trunk_step import PlannedStep, StepLine, planned_step
from equipoise.control.records import PlannedLeg, PlannedTrunk, Travel
from equipoise.control.signals import (
    Estimate,
    SupportRequest,
    WalkingPlan,
    WalkingStance,
)
from equipoise.core.arrays import Array, Ints, VecN
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings

__all__ = ["IntermittentConfig", "IntermittentPlanner"]

PAIRS = (np.array([0, 3]), np.array([1, 2]))
"""Left front with right rear, right front with left rear."""
MOST_HURRY = 0.25  # share of the speed by which lost time is made up for
PIECES = 4  # of the way over two feet between knots, each half


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class IntermittentConfig(Settings):
    """Settings of the intermittent trot; defaults are TITAN VI's on level ground."""

    step: Annotated[
        float,
        Setting("Time from one pair's lift-off to the other pair's", "s", above=0.0),
    ] = 0.35
    duty: Annotated[
        float,
        Setting(
            "Share of a cycle of two steps during which a leg stands",
            least=0.5,
            most=0.85,
        ),
    ] = 0.55
    clearance: Annotated[
        float,
        Setting(
            "Height of swinging feet over the line between their footholds",
            "m",
            above=0.0,
        ),
    ] = 0.12
    feedback: Annotated[
        float,
        Setting(
            "Share of the measured deviation from the plan that a new step starts from",
            least=0.0,
            most=1.0,
        ),
    ] = 0.0

    @property
    def swing(self) -> float:
        """Time on two feet [s]."""
        return 2.0 * (1.0 - self.duty) * self.step


class IntermittentState(NamedTuple):
    """State of the planner between ticks."""

    feet: Array
    """Where feet stand about the centre of mass, (nl, 2) [m]."""
    plan: WalkingPlan
    """In force."""
    step: PlannedStep | None
    """Its trunk motion; None while it stands."""
    began: float
    """When it did, by the clock [s]."""
    pair: int
    """Which pair steps next."""
    path: VecN
    """Commanded place and heading at the end of the step, (3,) [m, m, rad]."""
    centre: VecN
    """Centre of mass in B as it stood, (2,) [m]."""
    planned_at: float
    """When the plan was made, in time, which the clock may be behind [s]."""
    made: float
    """How many plans have been made."""


@final
@PLANNERS.register("intermittent")
@dataclass(frozen=True)
class IntermittentPlanner(AbstractPlanner[IntermittentState]):
    """Planner of an intermittent trot, a step at a time."""

    needs: ClassVar[frozenset[str]] = frozenset({"heeded plan", "followed plan"})
    gives: ClassVar[frozenset[str]] = frozenset({"plan"})
    legs_taken: ClassVar[int] = 4
    config: IntermittentConfig = field(default_factory=IntermittentConfig)

    def init(self, machine: LeggedMachine) -> IntermittentState:
        """Return a state in which it stands."""
        own = balanced_footprint(machine.geometry, machine.height)
        return IntermittentState(
            feet=own.feet - own.centre,
            plan=_standing(machine.legs),
            step=None,
            began=0.0,
            pair=0,
            path=np.zeros(3),
            centre=np.zeros(2),
            planned_at=0.0,
            made=0.0,
        )

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        asked: SupportRequest,
        state: IntermittentState,
    ) -> tuple[WalkingPlan, IntermittentState]:
        """Return the plan in force, a new one where a step is over."""
        now = float(stance.clock["time"][0] + estimate.trunk["dt"][0])
        walks = bool(goal["walks"][0] > 0.0)
        if state.step is None:
            if walks:
                state = self.begin(estimate, goal, now, state)
        elif now >= state.began + state.step.lasts - 1e-9:
            if walks:
                state = self.go_on(estimate, goal, state)
            else:
                state = state._replace(plan=_standing(len(state.feet)), step=None)
        plan = state.plan
        return WalkingPlan(plan.legs, plan.trunk, goal), state

    def tell(self, state: IntermittentState) -> Mapping[str, float]:
        """Return how many plans have been made."""
        return {"plan_made": state.made}

    def begin(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        now: float,
        state: IntermittentState,
    ) -> IntermittentState:
        """Return a state with the first step planned, from rest."""
        centre = estimate.trunk["p_BC"][0][:2].copy()
        R = estimate.R_WB
        yaw = math.atan2(R[1, 0], R[0, 0])
        place = estimate.p_WB[:2] + _turned(yaw) @ centre
        state = state._replace(centre=centre, path=np.array([*place, yaw]), began=now)
        wanted = goal["velocity"][0]
        return self.planned(estimate, wanted, place, np.zeros(2), state)

    def go_on(
        self, estimate: Estimate, goal: Records[Travel], state: IntermittentState
    ) -> IntermittentState:
        """Return a state with the next step planned, from where the last one ends.

        Time that a step waited for late feet is made up for in the next one.
        """
        step, share = state.step, self.config.feedback
        if step is None:
            return state
        place, velocity = step.at(step.lasts)
        R = estimate.R_WB
        yaw = math.atan2(R[1, 0], R[0, 0])
        off = estimate.p_WB[:2] + _turned(yaw) @ state.centre - place
        faster = estimate.v_WB[:2] - velocity
        waited = float(estimate.trunk["time"][0]) - state.planned_at - step.lasts
        hurry = 1.0 + min(max(waited / step.lasts, 0.0), MOST_HURRY)
        state = state._replace(began=state.began + step.lasts)
        return self.planned(
            estimate,
            hurry * goal["velocity"][0],
            place + share * off,
            velocity + share * faster,
            state,
        )

    def planned(
        self,
        estimate: Estimate,
        wanted: VecN,
        place: VecN,
        velocity: VecN,
        state: IntermittentState,
    ) -> IntermittentState:
        """Return a state with a step planned from a place and velocity on."""
        c = self.config
        swings, stands = PAIRS[state.pair], PAIRS[1 - state.pair]
        ahead = on_path(state.path, wanted, c.step + 0.5 * c.swing)
        lands = ahead[:2] + state.feet[swings] @ _turned(ahead[2]).T
        line = line_between(estimate.footholds[stands, :2])
        heading = _turned(state.path[2]) @ wanted[:2]
        height = float(estimate.trunk["height"][0])
        step = planned_step(
            line, line_between(lands), place, velocity, heading, c.swing, c.step, height
        )
        plan = WalkingPlan(
            self.legs(len(state.feet), swings, lands, state.began),
            _knots(step, state, wanted[2]),
            state.plan.travel,
        )
        return state._replace(
            plan=plan,
            step=step,
            pair=1 - state.pair,
            path=on_path(state.path, wanted, c.step),
            planned_at=float(estimate.trunk["time"][0]),
            made=state.made + 1.0,
        )

    def legs(
        self, count: int, swings: Ints, lands: Array, began: float
    ) -> Records[PlannedLeg]:
        """Return what legs do: those that swing now, and when the others will."""
        c, legs = self.config, PlannedLeg.zeros(count)
        legs["foothold"], legs["clearance"] = math.nan, c.clearance
        legs["lift"], legs["land"] = began + c.step, began + c.step + c.swing
        legs["eased"] = c.step - c.swing
        legs["lift"][swings], legs["land"][swings] = began, began + c.swing
        legs["foothold"][swings, :2] = lands
        return legs


def _standing(legs: int) -> WalkingPlan:
    """Return a plan on which all legs stay and the trunk is not told where to be."""
    planned = PlannedLeg.zeros(legs)
    planned["lift"] = planned["land"] = math.inf
    planned["foothold"] = math.nan
    return WalkingPlan(planned, PlannedTrunk.zeros(0), Travel.zeros())


def _turned(yaw: float) -> Array:
    """Return the rotation about the vertical, (2, 2)."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s], [s, c]])


def on_path(path: VecN, wanted: VecN, time: float) -> VecN:
    """Return place and heading after a time at the wanted velocities, (3,).

    Args:
        path: place and heading now, (3,).
        wanted: forward, left and turn, (3,).
        time: [s].
    """
    yaw = path[2] + time * wanted[2]
    way = _turned(0.5 * (path[2] + yaw)) @ wanted[:2] * time
    return np.array([path[0] + way[0], path[1] + way[1], yaw])


def line_between(feet: Array) -> StepLine:
    """Return the line between two feet, (2, 2)."""
    x, y = feet[0] - feet[1]
    return StepLine(feet.mean(axis=0), math.atan2(y, x))


def _knots(
    step: PlannedStep, state: IntermittentState, turn: float
) -> Records[PlannedTrunk]:
    """Return the trunk's way over a step; where its velocity jumps there are two."""
    half = 0.5 * step.swing
    times = [
        *np.linspace(0.0, half, PIECES + 1),
        *np.linspace(half, step.swing, PIECES + 1),
        step.swing,
        step.lasts,
    ]
    out = PlannedTrunk.zeros(len(times))
    out["p_WB"][:, 2] = math.nan
    for k, time in enumerate(times):
        is_before = k + 1 < len(times) and times[k + 1] == time
        place, velocity = step.at(time, is_before=is_before)
        yaw = state.path[2] + time * turn
        out[k].time, out[k].yaw_rate = state.began + time, turn
        out[k].p_WB[:2] = place - _turned(yaw) @ state.centre
        out[k].v_WB[:2], out[k].rpy_WB[2] = velocity, yaw
    return out
