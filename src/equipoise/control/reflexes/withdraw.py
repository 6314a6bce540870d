"""A foot that sank into the ground is lifted higher, by as much as it sank."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, final

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import (
    REFLEXES,
    AbstractReflex,
    Estimate,
    SupportRequest,
    WalkingStance,
)
from equipoise.control.records import LegAim, LegEstimate, LegStance
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry, pooled_empty_like
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
    """How deep one foot stands in the ground."""

    landed: float = entry("height in W at which it landed; nan while it swings", "m")
    depth: float = entry("below that, beyond what counts as none; nan at first", "m")
    raised: float = entry("1 while its aim is raised")


@final
@REFLEXES.register("withdraw")
@dataclass(frozen=True)
class WithdrawReflex(AbstractReflex[Records[Sunk]]):
    """Lifts feet out; its state is, per leg, where it landed and how deep it is."""

    config: WithdrawConfig = field(default_factory=WithdrawConfig)
    _withdraw = cached_dispatch(lambda: withdraw)

    def init(self, machine: LeggedMachine) -> Records[Sunk]:
        """Return a state in which no foot has stood yet."""
        state = Sunk.zeros(machine.legs)
        state["landed"] = state["depth"] = math.nan
        return state

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: Records[Sunk],
    ) -> Records[Sunk]:
        """Lift feet by as much as they sank; return the next state."""
        c, after = self.config, pooled_empty_like(state)
        self._withdraw(
            estimate.legs, stance.legs, c.firm, c.most, state, after, asked.legs
        )
        return after

    def tell(self, state: Records[Sunk]) -> Mapping[str, float]:
        """Return whether a foot is lifted out."""
        return {"withdraw_active": float(state["raised"].any())}


@compiled(allocates=False)
def withdraw(
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    firm: float,
    most: float,
    before: Records[Sunk],
    after: Records[Sunk],
    aims: Records[LegAim],
) -> None:
    """Raise the aims of swinging feet by how deep they stood, at most ``most``."""
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
