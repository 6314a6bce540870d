"""Trunk attitude from gyros, inclinometers and an accelerometer.

The gyros, less their estimated offset b, turn the estimate; the inclinometers, slow as
they are, pull it level. Their lag is part of the model: y' = (angle - y) / T is run
beside the real one and the difference e of both is what corrects,

    angle' = w - b + k e,   b' = -k_b e,   y' = (angle - y) / T + l e

so that the errors die out with the poles (s + p)² (s + p_b) of one's choice:
k = T (p² + 2 p p_b), l = 2 p + p_b - 1/T, k_b = T p² p_b. Two sets (p, p_b) are used:
inclinometers feel the trunk's own acceleration, so while it moves abruptly, as the
accelerometer tells, they get far less say, [Ridderstrom2003] section 11.2.1 after
[Rehbinder2000]. The observer there is another one, with the same parts. A third set
finds the gyros' offsets quickly in the first calm seconds.

Heading comes from the gyro alone and is not corrected.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled

__all__ = [
    "ABRUPT",
    "BIAS",
    "SKIPPED",
    "AttitudeConfig",
    "AttitudeObserver",
    "observe_attitude",
    "turn_by",
]

QUATERNION = 0  # where in the state: w, x, y, z
BIAS = 4
"""Place in the state: the gyros' offset, three [rad/s]."""
MODEL = 7  # roll and pitch as the inclinometers should read
RATE = 9  # the last rate, offset taken away
CALM = 12  # specific force in W, slowly averaged
ABRUPT = 15
"""Place: for how long the trunk still counts as moving abruptly [s]."""
SKIPPED = 16
"""Place: how many readings were not numbers."""
STARTED = 17
SILENT = 18  # for how long the inclinometers have not read [s]
CALMED = 19  # for how long the trunk has moved smoothly in all [s]
QUICK = 20  # specific force in W, averaged a little
STATE = 23


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class AttitudeConfig:
    """Poles and thresholds; defaults suit WARP1's trunk sensors.

    Raises:
        ConfigError: a number that is not positive.
    """

    start_rate: float = 3.0
    """p at the start, while the gyros' offset is not known yet [1/s]."""
    start_bias_rate: float = 2.0
    """p_b then [1/s]."""
    start_time: float = 2.0
    """How long the start lasts; only smooth moves count [s]."""
    smooth_rate: float = 1.0
    """p while the trunk moves smoothly [1/s]."""
    smooth_bias_rate: float = 0.3
    """p_b then [1/s]."""
    abrupt_rate: float = 0.3
    """p while it moves abruptly [1/s]."""
    abrupt_bias_rate: float = 0.05
    """p_b then [1/s]."""
    inclinometer_lag: float = 0.3
    """T [s]."""
    largest_bias: float = 0.01
    """Offset of a gyro that is not believed to be surpassed [rad/s]."""
    abrupt_force: float = 0.2
    """Specific force beside its average above which a move is abrupt; it tilts the
    apparent vertical by 1.2 degrees [m/s²]."""
    abrupt_turn: float = 1.0
    """Rate of turn above which it is [rad/s]."""
    calm_time: float = 1.0
    """Over which the specific force is averaged [s]."""
    quick_time: float = 0.05
    """Over which what is compared with that is; quicker shaking the inclinometers do
    not feel [s]."""
    hold: float = 0.5
    """How long a move counts as abrupt after the last sign of it [s]."""

    def __post_init__(self) -> None:
        names = [name for name in self.__slots__ if name != "start_time"]
        expect_positive(self, *names)
        expect_positive(self, "start_time", zero=True)


@final
@dataclass(frozen=True)
class AttitudeObserver:
    """Estimates R_WB and w_B; its state is a flat array that the caller keeps."""

    config: AttitudeConfig = field(default_factory=AttitudeConfig)

    def init(self) -> VecN:
        """Return the state before the first readings, which then set the attitude."""
        state = np.zeros(STATE)
        state[QUATERNION] = 1.0
        return state

    def table(self) -> VecN:
        """Return what the kernel takes for the config, (18,)."""
        c = self.config
        T = c.inclinometer_lag
        sets = [
            [T * (p * p + 2 * p * b), 2 * p + b - 1 / T, T * p * p * b]
            for p, b in (
                (c.smooth_rate, c.smooth_bias_rate),
                (c.abrupt_rate, c.abrupt_bias_rate),
                (c.start_rate, c.start_bias_rate),
            )
        ]
        rest = [T, c.abrupt_force, c.abrupt_turn, c.calm_time, c.hold, c.smooth_rate]
        rest += [*sets[2], c.start_time, c.quick_time, c.largest_bias]
        return np.array([*sets[0], *sets[1], *rest])

    def step(
        self, gyro: Vec3, acceleration: Vec3, inclination: Array, dt: float, state: VecN
    ) -> tuple[Array, VecN]:
        """Return rows R_WB and w_B, (4, 3), and the next state; loops use the kernel.

        Args:
            gyro: rates of turn in B [rad/s].
            acceleration: specific force in B [m/s²].
            inclination: roll and pitch of the inclinometers, (2,) [rad].
            dt: since the last readings [s].
            state: of the last tick.
        """
        out, after = np.empty((4, 3)), state.copy()
        observe_attitude(gyro, acceleration, inclination, dt, self.table(), after, out)
        return out, after


@compiled(allocates=False)
def observe_attitude(
    gyro: Vec3,
    acceleration: Vec3,
    inclination: Array,
    dt: float,
    table: VecN,
    state: VecN,
    out: Array,
) -> None:
    """Advance the observer by one tick.

    A reading that is not a number is passed over and counted: rates go on as they were,
    and where the inclinometers stay silent the accelerometer levels, while the trunk is
    calm.

    Args:
        gyro: rates of turn in B [rad/s].
        acceleration: specific force in B [m/s²].
        inclination: roll and pitch of the inclinometers, (2,) [rad].
        dt: since the last readings [s].
        table: of the ``AttitudeObserver``.
        state: advanced, (23,).
        out: rows R_WB and w_B, (4, 3); overwritten.
    """
    if state[17] == 0.0:
        _start(gyro, acceleration, inclination, state)
    wx, wy, wz = state[9], state[10], state[11]
    for i in range(3):
        if math.isfinite(gyro[i]):
            state[9 + i] = gyro[i] - state[4 + i]
        else:
            state[16] += 1.0
    wx, wy, wz = 0.5 * (wx + state[9]), 0.5 * (wy + state[10]), 0.5 * (wz + state[11])
    turn_by(state, wx * dt, wy * dt, wz * dt)
    _write(state, out)
    is_abrupt = _is_abrupt(acceleration, dt, table, state, out)
    x, y, z, b = _pull(acceleration, inclination, is_abrupt, dt, table, state, out)
    most = table[17]
    state[4] = min(max(state[4] - b * x, -most), most)
    state[5] = min(max(state[5] - b * y, -most), most)
    state[6] = min(max(state[6] - b * z, -most), most)
    turn_by(state, x * dt, y * dt, z * dt)
    _write(state, out)


@compiled(allocates=False)
def _start(gyro: Vec3, acceleration: Vec3, inclination: Array, state: VecN) -> None:
    """Set roll and pitch as the first readings have them; heading is zero."""
    roll, pitch = inclination[0], inclination[1]
    x, y, z = acceleration[0], acceleration[1], acceleration[2]
    if not math.isfinite(roll):
        roll = math.atan2(y, z)
    if not math.isfinite(pitch):
        pitch = -math.atan2(x, math.sqrt(y * y + z * z))
    if not math.isfinite(roll):
        roll = 0.0
    if not math.isfinite(pitch):
        pitch = 0.0
    cr, sr = math.cos(0.5 * roll), math.sin(0.5 * roll)
    cp, sp = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    state[0], state[1], state[2], state[3] = cp * cr, cp * sr, sp * cr, -sp * sr
    state[7], state[8] = roll, pitch
    for i in range(3):
        state[9 + i] = gyro[i] if math.isfinite(gyro[i]) else 0.0
    state[12], state[13], state[14] = 0.0, 0.0, math.nan
    state[17] = 1.0


@compiled(allocates=False)
def turn_by(state: VecN, x: float, y: float, z: float) -> None:
    """Turn the quaternion by a rotation vector in B, exactly."""
    angle = math.sqrt(x * x + y * y + z * z)
    c = math.cos(0.5 * angle)
    s = 0.5 * math.sin(0.5 * angle) / (0.5 * angle) if angle > 1e-12 else 0.5
    a, b, d = s * x, s * y, s * z
    q0, q1, q2, q3 = state[0], state[1], state[2], state[3]
    p0 = q0 * c - q1 * a - q2 * b - q3 * d
    p1 = q0 * a + q1 * c + q2 * d - q3 * b
    p2 = q0 * b - q1 * d + q2 * c + q3 * a
    p3 = q0 * d + q1 * b - q2 * a + q3 * c
    norm = math.sqrt(p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
    state[0], state[1], state[2], state[3] = p0 / norm, p1 / norm, p2 / norm, p3 / norm


@compiled(allocates=False)
def _write(state: VecN, out: Array) -> None:
    """Write R_WB and w_B."""
    w, x, y, z = state[0], state[1], state[2], state[3]
    out[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    out[0, 1] = 2.0 * (x * y - w * z)
    out[0, 2] = 2.0 * (x * z + w * y)
    out[1, 0] = 2.0 * (x * y + w * z)
    out[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    out[1, 2] = 2.0 * (y * z - w * x)
    out[2, 0] = 2.0 * (x * z - w * y)
    out[2, 1] = 2.0 * (y * z + w * x)
    out[2, 2] = 1.0 - 2.0 * (x * x + y * y)
    out[3, 0], out[3, 1], out[3, 2] = state[9], state[10], state[11]


@compiled(allocates=False)
def _is_abrupt(
    acceleration: Vec3, dt: float, table: VecN, state: VecN, out: Array
) -> bool:
    """Say whether the trunk moves abruptly, by force beside its average and turning."""
    gone = 0.0
    is_known = math.isfinite(acceleration[0] + acceleration[1] + acceleration[2])
    if is_known:
        share, quick = 1.0 - math.exp(-dt / table[9]), 1.0 - math.exp(-dt / table[16])
        is_first = math.isnan(state[14])
        for i in range(3):
            f = 0.0
            for j in range(3):
                f += out[i, j] * acceleration[j]
            if is_first:
                state[12 + i] = state[20 + i] = f
            state[20 + i] += quick * (f - state[20 + i])
            state[12 + i] += share * (f - state[12 + i])
            gone += (state[20 + i] - state[12 + i]) ** 2
    else:
        state[16] += 1.0
    turn = state[9] ** 2 + state[10] ** 2 + state[11] ** 2
    if gone > table[7] ** 2 or turn > table[8] ** 2:
        state[15] = table[10]
    else:
        state[15] = max(0.0, state[15] - dt)
        state[19] += dt
    return state[15] > 0.0


@compiled(allocates=False)
def _pull(
    acceleration: Vec3,
    inclination: Array,
    is_abrupt: bool,
    dt: float,
    table: VecN,
    state: VecN,
    out: Array,
) -> tuple[float, float, float, float]:
    """Return the correcting rate in B and the offset's share of it for this tick."""
    first = 3 if is_abrupt else (0 if state[19] >= table[15] else 12)
    k, follow, k_b = table[first], table[first + 1], table[first + 2]
    sp = min(max(-out[2, 0], -1.0), 1.0)
    roll, pitch = math.atan2(out[2, 1], out[2, 2]), math.asin(sp)
    lag = 1.0 - math.exp(-dt / table[6])
    roll_misses, pitch_misses = 0.0, 0.0
    state[7] += lag * (roll - state[7])
    state[8] += lag * (pitch - state[8])
    if math.isfinite(inclination[0]):
        roll_misses = inclination[0] - state[7]
        state[7] += follow * dt * roll_misses
    if math.isfinite(inclination[1]):
        pitch_misses = inclination[1] - state[8]
        state[8] += follow * dt * pitch_misses
    if math.isfinite(inclination[0] + inclination[1]):
        state[18] = 0.0
        cr, sr = math.cos(roll), math.sin(roll)
        return (
            k * roll_misses,
            k * pitch_misses * cr,
            -k * pitch_misses * sr,
            dt * k_b / k,
        )
    state[16] += 1.0
    state[18] += dt
    x, y, z = acceleration[0], acceleration[1], acceleration[2]
    size = math.sqrt(x * x + y * y + z * z)
    is_lost = state[18] > table[10] and size > 0.0 and math.isfinite(size)
    if is_abrupt or not is_lost:
        return 0.0, 0.0, 0.0, 0.0
    pull = table[11] / size
    up_x, up_y, up_z = out[2, 0], out[2, 1], out[2, 2]
    return (
        pull * (y * up_z - z * up_y),
        pull * (z * up_x - x * up_z),
        pull * (x * up_y - y * up_x),
        0.0,
    )
