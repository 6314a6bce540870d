"""What an option is varied over, as people write it: ``0:60:7``, ``0:60``, ``a,b``."""

import math
import re

from equipoise.core.digits import foreign_digit, plain_float
from equipoise.core.errors import ConfigError
from equipoise.core.text import shown
from equipoise.runs.sweep.design import MOST_ROWS, Choices, Span, Value, Values, evenly

__all__ = ["common_unit", "split_unit", "typed_values"]

NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*)", re.ASCII)
WHOLE = re.compile("[0-9]+")
FORMS = "NAME=LO:HI:N, NAME=LO:HI or NAME=A,B,C"
Number = float | int


def typed_values(name: str, text: str) -> tuple[Values, str]:
    """Return what an option is varied over, and the unit of its numbers.

    Args:
        name: of the option.
        text: ``LO:HI:N`` for N points with both ends, ``LO:HI`` for all between, or
            values between commas; between semicolons where a value holds a comma.

    Raises:
        ConfigError: no such form, or numbers that are none.
    """
    parts = [part.strip() for part in text.split(":")]
    ends = [split_unit(part) for part in parts[:2]]
    if len(parts) in (2, 3) and None not in ends:
        return _typed_range(name, [end for end in ends if end is not None], parts[2:])
    words = [w.strip() for w in text.split(";" if ";" in text else ",")]
    if "" in words or any(is_no_number(word) for word in [*words, *parts]):
        problem = f"{shown(name)} takes finite numbers or names, got '{shown(text)}'"
        raise ConfigError("the sweep", [f"{problem}; give {FORMS}"])
    values, unit = common_unit(words)
    return Choices(values), unit


def _typed_range(
    name: str, ends: list[tuple[Number, str]], count: list[str]
) -> tuple[Values, str]:
    """Return the numbers between two ends, and their unit."""
    (low, unit), (high, other) = ends
    unit, other = unit or other, other or unit  # 0:20deg:3
    if unit != other:
        problem = (
            f"{name} goes from '{unit}' to '{other}'; give both ends the same unit"
        )
        raise ConfigError("the sweep", [problem])
    if not count:
        return Span(float(low), float(high)), unit
    if not (WHOLE.fullmatch(count[0]) and 1 <= int(count[0][:12]) <= MOST_ROWS):
        problem = f"{name} takes 1 to {MOST_ROWS:,} points, got '{shown(count[0])}'"
        raise ConfigError("the sweep", [problem])
    return Choices(evenly(low, high, int(count[0]))), unit


def common_unit(words: list[str]) -> tuple[tuple[Value, ...], str]:
    """Return words as numbers where all are, with the unit that they share.

    Args:
        words: as typed.
    """
    found = [split_unit(word) for word in words]
    known = [one for one in found if one is not None]
    units = {unit for _, unit in known}
    if len(known) == len(words) and len(units) == 1:
        return tuple(number for number, _ in known), units.pop()
    return tuple(words), ""


def split_unit(word: str) -> tuple[Number, str] | None:
    """Return a number and its unit; None for what is no finite number.

    Args:
        word: as ``20deg``.
    """
    match = NUMBER.fullmatch(word.strip())
    if match is None or foreign_digit(word):
        return None
    text = match[1]
    is_whole = WHOLE.fullmatch(text.lstrip("+-")) and len(text) <= 18
    number = int(text) if is_whole else float(text)
    return (number, match[2]) if math.isfinite(number) else None


def is_no_number(word: str) -> bool:
    """Return whether a word is a number that is none: nan, inf, 1e999."""
    try:
        return not math.isfinite(plain_float(word))
    except ValueError:
        return False
