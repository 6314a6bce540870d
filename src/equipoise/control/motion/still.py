"""The trunk stays over its feet, at a given height and attitude.

Its centre of mass is brought over the middle of the footholds and kept there, whatever
velocity the goal has; heading is the one that it was first seen with.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, final

import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.control.observer.footing import middle_of_hips
from equipoise.control.observer.inertial import roll_pitch_yaw
from equipoise.control.parts import MOTIONS, AbstractMotion
from equipoise.control.records import LegEstimate, Travel, TrunkEstimate, TrunkPose
from equipoise.control.signals import Estimate, TrunkReference, WalkingStance
from equipoise.core.arrays import Array, Vec3
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry, pooled_empty_like
from equipoise.core.setting import Setting, Settings

__all__ = ["StillConfig", "StillMotion", "StillState"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class StillConfig(Settings):
    """Settings of where the trunk is held."""

    height: Annotated[
        float | None,
        Setting(
            "Height of the hips over the middle of the footholds",
            "m",
            above=0.0,
            usual="the machine's own",
        ),
    ] = None
    roll: Annotated[
        float, Setting("Roll of the trunk", "rad", least=-0.5, most=0.5)
    ] = 0.0
    pitch: Annotated[
        float, Setting("Pitch of the trunk", "rad", least=-0.5, most=0.5)
    ] = 0.0
    time: Annotated[
        float, Setting("Time constant with which the trunk gets there", "s", above=0.0)
    ] = 0.3


class StillState(Record):
    """Reference of the trunk on its way to rest."""

    p_WB: Vec3 = entry("place", "m", 3)
    rpy_WB: Vec3 = entry("roll, pitch and yaw", "rad", 3)
    begun: float = entry("1 from the first tick on")


@final
@MOTIONS.register("still")
@dataclass(frozen=True)
class StillMotion(AbstractMotion[Records[StillState]]):
    """Motion to a height and attitude over the feet, where the trunk stays."""

    made_for: ClassVar[str | None] = None
    config: StillConfig = field(default_factory=StillConfig)
    _stay = cached_dispatch(lambda: stay)

    def init(self, machine: LeggedMachine) -> Records[StillState]:
        """Return a reference that begins where the trunk is first seen."""
        return StillState.zeros()

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        state: Records[StillState],
    ) -> tuple[TrunkReference, Records[StillState]]:
        """Return the reference, and the next state."""
        trunk, legs = estimate.trunk, estimate.legs
        after, pose, places = (
            pooled_empty_like(state),
            TrunkPose.zeros(),
            np.empty((len(legs), 3)),
        )
        self._stay(trunk, legs, self.settings, state, after, pose, places)
        return TrunkReference(pose, places), after


@compiled(allocates=False)
def stay(
    trunks: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    settings: Records[StillConfig],
    before: Records[StillState],
    after: Records[StillState],
    poses: Records[TrunkPose],
    places: Array,
) -> None:
    """Draw the reference to where it is to stay, and write it."""
    after[0] = before[0]
    trunk, setting, state, nl = trunks[0], settings[0], after[0], legs.shape[0]
    height = setting.height or math.nan  # None is nan in a record
    height = trunk.height if math.isnan(height) else height
    p, rpy, p_BC = state.p_WB, state.rpy_WB, trunk.p_BC
    if state.begun == 0.0:
        p[0], p[1], p[2] = trunk.p_WB[0], trunk.p_WB[1], trunk.p_WB[2]
        rpy[0], rpy[1], rpy[2] = roll_pitch_yaw(trunk)
        state.begun = 1.0
    share = trunk.dt / (setting.time + trunk.dt)
    hip, x0 = middle_of_hips(legs)
    for i in range(3):
        middle, centre = 0.0, hip - height
        for leg in legs:
            middle += leg.foothold[i] / nl
        if i < 2:
            centre = 0.0
            for j in range(3):
                centre += trunk.R_WB[i, j] * p_BC[j]
        p[i] += share * (middle - centre - p[i])
    rpy[0] += share * (setting.roll - rpy[0])
    rpy[1] += share * (setting.pitch - rpy[1])
    for i in range(3):
        poses[0].p_WB[i], poses[0].rpy_WB[i] = p[i], rpy[i]
    down = height - hip + p_BC[2]  # from the feet up to the centre of mass
    for one in range(nl):
        own = legs[one].hip
        ahead = p_BC[0] - x0 + down * math.tan(rpy[1])
        places[one, 0] = own[0] + ahead
        places[one, 1] = own[1] + p_BC[1] - down * math.tan(rpy[0])
        places[one, 2] = hip - height
