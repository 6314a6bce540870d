"""Options that take a number with a unit: ``--speed 1.8km/h``, ``--slope 35%``.

A number alone is in the unit that the help shows, see ``core.quantity``.
"""

from typing import Any

import typer

from equipoise.core.errors import QuantityError
from equipoise.core.quantity import KINDS, Quantity, number_of, numbers_of

__all__ = ["as_typed", "one_of", "quantity", "several"]

SHOWN = {"share": "SHARE", "%": "PERCENT"}


def quantity(*names: str, kind: str, unit: str = "", **settings: Any) -> Any:
    """Return an option that takes one number.

    Args:
        names: as it is typed; none for the parameter's own.
        kind: what it is of, one of ``core.quantity.KINDS``; "" for its unit's.
        unit: of a number alone, and of what the command gets.
        settings: of the option, as Typer takes them.
    """
    spoken = Quantity(kind, unit)

    def read(parameter: typer.CallbackParam, value: Any) -> Any:
        is_typed = isinstance(value, str)
        return number_of(value, spoken, parameter.opts[0]) if is_typed else value

    return _made(names, read, {"metavar": _shown_unit(spoken), **settings})


def several(
    *names: str,
    of: tuple[Quantity, ...],
    least: int,
    metavar: str,
    between: str = ",",
    **settings: Any,
) -> Any:
    """Return an option that takes several numbers, and gives a tuple.

    Args:
        names: as it is typed; none for the parameter's own.
        of: what the numbers are of.
        least: how many must be given.
        metavar: how they are shown, as ``X,Y``.
        between: what stands between them.
        settings: of the option, as Typer takes them.
    """
    example = between.join(KINDS[one.kind].examples[0] for one in of)

    def read(parameter: typer.CallbackParam, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        try:
            found = numbers_of(value, of, parameter.opts[0], between)
        except QuantityError:
            if least == 1 and between not in value:
                raise  # it says what the first number is of
            found = ()
        if len(found) < least:
            wanted = f"{metavar}, as {example}"
            raise QuantityError(parameter.opts[0], wanted, value)
        return found

    return _made(names, read, {"metavar": metavar, **settings})


def one_of(words: tuple[str, ...], *names: str, of: Quantity, **settings: Any) -> Any:
    """Return an option that takes a word or a number.

    Args:
        words: that are taken as they are.
        names: as it is typed; none for the parameter's own.
        of: what a number is of.
        settings: of the option, as Typer takes them.
    """

    def read(parameter: typer.CallbackParam, value: Any) -> Any:
        if not isinstance(value, str) or value in words:
            return value
        try:
            return number_of(value, of, parameter.opts[0])
        except QuantityError as error:
            known = ", ".join(f"'{word}'" for word in words)
            wanted = f"{known} or {error.wanted}"
            raise QuantityError(error.name, wanted, value) from None

    return _made(names, read, settings)


def _made(names: tuple[str, ...], read: Any, settings: dict[str, Any]) -> Any:
    """Return an option whose text a callback reads, which knows the option's name."""
    return typer.Option(*names, parser=as_typed, callback=read, **settings)


def as_typed(value: Any) -> Any:
    """Return what was typed; a default is no text."""
    return value


def _shown_unit(spoken: Quantity) -> str:
    """Return how help shows a number: by its unit."""
    return SHOWN.get(spoken.unit or spoken.kind, spoken.unit.replace(" ", "").upper())
