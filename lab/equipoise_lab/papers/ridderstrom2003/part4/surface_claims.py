"""Section 10.3: the rests of a body whose mass is off the middle, figs 10.3 to 10.7."""

import math

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.seeds import stream
from equipoise.stability import (
    fold_offset,
    is_tilt_stable,
    planar_equilibria,
    shrunken_support,
)
from equipoise_lab.papers.check import below, same
from equipoise_lab.papers.claim import (
    Claim,
    beyond,
    compared,
    not_checkable,
    refuted,
    shown,
)
from equipoise_lab.papers.ridderstrom2003.part4.linear import is_decaying, rates_matrix
from equipoise_lab.papers.ridderstrom2003.part4.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.part4.two_springs import (
    STATE,
    Springs,
    moved,
    rest_height,
    slope,
)

__all__ = ["resting_tilt", "surface_claims", "surface_draws"]

CURVE = 4001  # points of the curve (10.6) on which turns are counted
SEEN = 100.0  # of the simulated rests [s]
DT = 0.002  # the fastest motion has 45 rad/s [s]


def surface_claims() -> list[Claim]:
    """Return the claims about the equilibrium surface that no seed touches."""
    return [*_count_claims(), _parameters_claim(), _fold_claim(), *lifting_claims()]


def surface_draws(seed: int, samples: int = 2000) -> list[Claim]:
    """Return the claims that are looked at in random stances.

    Args:
        seed: which stances.
        samples: how many of them.
    """
    return [_rest_claim(seed), eigenvalue_claim(seed, samples)]


def _body_of(a: float, offset: float, height: float = 1.0) -> Springs:
    """Return a damped body of 1 kg on feet 0.1 m to either side."""
    width = PRINTED.half_width
    stiffness = GRAVITY * height / (2.0 * a * width * width)
    return Springs(1.0, 0.1 * height**2, stiffness, 15.0, width, height, offset=offset)


def _rest_claim(seed: int) -> Claim:
    """Return that the printed equations of rest are the model's."""
    rng = stream(seed, "rests of section 10.3")
    worst, out = 0.0, np.zeros(STATE)
    for _ in range(50):
        a, gamma = rng.uniform(0.1, 0.9), rng.uniform(-0.9, 0.9)
        height = rng.uniform(0.3, 1.5)
        body = _body_of(a, gamma, height)._replace(pulls=True)
        R = gamma * body.half_width / height
        for angle in planar_equilibria(a, R):
            y = np.zeros(STATE)
            y[1] = angle
            k = 2.0 * body.stiffness * height / GRAVITY
            y[0] = height * (math.cos(angle) - R * math.sin(angle) - 1.0 / k)
            slope(y, body, out)
            worst = max(worst, abs(out[2]) / GRAVITY, abs(out[3]) * body.inertia)
    return shown(
        "10.3",
        "equations of rest, with q_3 read as z / h",
        "as printed",
        f"at rest to {worst:.0e} of the weight",
        below(worst, 1e-9),
        "acceleration of the model at all solutions of 50 random cases. Moments of some"
        " 10 N m cancel; angles are solved to 1e-15 but multiplied by stiffnesses",
        tolerance=1e-9,
    )


def _turns_of(a: float, R: float, low: float, high: float) -> int:
    """Return how often sin cos / a - sin - R cos of alpha changes its sign.

    It is (10.5) times cos(alpha), on a fine grid that no rest of the tries falls on.
    """
    x = np.linspace(low, high, CURVE)
    f = np.sin(x) * np.cos(x) / a - np.sin(x) - R * np.cos(x)
    return int(np.count_nonzero(np.diff(np.sign(f))))


def _tries() -> list[tuple[float, float]]:
    """Return pairs of a and R away from the fold."""
    pairs = [(a, R) for a in np.linspace(0.05, 1.5, 30) for R in np.linspace(0, 2, 21)]
    return [
        (float(a), float(R) + 1e-3)
        for a, R in pairs
        if a > 1.0 or abs(R + 1e-3 - fold_offset(float(a))) > 0.02
    ]


def _count_claims() -> list[Claim]:
    """Return how many rests there are."""
    quarter = 0.5 * math.pi
    wrong = more = 0
    cases = _tries()
    for a, R in cases:
        half = _turns_of(a, R, -quarter + 1e-9, quarter - 1e-9)
        bound = 3 if a < 1.0 and R < fold_offset(a) else 1
        wrong += not half == len(planar_equilibria(a, R)) == bound
        more += _turns_of(a, R, -quarter + 1e-9, 3.0 * quarter - 1e-9) == half + 1
    return [
        compared(
            "10.3, figs 10.3 and 10.4",
            "pairs (a, R) without three rests below the fold curve and one above it",
            0,
            int(wrong),
            f"of {len(cases)}, tilts below a right angle: crossings counted on a fine"
            " grid and by stability.planar_equilibria, and R_c = (a^(-2/3) - 1)^(3/2)",
        ),
        refuted(
            "10.3, erratum 16",
            "number of equilibria",
            "1, 2 or 3",
            "one more, hanging upside down",
            same(more, len(cases)),
            f"of {len(cases)} pairs (a, R), {more} have exactly one further rest with a"
            " tilt between one and three right angles. Below a right angle it is as"
            " printed",
            tolerance=0,
        ),
    ]


def _parameters_claim() -> Claim:
    """Return on what the number of rests depends."""
    stiff, soft = (len(planar_equilibria(a, 0.5)) for a in (0.4, 0.9))
    return not_checkable(
        "10.3, erratum 15",
        "fig. 10.4 shows the number of equilibria over 'alpha and R'",
        "alpha and R",
        "a matter of reading, and perhaps of the scan: alpha is what is solved for, a"
        f" and R are meant. {stiff} rests at a = 0.4 and {soft} at a = 0.9, R = 0.5."
        " Likewise q_3 is z / h, and '(a_2 and r gamma)' in section 12.1 is"
        " (a, gamma r / h)",
        ours="a and R",
    )


def _fold_claim() -> Claim:
    """Return that the dashed curve of fig. 10.4 has a closed form."""
    worst = 0.0
    x = np.linspace(0.0, 0.5 * math.pi - 1e-3, 400_001)
    for a in np.linspace(0.05, 0.95, 19):
        top = float((np.sin(x) / a - np.tan(x)).max())
        worst = max(worst, abs(top / fold_offset(float(a)) - 1.0))
    return beyond(
        "10.3, fig. 10.4",
        "the dashed curve, where two equilibria meet",
        f"R_c = (a^(-2/3) - 1)^(3/2), {worst:.0e} off",
        below(worst, 1e-8),
        "largest R of the curve (10.6) on a grid of 4e-6 rad for 19 values of a, whose"
        " square times the curvature is the tolerance",
        tolerance=1e-8,
    )


def eigenvalue_claim(seed: int, samples: int) -> Claim:
    """Return that the stable part of the surface is cos(alpha)^3 > a, always."""
    rng = stream(seed, "stances of fig. 10.6")
    wrong = seen = 0
    while seen < samples:
        a, R = rng.uniform(0.05, 1.3), rng.uniform(-1.0, 1.0)
        height, width = rng.uniform(0.2, 2.0), rng.uniform(0.05, 0.6)
        body = Springs(
            1.0, rng.uniform(0.01, 1.0), GRAVITY * height / (2 * a * width * width),
            rng.uniform(0.5, 50.0), width, height, offset=R * height / width,
        )  # fmt: skip
        for angle in planar_equilibria(a, R):
            if abs(math.cos(angle) ** 3 - a) < 1e-6:
                continue  # at the fold itself differences decide nothing
            found = is_decaying(rates_matrix(body, float(angle)))
            wrong += found != is_tilt_stable(float(angle), a)
            seen += 1
    return beyond(
        "10.3, fig. 10.6",
        "rests whose eigenvalues contradict: stable where cos(alpha)^3 > a",
        int(wrong),
        same(int(wrong), 0),
        f"of {seen}, random d, I_y, r and h. 'Not a strict proof ... might look"
        " different for other d, I_y, r': it does not, since the energy's second"
        " derivative is (cos(alpha)^3 - a) / (a cos(alpha)), and springs that gain"
        " energy in every direction hold whatever inertia and damping are",
        tolerance=0,
    )


def resting_tilt(body: Springs, start: float) -> float:
    """Return the tilt at which a simulated body comes to rest; nan where it falls.

    Args:
        body: what is let go.
        start: tilt at which it is let go, in vertical equilibrium [rad].
    """
    y = np.zeros(STATE)
    y[0], y[1] = rest_height(start, body), start
    return float(_last_tilt(y, body, int(SEEN / DT), np.zeros((5, STATE))))


@compiled
def _last_tilt(y: Array, body: Springs, steps: int, work: Array) -> float:
    """Return the tilt after some steps, nan where it passed a radian."""
    for _ in range(steps):
        moved(y, body, DT, work)
        if abs(y[1]) > 1.0:
            return np.nan
    return y[1]


def _stable_tilt(a: float, body: Springs) -> float:
    """Return the middle one of three rests [rad]."""
    return float(planar_equilibria(a, body.offset * body.half_width / body.height)[1])


def lifting_claims() -> list[Claim]:
    """Return how far the trunk of fig. 10.7 may really move."""
    a, far = PRINTED.offsets
    share = shrunken_support(a, PRINTED.half_width)
    tilts = []
    for gamma, pulls in ((far, True), (0.99 * share, False), (1.01 * share, False)):
        body = _body_of(a, gamma)._replace(pulls=pulls)
        tilts.append(resting_tilt(body, _stable_tilt(a, body)))
    glued, stands, falls = tilts
    wanted = _stable_tilt(a, _body_of(a, far))
    return [
        shown(
            "10.3, fig. 10.7",
            "a = 0.5, r = 0.1, gamma = -0.9 to 0.9: it follows the surface",
            "as drawn",
            f"at gamma = 0.9 it rests at {glued:.4f} rad, if feet may pull",
            below(abs(glued - wanted), 1e-6),
            f"simulated for {SEEN:g} s; the thesis says that both feet are taken as"
            " loaded",
            tolerance=1e-6,
        ),
        beyond(
            "10.3, fig. 10.7, erratum 17",
            "largest gamma of that trunk on feet that only push",
            f"{share:.4f}",
            [same(math.isfinite(stands), True), same(math.isnan(falls), True)],
            "the thesis says that it ignores feet that would pull. At gamma ="
            f" {share:.4f} = 1 - a / sqrt(1 - (a r/h)^2) the far foot lifts and the"
            " near one alone holds nothing: simulated, it stands at 0.99 of it and"
            " falls at 1.01. Soft ground takes away the share a of the support",
            tolerance="stands at 0.99 of it, falls at 1.01",
        ),
        _folding_claim(),
    ]


def _folding_claim() -> Claim:
    """Return that very soft ground ends the stance before a foot lifts."""
    a, slenderness = 0.9, 0.4
    share = shrunken_support(a, slenderness)
    lifts = 1.0 - a / math.sqrt(1.0 - (a * slenderness) ** 2)
    start = math.acos(a ** (1.0 / 3.0))
    ends = []
    for factor in (0.97, 1.03):
        body = _body_of(a, factor * share, PRINTED.half_width / slenderness)
        ends.append(resting_tilt(body, _stable_tilt(a, body) if factor < 1 else start))
    both = start < math.asin(a * slenderness)
    return beyond(
        "10.3, figs 10.5 and 10.6",
        "where a foot lifts first needs cos(alpha)^3 > a; softer ground folds before",
        f"a = {a}, r/h = {slenderness}: gamma = {share:.4f}, not {lifts:.4f}",
        [
            same(both, True),
            same(math.isfinite(ends[0]), True),
            same(math.isnan(ends[1]), True),
        ],
        "simulated on feet that only push: it stands at 0.97 of the fold's gamma and"
        " falls at 1.03, with both feet loaded at the fold",
        tolerance=0.03,
    )
