"""The attitude observer's kernel: what it keeps, and one tick of it.

Equations and their meaning are in ``observer.attitude``.
"""

import math
from dataclasses import dataclass
from typing import Annotated, final

from equipoise.control.records import TrunkEstimate
from equipoise.core.arrays import Vec3, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = [
    "AttitudeGains",
    "AttitudeState",
    "observe_attitude",
    "read_trunk",
    "roll_pitch_yaw",
    "turn_by",
]

SMOOTH, ABRUPT, STARTING = range(3)  # how the trunk moves: each has gains of its own


class AttitudeState(Record):
    """Last readings of the trunk's sensors, and the state of the observer."""

    time: float = entry("of the readings", "s")
    dt: float = entry("since those before", "s")
    gyro: Vec3 = entry("rates of turn as read, in B", "rad/s", 3)
    acceleration: Vec3 = entry("specific force as read, in B", "m/s^2", 3)
    inclination: VecN = entry("roll and pitch as read by the inclinometers", "rad", 2)
    quat_WB: VecN = entry("orientation, w x y z", "", 4)
    bias: Vec3 = entry("the gyros' offset", "rad/s", 3)
    lagging: VecN = entry("roll and pitch as the inclinometers should read", "rad", 2)
    rate: Vec3 = entry("the last rate of turn, offset taken away, in B", "rad/s", 3)
    calm: Vec3 = entry("specific force in W, slowly averaged", "m/s^2", 3)
    quick: Vec3 = entry("specific force in W, averaged a little", "m/s^2", 3)
    abrupt: float = entry("for how long it still counts as moving abruptly", "s")
    skipped: float = entry("how many readings were not numbers")
    started: float = entry("1 from the first readings on")
    silent: float = entry("for how long the inclinometers have not read", "s")
    calmed: float = entry("for how long the trunk has moved smoothly in all", "s")


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class AttitudeConfig(Settings):
    """Poles and thresholds of the observer; the defaults suit WARP1's trunk sensors."""

    start_rate: Annotated[
        float,
        Setting(
            "Pole of the attitude at the start, while the gyros' bias is unknown, p",
            "1/s",
            above=0.0,
        ),
    ] = 3.0
    start_bias_rate: Annotated[
        float, Setting("Pole of the gyros' bias at the start, p_b", "1/s", above=0.0)
    ] = 2.0
    start_time: Annotated[
        float,
        Setting("Duration of the start; only smooth motion counts", "s", least=0.0),
    ] = 2.0
    smooth_rate: Annotated[
        float,
        Setting(
            "Pole of the attitude while the trunk moves smoothly, p", "1/s", above=0.0
        ),
    ] = 1.0
    smooth_bias_rate: Annotated[
        float,
        Setting(
            "Pole of the gyros' bias while it moves smoothly, p_b", "1/s", above=0.0
        ),
    ] = 0.3
    abrupt_rate: Annotated[
        float,
        Setting("Pole of the attitude while it moves abruptly, p", "1/s", above=0.0),
    ] = 0.3
    abrupt_bias_rate: Annotated[
        float,
        Setting(
            "Pole of the gyros' bias while it moves abruptly, p_b", "1/s", above=0.0
        ),
    ] = 0.05
    inclinometer_lag: Annotated[
        float, Setting("Time constant of the inclinometers, T", "s", above=0.0)
    ] = 0.3
    largest_bias: Annotated[
        float, Setting("Largest bias of a gyro that is believed", "rad/s", above=0.0)
    ] = 0.01
    abrupt_force: Annotated[
        float,
        Setting(
            "Deviation of the specific force from its mean above which motion "
            "is abrupt",
            "m/s²",
            above=0.0,
        ),
    ] = 0.2
    abrupt_turn: Annotated[
        float, Setting("Rate of turn above which motion is abrupt", "rad/s", above=0.0)
    ] = 1.0
    calm_time: Annotated[
        float, Setting("Time constant of the mean specific force", "s", above=0.0)
    ] = 1.0
    quick_time: Annotated[
        float,
        Setting(
            "Time constant of the specific force that is compared with it",
            "s",
            above=0.0,
        ),
    ] = 0.05
    hold: Annotated[
        float,
        Setting(
            "Time for which motion counts as abrupt after its last sign", "s", above=0.0
        ),
    ] = 0.5


class AttitudeGains(Record):
    """Gains for each way of moving, by the poles, with the settings."""

    pull: Vec3 = entry("k, of the attitude by what the inclinometers miss", "1/s", 3)
    follow: Vec3 = entry("l, of the model of the inclinometers by it", "1/s", 3)
    learn: Vec3 = entry("k_b, of the gyros' offset by it", "1/s^2", 3)
    config: AttitudeConfig = entry("settings", kind=AttitudeConfig)


@compiled(allocates=False)
def read_trunk(
    gyro: Vec3,
    acceleration: Vec3,
    inclination: VecN,
    time: float,
    dt: float,
    before: Records[AttitudeState],
    after: Records[AttitudeState],
) -> None:
    """Store the readings of the trunk's sensors.

    Args:
        gyro: rates of turn in B [rad/s].
        acceleration: specific force in B [m/s²].
        inclination: roll and pitch of the inclinometers, (2,) [rad].
        time: of the readings [s].
        dt: since the last ones [s].
        before: state of the last tick.
        after: overwritten.
    """
    after[0] = before[0]
    state = after[0]
    state.time, state.dt = time, dt
    for i in range(3):
        state.gyro[i], state.acceleration[i] = gyro[i], acceleration[i]
    state.inclination[0], state.inclination[1] = inclination[0], inclination[1]


@compiled(allocates=False)
def observe_attitude(
    gains: Records[AttitudeGains],
    states: Records[AttitudeState],
    trunk: Records[TrunkEstimate],
) -> None:
    """Advance the observer by one tick.

    A reading that is not a number is passed over and counted: rates go on as they were,
    and where the inclinometers stay silent the accelerometer levels, while the trunk is
    calm.

    Args:
        gains: of the ``AttitudeObserver``.
        states: with this tick's readings; advanced.
        trunk: R_WB and w_WB_B are overwritten.
    """
    state, table, body = states[0], gains[0], trunk[0]
    if state.started == 0.0:
        _start(state)
    dt, rate, bias = state.dt, state.rate, state.bias
    wx, wy, wz = rate[0], rate[1], rate[2]
    for i in range(3):
        if math.isfinite(state.gyro[i]):
            rate[i] = state.gyro[i] - bias[i]
        else:
            state.skipped += 1.0
    wx, wy, wz = 0.5 * (wx + rate[0]), 0.5 * (wy + rate[1]), 0.5 * (wz + rate[2])
    turn_by(state.quat_WB, wx * dt, wy * dt, wz * dt)
    _write(state, body)
    is_abrupt = _is_abrupt(table, state, body)
    x, y, z, b = _pull(is_abrupt, table, state, body)
    most = table.config.largest_bias
    bias[0] = min(max(bias[0] - b * x, -most), most)
    bias[1] = min(max(bias[1] - b * y, -most), most)
    bias[2] = min(max(bias[2] - b * z, -most), most)
    turn_by(state.quat_WB, x * dt, y * dt, z * dt)
    _write(state, body)


@compiled(allocates=False)
def _start(state: AttitudeState) -> None:
    """Set roll and pitch as the first readings have them; heading is zero."""
    roll, pitch = state.inclination[0], state.inclination[1]
    x, y, z = state.acceleration[0], state.acceleration[1], state.acceleration[2]
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
    _set_quaternion(state.quat_WB, cp * cr, cp * sr, sp * cr, -sp * sr)
    state.lagging[0], state.lagging[1] = roll, pitch
    for i in range(3):
        state.rate[i] = state.gyro[i] if math.isfinite(state.gyro[i]) else 0.0
    state.calm[0], state.calm[1], state.calm[2] = 0.0, 0.0, math.nan
    state.started = 1.0


@compiled(allocates=False)
def _set_quaternion(out: VecN, w: float, x: float, y: float, z: float) -> None:
    """Write a quaternion."""
    out[0], out[1], out[2], out[3] = w, x, y, z


@compiled(allocates=False)
def turn_by(quat: VecN, x: float, y: float, z: float) -> None:
    """Turn a quaternion by a rotation vector in B, exactly."""
    angle = math.sqrt(x * x + y * y + z * z)
    c = math.cos(0.5 * angle)
    s = 0.5 * math.sin(0.5 * angle) / (0.5 * angle) if angle > 1e-12 else 0.5
    a, b, d = s * x, s * y, s * z
    q0, q1, q2, q3 = quat[0], quat[1], quat[2], quat[3]
    p0 = q0 * c - q1 * a - q2 * b - q3 * d
    p1 = q0 * a + q1 * c + q2 * d - q3 * b
    p2 = q0 * b - q1 * d + q2 * c + q3 * a
    p3 = q0 * d + q1 * b - q2 * a + q3 * c
    norm = math.sqrt(p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
    _set_quaternion(quat, p0 / norm, p1 / norm, p2 / norm, p3 / norm)


@compiled(allocates=False)
def _write(state: AttitudeState, trunk: TrunkEstimate) -> None:
    """Write R_WB and w_B."""
    q, R = state.quat_WB, trunk.R_WB
    w, x, y, z = q[0], q[1], q[2], q[3]
    R[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    R[0, 1] = 2.0 * (x * y - w * z)
    R[0, 2] = 2.0 * (x * z + w * y)
    R[1, 0] = 2.0 * (x * y + w * z)
    R[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    R[1, 2] = 2.0 * (y * z - w * x)
    R[2, 0] = 2.0 * (x * z - w * y)
    R[2, 1] = 2.0 * (y * z + w * x)
    R[2, 2] = 1.0 - 2.0 * (x * x + y * y)
    for i in range(3):
        trunk.w_WB_B[i] = state.rate[i]


@compiled(allocates=False)
def _is_abrupt(
    table: AttitudeGains, state: AttitudeState, trunk: TrunkEstimate
) -> bool:
    """Return whether the trunk moves abruptly, by its force and rotation."""
    gone, dt, force, w = 0.0, state.dt, state.acceleration, state.rate
    if math.isfinite(force[0] + force[1] + force[2]):
        share = 1.0 - math.exp(-dt / table.config.calm_time)
        soon = 1.0 - math.exp(-dt / table.config.quick_time)
        calm, quick, is_first = state.calm, state.quick, math.isnan(state.calm[2])
        for i in range(3):
            f = 0.0
            for j in range(3):
                f += trunk.R_WB[i, j] * force[j]
            if is_first:
                calm[i] = quick[i] = f
            quick[i] += soon * (f - quick[i])
            calm[i] += share * (f - calm[i])
            gone += (quick[i] - calm[i]) ** 2
    else:
        state.skipped += 1.0
    turn = w[0] ** 2 + w[1] ** 2 + w[2] ** 2
    if gone > table.config.abrupt_force**2 or turn > table.config.abrupt_turn**2:
        state.abrupt = table.config.hold
    else:
        state.abrupt = max(0.0, state.abrupt - dt)
        state.calmed += dt
    return state.abrupt > 0.0


@compiled(allocates=False)
def _pull(
    is_abrupt: bool, table: AttitudeGains, state: AttitudeState, trunk: TrunkEstimate
) -> tuple[float, float, float, float]:
    """Return the correcting rate in B and the offset's share of it for this tick."""
    way = SMOOTH if state.calmed >= table.config.start_time else STARTING
    way = ABRUPT if is_abrupt else way
    k, follow, dt = table.pull[way], table.follow[way], state.dt
    up, read, lagging = trunk.R_WB[2], state.inclination, state.lagging
    sp = min(max(-up[0], -1.0), 1.0)
    roll, pitch = math.atan2(up[1], up[2]), math.asin(sp)
    lag = 1.0 - math.exp(-dt / table.config.inclinometer_lag)
    roll_misses, pitch_misses = 0.0, 0.0
    lagging[0] += lag * (roll - lagging[0])
    lagging[1] += lag * (pitch - lagging[1])
    if math.isfinite(read[0]):
        roll_misses = read[0] - lagging[0]
        lagging[0] += follow * dt * roll_misses
    if math.isfinite(read[1]):
        pitch_misses = read[1] - lagging[1]
        lagging[1] += follow * dt * pitch_misses
    if math.isfinite(read[0] + read[1]):
        state.silent = 0.0
        cr, sr = math.cos(roll), math.sin(roll)
        learn = dt * table.learn[way] / k
        return k * roll_misses, k * pitch_misses * cr, -k * pitch_misses * sr, learn
    state.skipped += 1.0
    state.silent += dt
    x, y, z = state.acceleration[0], state.acceleration[1], state.acceleration[2]
    size = math.sqrt(x * x + y * y + z * z)
    is_lost = state.silent > table.config.hold and size > 0.0 and math.isfinite(size)
    if is_abrupt or not is_lost:
        return 0.0, 0.0, 0.0, 0.0
    pull = table.config.smooth_rate / size
    return (
        pull * (y * up[2] - z * up[1]),
        pull * (z * up[0] - x * up[2]),
        pull * (x * up[1] - y * up[0]),
        0.0,
    )


@compiled(allocates=False)
def roll_pitch_yaw(trunk: TrunkEstimate) -> tuple[float, float, float]:
    """Return roll, pitch and yaw of the trunk [rad].

    Args:
        trunk: what is known of it.
    """
    R = trunk.R_WB
    pitch = -math.asin(min(max(R[2, 0], -1.0), 1.0))
    return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])
