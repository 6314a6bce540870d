"""A swing foot that hits something retracts, and then steps over it.

Retract-and-elevate of [Ridderstrom2003] section 3.1.1: everything else waits while the
foot goes back and up, and slowly forward again higher than before; it is let down upon
its foothold only. If it hits again it goes higher still, and after some tries it gives
the foothold up.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, final

from equipoise.control.kernel_reflex import KernelReflex
from equipoise.control.parts import REFLEXES
from equipoise.control.records import (
    ClockRequest,
    LegAim,
    LegEstimate,
    LegStance,
    TrunkEstimate,
)
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.arrays import Vec3
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["RetractConfig", "RetractReflex"]

BEGINS, ENDS = 0.05, 0.97  # share of a swing between which a foot may hit something


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class RetractConfig(Settings):
    """Settings of retract-and-elevate; the defaults are TITAN III's."""

    force: Annotated[
        float,
        Setting(
            "Horizontal force on a swinging foot above which it has hit an obstacle",
            "N",
            above=0.0,
        ),
    ] = 60.0
    touching: Annotated[
        float, Setting("Duration for which that force must last", "s", above=0.0)
    ] = 0.01
    back: Annotated[float, Setting("Distance the foot retracts", "m", above=0.0)] = 0.08
    up: Annotated[
        float, Setting("Height the foot is raised per retry", "m", above=0.0)
    ] = 0.14
    time: Annotated[
        float,
        Setting(
            "Duration of the retraction, and of the way forward again", "s", above=0.0
        ),
    ] = 0.5
    lower: Annotated[
        float,
        Setting(
            "Speed at which the foot is lowered onto its foothold afterwards",
            "m/s",
            above=0.0,
        ),
    ] = 0.3
    tries: Annotated[
        float,
        Setting("Number of retries after which the foothold is given up", above=0.0),
    ] = 3.0


class Retraction(Record):
    """State of one foot that passes an obstacle."""

    felt: float = entry("for how long it has felt something", "s")
    since: float = entry("it went back; beyond twice its time it goes on", "s")
    off: Vec3 = entry("of the way that it was told where it hit", "m", 3)
    high: float = entry("that it is above its usual way", "m")
    tries: float = entry("of this swing")
    active: float = entry("1 while all else waits for it")


@final
@REFLEXES.register("retract")
@dataclass(frozen=True)
class RetractReflex(KernelReflex[Retraction]):
    """Reflex that moves feet back and up over obstacles while all else waits."""

    config: RetractConfig = field(default_factory=RetractConfig)
    memory: ClassVar[type[Record]] = Retraction
    asks_clock: ClassVar[bool] = True
    _act = cached_dispatch(lambda: retract)

    def also(
        self, estimate: Estimate, stance: WalkingStance, asked: SupportRequest
    ) -> tuple[Any, ...]:
        """Return the request to the clock."""
        return (asked.clock,)

    def tell(self, state: Records[Retraction]) -> Mapping[str, float]:
        """Return whether a foot goes back, and how often one has in its swing."""
        return {
            "retract_active": float(state["active"].max()),
            "retract_tries": float(state["tries"].max()),
        }


@compiled(allocates=False)
def retract(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    settings: Records[RetractConfig],
    before: Records[Retraction],
    after: Records[Retraction],
    aims: Records[LegAim],
    clock: Records[ClockRequest],
) -> None:
    """Advance each foot's way past what it hits; arguments as in the class."""
    dt, setting = trunk[0].dt, settings[0]
    for one in range(legs.shape[0]):
        after[one] = before[one]
        leg, aim, way = stance[one], aims[one], after[one]
        if leg.stands > 0.0:
            way.felt, way.tries, way.high, way.active = 0.0, 0.0, 0.0, 0.0
            continue
        f = legs[one].force
        hits = math.sqrt(f[0] * f[0] + f[1] * f[1]) > setting.force  # not if unknown
        is_amid = BEGINS < leg.progress < ENDS and leg.late == 0.0
        goes_back = way.active > 0.0 and way.since < setting.time
        way.felt = way.felt + dt if hits and is_amid and not goes_back else 0.0
        if way.felt > setting.touching:
            _begin(legs[one], aim, setting, way)
        if way.active > 0.0:
            way.since += dt
            clock[0].hold += 1.0
            _go_past(setting, aim, way)
            if way.since >= 2.0 * setting.time:
                way.active = 0.0
        elif way.high > 0.0:
            if leg.late > 0.0:
                way.high = max(way.high - setting.lower * dt, 0.0)
                aim.velocity[2] -= setting.lower
            aim.place[2] += way.high
        if way.tries > setting.tries:
            aim.banned, way.tries, way.active = 1.0, 0.0, 0.0


@compiled(allocates=False)
def _begin(
    leg: LegEstimate, aim: LegAim, setting: RetractConfig, way: Retraction
) -> None:
    """Begin to go back and up from where a foot is."""
    vx, vy = aim.velocity[0], aim.velocity[1]
    speed = max(math.sqrt(vx * vx + vy * vy), 1e-6)
    way.tries, way.since, way.active, way.felt = way.tries + 1.0, 0.0, 1.0, 0.0
    way.high += setting.up
    way.off[0] = leg.foot[0] - aim.place[0] - setting.back * vx / speed
    way.off[1] = leg.foot[1] - aim.place[1] - setting.back * vy / speed
    way.off[2] = leg.foot[2] - aim.place[2]


@compiled(allocates=False)
def _go_past(setting: RetractConfig, aim: LegAim, way: Retraction) -> None:
    """Aim a foot back and up, or forward again, all else standing still."""
    u = min(way.since / setting.time, 1.0)
    v = min(max(way.since / setting.time - 1.0, 0.0), 1.0)
    back = u * u * (3.0 - 2.0 * u) if v == 0.0 else 1.0 - v * v * (3.0 - 2.0 * v)
    rise = u * u * (3.0 - 2.0 * u)
    for i in range(2):
        aim.place[i] += back * way.off[i]
        aim.velocity[i] = 0.0
    aim.place[2] += (1.0 - rise) * way.off[2] + rise * way.high
    aim.velocity[2] = 0.0
    for j in range(aim.acceleration.shape[0]):
        aim.acceleration[j] = 0.0
