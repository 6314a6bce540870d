"""A foot that finds no ground at its foothold is lowered further."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, final

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import REFLEXES, AbstractReflex
from equipoise.control.records import LegAim, LegStance
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, copied
from equipoise.core.setting import Setting, Settings

__all__ = ["ReachConfig", "ReachReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ReachConfig(Settings):
    """Settings of the search for the ground; the defaults suit WARP1."""

    speed: Annotated[
        float, Setting("Speed at which a late foot is lowered", "m/s", above=0.0)
    ] = 0.25
    depth: Annotated[
        float,
        Setting("Largest depth below the foothold that is searched", "m", above=0.0),
    ] = 0.12


@final
@REFLEXES.register("reach")
@dataclass(frozen=True)
class ReachReflex(AbstractReflex[float]):
    """Reflex that lowers late feet; its state is the number of these feet."""

    config: ReachConfig = field(default_factory=ReachConfig)
    _reach = cached_dispatch(lambda: reach)

    def init(self, machine: LeggedMachine) -> float:
        """Return a state in which no foot is lowered."""
        return 0.0

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: float,
    ) -> tuple[SupportRequest, float]:
        """Return aims that lower late feet, and how many are late."""
        c, legs = self.config, copied(asked.legs)
        late = self._reach(stance.legs, c.speed, c.depth, legs)
        return SupportRequest(legs, asked.clock), late

    def tell(self, state: float) -> Mapping[str, float]:
        """Return whether it lowers a foot."""
        return {"reach_active": float(state > 0.0)}


@compiled(allocates=False)
def reach(
    stance: Records[LegStance], speed: float, depth: float, aims: Records[LegAim]
) -> float:
    """Lower the aims of late feet by their speed, at most to the depth; count them."""
    lowered = 0.0
    for one in range(stance.shape[0]):
        leg, aim = stance[one], aims[one]
        if leg.stands == 0.0 and leg.late > 0.0:
            deep = speed * leg.late
            aim.place[2] -= min(deep, depth)
            aim.velocity[2] -= speed if deep < depth else 0.0
            lowered += 1.0
    return lowered
