"""Check every claim of [Wendlandt1997]; the simulations take nearly all of the time."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from equipoise.runs.process_map import Lost, process_map
from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.settings import Setting
from equipoise_lab.papers.wendlandt1997.beyond_claims import base_claims, limit_claims
from equipoise_lab.papers.wendlandt1997.cost_claims import cost_claims, measure_cost
from equipoise_lab.papers.wendlandt1997.errata_claims import (
    errata_claims,
    recursion_claims,
)
from equipoise_lab.papers.wendlandt1997.jobs import Heavier, Job, planned, worked
from equipoise_lab.papers.wendlandt1997.model_claims import model_claims, start_claims
from equipoise_lab.papers.wendlandt1997.picture import draw_throw
from equipoise_lab.papers.wendlandt1997.setting import PRINTED, Printed
from equipoise_lab.papers.wendlandt1997.shared_settings import shared_settings
from equipoise_lab.papers.wendlandt1997.states import cases
from equipoise_lab.papers.wendlandt1997.throw import PrintedThrow
from equipoise_lab.papers.wendlandt1997.throw_claims import Times, throw_claims
from equipoise_lab.papers.wendlandt1997.throw_numbers import measure

__all__ = ["claims", "measured_claims", "pictures", "quick_claims", "settings"]

Progress = Callable[[float], None]
HAS_TREES = False
"""Nothing here is tried on random robots."""
LAST = "beyond the paper"
QUICK, JOBS = 0.1, 0.9
"""Shares of the time after which the quick claims and the simulations are done."""


def claims(
    *, trees: int, seed: int, processes: int, progress: Progress | None
) -> list[Claim]:
    """Return every claim, in the order of the paper's sections.

    Args:
        trees: not used; there are none here.
        seed: which random states.
        processes: simulations at a time.
        progress: called with the share done, in [0, 1].
    """

    def report(share: float) -> None:
        if progress is not None:
            progress(share)

    found = quick_claims(PRINTED, seed)
    report(QUICK)
    plan = planned()
    rows = process_map(
        worked,
        plan,
        processes=processes,
        progress=lambda share: report(QUICK + (JOBS - QUICK) * share),
    )
    for row in rows:
        if isinstance(row, Lost):
            raise RuntimeError(f"a simulation was lost: {row.reason}")
    found += measured_claims(PRINTED, seed, dict(zip(plan, rows, strict=True)))
    found += throw_claims(PRINTED, measure(), times_of(plan, rows))
    found += cost_claims(PRINTED, measure_cost())
    report(1.0)
    return sorted(found, key=section)


def quick_claims(printed: Printed, seed: int) -> list[Claim]:
    """Return the claims that need no simulation over time.

    Args:
        printed: the paper's numbers.
        seed: which random states.
    """
    states = cases(seed)
    return [
        *model_claims(printed),
        *recursion_claims(states, seed),
        *start_claims(printed),
        *base_claims(printed, states),
    ]


def measured_claims(
    printed: Printed, seed: int, results: Mapping[Job, Any]
) -> list[Claim]:
    """Return the claims that rest on the crew's simulations.

    Args:
        printed: the paper's numbers.
        seed: which random states.
        results: of the jobs.
    """
    falls = {job: row for job, row in results.items() if isinstance(job, PrintedThrow)}
    return [
        *errata_claims(printed, cases(seed), falls),
        *limit_claims(printed, results),
    ]


def times_of(plan: list[Job], rows: list[Any]) -> Times:
    """Return when heels rose and came back, by body mass."""
    pairs = zip(plan, rows, strict=True)
    return {job.body_mass: row for job, row in pairs if isinstance(job, Heavier)}


def section(claim: Claim) -> tuple[int, ...]:
    """Return where a claim's section comes in the paper; what is beyond it, last."""
    if claim.where == LAST:
        return (100,)
    name = claim.where.split(",")[0].split("-")[0]
    return tuple(int(part) for part in name.split("."))


def settings() -> list[Setting]:
    """Return what the paper sets and we use too."""
    return shared_settings(PRINTED)


def pictures(out: Path) -> list[Path]:
    """Draw the throw, printed and corrected, into a folder.

    Args:
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written.
    """
    return [draw_throw(out / "wendlandt1997.png")]
