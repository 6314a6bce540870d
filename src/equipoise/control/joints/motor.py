"""Joint level: from torque to current to volts, [Ridderstrom2003] section 5.3.

The torque becomes a reference current, limited to what drive and cable bear (the
*torque model* block). A motor model gives the voltage, R i + K w, and a PI controller
on the measured current mends what the model misses. The supply limits the voltage, and
at a joint's range limit the *safety stop* limits it further.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, final

import numpy as np

from equipoise.control.joints.safety import voltage_at_stop
from equipoise.control.records import LegEstimate
from equipoise.core.arrays import VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings
from equipoise.robots.drives import Drive

__all__ = ["JointMotors", "Motor", "MotorConfig", "motor_volts", "motors"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class MotorConfig(Settings):
    """Gains of the current controller; defaults suit 500 Hz, a sample late.

    The winding's current settles within a sample, so that the loop is a delay with
    proportional share c and integral gain: c < 1/2 keeps it from ringing.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    proportional: Annotated[
        float,
        Setting(
            "Voltage per missing current, as a share of the winding's resistance R",
            least=0.0,
        ),
    ] = 0.2
    integral_time: Annotated[
        float,
        Setting(
            "Time in which the integral alone removes an error",
            "s",
            above=0.0,
        ),
    ] = 0.02


class Motor(Record):
    """One joint's motor as the controller knows it."""

    constant: float = entry("torque per current at the joint, K", "N m/A")
    resistance: float = entry("of the winding, R", "ohm")
    current: float = entry("largest", "A")
    voltage: float = entry("largest", "V")
    proportional: float = entry("voltage per missing current", "ohm")
    integral: float = entry("voltage per missing current and time", "ohm/s")


@final
@dataclass(frozen=True, eq=False)
class JointMotors:
    """Joint level of one machine, with the records that its kernel takes."""

    config: MotorConfig
    each: Records[Motor] = field(repr=False)
    """Motors in actuator order, (nu,)."""

    def init(self) -> VecN:
        """Return the integrals before the first tick, (nu,) [V]."""
        return np.zeros(len(self.each))

    def step(
        self, tau: VecN, v: VecN, current: VecN, limit: VecN, dt: float, state: VecN
    ) -> tuple[VecN, VecN]:
        """Return voltages and next integrals; for loops call the kernel.

        Args:
            tau: wanted torques, (nu,) [N m].
            v: joint speeds, (nu,) [rad/s].
            current: measured, (nu,) [A]; nan where there is no reading.
            limit: range sensors, (nu,), -1, 0 or 1.
            dt: control period [s].
            state: integrals, (nu,) [V].
        """
        leg, volts, after = (
            LegEstimate.zeros(joints=len(tau)),
            state.copy(),
            state.copy(),
        )
        leg[0].v[:], leg[0].current[:], leg[0].limit[:] = v, current, limit
        motor_volts(leg, tau, self.each, dt, after, volts)
        return volts, after


def motors(drives: Sequence[Drive], config: MotorConfig | None = None) -> JointMotors:
    """Return the joint level of a machine.

    Args:
        drives: of its joints in actuator order, (nu,).
        config: of the current controllers.
    """
    c, each = config or MotorConfig(), Motor.zeros(len(drives))
    for motor, drive in zip(each, drives, strict=True):
        motor.constant, motor.resistance = drive.torque_constant, drive.resistance
        motor.current, motor.voltage = drive.current, drive.voltage
        motor.proportional = c.proportional * drive.resistance
        motor.integral = drive.resistance / c.integral_time
    return JointMotors(c, each)


@compiled(allocates=False)
def motor_volts(
    legs: Records[LegEstimate],
    tau: VecN,
    motors: Records[Motor],
    dt: float,
    integral: VecN,
    out: VecN,
) -> int:
    """Write V = R i_ref + K w + c_p (i_ref - i) + ∫ c_i (i_ref - i) dt, limited.

    i_ref is τ/K within the largest current. The integral stands still where the current
    is unknown and where more of it would only press on a limit. A torque or speed that
    is not finite counts as zero.

    Args:
        legs: what is known of their joints, in actuator order.
        tau: wanted torques, (nu,) [N m].
        motors: of the ``JointMotors``, (nu,).
        dt: control period [s].
        integral: of each joint, (nu,) [V]; advanced.
        out: voltages, (nu,) [V]; overwritten.

    Returns:
        How many voltages are limited.
    """
    limited, k = 0, 0
    for leg in legs:
        for j in range(leg.v.shape[0]):
            motor = motors[k]
            wanted = tau[k] / motor.constant if math.isfinite(tau[k]) else 0.0
            wanted = min(max(wanted, -motor.current), motor.current)
            back_emf = motor.constant * leg.v[j] if math.isfinite(leg.v[j]) else 0.0
            volts = motor.resistance * wanted + back_emf
            grown, missing = integral[k], 0.0
            if math.isfinite(leg.current[j]):
                missing = wanted - leg.current[j]
                grown += motor.integral * missing * dt
                volts += motor.proportional * missing + grown
            allowed = min(max(volts, -motor.voltage), motor.voltage)
            most = motor.resistance * motor.current
            allowed = voltage_at_stop(allowed, leg.limit[j], back_emf, most)
            if allowed == volts:
                integral[k] = grown
            else:
                limited += 1
                if missing * (volts - allowed) < 0.0:  # it leads back from the limit
                    integral[k] = grown
            out[k] = min(max(allowed, -motor.voltage), motor.voltage)
            k += 1
    return limited
