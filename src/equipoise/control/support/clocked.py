"""Legs step by the clock: phases and duty factors of a gait, run in time.

A foot stands from the moment it feels the ground, which may be before or after the
clock says so: an early foot counts only near its foothold and late in its swing, else
it has stumbled. A leg lifts when the clock says so and not before.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, Literal, final

import numpy as np

from equipoise.control.gaits.named import named_gait
from equipoise.control.gaits.phase_gait import PhaseGait
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
    Patience,
    lands,
)
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry, pooled_empty_like
from equipoise.core.setting import Setting

__all__ = ["ClockedConfig", "ClockedSupport"]

SLOWLY = 1  # place of "slowly" among the choices of a start


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ClockedConfig(LandingConfig):
    """Settings of a clocked gait; the defaults are WARP1's trot."""

    gait: Annotated[str, Setting("Name of the gait")] = "trot"
    duty: Annotated[
        float | None,
        Setting("Share of a cycle during which a leg stands", usual="the gait's own"),
    ] = None
    legs: Annotated[int, Setting("Number of legs", least=1.0)] = 4
    cycle: Annotated[float, Setting("Duration of a cycle", "s", above=0.0)] = 0.65
    start: Annotated[
        Literal["at once", "slowly"],
        Setting(
            "Pace of the first cycle; only gaits balanced at every instant can "
            "start slowly"
        ),
    ] = "at once"
    patience: Patience = 0.1


class LegGait(Record):
    """Times of one leg's steps."""

    phase: float = entry("share of the cycle at which its support begins")
    duty: float = entry("share of the cycle for which it stands")


@final
@SUPPORTS.register("clocked")
@dataclass(frozen=True)
class ClockedSupport(AbstractSupport[WalkingStance]):
    """Support by the phases of a clocked gait; the last stance is its state."""

    config: ClockedConfig = field(default_factory=ClockedConfig)
    gait: PhaseGait = field(init=False, repr=False)
    legs: Records[LegGait] = field(init=False, repr=False, compare=False)
    start: float = field(init=False, repr=False)
    """Share of the cycle at which the clock starts."""
    _run_clock = cached_dispatch(lambda: run_clock)
    _step_legs = cached_dispatch(lambda: step_legs)

    def __post_init__(self) -> None:
        c = self.config
        gait = named_gait(c.gait, legs=c.legs, duty=c.duty)
        legs = LegGait.zeros(gait.legs)
        legs["phase"], legs["duty"] = gait.phases, gait.duty
        object.__setattr__(self, "gait", gait)
        object.__setattr__(self, "legs", legs)
        object.__setattr__(self, "start", start_of(gait))

    def init(self, machine: LeggedMachine) -> WalkingStance:
        """Return the clock at its start, all legs standing."""
        legs, clock = LegStance.zeros(self.gait.legs), GaitClock.zeros()
        legs["stands"], clock["phase"] = 1.0, self.start
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
        trunk, after = estimate.trunk, pooled_empty_like(state.legs)
        clock = pooled_empty_like(state.clock)
        self._run_clock(
            trunk,
            goal,
            asked.clock,
            (self.settings, self.start),
            state.legs,
            state.clock,
            clock,
        )
        self._step_legs(
            trunk,
            estimate.legs,
            asked.legs,
            (self.settings, self.legs),
            clock,
            state.legs,
            after,
        )
        stance = WalkingStance(after, clock)
        return stance, stance


def start_of(gait: PhaseGait) -> float:
    """Return where the clock starts: amid the longest time on all legs, else at 0.

    Args:
        gait: whose clock it is.
    """
    shares = np.arange(1000) / 1000.0
    all_stand = np.all(gait.is_standing(shares), axis=1)
    if not all_stand.any() or all_stand.all():
        return 0.0
    shift = int(np.argmin(all_stand))
    run, best, middle = 0, 0, 0.0
    for k in range(1000):
        run = run + 1 if all_stand[(k + shift) % 1000] else 0
        if run > best:
            best, middle = run, ((k + shift) - 0.5 * (run - 1)) / 1000.0
    return middle % 1.0


@compiled(allocates=False)
def run_clock(
    trunk: Records[TrunkEstimate],
    goal: Records[Travel],
    asked: Records[ClockRequest],
    runs_by: tuple[Records[ClockedConfig], float],
    legs: Records[LegStance],
    before: Records[GaitClock],
    after: Records[GaitClock],
) -> None:
    """Advance the clock; it runs on until all legs stand."""
    after[0] = before[0]
    (settings, start), clock, dt = runs_by, after[0], trunk[0].dt
    setting = settings[0]
    walks = goal[0].walks > 0.0 and asked[0].halt == 0.0
    swings = False
    for leg in legs:
        swings = swings or leg.stands == 0.0
    runs = walks or swings
    if runs and clock.walking == 0.0:
        clock.phase, clock.walked = start, 0.0
    clock.walking, clock.rate, clock.cycle = 1.0 if runs else 0.0, 0.0, setting.cycle
    clock.lifts = 1.0 if walks else 0.0
    clock.time += dt if asked[0].hold == 0.0 else 0.0
    if runs and asked[0].hold == 0.0:
        slow = min(1.0, 0.2 + clock.walked / setting.cycle)
        clock.rate = slow if int(setting.start) == SLOWLY else 1.0
        clock.phase = (clock.phase + clock.rate * dt / setting.cycle) % 1.0
        clock.walked += dt


@compiled(allocates=False)
def step_legs(
    trunk: Records[TrunkEstimate],
    known: Records[LegEstimate],
    aims: Records[LegAim],
    steps_by: tuple[Records[ClockedConfig], Records[LegGait]],
    clocks: Records[GaitClock],
    before: Records[LegStance],
    after: Records[LegStance],
) -> None:
    """Write which feet stand; arguments as in the class."""
    (settings, gaits), clock, dt = steps_by, clocks[0], trunk[0].dt
    setting = settings[0]
    for one in range(gaits.shape[0]):
        after[one] = before[one]
        leg, gait = after[one], gaits[one]
        since = (clock.phase - gait.phase) % 1.0
        is_scheduled = since < gait.duty or clock.walking == 0.0
        swing = (since - gait.duty) / max(1.0 - gait.duty, 1e-9)
        may_lift = clock.lifts > 0.0 and leg.stands > 0.0 and aims[one].veto == 0.0
        if is_scheduled:
            leg.lifted = 0.0
        elif may_lift and leg.lifted == 0.0:
            leg.stands, leg.lifted, leg.late = 0.0, 1.0, 0.0
        leg.progress = 0.0
        if leg.stands == 0.0:
            leg.progress = 1.0 if is_scheduled else swing
            if is_scheduled:
                leg.late += dt
            if lands(
                is_scheduled, leg, known[one], aims[one], setting, setting.patience
            ):
                leg.stands = 1.0
        leg.scheduled = 1.0 if is_scheduled else 0.0
        leg.swing = (1.0 - gait.duty) * clock.cycle
        leg.support = gait.duty * clock.cycle
        leg.late = leg.late if leg.stands == 0.0 else 0.0
