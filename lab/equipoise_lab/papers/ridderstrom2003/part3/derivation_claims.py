"""Chapter 6: the derivation, term by term, and slips in it."""

from collections.abc import Mapping
from math import cos, sin, tan

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.seeds import stream
from equipoise.equations import System, jacobian
from equipoise.equations import sin as sine
from equipoise_lab.papers.check import above, below, same
from equipoise_lab.papers.claim import Claim, not_checkable, refuted, shown
from equipoise_lab.papers.ridderstrom2003.part3.scripts import (
    footed,
    random_values,
    trunk,
    values,
)

__all__ = ["derivation_claims", "derivation_draws", "printed_rates"]

STATES = 50
ROUNDING = 1e-12
"""Some hundred operations in doubles on numbers of order one to a hundred."""


def derivation_claims() -> list[Claim]:
    """Return the claims about the derivation that no seed touches."""
    return [_letters_claim(), momentum_claim(), *slope_claims()]


def derivation_draws(seed: int) -> list[Claim]:
    """Return the claims that are looked at in random states.

    Args:
        seed: which states.
    """
    return [rates_claim(seed), term_claim(seed), body_claim(seed), class_claim(seed)]


def _letters_claim() -> Claim:
    """Return letters that only have to be read."""
    return not_checkable(
        "6.2.1, erratum 7",
        "letters of steps 2 to 4",
        "u, and τ_1 twice",
        "a matter of reading: step 3 ends in u = W q' and step 4 has τ W u, where all"
        " else has w; (6.2) counts τ_1, τ_1, ..., τ_n",
        ours="w, and τ_2",
    )


def momentum_claim() -> Claim:
    """Return what I·v as angular momentum would do to the mass matrix."""
    S = trunk()
    e = S.kane()
    pairs = [(i, j) for i in range(6) for j in range(6)]
    M = values([e.M[i, j] for i, j in pairs], S.values).reshape(6, 6)
    p = S.values
    mass, inertia = p["m"] * np.eye(3), np.diag([p["I1"], p["I2"], p["I3"]])
    none = np.zeros((3, 3))
    # Tangent vectors are unit vectors along and about B, so M is the momentum's matrix.
    printed = np.block([[mass, none], [inertia, none]])
    right = np.block([[mass, none], [none, inertia]])
    rank = int(np.linalg.matrix_rank(printed))
    return refuted(
        "6.2.1, step 5, erratum 8",
        "angular momentum of a body about its centre of mass",
        "I · v",
        "I · ω",
        [
            below(rank, 6),
            below(np.abs(M - right).max() / np.abs(M).max(), ROUNDING),
        ],
        f"with I · v the mass matrix of one free body has rank {rank} of 6: no torque"
        " could turn it. With I · ω it is the derived one. Units differ, too",
        tolerance="a mass matrix of full rank",
    )


def printed_rates(at: Mapping[str, float]) -> Array:
    """Return the right side of (6.10) for the trunk, as printed."""
    x, y, z, p, r = (at[n] for n in ("x", "y", "z", "pitch", "roll"))
    v = np.array([at["wx"], at["wy"], at["wz"]])
    w = np.array([at["w_roll"], at["w_pitch"], at["w_yaw"]])
    turning = np.array(
        [
            [0.0, sin(r) / cos(p), cos(r) / cos(p)],
            [0.0, cos(r), -sin(r)],
            [1.0, tan(p) * sin(r), tan(p) * cos(r)],
        ]
    )
    return np.concatenate([v - np.cross(w, [x, y, z]), turning @ w])


def rates_claim(seed: int) -> Claim:
    """Return that (6.10) is what we derive."""
    S = trunk()
    e, rng = S.kane(), stream(seed, "rates of the trunk")
    worst = 0.0
    for _ in range(STATES):
        at = random_values(S, rng)
        printed = printed_rates(at)
        gap = np.abs(values(e.kde, at) - printed).max()
        worst = max(worst, float(gap / np.abs(printed).max()))
    return shown(
        "6.3.3, (6.10)",
        "kinematic equations of the trunk",
        "(6.10)",
        f"relative difference {worst:.0e}",
        below(worst, ROUNDING),
        f"solved from (6.4), (6.5), (6.8) and (6.9), at {STATES} random states",
        tolerance=ROUNDING,
    )


def term_claim(seed: int) -> Claim:
    """Return that the printed term of (6.15) is what we derive."""
    S = trunk()
    e, rng = S.kane(), stream(seed, "a term of the forcing")
    row = [e.M[0, j] for j in range(6)]
    worst = 0.0
    for _ in range(STATES):
        at = random_values(S, rng)
        found = values([*row, e.F[0]], at)
        weight = -at["g"] * sin(at["pitch"])  # b1 · n3 = -sin q_pitch
        turning = at["w_pitch"] * at["wz"] - at["w_yaw"] * at["wy"]
        expected = at["m"] * np.array([1, 0, 0, 0, 0, 0, -(turning + weight)])
        worst = max(worst, float(np.abs(found - expected).max() / at["m"] / at["g"]))
    return shown(
        "6.3.7",
        "the term l = 0, i = x of (6.15)",
        "m (w_x' + w_pitch w_z - w_yaw w_y + g b1 · n3)",
        f"relative difference {worst:.0e}",
        below(worst, ROUNDING),
        f"first row of M w' - F of the trunk alone, at {STATES} random states",
        tolerance=ROUNDING,
    )


def slope_claims() -> list[Claim]:
    """Return what the derivative of a sine is."""
    S = System("sines")
    a, b = S.coords("a b")
    at = {"a": 0.4, "b": 0.3}
    (row,) = jacobian([sine(a + b)], [a, b])
    ((single,),) = jacobian([sine(a)], [a])
    both, one = values(row, at), float(values([single], at)[0])
    pairs = [
        ("∂ sin(q1 + q2) / ∂t", "(q1' + q2') {}(q1 + q2)", 0.7, float(both[0])),
        ("∂ sin q / ∂t", "q' {} q", 0.4, one),
    ]
    return [
        refuted(
            "6.4, erratum 9",
            quantity,
            form.format("sin"),
            form.format("cos"),
            [
                below(abs(found - cos(angle)), ROUNDING),
                above(abs(found - sin(angle)), 0.1),
            ],
            f"at {angle:g} rad the derivative on the tape is {found:.4f}, the cosine is"
            f" {cos(angle):.4f}, the sine {sin(angle):.4f}",
            tolerance=ROUNDING,
        )
        for quantity, form, angle, found in pairs
    ]


def body_claim(seed: int) -> Claim:
    """Return that L = 0 gives a rigid body."""
    S = footed(0, 3).system
    e, rng = S.kane(), stream(seed, "a robot without legs")
    accelerations = e.accelerations()
    p, worst = S.values, 0.0
    inertia = np.array([p["Ix"], p["Iy"], p["Iz"]])
    for _ in range(STATES):
        at = random_values(S, rng)
        v = np.array([at["vx"], at["vy"], at["vz"]])
        w = np.array([at["wx"], at["wy"], at["wz"]])
        pitch, roll = at["pitch"], at["roll"]
        up = np.array([-sin(pitch), cos(pitch) * sin(roll), cos(pitch) * cos(roll)])
        linear = -p["g"] * up - np.cross(w, v)
        expected = np.concatenate([linear, -np.cross(w, inertia * w) / inertia])
        gap = np.abs(values(accelerations, at) - expected).max()
        worst = max(worst, float(gap / np.abs(expected).max()))
    return shown(
        "6.4.1",
        "L = 0 produces the equations of motion of a rigid body",
        "Newton's and Euler's equations",
        f"relative difference {worst:.0e}",
        below(worst, ROUNDING),
        f"derived without legs, at {STATES} random states",
        tolerance=ROUNDING,
    )


def class_claim(seed: int) -> Claim:
    """Return that any number of legs and joints can be derived."""
    rng = stream(seed, "the class of robots")
    kinds = [(legs, joints) for legs in (1, 2, 4) for joints in (1, 2, 3, 4)]
    good: list[bool] = []
    for legs, joints in kinds:
        S = footed(legs, joints).system
        e = S.kane()
        n = len(e.speeds)
        pairs = [(i, j) for i in range(n) for j in range(n)]
        at = random_values(S, rng)
        M = values([e.M[i, j] for i, j in pairs], at).reshape(n, n)
        good.append(n == 6 + legs * joints and np.linalg.eigvalsh(M).min() > 0.0)
    return shown(
        "6.1.1, 6.4.1",
        "a machine with L limbs of 1 to 4 joints",
        "only two or three rows change",
        f"{sum(good)} of {len(kinds)} derived by one function",
        same(sum(good), len(kinds)),
        "L = 1, 2, 4 with 1 to 4 joints each: 6 + L times joints speeds and a positive"
        " definite mass matrix at a random state",
        tolerance="all",
    )
