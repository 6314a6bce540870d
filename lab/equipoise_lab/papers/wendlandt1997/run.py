"""Check every claim of [Wendlandt1997]; the simulations take nearly all of the time."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from equipoise.runs.process_map import Lost, process_map
from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.seeds import Found
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

__all__ = [
    "claims",
    "drawn_claims",
    "fixed_claims",
    "pictures",
    "section",
    "settings",
]

Progress = Callable[[float], None]
HAS_TREES = False
"""Nothing here is tried on random robots."""
LAST = "beyond the paper"
JOBS = 0.9
"""Share of the time after which the simulations are done."""


def claims(
    *, trees: int, seeds: Sequence[int], processes: int, progress: Progress | None
) -> Found:
    """Return every claim by seed, and by None those that no seed touches.

    Args:
        trees: not used; there are none here.
        seeds: of random states.
        processes: simulations at a time.
        progress: called with the share done, in [0, 1].
    """

    def report(share: float) -> None:
        if progress is not None:
            progress(share)

    plan = planned()
    rows = process_map(
        worked,
        plan,
        processes=processes,
        progress=lambda share: report(JOBS * share),
    )
    for row in rows:
        if isinstance(row, Lost):
            raise RuntimeError(f"a simulation was lost: {row.reason}")
    results = dict(zip(plan, rows, strict=True))
    found: dict[int | None, list[Claim]] = {
        None: [
            *fixed_claims(PRINTED),
            *limit_claims(PRINTED, results),
            *throw_claims(PRINTED, measure(), _times_of(plan, rows)),
            *cost_claims(PRINTED, measure_cost()),
        ]
    }
    for seed in seeds:
        found[seed] = drawn_claims(PRINTED, seed, results)
    report(1.0)
    return found


def fixed_claims(printed: Printed) -> list[Claim]:
    """Return the claims that no seed and no simulation over time touches.

    Args:
        printed: the paper's numbers.
    """
    return [*model_claims(printed), *start_claims(printed)]


def drawn_claims(
    printed: Printed, seed: int, results: Mapping[Job, Any]
) -> list[Claim]:
    """Return the claims that are looked at in random states.

    Args:
        printed: the paper's numbers.
        seed: which states.
        results: of the jobs, how the printed forms took the throw.
    """
    states = cases(seed)
    falls = {job: row for job, row in results.items() if isinstance(job, PrintedThrow)}
    return [
        *recursion_claims(states, seed),
        *base_claims(printed, states),
        *errata_claims(printed, states, falls),
    ]


def _times_of(plan: list[Job], rows: list[Any]) -> Times:
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
