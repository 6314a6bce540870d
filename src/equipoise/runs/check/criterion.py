"""What a check asks: one criterion after the other, each a file of ``criteria/``.

A criterion sees the whole case and what was found so far, and returns what is found
with it. It may take a "yes" away, add reasons, and add its own numbers to the summary.
"""

from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple, Protocol

from equipoise.core.arrays import Array, Ints, VecN
from equipoise.core.catalogue import Catalogue
from equipoise.robots.robot import Robot
from equipoise.robots.scene.joint_holds import JointHolds
from equipoise.robots.scene.scene import Scene
from equipoise.robots.stance.stance import Stance
from equipoise.robots.stance.turns import GroundTurn
from equipoise.runs.check.friction import StanceGrip
from equipoise.runs.check.joints import TorqueShares
from equipoise.runs.check.own_joints import (
    Drives,
    JointMode,
    LetGoFrom,
    let_go_from,
    robot_on_own_drives,
)
from equipoise.runs.check.rest import JudgedPose
from equipoise.runs.check.result import Question
from equipoise.runs.check.soft import grouped
from equipoise.runs.check.start import StartPose
from equipoise.runs.check.verdict import Answer, StanceMargins

__all__ = ["CRITERIA", "Case", "Criterion", "Judgement", "criteria", "judgement"]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A robot in the pose in which it is judged."""

    robot: Robot
    scene: Scene
    question: Question
    turn: GroundTurn
    """Of level ground, where it is tilted."""
    given: VecN
    """The pose that was asked about, (nq,)."""
    settled: JudgedPose
    """How it came to rest from there."""
    stance: Stance
    """Where it touches, gravity along -z."""
    posed: VecN = field(repr=False)
    """The robot's pose there, (nq,)."""
    lying: Stance = field(repr=False)
    """The same in the scene's own frame."""
    grip: StanceGrip
    limits: dict[str, Any] | None
    """Of joint torques on the forces; None where they have none."""
    gravity: float
    """[m/s²]."""
    margins: StanceMargins
    start: StartPose
    """What its actuators are told in the pose that was asked about."""
    mode: JointMode
    """Whether its joints are taken as held or are the file's own."""
    holds: JointHolds = field(repr=False)
    """What holds its joints."""
    torques: TorqueShares
    """What share of their torques its joints need."""
    early: tuple[Answer, str] | None = None
    """The answer and its reason where there is nothing to judge."""

    @property
    def is_on_springs(self) -> bool:
        """Whether ground or legs are soft, and something touches."""
        is_soft = self.question.ground_stiffness or self.question.leg_stiffness
        return bool(self.early is None and len(self.stance.points) and is_soft)

    @property
    def is_pulled(self) -> bool:
        """Whether more than its weight pulls at it, which its margins do not know."""
        return bool(self.early is None and self.scene.pulls)

    @property
    def is_on_own_drives(self) -> bool:
        """Whether some joints are held by the file's own drives and by nothing else."""
        is_own = self.mode == "own" and self.robot.has_world and self.holds.count > 0
        return self.early is None and is_own and not self.holds.is_all_motors

    @cached_property
    def let_go_from(self) -> LetGoFrom | None:
        """Pose in which it is released in the engine; None without ground."""
        return let_go_from(
            self.robot, self.scene, self.settled.data, self.lying, self.turn, self.grip
        )

    @cached_property
    def drives(self) -> Drives | None:
        """The robot on its own drives; None where they cannot be judged."""
        place = self.let_go_from
        if place is None:
            return None
        is_held = self.mode == "held"
        return robot_on_own_drives(
            place, self.lying, self.grip, self.holds, self.start, is_held=is_held
        )

    @cached_property
    def patches(self) -> Ints | None:
        """Foot of each point as grouped by the user, or None."""
        where = f"the check of '{self.robot.name}'"
        return grouped(self.stance, self.question.feet, where)


class Judgement(NamedTuple):
    """Answer so far."""

    stands: Answer
    reasons: list[str]
    """The weightiest first."""
    summary: dict[str, Any]
    """Numbers of the command's ``--json``, each criterion's own."""
    weakest: Array | None = None
    """Direction seen from above in which it falls first, (2,)."""
    words: str | None = None
    """Who holds its joints, in words, where it stands."""

    def held_by(self, words: str) -> "Judgement":
        """Return it with who holds the joints as the first reason.

        Args:
            words: who, as a phrase.
        """
        return self._replace(reasons=[words, *self.reasons], words=words)

    def revised(
        self, stands: Answer, reasons: list[str], **summary: Any
    ) -> "Judgement":
        """Return it with another answer, and more numbers.

        Args:
            stands: the answer now.
            reasons: for it.
            summary: numbers to add.
        """
        added = {**self.summary, **summary}
        return self._replace(stands=stands, reasons=reasons, summary=added)


class Criterion(Protocol):
    """One thing that a check asks.

    One with ``takes_long = True`` is left out of quick looks; it must only take away.
    """

    rank: ClassVar[int]
    """When it is asked: the smaller, the sooner. Contacts are 0, a new one is asked
    after all there are with 100."""

    def judge(self, case: Case, so_far: Judgement) -> Judgement:
        """Return what is found with it.

        Args:
            case: what is judged.
            so_far: what was found before.
        """
        ...


CRITERIA: Catalogue[Criterion] = Catalogue(
    "equipoise.runs.check.criteria", kind="criterion"
)


@cache
def criteria() -> tuple[Criterion, ...]:
    """Return all criteria, in the order in which they are asked."""
    found = [CRITERIA.find(name)() for name in CRITERIA.names()]
    return tuple(sorted(found, key=lambda criterion: criterion.rank))


def judgement(case: Case, *, is_quick: bool = False) -> Judgement:
    """Return what all criteria say of a case.

    Args:
        case: what is judged.
        is_quick: whether those that take long are left out: a "yes" then need not be
            one, all else is.
    """
    found = Judgement("unknown", [], {}, case.margins.weakest)
    for criterion in criteria():
        if not (is_quick and getattr(criterion, "takes_long", False)):
            found = criterion.judge(case, found)
    return found
