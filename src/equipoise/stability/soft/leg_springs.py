"""How wide, or how stiff, a robot must be whose legs are springs made by a controller.

The laws' stiffness matrices are symmetric and their damping positive, so a stance is
asymptotically stable exactly where the matrix is positive definite (Kelvin, Tait,
Chetaev): the criteria that [Ridderstrom2003] chapter 11 calls necessary are sufficient
as well.
"""

import math

from equipoise.core.constants import GRAVITY
from equipoise.stability.quantity import expect_above_zero, expect_whole

__all__ = [
    "cartesian_critical_width",
    "posture_critical_stiffness",
    "series_critical_width",
]


def cartesian_critical_width(k1: float, k3: float) -> float:
    """Return the half-width over height below which Cartesian foot control falls.

    Two feet on hard ground, each held under the trunk by springs k1 (horizontal) and
    k3 (vertical). q^2 = (1 + (k3 - k1) / (2 k1 k3)) / (2 k3), [Ridderstrom2003]
    eq. (11.4), solved.

    Args:
        k1: horizontal stiffness of one leg times h / (m g), no unit.
        k3: vertical stiffness of one leg times h / (m g), no unit.

    Returns:
        The critical r / h, no unit; 0 where the legs are so soft that the centre of
        mass hangs below the feet.

    Raises:
        NotPhysicalError: a number that is not positive.
    """
    expect_above_zero("cartesian_critical_width", k1=k1, k3=k3)
    return math.sqrt(max(0.0, 1 + (1 / k1 - 1 / k3) / 2) / (2 * k3))


def posture_critical_stiffness(
    mass: float, height: float, leg_stiffness: float, *, gravity: float = GRAVITY
) -> float:
    """Return the stiffness of posture control below which the trunk tips.

    k_alpha = m g h + (m g)^2 / (2 k_L), [Ridderstrom2003] section 11.2.4: the leg's
    own softness lets the weight move sideways and so asks for more than m g h.

    Args:
        mass: of the trunk [kg].
        height: of the centre of mass over the feet [m].
        leg_stiffness: horizontal, of one of the two legs [N/m].
        gravity: free fall [m/s^2].

    Returns:
        The critical moment per radian of tilt [N m/rad].

    Raises:
        NotPhysicalError: a number that is not positive.
    """
    expect_above_zero(
        "posture_critical_stiffness",
        mass=mass,
        height=height,
        leg_stiffness=leg_stiffness,
        gravity=gravity,
    )
    weight = mass * gravity
    return weight * height + weight * weight / (2 * leg_stiffness)


def series_critical_width(
    mass: float,
    height: float,
    k1: float,
    k3: float,
    ground: float,
    feet: int = 2,
    *,
    gravity: float = GRAVITY,
) -> float:
    """Return the half-width below which controlled legs on soft ground fall.

    Leg and ground are springs in series, 1/k_s = 1/k3 + 1/ground, but only the legs
    turn with the body. Stable for n r^2 k_s > m g h + ((m g)^2 / L) (1/k1 - 1/k3) with
    n = 2 for two feet in a plane and n = L/2 for L >= 3 on a circle: the criterion
    that [Ridderstrom2003] section 12.2 leaves open. How soft the ground is
    horizontally does not matter.

    Args:
        mass: of the trunk [kg].
        height: of the centre of mass over the unloaded feet [m].
        k1: horizontal stiffness of one leg [N/m].
        k3: vertical stiffness of one leg [N/m].
        ground: vertical stiffness of the ground under one foot; infinite is hard
            ground [N/m].
        feet: two in a plane, or three or more evenly on a circle.
        gravity: free fall [m/s^2].

    Returns:
        The critical half-width, or radius for three or more feet [m]; 0 where the legs
        are so soft that the centre of mass hangs below the feet.

    Raises:
        NotPhysicalError: fewer than two feet, or a number that is not positive.
    """
    expect_whole("series_critical_width", "feet", feet, 2, "a stance needs two feet")
    expect_above_zero(
        "series_critical_width",
        mass=mass,
        height=height,
        k1=k1,
        k3=k3,
        gravity=gravity,
    )
    expect_above_zero("series_critical_width", infinite=True, ground=ground)
    weight = mass * gravity
    needed = weight * height + weight * weight / feet * (1 / k1 - 1 / k3)
    lever = 2 if feet == 2 else feet / 2
    return math.sqrt(max(0.0, needed) / lever * (1 / k3 + 1 / ground))
