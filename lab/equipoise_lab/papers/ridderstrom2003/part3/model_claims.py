"""Chapters 5 and 6: tables and frames of WARP1 that cannot be as printed."""

import math

import numpy as np

from equipoise.core.arrays import Array
from equipoise.equations import System, warp1_system
from equipoise_lab.papers.check import above, below, near, same
from equipoise_lab.papers.claim import Claim, refuted
from equipoise_lab.papers.ridderstrom2003.part3.scripts import values
from equipoise_lab.papers.ridderstrom2003.part3.setting import PRINTED

__all__ = ["model_claims"]

ROUNDING = 1e-12
"""Some tens of operations in doubles on numbers of order one."""


APART = 0.5 + 9 * 0.05
"""What rounding in both tables can make of one mass [kg]."""


def model_claims() -> list[Claim]:
    """Return the claims about WARP1's tables and frames."""
    return [
        trunk_claim(),
        coincide_claim(),
        side_claim(),
        *axis_claims(),
        knee_claim(),
    ]


def trunk_claim() -> Claim:
    """Return the mass in table 6.5, which the model uses."""
    values_of = warp1_system().system.values
    mass = sum(v for name, v in values_of.items() if name.split("_")[0] == "m")
    trunk, thigh, shank = PRINTED.bodies
    printed = trunk + 4 * (thigh + shank)
    lumped = PRINTED.parts[0] + 4 * (PRINTED.parts[1] - thigh - shank)
    return refuted(
        "6.3.1, table 6.5 against table 5.1, erratum 1",
        "masses of the robot and of its trunk [kg]",
        f"robot {PRINTED.robot_mass:g}, trunk {PRINTED.parts[0]:g}",
        f"robot {mass:.1f}, trunk {trunk:g}",
        [
            below(abs(mass / printed - 1.0), ROUNDING),
            above(abs(mass - PRINTED.robot_mass), APART),
        ],
        f"table 6.5 sums to {printed:.1f} kg, as the derived model has; table 5.1 says"
        f" {PRINTED.robot_mass:g}. Legs have {thigh + shank:g} kg there and 10 here:"
        " the drives of the hips must be in the trunk of table 6.5, for 20 + 4 (10 -"
        f" {thigh + shank:g}) = {lumped:.1f}. Table 5.1's own parts make 60",
        tolerance=APART,
    )


def printed_hips() -> Array:
    """Return table 6.4's r^BH of legs 1 to 4, (4, 3)."""
    back, along, across, up = PRINTED.hip
    rows = [(-(back + (-1) ** k * along), (-1) ** k * across, up) for k in range(1, 5)]
    return np.array(rows)


def our_hips() -> Array:
    """Return the hips of the script, in the trunk's axes, (4, 3)."""
    robot = warp1_system()
    zero = dict.fromkeys([*robot.system.coordinates], 0.0) | dict(robot.system.values)
    return np.array([values(h.in_(robot.trunk), zero) for h in robot.hips])


def _nearest(hips: Array) -> float:
    """Return the least distance between two of them."""
    pairs = [(i, j) for i in range(len(hips)) for j in range(i)]
    return float(min(np.linalg.norm(hips[i] - hips[j]) for i, j in pairs))


def coincide_claim() -> Claim:
    """Return that hips coincide."""
    printed, ours = _nearest(printed_hips()), _nearest(our_hips())
    return refuted(
        "6.3.1, table 6.4, erratum 2",
        "r^BH: least distance between two hips [m]",
        printed,
        ours,
        [same(printed, 0.0), above(ours, 0.4)],
        "both signs are (-1)^l, so legs 1 and 3 have one hip and 2 and 4 the other;"
        " section 5.1.1 has them up to 0.65 m apart. With + + - - for the 0.31 m"
        f" they are {ours:g} m apart and more",
        tolerance="four hips",
    )


def side_claim() -> Claim:
    """Return that leg 1 is on the right."""
    printed, ours = printed_hips()[0, 1], our_hips()[0, 1]
    return refuted(
        "6.3.1, table 6.4, erratum 3",
        "r^BH of leg 1, front left, along b2 [m]",
        float(printed),
        float(ours),
        [below(printed, 0.0), above(ours, 0.0)],
        "section 6.3 numbers them 1 front left, 2 front right; with b1 forward and b3"
        " up b2 points to the left, so (-1)^l 0.25 puts leg 1 on the right",
        tolerance="positive",
    )


def flexed(axis: int) -> tuple[Array, Array]:
    """Return h3 at zero and how flexion moves a foot, in B, for h2 = b_axis."""
    S = System("leg")
    (q,), (w,) = S.coords("q"), S.speeds("w")
    S.kde(q=w)
    b = S.inertial("b")
    down = b.rot("d", 2, math.pi / 2)
    h = down if axis == 2 else down.rot("h", 1, math.pi / 2)
    foot = h.rot("t", 3, q)[0.59, 0, 0]
    still = {"q": 0.0, "w": 1.0}
    return values(h[0, 0, 1].in_(b), still), values(S.velocity(foot).in_(b), still)


def axis_claims() -> list[Claim]:
    """Return which axis the first joint of the hip has."""
    (text, aside), (caption, ahead) = flexed(2), flexed(1)
    proof = [
        below(abs(aside[0]), ROUNDING),
        above(abs(aside[1]), 0.5),
        below(abs(ahead[1]), ROUNDING),
        above(abs(ahead[0]), 0.5),
    ]
    return [
        refuted(
            "6.3.1, erratum 4",
            "H is B rotated around b2, h2 = b2, and h1 points down",
            "h2 = b2",
            "h2 = b1",
            proof,
            f"then h3 is {_in_words(text)} in B and flexion moves a foot by"
            f" {_in_words(aside)} m/rad, to the side. With h2 = b1 of fig. 6.3's"
            f" caption h3 is {_in_words(caption)} and it moves by {_in_words(ahead)}",
            tolerance="flexion moves the foot forward",
        ),
        refuted(
            "6.3.7, erratum 5",
            "torque of abduction on the trunk",
            "-τ_Haa b2",
            "-τ_Haa b1",
            proof,
            "follows the text of 6.3.1: the first joint of the hip turns about b1",
            tolerance="about the axis of the joint",
        ),
    ]


def _in_words(v: Array) -> str:
    """Return a vector in brackets, its rounding left out."""
    return "(" + ", ".join(f"{0.0 if abs(x) < ROUNDING else x:g}" for x in v) + ")"


def knee_claim() -> Claim:
    """Return how the knee's angle and the shank's go together."""
    S = System("knee")
    hip, shank = S.coords("q_H q_K")
    n = S.inertial("n")
    t, s = n.rot("t", 3, hip), n.rot("s", 3, shank)
    along, across, _ = s[1, 0, 0].in_(t)
    at = {"q_H": 0.5, "q_K": -0.3}
    found = values([along, across], at)
    turn = math.atan2(found[1], found[0])
    printed = at["q_K"] + at["q_H"]
    return refuted(
        "6.4, erratum 6",
        "q_K = q*_K - q*_H: knee angle at q_H = 0.5, q_K = -0.3 [rad]",
        round(printed, 12),
        round(turn, 12),
        [
            above(abs(abs(turn) - abs(printed)), 0.1),
            near(turn, at["q_K"] - at["q_H"], ROUNDING),
        ],
        "T and S both turn about h3 from H, so the shank is turned by q_K - q_H against"
        " the thigh, and section 6.3.1 says q_H - q_K; hence q_K = q*_K + q*_H",
        tolerance="the turn from T to S, of either sign",
    )
