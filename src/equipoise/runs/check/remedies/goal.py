"""What a remedy must reach: that it stands, and gives what is required."""

from dataclasses import dataclass, replace
from typing import final

from equipoise.runs.check.asked import Asked
from equipoise.runs.check.compare import judged_change
from equipoise.runs.check.judged import judged_pose
from equipoise.runs.check.require.answers import number_answer
from equipoise.runs.check.require.conditions import phrase, stands_with
from equipoise.runs.check.require.numbers import NUMBERS
from equipoise.runs.check.require.requirement import Requirement
from equipoise.runs.check.result import CheckResult

__all__ = ["Goal", "remedy_goals"]

BEYOND = ("mass", "mass-rise", "zmp-margin")
"""Numbers that no remedy is searched for."""


@final
@dataclass(frozen=True)
class Goal:
    """Goal of a remedy: that the robot stands, and more."""

    requirements: tuple[Requirement, ...] = ()
    is_no_worse: bool = False
    """Whether it may be no worse than the robot that it is compared to."""
    stands_already: bool = False
    inside: float = 0.0
    """Margin that it must have, so that it does not balance on an edge [m]."""

    @property
    def sentence(self) -> str:
        """Goal in words."""
        parts = [
            phrase(r) if r.number.of == "condition" else "" for r in self.requirements
        ]
        numbers = [
            f"its {r.number.what} is {r.number.sense} {r.wanted_text}"
            for r in self.requirements
            if r.number.of != "condition"
        ]
        stands = [f"it stands {part}" for part in parts if part]
        if not stands and not self.stands_already:
            stands = ["it stands"]
        worse = ["it is no worse than before"] if self.is_no_worse else []
        return " and ".join([*stands, *numbers, *worse]) or "it stands"

    def is_met(self, asked: Asked, *, is_quick: bool = False) -> bool:
        """Return whether a changed robot reaches it, by checking it.

        Args:
            asked: what the check was asked, of the changed robot.
            is_quick: whether it may be said although the engine would deny it.
        """
        found = judged_pose(
            asked.robot,
            asked.start,
            asked.question,
            settle=asked.settle,
            is_quick=is_quick,
        )
        if found.stands != "yes" or not self.is_inside(found):
            return False
        if self.is_no_worse and not _is_no_worse(asked, found):
            return False
        return all(_is_given(r, asked, found, is_quick) for r in self.requirements)

    def is_inside(self, found: CheckResult) -> bool:
        """Return whether the centre of mass is as far inside as required, if known."""
        margin = NUMBERS["margin"].read(found.summary)
        return margin is None or margin >= self.inside


def _is_no_worse(asked: Asked, found: CheckResult) -> bool:
    """Return whether a robot is no worse than the one that it is compared to."""
    return asked.before is None or judged_change(asked.before, found)[0] == "yes"


def _is_given(
    requirement: Requirement, asked: Asked, found: CheckResult, is_quick: bool
) -> bool:
    """Return whether a changed robot gives a number."""
    if requirement.number.of == "condition":
        return stands_with(requirement, asked, found, is_quick=is_quick) == "yes"
    return number_answer(requirement, found, asked.before).answer == "yes"


def remedy_goals(result: CheckResult) -> list[Goal]:
    """Return what remedies must reach: all of it at once, else part by part.

    Args:
        result: a check whose verdict is not "yes".
    """
    asked = result.asked
    if asked is None:
        return []
    wanted = [r for r in asked.requirements if r.number.name not in BEYOND]
    stands = result.stands == "yes"
    whole = Goal(tuple(wanted), asked.no_worse, stands)
    missing = [
        found.requirement
        for found in result.requirements
        if found.answer != "yes" and found.requirement.number.name not in BEYOND
    ]
    is_worse = bool(
        asked.no_worse and result.comparison and result.comparison.is_no_worse != "yes"
    )
    if stands and not missing and not is_worse:
        return []
    parts = [replace(whole, requirements=(r,), is_no_worse=False) for r in missing]
    if is_worse:
        parts.append(Goal((), True, stands))
    if not stands:
        parts = [Goal(), *parts]
    return [whole, *(part for part in parts if part != whole)]
