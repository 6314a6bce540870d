"""Check groups of claims one after the other and put them in the thesis's order."""

from collections.abc import Callable, Sequence

from equipoise_lab.papers.claim import Claim

__all__ = ["gathered", "section"]


def gathered(
    groups: Sequence[Callable[[], list[Claim]]],
    progress: Callable[[float], None] | None,
) -> list[Claim]:
    """Return the claims of all groups, in the order of the thesis's sections.

    Args:
        groups: what to check; each call does its work.
        progress: called with the share done, in [0, 1].
    """
    found: list[Claim] = []
    for k, group in enumerate(groups, start=1):
        found += group()
        if progress is not None:
            progress(k / len(groups))
    return sorted(found, key=section)


def section(claim: Claim) -> tuple[int, ...]:
    """Return where a claim's section comes in the thesis."""
    return tuple(int(part) for part in claim.where.split(",")[0].split("."))
