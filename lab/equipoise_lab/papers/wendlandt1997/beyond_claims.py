"""Beyond [Wendlandt1997]: what its approximations and its distribution cost."""

from collections.abc import Mapping, Sequence
from typing import Any

from equipoise_lab.papers.check import above, at_least, below, same
from equipoise_lab.papers.claim import Claim, beyond
from equipoise_lab.papers.wendlandt1997.jobs import (
    LAWS,
    TIMESTEPS,
    Job,
    Limit,
    Pressure,
    Sideways,
    Tilted,
)
from equipoise_lab.papers.wendlandt1997.setting import Printed
from equipoise_lab.papers.wendlandt1997.states import (
    KNEES_DEG,
    Case,
    big_errors,
    knee_errors,
)
from equipoise_lab.papers.wendlandt1997.throw import SetQuat

__all__ = ["base_claims", "limit_claims"]

BEYOND = "beyond the paper"
PAPER, CONE, STEP = LAWS
STRAIGHT = 1e-10
"""What the exact form may err by at 0.1 degrees; 1e-16 times a condition of 2e6."""
BLOCK_GAIN, STEP_GAIN, SIDE_GAIN = 1.8, 2.5, 5.0
"""How many times more our laws shall survive."""


def base_claims(printed: Printed, states: Sequence[Case]) -> list[Claim]:
    """Return what the big base costs: its factor, and straight knees.

    Args:
        printed: the paper's numbers.
        states: where the factor is tried.
    """
    errors = big_errors(list(states))
    best = min(errors, key=lambda factor: errors[factor])
    told = ", ".join(f"{factor:.0e} {error:.0e}" for factor, error in errors.items())
    knees = {knee: knee_errors(knee) for knee in KNEES_DEG}
    big = ", ".join(f"{k:g}° {big:.1e}" for k, (big, _, _) in knees.items())
    exact = max(exact for _, exact, _ in knees.values())
    return [
        beyond(BEYOND, "best factor of the big base", best,
            [below(errors[best], errors[printed.big]), same(best, 1e7)],
            f"the paper has {printed.big:.0e}. Largest error of P_1: {told}. Below the"
            " best the feet yield, above it digits are lost",
            tolerance="a minimum at 1e7"),
        beyond(BEYOND, "error of P_1 by the big base as knees straighten", big,
            above(knees[KNEES_DEG[-1]][0], 1000.0 * knees[KNEES_DEG[0]][0]),
            "against the engine; the condition of P_1 goes from"
            f" {knees[KNEES_DEG[0]][2]:.0f} to {knees[KNEES_DEG[-1]][2]:.0e}",
            tolerance="grows a thousandfold from 30 to 0.1 degrees"),
        beyond(BEYOND, "error of P_1 by the exact form, the same knees", exact,
            below(exact, STRAIGHT), "the recursion with feet that do not move at all",
            tolerance=STRAIGHT),
    ]  # fmt: skip


def limit_claims(printed: Printed, results: Mapping[Job, Any]) -> list[Claim]:
    """Return how much the paper's law and ours take, and why.

    Args:
        printed: the paper's numbers.
        results: of the jobs.
    """
    return [
        *_strength_claims(printed, results),
        _pressure_claim(results),
        _tilted_claim(results),
    ]


def _strength_claims(printed: Printed, results: Mapping[Job, Any]) -> list[Claim]:
    """Return the heaviest blocks and the largest pushes to the side."""
    kg = {law: float(results[Limit(law)]) for law in LAWS}
    ns = {law: float(results[Sideways(law)]) for law in LAWS}
    spare = kg[PAPER] / printed.block_kg - 1.0
    push = printed.block_kg * printed.speed
    return [
        beyond(BEYOND, "heaviest block survived by the paper's law [kg]",
            kg[PAPER], at_least(kg[PAPER], printed.block_kg),
            f"at 4.5 m/s, at rest within 5 cm and 5 degrees at 4 s, first failure to"
            f" 1 %: {spare:.0%} more than the printed throw, which it has to survive",
            tolerance="no less than the printed throw"),
        beyond(BEYOND, "largest push to the side survived by the paper's law [N s]",
            ns[PAPER], below(ns[PAPER], push),
            f"0.1 s at the trunk's centre of mass; the block brings {push:.1f} N s"
            " from the front, which is its strong side",
            tolerance="less than what the block brings"),
        beyond(BEYOND, f"heaviest block survived by '{CONE}' [kg]", kg[CONE],
            at_least(kg[CONE], BLOCK_GAIN * kg[PAPER]),
            f"{kg[CONE] / kg[PAPER]:.2f} times the paper's law: forces within friction"
            " cones and soles", tolerance=f"{BLOCK_GAIN:g} times"),
        beyond(BEYOND, f"heaviest block survived by '{STEP}' [kg]", kg[STEP],
            at_least(kg[STEP], STEP_GAIN * kg[PAPER]),
            f"{kg[STEP] / kg[PAPER]:.2f} times the paper's law: it takes a step",
            tolerance=f"{STEP_GAIN:g} times"),
        beyond(BEYOND, f"largest push to the side survived by '{CONE}' [N s]",
            ns[CONE], at_least(ns[CONE], SIDE_GAIN * ns[PAPER]),
            f"{ns[CONE] / ns[PAPER]:.1f} times the paper's law; '{STEP}'"
            f" {ns[STEP]:.1f} N s", tolerance=f"{SIDE_GAIN:g} times"),
    ]  # fmt: skip


def _pressure_claim(results: Mapping[Job, Any]) -> Claim:
    """Return that the least norm asks for what no sole can give."""
    ahead, outside, half, lift = results[Pressure()]
    return beyond(
        BEYOND,
        "centre of pressure that the least norm asks for [cm ahead of the middle]",
        ahead,
        [above(ahead, half), below(lift, 1.0)],
        f"the sole ends at {half:.1f} cm; outside for {1e3 * outside:.0f} ms of the"
        " throw. The norm adds N and N m and knows no sole, and so the heels rise: by"
        f" '{CONE}', which stays inside, {lift:.1f} mm",
        tolerance="outside of the sole; inside, heels below 1 mm",
    )


def _tilted_claim(results: Mapping[Job, Any]) -> Claim:
    """Return what the text's set quaternion and the printed one do in the throw."""

    def told(quat: SetQuat) -> str:
        falls = {dt: results[Tilted(dt, quat)] for dt in TIMESTEPS}
        return ", ".join(
            f"{1e3 * dt:g} ms " + ("stands" if t is None else f"falls at {t:.2f} s")
            for dt, t in falls.items()
        )

    upright = [results[Tilted(dt, "about -y")] for dt in TIMESTEPS]
    return beyond(
        BEYOND,
        "the throw with the set quaternion of the text, about -Y, by time step",
        told("about -y"),
        same(sum(t is None for t in upright), len(TIMESTEPS)),
        f"With the numbers as printed, 15 degrees to the side: {told('as printed')}."
        " That is on the edge of falling",
        tolerance="stands at each",
    )
