"""Check every claim of [Moll2006]; the simulations take nearly all of the time."""

from collections.abc import Callable
from pathlib import Path

from equipoise.runs.balance.campaign import run_trees
from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.moll2006.balance_claims import balance_claims
from equipoise_lab.papers.moll2006.balance_runs import Results, planned_runs
from equipoise_lab.papers.moll2006.circle_claims import circle_claims
from equipoise_lab.papers.moll2006.estimate_claims import estimate_claim
from equipoise_lab.papers.moll2006.mass_claims import mass_claims
from equipoise_lab.papers.moll2006.message_claims import message_claims
from equipoise_lab.papers.moll2006.module_claims import module_claims, strength_claim
from equipoise_lab.papers.moll2006.outlook_claims import outlook_claims
from equipoise_lab.papers.moll2006.picture import draw_trees
from equipoise_lab.papers.moll2006.setting import PRINTED, Printed, tree_seeds
from equipoise_lab.papers.moll2006.shared_settings import shared_settings
from equipoise_lab.papers.settings import Setting

__all__ = ["claims", "pictures", "quick_claims", "settings"]

Progress = Callable[[float], None]
SECTIONS = ("I", "II", "III", "IV", "V", "VI")
QUICK_SHARE = 0.1
"""Share of the time that the claims without simulations take, roughly."""


def claims(
    *, trees: int, seed: int, processes: int, progress: Progress | None
) -> list[Claim]:
    """Return every claim, in the order of the paper's sections.

    Args:
        trees: how many random trees the measured claims are tried on.
        seed: which trees; see ``tree_seeds``.
        processes: simulations at a time.
        progress: called with the share done, in [0, 1].
    """
    found = quick_claims(PRINTED, trees, seed, progress)
    plan = planned_runs(trees, seed)

    def report(share: float) -> None:
        if progress is not None:
            progress(QUICK_SHARE + (1.0 - QUICK_SHARE) * share)

    rows = run_trees([run for _, run in plan], processes=processes, progress=report)
    results: Results = {}
    for (key, _), row in zip(plan, rows, strict=True):
        results.setdefault(key, []).append(row)
    return sorted([*found, *balance_claims(results)], key=section)


def section(claim: Claim) -> int:
    """Return where a claim's section comes in the paper; what is beyond it, last."""
    name = claim.where.split(",")[0]
    return SECTIONS.index(name) if name in SECTIONS else len(SECTIONS)


def quick_claims(
    printed: Printed, trees: int, seed: int, progress: Progress | None = None
) -> list[Claim]:
    """Return the claims that need no simulation over time.

    Args:
        printed: the paper's numbers.
        trees: how many random trees, for the claims about their shape.
        seed: which trees.
        progress: called with the share done, in [0, ``QUICK_SHARE``].
    """
    seeds = tree_seeds(trees, seed)
    parts: tuple[Callable[[], list[Claim]], ...] = (
        lambda: module_claims(printed),
        lambda: message_claims(seeds),
        lambda: mass_claims(seeds[0]),
        lambda: circle_claims(printed, seeds[0]),
        lambda: [estimate_claim(seeds), strength_claim(printed)],
        lambda: outlook_claims(seeds),
    )
    found: list[Claim] = []
    for k, part in enumerate(parts, start=1):
        found += part()
        if progress is not None:
            progress(QUICK_SHARE * k / len(parts))
    return found


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
