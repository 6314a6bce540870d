"""Does a body stand on soft feet, at any places, on any ground: the general test.

The energy of all springs and of the weight has a minimum where the body stands. The
test finds that equilibrium, feet lifting where they would have to pull, and follows it
from stiff springs to soft ones until the minimum is gone. Every stance of
[Ridderstrom2003] chapters 9 to 11 is a special case. Laws that are not springs
(posture control, delays) have no energy and are not judged here.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from equipoise.core.arrays import Array
from equipoise.stability.critical_weight import critical_weight
from equipoise.stability.foot import Foot, expect_feet
from equipoise.stability.quantity import GRAVITY, expect_above_zero
from equipoise.stability.soft_path import SoftPath
from equipoise.stability.stiff_limit import stiff_limit

__all__ = ["CompliantStance", "compliant_stance"]


@dataclass(frozen=True, eq=False)
class CompliantStance:
    """How a body stands on its soft feet."""

    multiplier: float
    """Smallest factor on every stiffness at which it still stands; below 1 it stands.
    Infinite where it does not even on the stiffest ground."""
    stable: bool
    """Whether it stands as it is."""
    forces: Array
    """Push of the ground on each foot, zero where it has lifted, (n, 3) [N]; nan where
    it does not stand."""
    tilt: float
    """Angle of the body's vertical to the world's [rad]; nan where it falls."""
    reason: str
    """One sentence: why it stands or does not."""


def compliant_stance(
    mass: float, feet: Sequence[Foot], *, gravity: float = GRAVITY
) -> CompliantStance:
    """Return whether and with what reserve a body stands on soft feet.

    Args:
        mass: of the body; its weight acts at the origin of the feet's positions [kg].
        feet: at least one. A body that only geometry holds (fewer than three feet, feet
            on one line) is not called standing, even where it hangs.
        gravity: free fall [m/s^2].

    Returns:
        The stance; ``multiplier`` is exact to 1e-8 where the path ends in a fold, a
        branching or a lifting foot.

    Raises:
        NotPhysicalError: a mass that is none, no foot, or two feet at one place.
        ShapeError: something that is not a ``Foot``.
    """
    expect_above_zero("compliant_stance", mass=mass, gravity=gravity)
    arrays = expect_feet(feet)
    start = stiff_limit(arrays)
    if start is None:
        return _fallen(
            math.inf,
            len(feet),
            "it falls on any ground: no set of pushing feet holds the body",
        )
    weight = mass * gravity / arrays.force
    end = critical_weight(SoftPath(arrays, start), weight)
    if end.weight <= 0:
        reason = "it falls on any ground: the stance ends as soon as it bears weight"
        return _fallen(math.inf, len(feet), reason)
    multiplier = float(weight / end.weight)
    point = end.at_target
    if multiplier >= 1:
        reason = f"it falls: every stiffness must be {multiplier:.4g} times what it is"
        return _fallen(multiplier, len(feet), reason)
    if point is None:
        reason = "not known: no equilibrium was found on the way to softer ground"
        return _fallen(math.inf, len(feet), reason)
    up = point.R[:, 2]
    kept = "at most" if end.is_bound else "down to"
    return CompliantStance(
        multiplier,
        True,
        -point.springs.forces * arrays.force,
        math.atan2(math.hypot(up[0], up[1]), up[2]),
        f"it stands {kept} {multiplier:.4g} times every stiffness",
    )


def _fallen(multiplier: float, count: int, reason: str) -> CompliantStance:
    nothing = np.full((count, 3), math.nan)
    return CompliantStance(multiplier, False, nothing, math.nan, reason)
