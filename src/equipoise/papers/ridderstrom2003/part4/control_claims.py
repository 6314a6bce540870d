"""Chapter 11: legs whose softness is the controller's, and what section 12.2 adds."""

import math

import numpy as np

from equipoise.core.arrays import Array
from equipoise.papers.claim import Claim, compared, not_checkable, refuted, shown
from equipoise.papers.ridderstrom2003.part4.setting import PRINTED
from equipoise.papers.ridderstrom2003.part4.trunk import (
    CARTESIAN_EXAMPLE,
    POSTURE_EXAMPLE,
    Cartesian,
    Trunk,
    cartesian_forces,
    posture_forces,
    thesis_rows,
)
from equipoise.papers.ridderstrom2003.part4.two_springs import GRAVITY
from equipoise.stability import cartesian_critical_width

__all__ = ["control_claims", "printed_rows"]

DIFFERENCES = 1e-7
"""Central differences of forces of 1e4 N err by 1e-9 of them; rows are scaled to 1."""
WRONG = 1e-3


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
        *row_claims(Trunk(), CARTESIAN_EXAMPLE),
        *warp1_claims(),
        *width_claims(),
        *posture_claims(Trunk()),
        wider_claim(),
    ]


def row_claims(trunk: Trunk, law: Cartesian) -> list[Claim]:
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
            off > WRONG and worst < DIFFERENCES,
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
            " 2 k_3", "as printed", f"{worst:.0e} off", worst < DIFFERENCES, how,
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
            abs(horizontal - k3) < 0.5 and abs(vertical - k1) < 0.5,
            "k_1 is horizontal in eq. (11.2): the two are swapped, or the words are."
            " 60 kg and 0.5 m, doubled for four legs",
            tolerance=0.5,
        ),
        refuted(
            "11.1.3, erratum 24",
            "critical r/h of WARP1",
            PRINTED.warp1_critical,
            f"{as_said:.4f} for (7, 17), {swapped:.4f} for (17, 7)",
            gap > 0.01,
            "eq. (11.4) solved: r/h = sqrt((1 + (1/k_1' - 1/k_3') / 2) / (2 k_3'))."
            f" With unrounded stiffnesses {exact:.4f}; (7, 14) would give {near:.3f}",
            tolerance=0.005,
        ),
        shown(
            "11.1.3",
            "WARP1 stands with r/h = 0.5",
            "stands",
            f"{PRINTED.warp1_stance:g} is above {max(as_said, swapped):.4f}",
            PRINTED.warp1_stance > max(as_said, swapped),
            "with either reading of the stiffnesses",
            tolerance="above the critical width",
        ),
    ]


def width_claims() -> list[Claim]:
    """Return what eq. (11.4) and its figure say."""
    k = np.linspace(0.6, 30.0, 60)
    worst, steps = 0.0, 1e-6
    relative = True
    for k1 in k:
        for k3 in k:
            width = cartesian_critical_width(k1, k3)
            side = (1.0 + 2.0 * k3 * (2.0 * k3 * width**2 - 1.0)) / k3
            if width > 0.0:
                worst = max(worst, abs(side * k1 - 1.0))
            along = cartesian_critical_width(k1 * (1 + steps), k3) - width
            up = cartesian_critical_width(k1, k3 * (1 + steps)) - width
            relative &= k3 < 1.0 or abs(up) > abs(along)
    return [
        shown(
            "11.1.2, eq. (11.4), fig. 11.1",
            "the critical surface",
            "1/k_1' = (1 + 2 k_3' (2 k_3' r^2/h^2 - 1)) / k_3'",
            f"{worst:.0e} off",
            worst < 1e-9,
            "the width of stability.cartesian_critical_width put into it, 3600 points;"
            " some hundred roundings, the terms cancel by up to 60",
            tolerance=1e-9,
        ),
        not_checkable(
            "11.1.2, fig. 11.1",
            "for k_1' > 1 the vertical stiffness is more important",
            "k_1' > 1",
            "the range of the figure is lost and 'more important' is not defined. A"
            " per cent of k_3' moves the critical width more than a per cent of k_1'"
            " wherever k_3' > 1, whatever k_1' is, on a grid up to 30: "
            + ("so at every point" if relative else "but not at some points"),
            ours="k_3' > 1",
        ),
    ]


def posture_claims(trunk: Trunk) -> list[Claim]:
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
    needed = weight * h + weight**2 / (2 * 2 * 10e3)
    gains = ", ".join(f"{x * needed:.0f}" for x in PRINTED.margins)
    return [
        shown(
            "11.2.4, erratum 25",
            "linear system of the posture controller, d_q, k_q, u_1 of row 2 read as"
            " d_alpha, k_alpha, w_1",
            "as printed",
            f"{worst:.0e} off",
            worst < DIFFERENCES,
            "against Newton and Euler linearised by differences. The three letters are"
            " nowhere defined; read like this, all three rows are right",
            tolerance=DIFFERENCES,
        ),
        not_checkable(
            "11.2.4",
            "k_alpha is five times what is required in roll, thirty times in pitch",
            "5 and 30",
            "the gains are not printed. 60 kg at 0.5 m on legs of 2 x 10 kN/m require"
            f" {needed:.0f} N m/rad, so they would be {gains} N m/rad",
            ours=f"{needed:.0f} N m/rad required",
        ),
    ]


def wider_claim() -> Claim:
    """Return what width makes up for softer ground."""
    ours = math.sqrt(1.0 / (1.0 - PRINTED.softer)) - 1.0
    near = compared("12.2", "x", PRINTED.wider, ours, "digits", tolerance=0.005)
    return refuted(
        "12.2, erratum 26",
        "increase in width that makes up for 20 % less stiffness",
        PRINTED.wider,
        round(ours, 4),
        near.status == "missed",
        "k r^2 must stay: sqrt(1 / 0.8) - 1 is 11.8 %, which rounds to 12",
        tolerance=0.005,
    )
