"""Without new readings the machine freezes: forces fade, and no leg lifts.

Readings are stale when their time does not advance, or when joints and trunk read as
before, to the last bit, while no foot feels anything: sensors that fail read NaN, which
observers bridge with the last good value. [Ridderstrom2003] section 5.2 has a time-out
of its nodes to the same end.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, NamedTuple, final

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import REFLEXES, AbstractReflex
from equipoise.control.records import (
    ClockRequest,
    LegAim,
    LegEstimate,
    TrunkEstimate,
)
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.arrays import Vec3, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, copied, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["DeadmanConfig", "DeadmanReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class DeadmanConfig(Settings):
    """Settings of the reaction to stale readings."""

    ticks: Annotated[
        int, Setting("Number of stale ticks after which the machine freezes", least=1.0)
    ] = 3
    fade: Annotated[
        float,
        Setting(
            "Time constant with which foot forces fade to zero afterwards",
            "s",
            above=0.0,
        ),
    ] = 0.3


class LastTrunk(Record):
    """Last estimate of the trunk, and the time without new readings."""

    time: float = entry("of the last readings", "s")
    w_WB_B: Vec3 = entry("rate of turn", "rad/s", 3)
    stale: float = entry("ticks without anything new")
    fade: float = entry("share of the forces that is left")


class LastLeg(Record):
    """Last estimate of one leg, and its last valid aim."""

    q: VecN = entry("joint angles", "rad", "joints")
    v: VecN = entry("joint speeds", "rad/s", "joints")
    place: Vec3 = entry("that the foot aimed at, from the hip in B", "m", 3)
    force: Vec3 = entry("with which it pressed on the ground, in B", "N", 3)


class DeadmanState(NamedTuple):
    """State of the reflex between ticks."""

    trunk: Records[LastTrunk]
    """(1,)."""
    legs: Records[LastLeg]
    """(nl,)."""


@final
@REFLEXES.register("deadman")
@dataclass(frozen=True)
class DeadmanReflex(AbstractReflex[DeadmanState]):
    """Reflex that freezes the machine while readings are stale."""

    made_for: ClassVar[str | None] = None
    config: DeadmanConfig = field(default_factory=DeadmanConfig)

    def init(self, machine: LeggedMachine) -> DeadmanState:
        """Return a state in which nothing is known yet."""
        trunk, legs = (
            LastTrunk.zeros(),
            LastLeg.zeros(machine.legs, joints=machine.joints),
        )
        for name in LastTrunk.entries:
            trunk[name] = math.nan
        for name in LastLeg.entries:
            legs[name] = math.nan
        return DeadmanState(trunk, legs)

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: DeadmanState,
    ) -> tuple[SupportRequest, DeadmanState]:
        """Return the last good aims and a halt while readings are stale; the state."""
        c, after = self.config, DeadmanState(copied(state.trunk), copied(state.legs))
        known = estimate
        instead = SupportRequest(copied(asked.legs), copied(asked.clock))
        is_fresh = _notice(known.trunk, known.legs, after.trunk, after.legs)
        ticks = float(c.ticks)
        _hold_still(
            known.trunk,
            is_fresh,
            ticks,
            c.fade,
            after.trunk,
            after.legs,
            instead.legs,
            instead.clock,
        )
        return instead, after

    def tell(self, state: DeadmanState) -> Mapping[str, float]:
        """Return whether it holds still."""
        stale = float(state.trunk["stale"][0])
        return {"deadman_active": float(stale >= self.config.ticks)}


@compiled(allocates=False)
def _hold_still(
    now: Records[TrunkEstimate],
    is_fresh: bool,
    ticks: float,
    fade: float,
    last: Records[LastTrunk],
    legs: Records[LastLeg],
    aims: Records[LegAim],
    asked: Records[ClockRequest],
) -> None:
    """Count stale ticks; past the limit change the aims and ask for a halt."""
    trunk = last[0]
    if is_fresh:
        trunk.stale, trunk.fade = 0.0, 1.0
    else:
        trunk.stale += 1.0
    for one in range(legs.shape[0]):
        kept, aim = legs[one], aims[one]
        for i in range(3):
            if trunk.stale < ticks:
                kept.place[i], kept.force[i] = aim.place[i], aim.force[i]
            else:
                aim.place[i], aim.force[i] = kept.place[i], trunk.fade * kept.force[i]
                aim.velocity[i] = 0.0
        if not trunk.stale < ticks:
            for j in range(aim.acceleration.shape[0]):
                aim.acceleration[j] = 0.0
    if not trunk.stale < ticks:
        trunk.fade *= math.exp(-now[0].dt / fade)
        asked[0].halt += 1.0


@compiled(allocates=False)
def _notice(
    now: Records[TrunkEstimate],
    known: Records[LegEstimate],
    last: Records[LastTrunk],
    legs: Records[LastLeg],
) -> bool:
    """Return whether anything is new, and keep what is known."""
    trunk = last[0]
    is_late = now[0].time == trunk.time
    is_same = True
    for i in range(3):
        is_same = is_same and now[0].w_WB_B[i] == trunk.w_WB_B[i]
        trunk.w_WB_B[i] = now[0].w_WB_B[i]
    for one in range(known.shape[0]):
        leg, kept = known[one], legs[one]
        is_same = is_same and math.isnan(leg.load)
        for j in range(leg.q.shape[0]):
            is_same = is_same and leg.q[j] == kept.q[j] and leg.v[j] == kept.v[j]
            kept.q[j], kept.v[j] = leg.q[j], leg.v[j]
    trunk.time = now[0].time
    return not (is_late or is_same)
