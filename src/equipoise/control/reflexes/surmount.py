"""A swing foot that is blocked retracts, and then swings higher to its foothold.

Walknet's retract-and-elevate, [Ridderstrom2003] section 3.4.1: a short answer of one
leg by itself, nobody waits for it; its target draws it on forwards. That it is held up
it feels by lagging behind where it is told to be, so that it takes no sensor beside its
joints'. If it is held up again it goes higher still. Until it is over its foothold it
does not stand, whatever it feels.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, final

from equipoise.control.kernel_reflex import KernelReflex
from equipoise.control.parts import REFLEXES
from equipoise.control.records import LegAim, LegEstimate, LegStance, TrunkEstimate
from equipoise.core.arrays import Vec3
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["SurmountConfig", "SurmountReflex"]

BEGINS = 0.1  # share of a swing from which a foot may be held up


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class SurmountConfig(Settings):
    """Settings of retract-and-elevate of one leg; defaults are the TUM hexapod's."""

    lag: Annotated[
        float,
        Setting(
            "Lag of a swinging foot behind its trajectory from which it is held up",
            "m",
            above=0.0,
        ),
    ] = 0.03
    patience: Annotated[
        float, Setting("Duration for which the foot must lag", "s", above=0.0)
    ] = 0.02
    back: Annotated[float, Setting("Distance the foot retracts", "m", above=0.0)] = 0.04
    up: Annotated[
        float, Setting("Height the foot is raised per retry", "m", above=0.0)
    ] = 0.1
    time: Annotated[float, Setting("Duration of the retraction", "s", above=0.0)] = 0.15
    speed: Annotated[
        float,
        Setting("Speed of the foot towards its foothold afterwards", "m/s", above=0.0),
    ] = 0.6
    near: Annotated[
        float,
        Setting(
            "Horizontal distance from the foothold within which the foot is lowered",
            "m",
            above=0.0,
        ),
    ] = 0.015
    lower: Annotated[
        float, Setting("Speed at which the foot is lowered", "m/s", above=0.0)
    ] = 0.4


class Detour(Record):
    """State of one foot that steps over an obstacle."""

    felt: float = entry("for how long it has been held up", "s")
    active: float = entry("1 while it goes its own way")
    since: float = entry("it was held up last", "s")
    at: Vec3 = entry("where it is told to be, from its hip", "m", 3)
    level: float = entry("up to which it is lifted, from its hip", "m")
    tries: float = entry("of this swing")


@final
@REFLEXES.register("surmount")
@dataclass(frozen=True)
class SurmountReflex(KernelReflex[Detour]):
    """Reflex that leads single feet back and up over obstacles."""

    made_for: ClassVar[str | None] = "tum"
    config: SurmountConfig = field(default_factory=SurmountConfig)
    memory: ClassVar[type[Record]] = Detour
    _act = cached_dispatch(lambda: surmount)

    def tell(self, state: Records[Detour]) -> Mapping[str, float]:
        """Return whether a foot goes its own way, and how often it was held up."""
        return {
            "surmount_active": float(state["active"].max()),
            "surmount_tries": float(state["tries"].max()),
        }


@compiled(allocates=False)
def surmount(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    settings: Records[SurmountConfig],
    before: Records[Detour],
    after: Records[Detour],
    aims: Records[LegAim],
) -> None:
    """Advance each foot's way over what holds it up; arguments as in the class."""
    dt, setting = trunk[0].dt, settings[0]
    for one in range(legs.shape[0]):
        after[one] = before[one]
        leg, aim, way = legs[one], aims[one], after[one]
        if stance[one].stands > 0.0:
            way.felt, way.active, way.tries = 0.0, 0.0, 0.0
            continue
        if way.active == 0.0:
            for i in range(3):
                way.at[i] = aim.place[i]
        goes_back = way.active > 0.0 and way.since < setting.time
        is_held = stance[one].progress > BEGINS and not goes_back
        is_held = is_held and _lag_of(leg, aim, way) > setting.lag
        way.felt = way.felt + dt if is_held else 0.0
        if way.felt > setting.patience:
            way.felt, way.active, way.since = 0.0, 1.0, 0.0
            way.level, way.tries = leg.foot[2] + setting.up, way.tries + 1.0
            for i in range(3):
                way.at[i] = leg.foot[i]
        if way.active > 0.0:
            way.since += dt
            _go_over(dt, leg, setting, aim, way)


@compiled(allocates=False)
def _lag_of(leg: LegEstimate, aim: LegAim, way: Detour) -> float:
    """Return how far a foot is behind its way, on level, towards its foothold [m]."""
    x, y = aim.landing[0] - leg.foot[0], aim.landing[1] - leg.foot[1]
    far = math.hypot(x, y)
    if far < 1e-6:
        return 0.0
    return ((way.at[0] - leg.foot[0]) * x + (way.at[1] - leg.foot[1]) * y) / far


@compiled(allocates=False)
def _go_over(
    dt: float, leg: LegEstimate, setting: SurmountConfig, aim: LegAim, way: Detour
) -> None:
    """Aim a foot back and up, then on to its foothold, then down upon it.

    Args:
        dt: control period [s].
        leg: what is known of it.
        setting: of the reflex.
        aim: what it is told; overwritten.
        way: of the foot; moved on.
    """
    x, y = aim.landing[0] - way.at[0], aim.landing[1] - way.at[1]
    far = max(math.hypot(x, y), 1e-6)
    pace, rise = -setting.back / setting.time, setting.up / setting.time
    is_over = False
    if way.since >= setting.time:
        is_over = far < setting.near and _lag_of(leg, aim, way) < setting.near
        pace = min(setting.speed, far / (4.0 * dt))
        rise = max(min((way.level - way.at[2]) / (4.0 * dt), rise), -setting.lower)
        if is_over:
            rise = -setting.lower
    if is_over:
        way.level = way.at[2]
    aim.banned = 0.0 if is_over else 1.0
    v = (pace * x / far, pace * y / far, rise)
    for i in range(3):
        way.at[i] += v[i] * dt
        off = way.at[i] - leg.foot[i]
        way.at[i] = leg.foot[i] + min(max(off, -2.0 * setting.lag), 2.0 * setting.lag)
        aim.place[i], aim.velocity[i] = way.at[i], v[i]
    for j in range(aim.acceleration.shape[0]):
        aim.acceleration[j] = 0.0
