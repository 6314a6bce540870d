"""Where the zero moment point really goes when a walk is planned for rigid ground.

On soft ground the body tilts under the planned motion, and its weight tilts it more:

    z_actual / z_planned = (2 d r² s + 2 k r²) /
                           ((I + m h²) s² + 2 d r² s + 2 k r² - m g h)

for the planar stance of two feet on springs k and dampers d. [Ridderstrom2003] section
12.2.2 asks for this. Slow plans overshoot by 1 / (1 - a), plans near the tipping
resonance by much more, fast ones are smoothed away.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import NotPhysicalError
from equipoise.stability.loops.delay_roots import Complex
from equipoise.stability.quantity import expect_above_zero
from equipoise.stability.soft.planar import oscillator_roots

__all__ = ["ZmpTransfer", "zmp_transfer"]


@final
@dataclass(frozen=True)
class ZmpTransfer:
    """Transfer function (b1 s + b0) / (a2 s² + b1 s + a0) of a stance."""

    righting: float
    """Righting moment of the springs per radian, b0 = 2 k r² [N m]."""
    damping: float
    """Damping b1 = 2 d r² [N m s]."""
    inertia: float
    """Inertia about the ground, a2 = I + m h² [kg m²]."""
    excess: float
    """Righting moment less the weight's, a0 = 2 k r² - m g h [N m]."""
    half_width: float
    """Half-width r, from the middle to a foot [m]."""

    @property
    def softness(self) -> float:
        """Return a = m g h / (2 k r²), no unit; below 1 the stance is stable."""
        return 1 - self.excess / self.righting

    @property
    def poles(self) -> Complex:
        """Two poles of tipping, (2,) [1/s]."""
        roots = oscillator_roots(self.inertia, self.damping, self.excess)
        return np.array(roots, np.complex128)

    def response(self, rate: ArrayLike) -> Complex:
        """Return T(j ω), the response of the actual point to a planned sine.

        Args:
            rate: ω >= 0, any shape [rad/s].
        """
        s = 1j * np.asarray(rate, np.float64)
        above = self.damping * s + self.righting
        below = self.inertia * s * s + self.damping * s + self.excess
        return np.asarray(above / below, np.complex128)

    def lift_off(self, rate: ArrayLike) -> Array:
        """Return the planned amplitude at which a foot lifts, r / |T(j ω)| [m].

        Exact for the linear stance: a foot lifts when the actual point reaches it.

        Args:
            rate: ω >= 0, any shape [rad/s].
        """
        return self.half_width / np.abs(self.response(rate))

    @property
    def resonance(self) -> tuple[float, float]:
        """Frequency of the largest |T| and that |T| [rad/s, no unit].

        With u = ω², |T|² = (b0² + b1² u) / ((a0 - a2 u)² + b1² u) is stationary at the
        positive root of a2² b1² u² + 2 a2² b0² u + b0² b1² - b1² a0² - 2 a0 a2 b0² = 0;
        without one |T| falls from the start.
        """
        a0, a2, b0, b1 = self.excess, self.inertia, self.righting, self.damping
        square = (a2 * b1) ** 2
        middle = 2 * (a2 * b0) ** 2
        last = b0 * b0 * (b1 * b1 - 2 * a0 * a2) - (b1 * a0) ** 2
        if square == 0.0:
            u = max(0.0, -last / middle)
        else:
            root = math.sqrt(max(0.0, middle * middle - 4 * square * last))
            u = max(0.0, -2 * last / (middle + root))
        rate = math.sqrt(u)
        if b1 == 0.0:
            return rate, math.inf
        return rate, float(np.abs(self.response(rate)))


def zmp_transfer(
    mass: float,
    stiffness: float,
    damping: float,
    half_width: float,
    height: float,
    inertia: float,
    *,
    gravity: float = GRAVITY,
) -> ZmpTransfer:
    """Return the transfer function from the planned to the actual zero moment point.

    Args:
        mass: of the body [kg].
        stiffness: of the ground under one foot [N/m].
        damping: of the ground under one foot, >= 0 [N s/m].
        half_width: r, half the distance between the feet [m].
        height: of the centre of mass over the feet [m].
        inertia: about the centre of mass, across the plane [kg m²].
        gravity: free fall [m/s²].

    Raises:
        NotPhysicalError: a number that is not positive, or ground so soft that the
            stance falls and has no steady response.
    """
    expect_above_zero(
        "zmp_transfer",
        mass=mass,
        stiffness=stiffness,
        half_width=half_width,
        height=height,
        inertia=inertia,
        gravity=gravity,
    )
    expect_above_zero("zmp_transfer", zero=True, damping=damping)
    righting = 2 * stiffness * half_width**2
    excess = righting - mass * gravity * height
    if not excess > 0:
        least = mass * gravity * height / (2 * half_width**2)
        raise NotPhysicalError(
            f"zmp_transfer: stiffness must be above m g h / (2 r²) = {least:g} N/m, "
            f"got {stiffness!r}; on softer ground the stance falls."
        )
    return ZmpTransfer(
        righting,
        2 * damping * half_width**2,
        inertia + mass * height**2,
        excess,
        half_width,
    )
