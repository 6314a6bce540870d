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
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Readings
from equipoise.core.records import Records
from equipoise.core.seeds import stream
from equipoise.core.setting import Setting, Settings
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
class SensorConfig(Settings):
    """Quality of the sensors; ``ideal`` ones ignore everything except ``failed``."""

    kind: Annotated[
        SensorKind,
        Setting("Quality of the sensors: exact and at once, or as described here"),
    ] = "ideal"
    seed: Annotated[
        int, Setting("Seed of noise, drift and the signs of offsets", least=0)
    ] = 0
    failed: tuple[str, ...] = ()
    """Fields of ``Readings`` that read NaN."""
    motor_encoder: Annotated[
        tuple[float, float, float],
        Setting(
            "Step of the motor's encoder at the joints of hip roll, hip pitch and "
            "knee, table 5.2",
            "rad",
            least=0.0,
        ),
    ] = (0.06e-3, 0.01e-3, 0.01e-3)
    joint_encoder: Annotated[
        tuple[float, float, float],
        Setting(
            "Step of the encoder on the joint's own shaft, 0 where there is none; it "
            "is read where the gear is elastic",
            "rad",
            least=0.0,
        ),
    ] = (0.0, 1.6e-3, 1.6e-3)
    shaft: Annotated[
        Shaft,
        Setting(
            "Shaft whose angle is read where the gear is elastic; speeds are always "
            "the motor's"
        ),
    ] = "joint"
    limit_margin: Annotated[
        float,
        Setting(
            "Angle before the stop at which a limit sensor switches; our choice",
            "rad",
            least=0.0,
        ),
    ] = 1.0 * DEGREE
    current_noise: Annotated[
        float,
        Setting(
            "Standard deviation of a current, 1 % of the amplifier's range",
            "A",
            least=0.0,
        ),
    ] = 0.05
    gyro_noise: Annotated[
        float, Setting("Standard deviation of an angular rate", "rad/s", least=0.0)
    ] = 0.1 * DEGREE
    gyro_offset: Annotated[
        float, Setting("Offset of an angular rate", "rad/s", least=0.0)
    ] = 0.3 * DEGREE
    gyro_drift: Annotated[
        float,
        Setting(
            "Growth of the random walk of that offset in a second",
            "rad/s/√s",
            least=0.0,
        ),
    ] = 0.01 * DEGREE
    acceleration_noise: Annotated[
        float, Setting("Standard deviation of an acceleration", "m/s²", least=0.0)
    ] = 0.05
    acceleration_offset: Annotated[
        float, Setting("Offset of an acceleration", "m/s²", least=0.0)
    ] = 0.1
    inclination_time: Annotated[
        float,
        Setting("Time constant of the inclinometer's low-pass filter", "s", above=0.0),
    ] = 0.3
    inclination_noise: Annotated[
        float, Setting("Standard deviation of an inclination", "rad", least=0.0)
    ] = 0.02 * DEGREE
    inclination_offset: Annotated[
        float, Setting("Offset of an inclination", "rad", least=0.0)
    ] = 0.2 * DEGREE
    load_noise: Annotated[
        float, Setting("Standard deviation of a foot's load", "N", least=0.0)
    ] = 3.0
    load_offset: Annotated[
        float, Setting("Offset of a foot's load", "N", least=0.0)
    ] = 5.0
    pad_noise: Annotated[
        float,
        Setting("Standard deviation of the travel of a foot's pad", "m", least=0.0),
    ] = 0.3e-3
    pad_range: Annotated[
        float, Setting("Travel of the pad before the foot carries", "m", least=0.0)
    ] = 26e-3
    joint_delay: Annotated[
        float,
        Setting(
            "Delay of q, v and limit beside that of the bus, rounded up to periods",
            "s",
            least=0.0,
        ),
    ] = 0.0
    analog_cycles: Annotated[
        int,
        Setting(
            "Control periods by which current, load and pad are late: converted "
            "values leave the node after the actuator message (algorithm 1)",
            least=0,
        ),
    ] = 1
    trunk_delay: Annotated[
        float, Setting("Delay of gyro, acceleration and inclination", "s", least=0.0)
    ] = 0.0
    trunk_rate: Annotated[
        float,
        Setting(
            "Rate of new values from the trunk's node, rounded down to whole periods",
            "1/s",
            above=0.0,
        ),
    ] = 500.0

    def problems(self) -> Iterator[str]:
        """Yield a phrase for each unknown sensor in ``failed``."""
        for name in self.failed:
            if name not in NAMES:
                known = ", ".join(NAMES)
                yield f"failed must name some of {known}, got {name!r}"


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
