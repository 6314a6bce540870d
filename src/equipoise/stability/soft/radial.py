"""Three or more feet on a circle, each on a vertical spring."""

import numpy as np

from equipoise.core.constants import GRAVITY
from equipoise.stability.quantity import expect_above_zero, expect_whole
from equipoise.stability.soft.planar import SpringStance, oscillator_roots

__all__ = ["radial_stance"]


def radial_stance(
    legs: int,
    mass: float,
    stiffness: float,
    damping: float,
    radius: float,
    height: float,
    inertia: float,
    *,
    gravity: float = GRAVITY,
) -> SpringStance:
    """Return softness, eigenvalues and stability of L feet evenly on a circle.

    a = 2 m g h / (L k r^2), the same in every direction: [Ridderstrom2003] eq. (10.3)
    has the fraction upside down and its guess for L legs, eq. (10.1), half of it.
    m s^2 + L d s + L k = 0 for bouncing and
    I s^2 + L d r^2 / 2 s + L k r^2 / 2 (1 - a) = 0 for tipping, twice: about either
    horizontal axis.

    Args:
        legs: number of feet, at least three.
        mass: of the body [kg].
        stiffness: of the ground under one foot [N/m].
        damping: of the ground under one foot, >= 0; without any, nothing dies out and
            the stance is not called stable [N s/m].
        radius: of the circle [m].
        height: of the centre of mass over the feet [m].
        inertia: about any horizontal axis through the centre of mass [kg m^2].
        gravity: free fall [m/s^2].

    Returns:
        The stance; its two eigenvalues of tipping count double.

    Raises:
        NotPhysicalError: fewer than three legs, or a number that is not positive.
    """
    expect_whole("radial_stance", "legs", legs, 3, "two feet are planar_stance")
    expect_above_zero(
        "radial_stance",
        mass=mass,
        stiffness=stiffness,
        radius=radius,
        height=height,
        inertia=inertia,
        gravity=gravity,
    )
    expect_above_zero("radial_stance", zero=True, damping=damping)
    half = legs * radius * radius / 2  # sum of squared distances to a diameter
    a = mass * gravity * height / (half * stiffness)
    bounce = oscillator_roots(mass, legs * damping, legs * stiffness)
    tip = oscillator_roots(inertia, half * damping, half * stiffness * (1 - a))
    return SpringStance(
        float(a), np.array([*bounce, *tip], complex), bool(a < 1 and damping > 0)
    )
