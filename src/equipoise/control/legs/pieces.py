"""Polynomials of fifth order and the pieces that legs follow; see ``leg_programs``."""

import math
from dataclasses import dataclass
from typing import Annotated, final

from equipoise.control.forces.own_weight import own_weight
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.legs.stepping import hold_by_spring, seen_at_landing
from equipoise.control.legs.swing import Swing
from equipoise.control.records import (
    LegAim,
    LegBalance,
    LegEstimate,
    LegStance,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.core.arrays import Array, Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = [
    "QuinticConfig",
    "QuinticSwing",
    "keep_standing",
    "quintic",
    "swing_by_pieces",
]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class QuinticConfig(Settings):
    """Settings of the swing; the defaults are the Adaptive Suspension Vehicle's."""

    lift: Annotated[
        float,
        Setting("Height of the foot over the higher of its footholds", "m", above=0.0),
    ] = 0.2
    rising: Annotated[
        float, Setting("Share of a swing in which the foot rises", least=0.1, most=0.5)
    ] = 0.45
    lowering: Annotated[
        float,
        Setting("Share of a swing in which the foot is lowered", least=0.1, most=0.5),
    ] = 0.45
    touch_speed: Annotated[
        float,
        Setting("Downward speed at which the foot meets the ground", "m/s", least=0.0),
    ] = 0.2
    piece: Annotated[
        float, Setting("Duration of a piece of second order", "s", above=0.0)
    ] = 0.05
    bias_time: Annotated[
        float,
        Setting(
            "Time constant with which a leg's force offset is learnt", "s", above=0.0
        ),
    ] = 5.0
    most_bias: Annotated[float, Setting("Largest force offset", "N", least=0.0)] = (
        2000.0
    )
    inertia: Annotated[
        float, Setting("Share of the legs' inertia that is fed forward", least=0.0)
    ] = 1.0
    keep: Annotated[
        float,
        Setting(
            "Damping of a standing foot's motion over the ground", "N s/m", least=0.0
        ),
    ] = 4000.0
    sink: Annotated[
        float,
        Setting(
            "Largest sag of the trunk by which feet are lifted higher", "m", above=0.0
        ),
    ] = 0.18


class QuinticSwing(Swing):
    """Memory of one leg's swing by pieces."""

    rate: Vec3 = entry("velocity with which it left, seen from the trunk", "m/s", 3)
    since: float = entry("for how long the present piece has been followed", "s")
    place: Vec3 = entry("where the piece begins, seen from the trunk", "m", 3)
    velocity: Vec3 = entry("with which it begins", "m/s", 3)
    bend: Vec3 = entry("its acceleration", "m/s^2", 3)
    bias: Vec3 = entry("offset that the leg has learnt", "N", 3)


@compiled(allocates=False)
def quintic(
    x0: float, v0: float, x1: float, v1: float, T: float, s: float
) -> tuple[float, float]:
    """Return place and velocity of a segment whose ends are not accelerated.

    Args:
        x0: where it begins [m].
        v0: with which velocity [m/s].
        x1: where it ends [m].
        v1: with which velocity [m/s].
        T: how long it lasts [s].
        s: share of it that is over, 0 to 1.
    """
    d = x1 - x0
    a = 10.0 * d - (6.0 * v0 + 4.0 * v1) * T
    b = -15.0 * d + (8.0 * v0 + 7.0 * v1) * T
    c = 6.0 * d - 3.0 * (v0 + v1) * T
    at = x0 + s * (v0 * T + s * s * (a + s * (b + s * c)))
    rate = v0 + s * s * (3.0 * a + s * (4.0 * b + s * 5.0 * c)) / T
    return at, rate


@compiled(allocates=False)
def _over_ground(trunk: TrunkEstimate, leg: LegEstimate) -> tuple[float, float, float]:
    """Return the velocity in B of the ground below a foot, seen from the trunk."""
    R, v, w = trunk.R_WB, trunk.v_WB, trunk.w_WB_B
    x, y, z = (
        leg.hip[0] + leg.foot[0],
        leg.hip[1] + leg.foot[1],
        leg.hip[2] + leg.foot[2],
    )
    return (
        -(R[0, 0] * v[0] + R[1, 0] * v[1] + R[2, 0] * v[2]) - w[1] * z + w[2] * y,
        -(R[0, 1] * v[0] + R[1, 1] * v[1] + R[2, 1] * v[2]) - w[2] * x + w[0] * z,
        -(R[0, 2] * v[0] + R[1, 2] * v[1] + R[2, 2] * v[2]) - w[0] * y + w[1] * x,
    )


@compiled(allocates=False)
def keep_standing(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    balance: Records[LegBalance],
    settings: tuple[Records[QuinticConfig], Records[LegLawConfig]],
    before: Records[QuinticSwing],
    after: Records[QuinticSwing],
    aims: Records[LegAim],
) -> None:
    """Write the forces of standing feet, and begin the swing of others."""
    setting, law = settings[0][0], settings[1][0]
    for one in range(legs.shape[0]):
        leg, swing, aim = legs[one], after[one], aims[one]
        stands = stance[one].stands > 0.0
        ground = _over_ground(trunk[0], leg)
        hold_by_spring(law, stands, balance[one], aim)
        if stands:
            weight = own_weight(trunk[0], leg)
            for i in range(3):
                slides = leg.foot_rate[i] - ground[i]
                share = 1.0 - balance[one].spring[i]
                aim.force[i] += share * (weight[i] - setting.keep * slides)
        elif before[one].stood > 0.0:
            swing.since = setting.piece  # a piece is due
            for i in range(3):
                swing.left[i] = leg.hip[i] + leg.foot[i]
                swing.rate[i] = leg.foot_rate[i]


@compiled(allocates=False)
def swing_by_pieces(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    poses: Records[TrunkPose],
    told: tuple[Array, Records[LegBalance], Array],
    settings: Records[QuinticConfig],
    swings: Records[QuinticSwing],
    aims: Records[LegAim],
) -> None:
    """Write the aims of swinging feet along the pieces of their way."""
    (places, balance, moved), setting, dt = told, settings[0], trunk[0].dt
    for one in range(legs.shape[0]):
        leg, aim, swing, step = legs[one], aims[one], swings[one], stance[one]
        if step.stands > 0.0:
            continue
        _write_landing(
            leg, step, poses[0], places[one], balance[one], setting, swing, aim
        )
        ground = _over_ground(trunk[0], leg)
        if swing.since >= setting.piece - 0.5 * dt or step.late > 0.0:
            _next_piece(leg, step, setting, ground, swing, aim)
        t = swing.since
        for i in range(3):
            aim.velocity[i] = swing.velocity[i] + swing.bend[i] * t
            at = swing.place[i] + (swing.velocity[i] + 0.5 * swing.bend[i] * t) * t
            aim.place[i], aim.bend[i] = at - leg.hip[i], swing.bend[i]
        swing.since += dt
        _feed_forward(trunk[0], leg, moved[one], setting, swing, aim)


@compiled(allocates=False)
def _write_landing(
    leg: LegEstimate,
    step: LegStance,
    pose: TrunkPose,
    place: Vec3,
    balance: LegBalance,
    setting: QuinticConfig,
    swing: QuinticSwing,
    aim: LegAim,
) -> None:
    """Write where a foot is bound for: amid its support it shall be at its place."""
    c, s = math.cos(pose.rpy_WB[2]), math.sin(pose.rpy_WB[2])
    vx, vy = c * pose.path[0] + s * pose.path[1], c * pose.path[1] - s * pose.path[0]
    low = min(max(swing.low, -setting.sink), setting.sink)
    told = seen_at_landing(step, pose)
    for i in range(3):
        drift, shift = 0.0, low
        if i == 0:
            drift, shift = vx - pose.yaw_rate * place[1], balance.shift[0]
        elif i == 1:
            drift, shift = vy + pose.yaw_rate * place[0], balance.shift[1]
        goal = place[i] + 0.5 * step.support * drift + shift
        if math.isfinite(told[i]):
            goal = told[i] + shift
        aim.landing[i] = goal - leg.hip[i]


@compiled(allocates=False)
def _next_piece(
    leg: LegEstimate,
    step: LegStance,
    setting: QuinticConfig,
    ground: tuple[float, float, float],
    swing: QuinticSwing,
    aim: LegAim,
) -> None:
    """Evaluate the polynomial now and a piece later, and lay the piece between."""
    T, h = step.swing, setting.piece
    swing.since = 0.0
    for i in range(3):
        goal = aim.landing[i] + leg.hip[i]
        if step.late > 0.0:  # the ground carries its foothold
            swing.place[i] = goal + (ground[i] * step.late if i < 2 else 0.0)
            swing.velocity[i], swing.bend[i] = ground[i] if i < 2 else 0.0, 0.0
            continue
        s, left = step.progress, swing.left[i]
        rest = (1.0 - s) * T
        ahead = min(h, max(rest, 1e-3))
        if i < 2:
            x, v = quintic(left, swing.rate[i], goal, ground[i], T, s)
            y, _ = quintic(left, swing.rate[i], goal, ground[i], T, s + ahead / T)
        else:
            x, v = _upright(left, goal, step, setting, s)
            y, _ = _upright(left, goal, step, setting, s + ahead / T)
        swing.place[i], swing.velocity[i] = x, v
        swing.bend[i] = 2.0 * (y - x - v * ahead) / (ahead * ahead)


@compiled(allocates=False)
def _upright(
    left: float, goal: float, step: LegStance, setting: QuinticConfig, s: float
) -> tuple[float, float]:
    """Return height and upright velocity at a share of a swing: three segments."""
    lift = step.clearance if step.clearance > 0.0 else setting.lift
    top, T = max(left, goal) + lift, step.swing
    if s < setting.rising:
        return quintic(left, 0.0, top, 0.0, setting.rising * T, s / setting.rising)
    begins = 1.0 - setting.lowering
    if s < begins:
        return top, 0.0
    down, u = setting.lowering * T, min((s - begins) / setting.lowering, 1.0)
    return quintic(top, 0.0, goal, -setting.touch_speed, down, u)


@compiled(allocates=False)
def _feed_forward(
    trunk: TrunkEstimate,
    leg: LegEstimate,
    moved: Array,
    setting: QuinticConfig,
    swing: QuinticSwing,
    aim: LegAim,
) -> None:
    """Write what the leg's weight and inertia ask for, and what it has learnt."""
    weight, share = own_weight(trunk, leg), trunk.dt / setting.bias_time
    most = setting.most_bias
    for i in range(3):
        missing = aim.stiffness[i] * (aim.place[i] - leg.foot[i])
        more = swing.bias[i] + share * missing
        swing.bias[i] = min(max(more, -most), most)
        pull = 0.0
        for k in range(3):
            pull += moved[i, k] * aim.bend[k]
        aim.force[i] = setting.inertia * pull + weight[i] + swing.bias[i]
