"""What a machine's sensors read in one control period, compiled.

Channels lie one behind the other: q, v, current and limit of each joint, then gyro,
acceleration, inclination of the trunk, then load and pad of each foot. A raw reading
goes into a ring of past ones; what comes out is held and delayed, channel by channel.
"""

import math

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.sim.machine.motor_kernel import AMPERES, ROTOR, ROTOR_SPEED
from equipoise.sim.terrain import ball_depth

__all__ = ["read_sensors"]

SIGMA, OFFSET, FAILED = range(3)  # rows of ``channel``
EVERY, DELAY = range(2)  # rows of ``rhythm``
STEP, STEP_SPEED, LOWER, UPPER, LAST = range(5)  # rows of ``joint``
PULL, PERIOD, FILTER, DRIFT, RANGE, RADIUS, SHAFT = range(7)  # entries of ``setting``
RIGID, BY_JOINT, BY_MOTOR = 0.0, 1.0, 2.0  # whose angles are read
ROLL, PITCH, DRIFTS, LAST_V, NORMAL = 0, 1, 2, 5, 8  # entries of ``memory``
MEMORY = 11


@compiled(allocates=False)
def read_sensors(
    k: int,
    qpos: Array,
    qvel: Array,
    address: Ints,
    drives: Array,
    R_WB: Array,
    xpos: Array,
    xmat: Array,
    foot: Ints,
    feet: Array,
    frame: Array,
    tiles: Array,
    noise: Array,
    channel: Array,
    rhythm: Ints,
    joint: Array,
    setting: Array,
    memory: Array,
    ring: Array,
    out: Array,
) -> None:
    """Write tick ``k``'s readings.

    Args:
        k: number of the control period; they must be read one after the other.
        qpos: of the model, present.
        qvel: of the model, present.
        address: of each joint in both, (2, nu).
        drives: their state, (11, nu).
        R_WB: trunk's orientation, (9,).
        xpos: places of all geoms, (ngeom, 3) [m].
        xmat: orientations of all bodies, (nbody, 9).
        foot: geom and body of each foot, (2, nl).
        feet: force in W on each foot, then other things, (nl, 6) [N].
        frame: of the ground, (4,).
        tiles: of the ground, (nx, ny) [m].
        noise: standard normal numbers, (nch + 3,).
        channel: standard deviation, offset, and NaN where failed else 0, (3, nch).
        rhythm: ticks from one new value to the next, and of delay, (2, nch).
        joint: encoder steps of angle and speed, limits, last angle, (5, nu).
        setting: gravity, period, inclinometer's share, drift, pad's range, radius of a
            foot, whose angles are read, (7,).
        memory: of filters and drift, overwritten, (11,).
        ring: past raw readings, overwritten, (n, nch).
        out: overwritten, (nch,).
    """
    nu, nl, nch = address.shape[1], foot.shape[1], out.shape[0]
    raw = ring[k % ring.shape[0]]
    read_joints(k, qpos, qvel, address, drives, joint, setting, raw)
    read_trunk(k, qvel, R_WB, setting, memory, raw, 4 * nu)
    for leg in range(nl):
        place, normal = xpos[foot[0, leg]], memory[NORMAL:]
        depth = ball_depth(frame, tiles, place, setting[RADIUS], normal)
        axes = xmat[foot[1, leg]]
        read_foot(leg, depth, normal, axes, feet, setting, raw, 4 * nu + 8)
    for a in range(3):
        memory[DRIFTS + a] += setting[DRIFT] * noise[nch + a]
        raw[4 * nu + a] += memory[DRIFTS + a]
    for c in range(nch):
        raw[c] += channel[OFFSET, c] + channel[SIGMA, c] * noise[c]
    for c in range(nch):
        when = k - k % rhythm[EVERY, c] - rhythm[DELAY, c]
        out[c] = ring[max(when, 0) % ring.shape[0], c] + channel[FAILED, c]


@compiled(allocates=False, melts=True)
def stepped(x: float, step: float) -> float:
    """Return the middle of the step in which a number lies; itself without steps."""
    return step * math.floor(x / step + 0.5) if step > 0.0 else x


@compiled(allocates=False)
def read_joints(
    k: int,
    qpos: Array,
    qvel: Array,
    address: Ints,
    drives: Array,
    joint: Array,
    setting: Array,
    raw: Array,
) -> None:
    """Write angles, speeds, currents and limit sensors.

    A speed is the difference of two encoder angles over the period; where the joint has
    an encoder of its own (it is coarse) the speed comes from the motor's.
    """
    nu = address.shape[1]
    for j in range(nu):
        q = float(qpos[address[0, j]])
        rotor = drives[ROTOR, j]
        raw[j] = stepped(rotor if setting[SHAFT] == BY_MOTOR else q, joint[STEP, j])
        if joint[STEP_SPEED, j] > 0.0:
            turned = rotor if setting[SHAFT] != RIGID else q
            seen = stepped(turned, joint[STEP_SPEED, j])
            raw[nu + j] = (seen - joint[LAST, j]) / setting[PERIOD] if k > 0 else 0.0
            joint[LAST, j] = seen
        else:
            w = qvel[address[1, j]]
            raw[nu + j] = w if setting[SHAFT] == RIGID else drives[ROTOR_SPEED, j]
        raw[2 * nu + j] = drives[AMPERES, j]
        raw[3 * nu + j] = 0.0
        if q <= joint[LOWER, j]:
            raw[3 * nu + j] = -1.0
        elif q >= joint[UPPER, j]:
            raw[3 * nu + j] = 1.0


@compiled(allocates=False)
def read_trunk(
    k: int,
    qvel: Array,
    R_WB: Array,
    setting: Array,
    memory: Array,
    raw: Array,
    at: int,
) -> None:
    """Write gyros, accelerometer (mean over the period) and inclinometer."""
    ax, ay, az = 0.0, 0.0, setting[PULL]
    if k > 0:
        ax += (qvel[0] - memory[LAST_V]) / setting[PERIOD]
        ay += (qvel[1] - memory[LAST_V + 1]) / setting[PERIOD]
        az += (qvel[2] - memory[LAST_V + 2]) / setting[PERIOD]
    for a in range(3):
        memory[LAST_V + a] = qvel[a]
        raw[at + a] = qvel[3 + a]
        raw[at + 3 + a] = R_WB[a] * ax + R_WB[3 + a] * ay + R_WB[6 + a] * az
    fx, fy, fz = raw[at + 3], raw[at + 4], raw[at + 5]
    share = setting[FILTER]
    if share < 1.0:
        roll, pitch = math.atan2(fy, fz), math.atan2(-fx, math.sqrt(fy * fy + fz * fz))
    else:  # an ideal one is not misled by the motion
        roll, pitch = math.atan2(R_WB[7], R_WB[8]), -math.asin(R_WB[6])
    if k == 0:
        share = 1.0
    memory[ROLL] += share * (roll - memory[ROLL])
    memory[PITCH] += share * (pitch - memory[PITCH])
    raw[at + 6], raw[at + 7] = memory[ROLL], memory[PITCH]


@compiled(allocates=False)
def read_foot(
    leg: int,
    depth: float,
    normal: Array,
    axes: Array,
    feet: Array,
    setting: Array,
    raw: Array,
    at: int,
) -> None:
    """Write a foot's load along the shank and how far its pad is pushed in."""
    load, slant = 0.0, 0.0
    for a in range(3):
        along = axes[3 * a + 2]  # the shank's axis, up the leg
        load += feet[leg, a] * along
        slant += normal[a] * along
    raw[at + leg] = load
    pad = setting[RANGE] + depth / slant if slant > 0.0 else 0.0
    raw[at + feet.shape[0] + leg] = min(setting[RANGE], max(0.0, pad))
