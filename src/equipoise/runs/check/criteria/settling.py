"""How did it come to rest when put down gently: does that bear the answer out?"""

import math
from dataclasses import dataclass
from typing import ClassVar, final

from equipoise.robots.stance.stance import shapes_extent
from equipoise.runs.check.criterion import CRITERIA, Case, Judgement
from equipoise.runs.check.rest import TIPPED, WELL

__all__ = ["SettlingCriterion"]


@final
@CRITERIA.register("settling")
@dataclass(frozen=True)
class SettlingCriterion:
    """Result of the engine, which can only revoke an answer."""

    rank: ClassVar[int] = 20

    def judge(self, case: Case, so_far: Judgement) -> Judgement:
        """Return the answer with what settling says."""
        settled = case.settled
        if case.early is not None:
            return so_far
        if settled.trouble:
            return so_far.revised("unknown", [settled.trouble])
        if settled.turned is None or case.is_pulled:  # it was put down by its weight
            return so_far
        if settled.falls:
            return so_far.revised("no", [settled.falls])
        if settled.turned > TIPPED or (settled.plane and not settled.is_at_rest):
            on = ", ".join(settled.ended[:4]) or "nothing"
            way = f"by {math.degrees(settled.turned):.0f} degrees, onto {on}"
            way = way if settled.is_at_rest else "over and over"
            told = f"it tips: put down gently it turns {way}"
            return so_far.revised("no", [told, *so_far.reasons])
        if not settled.is_at_rest:
            told = "put down gently it did not come to rest"
            return so_far.revised("unknown", [told, *so_far.reasons])
        return _at_rest(case, so_far)


def _at_rest(case: Case, so_far: Judgement) -> Judgement:
    """Return the answer for a robot that came to rest about where it was given."""
    settled, stands, reasons = case.settled, so_far.stands, so_far.reasons
    if stands == "no" and settled.plane is None and (settled.turned or 0.0) > 0.0:
        told = "it rests in the engine in a place that its contacts contradict"
        return so_far.revised("unknown", [told, *reasons])
    if _is_near_the_edge(case) or (stands == "yes" and not settled.is_robust):
        told = "its centre of mass is on the very edge of its contacts"
        return so_far.revised("unknown", [told])
    if stands == "yes" and settled.may_tip:
        return so_far.revised("unknown", ["dropped from here it may tip", *reasons])
    return so_far


def _is_near_the_edge(case: Case) -> bool:
    """Return whether its centre is outside of what touches by next to nothing."""
    well = WELL * shapes_extent(case.scene, case.settled.data)
    return case.margins.static is not None and -well < case.margins.static < 0.0
