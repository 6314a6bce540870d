"""How late a control loop may answer before it shakes itself apart."""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eig

from equipoise.core.arrays import Array
from equipoise.stability.loops.closed_loop import closed_loop, loop_states

__all__ = ["critical_delay"]

_CIRCLE = 1e-5  # eigenvalues near the unit circle, before Newton says how near
_BEFORE = 0.999  # of the delay found: there the loop is tried
_LOWEST = 1e-9  # rate, of the fastest, below which a crossing is one at zero


def critical_delay(
    M: ArrayLike,
    D: ArrayLike,
    K: ArrayLike,
    *,
    late_damping: ArrayLike | None = None,
    late_stiffness: ArrayLike | None = None,
) -> float:
    """Return the delay below which the loop is stable.

    A root on the imaginary axis, s = j ω, makes A + B z with z = e^(-j ω τ) have two
    eigenvalues j ω and, of its conjugate, -j ω: the Kronecker sum of both is singular,
    which is a quadratic eigenvalue problem in z ([Chen1995]). Its solutions on the
    unit circle give every crossing, and the smallest delay of all is the answer: no
    search over frequencies.

    Args:
        M: mass matrix, (n, n).
        D: damping without delay, (n, n).
        K: stiffness without delay, (n, n).
        late_damping: D_c, what acts a delay later, (n, n); None is zero.
        late_stiffness: K_c, likewise.

    Returns:
        The smallest delay at which a root reaches the imaginary axis [s]; infinite
        where none does, 0 where the loop is not stable even at once, nan where that is
        not known.

    Raises:
        NotPhysicalError: M is not a mass matrix.
        ShapeError: matrices that do not fit each other.
    """
    at_once = closed_loop(
        M, D, K, late_damping=late_damping, late_stiffness=late_stiffness
    ).stable
    if at_once != "yes":
        return 0.0 if at_once == "no" else math.nan
    states = loop_states(M, D, K, late_damping, late_stiffness)
    if not states.B.any():
        return math.inf
    found = [
        tau
        for z in _circle(states.A, states.B)
        for omega in _rates(states.A, states.B, z)
        if (tau := _polished(states.A, states.B, omega, z)) is not None
    ]
    critical = min(found, default=math.inf) / states.rate
    if math.isfinite(critical):  # a crossing that rounding hid would show here
        just_before = closed_loop(
            M,
            D,
            K,
            late_damping=late_damping,
            late_stiffness=late_stiffness,
            delay=_BEFORE * critical,
        )
        return critical if just_before.stable == "yes" else math.nan
    return critical


def _circle(A: Array, B: Array) -> list[complex]:
    """Return the z on the unit circle where A + B z may have an imaginary eigenvalue.

    z² (B ⊗ 1) + z (A ⊗ 1 + 1 ⊗ Aᵀ) + 1 ⊗ Bᵀ is singular there.
    """
    one = np.eye(len(A))
    square, zero = np.kron(B, one), np.kron(one, B.T)
    middle = np.kron(A, one) + np.kron(one, A.T)
    n = len(middle)
    left = np.block([[np.zeros((n, n)), np.eye(n)], [-zero, -middle]])
    right = np.block([[np.eye(n), np.zeros((n, n))], [np.zeros((n, n)), square]])
    values = np.asarray(eig(left, right, right=False), complex)
    values = values[np.isfinite(values)]
    return [complex(z) / abs(z) for z in values if abs(abs(z) - 1) < _CIRCLE]


def _rates(A: Array, B: Array, z: complex) -> list[float]:
    """Return the rates of the nearly undamped eigenvalues of A + B z, above zero."""
    values = np.linalg.eigvals(A + B * z)
    size = float(np.abs(values).max())
    near = np.abs(values.real) < 1e-4 * size
    return [float(w) for w in values[near].imag if w > _LOWEST * size]


def _polished(A: Array, B: Array, omega: float, z: complex) -> float | None:
    """Return the delay at which a root is exactly at j ω, by Newton on both.

    Δ(j ω, τ) v = 0 with v normed: two real unknowns and v.
    """
    tau = (-math.atan2(z.imag, z.real) % (2 * math.pi)) / omega
    n, one, gap = len(A), np.eye(len(A)), math.inf
    for _ in range(20):
        echo = np.exp(-1j * omega * tau)
        left, values, right = np.linalg.svd(1j * omega * one - A - B * echo)
        w, v, gap = left[:, -1].conj(), right[-1].conj(), float(values[-1])
        by_omega = 1j * (w @ (one + tau * B * echo) @ v)
        by_tau = 1j * omega * echo * (w @ B @ v)
        J = np.array([[by_omega.real, by_tau.real], [by_omega.imag, by_tau.imag]])
        if abs(np.linalg.det(J)) < 1e-14 * float(np.abs(J).max()) ** 2:
            break  # the root touches the axis, or passes without a speed
        change = np.linalg.solve(J, [-gap, 0.0])
        omega, tau = omega + float(change[0]), tau + float(change[1])
        if not (omega > 0 and tau > -1e-9):
            return None
        if np.abs(change).max() < 1e-14 * max(1.0, tau):
            break
    return max(tau, 0.0) if gap < 1e-9 * n else None
