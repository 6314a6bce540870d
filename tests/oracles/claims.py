"""What every claim of every work has to stand: its value moved, it fails."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.counts import counted
from equipoise_lab.papers.seeds import rows_of
from oracles.criteria import assert_criteria

__all__ = [
    "assert_each_can_fail",
    "by_status",
    "counts_of",
    "every",
    "failed",
    "kept_counts",
]


def by_status(claims: Sequence[Claim], status: str) -> set[str]:
    """Return what is stated by the claims of one status."""
    return {claim.quantity for claim in claims if claim.status == status}


def failed(claims: Sequence[Claim]) -> set[str]:
    """Return what is missed of a work, and what fails of what we add to it."""
    return by_status(claims, "missed") | by_status(claims, "fails")


def every(found: Mapping[int | None, Sequence[Claim]]) -> list[Claim]:
    """Return the claims of all seeds, and those that no seed touches."""
    return [claim for claims in found.values() for claim in claims]


def assert_each_can_fail(claims: Sequence[Claim], *, kept: bool = True) -> None:
    """Move each value that a verdict rests on by ten tolerances: it has to turn over.

    And a number that is shown as ours has to be one that was judged.

    Args:
        claims: which ones.
        kept: whether their bounds are in ``papers/criteria.json``, as those are that
            the tests of a day judge; then they are compared.
    """
    assert claims
    if kept:
        assert_criteria(claims)
    for claim in claims:
        said = f"{claim.where}: {claim.quantity}"
        if claim.status == "not checkable":
            assert claim.checks == (), said
            continue
        assert claim.checks, said
        for k, check in enumerate(claim.checks):
            assert not check.changed().holds, f"{said}: {check}"
            turned = "fails" if claim.is_beyond else "missed"
            assert claim.changed(k).status == turned, f"{said}: {check}"
        if isinstance(claim.ours, float | int):
            judged = [c.value for c in claim.checks if not isinstance(c.value, str)]
            # What is shown may be rounded to four digits.
            near = [abs(value - claim.ours) <= 1e-3 * abs(value) for value in judged]
            assert any(near), f"{said}: {claim.ours} is not what was judged"


def kept_counts() -> dict[str, dict[str, int]]:
    """Return how many claims of each work, or part, had which status when counted."""
    path = Path(__file__).parents[2] / "benchmarks" / "results" / "papers.json"
    return json.loads(path.read_text(encoding="utf-8"))["result"]["counts"]


def counts_of(
    found: Mapping[int | None, Sequence[Claim]],
    order: Callable[[Claim], tuple[int, ...]],
    settings: Sequence[object],
) -> dict[str, int]:
    """Return how many claims of a run have which status, as they are kept.

    Args:
        found: claims by seed.
        order: where in the work a claim comes.
        settings: of the work.
    """
    rows = rows_of(found, order)
    return counted(
        {
            "claims": [row for row in rows if "published" in row],
            "beyond": [row for row in rows if "published" not in row],
            "settings": [{} for _ in settings],
        }
    )
