"""Which foot carries what: the smallest forces that hold up a wanted force, compiled.

Forces f_k at feet p_k, together F at the centre of mass c and no moment about it:

    Σ f_k = F,   Σ (p_k - c) x f_k = 0,   Σ |f_k|² / w_k least

so f_k = w_k (a + b x (p_k - c)), with a and b from six equations. A foot of weight w
near zero carries next to nothing: that is how it is unloaded before it is lifted. Every
module solves the same six equations from the same table, so nobody has to be asked.
Feet that would have to pull are not cut off: while a centre of mass is above the
support, the smallest forces of a quadruped's feet press.
"""

import math

from equipoise.control.com.geometry.vectors import V3, add, cross
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["REACH", "factor_feet", "foot_force", "solve_feet"]

REACH = 0.15  # [m], makes moments as large as forces; the answer hardly depends on it
SLACK = 1e-9  # share of the trace that keeps two feet, or one, solvable


@compiled(allocates=False)
def factor_feet(arms: Array, weight: Array, count: int, L: Array) -> None:
    """Write the Cholesky factor of the six equations.

    Args:
        arms: (p_k - c) / REACH of the feet, (any, 3).
        weight: w_k >= 0 of each, (any,).
        count: how many feet.
        L: written, (6, 6), lower triangle.
    """
    for r in range(6):
        for s in range(6):
            L[r, s] = 0.0
    for k in range(count):
        w, x, y, z = weight[k], arms[k, 0], arms[k, 1], arms[k, 2]
        for r in range(3):
            L[r, r] += w
        L[3, 1] -= w * z
        L[3, 2] += w * y
        L[4, 0] += w * z
        L[4, 2] -= w * x
        L[5, 0] -= w * y
        L[5, 1] += w * x
        L[3, 3] += w * (y * y + z * z)
        L[4, 4] += w * (x * x + z * z)
        L[5, 5] += w * (x * x + y * y)
        L[4, 3] -= w * x * y
        L[5, 3] -= w * x * z
        L[5, 4] -= w * y * z
    trace = SLACK * (L[0, 0] + L[3, 3] + L[4, 4] + L[5, 5]) + 1e-30
    for r in range(6):
        L[r, r] += trace
    for s in range(6):
        for r in range(s, 6):
            total = L[r, s]
            for k in range(s):
                total -= L[r, k] * L[s, k]
            if r == s:
                L[s, s] = math.sqrt(max(total, 1e-300))
            else:
                L[r, s] = total / L[s, s]


@compiled(allocates=False)
def solve_feet(L: Array, force: V3, out: Array) -> None:
    """Write a and b for a force at the centre of mass and no moment.

    Args:
        L: from ``factor_feet``.
        force: F.
        out: written, (6,).
    """
    for r in range(6):
        total = force[r] if r < 3 else 0.0
        for k in range(r):
            total -= L[r, k] * out[k]
        out[r] = total / L[r, r]
    for back in range(6):
        r = 5 - back
        total = out[r]
        for k in range(r + 1, 6):
            total -= L[k, r] * out[k]
        out[r] = total / L[r, r]


@compiled(allocates=False, melts=True)
def foot_force(solution: Array, weight: float, arm: V3) -> V3:
    """Return f = w (a + b x arm), the arm over ``REACH`` as in ``factor_feet``."""
    b = (solution[3], solution[4], solution[5])
    f = add((solution[0], solution[1], solution[2]), cross(b, arm))
    return weight * f[0], weight * f[1], weight * f[2]
