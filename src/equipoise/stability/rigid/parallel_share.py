"""What share of its joints' torques a robot needs if its feet only carry weight.

Feet that brace against each other can take torque off joints, but whether they do
hangs on how the robot was put down. Here each contact pushes straight against gravity,
so that no foot holds another::

    min s    Σ a_i = 1,  Σ a_i p_i = c (seen along gravity),  a_i >= 0,
             w Σ a_i rows_i·z <= b0 + s (b1 - b0)

A linear program, with the rows of ``region.torques`` as in ``torque_share``.
"""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from equipoise.core.arrays import expect_array

__all__ = ["parallel_share"]


def parallel_share(
    points: ArrayLike,
    com: ArrayLike,
    weight: float,
    rows: ArrayLike,
    slack: ArrayLike,
    full: ArrayLike,
) -> float:
    """Return the least share of the torque limits without any bracing; inf if none.

    Args:
        points: contacts, (n, 3) [m]; gravity is along -z.
        com: centre of mass, (3,) [m].
        weight: > 0 [N].
        rows: limits on forces, Σ rows·f <= bound, (m, n, 3).
        slack: bounds at no torque, (m,).
        full: bounds at the limits, (m,).

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    p = expect_array("points", points, (-1, 3))
    n = len(p)
    c = expect_array("com", com, (3,))
    given = np.asarray(rows, np.float64).reshape(-1, n, 3)
    low = expect_array("slack", slack, (len(given),))
    high = expect_array("full", full, (len(given),))
    if not n or not len(given):
        return math.inf if not n else 0.0
    size = float(np.abs(p - c).max()) or 1.0
    balance = np.zeros((3, n + 1))
    balance[0, :n] = 1.0
    balance[1:, :n] = ((p - c)[:, :2] / size).T
    limits = np.hstack([weight * given[:, :, 2], -(high - low)[:, None]])
    scale = np.maximum(np.abs(limits).max(axis=1), 1e-300)
    answer = linprog(
        np.r_[np.zeros(n), 1.0],
        A_ub=limits / scale[:, None],
        b_ub=low / scale,
        A_eq=balance,
        b_eq=[1.0, 0.0, 0.0],
        bounds=[(0.0, None)] * (n + 1),
        method="highs",
    )
    return float(answer.x[-1]) if answer.status == 0 else math.inf
