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

from equipoise.control.com.geometry.vectors import V3, add, cross, scaled, vec
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, entry

__all__ = [
    "REACH",
    "FeetSystem",
    "add_foot",
    "clear_feet",
    "factor_feet",
    "foot_force",
    "solve_feet",
]

REACH = 0.15  # [m], makes moments as large as forces; the answer hardly depends on it
SLACK = 1e-9  # share of the trace that keeps two feet, or one, solvable


class FeetSystem(Record):
    """The six equations for a and b, and what solves them."""

    L: Array = entry("Cholesky factor, lower triangle", "", 6, 6)
    x: Array = entry("a, then b over REACH", "N", 6)


@compiled(allocates=False)
def clear_feet(system: FeetSystem) -> None:
    """Begin the equations: no foot yet."""
    for r in range(6):
        for s in range(6):
            system.L[r, s] = 0.0


@compiled(allocates=False)
def add_foot(system: FeetSystem, arm: V3, w: float) -> None:
    """Add a foot to the equations.

    Args:
        system: changed.
        arm: (p_k - c) / REACH.
        w: w_k >= 0.
    """
    x, y, z = arm
    force, moment = system.L[:3], system.L[3:]
    mixed, turning = moment[:, :3], moment[:, 3:]
    for r in range(3):
        force[r, r] += w
    mixed[0, 1] -= w * z
    mixed[0, 2] += w * y
    mixed[1, 0] += w * z
    mixed[1, 2] -= w * x
    mixed[2, 0] -= w * y
    mixed[2, 1] += w * x
    turning[0, 0] += w * (y * y + z * z)
    turning[1, 1] += w * (x * x + z * z)
    turning[2, 2] += w * (x * x + y * y)
    turning[1, 0] -= w * x * y
    turning[2, 0] -= w * x * z
    turning[2, 1] -= w * y * z


@compiled(allocates=False)
def factor_feet(system: FeetSystem) -> None:
    """Write the Cholesky factor of the equations over them."""
    L = system.L
    turning = L[3:, 3:]
    trace = SLACK * (L[0, 0] + turning[0, 0] + turning[1, 1] + turning[2, 2]) + 1e-30
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
def solve_feet(system: FeetSystem, force: V3) -> None:
    """Write a and b for a force at the centre of mass and no moment.

    Args:
        system: after ``factor_feet``; written.
        force: F.
    """
    L, x = system.L, system.x
    for r in range(6):
        total = force[r] if r < 3 else 0.0
        for k in range(r):
            total -= L[r, k] * x[k]
        x[r] = total / L[r, r]
    for back in range(6):
        r = 5 - back
        total = x[r]
        for k in range(r + 1, 6):
            total -= L[k, r] * x[k]
        x[r] = total / L[r, r]


@compiled(allocates=False, force_inline=True)
def foot_force(system: FeetSystem, weight: float, arm: V3) -> V3:
    """Return f = w (a + b x arm), the arm over ``REACH`` as in ``add_foot``."""
    a, b = vec(system.x[:3]), vec(system.x[3:])
    return scaled(weight, add(a, cross(b, arm)))
