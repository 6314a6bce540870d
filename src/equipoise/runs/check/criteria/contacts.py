"""Do the contacts hold it, by its margins on rigid ground?"""

from dataclasses import dataclass
from typing import ClassVar, final

from equipoise.runs.check.criterion import CRITERIA, Case, Judgement
from equipoise.runs.check.verdict import verdict

__all__ = ["ContactsCriterion"]

SHOWN = 3  # pulls in a sentence


@final
@CRITERIA.register("contacts")
@dataclass(frozen=True)
class ContactsCriterion:
    """The first answer: what the margins say, or that there is nothing to judge."""

    rank: ClassVar[int] = 0

    def judge(self, case: Case, so_far: Judgement) -> Judgement:
        """Return the answer by margins."""
        if case.early is not None:
            return so_far.revised(case.early[0], [case.early[1]])
        if case.is_pulled and len(case.stance.points):
            pulls = "; ".join(case.scene.pulls[:SHOWN])
            return so_far.revised("yes", [f"besides its weight there is {pulls}"])
        is_limited = case.limits is not None
        return so_far.revised(*verdict(case.stance, case.margins, limited=is_limited))
