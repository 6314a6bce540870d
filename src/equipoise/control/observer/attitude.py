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
from typing import Any, cast, final

from equipoise.control.observer.inertial import (
    ABRUPT,
    SMOOTH,
    STARTING,
    AttitudeConfig,
    AttitudeGains,
    AttitudeState,
    observe_attitude,
    read_trunk,
)
from equipoise.control.records import TrunkEstimate
from equipoise.core.contracts import Readings
from equipoise.core.records import Records, pooled_empty_like, record_of

__all__ = ["AttitudeConfig", "AttitudeObserver"]


@final
@dataclass(frozen=True)
class AttitudeObserver:
    """Observer of R_WB and w_B."""

    config: AttitudeConfig = field(default_factory=AttitudeConfig)

    def init(self) -> Records[AttitudeState]:
        """Return the state before the first readings, which set the attitude."""
        state = AttitudeState.zeros()
        state[0].quat_WB[0] = 1.0
        return state

    def gains(self) -> Records[AttitudeGains]:
        """Return the config as the kernel takes it."""
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
        cast("Any", gains)["config"] = record_of(c)[0]

    def step(
        self, readings: Readings, state: Records[AttitudeState]
    ) -> tuple[Records[TrunkEstimate], Records[AttitudeState]]:
        """Return R_WB and w_WB_B of an estimate, and the next state.

        Args:
            readings: of which gyro, acceleration and inclination count.
            state: of the last tick.
        """
        trunk, after = TrunkEstimate.zeros(), pooled_empty_like(state)
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
