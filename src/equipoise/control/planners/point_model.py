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
from equipoise.control.gaits.margin_kernel import static_at
from equipoise.control.planners.leg_limits import LegLimits, allowed_share
from equipoise.control.records import GaitClock, LegEstimate, LegStance, TrunkEstimate
from equipoise.control.support.temporal import (
    FreeFoot,
    FreeRule,
    half_support,
    next_to_lift,
)
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
    """A way that ends at rest; velocities are forward, left and turn."""

    made: float = entry("when", "s")
    start: Vec3 = entry("velocity when it was made", "m/s", 3)
    bend: Vec3 = entry("acceleration of its first segment", "m/s^2", 3)
    bends: float = entry("for how long; then the velocity is kept", "s")
    lasts: float = entry("duration of the first segment", "s")
    stops: float = entry("deceleration of the second", "m/s^2")
    spins_down: float = entry("and of the turn", "rad/s^2")
    extra: float = entry("margin that it was made with beyond the least", "m")


class PointModel(FreeRule):
    """What the check goes by; the margin is kept at rest, at least."""

    is_free: float = entry("1 where legs step freely, else by the clock")
    stays: float = entry("1 where no leg steps at all")
    dt: float = entry("between samples", "s")
    cycle: float = entry("of the gait", "s")
    friction: float = entry("that feet are trusted to have")
    most: float = entry("share of the weight that a foot carries at most")
    short: float = entry("share of the weight by which forces may fall short")
    tilt_rate: float = entry("that missing moments may leave", "rad/s")
    keeps_margin: float = entry("1 where it is kept on the way, too")
    slack: float = entry("by which a foot that stands may be out of reach", "m")
    inertia: Array = entry("of the machine about its centre of mass", "kg m^2", 3, 3)


class PointLeg(FreeFoot):
    """A leg on its way through a plan."""

    foot: Vec3 = entry("where it stands, in W", "m", 3)
    raised: float = entry("for how long it has been in the air", "s")


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
    trunk, legs = known[0][0], known[1]
    points, feet, places = room
    yaw = math.atan2(trunk.R_WB[1, 0], trunk.R_WB[0, 0])
    axes = ground_axes(legs, yaw)
    x, y = begin(trunk, legs, stance[0], points)
    phase = stance[1][0].phase
    lx, ly = 0.0, 0.0  # turn rates that missing moments have left
    for k in range(SAMPLES):
        (vx, vy, w), (ax, ay, _) = planned_velocity(plan, k * model.dt)
        share = phase + k * model.dt / model.cycle
        ends = k * model.dt > plan.lasts and vx == 0.0 and vy == 0.0 and w == 0.0
        pose = (x, y, yaw)
        if model.stays > 0.0:
            pass
        elif model.is_free > 0.0:
            step_freely(pose, (vx, vy, w), trunk, model, limits, points, places)
        else:
            step_by_clock(pose, (vx, vy, w), share, model, limits, points)
        if not are_reached(pose, model, limits, points):
            return REACH
        if allowed_transfer((vx, vy, w), model, limits) < 1.0:
            return TRANSFER
        c, s = math.cos(yaw), math.sin(yaw)
        bend = (c * ax - s * ay - w * (s * vx + c * vy),
                s * ax + c * ay + w * (c * vx - s * vy))  # fmt: skip
        ask_point(trunk, pose, bend, model, axes, points, (wrench, feet))
        distribute(wrench[0], feet, miss[0])
        weight = GRAVITY * trunk.mass
        for i in range(3):
            if abs(miss[0].force[i]) > model.short * weight:
                return FORCE
        lx = left_turning(lx, miss[0].moment[0], model.inertia[0, 0], model.dt)
        ly = left_turning(ly, miss[0].moment[1], model.inertia[1, 1], model.dt)
        if max(abs(lx), abs(ly)) > model.tilt_rate:
            return TILT
        if ends or model.keeps_margin > 0.0:
            if rests(pose, points, places) < model.margin + plan.extra:
                return MARGIN
        if ends:
            return FEASIBLE
        x += (c * vx - s * vy) * model.dt
        y += (s * vx + c * vy) * model.dt
        yaw += w * model.dt
    return MARGIN


@compiled(allocates=False)
def left_turning(rate: float, missing: float, inertia: float, dt: float) -> float:
    """Return the turn rate that missing moments leave; none once none is missing."""
    turned = missing * dt / inertia
    return rate + turned if abs(turned) > 1e-6 else 0.0


@compiled(allocates=False)
def begin(
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    points: Records[PointLeg],
) -> tuple[float, float]:
    """Put the feet where they are; return where in W the trunk is."""
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
            half = (0.5 * limit.duty - since) * model.cycle
            put_ahead(pose, velocity, half, limit, point)
        point.stands = 1.0 if stands else 0.0


@compiled(allocates=False)
def put_ahead(
    pose: Three, velocity: Three, half: float, limit: LegLimits, point: PointLeg
) -> None:
    """Put a foot where the trunk will have it amid its workspace some time later."""
    x, y, yaw = pose
    c, s = math.cos(yaw), math.sin(yaw)
    a = limit.place[0] + half * (velocity[0] - velocity[2] * limit.place[1])
    b = limit.place[1] + half * (velocity[1] + velocity[2] * limit.place[0])
    point.foot[0], point.foot[1] = x + c * a - s * b, y + s * a + c * b


@compiled(allocates=False)
def step_freely(
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
            point.raised += model.dt
            if point.raised >= model.swing:
                half = half_support(limits[one], velocity)
                put_ahead(pose, velocity, half, limits[one], point)
                point.stands, point.raised = 1.0, 0.0
    are_reached(pose, model, limits, points)
    centre = (trunk.p_BC[0], trunk.p_BC[1])
    for _ in range(limits.shape[0]):
        one = next_to_lift(velocity, centre, model, limits, points, places)
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
    x, y, yaw = pose
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
            least, most = limit.lower[i] - model.slack, limit.upper[i] + model.slack
            fits = fits and least <= point.off[i] <= most
    return fits


@compiled(allocates=False)
def allowed_transfer(
    velocity: Three, model: PointModel, limits: Records[LegLimits]
) -> float:
    """Return the share of a velocity for which swinging feet come back in time."""
    vx, vy, w = velocity
    if model.stays > 0.0 or (vx == 0.0 and vy == 0.0 and w == 0.0):
        return 1.0
    return allowed_share(vx, vy, w, model.cycle, limits)


@compiled(allocates=False)
def ask_point(
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
        foot.grip, foot.least = model.friction, 0.0
        foot.most = model.most * weight if point.stands > 0.0 else 0.0


@compiled(allocates=False)
def rests(pose: Three, points: Records[PointLeg], places: Array) -> float:
    """Return the margin of the trunk over the feet that stand [m]."""
    count = 0
    for point in points:
        if point.stands > 0.0:
            places[count, 0] = point.foot[0] - pose[0]
            places[count, 1] = point.foot[1] - pose[1]
            count += 1
    return static_at(places, count)
