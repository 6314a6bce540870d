"""Who holds its joints: nobody, a controller by their motors, or its own drives?"""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from equipoise.core.text import shown
from equipoise.robots.stance.turns import GroundTurn, turned_stance
from equipoise.runs.check.criterion import CRITERIA, Case, Judgement
from equipoise.runs.check.joints import (
    ENOUGH,
    SAFE_SHARE,
    torque_shares,
    without_effort,
)
from equipoise.runs.check.own_words import count_of, motor_words, times_words

__all__ = ["JointsCriterion"]

SHOWN = 3
BRACED = "its motors are strong enough only while its feet brace against each other"
ONE_WAY = (
    "its motors are stronger in one direction than in the other, and it needs all of "
    "the weaker one, which leaves nothing for balance"
)
HELPED = ", or stops and dry friction of its joints help"


@final
@CRITERIA.register("joints")
@dataclass(frozen=True)
class JointsCriterion:
    """Passive joints, drives that are not understood, and motors that are too weak."""

    rank: ClassVar[int] = 25

    def judge(self, case: Case, so_far: Judgement) -> Judgement:
        """Return the answer after who holds the joints was asked."""
        if case.early is not None or not case.holds.count:
            return so_far
        if so_far.stands != "yes":
            return so_far
        if case.mode == "held":
            words = f"its {count_of(case.holds.count, 'joint')} taken as held"
            return so_far.held_by(words)
        holds = case.holds
        if case.is_pulled and holds.is_all_motors:  # its torques are not by weight
            return so_far.held_by(_words_of(case, None))
        if holds.unknown:
            told = (
                f"not understood: {'; '.join(shown(w) for w in holds.unknown[:SHOWN])}"
            )
            return so_far.revised("unknown", [told])
        if not holds.is_all_motors:
            return so_far
        return _judged_by_torque(case, so_far)


def _judged_by_torque(case: Case, so_far: Judgement) -> Judgement:
    """Return the answer for a robot all of whose joints motors hold."""
    least, carried = case.torques.least, case.torques.carried
    links = " and ".join(f"'{shown(name)}'" for name in case.torques.links)
    if carried is not None and carried > 1.0:
        if (case.torques.unpushed or 0.0) <= 1.0:
            told = (
                f"{links} overlap and push each other apart, for which its motors "
                f"would need {times_words(carried)} their torque limits"
            )
            return so_far.revised("unknown", [told, *so_far.reasons])
        if links:
            told = f"its motors are strong enough only if {links} rest on each other"
            return so_far.revised("unknown", [told, *so_far.reasons])
        if least is not None and least > 1.0:
            told = (
                "its motors are too weak to hold it: they would need "
                f"{times_words(least)} their torque limits"
            )
            return so_far.revised("no", [told, *so_far.reasons])
        told = BRACED + HELPED * case.torques.is_helped
        return so_far.revised("unknown", [told, *so_far.reasons])
    if carried is not None and carried > SAFE_SHARE:
        carried = max(carried, _leaned_share(case))
        if carried > ENOUGH:
            told = (
                f"its motors need {carried:.3g} of their torque limits once its "
                "contacts have given way, which leaves them nothing to balance with"
            )
            return so_far.revised("unknown", [told, *so_far.reasons])
    if case.torques.leaves_none:
        return so_far.revised("unknown", [ONE_WAY, *so_far.reasons])
    return so_far.held_by(_words_of(case, carried))


def _words_of(case: Case, share: float | None) -> str:
    """Return the words for a robot all of whose joints motors hold."""
    unlimited = len(without_effort(case.robot))
    return motor_words(len(case.holds.held), share, unlimited)


def _leaned_share(case: Case) -> float:
    """Return what share of their torque joints need once soft contacts have given way.

    The whole robot leans then, which is the same as gravity that leans the other way.
    """
    drives, up = case.drives, case.turn.up
    if drives is None or drives.rest.how != "rests":
        return 0.0
    R_turn = np.eye(3) if case.turn.R is None else case.turn.R
    turn = GroundTurn(drives.lean.T @ up, R_turn @ drives.lean)
    pose, stance = turned_stance(case.robot, case.settled.pose, case.lying, turn)
    shares = torque_shares(case.robot, pose, stance, case.grip, case.gravity)
    return 0.0 if shares.carried is None else shares.carried
