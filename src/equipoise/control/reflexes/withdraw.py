"""A foot that sank into the ground is lifted higher by as much as it sank."""

import math
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

__all__ = ["WithdrawConfig", "WithdrawReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class WithdrawConfig(Settings):
    """Settings of the lift of feet that sank in; the defaults suit WARP1."""

    firm: Annotated[
        float,
        Setting(
            "Sinkage that is ignored, as dead reckoning is no more accurate",
            "m",
            least=0.0,
        ),
    ] = 0.01
    most: Annotated[
        float, Setting("Largest height added to the lift of the swing", "m", least=0.0)
    ] = 0.1


class Sunk(Record):
    """Sinkage of one foot in the ground."""

    landed: float = entry("height in W at which it landed; nan while it swings", "m")
    depth: float = entry("below that, beyond what counts as none; nan at first", "m")
    raised: float = entry("1 while its aim is raised")


@final
@REFLEXES.register("withdraw")
@dataclass(frozen=True)
class WithdrawReflex(KernelReflex[Sunk]):
    """Reflex that lifts feet higher out of soft ground, by as much as they sank."""

    config: WithdrawConfig = field(default_factory=WithdrawConfig)
    memory: ClassVar[type[Record]] = Sunk
    at_first: ClassVar[Mapping[str, float]] = {"landed": math.nan, "depth": math.nan}
    _act = cached_dispatch(lambda: withdraw)

    def tell(self, state: Records[Sunk]) -> Mapping[str, float]:
        """Return whether a foot is lifted out."""
        return {"withdraw_active": float(state["raised"].any())}


@compiled(allocates=False)
def withdraw(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    settings: Records[WithdrawConfig],
    before: Records[Sunk],
    after: Records[Sunk],
    aims: Records[LegAim],
) -> None:
    """Raise the aims of swinging feet by how deep they stood, up to a limit."""
    firm, most = settings[0].firm, settings[0].most
    for one in range(legs.shape[0]):
        after[one] = before[one]
        leg, sunk = stance[one], after[one]
        sunk.raised = 0.0
        if leg.stands > 0.0:
            height = legs[one].foothold[2]
            if math.isnan(sunk.landed):
                sunk.landed = height
            sunk.depth = min(max(sunk.landed - height - firm, 0.0), most)
        else:
            sunk.landed = math.nan
            if leg.late == 0.0 and not math.isnan(sunk.depth):
                aims[one].place[2] += sunk.depth * math.sin(math.pi * leg.progress)
                sunk.raised = 1.0 if sunk.depth > 0.0 else 0.0
