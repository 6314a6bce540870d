"""Check every claim of chapters 5 to 8."""

from collections.abc import Callable
from pathlib import Path

from equipoise.papers.claim import Claim
from equipoise.papers.ridderstrom2003.part3.arm_claims import arm_claims
from equipoise.papers.ridderstrom2003.part3.cost_claims import cost_claims
from equipoise.papers.ridderstrom2003.part3.derivation_claims import derivation_claims
from equipoise.papers.ridderstrom2003.part3.linear_claims import linear_claims
from equipoise.papers.ridderstrom2003.part3.model_claims import model_claims
from equipoise.papers.ridderstrom2003.part3.picture import draw_costs
from equipoise.papers.ridderstrom2003.sections import gathered

__all__ = ["claims", "pictures"]

Progress = Callable[[float], None]


def claims(*, seed: int, processes: int, progress: Progress | None) -> list[Claim]:
    """Return every claim, in the order of the thesis's sections.

    Args:
        seed: which random states.
        processes: not used; it takes seconds.
        progress: called with the share done, in [0, 1].
    """
    groups: list[Callable[[], list[Claim]]] = [
        model_claims,
        lambda: derivation_claims(seed),
        lambda: linear_claims(seed),
        lambda: cost_claims(seed),
        lambda: arm_claims(seed),
    ]
    return gathered(groups, progress)


def pictures(out: Path) -> list[Path]:
    """Draw table 7.1 and the arms of chapters 7 and 8 into a folder.

    Args:
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written.
    """
    return [draw_costs(out / "ridderstrom2003-costs.png")]
