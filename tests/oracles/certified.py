"""Linear questions, each answered with a proof that plain arithmetic checks.

A solver's word ("infeasible", "optimal") hangs on how a processor rounds: the same
problem, turned by one unit in the last place, has ended as "unknown". So a solver is
asked only for numbers. Those that prove the answer are checked here: a point for yes,
a separating plane for no (Farkas's lemma), a point and a plane for an optimum. Where
one method's numbers prove nothing, a second one's are tried; where neither's do, the
question is too close to call and ``UndecidedError`` says so. No answer is a guess.

Unknowns are counted in units of the target over the columns' lengths, and only those
that add up to at most ``SIZE`` are looked at: forces of ten thousand times the weight.
"""

from collections.abc import Iterator
from typing import Any

import clarabel as _clarabel
import numpy as np
from scipy import optimize, sparse, spatial

MET = 1e-9
"""A target is met if missed by no more, as part of its length; rounding of a dozen
products of numbers up to ``SIZE`` is a hundredth of it."""
SIZE = 1e4
"""The largest sum of unknowns that is looked at."""
GAP = 1e-8
"""How far apart both bounds of an optimum may be, as part of the largest gain."""
SLOPE = 1e-13
"""Rounding of a slope: sums of some hundred products of numbers up to one."""
SOLVER = 1e-12
"""Stopping tolerance of the cone solver, as small as it goes."""

clarabel: Any = _clarabel  # compiled, and without types
linprog: Any = optimize.linprog  # typed in part


class UndecidedError(AssertionError):
    """No method's numbers prove either answer."""


def meets(A: np.ndarray, b: np.ndarray) -> bool:
    """Say whether A x = b for some x >= 0, and have proved it."""
    rows, target, _, _ = _scaled(A, b)
    for x, y in _feasible_tries(rows, target):
        if _is_met(rows, target, x):
            return True
        if _separation(rows, target, y) > MET:
            return False
    raise UndecidedError(f"neither A x = b nor its opposite is proved: {A!r}, {b!r}")


def nearest(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the x >= 0 that minimises |A x - b|.

    Proved by the conditions of an optimum, to rounding (``SLOPE``): each entry is zero
    or the slope along it is, and no slope is negative.
    """
    rows, target, lengths, size = _scaled(A, b)
    for x, _ in _feasible_tries(rows, target):
        slopes = rows.T @ (rows @ x - target)
        if (x >= 0.0).all() and np.abs(np.minimum(x, slopes)).max() <= SLOPE:
            return size * x / lengths
    raise UndecidedError(f"no x is proved to be the nearest: {A!r}, {b!r}")


def farthest(
    gain: np.ndarray,
    A: np.ndarray,
    b: np.ndarray,
    upper: tuple[np.ndarray, np.ndarray] | None = None,
) -> float:
    """Return the largest gain · x with A x = b and x >= 0, proved to ``GAP``.

    ``upper`` adds rows and bounds, rows x <= bounds. Where no such x exists the answer
    is -inf, proved too.
    """
    if upper is not None:  # a slack for each
        above, bounds = upper
        n = len(bounds)
        left = np.vstack([A, above])
        A = np.hstack([left, np.vstack([np.zeros((len(A), n)), np.eye(n)])])
        b, gain = np.concatenate([b, bounds]), np.concatenate([gain, np.zeros(n)])
    rows, target, lengths, size = _scaled(A, b)
    most = float(np.abs(gain / lengths).max())
    worth = gain / lengths / most
    for x, y in _best_tries(worth, rows, target):
        over = max(0.0, float((worth - rows.T @ y).max()))
        gap = float(y @ target) + SIZE * over - float(worth @ x)
        if _is_met(rows, target, x) and abs(gap) <= GAP:
            return float(worth @ x) * most * size
    if not meets(A, b):
        return -np.inf
    raise UndecidedError(f"no optimum is proved: {gain!r}, {A!r}, {b!r}")


def outline(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners' rows, in order, and outward lines (n, 3) of a flat hull.

    Checked: every point is on the inner side of every line, every corner on two.
    """
    hull = spatial.ConvexHull(points)
    order, lines = np.array(hull.vertices), np.array(hull.equations)
    heights = points @ lines[:, :2].T + lines[:, 2]
    rounding = 1e-13 * np.abs(points).max()  # some hundred operations
    on = np.abs(heights[order]) <= rounding
    if (heights > rounding).any() or (on.sum(axis=1) < 2).any():
        raise UndecidedError(f"these lines are not the outline of {points!r}")
    return order, lines


def _scaled(
    A: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Return columns and target of length one, and their lengths (1 for none)."""
    A, b = np.asarray(A, float), np.asarray(b, float)
    lengths = np.linalg.norm(A, axis=0)
    lengths[lengths == 0.0] = 1.0
    size = float(np.linalg.norm(b)) or 1.0
    return A / lengths, b / size, lengths, size


def _is_met(rows: np.ndarray, target: np.ndarray, x: np.ndarray) -> bool:
    small = bool((x >= 0.0).all()) and float(x.sum()) <= SIZE
    return small and float(np.linalg.norm(rows @ x - target)) <= MET


def _separation(rows: np.ndarray, target: np.ndarray, y: np.ndarray) -> float:
    """Return by how much any x >= 0 up to SIZE misses the target at least.

    With |y| = 1: |A x - b| >= y · (b - A x) >= y · b - Σ x max(Aᵀ y).
    """
    length = float(np.linalg.norm(y))
    if not length > 0.0:
        return -np.inf
    y = y / length
    return float(y @ target) - SIZE * max(0.0, float((rows.T @ y).max()))


Try = tuple[np.ndarray, np.ndarray]


def _feasible_tries(rows: np.ndarray, target: np.ndarray) -> Iterator[Try]:
    """Yield points x >= 0 and planes y: by least squares, then by the simplex method.

    The simplex method gets the way to the target as unknowns too, so that its problem
    is feasible and bounded whatever the answer.
    """
    m, n = rows.shape
    try:
        x = np.asarray(optimize.nnls(rows, target)[0])
        yield x, target - rows @ x
    except RuntimeError:  # too many rounds
        pass
    cost = np.concatenate([np.zeros(n), np.ones(2 * m)])
    ways = np.hstack([rows, np.eye(m), -np.eye(m)])
    found = linprog(cost, A_eq=ways, b_eq=target)
    if found.x is not None:
        yield np.maximum(found.x[:n], 0.0), np.asarray(found.eqlin.marginals)


def _best_tries(
    worth: np.ndarray, rows: np.ndarray, target: np.ndarray
) -> Iterator[Try]:
    """Yield points and planes: by the simplex method, then by an interior one."""
    found = linprog(-worth, A_eq=rows, b_eq=target)
    if found.x is not None:
        yield np.maximum(found.x, 0.0), -np.asarray(found.eqlin.marginals)
    n = len(worth)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = SOLVER
    answer = clarabel.DefaultSolver(
        sparse.csc_matrix((n, n)),
        -worth,
        sparse.csc_matrix(np.vstack([rows, -np.eye(n)])),
        np.concatenate([target, np.zeros(n)]),
        [clarabel.ZeroConeT(len(target)), clarabel.NonnegativeConeT(n)],
        settings,
    ).solve()
    yield np.maximum(np.array(answer.x), 0.0), np.array(answer.z)[: len(target)]
