"""Is one known pose of a body on soft feet a stable equilibrium: the quick test.

``compliant_stance`` finds the equilibrium and follows it; where it is known already, as
in a search or in a control loop, its forces and its Hessian alone tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.stability.quantity import expect_above_zero
from equipoise.stability.soft.foot import Foot, expect_feet
from equipoise.stability.soft.springs import spring_forces
from equipoise.stability.soft.unloaded import Unloaded, relative_margin

__all__ = ["PoseAnswer", "SoftBody"]

_BALANCED = 1e-6  # of the weight: force and moment left over in an equilibrium


@final
@dataclass(frozen=True, eq=False)
class PoseAnswer:
    """Balance and stability of a body on its springs at one pose."""

    is_balanced: bool
    """Whether springs and weight balance, to 1e-6 of the weight."""
    stable: bool
    """Whether it is balanced and every small motion costs energy."""
    margin: float
    """Smallest eigenvalue of the Hessian relative to the unloaded one, no unit; -inf
    where the feet that press do not hold the body."""
    hessian: Array
    """Energy's second derivative for moves and turns, (6, 6) [N/m, N, N m]."""


@final
class SoftBody:
    """Body on soft feet, prepared for many poses.

    Args:
        mass: of the body; its weight acts at the origin of the feet's positions [kg].
        feet: at least one.
        gravity: free fall [m/s^2].

    Raises:
        NotPhysicalError: a mass that is none, no foot, or two feet at one place.
        ShapeError: something that is not a ``Foot``.
    """

    def __init__(
        self, mass: float, feet: Sequence[Foot], *, gravity: float = GRAVITY
    ) -> None:
        expect_above_zero("SoftBody", mass=mass, gravity=gravity)
        self._feet = expect_feet(feet)
        self._unloaded = Unloaded(self._feet)
        self._weight = mass * gravity / self._feet.force
        lengths = np.repeat((1.0, self._feet.length), 3)
        self._units = np.outer(lengths, lengths) * self._feet.unit

    def test(self, displacement: ArrayLike, R_WB: ArrayLike) -> PoseAnswer:
        """Return whether a pose is a stable equilibrium.

        Args:
            displacement: of the centre of mass from where the springs are unloaded,
                (3,) [m].
            R_WB: how the body has turned, (3, 3).
        """
        p = np.array(displacement, np.float64) / self._feet.length
        R = np.array(R_WB, np.float64)
        springs = spring_forces(self._feet, p, R)
        factor, extra = self._unloaded.at(springs.presses)
        margin = -np.inf
        if extra is not None:
            margin = relative_margin(springs.hessian + extra, factor)
        rest = springs.gradient
        rest[2] += self._weight
        is_balanced = bool(abs(rest).max() < _BALANCED * self._weight)
        return PoseAnswer(
            is_balanced,
            is_balanced and margin > 0,
            margin,
            springs.hessian * self._units,
        )
