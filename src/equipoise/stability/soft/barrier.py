"""How far, and how hard, a body on two soft feet may be pushed before it falls.

Feet push but do not pull. While the softness a = m g h / (2 k r^2) is below
a_v = h / sqrt(h^2 + r^2) the last point of return is the balance on one foot, as on
hard ground; above it both feet still carry there and it is the tilt cos(alpha) = a.
([Ridderstrom2003] section 9.1.1 accepts that tilt only with the centre of mass right
above a foot; figs 9.6 to 9.8 are simulations of what is a closed form here.)
"""

import math

from equipoise.stability.quantity import expect_above_zero

__all__ = ["attraction_limit", "energy_barrier"]


def attraction_limit(half_width: float, height: float, a: float) -> float:
    """Return the largest tilt from which a body released at rest returns upright.

    arctan(r/h) for a <= a_v, arccos(a) up to a = 1, zero beyond. It starts in vertical
    equilibrium, on feet with any damping that does not pull. Proof: the energy
    minimised over the height splits at this angle, and damping only takes from it; so
    mass, inertia and damping do not matter.

    Args:
        half_width: r, half the distance between the feet [m].
        height: of the centre of mass over the feet [m].
        a: softness m g h / (2 k r^2), no unit.

    Returns:
        The largest tilt [rad]; at it or beyond, the body falls.

    Raises:
        NotPhysicalError: a number that is not positive.
    """
    expect_above_zero("attraction_limit", half_width=half_width, height=height, a=a)
    if a >= 1:
        return 0.0
    if a <= height / math.hypot(height, half_width):
        return math.atan2(half_width, height)
    return math.acos(a)


def energy_barrier(a: float, slenderness: float) -> float:
    """Return the energy that tips a body on two soft feet, over m g h.

    E / m g h = sqrt(1 + q^2) - 1 - a q^2 / 2 for a <= a_v = 1 / sqrt(1 + q^2), which
    is the energy margin on hard ground less what the springs hold, m g / 4 k of height;
    (1 - a)^2 / 2 a from there to a = 1; zero beyond. q = r / h.

    Args:
        a: softness m g h / (2 k r^2), no unit.
        slenderness: half_width / height, no unit.

    Returns:
        The barrier, no unit, >= 0.

    Raises:
        NotPhysicalError: a number that is not positive.
    """
    expect_above_zero("energy_barrier", a=a, slenderness=slenderness)
    if a >= 1:
        return 0.0
    long = math.hypot(1, slenderness)
    if a * long <= 1:
        # sqrt(1 + q^2) - 1 = q^2 / (1 + sqrt(1 + q^2)), which does not cancel.
        return slenderness * slenderness * (1 / (1 + long) - a / 2)
    return (1 - a) * (1 - a) / (2 * a)
