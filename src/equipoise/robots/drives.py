"""What moves a joint: a motor behind a gear, or a cylinder behind a valve.

Everything is reduced to the joint: torque per ampere and volts per rad/s include the
gear, and so does the rotor's inertia. Of a cylinder only its limits count, and that its
torque lags behind what its valve is told.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, final

import mujoco
import numpy as np

from equipoise.core.setting import Setting, Settings

__all__ = ["Drive", "DriveKind", "actuator_limit"]

DriveKind = Literal["motor", "lag"]
NUMBERS = (
    "torque_constant", "resistance", "current_rise", "inertia", "voltage", "current",
    "stiffness", "bandwidth", "valve",
)  # fmt: skip


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Drive(Settings):
    """A DC motor with a gear; defaults are WARP1's hip and knee pitch, table 5.2.

    The table agrees with itself: 91 N m at 5 A is 18.2 N m/A, which is also 48 V at
    2.6 rad/s; R = K² t / J from the speed's rise time t is 1.2 ohm.

    Raises:
        ConfigError: a number that is not positive.
    """

    torque_constant: Annotated[
        float,
        Setting(
            "Torque constant K at the joint: torque per ampere, and volts per speed",
            "N m/A",
            above=0.0,
        ),
    ] = 18.2
    resistance: Annotated[
        float, Setting("Resistance R of the winding", "ohm", above=0.0)
    ] = 1.2
    current_rise: Annotated[
        float,
        Setting("Time L / R in which the current follows the voltage", "s", above=0.0),
    ] = 0.4e-3
    inertia: Annotated[
        float,
        Setting(
            "Moment of inertia of rotor and gear, at the joint", "kg m²", above=0.0
        ),
    ] = 2.7
    voltage: Annotated[float, Setting("Largest voltage", "V", above=0.0)] = 48.0
    current: Annotated[float, Setting("Largest current", "A", above=0.0)] = 5.0
    stiffness: Annotated[
        float,
        Setting("Stiffness of gear and cable, at the joint", "N m/rad", above=0.0),
    ] = 1000.0
    kind: Annotated[
        DriveKind,
        Setting(
            "Kind of drive; the torque of a `lag` follows its command as a lag of "
            "second order"
        ),
    ] = "motor"
    bandwidth: Annotated[
        float,
        Setting(
            "Frequency at which the torque of a lag has fallen to 0.71 of its command",
            "Hz",
            above=0.0,
        ),
    ] = 70.0
    valve: Annotated[
        float,
        Setting(
            "The same frequency of the valve alone, which is a part of that lag",
            "Hz",
            above=0.0,
        ),
    ] = 200.0

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with a lag that is faster than its valve."""
        if not self.bandwidth < self.valve:
            yield (
                f"bandwidth must be below the valve's {self.valve:g} Hz, got "
                f"{self.bandwidth!r}"
            )

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
        """Lag of a linearly growing torque behind its command [s]."""
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
