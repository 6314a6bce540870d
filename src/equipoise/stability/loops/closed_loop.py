"""Are all motions of a controlled stance damped: laws that are not springs.

M q'' + D q' + K q + D_c q'(t - τ) + K_c q(t - τ) = 0. A force-controlled robot's
stiffness matrix need not be symmetric, and a computer answers late: there is then no
energy whose minimum could be looked for, and only the eigenvalues of the loop decide.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular

from equipoise.core.arrays import Array, expect_array
from equipoise.core.errors import NotPhysicalError
from equipoise.stability.loops.delay_roots import Complex, delay_roots, root_errors
from equipoise.stability.quantity import expect_above_zero
from equipoise.stability.walks.stops import Answer

__all__ = ["ClosedLoop", "LoopStates", "closed_loop", "loop_states"]

_SYMMETRY = 1e-9  # of the largest entry
_COUNT = 12  # roots returned of the infinitely many that a delay has


@final
@dataclass(frozen=True, eq=False)
class ClosedLoop:
    """Stability of a control loop, by its rightmost eigenvalues."""

    eigenvalues: Complex
    """Eigenvalues by falling real part [1/s]: all 2 n, or a dozen with a delay."""
    growth: float
    """Largest real part [1/s]; nan if it is not known."""
    stable: Answer
    """Whether every motion decays; "unknown" where rounding hides the sign."""


@final
@dataclass(frozen=True, eq=False)
class LoopStates:
    """The loop as x' = A x + B x(t - τ) in balanced coordinates and time."""

    A: Array
    """(2n, 2n), no unit."""
    B: Array
    """(2n, 2n), no unit."""
    rate: float
    """The unit of 1 / time [1/s]."""


def closed_loop(
    M: ArrayLike,
    D: ArrayLike,
    K: ArrayLike,
    *,
    late_damping: ArrayLike | None = None,
    late_stiffness: ArrayLike | None = None,
    delay: float = 0.0,
) -> ClosedLoop:
    """Return the rightmost eigenvalues of a loop and whether it is stable.

    det(M s² + (D + D_c e^(-s τ)) s + K + K_c e^(-s τ)) = 0, exactly: the delay is not
    replaced by a rational function.

    Args:
        M: mass matrix, symmetric, positive definite, (n, n).
        D: damping, (n, n).
        K: stiffness, gravity's part in it; need not be symmetric, (n, n).
        late_damping: D_c, what acts a delay later, (n, n); None is zero.
        late_stiffness: K_c, likewise.
        delay: τ, >= 0 [s].

    Returns:
        The loop; where it is not known, growth is nan.

    Raises:
        NotPhysicalError: M is not a mass matrix, or a delay below zero.
        ShapeError: matrices that do not fit each other.
    """
    expect_above_zero("closed_loop", zero=True, delay=delay)
    states = loop_states(M, D, K, late_damping, late_stiffness)
    tau = float(delay) * states.rate
    is_late = tau > 0 and bool(states.B.any())
    count = _COUNT if is_late else len(states.A)
    roots = delay_roots(states.A, states.B, tau, count)
    if roots is None:
        return ClosedLoop(np.zeros(0, complex), math.nan, "unknown")
    slack = root_errors(states.A, states.B, tau, roots)
    growth = float(roots.real.max())
    stable: Answer = "unknown"
    if (roots.real + slack).max() < 0:
        stable = "yes"
    elif (roots.real - slack).max() > 0:
        stable = "no"
    return ClosedLoop(roots * states.rate, growth * states.rate, stable)


def loop_states(
    M: ArrayLike,
    D: ArrayLike,
    K: ArrayLike,
    late_damping: ArrayLike | None,
    late_stiffness: ArrayLike | None,
) -> LoopStates:
    """Return the loop's state matrices, masses and time scaled to one.

    With M = L Lᵀ the coordinates are Lᵀ q and, over the fastest rate, their speeds.

    Args:
        M: mass matrix, (n, n).
        D: damping, (n, n).
        K: stiffness, (n, n).
        late_damping: (n, n) or None.
        late_stiffness: (n, n) or None.

    Raises:
        NotPhysicalError: M is not symmetric and positive definite.
        ShapeError: matrices that do not fit each other.
    """
    mass = expect_array("M", M, (-1, -1))
    n = len(mass)
    given = {"D": D, "K": K}
    given |= {"late_damping": late_damping, "late_stiffness": late_stiffness}
    parts = {
        name: np.zeros((n, n)) if value is None else expect_array(name, value, (n, n))
        for name, value in given.items()
    }
    L = _root_of_mass(expect_array("M", M, (n, n)))
    D0, K0, D1, K1 = (_scaled(part, L) for part in parts.values())
    slow = math.sqrt(float(np.abs(K0).max() + np.abs(K1).max()))
    rate = max(slow, float(np.abs(D0).max() + np.abs(D1).max())) or 1.0
    A, B = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, 2 * n))
    A[:n, n:] = np.eye(n)
    A[n:] = -np.hstack([K0 / rate**2, D0 / rate])
    B[n:] = -np.hstack([K1 / rate**2, D1 / rate])
    return LoopStates(A, B, rate)


def _root_of_mass(mass: Array) -> Array:
    largest = float(np.abs(mass).max(initial=0.0))
    if mass.size == 0 or np.abs(mass - mass.T).max() > _SYMMETRY * largest:
        raise NotPhysicalError(
            f"closed_loop: M must be symmetric, got {mass.tolist()}; kinetic energy "
            "has a symmetric matrix."
        )
    even = 0.5 * (mass + mass.T)
    lowest = float(np.linalg.eigvalsh(even)[0])
    if not lowest > 0:
        raise NotPhysicalError(
            f"closed_loop: M must be positive definite, got an eigenvalue {lowest:g}; "
            "leave out coordinates that carry no mass."
        )
    return np.asarray(np.linalg.cholesky(even), np.float64)


def _scaled(part: Array, L: Array) -> Array:
    """Return inv(L) part inv(L)ᵀ."""
    left = solve_triangular(L, part, lower=True)
    return np.asarray(solve_triangular(L, left.T, lower=True).T, np.float64)
