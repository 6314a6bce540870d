"""The loop as a computer closes it: sampled, held, and some time late."""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eig, expm

from equipoise.core.arrays import Array
from equipoise.stability.loops.closed_loop import ClosedLoop, loop_states
from equipoise.stability.loops.delay_roots import Complex
from equipoise.stability.quantity import expect_above_zero
from equipoise.stability.walks.stops import Answer

__all__ = ["sampled_loop", "sampled_matrix"]

_EPS = float(np.finfo(float).eps)


def sampled_loop(
    M: ArrayLike,
    D: ArrayLike,
    K: ArrayLike,
    *,
    period: float,
    late_damping: ArrayLike | None = None,
    late_stiffness: ArrayLike | None = None,
    delay: float = 0.0,
) -> ClosedLoop:
    """Return the eigenvalues of a loop whose control is sampled and held.

    M q'' + D q' + K q = -(K_c q + D_c q')(t_k) from t_k + τ to t_k + T + τ, t_k = k T:
    exact between the samples, whole and broken periods of delay alike.

    Args:
        M: mass matrix, symmetric, positive definite, (n, n).
        D: damping that needs no computer, (n, n).
        K: stiffness that needs none, gravity's part in it, (n, n).
        period: T, > 0 [s].
        late_damping: D_c, of the control, (n, n); None is zero.
        late_stiffness: K_c, of the control, (n, n); None is zero.
        delay: τ from a sample to its effect, >= 0 [s].

    Returns:
        The loop; eigenvalues are log(z) / T of those z of one period that are not
        zero.

    Raises:
        NotPhysicalError: M is not a mass matrix, or a time that is none.
        ShapeError: matrices that do not fit each other.
    """
    expect_above_zero("sampled_loop", period=period)
    expect_above_zero("sampled_loop", zero=True, delay=delay)
    states = loop_states(M, D, K, late_damping, late_stiffness)
    step = sampled_matrix(states.A, states.B, period * states.rate, delay * states.rate)
    values, left, right = (np.asarray(x) for x in eig(step, left=True, right=True))
    overlap = np.abs(np.einsum("ik,ik->k", left.conj(), right))
    size = 10 * len(step) * _EPS * float(np.linalg.norm(step, 2))
    slack = size / np.maximum(overlap, _EPS)  # rounding, large where roots coincide
    radius = np.abs(values)
    stable: Answer = "unknown"
    if (radius + slack).max() < 1:
        stable = "yes"
    elif (radius - slack).max() > 1:
        stable = "no"
    alive = values[radius > slack].astype(np.complex128)
    order = np.argsort(-np.abs(alive), kind="stable")
    rates: Complex = np.asarray(np.log(alive[order]) / period, np.complex128)
    return ClosedLoop(rates, float(math.log(radius.max()) / period), stable)


def sampled_matrix(A: Array, B: Array, period: float, delay: float) -> Array:
    """Return what one period does to the state and the commands under way.

    Args:
        A: of the plant, speeds in the lower half, (2n, 2n).
        B: of the control, likewise.
        period: in the units of A.
        delay: in the units of A.

    Returns:
        Matrix over (x, u one, two, ... periods old).
    """
    n = len(A) // 2
    whole, broken = divmod(delay, period)
    whole, law = int(whole), B[n:]
    now, push_now = _advance(A, period - broken)
    then, push_then = _advance(A, broken)
    old = whole + 1  # commands that are kept
    step = np.zeros((2 * n + old * n, 2 * n + old * n))
    step[: 2 * n, : 2 * n] = now @ then
    last = 2 * n + whole * n
    step[: 2 * n, last : last + n] = now @ push_then
    if whole == 0:
        step[: 2 * n, : 2 * n] += push_now @ law
    else:
        step[: 2 * n, last - n : last] += push_now
    step[2 * n : 3 * n, : 2 * n] = law
    step[3 * n :, 2 * n : -n] = np.eye((old - 1) * n)
    return step


def _advance(A: Array, time: float) -> tuple[Array, Array]:
    """Return exp(A t) and the effect of a force held for that long."""
    n = len(A) // 2
    wide = np.zeros((3 * n, 3 * n))
    wide[: 2 * n, : 2 * n] = A
    wide[n : 2 * n, 2 * n :] = np.eye(n)
    done = np.asarray(expm(wide * time), np.float64)
    return done[: 2 * n, : 2 * n], done[: 2 * n, 2 * n :]
