"""Section VI's hopes, our controller on the same trees, and joints without friction."""

from collections.abc import Sequence

import numpy as np

from equipoise.control.com.law import RECOMMENDED
from equipoise.runs.balance.compare import PAPER_SCHEMES
from equipoise.runs.balance.tally import TALL, is_near, is_tall, tally, wilson
from equipoise_lab.papers.check import above, at_least, below
from equipoise_lab.papers.claim import Claim, beyond, shown
from equipoise_lab.papers.moll2006.balance_runs import (
    P2,
    TOGETHER,
    Results,
    Row,
    known,
    seconds,
)
from equipoise_lab.papers.moll2006.medians import median_interval

__all__ = ["hope_claims"]


def hope_claims(results: Results) -> list[Claim]:
    """Return the claims, from the runs' rows."""
    return [
        _posture_claim(results),
        _together_claim(results),
        _ahead_claim(results),
        _bare_claim(results),
    ]


def _bare_claim(results: Results) -> Claim:
    """Return what the printed numbers alone give: no friction, no rotor inertia."""
    pairs = [(scheme, on) for scheme in PAPER_SCHEMES for on in (False, True)]
    rows = [row for pair in pairs for row in results["bare", *pair]]
    blown = [r for r in known(rows) if r["outcome"] != "FINISHED"]
    times = [r["simulated_s"] for r in blown]
    spans = f" after {min(times):.3f} to {max(times):.3f} s" if times else ""
    return beyond(
        "beyond the paper",
        "the printed gains on joints with nothing but what is printed",
        f"numbers not finite any more in {len(blown)} of {len(rows)} runs",
        above(len(blown) / len(rows), 0.5),
        "no friction and no rotor inertia are printed; without them the three schemes,"
        f" with and without compensation, run away{spans} at 1 kHz. The derivative gain"
        " of 1e-4 damps nothing. The paper's joints must have had more than is printed;"
        " P2 adds what a geared motor has",
        tolerance="more than half of the runs",
    )


def _posture_claim(results: Results) -> Claim:
    """Return section VI's hope that compensation keeps the posture."""
    off = [r for s in PAPER_SCHEMES for r in results[P2, s, False]]
    on = [r for s in PAPER_SCHEMES for r in results[P2, s, True]]
    tall_off, tall_on = (sum(map(is_tall, rows)) for rows in (off, on))
    low, middle, _ = median_interval(_heights_kept(results, is_held=True))
    before = median_interval(_heights_kept(results, is_held=False))[1]
    least, most = wilson(tall_on, len(on))
    return shown(
        "VI",
        "compensating gravity maintains the posture while the centre of mass moves",
        "more or less",
        f"{middle:.2f} of the height in the median tree, {before:.2f} without",
        [at_least(middle, before), at_least(low, TALL)],
        "height of the centre of mass at the end over that at the start, mean of the"
        f" three schemes, tree by tree; the median's 95 % interval begins at {low:.2f}."
        " Not every run keeps it, and how many do turns with the trees:"
        f" {tall_on} of {len(on)} keep 0.8 ({least:.0%} to {most:.0%}), {tall_off}"
        " without; ours keeps it in"
        f" {sum(map(is_tall, results[P2, RECOMMENDED, True]))} of"
        f" {len(results[P2, RECOMMENDED, True])}",
        tolerance="0.8 of the height in the median tree, by the lower end of its 95 %"
        " interval, and no less than without",
    )


def _heights_kept(results: Results, *, is_held: bool) -> list[float]:
    """Return each tree's share of its height at the end, mean of the three schemes.

    Args:
        results: the runs' rows.
        is_held: whether of the runs with gravity compensation.
    """
    groups = [results[P2, s, is_held] for s in PAPER_SCHEMES]
    return [
        float(np.mean([_kept(row) for row in rows]))
        for rows in zip(*groups, strict=True)
    ]


def _kept(row: Row) -> float:
    """Return the share of its height that a run kept; 0 if it fell or has no result."""
    if row["error"] is not None or row["fell"] or row["height_ratio"] is None:
        return 0.0
    return float(row["height_ratio"])


def _together_claim(results: Results) -> Claim:
    """Return section VI's hope for three joints computed together."""
    ours, theirs = (tally(results[P2, s, True]) for s in (TOGETHER, "momentum"))
    fast, slow = ours["settling_median_s"], theirs["settling_median_s"]
    near, before = ours["near"]["count"], theirs["near"]["count"]
    return shown(
        "VI",
        "a module's three joints computed together improve the performance",
        "can be improved",
        f"{near} of {ours['trees']} below 0.1 w, settled after {seconds(fast)}",
        [
            below(np.inf if fast is None else fast, np.inf if slow is None else slow),
            at_least(wilson(near, ours["trees"])[1], before / theirs["trees"]),
        ],
        f"against the momentum heuristic, which the paper likes best: {before} of"
        f" {theirs['trees']}, {seconds(slow)}; both with gravity compensation",
        tolerance="faster in the median, and no fewer trees by the upper end of the"
        " share's 95 % interval",
    )


def _ahead_claim(results: Results) -> Claim:
    """Return how our recommended controller compares on the same trees."""

    def both(rows: Sequence[Row]) -> int:
        return sum(is_near(r) and is_tall(r) for r in rows)

    theirs = {
        (s, on): both(results[P2, s, on]) for s in PAPER_SCHEMES for on in (False, True)
    }
    best = max(theirs, key=lambda key: theirs[key])
    rows = results[P2, RECOMMENDED, True]
    told = tally(rows)
    low, high = told["near_and_tall"]["low"], told["near_and_tall"]["high"]
    missed = f"; misses: {told['misses']}" if told["misses"] else ""
    return beyond(
        "beyond the paper",
        "trees that end below 0.1 w and keep 0.8 of their height",
        f"{both(rows)} of {len(rows)} by '{RECOMMENDED}', {theirs[best]} by '{best[0]}'"
        + (" with compensation" if best[1] else ""),
        at_least(both(rows), theirs[best]),
        f"same trees, P2, contacts on, 5 s, 1 ms a hop. 95 % interval {low:.1%} to"
        f" {high:.1%}, median settling {seconds(told['settling_median_s'])},"
        f" saturation {told['saturation_median']:.1%}{missed}",
        tolerance="no fewer than the best of the paper's schemes",
    )
