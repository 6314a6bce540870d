"""Legs of the point model: feet that lift and land as a plan is gone along."""

import math

from equipoise.control.gaits.leg_limits import LegLimits
from equipoise.control.planners.stopping_config import StoppingConfig
from equipoise.control.records import LegEstimate, LegStance, TrunkEstimate
from equipoise.control.support.temporal import (
    FreeFoot,
    half_support,
    next_to_lift,
)
from equipoise.core.arrays import Array, Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = [
    "PointLeg",
    "PointModel",
    "are_reached",
    "begin_with_feet",
    "step_by_clock",
    "step_point_legs",
]

Three = tuple[float, float, float]


class PointModel(Record):
    """Settings of a check, with what follows from mode and machine."""

    config: StoppingConfig = entry("settings of the plans", kind=StoppingConfig)
    mode: float = entry("number of the mode that is wanted")
    is_free: float = entry("1 where legs step freely, else by the clock")
    stays: float = entry("1 where no leg steps at all")
    inertia: Array = entry("of the machine about its centre of mass", "kg m^2", 3, 3)


class PointLeg(FreeFoot):
    """Leg of the point model."""

    foot: Vec3 = entry("where it stands, in W", "m", 3)
    raised: float = entry("for how long it has been in the air", "s")


@compiled(allocates=False)
def begin_with_feet(
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    points: Records[PointLeg],
) -> tuple[float, float]:
    """Put the feet where they are; return the trunk's place in W."""
    for one in range(legs.shape[0]):
        leg, point = legs[one], points[one]
        point.stands, point.is_next = stance[one].stands, 1.0
        point.raised = stance[one].progress * stance[one].swing
        for i in range(3):
            R = trunk.R_WB[i]
            reach = R[0] * (leg.hip[0] + leg.foot[0]) + R[1] * (
                leg.hip[1] + leg.foot[1]
            )
            point.foot[i] = trunk.p_WB[i] + reach + R[2] * (leg.hip[2] + leg.foot[2])
    return trunk.p_WB[0], trunk.p_WB[1]


@compiled(allocates=False)
def step_by_clock(
    pose: Three,
    velocity: Three,
    share: float,
    model: PointModel,
    limits: Records[LegLimits],
    points: Records[PointLeg],
) -> None:
    """Lift and land feet as the gait has it."""
    for one in range(limits.shape[0]):
        limit, point = limits[one], points[one]
        since = (share - limit.phase) % 1.0
        stands = since < limit.duty
        if stands and point.stands == 0.0:
            half = (0.5 * limit.duty - since) * model.config.cycle
            _put_ahead(pose, velocity, half, limit, point)
        point.stands = 1.0 if stands else 0.0


@compiled(allocates=False)
def _put_ahead(
    pose: Three, velocity: Three, half: float, limit: LegLimits, point: PointLeg
) -> None:
    """Put a foot where the trunk will have it amid its workspace some time later."""
    x, y, yaw = pose
    c, s = math.cos(yaw), math.sin(yaw)
    a = limit.place[0] + half * (velocity[0] - velocity[2] * limit.place[1])
    b = limit.place[1] + half * (velocity[1] + velocity[2] * limit.place[0])
    point.foot[0], point.foot[1] = x + c * a - s * b, y + s * a + c * b


@compiled(allocates=False)
def step_point_legs(
    pose: Three,
    velocity: Three,
    trunk: TrunkEstimate,
    model: PointModel,
    limits: Records[LegLimits],
    points: Records[PointLeg],
    places: Array,
) -> None:
    """Lift and land feet by the time that each still has."""
    for one in range(limits.shape[0]):
        point = points[one]
        if point.stands == 0.0:
            point.raised += model.config.sample
            if point.raised >= model.config.swing:
                half = half_support(limits[one], velocity)
                _put_ahead(pose, velocity, half, limits[one], point)
                point.stands, point.raised = 1.0, 0.0
    are_reached(pose, model, limits, points)
    centre = (trunk.p_BC[0], trunk.p_BC[1])
    for _ in range(limits.shape[0]):
        one = next_to_lift(
            velocity, centre, model.config, False, limits, points, places
        )
        if one < 0:
            return
        points[one].stands, points[one].raised = 0.0, 0.0


@compiled(allocates=False)
def are_reached(
    pose: Three,
    model: PointModel,
    limits: Records[LegLimits],
    points: Records[PointLeg],
) -> bool:
    """Write where feet are in their workspaces; say whether all that stand are in."""
    (x, y, yaw), slack = pose, model.config.slack
    c, s = math.cos(yaw), math.sin(yaw)
    fits = True
    for one in range(limits.shape[0]):
        limit, point = limits[one], points[one]
        a, b = point.foot[0] - x, point.foot[1] - y
        point.off[0] = c * a + s * b - limit.place[0]
        point.off[1] = c * b - s * a - limit.place[1]
        if point.stands == 0.0:
            continue
        for i in range(2):
            least, most = limit.lower[i] - slack, limit.upper[i] + slack
            fits = fits and least <= point.off[i] <= most
    return fits
