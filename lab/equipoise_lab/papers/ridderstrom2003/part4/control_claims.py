"""Chapter 11: legs whose softness is the controller's, and what section 12.2 adds."""

import math
from dataclasses import replace
from itertools import product

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.stability import cartesian_critical_width
from equipoise_lab.papers.check import above, at_least, below, same
from equipoise_lab.papers.claim import Claim, refuted, shown
from equipoise_lab.papers.ridderstrom2003.part4.linear import is_decaying, rates_matrix
from equipoise_lab.papers.ridderstrom2003.part4.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.part4.trunk import (
    CARTESIAN_EXAMPLE,
    POSTURE_EXAMPLE,
    Cartesian,
    Trunk,
    cartesian_forces,
    posture_forces,
    thesis_rows,
)
from equipoise_lab.papers.ridderstrom2003.part4.two_springs import Springs

__all__ = ["control_claims", "printed_rows"]

DIFFERENCES = 1e-7
"""Central differences of forces of 1e4 N err by 1e-9 of them; rows are scaled to 1."""
WRONG = 1e-3
HALF_UNIT = 0.005  # of a printed per cent
MOSTLY = 0.9
"""Share of the points at which something seen in a figure has to hold."""


def printed_rows(trunk: Trunk, law: Cartesian, *, corrected: bool) -> Array:
    """Return I_y w_1', I_y w_2' and m w_3' of section 11.1.2 over the state, (3, 6).

    Args:
        trunk: what is held.
        law: the gains.
        corrected: with errata 18 to 21 corrected, or as printed.
    """
    m, i, r, h = trunk.mass, trunk.inertia, trunk.half_width, trunk.height
    k1, k3, d1, d3 = law.k1, law.k3, law.d1, law.d3
    weight = m * GRAVITY
    c1 = weight**2 / (2 * k3) * (1 - k1 / k3) + weight * h * (2 * k1 / k3 - 1)
    c1 -= 2 * k1 * (h * h + i / m)
    quarter = 4.0 if corrected else 2.0
    w1 = weight * h / k3 - i / m - h * h - weight**2 / (quarter * k3**2)
    over = k3 if corrected else d3
    sign = -1.0 if corrected else 1.0
    tilt = 2 * r * r * h * k3 - weight * r * r + GRAVITY * i
    out = np.zeros((3, 6))  # q_1, alpha, q_3, w_1, w_2, w_3
    out[0, [0, 1, 3, 4]] = c1, tilt, 2 * d1 * w1, d3 * r * r * (2 * h - weight / k3)
    out[1, 0] = weight + 2 * h * k1 - k1 / k3 * weight
    out[1, [1, 3]] = sign * 2 * r * r * k3, 2 * h * d1 - d1 / over * weight
    out[1, 4] = -2 * r * r * d3
    out[2, [2, 5]] = -2 * k3, -2 * d3 if corrected else -d3
    return out


def control_claims() -> list[Claim]:
    """Return the claims of chapter 11 that need no random cases."""
    return [
        *_row_claims(Trunk(), CARTESIAN_EXAMPLE),
        *warp1_claims(),
        *width_claims(),
        *_posture_claims(Trunk()),
        wider_claim(),
    ]


def _row_claims(trunk: Trunk, law: Cartesian) -> list[Claim]:
    """Return which printed coefficients are those of the model."""
    sunk = trunk.mass * GRAVITY / (2.0 * law.k3)
    scale = np.array([[trunk.inertia], [trunk.inertia], [trunk.mass]])
    A = scale * thesis_rows(trunk, cartesian_forces(law), trunk.height - sunk)[3:]
    size = np.abs(A).max(axis=1, keepdims=True)
    wrong = np.abs(A - printed_rows(trunk, law, corrected=False)) / np.abs(
        np.where(A == 0.0, size, A)
    )
    left = np.abs(A - printed_rows(trunk, law, corrected=True)) / size
    worst = float(left.max())
    how = "of the coefficient, against Newton and Euler linearised by differences"

    def misprint(number: int, what: str, printed: str, right: str, row: int, col: int):
        off = float(wrong[row, col])
        return refuted(
            f"11.1.2, erratum {number}",
            what,
            printed,
            right,
            [above(off, WRONG), below(worst, DIFFERENCES)],
            f"as printed {off:.2g} {how}; corrected, all rows agree to {worst:.0e}",
            tolerance=DIFFERENCES,
        )

    return [
        misprint(18, "row 1, last term at w_1", "(m g)^2 / (2 k_3^2)",
            "(m g)^2 / (4 k_3^2)", 0, 3),
        misprint(19, "row 2, at w_1", "2 h d_1 - (d_1 / d_3) m g",
            "2 h d_1 - (d_1 / k_3) m g", 1, 3),
        misprint(20, "row 2, last term", "-2 r^2 (d_3 w_2 - k_3 q_2)",
            "-2 r^2 (d_3 w_2 + k_3 q_2)", 1, 1),
        misprint(21, "row 3, damping", "-d_3 w_3", "-2 d_3 w_3", 2, 5),
        shown("11.1.2", "all other coefficients, among them c_1, and rest at h - m g /"
            " 2 k_3", "as printed", f"{worst:.0e} off", below(worst, DIFFERENCES),
            how,
            tolerance=DIFFERENCES),
    ]  # fmt: skip


def warp1_claims() -> list[Claim]:
    """Return WARP1's numbers of section 11.1.3."""
    unit = PRINTED.warp1_mass * GRAVITY / PRINTED.warp1_height
    vertical, horizontal = (2.0 * k / unit for k in PRINTED.warp1_stiffness)
    k1, k3 = PRINTED.warp1_dimensionless
    as_said, swapped = (
        cartesian_critical_width(k1, k3),
        cartesian_critical_width(k3, k1),
    )
    exact = cartesian_critical_width(horizontal, vertical)
    near = cartesian_critical_width(k1, 14.0)
    gap = min(abs(w - PRINTED.warp1_critical) for w in (as_said, swapped))
    return [
        refuted(
            "11.1.3, erratum 23",
            "4 kN/m vertically and 10 kN/m horizontally are k_1', k_3'",
            f"{k1:g} and {k3:g}",
            f"{horizontal:.2f} and {vertical:.2f}",
            [below(abs(horizontal - k3), 0.5), below(abs(vertical - k1), 0.5)],
            "k_1 is horizontal in eq. (11.2): the two are swapped, or the words are."
            " 60 kg and 0.5 m, doubled for four legs",
            tolerance=0.5,
        ),
        refuted(
            "11.1.3, erratum 24",
            "critical r/h of WARP1",
            PRINTED.warp1_critical,
            f"{as_said:.4f} for (7, 17), {swapped:.4f} for (17, 7)",
            above(gap, 0.01),
            "eq. (11.4) solved: r/h = sqrt((1 + (1/k_1' - 1/k_3') / 2) / (2 k_3'))."
            f" With unrounded stiffnesses {exact:.4f}; (7, 14) would give {near:.3f}",
            tolerance=0.005,
        ),
    ]


def _is_standing(k1: float, k3: float, width: float) -> bool:
    """Return whether the planar trunk stands, by its eigenvalues.

    Args:
        k1: k_1', horizontal.
        k3: k_3', vertical.
        width: r/h.
    """
    base = Trunk()
    trunk = replace(base, half_width=width * base.height)
    unit = trunk.mass * GRAVITY / trunk.height
    law = Cartesian(k1 * unit, k3 * unit, 200.0, 200.0)
    sunk = trunk.mass * GRAVITY / (2.0 * law.k3)
    rows = thesis_rows(trunk, cartesian_forces(law), trunk.height - sunk)
    return is_decaying(rows)


def width_claims() -> list[Claim]:
    """Return what eq. (11.4) and its figure say."""
    grid = [(k1, k3) for k1 in (1.0, 2.0, 5.0, 15.0) for k3 in (0.8, 2.0, 7.0, 20.0)]
    found = {
        pair: [_is_standing(*pair, f * printed_width(*pair)) for f in (0.999, 1.001)]
        for pair in grid
    }
    wrong = sum(stands != [False, True] for stands in found.values())
    most = max(
        abs(printed_width(*pair) / cartesian_critical_width(*pair) - 1.0)
        for pair in grid
    )
    return [
        shown(
            "11.1.2, eq. (11.4), fig. 11.1",
            "the critical surface: pairs (k_1', k_3') that do not turn over on it",
            0,
            wrong,
            [same(wrong, 0), below(most, 1e-12)],
            f"of {len(grid)}, eigenvalues of the trunk linearised by differences: it"
            " falls at 0.999 of the printed width and stands at 1.001. The library's"
            f" width is the printed one to {most:.0e}",
            tolerance=1e-3,
        ),
        importance_claim(),
    ]


def printed_width(k1: float, k3: float) -> float:
    """Return r/h on the printed surface (11.4), solved for it by hand."""
    return math.sqrt(((k3 / k1 - 1.0) / (2.0 * k3) + 1.0) / (2.0 * k3))


def importance_claim() -> Claim:
    """Return whether the vertical stiffness matters more where k_1' > 1."""
    step = 1e-6
    better = np.zeros(2)  # by per cents, and by slopes of the surface
    grid = np.linspace(1.05, 30.0, 60), np.linspace(0.55, 30.0, 60)
    for k1, k3 in product(*grid):
        width = printed_width(k1, k3)
        along = abs(printed_width(k1 * (1 + step), k3) - width)
        up = abs(printed_width(k1, k3 * (1 + step)) - width)
        better += (up > along, up / k3 > along / k1)
    by_share, by_slope = (float(x) / (len(grid[0]) * len(grid[1])) for x in better)
    return shown(
        "11.1.2, fig. 11.1",
        "for k_1' > 1 the vertical stiffness is more important than the horizontal one",
        "k_1' > 1",
        f"at {100 * by_share:.1f} % of the points by per cents, at"
        f" {100 * by_slope:.1f} % by the surface's slopes",
        [at_least(by_share, MOSTLY), at_least(by_slope, MOSTLY)],
        "what a per cent, or a unit, of k_3' and of k_1' does to the critical width,"
        " k_1' from 1 and k_3' from 0.55 to 30; the figure's range is lost. By per"
        " cents it fails for k_1' / (1 + k_1') < k_3' < 1 alone, by slopes above k_3' ="
        " 2 k_1'^2",
        tolerance=f"{100 * MOSTLY:g} % of the points by either measure: it is read off"
        " a figure",
    )


def _posture_claims(trunk: Trunk) -> list[Claim]:
    """Return the linear system of the posture controller."""
    m, i, h, law = trunk.mass, trunk.inertia, trunk.height, POSTURE_EXAMPLE
    weight = m * GRAVITY
    scale = np.array([[i], [i], [m]])
    A = scale * thesis_rows(trunk, posture_forces(law), h)[3:]
    wanted = np.zeros((3, 6))
    around = 2.0 * (i / m + h * h)
    wanted[0, [0, 3]] = -around * law.k_L - weight * h, -around * law.d_L
    wanted[0, [1, 4]] = h * law.k_alpha + GRAVITY * i, h * law.d_alpha
    wanted[1, [0, 1]] = 2 * h * law.k_L + weight, -law.k_alpha
    wanted[1, [3, 4]] = 2 * h * law.d_L, -law.d_alpha
    wanted[2, [2, 5]] = -law.k_B, -law.d_B
    worst = float((np.abs(A - wanted) / np.abs(A).max(axis=1, keepdims=True)).max())
    return [
        shown(
            "11.2.4, erratum 25",
            "linear system of the posture controller, d_q, k_q, u_1 of row 2 read as"
            " d_alpha, k_alpha, w_1",
            "as printed",
            f"{worst:.0e} off",
            below(worst, DIFFERENCES),
            "against Newton and Euler linearised by differences. The three letters are"
            " nowhere defined; read like this, all three rows are right",
            tolerance=DIFFERENCES,
        ),
    ]


def wider_claim() -> Claim:
    """Return what width makes up for softer ground, found on the model."""
    body = Springs(2.0, 0.3, 250.0, 7.0, 0.2, 0.6)

    def least_width(stiffness: float) -> float:
        low, high = 0.01, 1.0
        while high - low > 1e-9:
            middle = 0.5 * (low + high)
            trial = body._replace(stiffness=stiffness, half_width=middle)
            low, high = (
                (low, middle) if is_decaying(rates_matrix(trial)) else (middle, high)
            )
        return high

    hard, soft = (least_width(k) for k in (250.0, (1.0 - PRINTED.softer) * 250.0))
    ours = soft / hard - 1.0
    return refuted(
        "12.2, erratum 26",
        "increase in width that makes up for 20 % less stiffness",
        PRINTED.wider,
        round(ours, 4),
        above(ours, PRINTED.wider + HALF_UNIT),
        "least half-widths at which the linearised model stands, with all of the"
        " stiffness and with 0.8 of it: k r^2 must stay, sqrt(1 / 0.8) - 1 is 11.8 %,"
        " which rounds to 12",
        tolerance=HALF_UNIT,
    )
