"""Section V: how the three schemes balance random trees.

The paper does not print the joints' friction and rotor inertia. Every statement is
judged on one plant, ``P2``, the library's own; lighter ones, and joints with nothing
but what is printed, are told beside it. No plant is chosen by how it comes out.
"""

import numpy as np

from equipoise.control.com.law import RECOMMENDED
from equipoise.runs.balance.compare import PAPER_SCHEMES
from equipoise.runs.balance.tally import is_near, tally, wilson
from equipoise_lab.papers.check import above, at_least, below
from equipoise_lab.papers.claim import Claim, not_checkable, shown
from equipoise_lab.papers.moll2006.balance_runs import (
    LIGHT,
    NEARLY_ALL,
    P2,
    Results,
    Row,
    counted,
    final,
    known,
    ours_said,
    seconds,
)
from equipoise_lab.papers.moll2006.hope_claims import hope_claims

__all__ = ["balance_claims"]

HALF_W = 0.5  # still on the root's foot; told, not judged
PATH_STEP = 0.1  # of a row's path [s]
SETTLED = 1.1  # times where it ends: a distance that has converged


def balance_claims(results: Results) -> list[Claim]:
    """Return section V's claims, from the runs' rows."""
    return [
        _rivalry_claim(results),
        _always_claim(results),
        _steady_claim(results),
        _sometimes_claim(results),
        _mostly_claim(results),
        _quickly_claim(results),
        *hope_claims(results),
        not_checkable(
            "V, Fig. 4",
            "distance over time, four trees, three schemes",
            "12 curves",
            "the curves are a picture of runs on trees that are a picture too (Fig. 3);"
            " ours are drawn with --out. At the end of ours, " + _ends(results),
            ours="quartiles in the reason",
        ),
    ]


def _ends(results: Results) -> str:
    """Return quartiles of the final distance, scheme by scheme, as in the paper."""
    said = []
    for scheme in PAPER_SCHEMES:
        d = [r["distance_final_w"] for r in known(results[P2, scheme, False])]
        low, middle, high = np.quantile(d, (0.25, 0.5, 0.75)) if d else (np.nan,) * 3
        said.append(f"{scheme} {low:.3f}, {middle:.3f}, {high:.3f}")
    return "quartiles of the distance [w]: " + "; ".join(said)


def _winners(results: Results, plant: str) -> dict[str, int]:
    """Return in how many trees each scheme ended nearest, without compensation."""
    rows = [results[plant, scheme, False] for scheme in PAPER_SCHEMES]
    finals = np.array([[final(row) for row in group] for group in rows])
    best = finals.argmin(axis=0)
    return {s: int((best == k).sum()) for k, s in enumerate(PAPER_SCHEMES)}


def _rivalry_claim(results: Results) -> Claim:
    """Return the claim that no scheme is always the best."""
    wins = {plant: _winners(results, plant) for plant in (P2, *LIGHT)}
    most, of = max(wins[P2].values()), sum(wins[P2].values())
    told = "; ".join(
        f"{plant}: " + ", ".join(f"{s} {n}" for s, n in wins[plant].items())
        for plant in wins
    )
    best = max(wins[P2], key=lambda s: wins[P2][s])
    return shown(
        "V",
        "no control method consistently outperforms the others",
        "none",
        f"'{best}' ends nearest in {most} of {of} trees",
        below(wilson(most, of)[1], NEARLY_ALL),
        f"trees in which each scheme ends nearest after 5 s, by joint damping. {told}."
        " Which one is best, and whether always, is a matter of friction, which is not"
        " printed: with light joints none is",
        tolerance="no scheme ends nearest in nine of ten trees on P2, by the upper end"
        " of its share's 95 % interval",
    )


def _always_claim(results: Results) -> Claim:
    """Return the claim that the momentum heuristic always converges quickly."""
    plants = (P2, *LIGHT, "bare")
    rows = {plant: results[plant, "momentum", False] for plant in plants}
    near = sum(map(is_near, rows[P2]))
    told = ", ".join(f"{p} {counted(rows[p])}" for p in plants)
    return shown(
        "V",
        "the momentum heuristic seems to always converge quickly",
        "always",
        f"below 0.1 w after 5 s in {near} of {len(rows[P2])} trees",
        at_least(near / len(rows[P2]), NEARLY_ALL),
        f"trees that do, by joint damping: {told}. A gain of 10 |v| meets a"
        " weight of up to 9.81 |v|, whatever the masses: a joint rests up to 1 rad from"
        " its target. With gravity compensation it is"
        f" {counted(results[P2, 'momentum', True])}; ours {ours_said(results)}. The"
        " joints' friction is not printed, so this is a miss and no refutation",
        tolerance="nine of ten trees below 0.1 w within 5 s on P2",
    )


def _steady_claim(results: Results) -> Claim:
    """Return the claim that the momentum heuristic has a small steady-state error."""
    plants = (P2, *LIGHT)
    middle = {
        p: float(np.median([final(r) for r in results[p, "momentum", False]]))
        for p in plants
    }
    told = ", ".join(f"{p} {middle[p]:.2g} w" for p in plants)
    compensated = [final(r) for r in results[P2, "momentum", True]]
    return shown(
        "V",
        "the momentum heuristic tends to have a small steady-state error",
        "small",
        f"{middle[P2]:.2g} w in the median",
        below(middle[P2], 0.1),
        f"median final distance by joint damping: {told}. Small only where joints turn"
        f" easily; with gravity compensation {np.median(compensated):.2g} w on P2",
        tolerance="median below 0.1 w on P2",
    )


def arrival(row: Row, level: float) -> float:
    """Return after when a run stays below a distance, infinite if never [s]."""
    path = row["distance_path_w"]
    if not path or not final(row) <= level:
        return float("inf")
    late = np.flatnonzero(np.array(path) > level)
    return PATH_STEP * (float(late[-1]) + 1.0) if late.size else 0.0


def is_sooner(row: Row, swing: Row) -> bool:
    """Return whether a run ends nearer than another, and is there sooner.

    There: within a tenth of where the other one comes to rest.
    """
    level = SETTLED * final(swing)
    if not final(row) < final(swing):
        return False
    return arrival(row, level) < arrival(swing, level) or not np.isfinite(level)


def _sometimes_claim(results: Results) -> Claim:
    """Return the claim that another scheme sometimes beats momentum."""
    swing = results[P2, "momentum", False]
    pairs = {
        s: list(zip(results[P2, s, False], swing, strict=True))
        for s in ("default", "distance")
    }
    nearer = {s: sum(final(r) < final(b) for r, b in p) for s, p in pairs.items()}
    sooner = {s: sum(is_sooner(r, b) for r, b in p) for s, p in pairs.items()}
    return shown(
        "V, Fig. 4(b)",
        "the other two sometimes converge to a smaller distance faster than momentum",
        "sometimes",
        f"default in {sooner['default']}, distance in {sooner['distance']}"
        f" of {len(swing)}",
        [above(sooner["default"], 0), above(sooner["distance"], 0)],
        "tree by tree, on P2 without compensation: it ends nearer, and stays within a"
        " tenth of where momentum comes to rest from an earlier time on. Nearer alone:"
        f" default in {nearer['default']}, distance in {nearer['distance']}",
        tolerance="at least one tree each",
    )


def _mostly_claim(results: Results) -> Claim:
    """Return the claim that all schemes mostly do what they should."""
    rows = {s: results[P2, s, False] for s in PAPER_SCHEMES}
    near = {s: sum(map(is_near, rows[s])) for s in PAPER_SCHEMES}
    loose = ", ".join(f"{s} {counted(rows[s], HALF_W)}" for s in PAPER_SCHEMES)
    held = ", ".join(f"{s} {counted(results[P2, s, True])}" for s in PAPER_SCHEMES)
    return shown(
        "V",
        "all methods exhibit the desired behavior most of the time",
        "most",
        ", ".join(f"{s} {near[s]} of {len(rows[s])}" for s in PAPER_SCHEMES),
        [above(near[s] / len(rows[s]), 0.5) for s in PAPER_SCHEMES],
        "final distance below 0.1 w, which is balanced throughout this library; none"
        f" is printed. Below 0.5 w, still on the root's foot: {loose}; below 0.1 w with"
        f" gravity compensation {held}; ours"
        f" {ours_said(results)}. Without friction nearly all runs diverge, see there",
        tolerance="more than half of the trees below 0.1 w, each scheme",
    )


def _quickly_claim(results: Results) -> Claim:
    """Return the claim that joints on their own converge very quickly."""
    rows = results[P2, "default", False]
    told, ours = tally(rows), tally(results[P2, RECOMMENDED, True])
    middle = told["settling_median_s"]
    fast = sum(is_near(r) and r["settling_time_s"] < 1.0 for r in rows)
    return shown(
        "IV",
        "each joint on its own tends to converge to a desired configuration very"
        " quickly",
        "very quickly",
        f"in less than 1 s in {fast} of {len(rows)} trees, median {seconds(middle)}",
        above(fast / len(rows), 0.5),
        "time after which the distance stays below 0.1 w, equal gains, P2, no"
        f" compensation; joints are at their torque limit"
        f" {told['saturation_median']:.0%} of the time. Ours"
        f" {seconds(ours['settling_median_s'])}, {ours['saturation_median']:.1%}",
        tolerance="more than half of the trees within 1 s",
    )
