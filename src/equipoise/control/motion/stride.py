"""The trunk moves with the legs at the commanded velocity.

Its reference goes on at the commanded velocity from where it is; it is kept on a leash,
so that a machine that is held up or pushed is not pulled by an ever longer spring. Its
attitude is level, or the ground's where that is steep, as the footholds have it, and
its height is over their plane.
Feet belong under the centre of mass, on a slope downhill of the hips. A gait that
stands on three feet sways the trunk to the side away from the legs that swing.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, final

import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.control.observer.footing import foothold_plane, middle_of_hips
from equipoise.control.parts import MOTIONS, AbstractMotion
from equipoise.control.records import (
    GaitClock,
    LegEstimate,
    Travel,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.control.signals import Estimate, TrunkReference, WalkingStance
from equipoise.core.arrays import Array, Vec3
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry, pooled_empty_like
from equipoise.core.setting import Setting, Settings

__all__ = ["StrideConfig", "StrideMotion", "StrideState"]

POSE = TrunkPose.zeros()  # whose like is made at every tick


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class StrideConfig(Settings):
    """Settings of the trunk's motion; the defaults are WARP1's."""

    sway: Annotated[
        float,
        Setting(
            "Amplitude of the sway to each side, away from swinging legs; 0.06 "
            "m suits a crawl",
            "m",
            least=0.0,
        ),
    ] = 0.0
    sway_phase: Annotated[
        float,
        Setting(
            "Share of the cycle at which the trunk is farthest to the right", least=0.0
        ),
    ] = 0.0
    leash: Annotated[
        float,
        Setting(
            "Largest horizontal distance of the reference from the trunk",
            "m",
            above=0.0,
        ),
    ] = 0.05
    heading_leash: Annotated[
        float, Setting("Largest heading error of the reference", "rad", above=0.0)
    ] = 0.15
    level_up_to: Annotated[
        float,
        Setting(
            "Slope of the ground up to which the trunk stays level; it follows "
            "the rest of a steeper one",
            "rad",
            least=0.0,
        ),
    ] = 0.06
    slope_time: Annotated[
        float,
        Setting("Time constant with which the trunk follows the slope", "s", above=0.0),
    ] = 0.3
    forward: Annotated[
        float,
        Setting(
            "Forward offset of the feet from the centre of mass: legs that "
            "leave late push",
            "m",
            least=-0.3,
            most=0.3,
        ),
    ] = 0.017
    spread: Annotated[
        float,
        Setting("Outward offset of the feet from the hips", "m", least=-0.3, most=0.3),
    ] = 0.0
    rise: Annotated[
        float,
        Setting(
            "Largest speed at which the trunk is raised or lowered", "m/s", above=0.0
        ),
    ] = 100.0
    steady: Annotated[
        float,
        Setting(
            "Share of the centre of mass's motion by swinging legs that the "
            "trunk makes up for",
            least=0.0,
        ),
    ] = 0.0


class StrideState(Record):
    """Reference of the striding trunk."""

    p_WB: Vec3 = entry("place, sway left out", "m", 3)
    yaw: float = entry("heading", "rad")
    pitch: float = entry("that it has taken on of the slope", "rad")
    roll: float = entry("that it has taken on of the slope", "rad")
    up: float = entry("slope of the ground ahead, as the footholds have it", "rad")
    left: float = entry("slope of the ground to the left", "rad")
    centre: Vec3 = entry("of mass in B, where it began", "m", 3)
    sway: float = entry("to the left", "m")
    swaying: float = entry("how far the sway has begun, 0 to 1")
    begun: float = entry("1 from the first tick on")


@final
@MOTIONS.register("stride")
@dataclass(frozen=True)
class StrideMotion(AbstractMotion[Records[StrideState]]):
    """Motion of the trunk with the legs, at the commanded velocity."""

    config: StrideConfig = field(default_factory=StrideConfig)
    _stride = cached_dispatch(lambda: stride)
    _put_feet = cached_dispatch(lambda: place_feet)

    def init(self, machine: LeggedMachine) -> Records[StrideState]:
        """Return a reference that begins where the trunk is first seen."""
        return StrideState.zeros()

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        state: Records[StrideState],
    ) -> tuple[TrunkReference, Records[StrideState]]:
        """Return the reference, and the next state."""
        trunk, legs, settings = estimate.trunk, estimate.legs, self.settings
        after, pose, places = (
            pooled_empty_like(state),
            pooled_empty_like(POSE),
            np.empty((len(legs), 3)),
        )
        self._stride(trunk, legs, stance.clock, goal, settings, state, after, pose)
        self._put_feet(trunk, legs, settings, after, places)
        return TrunkReference(pose, places), after


@compiled(allocates=False)
def stride(
    trunks: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    clocks: Records[GaitClock],
    goals: Records[Travel],
    settings: Records[StrideConfig],
    before: Records[StrideState],
    after: Records[StrideState],
    poses: Records[TrunkPose],
) -> None:
    """Advance the reference and write it; arguments as in the class."""
    after[0] = before[0]
    state, trunk, clock, setting = after[0], trunks[0], clocks[0], settings[0]
    wanted, dt, p, R = goals[0].velocity, trunk.dt, state.p_WB, trunk.R_WB
    yaw = math.atan2(R[1, 0], R[0, 0])
    if state.begun == 0.0:
        begin_stride(trunk, yaw, state)
    c, s = math.cos(state.yaw), math.sin(state.yaw)
    ahead, aside, turn = wanted[0], wanted[1], wanted[2]
    if clock.walking == 0.0:
        centre_over_feet(trunk, legs, state)
        ahead, aside = 0.0, 0.0
    turn = turn if clock.walking > 0.0 else 0.0
    vx, vy = c * ahead - s * aside, s * ahead + c * aside
    p[0] += vx * dt
    p[1] += vy * dt
    for i in range(2):  # as far as the reference with its sway is off
        aside = -s * state.sway if i == 0 else c * state.sway
        off = p[i] + aside - trunk.p_WB[i]
        p[i] = trunk.p_WB[i] - aside + min(max(off, -setting.leash), setting.leash)
    off = (state.yaw + turn * dt - yaw + math.pi) % (2.0 * math.pi) - math.pi
    state.yaw = yaw + min(max(off, -setting.heading_leash), setting.heading_leash)
    c, s = math.cos(state.yaw), math.sin(state.yaw)
    ground = follow_slope(dt, legs, setting, state)
    hip, _ = middle_of_hips(legs)
    up = dt / (0.1 + dt) * (ground + trunk.height - hip - p[2])
    p[2] += min(max(up, -setting.rise * dt), setting.rise * dt)
    state.sway, rate = _sway_of(dt, clock, setting, state)
    mx, my = made_up(trunk, setting, state)
    pose = poses[0]
    pose.p_WB[0] = p[0] - s * (state.sway - my) - c * mx
    pose.p_WB[1] = p[1] + c * (state.sway - my) - s * mx
    pose.p_WB[2] = p[2]
    pose.rpy_WB[0], pose.rpy_WB[1] = state.roll, state.pitch
    pose.rpy_WB[2], pose.yaw_rate = state.yaw, turn
    pose.v_WB[0], pose.v_WB[1], pose.v_WB[2] = vx - s * rate, vy + c * rate, 0.0
    pose.path[0], pose.path[1] = vx, vy


@compiled(allocates=False)
def begin_stride(trunk: TrunkEstimate, yaw: float, state: StrideState) -> None:
    """Begin where the trunk is."""
    R = trunk.R_WB
    for i in range(3):
        state.p_WB[i], state.centre[i] = trunk.p_WB[i], trunk.p_BC[i]
    state.yaw, state.begun = yaw, 1.0
    state.up = math.asin(min(max(R[2, 0], -1.0), 1.0))
    state.left = math.atan2(R[2, 1], R[2, 2])


@compiled(allocates=False)
def made_up(
    trunk: TrunkEstimate, setting: StrideConfig, state: StrideState
) -> tuple[float, float]:
    """Return what the trunk makes up for of its centre of mass's own motion."""
    return (
        setting.steady * (trunk.p_BC[0] - state.centre[0]),
        setting.steady * (trunk.p_BC[1] - state.centre[1]),
    )


@compiled(allocates=False)
def centre_over_feet(
    trunk: TrunkEstimate, legs: Records[LegEstimate], state: StrideState
) -> None:
    """Move the reference so that the centre of mass comes over the feet's middle."""
    for i in range(2):
        middle, centre = 0.0, 0.0
        for leg in legs:
            middle += leg.foothold[i] / legs.shape[0]
        for j in range(3):
            centre += trunk.R_WB[i, j] * trunk.p_BC[j]
        off = middle - centre - state.p_WB[i]
        state.p_WB[i] += trunk.dt * min(max(2.0 * off, -0.2), 0.2)


@compiled(allocates=False)
def follow_slope(
    dt: float,
    legs: Records[LegEstimate],
    setting: StrideConfig,
    state: StrideState,
) -> float:
    """Draw the slope to the footholds' plane; return its height under the trunk."""
    c, s = math.cos(state.yaw), math.sin(state.yaw)
    (x0, y0, z0), (up, left) = foothold_plane(legs, c, s)
    share = dt / (setting.slope_time + dt)
    state.up += share * (math.atan(up) - state.up)
    state.left += share * (math.atan(left) - state.left)
    state.pitch = -_beyond(state.up, setting.level_up_to)
    state.roll = _beyond(state.left, setting.level_up_to)
    a, b = state.p_WB[0] - x0, state.p_WB[1] - y0
    return z0 + up * (c * a + s * b) + left * (c * b - s * a)


@compiled(allocates=False)
def _beyond(angle: float, free: float) -> float:
    """Return what an angle is beyond a limit, with its sign."""
    return math.copysign(max(abs(angle) - free, 0.0), angle)


@compiled(allocates=False)
def _sway_of(
    dt: float, clock: GaitClock, setting: StrideConfig, state: StrideState
) -> tuple[float, float]:
    """Return the sway to the left and its rate, begun and ended within a cycle.

    It is flat at its ends, (9 cos a - cos 3a) / 8: two legs swing while it lasts.
    """
    step = 4.0 * dt / clock.cycle
    state.swaying += min(max(clock.walking - state.swaying, -step), step)
    angle = 2.0 * math.pi * (clock.phase - setting.sway_phase)
    size, pace = setting.sway * state.swaying, 2.0 * math.pi * clock.rate / clock.cycle
    aside = (9.0 * math.cos(angle) - math.cos(3.0 * angle)) / 8.0
    rate = (9.0 * math.sin(angle) - 3.0 * math.sin(3.0 * angle)) / 8.0
    return -size * aside, size * rate * pace


@compiled(allocates=False)
def place_feet(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    settings: Records[StrideConfig],
    states: Records[StrideState],
    places: Array,
) -> None:
    """Write where feet belong under the trunk amid their support.

    Feet do not follow the trunk's own sway: their track is straight. They are put down
    where the slope that the trunk does not take on has the ground.
    """
    state, setting = states[0], settings[0]
    hip, x0 = middle_of_hips(legs)
    mx, my = made_up(trunk[0], setting, state)
    height, right = trunk[0].height - hip, my - state.sway
    down = height + state.centre[2]  # from the feet up to the centre of mass
    ahead = state.centre[0] - x0 + setting.forward + down * math.tan(state.pitch) + mx
    aside = state.centre[1] - down * math.tan(state.roll) + right
    for one in range(legs.shape[0]):
        own = legs[one].hip
        out = math.copysign(setting.spread, own[1])
        places[one, 0] = own[0] + ahead
        places[one, 1] = own[1] + out + aside
        rise = math.tan(state.up + state.pitch) * (own[0] - x0)
        rise += math.tan(state.left - state.roll) * (own[1] + out)
        places[one, 2] = rise - height
