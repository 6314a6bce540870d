"""Two feet in a plane on vertical springs: when does the upright stance hold?

A body of mass m and inertia I stands on two feet a half-width r to either side, its
centre of mass h above them; each foot rests on a spring k with a damper d. Only

    a = m g h / (2 k r^2)

decides: upright is stable for a < 1, [Ridderstrom2003] eq. (9.1). Bouncing and tipping
decouple, and each is a spring, a mass and a damper.
"""

import cmath
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equipoise.core.constants import GRAVITY
from equipoise.stability.quantity import expect_above_zero

__all__ = ["SpringStance", "oscillator_roots", "planar_stance"]


@dataclass(frozen=True, eq=False)
class SpringStance:
    """Upright stance of a body on equal springs, linearised."""

    a: float
    """Softness: weight's tipping moment over the springs' righting one, no unit."""
    eigenvalues: NDArray[np.complex128]
    """Eigenvalues: two of bouncing, then two of tipping, (4,) [1/s]."""
    stable: bool
    """Whether every small motion decays: a < 1 and some damping."""


def planar_stance(
    mass: float,
    stiffness: float,
    damping: float,
    half_width: float,
    height: float,
    inertia: float,
    *,
    gravity: float = GRAVITY,
) -> SpringStance:
    """Return softness, eigenvalues and stability of two feet on springs in a plane.

    m s^2 + 2 d s + 2 k = 0 for bouncing and
    I s^2 + 2 d r^2 s + 2 k r^2 (1 - a) = 0 for tipping: the eigenvalues of
    [Ridderstrom2003] section 9.1.1 with two factors put right (2 m k for m k under the
    first root, r^2 d for r d in the second pair). Horizontal motion, which vertical
    springs leave neutral, is left out.

    Args:
        mass: of the body [kg].
        stiffness: of the ground under one foot [N/m].
        damping: of the ground under one foot, >= 0; without any, nothing dies out and
            the stance is not called stable [N s/m].
        half_width: r, half the distance between the feet [m].
        height: of the centre of mass over the feet [m].
        inertia: about the centre of mass, across the plane [kg m^2].
        gravity: free fall [m/s^2].

    Returns:
        The stance with its four eigenvalues.

    Raises:
        NotPhysicalError: a number that is not positive.
    """
    expect_above_zero(
        "planar_stance",
        mass=mass,
        stiffness=stiffness,
        half_width=half_width,
        height=height,
        inertia=inertia,
        gravity=gravity,
    )
    expect_above_zero("planar_stance", zero=True, damping=damping)
    square = half_width * half_width
    a = mass * gravity * height / (2 * stiffness * square)
    bounce = oscillator_roots(mass, 2 * damping, 2 * stiffness)
    tip = oscillator_roots(
        inertia, 2 * damping * square, 2 * stiffness * square * (1 - a)
    )
    return SpringStance(
        float(a), np.array([*bounce, *tip], complex), bool(a < 1 and damping > 0)
    )


def oscillator_roots(
    mass: float, damping: float, stiffness: float
) -> tuple[complex, complex]:
    """Return the roots of m s^2 + d s + k = 0 without cancellation.

    -(d + sqrt(d^2 - 4 m k)) / 2 m and, as their product is k / m, the other one from
    it: the slow root of a strongly damped motion keeps all its digits.
    """
    root = cmath.sqrt(damping * damping - 4 * mass * stiffness)
    sum_of_both = damping + root  # damping >= 0: no difference of near equals
    fast = -sum_of_both / (2 * mass)
    slow = -2 * stiffness / sum_of_both if sum_of_both else 0j
    return complex(slow), complex(fast)
