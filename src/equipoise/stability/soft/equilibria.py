"""All the ways in which a body can rest on two springs, and where two of them meet.

With the centre of mass off the middle by gamma r, R = gamma r / h, the energy over
m g h is w(alpha) = cos(alpha) - R sin(alpha) + sin(alpha)^2 / 2a plus bouncing, so an
equilibrium has

    sin(alpha) / a - tan(alpha) = R,        stable where cos(alpha)^3 > a,

whatever damping, inertia and width are: [Ridderstrom2003] section 10.3 found this by
trial; it follows from w'' = (cos^3 - a) / (a cos). Both feet are taken to pull as well
as push.
"""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any, cast

import numpy as np

from equipoise.core.arrays import Array
from equipoise.stability.quantity import expect_above_zero, expect_number

__all__ = ["fold_offset", "is_tilt_stable", "planar_equilibria"]


def fold_offset(a: float) -> float:
    """Return the offset R at which the stable stance meets an unstable one and ends.

    R_c = (a^(-2/3) - 1)^(3/2), the surface of [Ridderstrom2003] fig. 10.4 seen from
    above: three equilibria for |R| < R_c, one beyond.

    Args:
        a: softness m g h / (2 k r^2), no unit.

    Returns:
        gamma r / h, no unit; 0 at a = 1, nan above, where no stance is stable.

    Raises:
        NotPhysicalError: a is not a number above zero.
    """
    expect_above_zero("fold", a=a)
    return _fold_slope(a) ** 3 if a <= 1 else math.nan


def planar_equilibria(a: float, R: float) -> Array:
    """Return every tilt in (-pi/2, pi/2) at which the body rests, sorted.

    With t = tan(alpha) the condition reads t / sqrt(1 + t^2) - a t = a R; between its
    two turning points, cos(alpha)^3 = a, it is monotone, so each piece has one root
    or none.

    Args:
        a: softness m g h / (2 k r^2), no unit.
        R: offset gamma r / h of the centre of mass, no unit.

    Returns:
        One, two (exactly at the fold) or three angles [rad], (n,).

    Raises:
        NotPhysicalError: a is not above zero, or R not finite.
    """
    expect_above_zero("planar_equilibria", a=a)
    expect_number("planar_equilibria", "R", R)
    from scipy import optimize  # slow to import

    brentq = cast(Callable[..., Any], optimize.brentq)

    def excess(t: float) -> float:
        return t / math.sqrt(1 + t * t) - a * t - a * R

    far = abs(R) + 1 / a + 1  # the sine is below one, so |t| <= |R| + 1 / a
    turn = _fold_slope(a) if a < 1 else 0.0
    ends = [-far, -turn, turn, far] if turn > 0 else [-far, far]
    slopes: set[float] = set()
    for low, high in pairwise(ends):
        left, right = excess(low), excess(high)
        if left == 0 or right == 0:
            slopes |= {end for end, e in ((low, left), (high, right)) if e == 0}
        elif (left < 0) != (right < 0):
            root = brentq(excess, low, high, xtol=1e-300, rtol=1e-15, maxiter=2000)
            slopes.add(float(root))
    return np.array([math.atan(t) for t in sorted(slopes)])


def is_tilt_stable(angle: float, a: float) -> bool:
    """Return whether an equilibrium at this tilt is stable: cos(angle)^3 > a.

    Args:
        angle: one of ``planar_equilibria`` [rad].
        a: softness m g h / (2 k r^2), no unit.
    """
    expect_above_zero("is_tilt_stable", a=a)
    expect_number("is_tilt_stable", "angle", angle)
    return math.cos(angle) ** 3 > a


def _fold_slope(a: float) -> float:
    """Return tan of the angle with cos^3 = a: sqrt(a^(-2/3) - 1), exact near a = 1."""
    return math.sqrt(max(0.0, math.expm1(-2 / 3 * math.log(a))))
