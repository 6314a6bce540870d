"""Where the robot must put its foot to come to rest.

Model: linear inverted pendulum, constant height, point foot [Pratt2006]. The margin of
a stance against this is ``static_margin(capture_point(...), points)``: while it is
positive, the feet on the ground are enough to stop the pendulum.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array
from equipoise.core.checks import is_number
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import NotPhysicalError
from equipoise.stability.rigid.hull import expect_states

__all__ = ["capture_point", "pendulum_rate"]


def pendulum_rate(height: float, gravity: float = GRAVITY) -> float:
    """Return the pendulum's rate ω = √(g/h) [1/s], [Pratt2006] section III.

    Args:
        height: of the centre of mass above the foot, > 0 [m].
        gravity: > 0 [m/s²].

    Raises:
        NotPhysicalError: height or gravity is not a positive number.
    """
    if not (is_number(height) and 0.0 < height < math.inf):
        raise NotPhysicalError(f"height must be > 0 m, got {height!r}.")
    if not (is_number(gravity) and 0.0 < gravity < math.inf):
        raise NotPhysicalError(f"gravity must be > 0 m/s², got {gravity!r}.")
    return math.sqrt(gravity / height)


def capture_point(pxy_WC: ArrayLike, vxy_WC: ArrayLike, rate: float) -> Array:
    """Return ξ = p + v/ω, the ground point on which the pendulum stops.

    [Pratt2006] section III: with the foot there, x'' = ω² (x - ξ) keeps ξ where it is
    and x goes to it.

    Args:
        pxy_WC: centre of mass seen from above, (..., 2) [m].
        vxy_WC: its velocity, (..., 2) [m/s].
        rate: ω of ``pendulum_rate``, > 0 [1/s].

    Returns:
        The capture point, (..., 2) [m].

    Raises:
        NotPhysicalError: the rate is not a positive number.
        ShapeError: wrong shape or an entry that is not finite.
    """
    if not (is_number(rate) and 0.0 < rate < math.inf):
        raise NotPhysicalError(f"rate must be > 0 1/s, got {rate!r}.")
    pxy = expect_states("pxy_WC", pxy_WC, (2,))
    return np.asarray(pxy + expect_states("vxy_WC", vxy_WC, (2,)) / rate)
