"""Does every robot stand that is known only as well as the tolerances say?"""

from dataclasses import dataclass
from typing import ClassVar, final

from equipoise.runs.check.criterion import CRITERIA, Case, Judgement
from equipoise.runs.check.soft import soft_feet
from equipoise.runs.check.uncertain import EXACT, loosened, stands_within

__all__ = ["TolerancesCriterion"]


@final
@CRITERIA.register("tolerances")
@dataclass(frozen=True)
class TolerancesCriterion:
    """Mass, centre of mass and stiffness that are only known roughly."""

    rank: ClassVar[int] = 50

    def judge(self, case: Case, so_far: Judgement) -> Judgement:
        """Return an answer about one robot as one about all within the tolerances."""
        q, stands, reasons = case.question, so_far.stands, so_far.reasons
        if q.tolerances == EXACT:
            return so_far.revised(stands, reasons, intervals=None)
        feet = None
        if case.is_on_springs and case.stance.is_level:
            springs = q.ground_stiffness, q.leg_stiffness
            feet = soft_feet(case.stance, *springs, case.patches)
        told = stands_within(
            case.stance, case.grip.sure, feet, q.tolerances, case.gravity
        )
        if case.early is None:
            is_limited = case.limits is not None
            stands, reasons = loosened(stands, reasons, told, is_limited=is_limited)
        return so_far.revised(stands, reasons, intervals=told.summary)
