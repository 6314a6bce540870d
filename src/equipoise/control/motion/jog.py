"""The operator moves the trunk over feet that stay: precision footing.

Its reference goes with the velocity that is granted, forward, to the left and in
heading, from where it was first seen, level and at its height over the footholds. It is
kept on a leash to the trunk, as ``stride`` has it.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, final

import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.control.observer.footing import middle_of_hips
from equipoise.control.parts import MOTIONS, AbstractMotion
from equipoise.control.records import LegEstimate, Travel, TrunkEstimate, TrunkPose
from equipoise.control.signals import Estimate, TrunkReference, WalkingStance
from equipoise.core.arrays import Array, Vec3
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry, pooled_empty_like
from equipoise.core.setting import Setting, Settings

__all__ = ["JogConfig", "JogMotion", "JogState"]

POSE = TrunkPose.zeros()  # whose like is made at every tick


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class JogConfig(Settings):
    """Settings of the trunk's motion; the defaults are the ASV's."""

    leash: Annotated[
        float,
        Setting(
            "Largest horizontal distance of the reference from the trunk",
            "m",
            above=0.0,
        ),
    ] = 0.2
    heading_leash: Annotated[
        float, Setting("Largest heading error of the reference", "rad", above=0.0)
    ] = 0.15


class JogState(Record):
    """Reference of the jogged trunk."""

    p_WB: Vec3 = entry("place", "m", 3)
    yaw: float = entry("heading", "rad")
    begun: float = entry("1 from the first tick on")


@final
@MOTIONS.register("jog")
@dataclass(frozen=True)
class JogMotion(AbstractMotion[Records[JogState]]):
    """Motion of the trunk by hand, over feet that stay."""

    made_for: ClassVar[str | None] = "asv"
    config: JogConfig = field(default_factory=JogConfig)
    _jog = cached_dispatch(lambda: jog)

    def init(self, machine: LeggedMachine) -> Records[JogState]:
        """Return a reference that begins where the trunk is first seen."""
        return JogState.zeros()

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        state: Records[JogState],
    ) -> tuple[TrunkReference, Records[JogState]]:
        """Return the reference, and the next state."""
        after, pose = pooled_empty_like(state), pooled_empty_like(POSE)
        places, c = np.empty((len(estimate.legs), 3)), self.config
        after[0] = state[0]
        leashes = (c.leash, c.heading_leash)
        self._jog(estimate.trunk, estimate.legs, goal, leashes, after, pose, places)
        return TrunkReference(pose, places), after


@compiled(allocates=False)
def jog(
    trunks: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    goals: Records[Travel],
    leashes: tuple[float, float],
    states: Records[JogState],
    poses: Records[TrunkPose],
    places: Array,
) -> None:
    """Advance the reference and write it; arguments as in the class."""
    state, trunk, pose, v = states[0], trunks[0], poses[0], goals[0].velocity
    R, dt, p = trunk.R_WB, trunk.dt, state.p_WB
    yaw = math.atan2(R[1, 0], R[0, 0])
    if state.begun == 0.0:
        p[0], p[1], p[2] = trunk.p_WB[0], trunk.p_WB[1], trunk.p_WB[2]
        state.yaw, state.begun = yaw, 1.0
    off = (state.yaw + v[2] * dt - yaw + math.pi) % (2.0 * math.pi) - math.pi
    state.yaw = yaw + min(max(off, -leashes[1]), leashes[1])
    c, s = math.cos(state.yaw), math.sin(state.yaw)
    vx, vy = c * v[0] - s * v[1], s * v[0] + c * v[1]
    for i in range(2):
        off = p[i] + (vx if i == 0 else vy) * dt - trunk.p_WB[i]
        p[i] = trunk.p_WB[i] + min(max(off, -leashes[0]), leashes[0])
    ground = 0.0
    for leg in legs:
        ground += leg.foothold[2] / legs.shape[0]
    hip, _ = middle_of_hips(legs)
    p[2] += dt / (0.1 + dt) * (ground + trunk.height - hip - p[2])
    for i in range(3):
        pose.p_WB[i], pose.rpy_WB[i], pose.v_WB[i] = p[i], 0.0, 0.0
    pose.v_WB[0], pose.v_WB[1], pose.rpy_WB[2] = vx, vy, state.yaw
    pose.yaw_rate, pose.path[0], pose.path[1] = v[2], 0.0, 0.0
    for one in range(legs.shape[0]):
        own = legs[one].hip
        places[one, 0], places[one, 1] = own[0], own[1]
        places[one, 2] = own[2] - trunk.height
