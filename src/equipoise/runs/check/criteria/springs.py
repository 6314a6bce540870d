"""Does it still stand where ground or legs are soft?"""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from equipoise.runs.check.criterion import CRITERIA, Case, Judgement
from equipoise.runs.check.soft import SoftAnswer, soft_answer

__all__ = ["SpringsCriterion"]


@final
@CRITERIA.register("springs")
@dataclass(frozen=True)
class SpringsCriterion:
    """Springs under the feet, which can only take a yes away."""

    rank: ClassVar[int] = 40

    def judge(self, case: Case, so_far: Judgement) -> Judgement:
        """Return the answer after springs were asked, and where they give way first."""
        if not case.is_on_springs:
            return so_far.revised(so_far.stands, so_far.reasons, compliance=None)
        if not case.stance.is_level:
            stands = "unknown" if so_far.stands == "yes" else so_far.stands
            told = "springs are judged on level ground only"
            return so_far.revised(stands, [*so_far.reasons, told], compliance=None)
        q = case.question
        springs = q.ground_stiffness, q.leg_stiffness
        soft = soft_answer(case.stance, *springs, case.patches, case.gravity)
        found = _softened(so_far, soft)
        return found._replace(weakest=np.array(soft.summary["weakest_direction"]))


def _softened(so_far: Judgement, soft: SoftAnswer) -> Judgement:
    """Return an answer with what springs say."""
    stands, reasons = so_far.stands, so_far.reasons
    if stands == "yes" and soft.stance.stable:
        reasons = [*reasons, soft.stance.reason]
    elif stands == "yes":
        stands = "no" if soft.is_known else "unknown"
        reasons = [soft.stance.reason, *reasons]
    return so_far.revised(stands, reasons, compliance=soft.summary)
