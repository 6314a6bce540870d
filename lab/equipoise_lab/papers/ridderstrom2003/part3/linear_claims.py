"""Section 6.4.3: equations about a state, (6.16), with a ground of springs inside."""

from collections.abc import Mapping
from math import cos, sin, tan

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.seeds import stream
from equipoise.equations.linear.system import implicitly
from equipoise_lab.papers.check import above, below, same
from equipoise_lab.papers.claim import Claim, beyond, refuted, shown
from equipoise_lab.papers.ridderstrom2003.part3.scripts import (
    random_values,
    trunk,
    values,
)
from equipoise_lab.papers.ridderstrom2003.part3.standing import Standing, standing

__all__ = ["linear_claims", "linear_draws", "printed_block"]

SPEEDS = ("wx", "wy", "wz", "w_roll", "w_pitch", "w_yaw")
CLOSE = 1e-7
"""Central differences err by rounding of forces of 1e4 N over a step of 1e-6."""
ROUNDING = 1e-12
STILL = 1e-9
"""What rounding leaves of weights of 600 N [N, N m]."""


def linear_claims() -> list[Claim]:
    """Return the claims about linearised equations that no seed touches."""
    about = standing()
    return [
        size_claim(about),
        rest_claim(about),
        difference_claim(about),
        legs_claim(about),
    ]


def linear_draws(seed: int) -> list[Claim]:
    """Return the claims that are looked at in a random state.

    Args:
        seed: which state.
    """
    return [*block_claims(seed), column_claim(seed)]


def size_claim(about: Standing) -> Claim:
    """Return the sizes of the matrices."""
    found = ", ".join(
        f"{n} x {m}"
        for n, m in (a.shape for a in (about.A_kde, about.B_kde, about.M,
                                       about.A_dde, about.B_dde))
    )  # fmt: skip
    printed = "18 x 36, 18 x 12, 18 x 18, 18 x 36, 18 x 12"
    return shown(
        "6.4.3, (6.16)",
        "sizes of A_kde, B_kde, M_dde, A_dde, B_dde of WARP1",
        printed,
        found,
        same(found, printed),
        "derived, with a linear ground in place of the pads' forces",
        tolerance="the same",
    )


def rest_claim(about: Standing) -> Claim:
    """Return that constants vanish at a rest."""
    kde, dde = (float(np.abs(h).max()) for h in (about.h_kde, about.h_dde))
    return shown(
        "6.4.3",
        "h_kde and h_dde at an equilibrium",
        "vanish",
        f"{kde:.0e}, {dde:.0e} [N, N m]",
        [same(kde, 0.0), below(dde, STILL)],
        "a tilted stance with bent legs; the smallest torques and forces of the ground"
        " that hold it, springs of 50 kN/m placed accordingly",
        tolerance=STILL,
    )


def difference_claim(about: Standing) -> Claim:
    """Return that (6.16) is the slope of the equations."""
    explicit = np.linalg.solve(about.M, np.hstack([about.A_dde, about.B_dde]))
    peer = np.hstack([about.by_states, about.by_torques])
    off = float(np.abs(explicit - peer).max() / np.abs(peer).max())
    return beyond(
        "6.4.3, (6.16)",
        "A and B of WARP1 on a linear ground, obtained and not printed",
        f"relative difference {off:.0e}",
        below(off, CLOSE),
        "against central differences of the accelerations, the mass matrix solved in"
        " numbers",
        tolerance=CLOSE,
    )


def printed_block(at: Mapping[str, float]) -> Array:
    """Return the trunk's part of A_kde by the speeds, as printed, (6, 6).

    Args:
        at: the state, by name.
    """
    x, y, z, p, r = (at[n] for n in ("x", "y", "z", "pitch", "roll"))
    return np.array(
        [
            [1.0, 0.0, 0.0, 0.0, -z, y],
            [0.0, 1.0, 0.0, z, 0.0, -x],
            [0.0, 0.0, 1.0, -y, x, 0.0],
            [0.0, 0.0, 0.0, 0.0, sin(r) / cos(p), cos(r) / cos(p)],
            [0.0, 0.0, 0.0, 0.0, cos(r), sin(r)],
            [0.0, 0.0, 0.0, 1.0, tan(p) * sin(r), tan(p) * cos(r)],
        ]
    )


def derived_block(at: Mapping[str, float]) -> tuple[Array, Array]:
    """Return A_kde of the trunk by coordinates and by speeds, (6, 6) each."""
    S = trunk()
    linear = implicitly(S.kane(), [], [S.tape.find(name) for name in S.values])
    flat = [c for row in linear.A_kde for c in row]
    whole = values(flat, at).reshape(6, 12)
    return whole[:, :6], whole[:, 6:]


def block_claims(seed: int) -> list[Claim]:
    """Return the printed part of A_kde, entry by entry."""
    at = random_values(trunk(), stream(seed, "a state of the trunk"))
    _, ours = derived_block(at)
    off = np.abs(ours - printed_block(at)) > ROUNDING * np.abs(ours).max()
    one = ours[4, 5]
    return [
        shown(
            "6.4.3, A_kde",
            "entries of the trunk's 6 x 6 that are as printed, erratum 10 apart",
            "35",
            f"{36 - int(off.sum())}",
            [same(int(off.sum()), 1), same(bool(off[4, 5]), True)],
            "at a random state, columns by the speeds; an x_0 in a row of its"
            " own, as the text came to us, is read as that of row 3",
            tolerance="all but the one that is refuted",
        ),
        refuted(
            "6.4.3, A_kde, erratum 10",
            "entry of q_pitch' by w_yaw",
            "sin(q_roll,0)",
            "-sin(q_roll,0)",
            [same(bool(off[4, 5]), True), below(abs(one + sin(at["roll"])), ROUNDING)],
            f"at q_roll = {at['roll']:.4f} it is {one:.4f}, and sin(q_roll) is"
            f" {sin(at['roll']):.4f}; (6.10) has the sign right",
            tolerance=ROUNDING,
        ),
    ]


def column_claim(seed: int) -> Claim:
    """Return that columns by the coordinates are left out in print."""
    moving = random_values(trunk(), stream(seed, "a moving trunk"))
    still = moving | dict.fromkeys(SPEEDS, 0.0)
    (slow, _), (fast, _) = derived_block(still), derived_block(moving)
    rest, size = float(np.abs(slow).max()), float(np.abs(fast).max())
    return refuted(
        "6.4.3, A_kde, erratum 11",
        "A_kde, announced with 36 columns, is printed with 18",
        "[[6 x 6], 0; 0, I]",
        "columns by q are missing; zero at rest only",
        [same(rest, 0.0), above(size, 0.1)],
        f"the columns by q are zero where w_0 = 0; at a random w_0 they are up to"
        f" {size:.2f}",
        tolerance="zero at any (q_0, w_0)",
    )


def legs_claim(about: Standing) -> Claim:
    """Return the part of A_kde that belongs to the legs."""
    legs = about.A_kde[6:, 18:]
    fits = np.array_equal(legs, np.eye(12, 18, 6)) and not about.A_kde[:6, 24:].any()
    return shown(
        "6.4.3, A_kde",
        "the legs' part of A_kde by the speeds",
        "I of 12 x 12, and 0 beside it",
        "the same" if fits else "another",
        same(bool(fits), True),
        "from the derived equations of WARP1; w_i = q_i' for all joints",
        tolerance="exactly",
    )
