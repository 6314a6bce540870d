"""What moves a joint: a motor behind a gear, seen from the joint.

Everything is reduced to the joint: torque per ampere and volts per rad/s include the
gear, and so does the rotor's inertia.
"""

from dataclasses import dataclass, fields
from typing import final

from equipoise.core.checks import expect_positive

__all__ = ["Drive"]


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

    def __post_init__(self) -> None:
        """Refuse what is no motor."""
        expect_positive(self, *(field.name for field in fields(self)))

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

    @property
    def torque(self) -> float:
        """Largest torque [N m]."""
        return self.torque_constant * self.current

    @property
    def speed(self) -> float:
        """Largest speed, without load at full voltage [rad/s]."""
        return self.voltage / self.torque_constant
