"""The least whole number that works, by few trials from a good guess."""

from collections.abc import Callable
from functools import cache
from math import floor, log10

__all__ = ["below_in_two_digits", "least_that_works", "two_digits"]


def least_that_works(works: Callable[[int], bool], guess: int, most: int) -> int | None:
    """Return a least number from 1 to ``most`` that works; None where none is found.

    What is returned was tried and works, and the number below it was tried and does
    not, or is 0. Where what works comes in pieces, it is the least of one of them.

    Args:
        works: says whether a number works; asked once for each.
        guess: where the search begins.
        most: where it ends, at least 1.
    """
    known = cache(works)
    k = min(max(guess, 1), most)
    low, high = _ranged_down(known, k) if known(k) else _ranged_up(known, k, most)
    if high is None:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if known(middle) else (middle, high)
    return high


def _ranged_down(works: Callable[[int], bool], high: int) -> tuple[int, int]:
    """Return a number that does not work, and one above it that does."""
    stride, low = 1, high - 1
    while low > 0 and works(low):
        high, stride = low, 2 * stride
        low = max(high - stride, 0)
    return low, high


def _ranged_up(
    works: Callable[[int], bool], low: int, most: int
) -> tuple[int, int | None]:
    """Return a number that does not work, and one above it that does, or None."""
    stride = max(1, low // 8)
    while low < most:
        high, stride = min(low + stride, most), 2 * stride
        if works(high):
            return low, high
        low = high
    return low, None


def two_digits(k: int, lowest: float) -> float:
    """Return the k-th number of two digits above ``lowest``, a power of ten.

    Args:
        k: at least 0; 90 of them make ten times as much.
        lowest: the number for k = 0.
    """
    return float(f"{(10 + k % 90) / 10.0 * lowest * 10.0 ** (k // 90):.2g}")


def below_in_two_digits(value: float, lowest: float) -> int:
    """Return which number of two digits is the last below a value; 0 if none is.

    Args:
        value: > 0.
        lowest: the number for k = 0, a power of ten.
    """
    if value <= lowest:
        return 0
    tens = floor(log10(value / lowest))
    k = 90 * tens + floor(10.0 * value / (lowest * 10.0**tens)) - 10
    while k > 0 and two_digits(k, lowest) >= value:
        k -= 1
    return k
