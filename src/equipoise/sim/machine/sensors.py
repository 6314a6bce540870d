"""A walking machine's own sensors: what they read, how late, how wrong.

[Ridderstrom2003] sections 5.1.3, 5.1.4, 5.2 and 6.1.4 name them: encoders on the motor
and joint shafts, motor currents, range limit switches, three rate gyros, a
three-dimensional accelerometer, a two-dimensional inclinometer, and in each foot a load
cell and a potentiometer that measures how far the pad is pushed in. The encoders' steps
are table 5.2's. No other quality is printed, so noise and offsets are our choice:
typical for the parts of those years, on the poor side.

An offset has the size given and a sign by chance, drawn once from the seed.
"""

import math
from dataclasses import dataclass, field, fields
from typing import Literal, final, get_args

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.checks import is_number, is_whole
from equipoise.core.contracts import Readings
from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.robots.robot import Robot
from equipoise.sim.machine import sensor_kernel as kernel
from equipoise.sim.terrain import Surface

__all__ = ["SensorBank", "SensorConfig", "SensorKind", "sensor_bank"]

SensorKind = Literal["ideal", "real"]
Shaft = Literal["joint", "motor"]
DEGREE = math.pi / 180.0
NAMES = (
    "q",
    "v",
    "current",
    "limit",
    "gyro",
    "acceleration",
    "inclination",
    "load",
    "pad",
)
"""Channels in the kernel's order, named as in ``Readings``."""
HINGES = ("hip_roll", "hip_pitch", "knee")
"""Joints with encoders of their own kind; any other is as a knee."""
BLOCK = 256  # ticks for which random numbers are drawn at once


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class SensorConfig:
    """How good the sensors are; ``ideal`` ones ignore all but ``failed``."""

    kind: SensorKind = "ideal"
    """Exact and at once, or as below."""
    seed: int = 0
    """Of noise, drift and the offsets' signs."""
    failed: tuple[str, ...] = ()
    """Fields of ``Readings`` that read NaN."""
    motor_encoder: tuple[float, ...] = (0.06e-3, 0.01e-3, 0.01e-3)
    """Step at the joint of hip roll, hip pitch and knee, table 5.2 [rad]."""
    joint_encoder: tuple[float, ...] = (0.0, 1.6e-3, 1.6e-3)
    """Of the encoder on the joint's own shaft, 0 where there is none [rad]; it is used
    where the gear is elastic."""
    shaft: Shaft = "joint"
    """Whose angle is read where the gear is elastic; speeds are always the motor's."""
    limit_margin: float = 1.0 * DEGREE
    """How far before the stop a limit sensor switches [rad]; our choice."""
    current_noise: float = 0.05
    """Standard deviation [A]: 1 % of the amplifier's range."""
    gyro_noise: float = 0.1 * DEGREE
    """Standard deviation of a reading [rad/s]."""
    gyro_offset: float = 0.3 * DEGREE
    """[rad/s]."""
    gyro_drift: float = 0.01 * DEGREE
    """Growth of the offset's random walk in a second [rad/s/√s]."""
    acceleration_noise: float = 0.05
    """Standard deviation [m/s²]."""
    acceleration_offset: float = 0.1
    """[m/s²]."""
    inclination_time: float = 0.3
    """Time constant of the low-pass [s]."""
    inclination_noise: float = 0.02 * DEGREE
    """Standard deviation [rad]."""
    inclination_offset: float = 0.2 * DEGREE
    """[rad]."""
    load_noise: float = 3.0
    """Standard deviation [N]."""
    load_offset: float = 5.0
    """[N]."""
    pad_noise: float = 0.3e-3
    """Standard deviation [m]."""
    pad_range: float = 26e-3
    """Way of the pad before the foot carries [m]."""
    joint_delay: float = 0.0
    """Of q, v and limit, beside what the bus takes [s]; rounded up to periods."""
    analog_cycles: int = 1
    """Control periods by which current, load and pad are late: converted values leave
    the node after the actuator message (algorithm 1)."""
    trunk_delay: float = 0.0
    """Of gyro, acceleration and inclination [s]."""
    trunk_rate: float = 500.0
    """Of new values from the trunk's node [1/s]; rounded down to whole periods."""

    def __post_init__(self) -> None:
        """Refuse what is no sensor."""
        problems = []
        if self.kind not in get_args(SensorKind):
            problems.append(f"kind must be 'ideal' or 'real', got {self.kind!r}")
        if self.shaft not in get_args(Shaft):
            problems.append(f"shaft must be 'joint' or 'motor', got {self.shaft!r}")
        for name in self.failed:
            if name not in NAMES:
                known = ", ".join(NAMES)
                problems.append(f"failed must name some of {known}, got {name!r}")
        skipped = ("kind", "shaft", "failed", "motor_encoder", "joint_encoder")
        for name in (f.name for f in fields(self) if f.name not in skipped):
            value = getattr(self, name)
            if not (is_number(value) and 0.0 <= value < math.inf):
                problems.append(f"{name} must be >= 0, got {value!r}")
        for name in ("motor_encoder", "joint_encoder"):
            steps = getattr(self, name)
            if len(steps) != 3 or not all(is_number(x) and x >= 0 for x in steps):
                problems.append(f"{name} must be 3 steps >= 0, got {steps!r}")
        problems += [
            f"{name} must be > 0, got 0"
            for name in ("trunk_rate", "inclination_time")
            if getattr(self, name) == 0.0
        ]
        for name in ("seed", "analog_cycles"):
            if not is_whole(getattr(self, name)):
                value = getattr(self, name)
                problems.append(f"{name} must be a whole number, got {value!r}")
        if problems:
            raise ConfigError(type(self).__name__, problems)


@final
@dataclass(eq=False)
class SensorBank:
    """A machine's sensors: arrays that the kernel reads, and those that it fills."""

    channel: Array
    rhythm: Ints
    joint: Array
    setting: Array
    memory: Array
    ring: Array
    out: Array
    normal: Array
    """Random numbers for some ticks, (256, nch + 3)."""
    rng: np.random.Generator
    readings: Readings
    is_noisy: bool
    period: float
    frame: Array = field(repr=False)
    """Of the ground, see ``sim.terrain``, (4,)."""
    tiles: Array = field(repr=False)
    """Of the ground, (nx, ny)."""

    def rewind(self) -> None:
        """Forget what was read."""
        self.ring[:] = self.out[:] = 0.0

    def noise(self, k: int) -> Array:
        """Return tick ``k``'s random numbers; ticks come one after the other."""
        row = k % BLOCK
        if row == 0 and self.is_noisy:
            self.rng.standard_normal(out=self.normal)
        return self.normal[row]


def sensor_bank(
    robot: Robot,
    config: SensorConfig,
    period: float,
    surface: Surface,
    *,
    is_elastic: bool = False,
    gravity: float = 9.81,
) -> SensorBank:
    """Return a machine's sensors before the first tick.

    Args:
        robot: with a foot at each leg.
        config: how good they are.
        period: of the controller [s].
        surface: the ground that the pads feel.
        is_elastic: whether rotors turn on their own behind their gears.
        gravity: [m/s²].
    """
    nu, nl = robot.model.nu, len(robot.feet)
    counts = (nu, nu, nu, nu, 3, 3, 2, nl, nl)
    nch, is_real = sum(counts), config.kind == "real"
    rng = stream(config.seed, "sensors")
    channel = np.zeros((3, nch))
    rhythm = np.ones((2, nch), np.int64)
    rhythm[kernel.DELAY] = 0
    if is_real:
        fill_quality(config, counts, rng, channel)
        fill_rhythm(config, counts, period, rhythm)
    out = np.zeros(nch)
    views = dict(zip(NAMES, np.split(out, np.cumsum(counts)[:-1]), strict=True))
    ends = np.cumsum(counts)
    for name in config.failed:
        at = NAMES.index(name)
        channel[kernel.FAILED, ends[at] - counts[at] : ends[at]] = np.nan
    share = -math.expm1(-period / config.inclination_time) if is_real else 1.0
    radius = float(robot.model.geom(robot.feet[0]).size[0])
    drift = config.gyro_drift * math.sqrt(period) if is_real else 0.0
    shaft = 0 if not is_elastic else 1 if config.shaft == "joint" else 2
    setting = [gravity, period, share, drift, config.pad_range, radius, shaft]
    longest = int((rhythm[kernel.EVERY] + rhythm[kernel.DELAY]).max())
    return SensorBank(
        channel=channel,
        rhythm=rhythm,
        joint=joint_rows(robot, config, is_real, is_elastic),
        setting=np.array(setting, np.float64),
        memory=np.zeros(kernel.MEMORY),
        ring=np.zeros((longest + 1, nch)),
        out=out,
        normal=np.zeros((BLOCK, nch + 3)),
        rng=rng,
        readings=Readings(time=0.0, dt=period, **views),
        is_noisy=is_real,
        period=period,
        frame=surface.frame,
        tiles=surface.tiles,
    )


def joint_rows(
    robot: Robot, config: SensorConfig, is_real: bool, is_elastic: bool
) -> Array:
    """Return encoder steps, limit sensors and room for the last angle, (5, nu)."""
    model = robot.model
    joints = model.actuator_trnid[:, 0]
    rows = np.zeros((5, model.nu))
    if is_real:
        motor, own = np.array(config.motor_encoder), np.array(config.joint_encoder)
        is_own = is_elastic and config.shaft == "joint"
        angle = np.where(own > 0.0, own, motor) if is_own else motor
        names = [model.joint(int(j)).name for j in joints]
        which = [
            next((k for k, n in enumerate(HINGES) if n in name), 2) for name in names
        ]
        rows[kernel.STEP], rows[kernel.STEP_SPEED] = angle[which], motor[which]
    limited = np.asarray(model.jnt_limited, bool)[joints]
    reach = model.jnt_range[joints]
    margin = config.limit_margin
    rows[kernel.LOWER] = np.where(limited, reach[:, 0] + margin, -np.inf)
    rows[kernel.UPPER] = np.where(limited, reach[:, 1] - margin, np.inf)
    return rows


def fill_quality(
    config: SensorConfig, counts: tuple[int, ...], rng: np.random.Generator, out: Array
) -> None:
    """Write each channel's noise and its offset with a sign by chance."""
    c = config
    noise = (0.0, 0.0, c.current_noise, 0.0, c.gyro_noise, c.acceleration_noise)
    noise += (c.inclination_noise, c.load_noise, c.pad_noise)
    offset = (0.0, 0.0, 0.0, 0.0, c.gyro_offset, c.acceleration_offset)
    offset += (c.inclination_offset, c.load_offset, 0.0)
    out[kernel.SIGMA] = np.repeat(noise, counts)
    sign = 2.0 * rng.integers(0, 2, out.shape[1]) - 1.0
    out[kernel.OFFSET] = np.repeat(offset, counts) * sign


def fill_rhythm(
    config: SensorConfig, counts: tuple[int, ...], period: float, out: Ints
) -> None:
    """Write how often each channel has a new value and how late it is, in ticks."""
    c = config
    joint, trunk = (
        math.ceil(x / period - 1e-9) for x in (c.joint_delay, c.trunk_delay)
    )
    analog = c.analog_cycles
    late = (joint, joint, analog, joint, trunk, trunk, trunk, analog, analog)
    out[kernel.DELAY] = np.repeat(late, counts)
    every = max(1, math.ceil(1.0 / (c.trunk_rate * period) - 1e-9))
    out[kernel.EVERY] = np.repeat((1, 1, 1, 1, every, every, every, 1, 1), counts)
