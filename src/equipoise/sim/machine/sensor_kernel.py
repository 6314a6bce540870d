"""What a machine's sensors read in one control period, compiled.

A raw reading goes into a ring of past ones; what comes out is held and delayed, channel
by channel.
"""

import math
from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.sim.machine.foot_contacts import FeltFoot
from equipoise.sim.machine.motor_kernel import DriveState, Joints
from equipoise.sim.machine.views import MachineViews
from equipoise.sim.terrain import Surface, ball_depth

__all__ = [
    "BY_JOINT",
    "BY_MOTOR",
    "RIGID",
    "Encoder",
    "SensorArrays",
    "SensorChannel",
    "SensorMemory",
    "SensorReading",
    "SensorSetting",
    "read_sensors",
]

RIGID, BY_JOINT, BY_MOTOR = range(3)
"""Whose angles are read."""


class SensorReading(Record):
    """One reading of all sensors, named as in ``core.contracts.Readings``."""

    q: Array = entry("joint angles", "rad", "joints")
    v: Array = entry("joint speeds", "rad/s", "joints")
    current: Array = entry("in the motors", "A", "joints")
    limit: Array = entry("-1 and 1 where a limit sensor is pressed", "", "joints")
    gyro: Array = entry("angular velocity of the trunk", "rad/s", 3)
    acceleration: Array = entry("of the trunk, gravity included", "m/s²", 3)
    inclination: Array = entry("roll and pitch of the trunk", "rad", 2)
    load: Array = entry("along each shank", "N", "feet")
    pad: Array = entry("how far each pad is pushed in", "m", "feet")


class SensorChannel(Record):
    """Quality of one number of a reading."""

    sigma: float = entry("standard deviation of its noise")
    offset: float = entry("constant error")
    failed: float = entry("NaN where failed, else 0")
    every: int = entry("control periods from one new value to the next", kind=np.int64)
    delay: int = entry("control periods by which it is late", kind=np.int64)


class Encoder(Record):
    """Encoder of a joint's angle."""

    step: float = entry("of the angle; 0 for none", "rad")
    speed_step: float = entry("of the angle that speeds are from; 0 for none", "rad")
    lower: float = entry("where the lower limit sensor switches", "rad")
    upper: float = entry("where the upper one does", "rad")
    last: float = entry("angle from which the next speed counts", "rad")


class SensorSetting(Record):
    """Settings that all sensors of a machine share."""

    gravity: float = entry("", "m/s²")
    period: float = entry("of the controller", "s")
    share: float = entry("of the way that an inclinometer goes in a period")
    drift: float = entry("step of the gyros' random walk", "rad/s")
    pad_range: float = entry("way of a pad before the foot carries", "m")
    radius: float = entry("of a foot's ball", "m")
    shaft: int = entry("whose angles are read", kind=np.int64)


class SensorMemory(Record):
    """State of filters and drift between readings."""

    inclination: Array = entry("roll and pitch", "rad", 2)
    drift: Array = entry("of the gyros", "rad/s", 3)
    last_v: Array = entry("velocity of the trunk", "m/s", 3)
    normal: Array = entry("of the ground; scratch", "", 3)


class SensorArrays(NamedTuple):
    """A machine's sensors as the kernel takes them; nch numbers in a reading."""

    setting: Records[SensorSetting]
    channels: Records[SensorChannel]
    encoders: Records[Encoder]
    surface: Surface
    """The ground that the pads feel."""
    noise: Array
    """Standard normal numbers of some ticks, then three for the drift, (n, nch + 3)."""
    memory: Records[SensorMemory]
    ring: Records[SensorReading]
    """Raw readings of the last ticks."""
    raw: Array
    """The same memory as plain numbers, (n, nch)."""
    out: Array
    """What is read, (nch,)."""


@compiled(allocates=False)
def read_sensors(
    machine: MachineViews,
    drives: Records[DriveState],
    feet: Records[FeltFoot],
    sensors: SensorArrays,
    k: int,
) -> None:
    """Write tick ``k``'s readings.

    Args:
        machine: as it is now.
        drives: as they are now.
        feet: what they felt last.
        sensors: memory and readings are overwritten.
        k: number of the control period; they must be read one after the other.
    """
    setting, memory = sensors.setting[0], sensors.memory[0]
    channels, out, ring = sensors.channels, sensors.out, sensors.raw
    row, nch = k % ring.shape[0], out.shape[0]
    reading, raw = sensors.ring[row], ring[row]
    noise = sensors.noise[k % sensors.noise.shape[0]]
    _read_joints(k, machine.joints, drives, sensors.encoders, setting, reading)
    _read_trunk(k, machine, setting, memory, reading)
    for leg in range(feet.shape[0]):
        place, normal = machine.geom_xpos[machine.foot_geom[leg]], memory.normal
        depth = ball_depth(sensors.surface, place, setting.radius, normal)
        load, slant = 0.0, 0.0
        for a in range(3):
            along = machine.xmat[machine.foot_body[leg], a, 2]  # up the shank
            load += feet[leg].force[a] * along
            slant += normal[a] * along
        pad = setting.pad_range + depth / slant if slant > 0.0 else 0.0
        reading.load[leg] = load
        reading.pad[leg] = min(setting.pad_range, max(0.0, pad))
    for a in range(3):
        memory.drift[a] += setting.drift * noise[nch + a]
        reading.gyro[a] += memory.drift[a]
    for c in range(nch):
        raw[c] += channels[c].offset + channels[c].sigma * noise[c]
    for c in range(nch):
        when = k - k % channels[c].every - channels[c].delay
        out[c] = ring[max(when, 0) % ring.shape[0], c] + channels[c].failed


@compiled(allocates=False, force_inline=True)
def _stepped(x: float, step: float) -> float:
    """Return the middle of the step in which a number lies; itself without steps."""
    return step * math.floor(x / step + 0.5) if step > 0.0 else x


@compiled(allocates=False)
def _read_joints(
    k: int,
    joints: Joints,
    drives: Records[DriveState],
    encoders: Records[Encoder],
    setting: SensorSetting,
    out: SensorReading,
) -> None:
    """Write angles, speeds, currents and limit sensors.

    A speed is the difference of two encoder angles over the period; where the joint has
    an encoder of its own (it is coarse) the speed comes from the motor's.
    """
    for j in range(drives.shape[0]):
        encoder, drive = encoders[j], drives[j]
        q = float(joints.qpos[joints.q_address[j]])
        turned = drive.rotor if setting.shaft == BY_MOTOR else q
        out.q[j] = _stepped(turned, encoder.step)
        if encoder.speed_step > 0.0:
            turned = drive.rotor if setting.shaft != RIGID else q
            seen = _stepped(turned, encoder.speed_step)
            out.v[j] = (seen - encoder.last) / setting.period if k > 0 else 0.0
            encoder.last = seen
        else:
            w = joints.qvel[joints.v_address[j]]
            out.v[j] = w if setting.shaft == RIGID else drive.rotor_speed
        out.current[j] = drive.current
        out.limit[j] = 0.0
        if q <= encoder.lower:
            out.limit[j] = -1.0
        elif q >= encoder.upper:
            out.limit[j] = 1.0


@compiled(allocates=False)
def _read_trunk(
    k: int,
    machine: MachineViews,
    setting: SensorSetting,
    memory: SensorMemory,
    out: SensorReading,
) -> None:
    """Write gyros, accelerometer (mean over the period) and inclinometer."""
    v, R_WB = machine.v_WB, machine.R_WB
    ax, ay, az = 0.0, 0.0, setting.gravity
    if k > 0:
        ax += (v[0] - memory.last_v[0]) / setting.period
        ay += (v[1] - memory.last_v[1]) / setting.period
        az += (v[2] - memory.last_v[2]) / setting.period
    for a in range(3):
        memory.last_v[a] = v[a]
        out.gyro[a] = machine.w_WB_B[a]
        out.acceleration[a] = R_WB[0, a] * ax + R_WB[1, a] * ay + R_WB[2, a] * az
    fx, fy, fz = out.acceleration[0], out.acceleration[1], out.acceleration[2]
    share = setting.share
    if share < 1.0:
        roll, pitch = math.atan2(fy, fz), math.atan2(-fx, math.sqrt(fy * fy + fz * fz))
    else:  # an ideal one is not misled by the motion
        roll, pitch = math.atan2(R_WB[2, 1], R_WB[2, 2]), -math.asin(R_WB[2, 0])
    if k == 0:
        share = 1.0
    memory.inclination[0] += share * (roll - memory.inclination[0])
    memory.inclination[1] += share * (pitch - memory.inclination[1])
    out.inclination[0], out.inclination[1] = (
        memory.inclination[0],
        memory.inclination[1],
    )
