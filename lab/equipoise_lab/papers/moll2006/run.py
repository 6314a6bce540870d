"""Check every claim of [Moll2006]; the simulations take nearly all of the time."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from equipoise.runs.balance.campaign import run_trees
from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.moll2006.balance_claims import balance_claims
from equipoise_lab.papers.moll2006.balance_runs import Results, planned_runs
from equipoise_lab.papers.moll2006.circle_claims import circle_claims
from equipoise_lab.papers.moll2006.estimate_claims import estimate_claim
from equipoise_lab.papers.moll2006.mass_claims import (
    mass_claims,
    subtraction_claims,
    trigger_claim,
)
from equipoise_lab.papers.moll2006.message_claims import message_claims
from equipoise_lab.papers.moll2006.module_claims import module_claims, strength_claim
from equipoise_lab.papers.moll2006.outlook_claims import outlook_claims
from equipoise_lab.papers.moll2006.picture import draw_trees
from equipoise_lab.papers.moll2006.setting import PRINTED, Printed, tree_seeds
from equipoise_lab.papers.moll2006.shared_settings import shared_settings
from equipoise_lab.papers.seeds import Found, by_seed, collected
from equipoise_lab.papers.settings import Setting

__all__ = [
    "claims",
    "drawn_claims",
    "fixed_claims",
    "pictures",
    "section",
    "settings",
]

Progress = Callable[[float], None]
SECTIONS = ("I", "II", "III", "IV", "V", "VI")
QUICK_SHARE = 0.1
"""Share of the time that the claims without simulations take, roughly."""


def claims(
    *, trees: int, seeds: Sequence[int], processes: int, progress: Progress | None
) -> Found:
    """Return every claim by seed, and by None those that no seed touches.

    Args:
        trees: how many random trees the measured claims are tried on, of each seed.
        seeds: which trees; see ``tree_seeds``.
        processes: simulations at a time.
        progress: called with the share done, in [0, 1].
    """

    def report(share: float) -> None:
        if progress is not None:
            progress(share)

    quick = by_seed(
        (partial(fixed_claims, PRINTED),),
        (partial(drawn_claims, PRINTED, trees),),
        seeds,
        processes=processes,
        progress=lambda share: report(QUICK_SHARE * share),
    )
    plan = [
        (seed, key, run) for seed in seeds for key, run in planned_runs(trees, seed)
    ]
    rows = run_trees(
        [run for *_, run in plan],
        processes=processes,
        progress=lambda share: report(QUICK_SHARE + (1.0 - QUICK_SHARE) * share),
    )
    results: dict[int, Results] = {seed: {} for seed in seeds}
    for (seed, key, _), row in zip(plan, rows, strict=True):
        results[seed].setdefault(key, []).append(row)
    balanced: dict[int | None, list[Claim]] = {}
    balanced.update((seed, balance_claims(own)) for seed, own in results.items())
    return collected([quick, balanced])


def section(claim: Claim) -> tuple[int, ...]:
    """Return where a claim's section comes in the paper; what is beyond it, last."""
    name = claim.where.split(",")[0]
    return (SECTIONS.index(name) if name in SECTIONS else len(SECTIONS),)


def fixed_claims(printed: Printed) -> list[Claim]:
    """Return the claims that no seed touches.

    Args:
        printed: the paper's numbers.
    """
    return [
        *module_claims(printed),
        strength_claim(printed),
        *subtraction_claims(),
        trigger_claim(),
    ]


def drawn_claims(printed: Printed, trees: int, seed: int) -> list[Claim]:
    """Return the claims about random trees that need no simulation of balance.

    Args:
        printed: the paper's numbers.
        trees: how many random trees, for the claims about their shape.
        seed: which trees.
    """
    seeds = tree_seeds(trees, seed)
    return [
        *message_claims(seeds),
        *mass_claims(seeds[0]),
        *circle_claims(printed, seeds[0]),
        estimate_claim(seeds),
        *outlook_claims(seeds),
    ]


def settings() -> list[Setting]:
    """Return what the paper sets and we use too."""
    return shared_settings(PRINTED, tree_seeds(20, 0))


def pictures(out: Path) -> list[Path]:
    """Draw figs 3 and 4 into a folder.

    Args:
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written.
    """
    return [draw_trees(out / "moll2006.png")]
