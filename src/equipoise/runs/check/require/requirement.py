"""A number that is required, and what a check answers to it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError, QuantityError
from equipoise.core.quantity import Quantity, number_of
from equipoise.runs.check.require.numbers import CheckedNumber, number_named
from equipoise.runs.check.verdict import Answer

__all__ = ["Requirement", "RequirementAnswer", "required", "typed_requirements"]


@final
@dataclass(frozen=True)
class Requirement:
    """At least or at most so much of a number."""

    number: CheckedNumber
    wanted: float
    """In the number's unit."""

    def __str__(self) -> str:
        """Return it as people say it."""
        return f"{self.number.name} {self.number.sense} {self.wanted_text}"

    @property
    def wanted_text(self) -> str:
        """Required value with its unit."""
        return self.number.said(self.wanted)

    def is_met_by(self, value: float) -> bool:
        """Return whether a value will do.

        Args:
            value: in the number's unit.
        """
        return value >= self.wanted if self.number.is_least else value <= self.wanted


@final
@dataclass(frozen=True)
class RequirementAnswer:
    """Whether a required number is there."""

    requirement: Requirement
    answer: Answer
    value: float | None
    """What there is; None where it is not known or was not asked."""
    sentence: str
    """What there is, and by how much it falls short."""

    @property
    def summary(self) -> dict[str, Any]:
        """Numbers for ``--json``."""
        number = self.requirement.number
        return {
            "name": number.name,
            "sense": number.sense,
            "required": self.requirement.wanted,
            "unit": number.unit,
            "value": self.value,
            "met": self.answer,
            "sentence": self.sentence,
        }


def required(given: Mapping[str, Any] | None) -> tuple[Requirement, ...]:
    """Return what is required.

    Args:
        given: values by name, numbers or texts with a unit; None for nothing.

    Raises:
        UnknownNameError: no such number.
        ConfigError: a value that is no finite number.
    """
    problems: list[str] = []
    found: list[Requirement] = []
    for name, value in (given or {}).items():
        number = number_named(str(name))
        try:
            found.append(Requirement(number, _read_value(number, value)))
        except QuantityError as error:
            problems.append(error.problem)
    if problems:
        raise ConfigError("what is required", problems)
    return tuple(found)


def _read_value(number: CheckedNumber, value: Any) -> float:
    """Return a value in a number's unit.

    Args:
        number: whose value it is.
        value: a number, or a text with a unit.

    Raises:
        QuantityError: it is no finite number of that kind.
    """
    quantity = Quantity(number.kind, number.unit)
    if isinstance(value, str):
        return number_of(value, quantity, number.name)
    if not is_number(value) or not math.isfinite(value):
        raise QuantityError(number.name, quantity.wanted, str(value))
    return float(value)


def typed_requirements(texts: Sequence[str] | None) -> dict[str, str]:
    """Return what was typed as NAME=VALUE, by name.

    Args:
        texts: as typed; None for none.

    Raises:
        ConfigError: no equals sign, or a name twice.
    """
    found: dict[str, str] = {}
    for text in texts or []:
        name, _, value = text.partition("=")
        if not name.strip() or not value.strip():
            problem = f"--require must be NAME=VALUE, as margin=0.02, got '{text}'"
            raise ConfigError("check", [problem])
        if name in found:
            raise ConfigError("check", [f"--require {name} is given twice"])
        found[name] = value.strip()
    return found
