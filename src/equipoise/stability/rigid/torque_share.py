"""What share of its joints' torques a robot needs to hold still on its contacts.

Contact forces that hold a robot are seldom unique; of all that friction allows, those
count that ask least of the worst joint::

    min s    Σ f_i = w e_z,  Σ (p_i - c) × f_i = 0,  f_i in its cone,
             rows·f <= b0 + s (b1 - b0)

with the rows of ``region_torques`` at no torque (b0) and at the limits (b1). A second-
order cone problem: Clarabel is asked for forces, and they are counted only if plain
arithmetic says that they hold the robot and no others need a smaller share.
"""

import math
from typing import Any

import clarabel as _clarabel
import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from equipoise.core.arrays import Array, Vec3, expect_array

__all__ = ["torque_share"]

clarabel: Any = _clarabel  # compiled, and without types
MET = 1e-7
"""By how much of the weight a balance, a cone or a limit may be missed: a hundred
times the solver's own stopping tolerance."""
GAP = 1e-5
"""How far apart both bounds of the share may be."""


def torque_share(
    points: ArrayLike,
    normals: ArrayLike,
    frictions: ArrayLike,
    com: ArrayLike,
    weight: float,
    rows: ArrayLike,
    slack: ArrayLike,
    full: ArrayLike,
) -> float:
    """Return the least share of the torque limits that holds the robot; inf if none.

    Args:
        points: contacts, (n, 3) [m]; gravity is along -z.
        normals: of the ground there, unit, (n, 3).
        frictions: at each, >= 0, (n,).
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
    normal = expect_array("normals", normals, (n, 3))
    mu = expect_array("frictions", frictions, (n,))
    c = expect_array("com", com, (3,))
    given = np.asarray(rows, np.float64).reshape(-1, n, 3)
    low = expect_array("slack", slack, (len(given),))
    high = expect_array("full", full, (len(given),))
    if not n or not len(given):
        return math.inf if not n else 0.0
    size = float(np.abs(p - c).max()) or 1.0
    balance, target = _balance(p, c, size)
    limits = np.hstack([given.reshape(len(given), -1) * weight, -(high - low)[:, None]])
    scale = np.abs(limits).max(axis=1, keepdims=True)
    scale[scale == 0.0] = 1.0  # a joint that no force moves
    limits, bound = limits / scale, low / scale[:, 0]
    cones, offsets, kinds = _cones(normal, mu)
    push = np.zeros((n + 1, 3 * n + 1))  # f·n >= 0, and s >= 0
    for i in range(n):
        push[i, 3 * i : 3 * i + 3] = -normal[i]
    push[n, -1] = -1.0
    A = np.vstack([balance, limits, push, cones])
    b = np.concatenate([target, bound, np.zeros(n + 1), offsets])
    cost = np.r_[np.zeros(3 * n), 1.0]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    first = [clarabel.ZeroConeT(6), clarabel.NonnegativeConeT(len(given) + n + 1)]
    answer = clarabel.DefaultSolver(
        sparse.csc_matrix((3 * n + 1, 3 * n + 1)),
        cost,
        sparse.csc_matrix(A),
        b,
        [*first, *kinds],
        settings,
    ).solve()
    numbers = np.array(answer.x)
    is_met = _is_met(A, b, numbers, len(given) + n + 1)
    is_best = abs(answer.obj_val - answer.obj_val_dual) <= GAP * (1 + abs(numbers[-1]))
    return max(0.0, float(numbers[-1])) if is_met and is_best else math.inf


def _is_met(A: Array, b: Array, numbers: Array, bounds: int) -> bool:
    """Return whether forces that a solver found hold the robot, by plain arithmetic."""
    if not np.isfinite(numbers).all():
        return False
    left = b - A @ numbers
    cones = left[6 + bounds :].reshape(-1, 4)
    slip = np.linalg.norm(cones[:, 1:], axis=1) - cones[:, 0]
    worst = max(
        float(np.abs(left[:6]).max()),
        -float(left[6 : 6 + bounds].min()),
        float(slip.max()),
    )
    return worst <= MET


def _balance(p: Array, c: Vec3, size: float) -> tuple[Array, Array]:
    """Return the six rows of force and moment balance, forces over the weight."""
    n = len(p)
    rows = np.zeros((6, 3 * n + 1))
    for i, arm in enumerate((p - c) / size):
        rows[:3, 3 * i : 3 * i + 3] = np.eye(3)
        rows[3:, 3 * i : 3 * i + 3] = np.cross(arm, np.eye(3)).T
    target = np.zeros(6)
    target[2] = 1.0
    return rows, target


def _cones(normal: Array, mu: Array) -> tuple[Array, Array, list[Any]]:
    """Return the rows b - A x that must be in friction cones, (μ f·n, tangents)."""
    n = len(normal)
    rows = np.zeros((4 * n, 3 * n + 1))
    for i in range(n):
        tangent = np.eye(3) - np.outer(normal[i], normal[i])
        rows[4 * i, 3 * i : 3 * i + 3] = -mu[i] * normal[i]
        rows[4 * i + 1 : 4 * i + 4, 3 * i : 3 * i + 3] = -tangent
    return rows, np.zeros(4 * n), [clarabel.SecondOrderConeT(4)] * n
