"""What every claim is held against: the printed value, bounds and tolerances, kept.

A tolerance is never widened so that a claim passes. ``tests/papers/criteria.json``
keeps for each claim what the work says, what counts as agreement, and the bound of each
check; a change of any of them shows there as a line that a reader has to agree to.
Nothing that we find is kept, and a bound that is itself measured is null. Where results
are made up, bounds that follow from them are those of the made-up results.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from equipoise_lab.papers.claim import Claim

__all__ = ["assert_criteria"]

KEPT = Path(__file__).parents[1] / "papers" / "criteria.json"
ROUNDING = 1e-9  # of bounds computed from print: other libraries sum in other orders


@cache
def _kept() -> dict[tuple[str, str], dict[str, Any]]:
    rows = json.loads(KEPT.read_text(encoding="utf-8"))
    return {(row["where"], row["quantity"]): row for row in rows}


def criteria_of(claim: Claim) -> dict[str, Any]:
    """Return what a claim is held against, as it is kept."""
    checks = [
        [check.relation, check.bound, check.tolerance]
        if check.relation == "within"
        else [check.relation, check.bound]
        for check in claim.checks
    ]
    return {
        "where": claim.where,
        "quantity": claim.quantity,
        "published": claim.published,
        "tolerance": claim.tolerance,
        "checks": checks,
    }


def assert_criteria(claims: Sequence[Claim]) -> None:
    """Compare what claims are held against with what is kept."""
    for claim in claims:
        row = criteria_of(claim)
        said = f"not in {KEPT.name} as it is: {json.dumps(row, ensure_ascii=False)}"
        kept = _kept().get((claim.where, claim.quantity))
        assert kept is not None and _is_same(row, kept), said


def _is_same(row: Any, kept: Any) -> bool:
    if isinstance(kept, dict):
        return all(_is_same(row[key], kept[key]) for key in kept)
    if isinstance(kept, list):
        if kept[1:] and kept[1] is None:  # a bound that is measured
            return bool(row[0] == kept[0])
        both = zip(row, kept, strict=False)
        return len(row) == len(kept) and all(_is_same(*pair) for pair in both)
    is_number = isinstance(kept, float) and isinstance(row, float | int)
    if is_number and not isinstance(row, bool):
        return row == kept or abs(row - kept) <= ROUNDING * abs(kept)
    return type(row) is type(kept) and bool(row == kept)
