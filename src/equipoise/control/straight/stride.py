"""The trunk is carried along by the legs, as straight lines: ``motion.stride``."""

import math
from typing import NamedTuple

from equipoise.control.motion.stride import StrideConfig
from equipoise.control.straight.clock import RunningClock
from equipoise.control.straight.known import KnownLeg, KnownTrunk
from equipoise.control.straight.memory import TickMemory
from equipoise.control.straight.pilot import Wanted
from equipoise.equations.tape.functions import (
    atan2,
    cos,
    less,
    maximum,
    minimum,
    sin,
    sqrt,
    tan,
    where,
)
from equipoise.equations.tape.tape import Expr, Value
from equipoise.equations.tape.vectors import Vec, inner_product

__all__ = ["TrunkCourse", "clamped", "roll_pitch_yaw_expr", "stride_expr"]


class TrunkCourse(NamedTuple):
    """Reference of the trunk, and the places of feet under it."""

    p_WB: Vec
    rpy_WB: Vec
    v_WB: Vec
    yaw_rate: Expr
    path: tuple[Expr, Expr]
    """Velocity without sway."""
    places: list[Vec]
    """Of the feet amid their support, in B."""


def clamped(x: Expr, most: Value) -> Expr:
    """Return a number kept within limits of both signs."""
    return minimum(maximum(x, -most), most)


def _arcsine(x: Expr) -> Expr:
    """Return the angle whose sine is x, kept within -1 to 1."""
    x = clamped(x, 1.0)
    return atan2(x, sqrt(1.0 - x * x))


def roll_pitch_yaw_expr(trunk: KnownTrunk) -> tuple[Expr, Expr, Expr]:
    """Return roll, pitch and yaw of the trunk [rad].

    Args:
        trunk: what is known of it.
    """
    R = trunk.R_WB
    return atan2(R[2][1], R[2][2]), -_arcsine(R[2][0]), atan2(R[1][0], R[0][0])


def stride_expr(
    config: StrideConfig,
    settings: dict[str, Expr],
    trunk: KnownTrunk,
    legs: list[KnownLeg],
    clock: RunningClock,
    wanted: Wanted,
    memory: TickMemory,
) -> TrunkCourse:
    """Return the reference of the trunk, advanced, and the feet's places.

    Args:
        config: of the trunk's motion.
        settings: have its height and the feet's lead.
        trunk: what is known of it.
        legs: and of the legs.
        clock: by which they step.
        wanted: by the operator.
        memory: has the reference.
    """
    begun, dt = memory.read("stride.begun"), trunk.dt
    yaw_now = roll_pitch_yaw_expr(trunk)[2]
    place = _remembered("stride", trunk.p_WB, begun, memory)
    centre = _remembered("stride.centre", trunk.p_BC, begun, memory)
    yaw = where(begun, memory.read("stride.yaw", "rad"), yaw_now)
    sway = memory.read("stride.sway", "m") if config.sway else begun.tape.constant(0.0)
    place[:2], v = _carried_along(trunk, legs, clock, wanted, place)
    c, s = cos(yaw), sin(yaw)
    vx, vy = c * v[0] - s * v[1], s * v[0] + c * v[1]
    for i, (speed, aside) in enumerate(((vx, -(s * sway)), (vy, c * sway))):
        off = place[i] + speed * dt + aside - trunk.p_WB[i]
        place[i] = trunk.p_WB[i] - aside + clamped(off, config.leash)
    turned = _within_half_turn(yaw + v[2] * dt - yaw_now)
    yaw = yaw_now + clamped(turned, config.heading_leash)
    c, s = cos(yaw), sin(yaw)
    slope, ground = _follow_slope(config, trunk, legs, place, (c, s), begun, memory)
    hip = sum(leg.hip[2] for leg in legs) / len(legs)
    up = dt / (0.1 + dt) * (ground + settings["height"] - hip - place[2])
    place[2] = place[2] + clamped(up, config.rise * dt)
    sway, rate = _sway_of(config, clock, dt, memory)
    more = [config.steady * (trunk.p_BC[k] - centre[k]) for k in range(2)]
    for k, name in enumerate("xyz"):
        memory.write(f"stride.{name}", place[k])
        memory.write(f"stride.centre.{name}", centre[k])
    memory.write("stride.yaw", yaw)
    memory.write("stride.begun", 1.0)
    x = place[0] - s * (sway - more[1]) - c * more[0]
    y = place[1] + c * (sway - more[1]) - s * more[0]
    return TrunkCourse(
        (x, y, place[2]),
        (slope.roll, slope.pitch, yaw),
        (vx - s * rate, vy + c * rate, begun.tape.constant(0.0)),
        v[2],
        (vx, vy),
        _put_feet(config, settings, legs, slope, centre, more, sway),
    )


def _remembered(name: str, now: Vec, begun: Expr, memory: TickMemory) -> list[Expr]:
    """Return three numbers as the last tick left them; before the first, as now."""
    return [
        where(begun, memory.read(f"{name}.{k}", "m"), one)
        for k, one in zip("xyz", now, strict=True)
    ]


def _within_half_turn(angle: Expr) -> Expr:
    """Return an angle of less than two turns as one within half a turn [rad]."""
    angle = where(less(math.pi, angle), angle - math.tau, angle)
    return where(less(angle, -math.pi), angle + math.tau, angle)


def _carried_along(
    trunk: KnownTrunk,
    legs: list[KnownLeg],
    clock: RunningClock,
    wanted: Wanted,
    place: list[Expr],
) -> tuple[list[Expr], tuple[Expr, Expr, Expr]]:
    """Return the reference over the feet while nobody walks, and its velocity."""
    moved: list[Expr] = []
    for i in range(2):
        middle = legs[0].foothold[i]
        for leg in legs[1:]:
            middle = middle + leg.foothold[i]
        off = (
            middle * (1.0 / len(legs))
            - inner_product(trunk.R_WB[i], trunk.p_BC)
            - place[i]
        )
        still = place[i] + trunk.dt * clamped(2.0 * off, 0.2)
        moved.append(where(clock.walking, place[i], still))
    ahead, aside, turn = (where(clock.walking, v, 0.0) for v in wanted.velocity)
    return moved, (ahead, aside, turn)


class FollowedSlope(NamedTuple):
    """The slope of the ground, and what of it the trunk takes on."""

    up: Expr
    left: Expr
    pitch: Expr
    roll: Expr


def _follow_slope(
    config: StrideConfig,
    trunk: KnownTrunk,
    legs: list[KnownLeg],
    place: list[Expr],
    heading: tuple[Expr, Expr],
    begun: Expr,
    memory: TickMemory,
) -> tuple[FollowedSlope, Expr]:
    """Return the slope drawn to the footholds' plane, and its height at the trunk."""
    (x0, y0, z0), (up, left) = foothold_plane_expr(legs, *heading)
    share = trunk.dt / (config.slope_time + trunk.dt)
    R, c, s = trunk.R_WB, *heading
    found: list[Expr] = []
    starts = (_arcsine(R[2][0]), atan2(R[2][1], R[2][2]))
    for name, slope, start in zip(("up", "left"), (up, left), starts, strict=True):
        before = where(begun, memory.read(f"stride.{name}", "rad"), start)
        found.append(before + share * (atan2(slope, 1.0) - before))
        memory.write(f"stride.{name}", found[-1])
    beyond = [angle - clamped(angle, config.level_up_to) for angle in found]
    a, b = place[0] - x0, place[1] - y0
    ground = z0 + up * (c * a + s * b) + left * (c * b - s * a)
    return FollowedSlope(found[0], found[1], -beyond[0], beyond[1]), ground


def foothold_plane_expr(
    legs: list[KnownLeg], c: Expr, s: Expr
) -> tuple[list[Expr], tuple[Expr, Expr]]:
    """Return the footholds' middle, and their plane's slopes ahead and to the left."""
    share, zero = 1.0 / len(legs), c.tape.constant(0.0)
    middle: list[Expr] = []
    for i in range(3):
        total = legs[0].foothold[i]
        for leg in legs[1:]:
            total = total + leg.foothold[i]
        middle.append(share * total)
    xx, yy, xy, xz, yz = zero, zero, zero, zero, zero
    for leg in legs:
        a, b, z = (leg.foothold[i] - middle[i] for i in range(3))
        x, y = c * a + s * b, c * b - s * a
        xx, yy, xy = xx + x * x, yy + y * y, xy + x * y
        xz, yz = xz + x * z, yz + y * z
    det = xx * yy - xy * xy
    over = where(less(1e-6, det), 1 / maximum(det, 1e-6), 0.0)
    return middle, ((yy * xz - xy * yz) * over, (xx * yz - xy * xz) * over)


def _sway_of(
    config: StrideConfig, clock: RunningClock, dt: float, memory: TickMemory
) -> tuple[Expr, Expr]:
    """Return the sway to the left and its rate; zero where there is none."""
    zero = clock.phase.tape.constant(0.0)
    if config.sway == 0.0:
        return zero, zero
    before = memory.read("stride.swaying")
    swaying = before + clamped(clock.walking - before, 4.0 * dt / clock.cycle)
    memory.write("stride.swaying", swaying)
    angle = math.tau * (clock.phase - config.sway_phase)
    size, pace = config.sway * swaying, math.tau * clock.rate / clock.cycle
    aside = (9.0 * cos(angle) - cos(3.0 * angle)) * 0.125
    rate = (9.0 * sin(angle) - 3.0 * sin(3.0 * angle)) * 0.125
    memory.write("stride.sway", -size * aside)
    return -size * aside, size * rate * pace


def _put_feet(
    config: StrideConfig,
    settings: dict[str, Expr],
    legs: list[KnownLeg],
    slope: FollowedSlope,
    centre: list[Expr],
    more: list[Expr],
    sway: Expr,
) -> list[Vec]:
    """Return where feet belong under the trunk amid their support."""
    hip = sum(leg.hip[2] for leg in legs) / len(legs)
    x0 = sum(leg.hip[0] for leg in legs) / len(legs)
    height = settings["height"] - hip
    down = height + centre[2]
    lead = settings["stride.forward"]
    ahead = centre[0] - x0 + lead + down * tan(slope.pitch) + more[0]
    aside = centre[1] - down * tan(slope.roll) + more[1] - sway
    rises, falls = tan(slope.up + slope.pitch), tan(slope.left - slope.roll)
    found: list[Vec] = []
    for leg in legs:
        out = math.copysign(config.spread, leg.hip[1])
        rise = rises * (leg.hip[0] - x0) + falls * (leg.hip[1] + out)
        x, y = ahead + leg.hip[0], aside + (leg.hip[1] + out)
        found.append((x, y, rise - height))
    return found
