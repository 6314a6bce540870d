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

from dataclasses import dataclass, field
from typing import final

from equipoise.control.observer.inertial import (
    ABRUPT,
    SMOOTH,
    STARTING,
    AttitudeGains,
    AttitudeState,
    observe_attitude,
    read_trunk,
)
from equipoise.control.records import TrunkEstimate
from equipoise.core.checks import expect_positive
from equipoise.core.contracts import Readings
from equipoise.core.records import Records, room_like

__all__ = ["AttitudeConfig", "AttitudeObserver"]


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
    """Estimates R_WB and w_B; its state is kept by the caller."""

    config: AttitudeConfig = field(default_factory=AttitudeConfig)

    def init(self) -> Records[AttitudeState]:
        """Return the state before the first readings, which then set the attitude."""
        state = AttitudeState.zeros()
        state[0].quat_WB[0] = 1.0
        return state

    def gains(self) -> Records[AttitudeGains]:
        """Return what the kernel takes for the config."""
        gains = AttitudeGains.zeros()
        self.fill(gains[0])
        return gains

    def fill(self, gains: AttitudeGains) -> None:
        """Write the config into a record.

        Args:
            gains: overwritten.
        """
        c, T = self.config, self.config.inclinometer_lag
        sets = {
            SMOOTH: (c.smooth_rate, c.smooth_bias_rate),
            ABRUPT: (c.abrupt_rate, c.abrupt_bias_rate),
            STARTING: (c.start_rate, c.start_bias_rate),
        }
        for way, (p, b) in sets.items():
            gains.pull[way] = T * (p * p + 2 * p * b)
            gains.follow[way] = 2 * p + b - 1 / T
            gains.learn[way] = T * p * p * b
        gains.lag, gains.hold, gains.level = T, c.hold, c.smooth_rate
        gains.abrupt_force, gains.abrupt_turn = c.abrupt_force, c.abrupt_turn
        gains.calm_time, gains.quick_time = c.calm_time, c.quick_time
        gains.start_time, gains.largest_bias = c.start_time, c.largest_bias

    def step(
        self, readings: Readings, state: Records[AttitudeState]
    ) -> tuple[Records[TrunkEstimate], Records[AttitudeState]]:
        """Return R_WB and w_WB_B of an estimate, and the next state.

        Args:
            readings: of which gyro, acceleration and inclination count.
            state: of the last tick.
        """
        trunk, after = TrunkEstimate.zeros(), room_like(state)
        read_trunk(
            readings.gyro,
            readings.acceleration,
            readings.inclination,
            readings.time,
            readings.dt,
            state,
            after,
        )
        observe_attitude(self.gains(), after, trunk)
        return trunk, after
