"""A stance foot without load is lowered until it carries some.

The last term of TITAN III's law for the height of standing feet, [Ridderstrom2003]
section 3.1.1, which is added while a supporting foot has lost the ground. It waits for
a while first: on stiff legs a foot is often without load for moments, and lowering it
each time would tilt the trunk.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, final

from equipoise.control.kernel_reflex import KernelReflex
from equipoise.control.parts import REFLEXES
from equipoise.control.records import LegAim, LegEstimate, LegStance, TrunkEstimate
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["TreadConfig", "TreadReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class TreadConfig(Settings):
    """Settings of the lowering of unloaded feet; defaults are TITAN III's."""

    load: Annotated[
        float, Setting("Load below which a foot carries nothing", "N", above=0.0)
    ] = 20.0
    clear: Annotated[
        float,
        Setting(
            "Height over the sensed ground up to which a foot is not lowered",
            "m",
            above=0.0,
        ),
    ] = 0.012
    patience: Annotated[
        float,
        Setting("Duration without load after which a foot is lowered", "s", above=0.0),
    ] = 0.15
    speed: Annotated[
        float, Setting("Speed at which a foot is lowered", "m/s", above=0.0)
    ] = 0.2
    depth: Annotated[
        float, Setting("Largest distance by which a foot is lowered", "m", above=0.0)
    ] = 0.09
    relax: Annotated[
        float,
        Setting(
            "Time constant with which the lowering of a loaded foot is taken back",
            "s",
            above=0.0,
        ),
    ] = 0.1


class Tread(Record):
    """Distance by which one foot is lowered."""

    bare: float = entry("for how long it has carried nothing", "s")
    deep: float = entry("below its foothold", "m")


@final
@REFLEXES.register("tread")
@dataclass(frozen=True)
class TreadReflex(KernelReflex[Tread]):
    """Reflex that lowers standing feet without load."""

    config: TreadConfig = field(default_factory=TreadConfig)
    memory: ClassVar[type[Record]] = Tread
    _act = cached_dispatch(lambda: tread)

    def tell(self, state: Records[Tread]) -> Mapping[str, float]:
        """Return whether a foot is lowered."""
        patience = self.config.patience
        return {"tread_active": float(state["bare"].max() > patience)}


@compiled(allocates=False)
def tread(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    settings: Records[TreadConfig],
    before: Records[Tread],
    after: Records[Tread],
    aims: Records[LegAim],
) -> None:
    """Lower the aims of standing feet that carry nothing; arguments as in the class."""
    dt, setting = trunk[0].dt, settings[0]
    for one in range(legs.shape[0]):
        after[one] = before[one]
        foot = after[one]
        if stance[one].stands == 0.0:
            foot.bare, foot.deep = 0.0, 0.0
            continue
        is_seen = legs[one].near <= setting.clear  # not so if it is not known
        is_bare = legs[one].load < setting.load and not is_seen
        foot.bare = foot.bare + dt if is_bare else max(foot.bare - dt, 0.0)
        foot.bare = min(foot.bare, 2.0 * setting.patience)
        if foot.bare > setting.patience:
            if foot.deep < setting.depth:
                foot.deep += setting.speed * dt
                aims[one].velocity[2] -= setting.speed
        elif not is_bare:
            foot.deep -= dt / (setting.relax + dt) * foot.deep
        aims[one].place[2] -= foot.deep
