"""Does anything that moves in its file get to it?"""

import copy
from dataclasses import dataclass
from typing import ClassVar, final

from equipoise.robots.stance.stance import shapes_extent
from equipoise.runs.check.criterion import CRITERIA, Case, Judgement
from equipoise.sim.neighbours import moving_neighbour

__all__ = ["NeighboursCriterion"]


@final
@CRITERIA.register("neighbours")
@dataclass(frozen=True)
class NeighboursCriterion:
    """Other bodies of its file, watched while the robot stands still."""

    rank: ClassVar[int] = 28
    takes_long: ClassVar[bool] = True

    def judge(self, case: Case, so_far: Judgement) -> Judgement:
        """Return the answer after its neighbours were watched."""
        if so_far.stands != "yes" or not case.scene.loose:
            return so_far
        data = copy.copy(case.settled.data)
        found = moving_neighbour(case.scene, data, shapes_extent(case.scene, data))
        if not found:
            return so_far
        told = f"not followed: {found}"
        return so_far.revised("unknown", [told, *so_far.reasons])
