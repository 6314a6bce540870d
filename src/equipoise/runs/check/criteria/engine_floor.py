"""What do the contacts of its file mean for a robot at rest: they tell, or decide."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from equipoise.runs.check.criterion import CRITERIA, Case, Judgement
from equipoise.runs.check.floor import floor_answer, judged_on_floor

__all__ = ["EngineFloorCriterion"]


@final
@CRITERIA.register("engine-floor")
@dataclass(frozen=True)
class EngineFloorCriterion:
    """Soft contacts as the engine has them, where it was put down and rests."""

    rank: ClassVar[int] = 60
    takes_long: ClassVar[bool] = True

    def judge(self, case: Case, so_far: Judgement) -> Judgement:
        """Return the answer with what the engine's floor says."""
        if not _is_asked(case):
            return so_far.revised(so_far.stands, so_far.reasons, engine_floor=None)
        scene, place = case.scene, case.let_go_from
        root = int(np.flatnonzero(scene.bodies)[0])
        given = np.array(scene.data_at(case.robot, case.given).qpos)
        rests = np.array(case.settled.data.qpos)
        model = scene.model if scene.ground or place is None else place.scene.model
        height = math.inf if place is None else place.height
        floor = floor_answer(model, rests, root, given, height)
        stands, reasons = judged_on_floor(
            so_far.stands,
            so_far.reasons,
            floor,
            decides=case.question.ground == "engine",
        )
        return so_far.revised(stands, reasons, engine_floor=floor.summary)


def _is_asked(case: Case) -> bool:
    """Return whether it was put down on its file's level ground, without springs.

    A file without ground stands on a plain floor.
    """
    settled, q = case.settled, case.question
    is_down = settled.turned is not None and not (settled.ended or settled.trouble)
    has_floor = bool(case.scene.ground) or case.let_go_from is not None
    is_own = case.robot.has_world and has_floor
    is_rigid = not (q.ground_stiffness or q.leg_stiffness)
    is_level = case.turn.R is None
    return case.early is None and is_down and is_own and is_rigid and is_level
