"""What moves a joint: a motor behind a gear, or a cylinder behind a valve.

Everything is reduced to the joint: torque per ampere and volts per rad/s include the
gear, and so does the rotor's inertia. Of a cylinder only its limits count, and that its
torque lags behind what its valve is told.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, final, get_args

import mujoco
import numpy as np

from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError

__all__ = ["Drive", "DriveKind", "actuator_limit"]

DriveKind = Literal["motor", "lag"]
NUMBERS = (
    "torque_constant", "resistance", "current_rise", "inertia", "voltage", "current",
    "stiffness", "bandwidth", "valve",
)  # fmt: skip


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Drive:
    """A DC motor with a gear; defaults are WARP1's hip and knee pitch, table 5.2.

    The table agrees with itself: 91 N m at 5 A is 18.2 N m/A, which is also 48 V at
    2.6 rad/s; R = K² t / J from the speed's rise time t is 1.2 ohm.

    Raises:
        ConfigError: a number that is not positive.
    """

    torque_constant: float = 18.2
    """K, torque per ampere and volts per speed, at the joint [N m/A, V s/rad]."""
    resistance: float = 1.2
    """R, of the winding [ohm]."""
    current_rise: float = 0.4e-3
    """L / R, time in which the current follows the voltage [s]."""
    inertia: float = 2.7
    """Of rotor and gear, at the joint [kg m²]."""
    voltage: float = 48.0
    """Largest [V]."""
    current: float = 5.0
    """Largest [A]."""
    stiffness: float = 1000.0
    """Of gear and cable, at the joint [N m/rad]."""
    kind: DriveKind = "motor"
    """``lag``: told torques, which follow as a lag of second order."""
    bandwidth: float = 70.0
    """At which a lag's torque has fallen to 0.71 of its command [Hz]."""
    valve: float = 200.0
    """And what the valve alone, a part of that lag, follows [Hz]."""

    def __post_init__(self) -> None:
        """Refuse what is no drive."""
        expect_positive(self, *NUMBERS)
        problems: list[str] = []
        if self.kind not in get_args(DriveKind):
            known = " or ".join(get_args(DriveKind))
            problems.append(f"kind must be {known}, got {self.kind!r}")
        if not self.bandwidth < self.valve:
            problems.append(
                f"bandwidth must be below the valve's {self.valve:g} Hz, got "
                f"{self.bandwidth!r}"
            )
        if problems:
            raise ConfigError("Drive", problems)

    @classmethod
    def of_limits(
        cls, torque: float, speed: float, inertia: float, *, stall: float = 1.5
    ) -> "Drive":
        """Return a motor of which only limits are known, as robot files have them.

        Its amplifier gives 5 A at the largest torque; the winding follows from what the
        motor would give at rest without that limit. Its gear is as stiff for its torque
        as WARP1's.

        Args:
            torque: largest [N m].
            speed: largest, without load [rad/s].
            inertia: of rotor and gear, at the joint [kg m²].
            stall: torque at rest and full voltage over the largest.
        """
        usual = cls()
        constant = torque / usual.current
        voltage = constant * speed
        return cls(
            torque_constant=constant,
            resistance=voltage / (stall * usual.current),
            inertia=inertia,
            voltage=voltage,
            stiffness=usual.stiffness * torque / usual.torque,
        )

    def behind_valve(self, bandwidth: float, valve: float) -> "Drive":
        """Return a drive of the same limits whose torque lags behind its command.

        Args:
            bandwidth: of the torque, valve included [Hz].
            valve: of the valve alone [Hz].
        """
        return replace(self, kind="lag", bandwidth=bandwidth, valve=valve)

    @property
    def chamber(self) -> float:
        """Corner of what a lag has beside its valve [Hz].

        Of both in a row, 1 / ((1 + s/w_v) (1 + s/w_c)), the size is √½ at the
        bandwidth b: (1 + b²/v²) (1 + b²/c²) = 2.
        """
        ratio = (self.bandwidth / self.valve) ** 2
        return self.bandwidth * ((1.0 + ratio) / (1.0 - ratio)) ** 0.5

    @property
    def lateness(self) -> float:
        """For how long a torque that grows evenly is behind its command [s]."""
        if self.kind == "motor":
            return 0.0
        return (1.0 / self.valve + 1.0 / self.chamber) / math.tau

    @property
    def torque(self) -> float:
        """Largest torque [N m]."""
        return self.torque_constant * self.current

    @property
    def speed(self) -> float:
        """Largest speed, without load at full voltage [rad/s]."""
        return self.voltage / self.torque_constant


def actuator_limit(model: Any, a: int) -> float:
    """Return the largest torque or force of an actuator at its joint, NaN without one.

    What a servo is told is a place or a speed; only a plain motor's control is a share
    of its torque.

    Args:
        model: compiled.
        a: number of the actuator.
    """
    gear = abs(float(model.actuator_gear[a, 0]))
    limits = []
    if model.actuator_forcelimited[a]:
        limits.append(gear * float(np.abs(model.actuator_forcerange[a]).max()))
    is_plain = int(model.actuator_biastype[a]) == int(mujoco.mjtBias.mjBIAS_NONE)
    is_fixed = int(model.actuator_gaintype[a]) == int(mujoco.mjtGain.mjGAIN_FIXED)
    if model.actuator_ctrllimited[a] and is_plain and is_fixed:
        gain = abs(float(model.actuator_gainprm[a, 0]))
        limits.append(gear * gain * float(np.abs(model.actuator_ctrlrange[a]).max()))
    return min(limits, default=math.nan)
