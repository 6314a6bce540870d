"""A machine that stands puts all its feet on the ground.

Legs stand where they are: one that is too short as the machine is switched on hangs in
the air, and the machine may balance on two others. Before it walks, a foot that should
stand and carries nothing is lowered until it does. Once it carries, its foothold is
drawn to where it is seen, and what it was lowered by is given back as that happens.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, final

from equipoise.control.kernel_reflex import KernelReflex
from equipoise.control.parts import REFLEXES
from equipoise.control.records import (
    GaitClock,
    LegAim,
    LegEstimate,
    LegStance,
    TrunkEstimate,
)
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["PlantReflex", "PlantReflexConfig"]

NOTICED = 1e-3  # by which a foot is lowered that is told of [m]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class PlantReflexConfig(Settings):
    """Settings of the lowering of unloaded feet; defaults are TITAN IV's."""

    speed: Annotated[
        float, Setting("Speed at which a foot is lowered", "m/s", above=0.0)
    ] = 0.2
    depth: Annotated[
        float, Setting("Largest distance by which a foot is lowered", "m", above=0.0)
    ] = 0.1
    carries: Annotated[
        float, Setting("Load above which a foot carries", "N", above=0.0)
    ] = 100.0
    fades: Annotated[
        float,
        Setting(
            "Time constant with which the lowering of a loaded foot is taken back",
            "s",
            above=0.0,
        ),
    ] = 0.1


class Lowered(Record):
    """Distance by which a foot is lowered."""

    by: float = entry("below its foothold", "m")


@final
@REFLEXES.register("plant")
@dataclass(frozen=True)
class PlantReflex(KernelReflex[Lowered]):
    """Reflex that lowers unloaded feet before the machine walks."""

    config: PlantReflexConfig = field(default_factory=PlantReflexConfig)
    memory: ClassVar[type[Record]] = Lowered
    _act = cached_dispatch(lambda: plant)

    def also(
        self, estimate: Estimate, stance: WalkingStance, asked: SupportRequest
    ) -> tuple[Any, ...]:
        """Return the clock of the gait."""
        return (stance.clock,)

    def tell(self, state: Records[Lowered]) -> Mapping[str, float]:
        """Return whether a foot is lowered, by a millimetre or more."""
        return {"plant_active": float(state["by"].max() > NOTICED)}


@compiled(allocates=False)
def plant(
    trunk: Records[TrunkEstimate],
    known: Records[LegEstimate],
    stance: Records[LegStance],
    settings: Records[PlantReflexConfig],
    before: Records[Lowered],
    after: Records[Lowered],
    aims: Records[LegAim],
    clock: Records[GaitClock],
) -> None:
    """Lower the aims of feet that hang in the air; arguments as in the class."""
    setting, dt = settings[0], trunk[0].dt
    for one in range(after.shape[0]):
        by = before[one].by
        hangs = known[one].load < setting.carries  # unknown loads carry
        if clock[0].walking == 0.0 and stance[one].stands > 0.0 and hangs:
            by = min(by + setting.speed * dt, setting.depth)
        else:
            by -= dt / (setting.fades + dt) * by
        after[one].by = by
        if stance[one].stands > 0.0:
            aims[one].place[2] -= by
