"""Does it stay up let go where it rests: on its file's contacts, and its own drives?

The engine's contacts are soft, and softest for what is small or tall, and its friction
creeps: a robot that falls there from rest, or creeps away, is not called standing.
Where its joints are its file's own, equilibrium and stiffness are asked as well.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, final

from equipoise.runs.check.criterion import CRITERIA, Case, Judgement
from equipoise.runs.check.motor_share import motor_share
from equipoise.runs.check.own_answer import EngineAnswer, engine_answer, joined_answer
from equipoise.runs.check.own_joints import (
    Drives,
    DrivesAnswer,
    LetGoFrom,
    sag_answer,
)
from equipoise.runs.check.own_words import own_words, passive_words, times_words
from equipoise.stability.drives.sag import Sag

__all__ = ["OwnFloorCriterion"]


@final
@CRITERIA.register("own-floor")
@dataclass(frozen=True)
class OwnFloorCriterion:
    """A robot that stands on hard ground with its joints held."""

    rank: ClassVar[int] = 30
    takes_long: ClassVar[bool] = True

    def judge(self, case: Case, so_far: Judgement) -> Judgement:
        """Return the answer after it was let go."""
        if so_far.stands != "yes":
            return so_far
        if case.is_on_own_drives or case.is_pulled:
            return _on_own_drives(case, so_far)
        place = case.let_go_from
        if place is None or not case.robot.has_world:
            return so_far
        trial = _tried(case, place, None)
        if trial.stands == "yes":
            return so_far
        if trial.creeps and case.turn.R is not None and case.question.slope_deg:
            return so_far.revised("yes", [*so_far.reasons, trial.sentence])
        is_no = trial.stands == "no" and case.question.ground == "engine"
        told = trial.sentence if is_no else f"balanced on hard ground; {trial.sentence}"
        stands = "no" if is_no else "unknown"
        return so_far.revised(stands, [told, *so_far.reasons], let_go=trial.summary)


def _tried(
    case: Case, place: LetGoFrom, drives: Drives | None, *, is_braced: bool = False
) -> EngineAnswer:
    """Return what becomes of a robot that is let go."""
    return engine_answer(
        place.scene,
        place.data,
        place.size,
        place.height,
        friction=case.question.friction,
        own=None if drives is None or not case.is_on_own_drives else drives.own,
        is_braced=is_braced,
        normal=place.normal,
    )


def _on_own_drives(case: Case, so_far: Judgement) -> Judgement:
    """Return the answer for a robot whose joints are its file's own."""
    drives, place = case.drives, case.let_go_from
    if drives is None or place is None:
        told = "on its own drives a robot is judged on the ground of its file, or level"
        return so_far.revised("unknown", [told, *so_far.reasons])
    crept = _once_feet_have_crept(drives)
    trial = _tried(case, place, drives, is_braced=crept is not None)
    is_up = trial.stands == "yes"
    rest = sag_answer(drives, trial.trial.qpos if is_up else None)
    if trial.stands == "no" and rest.stands == "yes":
        rest = crept or rest
    stands, reasons = joined_answer(rest, trial)
    if stands == "no" and rest.is_crept and not trial.trial.falls:
        stands = "unknown"  # the engine's friction creeps, a floor's need not
    if stands != "yes" and case.is_on_own_drives and drives.holds.passive:
        stands, reasons = "unknown", [passive_words(len(drives.holds.passive))]
    share = motor_share(drives, trial.trial.qpos)
    block = _drives_block(drives, rest.sag, share)
    if stands == "yes" and share is not None and share > 1.0:
        stands = "unknown"
        alone = motor_share(drives) or 0.0
        why = "unless its feet brace each other"
        if alone <= 1.0:
            why = "against links of its own that push them"
        needed = f"{times_words(share)} their torque limits, {why}"
        reasons = [f"on its own drives its motors would need {needed}"]
    found = so_far.revised(
        stands,
        [*reasons, *so_far.reasons],
        let_go=trial.summary,
        own_drives=block,
    )
    if stands != "yes" or not case.is_on_own_drives:
        return found
    return found.held_by(own_words(drives.holds, rest.sag.sunk / drives.height, share))


def _once_feet_have_crept(drives: Drives) -> DrivesAnswer | None:
    """Return why a robot does not stand on feet that brace each other no more.

    None where it stands all the same. Friction of the engine creeps under every load,
    so that what feet take from each other by friction comes to its drives in the end.
    """
    rest = sag_answer(drives.relaxed)
    if rest.stands != "no":
        return None
    said = f"after its feet have crept apart,  {rest.sentence}"
    return rest._replace(sentence=said, is_crept=True)


def _drives_block(drives: Drives, rest: Sag, share: float | None) -> dict[str, Any]:
    """Return the numbers of ``--json`` about a robot's rest on its own drives."""
    is_rest = rest.how in ("rests", "tilts")
    return {
        "rest": rest.how,
        "sinks_m": rest.sunk if is_rest else None,
        "sinks_share": rest.sunk / drives.height if is_rest else None,
        "turns_deg": math.degrees(rest.turned) if is_rest else None,
        "stiffness": rest.stiffness if is_rest else None,
        "motor_share": share,
    }
