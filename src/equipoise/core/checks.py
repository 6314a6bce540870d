"""Checks that several configurations share."""

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

from equipoise.core.errors import ConfigError, EquipoiseError

__all__ = [
    "expect_count",
    "expect_none",
    "expect_positive",
    "expect_within",
    "is_number",
    "is_whole",
]


def expect_none(
    where: str, problems: Sequence[str], errors: Sequence[EquipoiseError] = ()
) -> None:
    """Refuse what has problems, with all of them in one sentence.

    Args:
        where: what is not usable then, in words.
        problems: phrases.
        errors: what was raised on the way; one alone is raised as it is.

    Raises:
        EquipoiseError: the only error there is.
        ConfigError: several problems.
    """
    if len(errors) == 1 and not problems:
        raise errors[0]
    every = [*problems, *(str(error).rstrip(".") for error in errors)]
    if every:
        raise ConfigError(where, every)


def is_number(value: Any) -> bool:
    """Return whether a value is a real number; True and False are not."""
    return not isinstance(value, bool) and isinstance(value, Real)


def is_whole(value: Any) -> bool:
    """Return whether a value is a whole number of an integer type."""
    return not isinstance(value, bool) and isinstance(value, Integral)


def expect_positive(config: Any, *names: str, zero: bool = False) -> None:
    """Refuse fields that are not finite and above zero, all problems at once.

    Args:
        config: the configuration, a dataclass.
        names: the fields to check.
        zero: whether zero is allowed.
    """
    sign = ">=" if zero else ">"
    problems = []
    for name in names:
        value = getattr(config, name)
        if not is_number(value):
            problems.append(f"{name} must be a number, got {value!r}")
        elif not (0.0 < value < math.inf or (zero and value == 0.0)):
            problems.append(f"{name} must be {sign} 0, got {value!r}")
    if problems:
        raise ConfigError(type(config).__name__, problems)


def expect_within(config: Any, name: str, lower: float, upper: float) -> None:
    """Refuse a field outside [lower, upper]."""
    value = getattr(config, name)
    if not (is_number(value) and lower <= value <= upper):
        problem = f"{name} must be {lower:g} to {upper:g}, got {value!r}"
        raise ConfigError(type(config).__name__, [problem])


def expect_count(config: Any, *names: str) -> None:
    """Refuse fields that are not whole numbers of at least one."""
    problems = []
    for name in names:
        value = getattr(config, name)
        if not (is_whole(value) and value >= 1):
            problems.append(f"{name} must be a whole number >= 1, got {value!r}")
    if problems:
        raise ConfigError(type(config).__name__, problems)
