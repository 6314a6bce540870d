"""What legs know about the trunk's attitude, and what standing still tells.

While a machine walks, its inclinometers feel every push of the legs, and not evenly:
impacts make their mean lie. But its feet know how fast the trunk moves. With v̄ the
velocity that the accelerometer gives, v̄' = R (a - a₀) - g, and e = v_legs - v̄, a tilt
error δ makes e grow by g × δ, so that

    v̄' += 3 p e,    turn by (3 p²/g) (-e_y, e_x, 0),    b -= (p³/g) (-e_y, e_x, 0)

bring tilt and gyro offset b right with the poles (s + p)³.

Feet that stand know how it has turned, too: with δ the turn about the upright by which
their places, seen from the trunk, best fall on their footholds,

    turn by 2 p δ,    b -= p² δ

bring heading and its gyro's offset right with the poles (s + p)².

While it rests, the accelerometer should read gravity as the inclinometers have it: what
it reads beside that is its offset a₀; and the heading's gyro should read zero. A large
machine still rocks then: by how much its feet have it speed up and turn is taken away.
"""

import math

from equipoise.control.observer.inertial import AttitudeState, turn_by
from equipoise.control.records import LegEstimate, TrunkEstimate
from equipoise.core.arrays import Vec3
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.records import Records, entry

__all__ = [
    "WALKED",
    "WalkingMemory",
    "learn_at_rest",
    "level_by_legs",
    "turn_to_footholds",
    "turned_by_feet",
]

WALKED = -1.0
"""In place of the time of rest: legs level from the first walk on, at rest too."""
SETTLE = 0.5  # of rest before anything is learnt [s]
LONGEST = 2.0  # over which offsets are averaged [s]


class WalkingMemory(AttitudeState):
    """Memory of the trunk observer of a walking machine."""

    felt: Vec3 = entry("velocity that the accelerometer gives, in W", "m/s", 3)
    offset: Vec3 = entry("of the accelerometer, in B", "m/s^2", 3)
    rested: float = entry("how long it rested; -1 once it has walked", "s")
    p_WB: Vec3 = entry("place of the trunk", "m", 3)
    v_WB: Vec3 = entry("its velocity", "m/s", 3)
    told: Vec3 = entry("its velocity as the standing feet have it, in W", "m/s", 3)
    seen: Vec3 = entry("its place as they have it", "m", 3)


@compiled(allocates=False)
def learn_at_rest(
    state: WalkingMemory, trunk: TrunkEstimate, is_still: bool, turns: float
) -> None:
    """Average the accelerometer's and the heading gyro's offsets at rest.

    Args:
        state: with this tick's readings; the offsets advance.
        trunk: its attitude.
        is_still: whether its trunk does not move; else by how much its velocity grows,
            as the feet have it, is no offset.
        turns: rate of its heading then, as the feet have it [rad/s].
    """
    dt, gyro, acceleration = state.dt, state.gyro, state.acceleration
    R, felt, told = trunk.R_WB, state.felt, state.told
    grows = (0.0, 0.0, 0.0)
    if not is_still:
        grows = (told[0] - felt[0], told[1] - felt[1], told[2] - felt[2])
    state.rested += dt
    for i in range(3):
        felt[i] = 0.0 if is_still else told[i]
    rested = state.rested - SETTLE
    if rested <= 0.0:
        return
    share = dt / min(max(rested, dt), LONGEST)
    if math.isfinite(gyro[2]):
        still = gyro[2] if is_still else gyro[2] - turns
        state.bias[2] += share * (still - state.bias[2])
    for i in range(3):
        if math.isfinite(acceleration[i]):
            off = acceleration[i] - GRAVITY * R[2, i]
            if not is_still:
                for j in range(3):
                    off -= R[j, i] * grows[j] / dt
            state.offset[i] += share * (off - state.offset[i])


@compiled(allocates=False)
def turned_by_feet(legs: Records[LegEstimate]) -> float:
    """Return how fast the trunk turns about its upright over feet that stand [rad/s].

    Args:
        legs: those that stand count, (nl,).
    """
    count, x0, y0, u0, v0 = 0.0, 0.0, 0.0, 0.0, 0.0
    for leg in legs:
        if leg.stood > 0.0:
            count += 1.0
            x0, y0 = x0 + leg.hip[0] + leg.foot[0], y0 + leg.hip[1] + leg.foot[1]
            u0, v0 = u0 + leg.foot_rate[0], v0 + leg.foot_rate[1]
    across, square = 0.0, 0.0
    for leg in legs:
        if leg.stood > 0.0:
            x, y = (
                leg.hip[0] + leg.foot[0] - x0 / count,
                leg.hip[1] + leg.foot[1] - y0 / count,
            )
            u, v = leg.foot_rate[0] - u0 / count, leg.foot_rate[1] - v0 / count
            across, square = across + x * v - y * u, square + x * x + y * y
    return -across / square if square > 0.0 else 0.0


@compiled(allocates=False)
def turn_to_footholds(
    pole: float,
    state: WalkingMemory,
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
) -> None:
    """Turn the heading to where standing feet agree with their footholds.

    Args:
        pole: p [1/s].
        state: with this tick's readings; advanced.
        trunk: its attitude.
        legs: those that stand count, (nl,).
    """
    R, dt, across, square = trunk.R_WB, state.dt, 0.0, 0.0
    count, x0, y0, u0, v0 = 0.0, 0.0, 0.0, 0.0, 0.0
    for leg in legs:
        if leg.stood > 0.0:
            a, b, c = leg.hip[0] + leg.foot[0], leg.hip[1] + leg.foot[1], leg.foot[2]
            c += leg.hip[2]
            count += 1.0
            x0 += R[0, 0] * a + R[0, 1] * b + R[0, 2] * c
            y0 += R[1, 0] * a + R[1, 1] * b + R[1, 2] * c
            u0, v0 = u0 + leg.foothold[0], v0 + leg.foothold[1]
    for leg in legs:
        if leg.stood > 0.0:
            a, b, c = leg.hip[0] + leg.foot[0], leg.hip[1] + leg.foot[1], leg.foot[2]
            c += leg.hip[2]
            x = R[0, 0] * a + R[0, 1] * b + R[0, 2] * c - x0 / count
            y = R[1, 0] * a + R[1, 1] * b + R[1, 2] * c - y0 / count
            u, v = leg.foothold[0] - u0 / count, leg.foothold[1] - v0 / count
            across, square = across + x * v - y * u, square + x * x + y * y
    if square == 0.0:
        return
    off = across / square
    turn = 2.0 * pole * dt * off
    turn_by(state.quat_WB, turn * R[2, 0], turn * R[2, 1], turn * R[2, 2])
    state.bias[2] -= pole * pole * dt * off


@compiled(allocates=False)
def level_by_legs(
    is_standing: bool, pole: float, state: WalkingMemory, trunk: TrunkEstimate
) -> None:
    """Turn the attitude to where the legs' velocity agrees with the accelerometer.

    Args:
        is_standing: whether any foot is, and so tells the trunk's velocity.
        pole: p [1/s].
        state: with this tick's readings; advanced.
        trunk: its attitude.
    """
    state.rested = WALKED
    dt, R, felt, bias = state.dt, trunk.R_WB, state.felt, state.bias
    x = state.acceleration[0] - state.offset[0]
    y = state.acceleration[1] - state.offset[1]
    z = state.acceleration[2] - state.offset[2]
    if not math.isfinite(x + y + z):
        return
    for i in range(3):
        gain = R[i, 0] * x + R[i, 1] * y + R[i, 2] * z
        felt[i] += dt * (gain - (GRAVITY if i == 2 else 0.0))
    if not is_standing:
        return
    told = state.told
    a, b, c = told[0] - felt[0], told[1] - felt[1], told[2] - felt[2]
    felt[0] += 3.0 * pole * dt * a
    felt[1] += 3.0 * pole * dt * b
    felt[2] += 3.0 * pole * dt * c
    size = pole * pole / GRAVITY * dt
    u = -b * R[0, 0] + a * R[1, 0]
    v = -b * R[0, 1] + a * R[1, 1]
    w = -b * R[0, 2] + a * R[1, 2]
    turn_by(state.quat_WB, 3.0 * size * u, 3.0 * size * v, 3.0 * size * w)
    bias[0] -= pole * size * u
    bias[1] -= pole * size * v
    bias[2] -= pole * size * w
