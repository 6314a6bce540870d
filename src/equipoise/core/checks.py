"""Checks that several configurations share."""

import math
from typing import Any

from equipoise.core.errors import ConfigError

__all__ = ["expect_positive", "expect_within"]


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
        good = math.isfinite(value) and (value >= 0.0 if zero else value > 0.0)
        if not good:
            problems.append(f"{name} must be {sign} 0, got {value!r}")
    if problems:
        raise ConfigError(type(config).__name__, problems)


def expect_within(config: Any, name: str, lower: float, upper: float) -> None:
    """Refuse a field outside [lower, upper]."""
    value = getattr(config, name)
    if not lower <= value <= upper:
        problem = f"{name} must be {lower:g} to {upper:g}, got {value!r}"
        raise ConfigError(type(config).__name__, [problem])
