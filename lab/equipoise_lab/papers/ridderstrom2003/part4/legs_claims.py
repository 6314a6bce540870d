"""Sections 10.1 and 10.2: three and more feet on a circle."""

import cmath
import math

import numpy as np

from equipoise.core.constants import GRAVITY
from equipoise.stability import Foot, compliant_stance, radial_stance
from equipoise_lab.papers.check import above, below, near
from equipoise_lab.papers.claim import Claim, beyond, not_checkable, refuted, shown
from equipoise_lab.papers.ridderstrom2003.part4.linear import (
    Legs,
    apart,
    legs_eigenvalues,
    torsion_stiffness,
)

__all__ = ["legs_claims"]

COUNTS = (3, 4, 5, 6, 8)
SECOND = 1e-6
"""Second differences with steps of 1e-4 err by 1e-8; roots lose some of that."""
EXACT = 1e-6
"""What the general test promises of a critical stiffness is 1e-8."""


def _example(count: int) -> Legs:
    """Return a stance whose numbers are all different."""
    return Legs(count, 2.0, 0.3, 900.0, 7.0, 0.2, 0.4)


def _printed_softness(legs: Legs) -> float:
    """Return m g h / (L k r^2), the guess of eq. (10.1)."""
    righting = legs.count * legs.stiffness * legs.radius * legs.radius
    return legs.mass * GRAVITY * legs.height / righting


def critical_factor(legs: Legs) -> float:
    """Return the factor on the stiffness at which the general test sees a fall."""
    feet = [Foot(place, legs.stiffness) for place in legs.feet()]
    return compliant_stance(legs.mass, feet).multiplier


def legs_claims() -> list[Claim]:
    """Return the claims about radially symmetric stances."""
    return [
        *softness_claims(),
        *_stiffness_claims(),
        *root_claims(),
        not_checkable(
            "10.1, erratum 14",
            "'I_x, I_y, I_x'; 'as in chapter 10'; 'in chapter the ground'",
            "as printed",
            "a matter of reading: I_z, chapter 9 and chapter 11 are meant; nothing to"
            " compute",
        ),
    ]


def softness_claims() -> list[Claim]:
    """Return which a_L decides, by the general test in six degrees of freedom."""
    stances = [_example(count) for count in COUNTS]
    found = [critical_factor(legs) for legs in stances]
    guess = [_printed_softness(legs) for legs in stances]
    off = max(abs(f / (2.0 * g) - 1.0) for f, g in zip(found, guess, strict=True))
    least = min(abs(f / g - 1.0) for f, g in zip(found, guess, strict=True))
    three, four = stances[0], stances[1]
    weight = three.mass * GRAVITY * three.height
    square = three.stiffness * three.radius * three.radius
    a_3, a_4 = 3.0 * weight / (2.0 * square), weight / (2.0 * square)
    ours_4 = abs(critical_factor(four) / a_4 - 1.0)
    tested = (
        "smallest factor on the stiffness at which the general test of six degrees of"
        " freedom lets it stand"
    )
    return [
        beyond(
            "10.1, eq. (10.1), erratum 10",
            "m g h / (L k r^2) < 1 maybe extends to L legs",
            f"the critical softness is 2 m g h / (L k r^2) for L >= 3, to {off:.0e}",
            [above(least, 0.5), below(off, EXACT)],
            f"{tested}, L = 3, 4, 5, 6, 8: twice the guess, which holds for two feet in"
            " a plane: both are at the full lever r, feet on a circle on average only"
            " half of r^2 from the axis. The thesis asks, and answers for three and"
            " four legs",
            tolerance=EXACT,
        ),
        refuted(
            "10.1.3, eq. (10.3), erratum 11",
            "a_3 = 3 m g h / (2 k r^2)",
            round(a_3, 6),
            round(found[0], 6),
            [below(found[0], 0.5 * a_3), below(off, EXACT)],
            f"{tested}; the fraction is upside down, a_3 = 2 m g h / (3 k r^2)",
            tolerance=EXACT,
        ),
        shown(
            "10.1.3, eq. (10.4)",
            "a_4 = m g h / (2 k r^2) < 1",
            "a_4",
            f"{ours_4:.0e} off",
            below(ours_4, EXACT),
            tested,
            tolerance=EXACT,
        ),
    ]


def _stiffness_claims() -> list[Claim]:
    """Return the torsion stiffnesses of section 10.2."""
    axes = np.linspace(0.0, math.pi, 7)
    three, four = _example(3), _example(4)
    unit = three.stiffness * three.radius * three.radius
    turns = [torsion_stiffness(three, x) / unit for x in axes]
    squares = [torsion_stiffness(four, x) / unit for x in axes]
    spread = float(np.ptp(turns) + np.ptp(squares))
    return [
        refuted(
            "10.2, erratum 12",
            "torsion stiffness of three legs over k r^2",
            round(2.0 / 3.0, 6),
            round(float(np.mean(turns)), 6),
            [near(np.mean(turns), 1.5, 1e-12), below(spread, 1e-12)],
            "the sum of section 10.2 gives 3/2, L/2 for any L >= 3; compared with m g h"
            " that is a_3 as corrected",
            tolerance=1e-12,
        ),
        shown(
            "10.2",
            "torsion stiffness of four legs over k r^2, about any horizontal axis",
            2.0,
            round(float(np.mean(squares)), 6),
            [near(np.mean(squares), 2.0, 1e-12), below(spread, 1e-12)],
            "the same sum about seven axes",
            tolerance=1e-12,
        ),
    ]


def _pair(front: complex, inner: complex, root: complex) -> list[complex]:
    """Return front (inner ± root)."""
    return [front * (inner + root), front * (inner - root)]


def root_claims() -> list[Claim]:
    """Return which printed eigenvalues of three and four legs are right."""
    three, four = _example(3), _example(4)
    m, i, k, d, r = 2.0, 0.3, 900.0, 7.0, 0.2
    a_3 = 2.0 * m * GRAVITY * three.height / (3.0 * k * r * r)
    a_4 = m * GRAVITY * four.height / (2.0 * k * r * r)
    bounce = _pair(-1.0 / (2.0 * m), 3.0 * d, cmath.sqrt(9.0 * d * d - 12.0 * m * k))
    inner = cmath.sqrt((3.0 * d * r) ** 2 - 24.0 * k * i * (1.0 - a_3))
    tip = _pair(-r / (4.0 * i), 3.0 * d * r, inner)
    off_3 = apart(legs_eigenvalues(three), np.array(bounce + tip + tip))
    ours = legs_eigenvalues(four)
    bounce = _pair(-2.0 / m, d, cmath.sqrt(d * d - m * k))
    inner = cmath.sqrt((d * r) ** 2 - 2.0 * k * i * (1.0 - a_4))
    printed = _pair(-2.0 * r / i, d * r, inner)
    right = _pair(-r / i, d * r, inner)
    wrong = apart(ours, np.array(bounce + printed + printed))
    off_4 = apart(ours, np.array(bounce + right + right))
    library = radial_stance(4, m, k, d, r, four.height, i).eigenvalues
    ours_4 = apart(ours, np.array([*library, *library[2:]]))
    how = "against the model of three freedoms linearised by differences"
    return [
        shown(
            "10.1.3",
            "eigenvalues of three legs, with a_3 corrected",
            "as printed",
            f"{off_3:.0e} off",
            below(off_3, SECOND),
            how,
            tolerance=SECOND,
        ),
        refuted(
            "10.1.3, erratum 13",
            "lambda_3..6 of four legs: -(2 r / I) (d r ± sqrt(...))",
            "2 r / I",
            "r / I",
            [above(wrong, 0.1), below(off_4, SECOND)],
            f"as printed {wrong:.2g} off, with r / I {off_4:.0e}, {how}. For any L:"
            " -(r / 4I) (L d r ± sqrt((L d r)^2 - 8 L k I (1 - a_L)))",
            tolerance=SECOND,
        ),
        beyond(
            "10.1.3",
            "eigenvalues of four legs, with erratum 13 corrected",
            f"{ours_4:.0e} off",
            below(ours_4, SECOND),
            f"stability.radial_stance {how}",
            tolerance=SECOND,
        ),
    ]
