"""How much of the support between two feet is left on soft ground."""

import math

from equipoise.stability.quantity import expect_above_zero
from equipoise.stability.soft.equilibria import fold_offset

__all__ = ["shrunken_support"]


def shrunken_support(a: float, slenderness: float) -> float:
    """Return the share of the half-width within which the centre of mass may be.

    Hard ground carries it anywhere between the feet, a share of 1. On springs the body
    leans to the loaded side until the other foot lifts, at sin(alpha) = a q and
    tan(alpha) = (1 - share) q:

        share = 1 - a / sqrt(1 - (a q)^2),  about 1 - a;        q = r / h,

    unless the stance ends in a fold before, at R_c / q ([Ridderstrom2003] fig. 10.7
    takes both feet as loaded throughout).

    Args:
        a: softness m g h / (2 k r^2) of the centred stance, no unit.
        slenderness: half_width / height, no unit.

    Returns:
        Share of the half-width, 0 to 1; 0 for a >= 1, where nothing stands.

    Raises:
        NotPhysicalError: a number that is not positive.
    """
    expect_above_zero("shrunken_support", a=a, slenderness=slenderness)
    if a >= 1:
        return 0.0
    lean = a * slenderness  # sine of the tilt at which the other foot lifts
    if lean < 1 and (1 - lean * lean) ** 1.5 > a:
        return 1 - a / math.sqrt(1 - lean * lean)
    return fold_offset(a) / slenderness
