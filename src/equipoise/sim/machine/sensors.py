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
from dataclasses import dataclass, fields
from typing import Literal, final, get_args

import numpy as np
from numpy.typing import NDArray

from equipoise.core.checks import is_number, is_whole
from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Readings
from equipoise.core.errors import ConfigError
from equipoise.core.records import Records
from equipoise.core.seeds import stream
from equipoise.robots.robot import Robot
from equipoise.sim.machine.sensor_kernel import (
    BY_JOINT,
    BY_MOTOR,
    RIGID,
    Encoder,
    SensorArrays,
    SensorChannel,
    SensorMemory,
    SensorReading,
    SensorSetting,
)
from equipoise.sim.terrain import Surface

__all__ = ["SensorBank", "SensorConfig", "SensorKind", "sensor_bank"]

SensorKind = Literal["ideal", "real"]
Shaft = Literal["joint", "motor"]
DEGREE = math.pi / 180.0
NAMES = tuple(SensorReading.entries)
"""Of the fields of ``Readings``, in the kernel's order."""
HINGES = ("hip_roll", "hip_pitch", "knee")
"""Joints with encoders of their own kind; any other is as a knee."""
TRUNK = ("gyro", "acceleration", "inclination")
"""Fields that the trunk's node measures."""
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

    arrays: SensorArrays
    rng: np.random.Generator
    readings: Readings
    """Views of what is read."""
    is_noisy: bool
    period: float

    def rewind(self) -> None:
        """Forget what was read."""
        self.arrays.raw[:] = self.arrays.out[:] = 0.0

    def draw(self, k: int) -> None:
        """Have random numbers for tick ``k``; ticks come one after the other."""
        if self.is_noisy and k % BLOCK == 0:
            self.rng.standard_normal(out=self.arrays.noise)


def sensor_bank(
    robot: Robot,
    config: SensorConfig,
    period: float,
    surface: Surface,
    *,
    is_elastic: bool = False,
    gravity: float = GRAVITY,
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
    lengths = {"joints": robot.model.nu, "feet": len(robot.feet)}
    is_real = config.kind == "real"
    rng = stream(config.seed, "sensors")
    channels = _all_channels(config, lengths, period, rng)
    nch, longest = len(channels), int((channels["every"] + channels["delay"]).max())
    ring, out = (
        SensorReading.zeros(longest + 1, **lengths),
        SensorReading.zeros(**lengths),
    )
    arrays = SensorArrays(
        setting=_shared_setting(robot, config, period, gravity, is_elastic),
        channels=channels,
        encoders=_joint_encoders(robot, config, is_elastic),
        surface=surface,
        noise=np.zeros((BLOCK, nch + 3)),
        memory=SensorMemory.zeros(),
        ring=ring,
        raw=np.asarray(ring).view(np.float64).reshape(-1, nch),
        out=np.asarray(out).view(np.float64),
    )
    views = {name: out[name][0] for name in NAMES}
    readings = Readings(time=0.0, dt=period, **views)
    return SensorBank(arrays, rng, readings, is_real, period)


def _shared_setting(
    robot: Robot, config: SensorConfig, period: float, gravity: float, is_elastic: bool
) -> Records[SensorSetting]:
    """Return what all sensors share."""
    is_real, setting = config.kind == "real", SensorSetting.zeros()
    one = setting[0]
    one.gravity, one.period = gravity, period
    one.share = -math.expm1(-period / config.inclination_time) if is_real else 1.0
    one.drift = config.gyro_drift * math.sqrt(period) if is_real else 0.0
    one.pad_range = config.pad_range
    one.radius = float(robot.model.geom(robot.feet[0]).size[0])
    own = BY_JOINT if config.shaft == "joint" else BY_MOTOR
    one.shaft = own if is_elastic else RIGID
    return setting


def _joint_encoders(
    robot: Robot, config: SensorConfig, is_elastic: bool
) -> Records[Encoder]:
    """Return encoder steps and limit sensors, with room for the last angle."""
    model = robot.model
    joints = model.actuator_trnid[:, 0]
    encoders = Encoder.zeros(model.nu)
    if config.kind == "real":
        motor, own = np.array(config.motor_encoder), np.array(config.joint_encoder)
        is_own = is_elastic and config.shaft == "joint"
        angle = np.where(own > 0.0, own, motor) if is_own else motor
        names = [model.joint(int(j)).name for j in joints]
        which = [
            next((k for k, n in enumerate(HINGES) if n in name), 2) for name in names
        ]
        encoders["step"], encoders["speed_step"] = angle[which], motor[which]
    limited = np.asarray(model.jnt_limited, bool)[joints]
    reach = model.jnt_range[joints]
    margin = config.limit_margin
    encoders["lower"] = np.where(limited, reach[:, 0] + margin, -np.inf)
    encoders["upper"] = np.where(limited, reach[:, 1] - margin, np.inf)
    return encoders


def _all_channels(
    config: SensorConfig,
    lengths: dict[str, int],
    period: float,
    rng: np.random.Generator,
) -> Records[SensorChannel]:
    """Return how good each number of a reading is; offsets get a sign by chance."""
    shapes = SensorReading.dtype(**lengths)
    counts = [shapes[name].shape[0] for name in NAMES]
    channels = SensorChannel.zeros(sum(counts))
    channels["every"] = 1

    def spread(by_name: dict[str, float]) -> NDArray[np.float64]:
        return np.repeat([by_name.get(name, 0) for name in NAMES], counts)

    if config.kind == "real":
        channels["sigma"] = spread(_noises(config))
        sign = 2.0 * rng.integers(0, 2, len(channels)) - 1.0
        channels["offset"] = spread(_offsets(config)) * sign
        channels["delay"] = spread(_delays(config, period))
        every = max(1, math.ceil(1.0 / (config.trunk_rate * period) - 1e-9))
        is_slow = spread(dict.fromkeys(TRUNK, 1)) > 0
        channels["every"] = np.where(is_slow, every, 1)
    is_failed = spread(dict.fromkeys(config.failed, 1)) > 0
    channels["failed"] = np.where(is_failed, np.nan, 0.0)
    return channels


def _noises(config: SensorConfig) -> dict[str, float]:
    """Return the noise of each field that has any."""
    return {
        "current": config.current_noise,
        "gyro": config.gyro_noise,
        "acceleration": config.acceleration_noise,
        "inclination": config.inclination_noise,
        "load": config.load_noise,
        "pad": config.pad_noise,
    }


def _offsets(config: SensorConfig) -> dict[str, float]:
    """Return the offset of each field that has one."""
    return {
        "gyro": config.gyro_offset,
        "acceleration": config.acceleration_offset,
        "inclination": config.inclination_offset,
        "load": config.load_offset,
    }


def _delays(config: SensorConfig, period: float) -> dict[str, float]:
    """Return by how many ticks each field is late."""
    joint = math.ceil(config.joint_delay / period - 1e-9)
    trunk = math.ceil(config.trunk_delay / period - 1e-9)
    by_joint = dict.fromkeys(("q", "v", "limit"), joint)
    by_trunk = dict.fromkeys(TRUNK, trunk)
    by_node = dict.fromkeys(("current", "load", "pad"), config.analog_cycles)
    return {**by_joint, **by_trunk, **by_node}
