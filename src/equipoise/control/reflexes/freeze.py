"""A machine that leans too far, or whose foot sensor fails, lifts no more legs.

The stop reflex: legs in the air still come down, and walking goes on when the trunk is
upright again and all feet feel.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, NamedTuple, final

import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.control.observer.inertial import roll_pitch_yaw
from equipoise.control.parts import REFLEXES, AbstractReflex
from equipoise.control.records import LegAim, LegEstimate, TrunkEstimate
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.arrays import VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Records, copied
from equipoise.core.setting import Setting, Settings

__all__ = ["FreezeConfig", "FreezeReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class FreezeConfig(Settings):
    """Limits beyond which no leg lifts; WARP1's trunk tilts by up to 0.1 rad."""

    tilt: Annotated[
        float,
        Setting(
            "Roll or pitch relative to the ground above which no leg lifts",
            "rad",
            above=0.0,
        ),
    ] = 0.25
    upright: Annotated[
        float, Setting("Roll and pitch below which legs lift again", "rad", above=0.0)
    ] = 0.12
    silent: Annotated[
        float,
        Setting(
            "Time after which a foot that feels nothing, unlike others, is "
            "taken to be mute",
            "s",
            above=0.0,
        ),
    ] = 0.05

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the two angles together."""
        if self.upright > self.tilt:
            yield f"upright must be <= tilt, {self.tilt!r}, got {self.upright!r}"


class FreezeState(NamedTuple):
    """State of the reflex between ticks."""

    leans: VecN
    """1 while the trunk leans too far, (1,)."""
    mute: VecN
    """For how long each foot has felt nothing while others do, (nl,) [s]."""


@final
@REFLEXES.register("freeze")
@dataclass(frozen=True)
class FreezeReflex(AbstractReflex[FreezeState]):
    """Reflex that vetoes lift-offs of a leaning or numb machine."""

    made_for: ClassVar[str | None] = None
    config: FreezeConfig = field(default_factory=FreezeConfig)

    def init(self, machine: LeggedMachine) -> FreezeState:
        """Return a state in which it is upright and all feel."""
        return FreezeState(np.zeros(1), np.zeros(machine.legs))

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: FreezeState,
    ) -> tuple[SupportRequest, FreezeState]:
        """Return a veto of every lift-off while something is amiss, and the state."""
        legs = copied(asked.legs)
        after = FreezeState(state.leans.copy(), state.mute.copy())
        _freeze(
            estimate.trunk,
            estimate.legs,
            self.settings,
            after.leans,
            after.mute,
            legs,
        )
        return SupportRequest(legs, asked.clock), after

    def tell(self, state: FreezeState) -> Mapping[str, float]:
        """Return whether no leg may lift."""
        is_mute = bool((state.mute > self.config.silent).any())
        return {"freeze_active": float(is_mute or state.leans[0] > 0.0)}


@compiled(allocates=False)
def _freeze(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    settings: Records[FreezeConfig],
    leans: VecN,
    mute: VecN,
    aims: Records[LegAim],
) -> None:
    """Advance what is amiss, and veto all legs if anything is."""
    setting = settings[0]
    roll, pitch, _ = roll_pitch_yaw(trunk[0])
    off = max(abs(roll), abs(pitch)) - _slope_of(legs)
    if not off <= setting.tilt:
        leans[0] = 1.0
    elif off < setting.upright:
        leans[0] = 0.0
    feels = False
    for leg in legs:
        feels = feels or not math.isnan(leg.load)
    is_frozen = leans[0] > 0.0
    for one in range(legs.shape[0]):
        is_mute = feels and math.isnan(legs[one].load)
        mute[one] = mute[one] + trunk[0].dt if is_mute else 0.0
        is_frozen = is_frozen or mute[one] > setting.silent
    if is_frozen:
        for aim in aims:
            aim.veto = 1.0


@compiled(allocates=False)
def _slope_of(legs: Records[LegEstimate]) -> float:
    """Return the steepest angle between two footholds [rad]: that of the ground."""
    steepest = 0.0
    for a in range(legs.shape[0]):
        for b in range(a):
            one, other = legs[a].foothold, legs[b].foothold
            x, y, rise = one[0] - other[0], one[1] - other[1], abs(one[2] - other[2])
            level = math.sqrt(x * x + y * y)
            if level > 0.1:
                steepest = max(steepest, math.atan(rise / level))
    return steepest
