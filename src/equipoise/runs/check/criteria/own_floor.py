"""Does it stay up on the contacts of its own file, let go where it rests?

The engine's contacts are soft, and softest for what is small or tall: a robot that
falls there from rest is not called standing.
"""

import copy
from dataclasses import dataclass, replace
from typing import ClassVar, final

from equipoise.robots.stance.stance import extent
from equipoise.runs.check.criterion import CRITERIA, Case, Judgement
from equipoise.sim.gentle import falls_when_let_go

__all__ = ["OwnFloorCriterion"]


@final
@CRITERIA.register("own-floor")
@dataclass(frozen=True)
class OwnFloorCriterion:
    """A robot that stands on hard ground, in its file's world."""

    rank: ClassVar[int] = 30
    takes_long: ClassVar[bool] = True

    def judge(self, case: Case, so_far: Judgement) -> Judgement:
        """Return the answer after it was let go."""
        scene, data = case.scene, case.settled.data
        if so_far.stands != "yes" or not (case.robot.has_world and scene.ground):
            return so_far
        tilted = replace(scene, gravity=-scene.strength * case.turn.up)
        size, friction = extent(scene, data), case.question.friction
        if falls_when_let_go(tilted, copy.copy(data), size, friction):
            told = (
                "balanced on hard ground, it falls or slides on the contacts of its "
                "file"
            )
            return so_far.but("unknown", [told, *so_far.reasons])
        return so_far
