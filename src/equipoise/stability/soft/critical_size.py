"""How tall or how narrow a body on soft feet may be before it falls.

Both change the feet's places in one number and ask where the critical multiplier of
``compliant_stance`` is one. It goes nearly by a power of that number, so that a few
steps on logarithms find the place. A body that stands again beyond the first such place
is not looked for.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import NotPhysicalError
from equipoise.stability.quantity import expect_above_zero
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.foot import Foot, expect_feet

__all__ = ["critical_height", "critical_width"]

_LARGEST = 1e3  # times what it is: farther than that nothing is looked for
_PRECISION = 1e-8  # of the size, relative; the multiplier itself is good to 1e-9
_CAP = 3.0
"""Largest logarithm of a multiplier: what falls on any ground is that far from one."""


def critical_height(
    mass: float, feet: Sequence[Foot], *, gravity: float = GRAVITY
) -> float:
    """Return the height of the centre of mass at which the stance is lost.

    The centre of mass is raised or lowered over feet that stay where they are. On
    equal vertical springs it is L k r^2 / (2 m g), [Ridderstrom2003] eq. (10.3) put
    right, and 2 k r^2 / (m g) in a plane, eq. (9.1).

    Args:
        mass: of the body [kg].
        feet: at least one; the lowest must be below the centre of mass.
        gravity: free fall [m/s^2].

    Returns:
        The height over the lowest foot [m]: infinite where it stands at a thousand
        times the height, 0 where it falls even at a thousandth of it.

    Raises:
        NotPhysicalError: a mass that is none, no foot, two feet at one place, or a
            centre of mass that is not above the lowest foot.
        ShapeError: something that is not a ``Foot``.
    """
    places = _places(mass, feet, gravity, "critical_height")
    height = -float(places[:, 2].min())
    if not height > 0:
        raise NotPhysicalError(
            f"critical_height: the lowest foot is {-height:g} m above the centre of "
            "mass; a body that hangs has no height to fall from."
        )

    def excess(times: float) -> float:
        raised = places - np.array([0.0, 0.0, (times - 1) * height])
        return _excess(mass, feet, raised, gravity)

    return height * _crossing(excess, grows=True)


def critical_width(
    mass: float, feet: Sequence[Foot], *, gravity: float = GRAVITY
) -> float:
    """Return the factor on the feet's horizontal distances at which the stance is lost.

    All feet move towards the vertical through the centre of mass, or away from it, in
    one proportion: the share by which the centre of mass is off their middle stays.
    Times the half-width it is ``series_critical_width`` and, over the height,
    ``cartesian_critical_width``.

    Args:
        mass: of the body [kg].
        feet: at least one, not all of them under the centre of mass.
        gravity: free fall [m/s^2].

    Returns:
        The factor, no unit; it stands where that is below 1. Infinite where it falls
        even at a thousand times the width, 0 where it stands at a thousandth.

    Raises:
        NotPhysicalError: a mass that is none, no foot, two feet at one place, or all
            feet under the centre of mass.
        ShapeError: something that is not a ``Foot``.
    """
    places = _places(mass, feet, gravity, "critical_width")
    if not places[:, :2].any():
        raise NotPhysicalError(
            "critical_width: every foot is right under the centre of mass; a stance "
            "without width has none to change."
        )

    def excess(times: float) -> float:
        wide = places * np.array([times, times, 1.0])
        return _excess(mass, feet, wide, gravity)

    return _crossing(excess, grows=False)


def _places(mass: float, feet: Sequence[Foot], gravity: float, where: str) -> Array:
    expect_above_zero(where, mass=mass, gravity=gravity)
    expect_feet(feet)
    return np.array([foot.position for foot in feet])


def _excess(mass: float, feet: Sequence[Foot], places: Array, gravity: float) -> float:
    """Return the multiplier's logarithm with the feet elsewhere; below zero stands."""
    moved = [
        Foot(place, foot.ground_stiffness, foot.leg_compliance, foot.normal)
        for place, foot in zip(places, feet, strict=True)
    ]
    stance = compliant_stance(mass, moved, gravity=gravity)
    if not stance.stable:
        known = math.isfinite(stance.multiplier)
        return min(_CAP, math.log(stance.multiplier)) if known else _CAP
    return max(-_CAP, math.log(stance.multiplier))


def _crossing(excess: Callable[[float], float], *, grows: bool) -> float:
    """Return the factor at which an excess changes its sign, nearest to one.

    Secant steps on logarithms until the sign has changed, then regula falsi with
    halved ends (Illinois).

    Args:
        excess: of a factor; below zero it stands.
        grows: whether more of the factor makes it fall.
    """
    way = 1.0 if grows else -1.0
    far = math.log(_LARGEST)
    start = here = 0.0
    value = first = excess(1.0)
    step = -way * value  # as if the multiplier went by the factor itself
    while (value < 0) == (first < 0):
        start, first = here, value
        if abs(here) >= far:
            return math.inf if here > 0 else 0.0
        size = max(0.02, min(1.05 * abs(step), 1.0))
        here = max(-far, min(far, here - math.copysign(size, way * first)))
        value = excess(math.exp(here))
        step = value * (here - start) / (first - value) if value != first else 1.0
    return math.exp(_root(excess, (start, first), (here, value)))


def _root(
    excess: Callable[[float], float],
    start: tuple[float, float],
    end: tuple[float, float],
) -> float:
    """Return the logarithm of the factor of the last stance before the sign changes."""
    (low, below), (high, above) = start, end
    if below >= 0:
        (low, below), (high, above) = end, start
    side, stands = 0, low
    for _ in range(100):
        middle = low + below / (below - above) * (high - low)
        value = excess(math.exp(middle))
        if value < 0:
            low, below, stands = middle, value, middle
            above, side = (above / 2 if side > 0 else above), 1
        else:
            high, above = middle, value
            below, side = (below / 2 if side < 0 else below), -1
        if abs(value) < _PRECISION or abs(high - low) < _PRECISION:
            return middle if abs(value) < _PRECISION else stands
    return stands
