"""Joint level: from torque to current to volts, [Ridderstrom2003] section 5.3.

The torque becomes a reference current, limited to what drive and cable bear (the
*torque model* block). A motor model gives the voltage, R i + K w, and a PI controller
on the measured current mends what the model misses. The supply limits the voltage, and
at a joint's range limit the *safety stop* limits it further.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.joints.safety import voltage_at_stop
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled
from equipoise.robots.drives import Drive

__all__ = ["MotorConfig", "Motors", "motor_volts", "motors"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class MotorConfig:
    """Of the current controller; defaults suit 500 Hz with a sample of delay.

    The winding's current settles within a sample, so that the loop is a delay with
    proportional share c and integral gain: c < 1/2 keeps it from ringing.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    proportional: float = 0.2
    """Voltage per missing current, as a share of the winding's R, no unit."""
    integral_time: float = 0.02
    """In which the integral alone brings what is missing [s]."""

    def __post_init__(self) -> None:
        expect_positive(self, "proportional", zero=True)
        expect_positive(self, "integral_time")


@final
@dataclass(frozen=True, eq=False)
class Motors:
    """The joint level of one machine: the array that its kernel takes, built once."""

    config: MotorConfig
    table: Array = field(repr=False)
    """Per joint, (6, nu): K [N m/A], R [ohm], largest current [A] and voltage [V],
    proportional gain [ohm] and integral gain [ohm/s]."""

    def init(self) -> VecN:
        """Return the integrals before the first tick, (nu,) [V]."""
        return np.zeros(self.table.shape[1])

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
        volts, after = np.empty_like(state), state.copy()
        motor_volts(tau, v, current, limit, self.table, dt, after, volts)
        return volts, after


def motors(drives: Sequence[Drive], config: MotorConfig | None = None) -> Motors:
    """Return the joint level of a machine.

    Args:
        drives: of its joints in actuator order, (nu,).
        config: of the current controllers.
    """
    c = config or MotorConfig()
    rows = [
        [
            d.torque_constant,
            d.resistance,
            d.current,
            d.voltage,
            c.proportional * d.resistance,
            d.resistance / c.integral_time,
        ]
        for d in drives
    ]
    return Motors(c, np.array(rows).reshape(-1, 6).T.copy())


@compiled(allocates=False)
def motor_volts(
    tau: VecN,
    v: VecN,
    current: VecN,
    limit: VecN,
    table: Array,
    dt: float,
    integral: VecN,
    out: VecN,
) -> int:
    """Write V = R i_ref + K w + c_p (i_ref - i) + ∫ c_i (i_ref - i) dt, limited.

    i_ref is τ/K within the largest current. The integral stands still where the current
    is unknown and where more of it would only press on a limit. A torque or speed that
    is not finite counts as zero.

    Args:
        tau: wanted torques, (nu,) [N m].
        v: joint speeds, (nu,) [rad/s].
        current: measured, (nu,) [A]; nan where there is no reading.
        limit: range sensors, (nu,), -1, 0 or 1.
        table: of the ``Motors``, (6, nu).
        dt: control period [s].
        integral: of each joint, (nu,) [V]; advanced.
        out: voltages, (nu,) [V]; overwritten.

    Returns:
        How many voltages are limited.
    """
    limited = 0
    for k in range(tau.shape[0]):
        constant, resistance, most = table[0, k], table[1, k], table[2, k]
        wanted = tau[k] / constant if math.isfinite(tau[k]) else 0.0
        wanted = min(max(wanted, -most), most)
        back_emf = constant * v[k] if math.isfinite(v[k]) else 0.0
        volts = resistance * wanted + back_emf
        grown = integral[k]
        if math.isfinite(current[k]):
            missing = wanted - current[k]
            grown += table[5, k] * missing * dt
            volts += table[4, k] * missing + grown
        else:
            missing = 0.0
        allowed = min(max(volts, -table[3, k]), table[3, k])
        allowed = voltage_at_stop(allowed, limit[k], back_emf, resistance * most)
        if allowed == volts:
            integral[k] = grown
        else:
            limited += 1
            if missing * (volts - allowed) < 0.0:  # it leads back from the limit
                integral[k] = grown
        out[k] = min(max(allowed, -table[3, k]), table[3, k])
    return limited
