"""One comparison that a verdict rests on: a value of ours against a bound.

A claim is met because its checks hold, and for no other reason: a check that is turned
over turns the claim over, which the tests do with every check of every claim.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, final

__all__ = [
    "Check",
    "Checks",
    "above",
    "at_least",
    "at_most",
    "below",
    "between",
    "listed_checks",
    "near",
    "same",
]

Plain: TypeAlias = float | int | bool | str
Relation: TypeAlias = Literal["<", "<=", ">", ">=", "is", "within"]
TEN = 10.0


@final
@dataclass(frozen=True, slots=True)
class Check:
    """A value, and how it has to lie to a bound."""

    value: Plain
    """What we find; a number that is not one (NaN) holds nowhere."""
    relation: Relation
    bound: Plain
    """For "within" the middle of the range."""
    tolerance: float = 0.0
    """For "within" half the range."""

    @property
    def holds(self) -> bool:
        """Whether it comes out as it has to."""
        value, bound = self.value, self.bound
        if self.relation == "is":
            return type(value) is type(bound) and value == bound
        if isinstance(value, str) or isinstance(bound, str):
            return False
        if self.relation == "within":
            return abs(value - bound) <= self.tolerance
        return {
            "<": value < bound,
            "<=": value <= bound,
            ">": value > bound,
            ">=": value >= bound,
        }[self.relation]

    def changed(self) -> "Check":
        """Return it with its value off by ten tolerances, to the wrong side.

        A bound's tolerance is the bound itself; where that is zero, or for a count that
        must be met exactly, the value is one off.
        """
        value, bound = self.value, self.bound
        if self.relation == "is" or isinstance(value, str) or isinstance(bound, str):
            return replace(self, value=_turned(value))
        if self.relation == "within":
            way = 1.0 if value >= bound else -1.0
            return replace(self, value=value + way * (TEN * self.tolerance or 1.0))
        way = 1.0 if self.relation in ("<", "<=") else -1.0
        size = TEN * abs(bound) or 1.0
        return replace(self, value=bound + way * max(size, abs(bound - value)))

    def __str__(self) -> str:
        """Return it as it is read."""
        if self.relation == "within":
            off = f" ± {self.tolerance:.3g}" if self.tolerance else ""
            return f"{_said(self.value)} = {_said(self.bound)}{off}"
        return f"{_said(self.value)} {self.relation} {_said(self.bound)}"


Checks: TypeAlias = Check | Sequence[Check]


def _turned(value: Plain) -> Plain:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    return f"not {value}" if isinstance(value, str) else value + 1


def _said(value: Plain) -> str:
    """Return a value in few digits."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _plain(value: Any) -> Plain:
    """Return a number, a truth or a text as plain Python; anything else as its text."""
    item = value.item() if hasattr(value, "item") else value
    return item if isinstance(item, float | int | bool | str) else str(item)


def _number(value: Any) -> float | int:
    """Return a plain number, NaN for what is none."""
    item = _plain(value)
    return math.nan if isinstance(item, str) else item


def below(value: Any, bound: Any) -> Check:
    """Return the check that a value is less than a bound."""
    return Check(_number(value), "<", _number(bound))


def at_most(value: Any, bound: Any) -> Check:
    """Return the check that a value is no more than a bound."""
    return Check(_number(value), "<=", _number(bound))


def above(value: Any, bound: Any) -> Check:
    """Return the check that a value is more than a bound."""
    return Check(_number(value), ">", _number(bound))


def at_least(value: Any, bound: Any) -> Check:
    """Return the check that a value is no less than a bound."""
    return Check(_number(value), ">=", _number(bound))


def near(value: Any, wanted: Any, tolerance: float) -> Check:
    """Return the check that a value is within a tolerance of another."""
    return Check(_number(value), "within", _number(wanted), float(tolerance))


def between(value: Any, low: float, high: float) -> Check:
    """Return the check that a value lies in a range, its ends included."""
    return near(value, 0.5 * (low + high), 0.5 * (high - low))


def same(value: Any, wanted: Any) -> Check:
    """Return the check that a count, a truth, a text or a list is exactly another."""
    return Check(_plain(value), "is", _plain(wanted))


def listed_checks(checks: Checks) -> tuple[Check, ...]:
    """Return one check or several as a tuple."""
    return (checks,) if isinstance(checks, Check) else tuple(checks)
