"""All that a check was asked, so that it can be asked again of a changed robot."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from equipoise.core.arrays import VecN
from equipoise.robots.robot import Robot
from equipoise.runs.check.result import CheckResult, Question
from equipoise.runs.check.start import StartPose

if TYPE_CHECKING:
    from equipoise.runs.check.require.requirement import Requirement

__all__ = ["Asked"]


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Asked:
    """A robot, its pose, and what is asked and required of it."""

    robot: Robot
    start: StartPose = field(repr=False)
    question: Question
    settle: bool = True
    requirements: "tuple[Requirement, ...]" = ()
    before: CheckResult | None = None
    """The check of an older robot, to which it is compared."""
    before_name: str = ""
    """Its file, or its name."""
    no_worse: bool = False
    """Whether it may not be worse than that."""
    remedies: bool = True
    """Whether remedies are searched for when they are asked for."""

    @property
    def pose(self) -> VecN:
        """The pose that is asked about, (nq,)."""
        return self.start.qpos
