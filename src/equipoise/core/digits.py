"""Digits of other scripts, which Python reads as numbers and nobody here means.

``float("٣")`` is 3.0. Numbers are written with the digits 0 to 9; superscripts after a
letter, as in ``m/s²``, belong to units.
"""

import re
import unicodedata

__all__ = ["foreign_digit", "plain_float"]

SUPERSCRIPTS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
DECIMAL = re.compile(
    r"\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)\s*",
    re.ASCII | re.IGNORECASE,
)


def foreign_digit(text: str) -> str | None:
    """Return the first digit that is not one of 0 to 9 or a unit's power, or None.

    Args:
        text: as it was typed.
    """
    for k, letter in enumerate(text):
        if letter.isascii() or not unicodedata.category(letter).startswith("N"):
            continue
        before = text[:k].rstrip("".join(SUPERSCRIPTS) + "⁻")
        if letter in SUPERSCRIPTS and before[-1:].isalpha():
            continue
        return letter
    return None


def plain_float(text: str) -> float:
    """Return the number that a text is, in the digits 0 to 9.

    Args:
        text: as a file or a person has it; blanks around it do not count.

    Raises:
        ValueError: it is no number.
    """
    if not DECIMAL.fullmatch(text):
        raise ValueError(f"no number in the digits 0 to 9: {text!r}")
    return float(text)
