"""Can the machine do what a plan says: a point mass on feet, looked at every 50 ms.

A plan has two segments: for a while the velocity changes steadily, then it goes down to
rest, all three parts of it at once. Trunk and footholds are led through both as the
gait has it. At every sample each standing foot must be within its leg's reach, each
swinging one must be able to come back in time, and the feet must be able to give what
the mass asks for (``forces.two_step``): within 5 % of the weight in force, and in
moment so that what is missing never turns the trunk faster than the servo takes out
again. Where strides are longer than the legs are apart, the mass is outside of a tripod
for a moment at each change of feet, whatever is planned: S = (n/2 - 1) P +
(1 - 3/(4 β)) R of the wave gaits. At the end it must stand with a margin.
"""

import math

from equipoise.control.forces.servo import ground_axes
from equipoise.control.forces.two_step import (
    FootForce,
    ForceMiss,
    TrunkWrench,
    distribute,
)
from equipoise.control.gaits.leg_limits import LegLimits, allowed_share
from equipoise.control.gaits.margin_kernel import static_at
from equipoise.control.planners.point_legs import (
    PointLeg,
    PointModel,
    are_reached,
    begin_with_feet,
    step_by_clock,
    step_point_legs,
)
from equipoise.control.records import GaitClock, LegEstimate, LegStance, TrunkEstimate
from equipoise.core.arrays import Array, Vec3
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = [
    "REASONS",
    "PointLeg",
    "PointModel",
    "StopPlan",
    "planned_velocity",
    "try_plan",
]

REASONS = ("feasible", "reach", "transfer", "force", "tilt", "margin")
"""Why a plan cannot be, by what ``try_plan`` returns."""
FEASIBLE, REACH, TRANSFER, FORCE, TILT, MARGIN = range(6)
SAMPLES = 400  # at most; beyond, a plan is taken not to end

Three = tuple[float, float, float]


class StopPlan(Record):
    """Plan that ends at rest; velocities are forward, left and turn."""

    made: float = entry("when", "s")
    start: Vec3 = entry("velocity when it was made", "m/s", 3)
    bend: Vec3 = entry("acceleration of its first segment", "m/s^2", 3)
    bends: float = entry("for how long; then the velocity is kept", "s")
    lasts: float = entry("duration of the first segment", "s")
    stops: float = entry("deceleration of the second", "m/s^2")
    spins_down: float = entry("and of the turn", "rad/s^2")
    extra: float = entry("margin that it was made with beyond the least", "m")


@compiled(allocates=False)
def planned_velocity(plan: StopPlan, t: float) -> tuple[Three, Three]:
    """Return velocity and acceleration a time after a plan was made.

    Args:
        plan: in force.
        t: since it was made [s].
    """
    v, a = plan.start, plan.bend
    T = min(t, plan.bends)
    x, y, w = v[0] + a[0] * T, v[1] + a[1] * T, v[2] + a[2] * T
    if t < plan.lasts:
        if t < plan.bends:
            return (x, y, w), (a[0], a[1], a[2])
        return (x, y, w), (0.0, 0.0, 0.0)
    lasts = max(math.hypot(x, y) / plan.stops, abs(w) / plan.spins_down, 1e-9)
    left = 1.0 - (t - plan.lasts) / lasts
    if left <= 0.0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    return (x * left, y * left, w * left), (-x / lasts, -y / lasts, -w / lasts)


@compiled(allocates=False)
def try_plan(
    known: tuple[Records[TrunkEstimate], Records[LegEstimate]],
    stance: tuple[Records[LegStance], Records[GaitClock]],
    plan: StopPlan,
    model: PointModel,
    limits: Records[LegLimits],
    room: tuple[Records[PointLeg], Records[FootForce], Array],
    wrench: Records[TrunkWrench],
    miss: Records[ForceMiss],
) -> int:
    """Return why a plan cannot be, an index of ``REASONS``; 0 where it can.

    Args:
        known: trunk and legs now, (1,) and (nl,).
        stance: legs and clock now, (nl,) and (1,).
        plan: to try.
        model: what the check goes by.
        limits: of the legs, (nl,).
        room: legs, forces and places, (nl,), (nl,) and (nl, 2); overwritten.
        wrench: room for one.
        miss: room for one.
    """
    trunk, legs, dt = known[0][0], known[1], model.config.sample
    points, feet, places = room
    yaw = math.atan2(trunk.R_WB[1, 0], trunk.R_WB[0, 0])
    axes = ground_axes(legs, yaw)
    x, y = begin_with_feet(trunk, legs, stance[0], points)
    phase = stance[1][0].phase
    lx, ly = 0.0, 0.0  # turn rates that missing moments have left
    for k in range(SAMPLES):
        (vx, vy, w), (ax, ay, _) = planned_velocity(plan, k * dt)
        share = phase + k * dt / model.config.cycle
        ends = k * dt > plan.lasts and vx == 0.0 and vy == 0.0 and w == 0.0
        pose = (x, y, yaw)
        if model.stays > 0.0:
            pass
        elif model.is_free > 0.0:
            step_point_legs(pose, (vx, vy, w), trunk, model, limits, points, places)
        else:
            step_by_clock(pose, (vx, vy, w), share, model, limits, points)
        if not are_reached(pose, model, limits, points):
            return REACH
        if _allowed_transfer((vx, vy, w), model, limits) < 1.0:
            return TRANSFER
        c, s = math.cos(yaw), math.sin(yaw)
        bend = (c * ax - s * ay - w * (s * vx + c * vy),
                s * ax + c * ay + w * (c * vx - s * vy))  # fmt: skip
        _ask_point(trunk, pose, bend, model, axes, points, (wrench, feet))
        distribute(wrench[0], feet, miss[0])
        weight = GRAVITY * trunk.mass
        for i in range(3):
            if abs(miss[0].force[i]) > model.config.short * weight:
                return FORCE
        lx = _left_turning(lx, miss[0].moment[0], model.inertia[0, 0], dt)
        ly = _left_turning(ly, miss[0].moment[1], model.inertia[1, 1], dt)
        if max(abs(lx), abs(ly)) > model.config.tilt_rate:
            return TILT
        if ends or model.config.keeps_margin:
            if _rests(pose, points, places) < model.config.margin + plan.extra:
                return MARGIN
        if ends:
            return FEASIBLE
        x += (c * vx - s * vy) * dt
        y += (s * vx + c * vy) * dt
        yaw += w * dt
    return MARGIN


@compiled(allocates=False)
def _left_turning(rate: float, missing: float, inertia: float, dt: float) -> float:
    """Return the turn rate that missing moments leave; none once none is missing."""
    turned = missing * dt / inertia
    return rate + turned if abs(turned) > 1e-6 else 0.0


@compiled(allocates=False)
def _allowed_transfer(
    velocity: Three, model: PointModel, limits: Records[LegLimits]
) -> float:
    """Return the share of a velocity for which swinging feet come back in time."""
    vx, vy, w = velocity
    if model.stays > 0.0 or (vx == 0.0 and vy == 0.0 and w == 0.0):
        return 1.0
    return allowed_share(vx, vy, w, model.config.cycle, limits)


@compiled(allocates=False)
def _ask_point(
    trunk: TrunkEstimate,
    pose: Three,
    bend: tuple[float, float],
    model: PointModel,
    axes: tuple[Three, ...],
    points: Records[PointLeg],
    out: tuple[Records[TrunkWrench], Records[FootForce]],
) -> None:
    """Write what a point mass at a pose asks of the feet that stand there."""
    wrench, feet = out[0][0], out[1]
    x, y, yaw = pose
    c, s = math.cos(yaw), math.sin(yaw)
    cx, cy = (
        c * trunk.p_BC[0] - s * trunk.p_BC[1],
        s * trunk.p_BC[0] + c * trunk.p_BC[1],
    )
    n, m, high = axes[2], trunk.mass, trunk.height
    weight = GRAVITY * m
    for i in range(3):
        e = axes[i]
        wrench.force[i] = m * (e[0] * bend[0] + e[1] * bend[1] + e[2] * GRAVITY)
        wrench.moment[i] = 0.0
    for one in range(points.shape[0]):
        point, foot = points[one], feet[one]
        a, b = point.foot[0] - x - cx, point.foot[1] - y - cy
        down = -(n[0] * a + n[1] * b) / n[2] - high / n[2]  # on the feet's plane
        for i in range(3):
            e = axes[i]
            foot.arm[i] = e[0] * a + e[1] * b + e[2] * down
            foot.row[i], foot.level[i] = 0.0, 0.0
        foot.load, foot.would, foot.step, foot.weight = 0.0, 0.0, 0.0, 0.0
        foot.grip, foot.least = model.config.friction, 0.0
        foot.most = model.config.most * weight if point.stands > 0.0 else 0.0


@compiled(allocates=False)
def _rests(pose: Three, points: Records[PointLeg], places: Array) -> float:
    """Return the margin of the trunk over the feet that stand [m]."""
    count = 0
    for point in points:
        if point.stands > 0.0:
            places[count, 0] = point.foot[0] - pose[0]
            places[count, 1] = point.foot[1] - pose[1]
            count += 1
    return static_at(places, count)
