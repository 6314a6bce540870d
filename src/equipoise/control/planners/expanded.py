"""The expanded trot: wave by wave, one ahead, the zero moment point on the diagonal.

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
from typing import ClassVar, final

import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import (
    NOTHING_PLANNED,
    PLANNERS,
    AbstractPlanner,
    Estimate,
    SupportRequest,
    WalkingPlan,
    WalkingStance,
)
from equipoise.control.planners.recoil import foot_shares
from equipoise.control.planners.segments import (
    Body,
    Course,
    Segment,
    least_margin,
    rest_segment,
    wave_segment,
)
from equipoise.control.planners.wave import CRAWL, Wave
from equipoise.control.records import PlannedLeg, PlannedTrunk, Travel
from equipoise.core.arrays import Array
from equipoise.core.checks import expect_positive, expect_within
from equipoise.core.constants import GRAVITY
from equipoise.core.records import Records, copied

__all__ = ["ExpandedConfig", "ExpandedPlanner", "ExpandedState"]

STEEP = 0.3  # share of a diagonal along the path below which it lies across
TROT = 0.6
"""Duty factor up to which the trunk does not sway."""
SLOW = 1e-3  # speed below which the path keeps its direction [m/s]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ExpandedConfig:
    """Of the waves; defaults are TITAN IV's at 0.4 m/s.

    Raises:
        ConfigError: a duty factor that is none, or a number that is not positive.
    """

    duty: float = 0.65
    """Share of two waves for which a leg stands."""
    duty_to: float | None = None
    """To which it changes from the first wave on; None for no change."""
    sweep: float = 20.0
    """In which it does so [s]."""
    wave: float = 0.6
    """Duration of a wave [s]."""
    on_two: float = 0.32
    """For which it stands on two feet at most; shorter waves keep to it [s]."""
    lead: float = 0.4
    """In which it gets ready on all feet before the first wave, and comes to rest after
    the last [s]."""
    sway: float = 0.03
    """Of the centre of mass at a switch, to the side of the leg that led, of a crawl at
    0.75; below 0.6 there is none: on all feet for an instant it could not turn [m]."""
    still: float = 0.08
    """The same as it stands still: a trunk that does not pass over the feet by itself
    has to be brought to their side [m]."""
    duty_still: float = 0.7
    """Duty factor as it stands still, at least."""
    steady: float = 0.3
    """Speed from which on both are as they shall be [m/s]."""
    press: float = 0.01
    """How far below the ground feet are aimed [m]."""
    clearance: float = 0.1
    """Of a swinging foot [m]."""
    eased: float = 0.05
    """In which a foot takes its load on [s]."""
    crawl: float = 0.85
    """Duty factor of a wave that goes nowhere, before it gives up."""
    outside: float = 0.03
    """By how much the planned zero moment point may leave three feet's triangle before
    the wave is planned slower, and then as a crawl [m]."""
    hurry: float = 0.9
    """Share of the joints' speeds that feet may take."""

    def __post_init__(self) -> None:
        expect_positive(self, "wave", "on_two", "lead", "sweep", "steady", "hurry")
        lengths = ("sway", "still", "press", "clearance", "eased", "outside")
        expect_positive(self, *lengths, zero=True)
        for name in ("duty", "duty_to", "duty_still", "crawl"):
            if getattr(self, name) is not None:
                expect_within(self, name, 0.5, 0.95)


@final
@dataclass(frozen=True, slots=True, eq=False)
class ExpandedState:
    """What is under way, what comes next, and the plan that says both."""

    plan: WalkingPlan
    now: Segment | None = None
    after: Segment | None = None
    waves: int = 0
    """How many have been planned since it last rested."""
    began: float = 0.0
    """When it last began to walk, on the plan's clock [s]."""
    margin: float = math.nan
    """Least of the planned zero moment point on three feet [m]."""
    is_stuck: bool = False
    """Whether no foothold was found."""


@final
@PLANNERS.register("expanded")
@dataclass(frozen=True)
class ExpandedPlanner(AbstractPlanner[ExpandedState]):
    """Plans waves; its state is the plan."""

    needs: ClassVar[frozenset[str]] = frozenset({"heeded plan", "followed plan"})
    gives: ClassVar[frozenset[str]] = frozenset({"plan"})
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
        now, rests = state.now, state.now is not None and state.now.end == math.inf
        if now is None or (rests and walks and time >= now.course.begin + now.lasts):
            if not walks:
                return WalkingPlan(state.plan.legs, state.plan.trunk, goal), state
            state = self.begun(estimate, goal, time)
        elif time >= now.end and state.after is not None:
            state = self.switched(estimate, goal, walks, state)
        elif asked.clock["replan"][0] > 0.0 and state.after is not None:
            state = self.switched(estimate, goal, walks, state, is_over=False)
        else:
            return WalkingPlan(state.plan.legs, state.plan.trunk, goal), state
        return state.plan, state

    def tell(self, state: ExpandedState) -> dict[str, float]:
        """Return the duty factor and the margin of the wave under way."""
        wave = None if state.now is None else state.now.wave
        return {
            "wave_duty": 1.0 if wave is None else wave.duty,
            "planned_margin": state.margin,
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
        aim = course.shown(np.array([[0.0, -self.sway_at(self.config.duty_still, 0.0)]]))[0]
        ready = rest_segment(
            course, start, np.zeros(2), aim, feet, self.config.lead, is_last=False
        )
        state = ExpandedState(NOTHING_PLANNED, ready, None, 0, time)
        return self.planned(estimate, goal, True, state)

    def switched(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        walks: bool,
        state: ExpandedState,
        *,
        is_over: bool = True,
    ) -> ExpandedState:
        """Go on to the next segment, with feet where they are, and plan one more."""
        if is_over and state.after is not None:
            state = replace(state, now=self.refreshed(estimate, state.after))
        return self.planned(estimate, goal, walks, state)

    def refreshed(self, estimate: Estimate, segment: Segment) -> Segment:
        """Plan the trunk's way anew over the feet as they have come to stand."""
        if segment.wave is None or segment.legs is None or segment.motion is None:
            return segment
        left = segment.course.seen(segment.finish[None])[0, 1]
        return wave_segment(
            segment.course,
            segment.wave,
            body_of(estimate),
            segment.start,
            estimate.footholds[:, :2].copy(),
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
                state = replace(state, after=after, waves=0, is_stuck=False)
        else:
            state = replace(state, after=None)
        return replace(state, plan=self.told(estimate, goal, state))

    def rested(self, now: Segment) -> Segment:
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
        now: Segment,
        state: ExpandedState,
    ) -> ExpandedState:
        """Plan the wave after a segment, slower or as a crawl where it must be."""
        config, body = self.config, body_of(estimate)
        velocity = goal["velocity"][0]
        wanted = math.hypot(velocity[0], velocity[1])
        yaw = now.course.yaw + now.course.turn * (now.end - now.course.begin)
        turn = float(velocity[2])
        heading = now.course.heading + now.course.turn * config.wave
        if wanted > SLOW:
            heading = heading_of(goal, yaw + 0.5 * turn * config.wave, heading)
        v0 = now.course.speeds[1]
        duty = self.duty_at(now.end - state.began, 0.5 * (v0 + wanted))
        wanted = min(wanted, fastest(estimate, duty, config.hurry))
        tries = [(wanted, duty), (0.5 * (v0 + wanted), duty), (v0, duty)]
        margin, wave, is_stuck = -math.inf, None, False
        for speed, share in [*tries, (v0, max(duty, config.crawl))]:
            course = next_course(now, heading, turn, speed)
            wave, is_stuck = self.wave_on(
                estimate, course, self.wave_of(share), body, now, state.waves
            )
            margin = least_margin(wave, body.pace)
            if margin >= -config.outside:
                break
        return replace(
            state, after=wave, waves=state.waves + 1, margin=margin, is_stuck=is_stuck
        )

    def wave_on(
        self,
        estimate: Estimate,
        course: Course,
        wave: Wave,
        body: Body,
        now: Segment,
        number: int,
    ) -> tuple[Segment, bool]:
        """Return a wave on a course, and whether its legs found no foothold."""
        pair = (0, 3) if number % 2 == 0 else (1, 2)
        ahead = course.axes[0]
        yaw = course.yaw + course.turn * 1.5 * wave.duration
        places = turned(body.stand - body.stand.mean(axis=0), yaw)
        lead, across = sorted(pair, key=lambda leg: -float(places[leg] @ ahead))
        line = now.feet[[leg for leg in range(4) if leg not in pair]]
        along = (line[1] - line[0]) @ ahead
        if abs(along) < STEEP * float(np.linalg.norm(line[1] - line[0])):
            wave = Wave(wave.duration, max(wave.duty, self.config.crawl))
        way = 0.5 * sum(course.speeds) * wave.duration
        switch = course.origin + way * ahead
        step = 0.5 * course.speeds[1] * wave.duration * ahead
        landing = switch + places[[lead, across]] + step
        side = math.copysign(1.0, float(body.stand[lead, 1]))
        sway = self.sway_at(wave.duty, course.speeds[1]) * side
        return wave_segment(
            course, wave, body, now.finish, now.feet, (lead, across), landing, sway
        ), False

    def wave_of(self, duty: float) -> Wave:
        """Return a wave of a duty factor, short enough for the time on two feet."""
        share = max(3.0 - 4.0 * duty, 1e-9)
        return Wave(min(self.config.wave, self.config.on_two / share), duty)

    def duty_at(self, walked: float, speed: float) -> float:
        """Return the duty factor after some time of walking, at a speed."""
        config, share = self.config, 0.0
        if config.duty_to is not None:
            share = min(max(walked / config.sweep, 0.0), 1.0)
        asked = (1.0 - share) * config.duty + share * (config.duty_to or 0.0)
        rests = max(1.0 - speed / config.steady, 0.0)
        return asked + rests * max(config.duty_still - asked, 0.0)

    def sway_at(self, duty: float, speed: float) -> float:
        """Return how far the centre of mass is aside at a switch [m]."""
        config = self.config
        rests = max(1.0 - speed / config.steady, 0.0)
        sway = config.sway + rests * max(config.still - config.sway, 0.0)
        share = (duty - TROT) / (CRAWL - TROT)
        return sway * min(max(share, 0.0), 1.0)

    def told(
        self, estimate: Estimate, goal: Records[Travel], state: ExpandedState
    ) -> WalkingPlan:
        """Return the plan of the present segment and the next one."""
        legs, body = PlannedLeg.zeros(4), body_of(estimate)
        legs["lift"] = legs["land"] = math.inf
        legs["foothold"] = math.nan
        legs["clearance"], legs["eased"] = self.config.clearance, self.config.eased
        ground = float(estimate.footholds[:, 2].mean()) - self.config.press
        knots: list[Records[PlannedTrunk]] = []
        for segment in (state.after, state.now):  # what is under way comes last
            if segment is None:
                continue
            knots.insert(0, segment.knots(body))
            for leg in segment.legs or ():
                legs[leg].lift, legs[leg].land = segment.swing(leg)
                legs[leg].foothold[:2] = segment.feet[leg]
                legs[leg].foothold[2] = ground
        return WalkingPlan(legs, np.concatenate(knots), copied(goal))


def body_of(estimate: Estimate) -> Body:
    """Return what a plan has to know of the machine.

    Args:
        estimate: of this tick.
    """
    machine, trunk, legs = estimate.machine, estimate.trunk[0], estimate.legs
    hips = machine.geometry.hips
    up = trunk.height - hips[:, 2].mean() + trunk.p_BC[2]
    tall = up + machine.geometry.foot_radius
    stand, shares = hips[:, :2].copy(), foot_shares(estimate)
    off = (shares * (legs["hip"] + legs["foot"])[:, :2] - shares * stand).sum(axis=0)
    return Body(stand, trunk.p_BC[:2] - off, shares, math.sqrt(GRAVITY / tall))


def next_course(now: Segment, heading: float, turn: float, speed: float) -> Course:
    """Return the course after a segment.

    Args:
        now: the segment.
        heading: of the path in W from there on [rad].
        turn: rate of the trunk's yaw [rad/s].
        speed: where the course ends [m/s].
    """
    course = now.course
    lasts = now.end - course.begin if now.end < math.inf else now.lasts
    way = 0.5 * sum(course.speeds) * lasts if now.wave is not None else 0.0
    origin = course.origin + way * course.axes[0]
    yaw = course.yaw + course.turn * lasts
    speeds = (course.speeds[1], speed)
    return Course(course.begin + lasts, origin, heading, yaw, turn, speeds)


def heading_of(goal: Records[Travel], yaw: float, otherwise: float) -> float:
    """Return where the path goes in W [rad].

    Args:
        goal: of the operator.
        yaw: of the trunk [rad].
        otherwise: for a goal that goes nowhere [rad].
    """
    velocity = goal["velocity"][0]
    if math.hypot(velocity[0], velocity[1]) < SLOW:
        return otherwise
    return yaw + math.atan2(velocity[1], velocity[0])


def fastest(estimate: Estimate, duty: float, share: float) -> float:
    """Return the speed at which swinging feet take a share of the joints' speeds.

    A foot that stands for β goes v β/(1 - β) over the trunk on average as it swings,
    and half as much again at its quickest.

    Args:
        estimate: of this tick, whose Jacobians count.
        duty: factor.
        share: of the joints' speeds.
    """
    machine, nj = estimate.machine, estimate.machine.joints
    limit = np.array([drive.speed for drive in machine.drives]).reshape(-1, nj)
    quickest = math.inf
    for leg, most in zip(estimate.legs, limit, strict=True):
        each = np.abs(np.linalg.pinv(leg.jacobian)[:, 0])
        quickest = min(quickest, float((most / np.maximum(each, 1e-9)).min()))
    return share * quickest * (1.0 - duty) / (1.5 * duty)


def turned(places: Array, yaw: float) -> Array:
    """Return places turned about the vertical, (n, 2).

    Args:
        places: (n, 2) [m].
        yaw: by which [rad].
    """
    c, s = math.cos(yaw), math.sin(yaw)
    return places @ np.array([[c, s], [-s, c]])
