"""The errata of [Wendlandt1997], each a claim of its own: print, effect, correction.

The text that we have was read from a scan, so some may be damage of the scan and not of
the author. Each is put back alone, everything else corrected; what it does is seen in
single states (``states``) and in the throw (``throw``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from equipoise.core.seeds import stream
from equipoise_lab.papers.check import Check, above, below, same
from equipoise_lab.papers.claim import Claim, beyond, refuted, shown
from equipoise_lab.papers.wendlandt1997 import printed as algorithms
from equipoise_lab.papers.wendlandt1997.printed import Form
from equipoise_lab.papers.wendlandt1997.setting import Printed
from equipoise_lab.papers.wendlandt1997.states import (
    Case,
    adjoint_error,
    coriolis_error,
    dynamics_errors,
    foot_norms,
    misses,
    statics_error,
)
from equipoise_lab.papers.wendlandt1997.throw import PrintedThrow, Thrown

__all__ = ["THROWS", "Falls", "errata_claims", "recursion_claims"]

Falls = Mapping[PrintedThrow, Thrown]
CORRECTED = PrintedThrow()
THROWS: tuple[PrintedThrow, ...] = (
    CORRECTED,
    *(PrintedThrow(form) for form in algorithms.FORMS if form != "no sign flip"),
    PrintedThrow("no sign flip", "negated"),
    PrintedThrow(None, "negated"),
)
"""What is simulated."""
BIG_BASE = 1e-6
"""Bias of feet of 1e6 trunks, 1e-7, times the legs' condition of some ten."""
ROUNDING = 1e-12  # some thousand operations on numbers of unit size


@dataclass(frozen=True)
class Erratum:
    """What is printed, what is right, and why it matters."""

    where: str
    quantity: str
    printed: str
    right: str
    form: Form
    why: str


ERRATA = (
    Erratum("3.4, Alg. 3", "L_k", "[I - K_k P_k.o] A_k.o^k.o",
        "[I - K_k P_k.o] A_k.i^k.o", "L_k without adjoint",
        "A from a link to itself is the identity, so inertias in one frame are added to"
        " those in another"),
    Erratum("3.5, Alg. 4", "X_c^b", "Rᵀ(X_c^s - w x p)", "Rᵀ(X_c^s - w x p')", "w x p",
        "w x p is a velocity, X an acceleration; the body velocity Rᵀp'"
        " has the rate Rᵀ(p'' - w x p')"),
    Erratum("3.5, Alg. 4", "X_R^b", "Rᵀ X_c^s", "Rᵀ X_R^s", "X_R from X_c",
        "the orientation is then driven by the error of the position"),
    Erratum("3.5, Alg. 4", "q_e when q_et^s < 0", "nothing", "-q_et", "no sign flip",
        "q and -q are one rotation; without the flip the long way round is taken. With"
        " the printed set point the branch is never needed; with its negative, the same"
        " orientation, it is"),
    Erratum("3.6, Alg. 5", "G and the legs' wrenches",
        "Ad^T of g_{1,7} twice, then of g_{1,7} and g_{1,1}",
        "Ad^T of g_{1,7}⁻¹ and g_{1,13}⁻¹, four times", "G as printed",
        "eqs. (3.11) to (3.13) are right; the algorithm lost the inverses and the right"
        " foot"),
)  # fmt: skip


def errata_claims(
    printed: Printed, states: Sequence[Case], falls: Falls
) -> list[Claim]:
    """Return the errata of section 3; those of section 4 are with its numbers.

    Args:
        printed: the paper's numbers.
        states: where single steps are looked at.
        falls: how the printed forms took the throw.
    """
    missed = misses(tuple(states))
    return [
        *(_erratum_claim(e, missed, falls) for e in ERRATA),
        _size_claim(printed, states[0]),
        _dot_claim(states),
        *_half_claims(states, falls),
        _forgiven_claim(missed, falls),
    ]


def _when(found: Thrown) -> str:
    """Return how a throw ended, in words."""
    if not found.fell:
        return f"stands at {found.time:g} s"
    how = ", its torques beyond all bounds" if found.ran_away else ""
    return f"falls at {found.time:.3f} s{how}"


def _thrown_form(form: Form, falls: Falls) -> tuple[Thrown, Thrown]:
    """Return how a form fared, and how the corrected one with the same set point."""
    quat = "negated" if form == "no sign flip" else "about -y"
    return falls[PrintedThrow(form, quat)], falls[PrintedThrow(None, quat)]


def _fell_alone(found: Thrown, corrected: Thrown) -> list[Check]:
    """Return the checks that a form falls where the corrected one stands."""
    return [same(found.fell, True), same(corrected.fell, False)]


def _erratum_claim(
    erratum: Erratum, missed: Mapping[str, float], falls: Falls
) -> Claim:
    """Return a printed form that falls where the corrected one stands."""
    found, corrected = _thrown_form(erratum.form, falls)
    off = missed[erratum.form]
    return refuted(
        erratum.where,
        f"{erratum.quantity}: {erratum.printed}",
        "part of a controller that balances",
        f"{_when(found)}; corrected to {erratum.right} it {_when(corrected)}",
        [*_fell_alone(found, corrected), above(off, 1000.0 * missed["corrected"])],
        f"{erratum.why}. In single states the acceleration is off by {off:.2g} of its"
        f" size or more; corrected, by {missed['corrected']:.0e} at most",
        tolerance="it stands for 2 s",
    )


def _size_claim(printed: Printed, case: Case) -> Claim:
    """Return that a_1 needs six entries."""
    return refuted(
        "3.2, Alg. 1",
        "entries of a_1",
        printed.a_1,
        case.moved.a.shape[1],
        above(case.V_1.size, printed.a_1),
        "a_1 is a part of the rate of the body velocity, which has 6 entries; zeros"
        f" that are {printed.a_1} cannot be added to it",
        tolerance=0,
    )


def _dot_claim(states: Sequence[Case]) -> Claim:
    """Return that F_1 goes with the rate of V_1."""
    off, right = [], []
    for case in states:
        P, z = case.held.dynamics()
        X = case.asked()
        torque = case.torques()
        rate = case.held.acceleration(torque)
        needed = P @ X + z
        size = np.abs(needed).max()
        off.append(float(np.abs(P @ case.V_1 + z - needed).max() / size))
        right.append(float(np.abs(P @ rate + z - needed).max() / size))
    return refuted(
        "3.4",
        "workspace dynamics F_1 = P_1 V_1^b + z_1",
        "F_1 = P_1 V_1 + z_1",
        "F_1 = P_1 V_1' + z_1",
        above(min(off), 1000.0 * max(right)),
        "a dot is missing, as eq. (3.10) shows, which has an acceleration there. With"
        f" the velocity the wrench is off by {min(off):.2g} of its size or more, with"
        f" its rate by {max(right):.0e} at most, feet held, in {len(states)} states",
        tolerance="the wrench that accelerates the body",
    )


def _half_claims(states: Sequence[Case], falls: Falls) -> list[Claim]:
    """Return what each half of the misprinted G does on its own."""
    claims = []
    halves: tuple[tuple[Form, str], ...] = (
        ("G not inverted", "g_{1,7} and g_{1,13}, not inverted"),
        ("G of foot 7 twice", "g_{1,7}⁻¹ twice"),
    )
    for form, words in halves:
        found, corrected = _thrown_form(form, falls)
        least, middle = foot_norms(states, form)
        claims.append(
            beyond(
                "3.6, Alg. 5",
                f"half of that misprint, which nobody printed alone: G of {words}",
                f"{_when(found)}; corrected it {_when(corrected)}",
                [*_fell_alone(found, corrected), above(least, 1.0)],
                "the legs' wrenches do add up, so that held feet hide it; but they are"
                f" not the least: the feet's are {middle:.2f} times as large in the"
                " median",
                tolerance="it falls, and the corrected one stands",
            )
        )
    return claims


def _forgiven_claim(missed: Mapping[str, float], falls: Falls) -> Claim:
    """Return that a closed loop does not notice every wrong term."""
    found, off = falls[PrintedThrow("no w x v")], missed["no w x v"]
    return beyond(
        "beyond the paper",
        "the term w x p' of Algorithm 4, left out",
        f"{_when(found)}, its acceleration off by {off:.1g} of its size or more",
        [same(found.fell, False), above(off, 1000.0 * missed["corrected"])],
        "a throw cannot tell this term from none, a single state can; hence both",
        tolerance="seen in single states",
    )


def recursion_claims(states: Sequence[Case], seed: int) -> list[Claim]:
    """Return the parts of section 3 that are right as printed.

    Args:
        states: where they are looked at.
        seed: of random poses and wrenches.
    """
    rng, states = stream(seed, "recursions"), list(states)
    adjoints, errors = adjoint_error(rng), dynamics_errors(states)
    rates = max(coriolis_error(case) for case in states)
    statics = max(statics_error(case, rng) for case in states)
    added, least, rank = _shares_errors(states, rng)
    achieved = max(case.miss() for case in states)
    many = f"{len(states)} random states around the two postures, feet at rest"
    return [
        shown("3.1, eqs. 3.2-3.8", "adjoints of velocities and wrenches", "as printed",
            f"power kept to {adjoints:.0e}", below(adjoints, ROUNDING),
            "a wrench times a velocity is the same in any frame", tolerance=ROUNDING),
        shown("3.3, Alg. 2", "a_k = A' V_k.i + H' θ'", "as printed",
            f"{rates:.0e} off", below(rates, 1e-8),
            "A' by central differences over 10 µs, whose own error is near 1e-10; H is"
            " constant in its own link, and a_k = V x H θ'. The term is right as"
            " printed, though the text does not say how to get A'", tolerance=1e-8),
        shown("3.2-3.4, Algs. 1-3", "P_1 and z_1 with feet of 1e6 trunks",
            "approximate", f"{max(errors):.0e} off", below(max(errors), BIG_BASE),
            f"against the engine's dense equations with held feet, {many}; only L_k is"
            " corrected", tolerance=BIG_BASE),
        shown("3.6, eqs. 3.11-3.14", "the two wrenches add up and have the least norm",
            "as printed", f"{added:.0e} and {least:.0e} off",
            [below(added, ROUNDING), below(least, ROUNDING)],
            "against a pseudo-inverse", tolerance=ROUNDING),
        shown("3.6, Alg. 5", "G has full row rank", "full", f"{rank:d} in all states",
            same(rank, 6), "singular values", tolerance=6),
        shown("3.7, Alg. 6", "torques are the Jacobians' transpose times the wrenches",
            "as printed", f"{statics:.0e} off", below(statics, ROUNDING),
            "Jacobians from the engine, each leg's foot fixed", tolerance=ROUNDING),
        shown("3.5, eq. 3.10", "with all corrections the body accelerates as asked",
            "is designed to", f"{achieved:.0e} off", below(achieved, BIG_BASE),
            f"commanded against achieved, {many}", tolerance=BIG_BASE),
    ]  # fmt: skip


def _shares_errors(
    states: Sequence[Case], rng: np.random.Generator
) -> tuple[float, float, int]:
    """Return how far eqs. (3.12) to (3.14) are off, and the least rank of G."""
    added, least, rank = 0.0, 0.0, 6
    for case in states:
        F_1, m = rng.normal(size=6), case.moved
        G = np.hstack(
            [algorithms.inverse_adjoint(m.R_1[k], m.p_1[k]).T for k in algorithms.FEET]
        )
        shares = algorithms.shared_wrench(m, F_1)
        both = np.hstack([shares.F_l, shares.F_r])
        added = max(added, float(np.abs(shares.F_2 + shares.F_8 - F_1).max()))
        least = max(least, float(np.abs(both - np.linalg.pinv(G) @ F_1).max()))
        rank = min(rank, int(np.linalg.matrix_rank(G)))
    return added, least, rank
