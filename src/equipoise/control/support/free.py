"""Free gait: legs step when they must, [Ridderstrom2003] section 3.2.2.

Terrain following: no order is given, see ``support.temporal``. Follow-the-leader: each
side steps in its own fixed order, one leg at a time, and all but the front legs step
where the leg ahead of them has stood, a little behind. A foot that has been in the air
for its time comes down until it feels the ground. The nearer a standing leg is to its
end, the slower the trunk is told to go (the clock's rate), so that a leg that cannot be
lifted yet is waited for.
"""

import math
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, final

import numpy as np

from equipoise.control.gaits.leg_limits import LegLimits, leg_limits
from equipoise.control.gaits.named import named_gait
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
from equipoise.control.support.landing import lands
from equipoise.control.support.lifting import FreeConfig, FreeLeg, lift_legs
from equipoise.control.support.seen_ground import (
    SeenCell,
    see,
    unseen,
)
from equipoise.control.support.temporal import (
    half_support,
    time_left,
)
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, copied, pooled_empty_like

__all__ = ["FreeConfig", "FreeState", "FreeSupport"]

SLOWS = 0.8  # seconds before its end at which a leg begins to slow the trunk


class FreeState(NamedTuple):
    """State of the free gait between two ticks."""

    stance: WalkingStance
    legs: Records[FreeLeg]
    """(nl,)."""
    limits: Records[LegLimits]
    """Of the legs, (nl,); never changed."""
    radius: float
    """Radius of a foot's ball [m]."""
    seen: Records[SeenCell]
    """What a scanner has seen."""
    scanned: float
    """When [s]."""


@final
@SUPPORTS.register("free")
@dataclass(frozen=True)
class FreeSupport(AbstractSupport[FreeState]):
    """Support by a free gait, in which legs step when they must."""

    made_for: ClassVar[str | None] = "asv"
    config: FreeConfig = field(default_factory=FreeConfig)
    _step_freely = cached_dispatch(lambda: step_freely)
    _see = cached_dispatch(lambda: see)

    def init(self, machine: LeggedMachine) -> FreeState:
        """Return a stance on all legs, the rear ones to step first."""
        legs, clock = LegStance.zeros(machine.legs), GaitClock.zeros()
        legs["scheduled"] = legs["stands"] = clock["cycle"] = clock["rate"] = 1.0
        legs["goal"] = math.nan
        free = FreeLeg.zeros(machine.legs)
        free["stands"], free["is_next"][-2:] = 1.0, 1.0
        gait = named_gait("wave", machine.legs)
        limits = leg_limits(machine, gait, self.config.workspace)
        radius, stance = machine.geometry.foot_radius, WalkingStance(legs, clock)
        return FreeState(stance, free, limits, radius, unseen(), math.nan)

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        asked: SupportRequest,
        state: FreeState,
    ) -> tuple[WalkingStance, FreeState]:
        """Return who stands, and the next state."""
        stance, seen = state.stance, state.seen
        if len(estimate.scan) and estimate.scanned != state.scanned:
            seen = copied(seen)
            self._see(estimate.trunk, estimate.scan, self.config.cell, seen)
        legs, clock = pooled_empty_like(stance.legs), pooled_empty_like(stance.clock)
        free = copied(state.legs)
        self._step_freely(
            (estimate.trunk, estimate.legs),
            goal,
            (asked.legs, asked.clock),
            (self.settings, state.limits, seen, state.radius),
            (stance.legs, stance.clock),
            (legs, clock),
            free,
            np.empty((len(legs), 2)),
        )
        answer = WalkingStance(legs, clock)
        after = FreeState(
            answer, free, state.limits, state.radius, seen, estimate.scanned
        )
        return answer, after


@compiled(allocates=False)
def step_freely(
    known: tuple[Records[TrunkEstimate], Records[LegEstimate]],
    goals: Records[Travel],
    asked: tuple[Records[LegAim], Records[ClockRequest]],
    given: tuple[Records[FreeConfig], Records[LegLimits], Records[SeenCell], float],
    before: tuple[Records[LegStance], Records[GaitClock]],
    after: tuple[Records[LegStance], Records[GaitClock]],
    free: Records[FreeLeg],
    places: Array,
) -> None:
    """Write which feet stand; arguments as in the class."""
    trunk, legs, goal, setting = known[0][0], known[1], goals[0], given[0][0]
    stance, limits, dt = after[0], given[1], trunk.dt
    after[1][0] = before[1][0]
    clock = after[1][0]
    walks = goal.walks > 0.0 and asked[1][0].halt == 0.0
    v = (goal.velocity[0], goal.velocity[1], goal.velocity[2])
    for one in range(legs.shape[0]):
        stance[one] = before[0][one]
        leg, mine = stance[one], free[one]
        mine.off[0], mine.off[1] = _seen_from(trunk, legs[one], limits[one])
        leg.swing, leg.support = setting.swing, 2.0 * half_support(limits[one], v)
        leg.progress = 0.0
        if leg.stands == 0.0:
            _fly(legs[one], asked[0][one], setting, dt, leg, mine)
        mine.stands = leg.stands
    if walks and asked[1][0].hold == 0.0:
        stances = (stance, free, given[2])
        lift_legs(trunk, legs, v, (setting, given[3]), limits, stances, places)
    swings, rate = False, 1.0
    for one in range(legs.shape[0]):
        leg = stance[one]
        swings = swings or leg.stands == 0.0
        leg.scheduled = 1.0 if leg.stands > 0.0 or leg.late > 0.0 else 0.0
        if leg.stands > 0.0:
            left, _ = time_left(limits[one], free[one], v)
            rate = min(rate, max(left, 0.0) / SLOWS)
    clock.rate, clock.walking = rate, 1.0 if walks or swings else 0.0
    clock.time += dt
    clock.walked = clock.walked + dt if clock.walking > 0.0 else 0.0
    clock.lifts = 1.0 if walks else 0.0


@compiled(allocates=False)
def _seen_from(
    trunk: TrunkEstimate, leg: LegEstimate, limit: LegLimits
) -> tuple[float, float]:
    """Return where a foot is from the middle of its workspace, ahead and left [m]."""
    R = trunk.R_WB
    x = leg.hip[0] + leg.foot[0]
    y = leg.hip[1] + leg.foot[1]
    z = leg.hip[2] + leg.foot[2]
    a = R[0, 0] * x + R[0, 1] * y + R[0, 2] * z
    b = R[1, 0] * x + R[1, 1] * y + R[1, 2] * z
    size = math.hypot(R[0, 0], R[1, 0])
    c, s = R[0, 0] / size, R[1, 0] / size
    return c * a + s * b - limit.place[0], c * b - s * a - limit.place[1]


@compiled(allocates=False)
def _fly(
    known: LegEstimate,
    aim: LegAim,
    setting: FreeConfig,
    dt: float,
    leg: LegStance,
    mine: FreeLeg,
) -> None:
    """Advance a swing; the foot stands again once it has found the ground."""
    mine.raised += dt
    is_due = mine.raised >= setting.swing
    leg.progress = 1.0 if is_due else mine.raised / setting.swing
    leg.late = leg.late + dt if is_due else 0.0
    if lands(is_due, leg, known, aim, setting, setting.patient):
        leg.stands, leg.late, leg.progress = 1.0, 0.0, 0.0
        mine.raised = 0.0
