"""Refuse numbers that no stance can have, in one sentence that names them all."""

import math
from typing import Any

from equipoise.core.checks import is_number, is_whole
from equipoise.core.errors import NotPhysicalError

__all__ = ["expect_above_zero", "expect_number", "expect_whole"]


def expect_above_zero(
    where: str, *, zero: bool = False, infinite: bool = False, **values: Any
) -> None:
    """Refuse values that are not numbers above zero, all problems at once.

    Args:
        where: the function that was called, for the message.
        zero: whether zero is allowed.
        infinite: whether infinity (a rigid part) is allowed.
        values: the numbers by the names of the caller's arguments.

    Raises:
        NotPhysicalError: naming each value that does not fit.
    """
    sign = ">=" if zero else ">"
    problems = [
        f"{name} must be a number {sign} 0, got {value!r}"
        for name, value in values.items()
        if not (is_number(value) and (value > 0 or (zero and value == 0)))
        or (math.isinf(value) and not infinite)
    ]
    if problems:
        raise NotPhysicalError(f"{where}: {'; '.join(problems)}.")


def expect_number(where: str, name: str, value: Any) -> None:
    """Refuse a value that is not a finite number."""
    if not (is_number(value) and math.isfinite(value)):
        raise NotPhysicalError(f"{where}: {name} must be finite, got {value!r}.")


def expect_whole(where: str, name: str, value: Any, lowest: int, hint: str) -> None:
    """Refuse a count below ``lowest``; ``hint`` says what would work."""
    if not (is_whole(value) and value >= lowest):
        raise NotPhysicalError(
            f"{where}: {name} must be a whole number >= {lowest}, got {value!r}; "
            f"{hint}."
        )
