"""Sections 9.1 and 10.1.1: two feet in a plane, linearised, and where it rests tilted.

Every printed formula is put beside the model linearised by differences (``linear``).
"""

import cmath
import math

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.stability import energy_barrier, planar_stance
from equipoise_lab.papers.check import above, at_most, below, same
from equipoise_lab.papers.claim import Claim, beyond, refuted, shown
from equipoise_lab.papers.ridderstrom2003.part4.linear import (
    apart,
    is_decaying,
    rates_matrix,
    thesis_matrix,
)
from equipoise_lab.papers.ridderstrom2003.part4.two_springs import (
    STATE,
    Springs,
    at_rest,
    energy,
    rest_height,
    slope,
)

__all__ = ["EXAMPLE", "stance_claims"]

EXAMPLE = Springs(2.0, 0.3, 250.0, 7.0, 0.2, 0.6)
"""A stance with a = 0.59 whose numbers are all different."""
DIFFERENCES = 1e-8
"""Central differences err by 1e-10, eigenvalues of these matrices by ten times it."""
LEANS, LEANED = 4001, 1e-6
"""Leans of a climb, and what their steps miss of its top: a step's square times the
curvature [m g h]."""
WRONG = 1e-3
"""A formula that is off by more than this is no matter of digits."""


def _softness(body: Springs) -> float:
    """Return a = m g h / (2 k r^2)."""
    righting = 2.0 * body.stiffness * body.half_width * body.half_width
    return body.mass * GRAVITY * body.height / righting


def stance_claims() -> list[Claim]:
    """Return the claims about the symmetric planar stance."""
    return [
        _criterion_claim(),
        _sinking_claim(),
        *matrix_claims(EXAMPLE),
        *root_claims(EXAMPLE),
        _damping_claim(EXAMPLE),
        *_tilted_claims(),
        cssm_claim(),
    ]


def _criterion_claim() -> Claim:
    """Return that the model's own linearisation turns over at a = 1."""
    signs = []
    for a in (0.5, 0.999, 1.001, 2.0):
        k = EXAMPLE.stiffness * _softness(EXAMPLE) / a
        signs.append(is_decaying(rates_matrix(EXAMPLE._replace(stiffness=k))))
    return shown(
        "9, eq. (9.1)",
        "falls over if m g / 2k > r^2 / h, that is a > 1, and stands if a < 1",
        "a = 1",
        "decays at a = 0.5 and 0.999, grows at 1.001 and 2"
        if signs == [True, True, False, False]
        else f"decays: {signs} at a = 0.5, 0.999, 1.001, 2",
        same(signs, [True, True, False, False]),
        "eigenvalues of the model linearised by differences",
        tolerance=1e-3,
    )


def _sinking_claim() -> Claim:
    """Return that m g / 2k is how far it has sunk."""
    y, out = np.zeros(STATE), np.zeros(STATE)
    sunk = EXAMPLE.mass * GRAVITY / (2.0 * EXAMPLE.stiffness)
    y[0] = EXAMPLE.height - sunk
    slope(y, EXAMPLE, out)
    off = float(np.abs(out).max()) / GRAVITY
    return shown(
        "9, eq. (9.1)",
        "m g / 2k is the distance that the robot has sunk",
        "as printed",
        f"at rest there to {off:.0e} g",
        below(off, 1e-12),
        "acceleration of the model at that depth; a few roundings of g",
        tolerance=1e-12,
    )


def printed_matrix(body: Springs, *, corrected: bool) -> Array:
    """Return the matrix of section 9.1.1, row 3 as printed or with its sign right."""
    m, i, k, d, r = body[:5]
    turn = r * k * (1.0 - _softness(body)) / i
    if not corrected:
        turn = -turn
    return np.array(
        [
            [0.0, 0.0, -r, -1.0],
            [0.0, 0.0, r, -1.0],
            [turn, -turn, -2.0 * r * r * d / i, 0.0],
            [k / m, k / m, 0.0, -2.0 * d / m],
        ]
    )


def matrix_claims(body: Springs) -> list[Claim]:
    """Return what is wrong and what is right about the printed linear system."""
    ours = thesis_matrix(body)
    scale = float(np.abs(ours).max())
    wrong, right = (printed_matrix(body, corrected=c) for c in (False, True))
    off, left = (float(np.abs(ours - M).max()) / scale for M in (wrong, right))
    grows = float(np.linalg.eigvals(wrong).real.max())
    a = _softness(body)
    y, out = np.zeros(STATE), np.zeros(STATE)
    y[0] = body.height - a * body.half_width**2 / 2.0
    slope(y, body, out)
    error = abs(float(out[2])) / GRAVITY
    depth = a * body.half_width**2 / body.height
    sunk = body.height - rest_height(0.0, body)
    return [
        refuted(
            "9.1.1, erratum 1",
            "row 3 of the linear system: [r k (a - 1), r k (1 - a), ...] / I_y",
            "stable for a < 1",
            f"grows by {grows:.2g} /s at a = {a:.2f}",
            [above(grows, 0.0), above(off, WRONG), below(left, DIFFERENCES)],
            f"the signs are swapped: with [r k (1 - a), -r k (1 - a), ...] the matrix"
            f" is that of the model to {left:.0e}, as printed it is off by {off:.2g}",
            tolerance=DIFFERENCES,
        ),
        refuted(
            "9.1.1, erratum 2",
            "depth of the feet at rest in the state: a r^2 / 2",
            "a r^2 / 2",
            "a r^2 / h",
            [above(error, WRONG), below(abs(depth / sunk - 1.0), 1e-12)],
            f"it is no length; let go there the example accelerates by {error:.2g} g."
            f" a r^2 / h = m g / 2k is where it rests",
            tolerance=1e-12,
        ),
    ]


def _pair(first: complex, root: complex, over: float) -> list[complex]:
    """Return -(first ± root) / over."""
    return [-(first + root) / over, -(first - root) / over]


def root_claims(body: Springs) -> list[Claim]:
    """Return which printed eigenvalues are those of the model."""
    m, i, k, d, r = body[:5]
    a = _softness(body)
    ours = np.linalg.eigvals(thesis_matrix(body)).astype(complex)
    bounce = _pair(d, cmath.sqrt(d * d - 2.0 * m * k), m)
    inner = cmath.sqrt(r * r * d * d + 2.0 * (a - 1.0) * i * k)
    tip = _pair(r * r * d, r * inner, i)
    left = apart(ours, np.array(bounce + tip))
    library = planar_stance(m, k, d, r, body.height, i).eigenvalues
    shifted = apart(ours, np.array(_pair(d, cmath.sqrt(d * d - m * k), m) + tip))
    printed_9 = apart(ours, np.array(bounce + _pair(r * d, r * inner, i)))
    printed_10 = apart(ours, np.array(bounce + _pair(r * d, inner, i)))
    right = f"the corrected one agrees with the model's to {left:.0e}"
    return [
        refuted(
            "9.1.1 and 10.1.1, erratum 3",
            "lambda_1,2 = -(d ± sqrt(d^2 - m k)) / m",
            "d^2 - m k",
            "d^2 - 2 m k",
            [above(shifted, WRONG), below(left, DIFFERENCES)],
            f"as printed {shifted:.2g} off; {right}: two springs carry the mass",
            tolerance=DIFFERENCES,
        ),
        refuted(
            "9.1.1, erratum 4",
            "lambda_3,4 = -(r d ± r sqrt(r^2 d^2 + 2 (a - 1) I_y k)) / I_y",
            "r d",
            "r^2 d",
            [above(printed_9, WRONG), below(left, DIFFERENCES)],
            f"as printed {printed_9:.2g} off; {right}",
            tolerance=DIFFERENCES,
        ),
        refuted(
            "10.1.1, erratum 5",
            "lambda_3,4 = -(r d ± sqrt(r^2 d^2 + 2 (a_2 - 1) I_y k)) / I_y",
            "r d ± sqrt(...)",
            "r^2 d ± r sqrt(...)",
            [above(printed_10, WRONG), below(left, DIFFERENCES)],
            f"as printed {printed_10:.2g} off; {right}",
            tolerance=DIFFERENCES,
        ),
        beyond(
            "9.1.1",
            "eigenvalues of the upright stance, with errata 3 and 4 corrected",
            f"{apart(ours, library):.0e} off",
            below(apart(ours, library), DIFFERENCES),
            "stability.planar_stance against the model linearised by differences",
            tolerance=DIFFERENCES,
        ),
    ]


def _damping_claim(body: Springs) -> Claim:
    """Return that without damping nothing decays."""
    bare = body._replace(damping=0.0)
    ours = float(np.linalg.eigvals(rates_matrix(bare)).real.max())
    lost = planar_stance(2.0, 250.0, 0.0, 0.2, 0.6, 0.3)
    damped = float(np.linalg.eigvals(rates_matrix(body)).real.max())
    return shown(
        "9.1.1, erratum 6",
        "lambda_1,2 are negative if m and k are positive; m, k, d and I_y all are",
        "m, k, d > 0",
        f"largest real part {damped:.2g} /s, with d = 0 {ours:.0e}",
        [
            below(damped, 0.0),
            below(abs(ours), DIFFERENCES),
            same(float(lost.eigenvalues.real.max()), 0.0),
        ],
        "of the model linearised by differences. The first sentence forgets d, without"
        " which it bounces for ever; the next one has it",
        tolerance=DIFFERENCES,
    )


def _tilted_claims() -> list[Claim]:
    """Return where the tilted equilibria of eq. (9.2) are real."""
    height, width, a = 0.5, 0.1, 0.99
    edge = height / math.hypot(height, width)
    k = GRAVITY * height / (2.0 * a * width * width)
    body = Springs(1.0, 0.1, k, 5.0, width, height)
    angle = math.acos(a)
    y, out = np.zeros(STATE), np.zeros(STATE)
    y[0], y[1] = rest_height(angle, body), angle
    slope(y, body, out)
    rest = float(np.abs(out).max()) / GRAVITY
    apart_by, sunk = width * math.sin(angle), GRAVITY / (2.0 * k)
    loads = k * (sunk - apart_by), k * (sunk + apart_by)
    inside = height * math.sin(angle) / (width * math.cos(angle))
    grows = not is_decaying(rates_matrix(body, angle))
    soft = math.acos(0.9 * edge)  # below the edge a foot would have to pull
    pulls = (
        GRAVITY
        * height
        / (1.8 * edge * width * width)
        * (0.9 * edge * width * width / height - width * math.sin(soft))
    )
    return [
        shown(
            "9.1.1, eq. (9.2)",
            "tilted equilibria at cos(alpha) = a, unstable",
            "unstable for a < 1",
            f"at rest to {rest:.0e} g and growing",
            [below(rest, 1e-12), same(grows, True)],
            f"model at rest at a = {a}, h = {height} m, r = {width} m; both feet carry",
            tolerance=1e-12,
        ),
        refuted(
            "9.1.1, erratum 7",
            "tilted equilibria only valid with the centre of mass right above a foot",
            "above a foot",
            f"{100 * inside:.0f} % of the way to it at a = {a}",
            [
                below(rest, 1e-12),
                above(min(loads), 0.0),
                below(inside, 0.999),
                below(pulls, 0.0),
            ],
            f"feet carry {loads[0]:.2f} and {loads[1]:.2f} N there. Both carry for all"
            f" a from h / sqrt(h^2 + r^2) = {edge:.4f} to 1; below, one would pull and"
            " the last balance is on one foot",
            tolerance="above a foot",
        ),
    ]


def climbed(a: float, slenderness: float) -> float:
    """Return the energy between standing and falling, found by leaning on [m g h].

    The least work to lean a body, in vertical equilibrium at each lean, until it goes
    on by itself; nothing where it goes on from the start.

    Args:
        a: softness.
        slenderness: r/h.
    """
    k = GRAVITY / (2.0 * a * slenderness**2)
    body = Springs(1.0, 1.0, k, 0.0, slenderness, 1.0)
    leans = np.linspace(0.0, 2.0 * math.atan(slenderness), LEANS)
    work = np.array([energy(at_rest(float(lean), body), body) for lean in leans])
    top = int(np.argmax(work))
    return float(work[top] - work[0]) / GRAVITY if top else 0.0


def cssm_claim() -> Claim:
    """Return whether an energy measure and a < 1 ever disagree, section 9.1.2."""
    cases = [
        (float(a), slenderness)
        for slenderness in (0.02, 0.05, 0.2, 0.6)
        for a in (0.05, 0.3, 0.6, 0.9, 0.97, 1.03, 1.1, 1.5, 2.0)
    ]
    found = {case: climbed(*case) for case in cases}
    differ = sum((found[case] > 0.0) != (case[0] < 1.0) for case in cases)
    worst = max(abs(found[case] - energy_barrier(*case)) for case in cases)
    return shown(
        "9.1.2",
        "a < 1 against a positive compliant stability measure, CSSM: cases that differ",
        "some, especially for small r",
        f"{differ} of {len(cases)}",
        [above(differ, 0), at_most(worst, LEANED)],
        "the CSSM of Nagy et al. is an approximation from a paper that we do not have."
        " In its place the energy that it approximates: the model is leaned until it"
        f" falls, r/h from 0.02 to 0.6. That is stability.energy_barrier to {worst:.0e}"
        " m g h, and it is positive exactly where a < 1; so the differences are the"
        " approximation's",
        tolerance="at least one",
    )
