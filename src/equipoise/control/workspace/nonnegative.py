"""Least squares with unknowns that may only push: min |A c - b|² + ε |c|², c >= 0.

The active-set method of [LawsonHanson1974] on the normal equations, begun with the set
of unknowns that were free at the last tick; as a push changes little in 2 ms, one or
two rounds are then enough. Compiled, no allocation.
"""

from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["Pushing", "pushing_room", "solve_pushing"]

MOST_ROUNDS = 60
SLACK = 1e-13  # of the largest gradient: below it is rounding, the unknown stays zero


class Pushing(NamedTuple):
    """One problem of nr equations in n unknowns, and room to solve it."""

    A: Array
    """(nr, n)."""
    b: Array
    """(nr,)."""
    c: Array
    """Unknowns, written, (n,)."""
    is_free: Ints
    """(n,) 1 where an unknown is above zero; kept from tick to tick."""
    Q: Array
    """(n, n)."""
    d: Array
    """(n,)."""
    L: Array
    """(n, n)."""
    x: Array
    """(n,)."""
    order: Ints
    """(n,)."""
    rounds: Ints
    """Rounds that the last solution took, (1,)."""


def pushing_room(equations: int, unknowns: int) -> Pushing:
    """Return room for a problem; no unknown is free yet."""
    n = unknowns
    return Pushing(
        A=np.zeros((equations, n)),
        b=np.zeros(equations),
        c=np.zeros(n),
        is_free=np.zeros(n, np.int64),
        Q=np.zeros((n, n)),
        d=np.zeros(n),
        L=np.zeros((n, n)),
        x=np.zeros(n),
        order=np.zeros(n, np.int64),
        rounds=np.zeros(1, np.int64),
    )


@compiled(allocates=False)
def solve_pushing(p: Pushing, epsilon: float, memory: float) -> None:
    """Write the solution into ``p.c`` and the free set into ``p.is_free``.

    Args:
        p: the problem; ``p.c`` holds the last solution.
        epsilon: weight of the unknowns' squares.
        memory: weight of their changes' squares.
    """
    A, b, c, is_free, Q, d = p.A, p.b, p.c, p.is_free, p.Q, p.d
    nr, n = A.shape
    for i in range(n):
        acts = 0.0
        for r in range(nr):
            acts += abs(A[r, i])
        d[i] = memory * c[i] if acts > 0.0 else 0.0
        for r in range(nr):
            d[i] += A[r, i] * b[r]
        for j in range(i + 1):
            total = 0.0
            for r in range(nr):
                total += A[r, i] * A[r, j]
            Q[i, j] = Q[j, i] = total
        Q[i, i] += epsilon + memory
    _warm_start(Q, d, c, is_free, p.L, p.x, p.order)
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(d[i]))
    rounds = 0
    while rounds < MOST_ROUNDS:
        best, steepest = -1, SLACK * largest
        for i in range(n):
            if is_free[i] == 0:
                slope = d[i]
                for j in range(n):
                    if is_free[j] == 1:
                        slope -= Q[i, j] * c[j]
                if slope > steepest:
                    best, steepest = i, slope
        if best < 0:
            break
        is_free[best] = 1
        rounds += 1
        _descend(Q, d, c, is_free, p.L, p.x, p.order)
    p.rounds[0] = rounds


@compiled(allocates=False)
def _warm_start(
    Q: Array, d: Array, c: Array, is_free: Ints, L: Array, x: Array, order: Ints
) -> None:
    """Solve for last tick's free set; what would pull there is set to zero."""
    n = c.shape[0]
    while True:
        count = _solve_free(Q, d, is_free, L, x, order)
        pulls = 0
        for k in range(count):
            if not x[k] > 0.0:
                is_free[order[k]] = 0
                pulls += 1
        if pulls == 0:
            for i in range(n):
                c[i] = 0.0
            for k in range(count):
                c[order[k]] = x[k]
            return


@compiled(allocates=False)
def _descend(
    Q: Array, d: Array, c: Array, is_free: Ints, L: Array, x: Array, order: Ints
) -> None:
    """Go towards the free set's solution; what reaches zero on the way stays there."""
    while True:
        count = _solve_free(Q, d, is_free, L, x, order)
        way, first = 1.0, -1
        for k in range(count):
            i = order[k]
            if not x[k] > 0.0:
                share = c[i] / (c[i] - x[k]) if c[i] > x[k] else 0.0
                if share < way or first < 0:
                    way, first = min(way, share), k
        for k in range(count):
            i = order[k]
            c[i] += way * (x[k] - c[i])
        if first < 0:
            return
        c[order[first]] = 0.0
        is_free[order[first]] = 0


@compiled(allocates=False)
def _solve_free(
    Q: Array, d: Array, is_free: Ints, L: Array, x: Array, order: Ints
) -> int:
    """Solve the free unknowns' equations by Cholesky; return how many there are."""
    count = 0
    for i in range(is_free.shape[0]):
        if is_free[i] == 1:
            order[count] = i
            count += 1
    for r in range(count):
        for s in range(r + 1):
            total = Q[order[r], order[s]]
            for k in range(s):
                total -= L[r, k] * L[s, k]
            if r == s:
                L[r, r] = 1.0 / max(total, 1e-300) ** 0.5
            else:
                L[r, s] = total * L[s, s]
        total = d[order[r]]
        for k in range(r):
            total -= L[r, k] * x[k]
        x[r] = total * L[r, r]
    for r in range(count - 1, -1, -1):
        for k in range(r + 1, count):
            x[r] -= L[k, r] * x[k]
        x[r] *= L[r, r]
    return count
