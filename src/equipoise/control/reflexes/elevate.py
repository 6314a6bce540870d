"""A swing foot that hits something is lifted higher for the rest of its swing."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, final

import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import REFLEXES, AbstractReflex
from equipoise.control.records import (
    LegAim,
    LegEstimate,
    LegStance,
    TrunkEstimate,
)
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.arrays import VecN
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, copied
from equipoise.core.setting import Setting, Settings

__all__ = ["ElevateConfig", "ElevateReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ElevateConfig(Settings):
    """Settings of the higher swing of a foot that hits something; for WARP1."""

    height: Annotated[
        float, Setting("Height added to the lift of the swing", "m", above=0.0)
    ] = 0.03
    time: Annotated[
        float,
        Setting(
            "Duration of contact after which the whole height is added", "s", above=0.0
        ),
    ] = 0.03
    load: Annotated[
        float,
        Setting("Load above which a swinging foot has hit something", "N", above=0.0),
    ] = 30.0


@final
@REFLEXES.register("elevate")
@dataclass(frozen=True)
class ElevateReflex(AbstractReflex[VecN]):
    """Reflex that lifts dragging feet; its state is the added height, (nl,) [m]."""

    config: ElevateConfig = field(default_factory=ElevateConfig)
    _elevate = cached_dispatch(lambda: elevate)

    def init(self, machine: LeggedMachine) -> VecN:
        """Return a state in which no foot goes higher."""
        return np.zeros(machine.legs)

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: VecN,
    ) -> tuple[SupportRequest, VecN]:
        """Return aims that lift what drags, and how much higher each foot goes."""
        extra, known, legs = state.copy(), estimate, copied(asked.legs)
        self._elevate(known.trunk, known.legs, stance.legs, self.settings, extra, legs)
        return SupportRequest(legs, asked.clock), extra

    def tell(self, state: VecN) -> Mapping[str, float]:
        """Return whether a foot goes higher."""
        return {"elevate_active": float(state.any())}


@compiled(allocates=False)
def elevate(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    settings: Records[ElevateConfig],
    extra: VecN,
    aims: Records[LegAim],
) -> None:
    """Raise the aims of feet that touch amid their swing, from 0.1 to 0.75 of it."""
    most = settings[0].height
    step = most * trunk[0].dt / settings[0].time
    for one in range(legs.shape[0]):
        leg = stance[one]
        u = leg.progress
        if leg.stands > 0.0:
            extra[one] = 0.0
        elif legs[one].load > settings[0].load and 0.1 < u < 0.75:
            extra[one] = min(most, extra[one] + step)
        if leg.stands == 0.0 and leg.late == 0.0:
            aims[one].place[2] += extra[one] * math.sin(math.pi * u)
