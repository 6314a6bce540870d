"""What every claim of every work has to stand: its value moved, it fails."""

from collections.abc import Mapping, Sequence

from equipoise_lab.papers.claim import Claim

__all__ = ["assert_each_can_fail", "by_status", "every", "failed"]


def by_status(claims: Sequence[Claim], status: str) -> set[str]:
    """Return what is stated by the claims of one status."""
    return {claim.quantity for claim in claims if claim.status == status}


def failed(claims: Sequence[Claim]) -> set[str]:
    """Return what is missed of a work, and what fails of what we add to it."""
    return by_status(claims, "missed") | by_status(claims, "fails")


def every(found: Mapping[int | None, Sequence[Claim]]) -> list[Claim]:
    """Return the claims of all seeds, and those that no seed touches."""
    return [claim for claims in found.values() for claim in claims]


def assert_each_can_fail(claims: Sequence[Claim]) -> None:
    """Move each value that a verdict rests on by ten tolerances: it has to turn over.

    And a number that is shown as ours has to be one that was judged.
    """
    assert claims
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
