"""Does it still stand with so little friction, on such a slope, on ground so soft?

A condition is tried: the check is asked anew with that friction, slope or stiffness. A
slope is tried in nine directions, the eight of the compass and that in which the robot
falls first. Where the answer is no, the number that would do is searched for.
"""

import math
from collections.abc import Callable
from dataclasses import replace

from equipoise.core.errors import ConfigError
from equipoise.runs.check.asked import Asked
from equipoise.runs.check.judged import judged_pose
from equipoise.runs.check.require.requirement import Requirement, RequirementAnswer
from equipoise.runs.check.result import CheckResult, Question
from equipoise.runs.check.search import (
    below_in_two_digits,
    least_that_works,
    two_digits,
)
from equipoise.runs.check.verdict import Answer

__all__ = ["condition_answer", "stands_with"]

MOST_FRICTION, FRICTION_STEP = 2.0, 0.01
SLOPE_STEP = 0.1
"""To which a steepest slope is found [degrees]."""
SOFTEST, DECADES = 1.0, 9
"""Ground stiffness from which one is searched, and how many times ten [N/m]."""


def condition_answer(
    requirement: Requirement, asked: Asked, result: CheckResult
) -> RequirementAnswer:
    """Return whether a robot stands under a condition.

    Args:
        requirement: a condition.
        asked: what the check was asked.
        result: its answer without the condition.

    Raises:
        ConfigError: the condition does not fit what was asked.
    """
    _expect_fitting(requirement, asked.question)
    answer = stands_with(requirement, asked, result)
    if answer == "yes":
        told = f"it stands {phrase(requirement)}"
        return RequirementAnswer(requirement, answer, None, told)

    def stands(value: float, is_quick: bool = True) -> bool:
        tried = replace(requirement, wanted=value)
        return stands_with(tried, asked, result, is_quick=is_quick) == "yes"

    limit = _limit_of(requirement.number.name, requirement.wanted, stands)
    if limit is not None and asked.robot.has_world and not stands(limit, False):
        limit = None
    not_so = "it does not stand" if answer == "no" else "it is not known to stand"
    told = f"{not_so} {phrase(requirement)}"
    if limit is not None:
        told += f", only {phrase(replace(requirement, wanted=limit))}"
    return RequirementAnswer(requirement, answer, limit, told)


def _expect_fitting(requirement: Requirement, question: Question) -> None:
    """Refuse a condition that does not fit what was asked.

    Args:
        requirement: a condition.
        question: what was asked without it.

    Raises:
        ConfigError: it is not above zero, or a slope where there is one already.
    """
    name, wanted = requirement.number.name, requirement.wanted
    problems: list[str] = []
    if not wanted > 0.0:
        problems.append(f"{name} must be > 0, got {wanted!r}")
    if name == "slope" and not wanted < 90.0:
        problems.append(f"slope must be below 90 deg, got {wanted!r}")
    if name == "slope" and (question.slope_deg or question.heading_deg):
        problems.append(
            "a required slope is relative to level ground; leave --slope out"
        )
    if problems:
        raise ConfigError("what is required", problems)


def stands_with(
    requirement: Requirement,
    asked: Asked,
    result: CheckResult,
    *,
    is_quick: bool = False,
) -> Answer:
    """Return whether a robot stands under a condition.

    Args:
        requirement: a condition.
        asked: what was asked without it.
        result: the answer to that.
        is_quick: whether a "yes" need not be one.
    """
    worst: Answer = "yes"
    for question in _posed_with(requirement, asked.question, result):
        found = judged_pose(
            asked.robot, asked.start, question, settle=asked.settle, is_quick=is_quick
        )
        if found.stands == "no":
            return "no"
        worst = "unknown" if found.stands == "unknown" else worst
    return worst


def phrase(requirement: Requirement) -> str:
    """Return a condition in words."""
    said = requirement.wanted_text
    return {
        "friction": f"with friction of {said}",
        "slope": f"on a slope of {said} in any direction",
        "ground-stiffness": f"on ground of {said}",
    }[requirement.number.name]


def _posed_with(
    requirement: Requirement, question: Question, result: CheckResult
) -> list[Question]:
    """Return the questions that a condition means."""
    name, value = requirement.number.name, requirement.wanted
    if name == "friction":
        return [replace(question, friction=value)]
    if name == "ground-stiffness":
        return [replace(question, ground_stiffness=value)]
    ways = [45.0 * k for k in range(8)]
    if result.weakest is not None:  # the first to be tried, as it fails first
        x, y = result.weakest
        ways = [math.degrees(math.atan2(y, x)) % 360.0, *ways]
    return [replace(question, slope_deg=value, heading_deg=way) for way in ways]


def _limit_of(
    name: str, wanted: float, stands: Callable[[float], bool]
) -> float | None:
    """Return the number nearest to what is wanted that it stands with, or None."""
    if name == "friction":
        first = math.floor(wanted / FRICTION_STEP)
        most = round(MOST_FRICTION / FRICTION_STEP) - first
        near = lambda k: round((first + k) * FRICTION_STEP, 9)  # noqa: E731
    elif name == "slope":
        first = math.ceil(wanted / SLOPE_STEP)
        most = first - 1
        near = lambda k: round((first - k) * SLOPE_STEP, 9)  # noqa: E731
    else:
        first = below_in_two_digits(wanted, SOFTEST)
        most = 90 * DECADES - first
        near = lambda k: two_digits(first + k, SOFTEST)  # noqa: E731
    if most < 1:
        return None
    found = least_that_works(lambda k: stands(near(k)), 1, most)
    return None if found is None else near(found)
