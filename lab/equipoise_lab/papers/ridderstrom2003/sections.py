"""Where in the thesis a claim comes, and the name of what goes beyond it."""

from equipoise_lab.papers.claim import Claim

__all__ = ["LAST", "section"]

LAST = "beyond the thesis"


def section(claim: Claim) -> tuple[int, ...]:
    """Return where a claim's section comes in the thesis; what is beyond it, last."""
    if claim.where == LAST:
        return (100,)
    name = claim.where.split(",")[0].split(" ")[0]
    return tuple(int(part) for part in name.split("."))
