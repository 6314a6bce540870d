"""What a check answers to all that is required of it."""

from equipoise.core.errors import ConfigError
from equipoise.runs.check.asked import Asked
from equipoise.runs.check.require.conditions import condition_answer
from equipoise.runs.check.require.requirement import Requirement, RequirementAnswer
from equipoise.runs.check.result import CheckResult
from equipoise.runs.check.verdict import Answer

__all__ = ["answers_of", "number_answer"]


def answers_of(asked: Asked, result: CheckResult) -> tuple[RequirementAnswer, ...]:
    """Return whether each required number is there.

    Args:
        asked: what the check was asked.
        result: its answer.

    Raises:
        ConfigError: a condition that does not fit, or a change without an older robot.
    """
    return tuple(
        condition_answer(requirement, asked, result)
        if requirement.number.of == "condition"
        else number_answer(requirement, result, asked.before)
        for requirement in asked.requirements
    )


def number_answer(
    requirement: Requirement, result: CheckResult, before: CheckResult | None = None
) -> RequirementAnswer:
    """Return whether a required number is there.

    Args:
        requirement: no condition.
        result: of the robot.
        before: of an older robot, if there is one.

    Raises:
        ConfigError: a change without an older robot.
    """
    number = requirement.number
    value = number.read(result.summary)
    if number.of == "change":
        if before is None:
            problem = (
                f"{number.name} is a difference; name an older robot for comparison"
            )
            raise ConfigError("what is required", [problem])
        old = number.read(before.summary)
        is_rise = number.name.endswith("-rise")
        if value is not None and old is not None:
            value = value - old if is_rise else old - value
        else:
            value = None
    answer, why = _fits(requirement, value, result.stands)
    return RequirementAnswer(requirement, answer, value, _told(requirement, value, why))


def _fits(
    requirement: Requirement, value: float | None, stands: Answer
) -> tuple[Answer, str]:
    """Return whether a value will do, and what is said besides."""
    is_of_stance = requirement.number.is_of_stance
    if is_of_stance and stands == "no":
        return "no", "it does not stand"
    if value is None:
        return "unknown", ""
    if not requirement.is_met_by(value):
        return "no", ""
    if is_of_stance and stands == "unknown":
        return "unknown", "whether it stands is not known"
    return "yes", ""


def _told(requirement: Requirement, value: float | None, why: str) -> str:
    """Return what there is, and by how much it falls short, as a sentence's middle."""
    number = requirement.number
    if value is None:
        said = f"its {number.what} ({number.name}) is not known"
        return f"{said}: {why}" if why else f"{said} for this robot"
    said = f"its {number.what} is {number.said(value)}"
    if requirement.is_met_by(value):
        said += f", {number.sense} {requirement.wanted_text} required"
        return f"{said}; {why}" if why else said
    off = number.said(abs(value - requirement.wanted))
    way = "less" if number.is_least else "more"
    said += f", {off} {way} than the required {requirement.wanted_text}"
    return f"{said}; {why}" if why else said
