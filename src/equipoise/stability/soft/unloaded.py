"""The stiffness of a body on its unloaded feet, against which a loaded one is held.

The smallest eigenvalue of the loaded Hessian relative to the unloaded one has no unit,
is 1 without a load and 0 where the stance is lost.
"""

from typing import final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.stability.soft.foot import Bools, FeetArrays
from equipoise.stability.soft.springs import solution_of
from equipoise.stability.soft.stiff_limit import elastic_stiffness

__all__ = ["Unloaded", "relative_margin"]

_HELD = 1e-12  # of the largest eigenvalue: what the feet do not hold


@final
class Unloaded:
    """Unloaded stiffness by the feet that press, each worked out once.

    Args:
        feet: in units of their own.
    """

    def __init__(self, feet: FeetArrays) -> None:
        self._feet = feet
        self._known: dict[bytes, tuple[Array, Array | None]] = {}

    def at(self, presses: Bools) -> tuple[Array, Array | None]:
        """Return the inverse Cholesky factor of the unloaded Hessian, and stand-ins.

        The second, see ``elastic_stiffness``, is None where the feet that press do not
        hold the body by themselves.
        """
        key = presses.tobytes()
        if key not in self._known:
            stiffness, extra = elastic_stiffness(self._feet, presses)
            values = np.linalg.eigvalsh(stiffness)
            if values[0] > _HELD * values[-1]:
                lower = np.asarray(np.linalg.cholesky(stiffness), np.float64)
                self._known[key] = solution_of(lower, np.eye(6)), extra
            else:
                self._known[key] = stiffness, None
        return self._known[key]


def relative_margin(hessian: Array, factor: Array) -> float:
    """Return the smallest eigenvalue of a Hessian relative to the unloaded one.

    Args:
        hessian: with stand-ins, (6, 6).
        factor: inverse Cholesky factor of the unloaded one, (6, 6).
    """
    relative = factor @ (0.5 * (hessian + hessian.T)) @ factor.T
    return float(np.linalg.eigvalsh(relative)[0])
