"""How large a walking machine is: with gravity, all that dynamic similarity needs."""

import math
from dataclasses import dataclass
from typing import final

__all__ = ["Scale"]


@final
@dataclass(frozen=True, slots=True)
class Scale:
    """Mass and height of a machine, by which settings are carried over to another."""

    mass: float
    """Mass of the whole machine, without a payload [kg]."""
    height: float
    """Height of the hips over the foot points, as it stands [m]."""

    def over(self, other: "Scale") -> dict[str, float]:
        """Return the factor by which settings of each unit are multiplied.

        Args:
            other: size of the machine that the settings are of.
        """
        m, h = self.mass / other.mass, self.height / other.height
        t = math.sqrt(h)
        return {
            "": 1.0, "rad": 1.0, "m/s²": 1.0, "m": h, "s": t, "m/s": h / t,
            "rad/s": 1.0 / t, "1/s": 1.0 / t, "rad/s²": 1.0 / h, "1/s²": 1.0 / h,
            "m³/rad³": h**3,
            "kg": m, "N": m, "N m": m * h, "N/m": m / h, "N s/m": m * t / h,
            "N m/rad": m * h, "N m s/rad": m * h * t,
        }  # fmt: skip
