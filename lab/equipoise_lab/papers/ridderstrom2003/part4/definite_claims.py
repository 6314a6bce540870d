"""Chapter 11's criteria on random gains: printed as necessary, and they are sufficient.

Both laws have symmetric matrices, M q'' + D q' + K q = 0 for q = (q_1, alpha), and a
positive damping, so they are stable exactly where K is positive definite.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.seeds import stream
from equipoise.stability import posture_critical_stiffness
from equipoise_lab.papers.check import above, below, same
from equipoise_lab.papers.claim import Claim, beyond, refuted, shown
from equipoise_lab.papers.ridderstrom2003.part4.linear import is_decaying
from equipoise_lab.papers.ridderstrom2003.part4.trunk import (
    CARTESIAN_EXAMPLE,
    POSTURE_EXAMPLE,
    Trunk,
    cartesian_forces,
    posture_forces,
    thesis_rows,
)

__all__ = ["definite_claims"]

SAMPLES = 20_000
SHY = 1e-6
"""Cases this near to a boundary, over its terms, are left out: their eigenvalues are
zero but for rounding."""


def _stacked(M: Array, D: Array, K: Array) -> Array:
    """Return M q'' + D q' + K q = 0 as first-order systems, (n, 4, 4)."""
    A = np.zeros((len(M), 4, 4))
    A[:, :2, 2:] = np.eye(2)
    A[:, 2:, :2], A[:, 2:, 2:] = -np.linalg.solve(M, K), -np.linalg.solve(M, D)
    return A


def _square(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Return [[a, b], [c, d]] for each case, (n, 2, 2)."""
    return np.stack([np.stack([a, b], axis=-1), np.stack([c, d], axis=-1)], axis=-2)


def _law_matrices(
    trunk: Sequence[Array], along: Array, turn: Array, low: Array, damp: Sequence[Array]
) -> tuple[Array, Array]:
    """Return systems (n, 4, 4) and stiffnesses (n, 2, 2) of either law.

    K = [[2 along, -m g], [-m g, turn - m g low]], the trunk resting at height low.
    """
    m, i = trunk
    weight = m * GRAVITY
    M = _square(m, m * low, m * low, m * low * low + i)
    D = _square(damp[0], 0 * m, 0 * m, damp[1])
    K = _square(2 * along, -weight, -weight, turn - weight * low)
    return _stacked(M, D, K), K


def definite_claims(seed: int, samples: int = SAMPLES) -> list[Claim]:
    """Return that the criteria of chapter 11 are sufficient, with k > 0 said aloud.

    Args:
        seed: which random gains.
        samples: how many.
    """
    rng = stream(seed, "gains of chapter 11")
    m, i = rng.uniform(5.0, 100.0, samples), rng.uniform(0.2, 10.0, samples)
    h, r = rng.uniform(0.2, 1.0, samples), rng.uniform(0.05, 0.5, samples)
    damp = [rng.uniform(10.0, 500.0, samples) for _ in range(2)]
    weight = m * GRAVITY
    along = rng.uniform(-3.0, 15.0, samples) * weight / h  # also negative
    up = rng.uniform(0.6, 20.0, samples) * weight / h
    turn = rng.uniform(0.2, 4.0, samples) * weight * h
    foot = _law_matrices((m, i), along, 2 * up * r * r, h - weight / (2 * up), damp)
    trunk = _law_matrices((m, i), along, turn, h, damp)
    inner = 2 * along * up * (2 * up * r * r - weight * h)
    printed_foot = 2 * up * (weight**2 * (along - up) + inner)
    printed_trunk = 2 * along * turn - 2 * h * along * weight - weight**2
    return [
        *law_claims("11.1.2", "k_1", foot, along, printed_foot),
        *law_claims("11.2.4", "k_L", trunk, along, printed_trunk),
        _matrices_claim(),
        _posture_claim(),
    ]


def law_claims(
    where: str, letter: str, systems: tuple[Array, Array], along: Array, printed: Array
) -> list[Claim]:
    """Return both claims about one law: what is wrong, and what is enough."""
    rates, K = systems
    determinant = np.linalg.det(K)
    size = np.abs(K[:, 0, 0] * K[:, 1, 1]) + K[:, 0, 1] ** 2
    clear = (np.abs(determinant) > SHY * size) & (np.abs(along) > SHY)
    decays = np.linalg.eigvals(rates).real.max(axis=1) < 0.0
    definite = (along > 0.0) & (printed > 0.0)
    wrong = int((decays != definite)[clear].sum())
    fooled = (decays != (printed > 0.0)) & clear
    negative = bool((along[fooled] < 0.0).all())
    return [
        refuted(
            f"{where}, erratum 22",
            f"the 0th coefficient is positive, which requires {letter} > 0",
            f"implies {letter} > 0",
            f"{int(fooled.sum())} of {int(clear.sum())} unstable with a positive one",
            [above(fooled.sum(), 0), same(negative, True), same(wrong, 0)],
            f"both its factors may be negative; in all these cases {letter} < 0 and the"
            f" eigenvalues grow. It must be said beside it: {letter} > 0",
            tolerance=0,
        ),
        beyond(
            where,
            f"stable exactly where {letter} > 0 and the criterion holds: mismatches",
            wrong,
            same(wrong, 0),
            f"eigenvalues of {int(clear.sum())} random cases. Printed as necessary; it"
            " is sufficient as well, as stiffness and damping are symmetric and the"
            " latter positive (Kelvin, Tait, Chetaev)",
            tolerance=0,
        ),
    ]


def _matrices_claim() -> Claim:
    """Return that the matrices of these cases are those of the models."""
    trunk, cart, post = Trunk(), CARTESIAN_EXAMPLE, POSTURE_EXAMPLE
    square_r, weight = trunk.half_width**2, trunk.mass * GRAVITY
    low = trunk.height - weight / (2 * cart.k3)
    cases = (
        (cartesian_forces(cart), cart.k1, 2 * cart.k3 * square_r, low, 2 * cart.d1,
         2 * cart.d3 * square_r),
        (posture_forces(post), post.k_L, post.k_alpha, trunk.height, 2 * post.d_L,
         post.d_alpha),
    )  # fmt: skip
    worst = 0.0
    for forces, *numbers in cases:
        along, turn, height, *damp = (np.array([float(x)]) for x in numbers)
        body = np.array([trunk.mass]), np.array([trunk.inertia])
        ours = _law_matrices(body, along, turn, height, damp)[0][0]
        kept = np.ix_([0, 1, 3, 4], [0, 1, 3, 4])
        rows = thesis_rows(trunk, forces, float(height[0]))[kept]
        worst = max(worst, float(np.abs(ours - rows).max() / np.abs(rows).max()))
    return beyond(
        "11.2.4",
        "matrices of mass, damping and stiffness that decide in both laws",
        f"{worst:.0e} off",
        below(worst, 1e-7),
        "those of the random cases against the two models linearised by differences,"
        " whose own error is near 1e-9",
        tolerance=1e-7,
    )


def _posture_claim() -> Claim:
    """Return that the posture controller turns over at the printed stiffness."""
    trunk = Trunk()
    needed = posture_critical_stiffness(trunk.mass, trunk.height, POSTURE_EXAMPLE.k_L)
    signs = []
    for factor in (0.999, 1.001):
        law = replace(POSTURE_EXAMPLE, k_alpha=factor * needed)
        signs.append(is_decaying(thesis_rows(trunk, posture_forces(law), trunk.height)))
    return shown(
        "11.2.4",
        "k_alpha > m g h + (m g)^2 / (2 k_L)",
        "as printed",
        "grows at 0.999 and decays at 1.001 of it"
        if signs == [False, True]
        else f"decays: {signs} at 0.999 and 1.001 of it",
        same(signs, [False, True]),
        "eigenvalues of the model linearised by differences",
        tolerance=1e-3,
    )
