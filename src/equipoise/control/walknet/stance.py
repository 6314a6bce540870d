"""Stance net: joints of a standing leg go on as they are being moved.

[Ridderstrom2003] section 3.4.1: no leg knows where the others are, yet all must move
their feet alike. So each joint is told the speed that it has, low-passed: whatever
moves the leg, the trunk or the others, it goes along and pushes in that direction. Two
joints of three do so; the one that lifts keeps the leg's height instead, or gravity
would move it too. Positive feedback by itself keeps any speed; by what the leg's own
speed misses it is made more or less,

    q' = y(e) LPF(q'),    y(e) = 1 + e  (e >= 0),  1 / (1 - e)  (e < 0)

and a leg that goes back too slowly is told a least speed, so that none walks backward.
Errors of heading are added after that.

The variant by inverse kinematics, ``lead_foot``, moves the foot over the ground as the
trunk shall go; it is more precise and just as local.
"""

import math
from dataclasses import dataclass
from typing import Annotated

from equipoise.control.records import LegAim, LegEstimate
from equipoise.control.walknet.fitted import NetWeights, answer
from equipoise.core.arrays import Vec3, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["NetLeg", "StanceNetConfig", "go_along", "hip_height", "lead_foot"]

SINGULAR = 1e-3  # determinant over that of the stand below which joints stay


@dataclass(frozen=True, kw_only=True, slots=True)
class StanceNetConfig(Settings):
    """Settings of the stance and height nets; the defaults are the TUM hexapod's."""

    filter_time: Annotated[
        float,
        Setting(
            "Time constant of the low-pass of the joint speeds fed back", "s", above=0.0
        ),
    ] = 0.05
    speed_gain: Annotated[
        float,
        Setting("Feedback added per share of the speed that is missing", least=0.0),
    ] = 2.0
    yielding: Annotated[
        float,
        Setting(
            "Share of the third joint's speed fed back: all of it lets legs "
            "creep sideways",
            least=0.0,
        ),
    ] = 0.8
    least: Annotated[
        float,
        Setting(
            "Smallest retraction speed of a standing leg, over the commanded one",
            least=0.0,
        ),
    ] = 0.7
    turn_gain: Annotated[float, Setting("Gain on the yaw rate error", least=0.0)] = 1.0
    heading_gain: Annotated[
        float, Setting("Yaw rate per heading error", "1/s", least=0.0)
    ] = 2.0
    height_rate: Annotated[
        float,
        Setting("Rate at which a leg's height error is corrected", "1/s", above=0.0),
    ] = 80.0
    place_rate: Annotated[
        float,
        Setting(
            "Rate at which the position error of a led foot is corrected",
            "1/s",
            above=0.0,
        ),
    ] = 50.0
    leash: Annotated[
        float,
        Setting(
            "Largest distance of a led foot's reference ahead of the foot",
            "m",
            above=0.0,
        ),
    ] = 0.02
    slowest: Annotated[
        float,
        Setting(
            "Speed below which speed errors are no longer relative", "m/s", above=0.0
        ),
    ] = 0.05


class NetLeg(Record):
    """Memory of one leg's nets."""

    rate: VecN = entry("of its joints, low-passed", "rad/s", "joints")
    held: VecN = entry("angles at which it rests", "rad", "joints")
    place: Vec3 = entry("that its foot is led along", "m", 3)
    heading: float = entry("that is missing to the left", "rad")
    target: VecN = entry("angles at which its swing ends", "rad", "joints")
    span: float = entry("from its target as its swing began", "rad")
    way: float = entry("of its foot to it, level", "m")
    asked: float = entry("of the joint that swings, at the last tick", "rad/s")
    stuck: float = entry("for how long it has been held up", "s")
    backs: float = entry("for how long it still goes back and up", "s")
    stood: float = entry("1 where it stood at the last tick")


@compiled(allocates=False)
def hip_height(q: VecN, own: NetWeights) -> float:
    """Return the height of a leg's hip over its foot by its height net [m]."""
    s = own.stand
    return answer(own.height, q[0] - s[0], q[1] - s[1], q[2] - s[2])


@compiled(allocates=False)
def activation(error: float) -> float:
    """Return y(e), by which what is fed back is multiplied."""
    return 1.0 + error if error >= 0.0 else 1.0 / (1.0 - error)


@compiled(allocates=False)
def go_along(
    leg: LegEstimate,
    state: NetLeg,
    own: NetWeights,
    wanted: tuple[float, float, float],
    height: float,
    setting: StanceNetConfig,
    aim: LegAim,
) -> None:
    """Command joints to go on at the speeds they have: the stance net.

    Args:
        leg: what is known of it.
        state: its low-passed speeds.
        own: its joints and nets.
        wanted: velocity of the trunk over its foot, forward and left [m/s], and the
            rate of turn that is missing [rad/s].
        height: of the hip over the foot that it shall have [m].
        setting: of the net.
        aim: the joints' rates are written.
    """
    ahead, aside, turn = wanted
    speed, goes = math.hypot(ahead, aside), 0.0
    for j in range(3):
        goes -= ahead * leg.jacobian[0, j] * state.rate[j]
        goes -= aside * leg.jacobian[1, j] * state.rate[j]
    over = max(speed, setting.slowest)
    more = activation(setting.speed_gain * (speed - goes / over) / over)
    yields = setting.yielding * min(more, 1.0)
    goes_on = (more, yields) if abs(ahead) >= abs(aside) else (yields, more)
    fore, bend = goes_on[0] * state.rate[own.fore], goes_on[1] * state.rate[own.bend]
    fore = _at_least(fore, -setting.least * ahead / own.ahead)
    aim.rate[own.fore] = fore + turn * (leg.hip[1] + leg.foot[1]) / own.ahead
    aim.rate[own.bend] = _at_least(bend, -setting.least * aside / own.out)
    low = height - hip_height(leg.q, own)
    aim.rate[own.lift] = -setting.height_rate * low / own.rise


@compiled(allocates=False)
def _at_least(rate: float, least: float) -> float:
    """Return a rate, or the least one where it is less in that direction."""
    return least if (rate - least) * least < 0.0 else rate


@compiled(allocates=False)
def lead_foot(
    leg: LegEstimate,
    state: NetLeg,
    own: NetWeights,
    wanted: tuple[float, float, float],
    height: float,
    setting: StanceNetConfig,
    aim: LegAim,
) -> None:
    """Command joint speeds that move the foot with the ground, by J⁻¹.

    Args:
        leg: what is known of it.
        state: the place that its foot is led along.
        own: its joints and nets.
        wanted: velocity of the trunk over its foot, forward and left [m/s], and the
            rate of turn that is missing [rad/s].
        height: of the hip over the foot that it shall have [m].
        setting: of the net.
        aim: the joints' rates are written.
    """
    rate, turn = setting.place_rate, wanted[2]
    x, y = leg.hip[0] + leg.foot[0], leg.hip[1] + leg.foot[1]
    vx = -wanted[0] + turn * y + rate * (state.place[0] - leg.foot[0])
    vy = -wanted[1] - turn * x + rate * (state.place[1] - leg.foot[1])
    vz = -setting.height_rate * (height - hip_height(leg.q, own))
    J = leg.jacobian
    a, b, c = J[0, 0], J[0, 1], J[0, 2]
    d, e, f = J[1, 0], J[1, 1], J[1, 2]
    g, h, i = J[2, 0], J[2, 1], J[2, 2]
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if abs(det) < SINGULAR * abs(own.ahead * own.rise * own.out):
        vx, vy, vz, det = 0.0, 0.0, 0.0, 1.0
    out = aim.rate
    out[0] = ((e * i - f * h) * vx + (c * h - b * i) * vy + (b * f - c * e) * vz) / det
    out[1] = ((f * g - d * i) * vx + (a * i - c * g) * vy + (c * d - a * f) * vz) / det
    out[2] = ((d * h - e * g) * vx + (b * g - a * h) * vy + (a * e - b * d) * vz) / det
