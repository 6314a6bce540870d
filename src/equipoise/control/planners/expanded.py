"""Expanded trot, planned one wave ahead, with its zero moment point on the diagonal.

From [Ridderstrom2003] section 3.1.2. Once a wave, as all four feet stand, the next but
one is planned: which legs swing, where they land and how the trunk passes over the feet
that stay (``planners.wave``). Footholds are where feet belong under the centre of mass
at the next switch, ahead by a quarter of what it goes in a cycle, so that at every
switch it is over the middle of the feet. A duty factor of 0.5 is a trot, from 0.75 on
it is a crawl; in between nothing but the duty factor changes.

Where no foothold is allowed the legs are put back where they stood by a wave at the
crawl's duty factor, and the machine rests on all feet. It rests as well when it is told
to stop, between two waves.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import PLANNERS, AbstractPlanner
from equipoise.control.planners.body import (
    PlannedMachine,
    body_of,
    fastest,
    rotated_by_yaw,
)
from equipoise.control.planners.footholds import (
    allowed_near,
    leading,
    seen_feet,
    standing,
)
from equipoise.control.planners.pacing import ExpandedConfig
from equipoise.control.planners.segments import (
    Course,
    PlanSegment,
    heading_of,
    next_course,
    rest_segment,
    segment_margin,
    wave_segment,
)
from equipoise.control.planners.wave import Wave
from equipoise.control.records import PlannedLeg, Travel
from equipoise.control.signals import (
    NOTHING_PLANNED,
    Estimate,
    SupportRequest,
    WalkingPlan,
    WalkingStance,
)
from equipoise.core.arrays import Array
from equipoise.core.records import Records, copied

__all__ = ["ExpandedPlanner", "ExpandedState"]

LEGS = 4
STEEP = 0.3  # share of a diagonal along the path below which it lies across


@final
@dataclass(frozen=True, slots=True, eq=False)
class ExpandedState:
    """Waves under way and to come, and their plan."""

    plan: WalkingPlan
    now: PlanSegment | None = None
    after: PlanSegment | None = None
    waves: int = 0
    """How many have been planned since it last rested."""
    began: float = 0.0
    """When it last began to walk, on the plan's clock [s]."""
    margin: float = math.nan
    """Least of the planned zero moment point on three feet [m]."""
    switched: float = math.nan
    """When the segment under way began, by the readings' clock [s]."""
    lost: float = 0.0
    """Share of the last wave for which it waited for late feet."""
    is_stuck: bool = False
    """Whether no foothold was found: it stays where it is until it is told to stop."""


@final
@PLANNERS.register("expanded")
@dataclass(frozen=True)
class ExpandedPlanner(AbstractPlanner[ExpandedState]):
    """Planner of the waves of an expanded trot."""

    needs: ClassVar[frozenset[str]] = frozenset({"heeded plan", "followed plan"})
    gives: ClassVar[frozenset[str]] = frozenset({"plan"})
    legs_taken: ClassVar[int] = 4
    config: ExpandedConfig = field(default_factory=ExpandedConfig)

    def init(self, machine: LeggedMachine) -> ExpandedState:
        """Return a state in which nothing is planned."""
        return ExpandedState(NOTHING_PLANNED)

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        asked: SupportRequest,
        state: ExpandedState,
    ) -> tuple[WalkingPlan, ExpandedState]:
        """Return the plan in force; a new one where a segment is over."""
        time = float(stance.clock["time"][0])
        walks = bool(goal["walks"][0] > 0.0) and not asked.clock["stop"][0] > 0.0
        now = state.now
        if state.is_stuck and not walks:
            state = replace(state, is_stuck=False)
        rests = now is None or (now.end == math.inf and time >= now.rests_from)
        if rests and walks and not state.is_stuck:
            state = self.begun(estimate, goal, time)
        elif now is not None and time >= now.end and state.after is not None:
            feet = seen_feet(estimate, stance, state.after)
            state = _late_by(
                replace(state, now=self.refreshed(estimate, feet, state.after)),
                now,
                float(estimate.trunk["time"][0]),
            )
            state = self.planned(estimate, goal, walks, state)
        elif asked.clock["replan"][0] > 0.0 and state.after is not None:
            undone = state.waves - (state.after.wave is not None)
            state = replace(state, waves=undone, is_stuck=False)
            state = self.planned(estimate, goal, walks, state)
        travel = _granted(goal, state.now, time)
        return WalkingPlan(state.plan.legs, state.plan.trunk, travel), state

    def tell(self, state: ExpandedState) -> dict[str, float]:
        """Return duty factor and margin of the wave under way, and how many there are.

        They are counted anew after each rest; it is stuck where it finds no foothold.
        """
        wave = None if state.now is None else state.now.wave
        return {
            "wave_duty": 1.0 if wave is None else wave.duty,
            "planned_margin": state.margin,
            "plan_made": float(state.waves),
            "plan_deadlocks": float(state.is_stuck),
        }

    def begun(
        self, estimate: Estimate, goal: Records[Travel], time: float
    ) -> ExpandedState:
        """Get ready on all feet, and plan the first wave."""
        body = body_of(estimate)
        feet = estimate.footholds[:, :2].copy()
        R = estimate.R_WB
        yaw = math.atan2(R[1, 0], R[0, 0])
        c, s = math.cos(yaw), math.sin(yaw)
        x, y = estimate.trunk["p_BC"][0, :2]
        start = estimate.p_WB[:2] + np.array([c * x - s * y, s * x + c * y])
        middle = feet.mean(axis=0)
        course = Course(time, middle, heading_of(goal, yaw, yaw), yaw, 0.0, (0.0, 0.0))
        lead = leading(course, body, 0, 0.0)[0]
        sway = self.sway_of(course, body, lead, self.config.duty_still)
        aim = course.shown(np.array([[0.0, -sway]]))[0]
        ready = rest_segment(
            course, start, np.zeros(2), aim, feet, self.config.lead, is_last=False
        )
        state = ExpandedState(NOTHING_PLANNED, ready, None, 0, time)
        return self.planned(estimate, goal, True, state)

    def refreshed(
        self, estimate: Estimate, feet: Array, segment: PlanSegment
    ) -> PlanSegment:
        """Plan the trunk's way anew over the feet as they have come to stand."""
        if segment.wave is None or segment.legs is None or segment.motion is None:
            return segment
        left = segment.course.seen(segment.finish[None])[0, 1]
        return wave_segment(
            segment.course,
            segment.wave,
            body_of(estimate),
            segment.start,
            feet,
            segment.legs,
            segment.feet[list(segment.legs)],
            float(left),
        )

    def planned(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        walks: bool,
        state: ExpandedState,
    ) -> ExpandedState:
        """Plan what follows the present segment, if anything does; say both."""
        now = state.now
        if now is not None and now.end < math.inf:
            if walks and not state.is_stuck:
                state = self.waved(estimate, goal, now, state)
            else:
                after = self.rested(now)
                state = replace(state, after=after, waves=0)
        else:
            state = replace(state, after=None)
        return replace(state, plan=self.walking_plan(estimate, goal, state))

    def rested(self, now: PlanSegment) -> PlanSegment:
        """Return a rest without end after a segment, over the middle of the feet."""
        course, lasts = next_course(now, now.course.heading, 0.0, 0.0), self.config.lead
        goes = np.zeros(2)
        if now.motion is not None and now.wave is not None:
            last = now.motion.at(np.array([now.wave.duration])).velocity[0]
            goes = last @ now.course.axes
        middle = now.feet.mean(axis=0)
        return rest_segment(
            course, now.finish, goes, middle, now.feet, lasts, is_last=True
        )

    def waved(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        now: PlanSegment,
        state: ExpandedState,
    ) -> ExpandedState:
        """Plan the wave after a segment, slower or as a crawl where it must be."""
        config, body = self.config, body_of(estimate)
        velocity = goal["velocity"][0]
        wanted, turn = math.hypot(velocity[0], velocity[1]), float(velocity[2])
        yaw = now.course.yaw + now.course.turn * (now.end - now.course.begin)
        heading = heading_of(
            goal,
            yaw + 0.5 * turn * config.wave,
            now.course.heading + now.course.turn * config.wave,
        )
        v0 = now.course.speeds[1]
        duty = config.duty_at(now.end - state.began, 0.5 * (v0 + wanted))
        wanted *= 1.0 + min(state.lost, config.makes_up)
        wanted = min(wanted, fastest(estimate, duty, config.hurry))
        tries = [(wanted, duty), (0.5 * (v0 + wanted), duty), (v0, duty)]
        wave, margin = None, -math.inf
        for speed, share in [*tries, (v0, max(duty, config.crawl))]:
            course = next_course(now, heading, turn, speed)
            pace = config.wave_of(share)
            wave = self.wave_on(estimate, course, pace, body, now, state.waves)
            if wave is None:
                break
            margin = segment_margin(wave, body.pace)
            if margin >= -config.outside:
                break
        is_stuck = wave is None
        if wave is None:
            course = next_course(now, heading, 0.0, 0.0)
            wave = self.put_back(course, body, now, state.waves)
        return replace(
            state, after=wave, waves=state.waves + 1, margin=margin, is_stuck=is_stuck
        )

    def wave_on(
        self,
        estimate: Estimate,
        course: Course,
        wave: Wave,
        body: PlannedMachine,
        now: PlanSegment,
        number: int,
    ) -> PlanSegment | None:
        """Return a wave on a course; None where its legs find no foothold."""
        lasts, ahead = wave.duration, course.axes[0]
        legs = leading(course, body, number, lasts)
        line = np.diff(now.feet[[leg for leg in range(4) if leg not in legs]], axis=0)
        if abs(line[0] @ ahead) < STEEP * float(np.linalg.norm(line)):
            wave = Wave(lasts, max(wave.duty, self.config.crawl))
        way = 0.5 * sum(course.speeds) * lasts + 0.5 * course.speeds[1] * lasts
        places = standing(course, body, lasts) + course.origin + way * ahead
        reach = self.config.search
        found = [allowed_near(estimate.ground, places[leg], reach) for leg in legs]
        landing = [place for place in found if place is not None]
        if len(landing) < len(legs):
            return None
        sway = self.sway_of(course, body, legs[0], wave.duty)
        return wave_segment(
            course, wave, body, now.finish, now.feet, legs, np.array(landing), sway
        )

    def put_back(
        self, course: Course, body: PlannedMachine, now: PlanSegment, number: int
    ) -> PlanSegment:
        """Return a wave that comes to rest and puts its feet back where they were."""
        wave = self.config.wave_of(self.config.crawl)
        legs = leading(course, body, number, wave.duration)
        back = now.feet[list(legs)]
        return wave_segment(course, wave, body, now.finish, now.feet, legs, back, 0.0)

    def sway_of(
        self, course: Course, body: PlannedMachine, lead: int, duty: float
    ) -> float:
        """Return how far left of the path the centre of mass is when a wave ends."""
        side = rotated_by_yaw(body.stand, course.yaw)[lead] @ course.axes[1]
        size = self.config.sway_at(duty, course.speeds[1])
        return math.copysign(size, float(side))

    def walking_plan(
        self, estimate: Estimate, goal: Records[Travel], state: ExpandedState
    ) -> WalkingPlan:
        """Return the plan of the present segment and the next one."""
        legs, body = PlannedLeg.zeros(LEGS), body_of(estimate)
        legs["lift"] = legs["land"] = math.inf
        legs["foothold"] = math.nan
        legs["clearance"], legs["eased"] = self.config.clearance, self.config.eased
        ground = float(estimate.footholds[:, 2].mean()) - self.config.press
        knots: list[Any] = []
        for segment in (state.after, state.now):  # what is under way comes last
            if segment is None:
                continue
            is_now = segment is state.now
            knots.insert(0, segment.knots(body))
            for leg in segment.legs or ():
                legs[leg].lift, legs[leg].land = segment.swing(leg)
                goes_to = segment.feet if is_now else segment.before  # it may be late
                legs[leg].foothold[:2], legs[leg].foothold[2] = goes_to[leg], ground
        trunk: Any = np.concatenate(knots)
        return WalkingPlan(legs, trunk, copied(goal))


def _granted(
    goal: Records[Travel], now: PlanSegment | None, time: float
) -> Records[Travel]:
    """Return the goal with the velocity that the plan has by now.

    Args:
        goal: of the operator.
        now: the segment under way; None before the first.
        time: on the plan's clock [s].
    """
    travel = copied(goal)
    course = None if now is None or now.wave is None else now.course
    if now is None or course is None:
        travel["velocity"] = 0.0
        return travel
    since = min(max(time - course.begin, 0.0), now.end - course.begin)
    v0, v1 = course.speeds
    speed = v0 + (v1 - v0) * since / (now.end - course.begin)
    crab = course.heading - course.yaw - course.turn * since
    travel["velocity"][0] = speed * math.cos(crab), speed * math.sin(crab), course.turn
    return travel


def _late_by(state: ExpandedState, over: PlanSegment, time: float) -> ExpandedState:
    """Return the state with what a segment that is over waited for late feet.

    Args:
        state: after it.
        over: the segment.
        time: of the readings [s].
    """
    lasted, planned = time - state.switched, over.end - over.course.begin
    lost = max(lasted / planned - 1.0, 0.0) if over.wave is not None else 0.0
    return replace(state, switched=time, lost=lost if math.isfinite(lost) else 0.0)
