"""Legs step by Cruse's rules, without a prescribed gait.

A leg lifts once its foot has gone back beyond its posterior extreme position, which its
neighbours shift (``control.cruse.rules``), and stands once it feels the ground late in
its swing; two units keep what it does (``control.walknet.selector``). Strides have one
length and swings one duration, so the faster the machine is told to go, the less time
legs stand: the gait follows from the speed. What a leg decides by is its own foot and
what its neighbours tell, [Ridderstrom2003] section 3.4.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple, final

from equipoise.control.cruse.footholds import follow_leader, leg_before, step_back
from equipoise.control.cruse.rules import (
    CruseRules,
    RuleLeg,
    is_needed,
    shift_of,
)
from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import SUPPORTS, AbstractSupport
from equipoise.control.records import (
    ClockRequest,
    GaitClock,
    LegAim,
    LegEstimate,
    LegStance,
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
from equipoise.control.walknet.selector import SelectorUnits, select
from equipoise.core.arrays import Ints
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, pooled_empty_like, record_of
from equipoise.core.setting import Setting

__all__ = ["CruseConfig", "CruseSupport"]

AT_ONCE = 0.05  # where a foot is ahead of as it stands, in strides
WAIT = 0.15  # of one leg after the other, in strides


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CruseConfig(LandingConfig):
    """Settings of stepping by Cruse's rules; the defaults are the TUM hexapod's."""

    stride: Annotated[
        float,
        Setting(
            "Stroke of a standing foot from one extreme position to the other",
            "m",
            above=0.0,
        ),
    ] = 0.14
    swing: Annotated[float, Setting("Duration of a swing", "s", above=0.0)] = 0.4
    touch: Touch = 8.0
    near: Near = 0.06
    patience: Patience = 0.05
    slowest: Annotated[
        float, Setting("Speed below which no leg lifts", "m/s", above=0.0)
    ] = 0.02
    rules: CruseRules = field(default_factory=CruseRules)


class CruseState(NamedTuple):
    """Signals between legs at the last tick, and the legs that stood."""

    told: Records[RuleLeg]
    """(nl,)."""
    units: Records[SelectorUnits]
    """Of each leg's selector, (nl,)."""
    stance: WalkingStance


@final
@SUPPORTS.register("cruse")
@dataclass(frozen=True)
class CruseSupport(AbstractSupport[CruseState]):
    """Support by Cruse's rules, in which each leg decides for itself."""

    limps: ClassVar[bool] = True
    config: CruseConfig = field(default_factory=CruseConfig)
    _run = cached_dispatch(lambda: _run_on)
    _decide = cached_dispatch(lambda: decide)

    @cached_property
    def rules(self) -> Records[CruseRules]:
        """Its rules as the kernel takes them, (1,)."""
        return record_of(self.config.rules)

    def init(self, machine: LeggedMachine) -> CruseState:
        """Return a state in which all legs stand and have stood for long."""
        whole = machine.legs + len(machine.lost)
        told, legs = RuleLeg.zeros(whole), LegStance.zeros(machine.legs)
        told["since"], told["load"] = math.inf, math.nan
        told["there"][machine.places] = 1.0
        legs["scheduled"] = legs["stands"] = 1.0
        legs["goal"], clock = math.nan, GaitClock.zeros()
        clock["cycle"] = 2.0 * self.config.swing
        units = SelectorUnits.zeros(machine.legs)
        units["power"] = 1.0
        return CruseState(told, units, WalkingStance(legs, clock))

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        asked: SupportRequest,
        state: CruseState,
    ) -> tuple[WalkingStance, CruseState]:
        """Return who stands, and the next state."""
        before, told = state.stance, pooled_empty_like(state.told)
        legs, clock = pooled_empty_like(before.legs), pooled_empty_like(before.clock)
        units = pooled_empty_like(state.units)
        self._run(estimate.trunk, goal, asked.clock, before.legs, before.clock, clock)
        self._decide(
            (estimate.trunk, goal, clock),
            (estimate.legs, asked.legs),
            self.settings,
            self.rules,
            estimate.machine.places,
            (state.told, told),
            (state.units, units),
            (before.legs, legs),
        )
        stance = WalkingStance(legs, clock)
        return stance, CruseState(told, units, stance)


@compiled(allocates=False)
def _run_on(
    trunk: Records[TrunkEstimate],
    goal: Records[Travel],
    asked: Records[ClockRequest],
    legs: Records[LegStance],
    before: Records[GaitClock],
    after: Records[GaitClock],
) -> None:
    """Return whether it walks; no leg goes by this clock."""
    after[0] = before[0]
    clock, dt, swings = after[0], trunk[0].dt, False
    for leg in legs:
        swings = swings or leg.stands == 0.0
    walks = goal[0].walks > 0.0 and asked[0].halt == 0.0
    clock.lifts = 1.0 if walks and asked[0].hold == 0.0 else 0.0
    clock.walking = 1.0 if walks or swings else 0.0
    clock.rate = clock.walking
    clock.walked = clock.walked + dt if clock.walking > 0.0 else 0.0
    clock.time += dt if asked[0].hold == 0.0 else 0.0


@compiled(allocates=False)
def decide(
    whole: tuple[Records[TrunkEstimate], Records[Travel], Records[GaitClock]],
    known: tuple[Records[LegEstimate], Records[LegAim]],
    settings: Records[CruseConfig],
    rules: Records[CruseRules],
    places: Ints,
    told: tuple[Records[RuleLeg], Records[RuleLeg]],
    units: tuple[Records[SelectorUnits], Records[SelectorUnits]],
    stance: tuple[Records[LegStance], Records[LegStance]],
) -> None:
    """Let each leg decide by what its neighbours told at the last tick.

    Args:
        whole: the trunk, what is wanted of it, and the clock.
        known: what is known of the legs, and what they were told to do, (nl,) each.
        settings: of all legs.
        rules: of all legs.
        places: of the legs among all that there were, (nl,).
        told: by legs at the last tick, and now, by places; the latter is overwritten.
        units: of their selectors then and now, (nl,) each; the latter is overwritten.
        stance: who stood, and who stands, (nl,) each; the latter is overwritten.
    """
    (trunk, goal, clock), (legs, aims), (heard, says) = whole, known, told
    setting, dt, (before, after) = settings[0], trunk[0].dt, stance
    for place in range(says.shape[0]):
        says[place] = heard[place]
    for one in range(after.shape[0]):
        after[one], units[1][one] = before[one], units[0][one]
        leg, own, mine = after[one], legs[one], says[places[one]]
        at, v = _own_place(own, goal[0], setting)
        speed, ahead = math.hypot(v[0], v[1]), leg_before(one, places, heard, legs)
        pair = legs[one], legs[ahead if ahead >= 0 else one]
        mine.at, mine.since = at, mine.since + dt / setting.swing
        leg.swing = setting.swing
        leg.support = setting.stride / max(speed, setting.slowest)
        if leg.stands > 0.0:
            goes = clock[0].lifts > 0.0 and speed > setting.slowest
            goes = goes and aims[one].veto == 0.0
            lifts = goes and _may_lift(places[one], at, clock[0], told, rules)
            if not select(units[1][one], not own.load < setting.touch, lifts, dt):
                leg.stands, leg.progress, leg.late, mine.moved = 0.0, 0.0, 0.0, 0.0
                leg.goal[0] = leg.goal[1] = leg.goal[2] = math.nan
                if ahead >= 0 and rules[0].target > 0.0:
                    follow_leader(trunk[0], pair, v, rules[0], setting.stride, leg)
        else:
            is_due = leg.progress >= 1.0
            leg.late = leg.late + dt if is_due else 0.0
            leg.progress = min(leg.progress + dt / setting.swing, 1.0)
            is_free = aims[one].banned == 0.0  # else it has still to get over something
            stops = is_free and lands(
                is_due, leg, own, aims[one], setting, setting.patience
            )
            if stops and ahead >= 0 and mine.moved == 0.0:
                stops = not step_back(trunk[0], pair, v, rules[0], setting.stride, leg)
                mine.moved = 0.0 if stops else 1.0
            if select(units[1][one], stops, False, dt):
                leg.stands, leg.progress, leg.late = 1.0, 0.0, 0.0
                mine.since = 0.0
        leg.scheduled, leg.lifted = leg.stands, 1.0 - leg.stands
        mine.swings = 1.0 - leg.stands
        mine.load = own.load if leg.stands > 0.0 else math.nan


@compiled(allocates=False)
def _may_lift(
    one: int,
    at: float,
    clock: GaitClock,
    told: tuple[Records[RuleLeg], Records[RuleLeg]],
    rules: Records[CruseRules],
) -> bool:
    """Return whether a leg is far enough back to lift.

    Args:
        one: its place among the legs.
        at: where its foot is, in strides.
        clock: since when it walks.
        told: by legs at the last tick, and up to now.
        rules: of all legs.
    """
    if at > _lifts_at(one, clock, told[0], rules):
        return False
    return at <= rules[0].needed or not is_needed(one, told[1])


@compiled(allocates=False)
def _lifts_at(
    one: int, clock: GaitClock, heard: Records[RuleLeg], rules: Records[CruseRules]
) -> float:
    """Return where a leg lifts, at the very start so that not all decide alike.

    Those of one tripod go at once; where a leg is missing, one by one from the rear.
    """
    place = shift_of(one, heard, rules)
    if heard[one].since < math.inf or clock.walked > 4.0 * clock.cycle:
        return place
    for leg in heard:
        if leg.there == 0.0:
            is_held, later = place < rules[0].first, heard.shape[0] - 1 - one
            return place if is_held else AT_ONCE - WAIT * later
    is_first = (one // 2 + one) % 2 == 0
    return max(place, AT_ONCE) if is_first else place


@compiled(allocates=False)
def _own_place(
    leg: LegEstimate, goal: Travel, setting: CruseConfig
) -> tuple[float, tuple[float, float]]:
    """Return where a foot is along its way, in strides, and how it goes there [m/s].

    Args:
        leg: what is known of it.
        goal: of the trunk.
        setting: of the legs.
    """
    v = goal.velocity
    x, y = leg.hip[0] + leg.foot[0], leg.hip[1] + leg.foot[1]
    vx, vy = v[0] - v[2] * y, v[1] + v[2] * x
    speed = math.hypot(vx, vy)
    if speed < 1e-9:
        return 0.0, (0.0, 0.0)
    at = (leg.foot[0] * vx + leg.foot[1] * vy) / (speed * setting.stride)
    return at, (vx, vy)
