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

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.core.constants import GRAVITY
from equipoise.stability.quantity import expect_above_zero
from equipoise.stability.soft.critical_weight import critical_weight
from equipoise.stability.soft.foot import Bools, FeetArrays, Foot, expect_feet
from equipoise.stability.soft.path import PathPoint, SoftPath
from equipoise.stability.soft.springs import spring_forces
from equipoise.stability.soft.stiff_limit import elastic_stiffness, stiff_limit

__all__ = ["CompliantStance", "compliant_stance"]


@dataclass(frozen=True, eq=False)
class CompliantStance:
    """Stance of a body on soft feet: equilibrium, reserve and weakest direction."""

    multiplier: float
    """Smallest factor on every stiffness at which it still stands; below 1 it stands.
    Infinite where it does not even on the stiffest ground."""
    stable: bool
    """Whether the body stands as it is."""
    forces: Array
    """Push of the ground on each foot, zero where it has lifted, (n, 3) [N]; nan where
    it does not stand."""
    tilt: float
    """Tilt of the body's vertical from the world's [rad]; nan if it falls."""
    reason: str
    """Reason in one sentence."""
    displacement: Vec3
    """Displacement of the centre of mass, (3,) [m]; nan if it falls."""
    R_WB: Mat3
    """Rotation of the body, (3, 3); nan if it falls."""
    hessian: Array
    """Second derivative of the energy for moves and turns of the world frame, (6, 6)
    [N/m, N, N m]; motions that nothing resists are zero; nan where it falls."""
    weakest: Array
    """Direction in which the body leans most easily, seen from above, (2,): there, or
    where its stance ends if it falls; nan where no feet hold it."""


def compliant_stance(
    mass: float, feet: Sequence[Foot], *, gravity: float = GRAVITY
) -> CompliantStance:
    """Return whether a body stands on soft feet, and with what reserve.

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
    point, weakest = end.at_target, _weakest_lean(arrays, end.last, end.presses)
    if multiplier >= 1:
        reason = f"it falls: every stiffness must be {multiplier:.4g} times what it is"
        return _fallen(multiplier, len(feet), reason, weakest)
    if point is None:
        reason = "unknown: no equilibrium was found on the way to softer ground"
        return _fallen(math.inf, len(feet), reason, weakest)
    up = point.R[:, 2]
    kept = "at most" if end.is_bound else "down to"
    lengths = np.repeat((1.0, arrays.length), 3)
    return CompliantStance(
        multiplier,
        True,
        -point.springs.forces * arrays.force,
        math.atan2(math.hypot(up[0], up[1]), up[2]),
        f"it stands {kept} {multiplier:.4g} times every stiffness",
        point.p * arrays.length,
        point.R,
        point.springs.hessian * np.outer(lengths, lengths) * arrays.unit,
        _weakest_lean(arrays, point, point.springs.presses),
    )


def _weakest_lean(feet: FeetArrays, point: PathPoint, presses: Bools) -> Array:
    """Return the way in which a body leans most easily, seen from above, unit, (2,).

    The energy's second derivative for a turn about a horizontal axis, all else left to
    settle, is least about some axis t; the body's top moves along t x z. Of the two
    ways it is the one to which the body leans already; upright, that with x > 0.
    """
    H = spring_forces(feet, point.p, point.R, presses).hessian
    H = H + elastic_stiffness(feet, presses)[1]
    tilts, rest = np.ix_((3, 4), (3, 4)), np.ix_((0, 1, 2, 5), (0, 1, 2, 5))
    across = H[np.ix_((0, 1, 2, 5), (3, 4))]
    settled = H[tilts] - across.T @ np.linalg.lstsq(H[rest], across)[0]
    x, y = np.linalg.eigh(0.5 * (settled + settled.T))[1][:, 0].tolist()
    way = np.array([y, -x])
    lean = float(way @ point.R[:2, 2])
    is_upright = abs(lean) < 1e-9
    towards = way[np.argmax(np.abs(way) > 1e-9)] if is_upright else lean
    return way if towards > 0 else -way


def _fallen(
    multiplier: float, count: int, reason: str, weakest: Array | None = None
) -> CompliantStance:
    return CompliantStance(
        multiplier,
        False,
        np.full((count, 3), math.nan),
        math.nan,
        reason,
        np.full(3, math.nan),
        np.full((3, 3), math.nan),
        np.full((6, 6), math.nan),
        np.full(2, math.nan) if weakest is None else weakest,
    )
