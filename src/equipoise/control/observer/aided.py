"""What legs know about the trunk's attitude, and what standing still tells.

While a machine walks, its inclinometers feel every push of the legs, and not evenly:
impacts make their mean lie. But its feet know how fast the trunk moves. With v̄ the
velocity that the accelerometer gives, v̄' = R (a - a₀) - g, and e = v_legs - v̄, a tilt
error δ makes e grow by g × δ, so that

    v̄' += 3 p e,    turn by (3 p²/g) (-e_y, e_x, 0),    b -= (p³/g) (-e_y, e_x, 0)

bring tilt and gyro offset b right with the poles (s + p)³.

While it rests, the accelerometer should read gravity as the inclinometers have it: what
it reads beside that is its offset a₀; and the heading's gyro should read zero.
"""

import math

from equipoise.control.observer.attitude import BIAS, turn_by
from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled

__all__ = ["AIDED", "WALKED", "learn_at_rest", "level_by_legs"]

AIDED = 7
"""Numbers of the state: v̄, the accelerometer's offset a₀, and how long it rested."""
WALKED = -1.0
"""In place of the time of rest: legs level from the first walk on, at rest too."""
SETTLE = 0.5  # of rest before anything is learnt [s]
LONGEST = 2.0  # over which offsets are averaged [s]


@compiled(allocates=False)
def learn_at_rest(
    gyro: Vec3, acceleration: Vec3, dt: float, frame: Array, attitude: VecN, state: VecN
) -> None:
    """Average the accelerometer's and the heading gyro's offsets at rest.

    Args:
        gyro: reading [rad/s].
        acceleration: reading [m/s²].
        dt: control period [s].
        frame: rows R_WB and w_B, (4, 3).
        attitude: state of the attitude observer; the third gyro's offset advances.
        state: (7,); advanced.
    """
    state[6] += dt
    for i in range(3):
        state[i] = 0.0
    rested = state[6] - SETTLE
    if rested <= 0.0:
        return
    share = dt / min(max(rested, dt), LONGEST)
    if math.isfinite(gyro[2]):
        attitude[BIAS + 2] += share * (gyro[2] - attitude[BIAS + 2])
    for i in range(3):
        if math.isfinite(acceleration[i]):
            off = acceleration[i] - GRAVITY * frame[2, i]
            state[3 + i] += share * (off - state[3 + i])


@compiled(allocates=False)
def level_by_legs(
    acceleration: Vec3,
    legs: Vec3,
    is_standing: bool,
    dt: float,
    pole: float,
    frame: Array,
    attitude: VecN,
    state: VecN,
) -> None:
    """Turn the attitude to where the legs' velocity agrees with the accelerometer.

    Args:
        acceleration: reading [m/s²].
        legs: velocity of the trunk in W as standing feet have it [m/s].
        is_standing: whether any foot does.
        dt: control period [s].
        pole: p [1/s].
        frame: rows R_WB and w_B, (4, 3).
        attitude: state of the attitude observer; advanced.
        state: (7,); advanced.
    """
    state[6] = WALKED
    x = acceleration[0] - state[3]
    y = acceleration[1] - state[4]
    z = acceleration[2] - state[5]
    if not math.isfinite(x + y + z):
        return
    for i in range(3):
        gain = frame[i, 0] * x + frame[i, 1] * y + frame[i, 2] * z
        state[i] += dt * (gain - (GRAVITY if i == 2 else 0.0))
    if not is_standing:
        return
    a, b, c = legs[0] - state[0], legs[1] - state[1], legs[2] - state[2]
    state[0] += 3.0 * pole * dt * a
    state[1] += 3.0 * pole * dt * b
    state[2] += 3.0 * pole * dt * c
    size = pole * pole / GRAVITY * dt
    u = -b * frame[0, 0] + a * frame[1, 0]
    v = -b * frame[0, 1] + a * frame[1, 1]
    w = -b * frame[0, 2] + a * frame[1, 2]
    turn_by(attitude, 3.0 * size * u, 3.0 * size * v, 3.0 * size * w)
    attitude[BIAS] -= pole * size * u
    attitude[BIAS + 1] -= pole * size * v
    attitude[BIAS + 2] -= pole * size * w
