"""TITAN III's crab walk: leg by leg, each step planned during the one before.

Level B of [Ridderstrom2003] section 3.1.1. Each plan starts from where feet are
measured to stand, so that nothing drifts. A foothold that turns out bad is forbidden,
and the leg in the air is given another one. Where no step is found, it tries a little
aside of its heading, stands if that does not help either, and tells so.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple, final

import numpy as np

from equipoise.control.crab.build import crab_body, crab_legs
from equipoise.control.crab.footing import footing_of
from equipoise.control.crab.gait import CrabConfig, path_of
from equipoise.control.crab.search import CrabTry
from equipoise.control.crab.walk import (
    CrabMachine,
    CrabView,
    GoneStep,
    knots,
    paced,
    planned,
    planned_legs,
    replaced,
    yaw_matrix,
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
from equipoise.core.arrays import Array, Vec2
from equipoise.core.records import Records

__all__ = ["CrabPlanner", "CrabState"]

SLOW = 1e-3  # commanded speed below which it stands [m/s]
TURNS = (0.0, math.radians(30.0), math.radians(-30.0))
"""From its heading that are tried where no step is found."""
AGAIN = 0.5  # after which it tries again [s]
WATCHED, LEAST = 7, 1.0  # steps that must come on by so many ways of one
LENT = 0.75  # share of the spare reach that feet are gathered with in a deadlock
GATHERS = 8  # steps by which feet are gathered at most
GATHERED = 0.05  # distance from the middle of its reach at which a foot is gathered [m]


class CrabState(NamedTuple):
    """State of the planner between two ticks."""

    machine: CrabMachine
    plan: WalkingPlan
    """In force."""
    gone: GoneStep | None
    """The step that is being gone; None while it stands."""
    following: GoneStep | None
    """The next one, from the moment on that the leg lifts."""
    looked: bool
    """Whether the next one has been looked for."""
    last: int
    """Leg that stepped last; -1 for none."""
    velocity: Vec2
    """Of the centre of mass where the step began, in W, (2,) [m/s]."""
    yaw: float
    """Heading that is kept, on the map if there is one; nan before the start [rad]."""
    origin: Vec2
    """A point of the path in W, (2,) [m]."""
    ahead: Vec2
    """Its direction in H, (2,)."""
    forbidden: Array
    """Places in W that turned out bad, (n, 2) [m]."""
    again: float
    """When a step is looked for again, in time [s]."""
    marks: tuple[float, ...]
    """How far along the path the last steps led [m]."""
    gathers: int
    """Steps by which feet are gathered that are still to come, at most."""
    begins: bool
    """Whether the usual order of legs begins anew with the next step."""
    wanted: Vec2
    """Direction that is commanded in H, (2,)."""
    made: float
    """Steps that have been planned."""
    failed: float
    """Times that it did not come on and gathered its feet."""
    deadlocks: float
    """Times that none was found."""
    refused: float
    """Footholds that turned out bad."""

    def commanded(self, wanted: Vec2) -> "CrabState":
        """Return a state that is told where to; another direction is watched anew."""
        ahead = wanted / max(float(np.hypot(*wanted)), 1e-9)
        if np.allclose(ahead, self.wanted):
            return self
        return self._replace(wanted=ahead, marks=(), gathers=0, begins=False)


@final
@PLANNERS.register("crab")
@dataclass(frozen=True)
class CrabPlanner(AbstractPlanner[CrabState]):
    """Planner of crab walks, a step whenever the leg before lifts."""

    needs: ClassVar[frozenset[str]] = frozenset({"heeded plan", "followed plan"})
    gives: ClassVar[frozenset[str]] = frozenset({"plan"})
    legs_taken: ClassVar[int] = 4
    config: CrabConfig = field(default_factory=CrabConfig)

    def init(self, machine: LeggedMachine) -> CrabState:
        """Return a state in which it stands."""
        c = self.config
        legs = crab_legs(machine, c.spare, c.clearance)
        zero = np.zeros(2)
        return CrabState(
            machine=CrabMachine(
                legs, crab_body(machine, legs, c.margin), machine.height
            ),
            plan=_standing(),
            gone=None,
            following=None,
            looked=False,
            last=-1,
            velocity=zero,
            yaw=math.nan,
            origin=zero,
            ahead=zero,
            forbidden=np.zeros((0, 2)),
            again=0.0,
            marks=(),
            gathers=0,
            begins=False,
            wanted=zero,
            made=0.0,
            failed=0.0,
            deadlocks=0.0,
            refused=0.0,
        )

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        asked: SupportRequest,
        state: CrabState,
    ) -> tuple[WalkingPlan, CrabState]:
        """Return the plan in force, a new one where it is time for one."""
        now = float(stance.clock["time"][0] + estimate.trunk["dt"][0])
        wanted = goal["velocity"][0][:2]
        wants = bool(goal["walks"][0] > 0.0) and math.hypot(*wanted) > SLOW
        gone, bad = state.gone, np.flatnonzero(asked.legs["banned"] > 0.0)
        if gone is not None and len(bad):
            held = float(stance.clock["time"][0])  # it waits for the leg
            state = self.replaced(estimate, int(bad[0]), held, state)
        elif gone is None:
            if wants and float(estimate.trunk["time"][0]) >= state.again:
                state = self.begun(estimate, wanted, now, state)
        elif now >= gone.times.lift and not state.looked:
            state = self.looked_ahead(estimate, wanted if wants else None, state)
        elif now >= gone.times.land and stance.legs["stands"][gone.leg] > 0.0:
            state = self.gone_on(state)
        plan = state.plan
        return WalkingPlan(plan.legs, plan.trunk, goal), state

    def tell(self, state: CrabState) -> Mapping[str, float]:
        """Return how many steps were planned, led nowhere, were not found, or moved."""
        return {
            "plan_made": state.made,
            "plan_failed": state.failed,
            "plan_deadlocks": state.deadlocks,
            "footholds_refused": state.refused,
        }

    def begun(
        self, estimate: Estimate, wanted: Vec2, now: float, state: CrabState
    ) -> CrabState:
        """Return a state with the first step planned, from rest."""
        if math.isnan(state.yaw):
            R = estimate.R_WB
            own = math.atan2(R[1, 0], R[0, 0])
            state = state._replace(yaw=own - float(estimate.ground.frame["turn"][0]))
        stand = self.measured(estimate, None, state)
        gone, view, state = self.found(estimate, stand, wanted, now, state)
        if gone is None:
            again = float(estimate.trunk["time"][0]) + AGAIN
            return state._replace(deadlocks=state.deadlocks + 1.0, again=again)
        gone = paced(state.machine, [gone], np.zeros(2), self.config)
        state = state._replace(gone=gone, velocity=np.zeros(2), looked=False)
        return self.with_plan(watched(gone, view, state), rests=False)

    def looked_ahead(
        self, estimate: Estimate, wanted: Vec2 | None, state: CrabState
    ) -> CrabState:
        """Return a state with the next step planned, or the present one as the last."""
        gone, state = state.gone, state._replace(looked=True)
        if gone is None or wanted is None:
            return self.with_plan(state, rests=True)
        stand, began = self.measured(estimate, gone, state), gone.times.land
        following, view, state = self.found(estimate, stand, wanted, began, state)
        if following is None:
            deadlocks = state.deadlocks + 1.0
            return self.with_plan(state._replace(deadlocks=deadlocks), rests=True)
        steps = [gone, following]
        following = paced(state.machine, steps, state.velocity, self.config)
        state = state._replace(following=following)
        return self.with_plan(watched(following, view, state), rests=False)

    def found(
        self,
        estimate: Estimate,
        stand: Records[CrabTry],
        wanted: Vec2,
        began: float,
        state: CrabState,
    ) -> tuple[GoneStep | None, CrabView, CrabState]:
        """Return a step along the heading, aside of it, or that gathers feet; or None.

        Args:
            estimate: of where it is.
            stand: that the step leaves, (1,).
            wanted: velocity in H, (2,) [m/s].
            began: when the step begins [s].
            state: so far.
        """
        state = state.commanded(wanted)
        if state.begins:
            stand[0].leg, state = -1, state._replace(begins=False)
        for turn in () if state.gathers else TURNS:
            view, state = self.view(estimate, stand, yaw_matrix(turn) @ wanted, state)
            gone = planned(state.machine, view, self.config, began)
            if gone is not None:
                return gone, view, state
        view, state = self.view(estimate, stand, wanted, state)
        return self.gathered(view, began, state)

    def gathered(
        self, view: CrabView, began: float, state: CrabState
    ) -> tuple[GoneStep | None, CrabView, CrabState]:
        """Return a step that brings a foot under the trunk; None where none can.

        Legs may use most of the reach that is spared otherwise: feet that stand
        farther apart than planned can leave the trunk no place at all.

        Args:
            view: of a step ahead.
            began: when the step begins [s].
            state: so far.
        """
        path, spare = view.path.copy(), LENT * self.config.spare
        path[0].way = 0.0
        path[0].gathers = path[0].soon = 1.0
        view, machine = replace(view, path=path), state.machine.stretched(spare)
        gone = planned(machine, view, self.config, began)
        if gone is None:
            return None, view, state._replace(gathers=0)
        end = gone.step[0]
        feet = end.feet - machine.trunk(end.feet, end.lands)
        far = np.hypot(*(feet - machine.legs["middle"]).T).max()
        left = 0 if far < GATHERED else (state.gathers or GATHERS) - 1
        return gone, view, state._replace(gathers=left, begins=left == 0, marks=())

    def gone_on(self, state: CrabState) -> CrabState:
        """Return a state in which the next step is gone, or none."""
        gone, following = state.gone, state.following
        last = -1 if gone is None else gone.leg
        state = state._replace(gone=following, following=None, looked=False, last=last)
        if following is None:
            return state._replace(plan=_standing())
        at = state.plan.trunk["time"].searchsorted(following.times.began - 1e-9)
        speed = state.plan.trunk["v_WB"][at, :2]
        turn, body = (
            yaw_matrix(following.yaw),
            state.machine.stood(following.start[0].feet),
        )
        velocity = turn @ np.linalg.solve(body[0].back, turn.T @ speed)
        return self.with_plan(state._replace(velocity=velocity), rests=False)

    def replaced(
        self, estimate: Estimate, leg: int, now: float, state: CrabState
    ) -> CrabState:
        """Return a state in which a foothold is forbidden and another one aimed at."""
        gone, foot = state.gone, estimate.legs[leg]
        at = (estimate.p_WB + estimate.R_WB @ (foot.hip + foot.foot))[:2]
        bad, before = estimate.footholds[leg, :2], estimate.footholds[leg, :2]
        if gone is not None and gone.leg == leg and now >= gone.times.lift:
            bad = gone.foothold
        state = state._replace(forbidden=np.vstack([state.forbidden, bad]))
        stand = self.measured(estimate, None, state)
        back = yaw_matrix(-self.heading(estimate, state))
        stand[0].feet[leg] = back @ at
        own = back @ estimate.p_WB[:2]
        stand[0].lands[:] = state.machine.centre(stand[0].feet, own)
        view, state = self.view(estimate, stand, state.ahead, state)
        wishes = back @ bad, back @ before
        again = replaced(state.machine, view, leg, wishes, self.config, now)
        state = state._replace(
            gone=again, following=None, looked=False, velocity=np.zeros(2)
        )
        return self.with_plan(state._replace(refused=state.refused + 1.0), rests=True)

    def with_plan(self, state: CrabState, *, rests: bool) -> CrabState:
        """Return a state whose plan tells of its steps."""
        steps = [one for one in (state.gone, state.following) if one is not None]
        legs = planned_legs(steps)
        trunk = knots(state.machine, steps, state.velocity, rests=rests)
        return state._replace(plan=WalkingPlan(legs, trunk, state.plan.travel))

    def measured(
        self, estimate: Estimate, gone: GoneStep | None, state: CrabState
    ) -> Records[CrabTry]:
        """Return where it stands, or will after a step, in H, (1,)."""
        stand, yaw = CrabTry.zeros(), self.heading(estimate, state)
        back = yaw_matrix(-yaw)
        one = stand[0]
        one.feet[:], one.leg = estimate.footholds[:, :2] @ back.T, state.last
        if gone is not None:
            turn = back @ yaw_matrix(gone.yaw)
            one.feet[gone.leg] = turn @ gone.step[0].feet[gone.leg]
            one.lands[:], one.leg = turn @ gone.step[0].lands, gone.leg
        else:
            one.lands[:] = state.machine.centre(one.feet, back @ estimate.p_WB[:2])
        return stand

    def view(
        self,
        estimate: Estimate,
        stand: Records[CrabTry],
        wanted: Vec2,
        state: CrabState,
    ) -> tuple[CrabView, CrabState]:
        """Return what a step is planned by; a new heading begins a new path."""
        yaw, speed = self.heading(estimate, state), float(np.hypot(*wanted))
        ahead = wanted / max(speed, 1e-9)
        if not np.allclose(ahead, state.ahead):
            origin = yaw_matrix(yaw) @ stand[0].lands
            state = state._replace(ahead=ahead, origin=origin)
        path = path_of(
            self.config,
            state.machine.legs,
            ahead,
            yaw_matrix(-yaw) @ state.origin,
            speed,
        )
        ground = footing_of(
            estimate.ground, yaw, state.forbidden, self.config.forbids, self.config.cell
        )
        is_first = state.gone is None
        return CrabView(yaw, stand, path, speed, ground, is_first), state

    def heading(self, estimate: Estimate, state: CrabState) -> float:
        """Return the heading that is kept, in W [rad]."""
        return state.yaw + float(estimate.ground.frame["turn"][0])


def watched(gone: GoneStep, view: CrabView, state: CrabState) -> CrabState:
    """Return a state that knows how far steps led, and gathers feet if nowhere.

    Leg and foothold can be chosen for ever without getting on; from feet under the
    trunk the usual order can begin anew.

    Args:
        gone: the step that was planned.
        view: by which it was.
        state: so far.
    """
    path, state = view.path[0], state._replace(made=state.made + 1.0)
    if path.gathers:
        return state
    at = float(state.wanted @ gone.step[0].lands)
    marks = (*state.marks, at)[-WATCHED:]
    state = state._replace(marks=marks)
    if len(marks) < WATCHED or marks[-1] - marks[0] > LEAST * path.way:
        return state
    return state._replace(marks=(), gathers=GATHERS, failed=state.failed + 1.0)


def _standing() -> WalkingPlan:
    """Return a plan on which all legs stay and the trunk is not told where to be."""
    return WalkingPlan(planned_legs([]), PlannedTrunk.zeros(0), Travel.zeros())
