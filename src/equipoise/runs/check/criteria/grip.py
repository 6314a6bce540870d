"""A second look at friction: what may hold it, and what is not understood."""

from dataclasses import dataclass
from typing import ClassVar, final

from equipoise.runs.check.criterion import CRITERIA, Case, Judgement
from equipoise.runs.check.verdict import margins_of, verdict

__all__ = ["GripCriterion"]


@final
@CRITERIA.register("grip")
@dataclass(frozen=True)
class GripCriterion:
    """Friction that is odd, none at all, or there in some directions only."""

    rank: ClassVar[int] = 10

    def judge(self, case: Case, so_far: Judgement) -> Judgement:
        """Return the answer after a second look at friction."""
        stance, grip, reasons = case.stance, case.grip, so_far.reasons
        if case.early is not None or not len(stance.points):
            return so_far
        if grip.odd:
            told = f"not understood: {'; '.join(grip.odd[:3])}"
            return so_far.revised("unknown", [told, *reasons])
        if not grip.most.any():
            if so_far.stands == "yes":
                told = "without friction nothing keeps it from sliding"
                return so_far.revised("unknown", [told])
            return so_far
        if so_far.stands == "no" and not grip.is_plain:
            most = margins_of(stance, grip.most, case.limits, case.gravity)
            if verdict(stance, most, limited=case.limits is not None)[0] != "no":
                told = "friction holds it only in some directions of its contacts"
                return so_far.revised("unknown", [told, *reasons])
        return so_far
