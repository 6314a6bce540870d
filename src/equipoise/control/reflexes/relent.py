"""A swing foot that is blocked pushes no harder than a limit."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, final

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import REFLEXES, AbstractReflex
from equipoise.control.records import LegAim, LegEstimate, LegStance
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, copied
from equipoise.core.setting import Setting, Settings

__all__ = ["RelentConfig", "RelentReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class RelentConfig(Settings):
    """Limit of the push of a swinging foot; the default suits WARP1's size."""

    lag: Annotated[
        float,
        Setting(
            "Largest horizontal distance over which a swinging foot's spring pulls",
            "m",
            above=0.0,
        ),
    ] = 0.025


@final
@REFLEXES.register("relent")
@dataclass(frozen=True)
class RelentReflex(AbstractReflex[float]):
    """Reflex that limits the push of lagging feet; its state is their number."""

    config: RelentConfig = field(default_factory=RelentConfig)
    _relent = cached_dispatch(lambda: relent)

    def init(self, machine: LeggedMachine) -> float:
        """Return a state in which no foot lags."""
        return 0.0

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: float,
    ) -> tuple[SupportRequest, float]:
        """Return aims of feet that lag near to where they are, and how many lag."""
        legs = copied(asked.legs)
        lag = self._relent(estimate.legs, stance.legs, self.config.lag, legs)
        return SupportRequest(legs, asked.clock), lag

    def tell(self, state: float) -> Mapping[str, float]:
        """Return whether a foot lags too much."""
        return {"relent_active": float(state > 0.0)}


@compiled(allocates=False)
def relent(
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    lag: float,
    aims: Records[LegAim],
) -> float:
    """Bring level aims of feet in the air no farther ahead than the lag; count them.

    Args:
        legs: of this tick, (nl,).
        stance: of this tick, (nl,).
        lag: level, at most [m].
        aims: what legs are told, (nl,); overwritten.
    """
    found = 0.0
    for one in range(legs.shape[0]):
        leg, aim = legs[one], aims[one]
        dx, dy = aim.place[0] - leg.foot[0], aim.place[1] - leg.foot[1]
        far = math.hypot(dx, dy)
        if stance[one].stands > 0.0 or far <= lag:
            continue
        found += 1.0
        aim.place[0] = leg.foot[0] + dx * lag / far
        aim.place[1] = leg.foot[1] + dy * lag / far
        aim.velocity[0], aim.velocity[1] = leg.foot_rate[0], leg.foot_rate[1]
    return found
