"""The trunk follows the plan, at its height over the footholds.

Where the plan is silent, of height, roll and pitch, and before there is one, it does as
``stride`` does.
"""

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.control.motion.stride import (
    POSE,
    StrideConfig,
    StrideState,
    begin_stride,
    centre_over_feet,
    follow_slope,
    made_up,
    place_feet,
)
from equipoise.control.observer.footing import middle_of_hips
from equipoise.control.parts import MOTIONS, AbstractMotion
from equipoise.control.records import (
    GaitClock,
    LegEstimate,
    PlannedTrunk,
    Travel,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.control.signals import Estimate, TrunkReference, WalkingStance
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, pooled_empty_like

__all__ = ["FollowMotion", "at_knots"]


@final
@MOTIONS.register("follow")
@dataclass(frozen=True)
class FollowMotion(AbstractMotion[Records[StrideState]]):
    """Motion of the trunk along the plan."""

    needs: ClassVar[frozenset[str]] = frozenset({"plan"})
    gives: ClassVar[frozenset[str]] = frozenset({"followed plan"})
    config: StrideConfig = field(default_factory=StrideConfig)
    _follow = cached_dispatch(lambda: _follow_plan)
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
        after, pose = pooled_empty_like(state), pooled_empty_like(POSE)
        places, knots = np.empty((len(legs), 3)), estimate.plan.trunk
        self._follow(trunk, legs, stance.clock, knots, settings, state, after, pose)
        self._put_feet(trunk, legs, settings, after, places)
        return TrunkReference(pose, places), after


@compiled(allocates=False)
def _follow_plan(
    trunks: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    clocks: Records[GaitClock],
    knots: Records[PlannedTrunk],
    settings: Records[StrideConfig],
    before: Records[StrideState],
    after: Records[StrideState],
    poses: Records[TrunkPose],
) -> None:
    """Advance the reference and write it; arguments as in the class."""
    after[0] = before[0]
    state, trunk, pose, setting = after[0], trunks[0], poses[0], settings[0]
    p, R, rate = state.p_WB, trunk.R_WB, clocks[0].rate
    if state.begun == 0.0:
        begin_stride(trunk, math.atan2(R[1, 0], R[0, 0]), state)
    pose.yaw_rate = 0.0
    for i in range(3):
        pose.v_WB[i] = 0.0
    if knots.shape[0] == 0:
        centre_over_feet(trunk, legs, state)
    else:
        at_knots(clocks[0].time, knots, pose)
        state.yaw, pose.yaw_rate = pose.rpy_WB[2], rate * pose.yaw_rate
        for i in range(2):
            off = pose.p_WB[i] - trunk.p_WB[i]
            p[i] = trunk.p_WB[i] + min(max(off, -setting.leash), setting.leash)
            pose.v_WB[i] *= rate  # a clock that is held holds the trunk
    ground = follow_slope(trunk.dt, legs, setting, state)
    hip, _ = middle_of_hips(legs)
    level = ground + trunk.height - hip
    p[2] += trunk.dt / (0.1 + trunk.dt) * (level - p[2])
    is_told = knots.shape[0] > 0 and math.isfinite(pose.p_WB[2])
    if is_told:
        p[2] = pose.p_WB[2]
    pose.v_WB[2] = rate * pose.v_WB[2] if is_told else 0.0
    c, s = math.cos(state.yaw), math.sin(state.yaw)
    mx, my = made_up(trunk, setting, state)
    pose.p_WB[0], pose.p_WB[1] = p[0] + s * my - c * mx, p[1] - c * my - s * mx
    pose.p_WB[2] = p[2]
    pose.rpy_WB[0], pose.rpy_WB[1] = state.roll, state.pitch
    pose.rpy_WB[2] = state.yaw
    pose.path[0], pose.path[1] = pose.v_WB[0], pose.v_WB[1]


@compiled(allocates=False)
def at_knots(time: float, knots: Records[PlannedTrunk], pose: TrunkPose) -> None:
    """Write position, attitude and rates of the planned trunk at a time.

    Between knots places and angles are cubics with the knots' rates; beyond the last
    one they go on at its rates.

    Args:
        time: of the clock [s].
        knots: times ascending, (nk,).
        pose: overwritten.
    """
    last = knots.shape[0] - 1
    k = 0
    while k < last - 1 and knots[k + 1].time <= time:
        k += 1
    a, b = knots[k], knots[min(k + 1, last)]
    span = b.time - a.time
    if span <= 0.0 or time <= a.time or time >= b.time:
        end = b if time >= b.time else a
        rest = time - end.time if time > end.time else 0.0
        pose.yaw_rate = end.yaw_rate
        for i in range(3):
            pose.v_WB[i] = end.v_WB[i]
            pose.p_WB[i] = end.p_WB[i] + rest * end.v_WB[i]
            pose.rpy_WB[i] = end.rpy_WB[i]
        pose.rpy_WB[2] += rest * end.yaw_rate
        return
    u = (time - a.time) / span
    for i in range(3):
        at, rate = _cubic(u, span, a.p_WB[i], b.p_WB[i], a.v_WB[i], b.v_WB[i])
        pose.p_WB[i], pose.v_WB[i] = at, rate
        pose.rpy_WB[i] = (1.0 - u) * a.rpy_WB[i] + u * b.rpy_WB[i]
    pose.rpy_WB[2], pose.yaw_rate = _cubic(
        u, span, a.rpy_WB[2], b.rpy_WB[2], a.yaw_rate, b.yaw_rate
    )


@compiled(allocates=False)
def _cubic(
    u: float, span: float, a: float, b: float, va: float, vb: float
) -> tuple[float, float]:
    """Return value and rate of the cubic with given ends and rates at its ends.

    Args:
        u: share of the span.
        span: its duration [s].
        a: value at its start.
        b: value at its end.
        va: rate at its start.
        vb: rate at its end.
    """
    d, m0, m1 = b - a, span * va, span * vb
    c2, c3 = 3.0 * d - 2.0 * m0 - m1, m0 + m1 - 2.0 * d
    at = a + u * (m0 + u * (c2 + u * c3))
    return at, (m0 + u * (2.0 * c2 + u * 3.0 * c3)) / span
