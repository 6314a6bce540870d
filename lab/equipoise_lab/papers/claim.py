"""A statement of a work, and what became of it.

A claim is never dropped and its tolerance never widened to pass. ``missed`` says that
we do not get what is printed and cannot show why; ``refuted`` that what is printed
cannot be right, with the proof; only ``missed`` makes a command fail. What a claim is
follows from its checks alone.

What we add, and the work does not say, is judged in the same way, but it ``holds`` or
``fails`` and is never counted among the claims.
"""

from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import Any, Literal, TypeAlias, final

from equipoise.core.errors import ConfigError
from equipoise_lab.papers.check import Check, Checks, listed_checks, near

__all__ = [
    "BEYOND",
    "STATUSES",
    "Claim",
    "Status",
    "beyond",
    "compared",
    "not_checkable",
    "refuted",
    "shown",
]

Status: TypeAlias = Literal[
    "met", "missed", "refuted", "not checkable", "holds", "fails"
]
Value: TypeAlias = float | int | str | None
STATUSES = ("met", "missed", "refuted", "not checkable")
"""Of what a work says."""
BEYOND = ("holds", "fails")
"""Of what we add."""
FAILURES: dict[Status, Status] = {"holds": "fails", "fails": "fails"}


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One statement of a work. Numbers have the unit that ``quantity`` names."""

    where: str
    """Section, equation, figure or algorithm of the work."""
    quantity: str
    """What is stated, with the unit in brackets where there is one."""
    published: Value
    """What the work says; None where nothing is printed, which cannot be judged, and
    for what we add."""
    ours: Value
    """What we get."""
    tolerance: Value
    """How far they may differ, or in words what counts as agreement."""
    status: Status
    why: str
    """Why this tolerance, or why it is not met, with the numbers that show it."""
    checks: tuple[Check, ...] = ()
    """What the status rests on; none where nothing can be checked."""

    @property
    def is_beyond(self) -> bool:
        """Whether we add it and the work does not say it."""
        return self.status in BEYOND

    def __post_init__(self) -> None:
        """Refuse a claim that would not be understood, or could not go into JSON."""
        problems = [
            f"{name} must say something, got {getattr(self, name)!r}"
            for name in ("where", "quantity", "why")
            if not str(getattr(self, name)).strip()
        ]
        if self.status not in STATUSES + BEYOND:
            listed = ", ".join(STATUSES + BEYOND)
            problems.append(f"status must be one of {listed}, got {self.status!r}")
        problems += self.check_problems()
        for name in ("published", "ours", "tolerance"):
            value = getattr(self, name)
            if not is_value(value):
                problems.append(f"{name} must be finite, text or None, got {value!r}")
        if problems:
            raise ConfigError(f"claim '{self.quantity}'", problems)

    def check_problems(self) -> list[str]:
        """Return where the status does not follow from checks or print, in words."""
        if self.status == "not checkable":
            return ["nothing can be checked, yet there are checks"] * bool(self.checks)
        if not self.checks:
            return [f"status {self.status!r} needs at least one check"]
        if self.is_beyond and self.published is not None:
            return [f"what we add is not published, got {self.published!r}"]
        if not self.is_beyond and self.published is None:
            return ["published must say what the work says; else it is beyond it"]
        failed = [str(check) for check in self.checks if not check.holds]
        if failed and self.status not in ("missed", "fails"):
            return [f"status {self.status!r} although not {'; not '.join(failed)}"]
        return []

    def changed(self, number: int) -> "Claim":
        """Return the claim with one of its checks ten tolerances off.

        Args:
            number: which of its checks.
        """
        checks = list(self.checks)
        checks[number] = checks[number].changed()
        failed = not all(check.holds for check in checks)
        status = FAILURES.get(self.status, "missed") if failed else self.status
        return replace(self, checks=tuple(checks), status=status)

    def as_row(self) -> dict[str, Any]:
        """Return the claim as plain data, a key a field; checks as they are read."""
        row = {field.name: getattr(self, field.name) for field in fields(self)}
        if self.is_beyond:
            del row["published"]
        return row | {"checks": [str(check) for check in self.checks]}


def is_value(value: Any) -> bool:
    """Return whether a claim can have a value: a finite number, text or None."""
    if value is None or type(value) in (str, int):
        return True
    return type(value) is float and isfinite(value)


def compared(
    where: str,
    quantity: str,
    published: float | int,
    ours: float | int,
    why: str,
    *,
    tolerance: float = 0.0,
) -> Claim:
    """Return a claim about a number: met when ours is within ``tolerance`` of it.

    Args:
        where: place in the work.
        quantity: what is stated.
        published: the printed number.
        ours: our number.
        why: where the tolerance comes from.
        tolerance: largest difference, in the unit of the numbers; 0 is exact.
    """
    check = near(ours, published, tolerance)
    return Claim(
        where=where,
        quantity=quantity,
        published=published,
        ours=ours if isfinite(ours) else None,
        tolerance=tolerance,
        status="met" if check.holds else "missed",
        why=why,
        checks=(check,),
    )


def shown(
    where: str,
    quantity: str,
    published: Value,
    ours: Value,
    checks: Checks,
    why: str,
    *,
    tolerance: Value,
) -> Claim:
    """Return a claim that is met where all checks hold, and missed where one does not.

    Args:
        where: place in the work.
        quantity: what is stated.
        published: what the work says.
        ours: what we find.
        checks: what has to hold.
        why: what was checked.
        tolerance: what counts as agreement.
    """
    listed = listed_checks(checks)
    return Claim(
        where=where,
        quantity=quantity,
        published=published,
        ours=ours,
        tolerance=tolerance,
        status="met" if all(check.holds for check in listed) else "missed",
        why=why,
        checks=listed,
    )


def beyond(
    where: str,
    quantity: str,
    ours: Value,
    checks: Checks,
    why: str,
    *,
    tolerance: Value,
) -> Claim:
    """Return what we add, which the work does not say; it holds where all checks do.

    Args:
        where: place in the work that it belongs to, or that it goes beyond.
        quantity: what is found.
        ours: what we find.
        checks: what has to hold.
        why: what was checked.
        tolerance: what has to come out.
    """
    listed = listed_checks(checks)
    return Claim(
        where=where,
        quantity=quantity,
        published=None,
        ours=ours,
        tolerance=tolerance,
        status="holds" if all(check.holds for check in listed) else "fails",
        why=why,
        checks=listed,
    )


def refuted(
    where: str,
    quantity: str,
    published: Value,
    ours: Value,
    proof: Checks,
    why: str,
    *,
    tolerance: Value,
) -> Claim:
    """Return a claim that is shown wrong; missed where the proof itself fails today.

    Args:
        where: place in the work.
        quantity: what is stated.
        published: what the work says.
        ours: what we find instead.
        proof: what has to hold for the counter-example to be one, this time too.
        why: the proof, with its numbers.
        tolerance: what would have counted as agreement.
    """
    listed = listed_checks(proof)
    is_proved = all(check.holds for check in listed)
    return Claim(
        where=where,
        quantity=quantity,
        published=published,
        ours=ours,
        tolerance=tolerance,
        status="refuted" if is_proved else "missed",
        why=why if is_proved else f"The counter-example failed. It was: {why}",
        checks=listed,
    )


def not_checkable(
    where: str, quantity: str, published: Value, why: str, *, ours: Value = None
) -> Claim:
    """Return a claim that cannot be checked with what is printed.

    Args:
        where: place in the work.
        quantity: what is stated.
        published: what the work says.
        why: what is missing.
        ours: what we can say about it nevertheless.
    """
    return Claim(
        where=where,
        quantity=quantity,
        published=published,
        ours=ours,
        tolerance=None,
        status="not checkable",
        why=why,
    )
