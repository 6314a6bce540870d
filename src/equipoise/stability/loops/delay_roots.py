"""Rightmost roots of linear equations with one pure delay.

x'(t) = A x(t) + B x(t - τ) has infinitely many roots s of
det(s 1 - A - B exp(-s τ)) = 0, finitely many right of any vertical line. Chebyshev
collocation of the equation's generator finds them near the origin to many digits
([Breda2005]); Newton on the determinant gives the rest of the digits.
"""

import math

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array

__all__ = ["Complex", "delay_roots", "root_errors"]

Complex = NDArray[np.complex128]

_POINTS = 16  # beyond one a radian of the fastest root that can be unstable
_LARGEST = 1200  # rows of a matrix whose eigenvalues take about a second
_EPS = float(np.finfo(float).eps)


def delay_roots(A: Array, B: Array, delay: float, count: int) -> Complex | None:
    """Return roots of x'(t) = A x(t) + B x(t - τ), rightmost first.

    Unstable roots have |s| <= ‖A‖ + ‖B‖; the collocation is fine enough for these.

    Args:
        A: (n, n) [1/s].
        B: (n, n) [1/s].
        delay: τ >= 0 [s].
        count: of roots wanted; without a delay there are n.

    Returns:
        Up to ``count`` roots, complex, by falling real part; None where the delay is so
        long, in periods of the fastest motion, that they would take too long.
    """
    if delay == 0.0 or not B.any():
        return _rightmost(np.linalg.eigvals(A + B).astype(complex), count)
    n = len(A)
    fastest = float(np.linalg.norm(A, 2) + np.linalg.norm(B, 2))
    points = _POINTS + math.ceil(fastest * delay)
    if n * (points + 1) > _LARGEST:
        return None
    guesses = np.linalg.eigvals(_generator(A, B, delay, points)).astype(complex)
    kept: list[complex] = []
    for guess in _rightmost(guesses, 2 * count):
        root = _newton(A, B, delay, guess)
        if root is not None:
            kept.append(root)
        elif guess.real >= 0 or _is_root(A, B, delay, guess):
            kept.append(complex(guess))  # of several equal ones, where Newton is slow
    return _rightmost(np.array(kept, complex), count)


def root_errors(A: Array, B: Array, delay: float, roots: Complex) -> Array:
    """Return how far rounding may have moved each root, (k,) [1/s].

    eps times the size of the terms over |wᴴ (1 + τ B exp(-s τ)) v| with the left and
    right null vectors: large where roots nearly coincide.
    """
    n, errors = len(A), np.zeros(len(roots))
    size = float(np.linalg.norm(A, 2)), float(np.linalg.norm(B, 2))
    for index, s in enumerate(roots):
        echo = np.exp(-s * delay)
        left, _, right = np.linalg.svd(s * np.eye(n) - A - B * echo)
        slope = left[:, -1].conj() @ (np.eye(n) + delay * B * echo) @ right[-1].conj()
        terms = abs(s) + size[0] + size[1] * abs(echo)
        errors[index] = 10 * n * _EPS * terms / max(abs(slope), _EPS)
    return errors


def _generator(A: Array, B: Array, delay: float, points: int) -> Array:
    """Return the generator on Chebyshev points of [-τ, 0], (n (N + 1), n (N + 1))."""
    k = np.arange(points + 1)
    x = np.cos(math.pi * k / points)
    c = np.where((k == 0) | (k == points), 2.0, 1.0) * (-1.0) ** k
    apart = x[:, None] - x + np.eye(points + 1)
    D = np.outer(c, 1 / c) / apart
    D -= np.diag(D.sum(axis=1))
    n = len(A)
    matrix = np.asarray(np.kron(D * (2 / delay), np.eye(n)), np.float64)
    matrix[:n] = 0.0
    matrix[:n, :n] = A
    matrix[:n, -n:] += B
    return matrix


def _newton(A: Array, B: Array, delay: float, guess: complex) -> complex | None:
    """Return the root of the determinant near a guess: s - 1 / tr(Δ⁻¹ Δ')."""
    n, s = len(A), complex(guess)
    near = 0.1 * (abs(s) + 1 / delay)
    for _ in range(30):
        echo = np.exp(-s * delay)
        matrix = s * np.eye(n) - A - B * echo
        slope = np.eye(n) + delay * B * echo
        try:
            trace = complex(np.trace(np.linalg.solve(matrix, slope)))
        except np.linalg.LinAlgError:  # exactly at the root
            return s
        if trace == 0 or not math.isfinite(abs(trace)):
            return s if trace else None
        s -= 1 / trace
        if abs(s - guess) > near:
            return None
        if abs(1 / trace) < 4 * _EPS * (abs(s) + 1 / delay):
            return s
    return None


def _is_root(A: Array, B: Array, delay: float, s: complex) -> bool:
    matrix = s * np.eye(len(A)) - A - B * np.exp(-s * delay)
    sizes = np.linalg.svd(matrix, compute_uv=False)
    return bool(sizes[-1] < 1e-6 * sizes[0])


def _rightmost(roots: Complex, count: int) -> Complex:
    order = np.lexsort((roots.imag, -roots.real))
    return roots[order][:count]
