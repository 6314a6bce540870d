"""Numbers by name on a tape: symbols where they vary, constants where they do not."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, final

from equipoise.core.errors import UnknownNameError
from equipoise.equations.tape.tape import Expr, Tape

__all__ = ["NamedNumber", "NamedSymbols"]


class NamedNumber(NamedTuple):
    """One number of a robot, of a setting or of what is told."""

    name: str
    unit: str
    value: float = 0.0
    """At the start, or unless something else is said."""
    help: str = ""


@final
class NamedSymbols:
    """Inputs of a program, by name, on one tape.

    Args:
        tape: on which everything is.
        varied: settings that are symbols; the others are numbers of the program.
    """

    def __init__(self, tape: Tape, varied: Collection[str] = ()) -> None:
        self.tape = tape
        self.varied = frozenset(varied)
        self.found: dict[str, Expr] = {}

    def symbol(self, name: str) -> Expr:
        """Return a symbol, made when first asked for.

        Args:
            name: that no other one has.
        """
        if name not in self.found:
            free = f"given {name}"
            while free in self.tape.names:
                free += "'"
            self.found[name] = self.tape.symbol(free, "input")
        return self.found[name]

    def symbols(self, names: Iterable[str]) -> list[Expr]:
        """Return several symbols.

        Args:
            names: of them.
        """
        return [self.symbol(name) for name in names]

    def settings(self, known: Sequence[NamedNumber]) -> dict[str, Expr]:
        """Return settings by name: symbols of those that vary, else their numbers.

        Args:
            known: every setting that there is.
        """
        return {
            one.name: self.symbol(one.name)
            if one.name in self.varied
            else self.tape.constant(one.value)
            for one in known
        }

    def expect_known(self, known: Sequence[NamedNumber], where: str) -> None:
        """Refuse settings that shall vary and that nothing has.

        Args:
            known: every setting that there is.
            where: to say in the message.

        Raises:
            UnknownNameError: there is no such setting.
        """
        names = [one.name for one in known]
        for name in sorted(self.varied):
            if name not in names:
                raise UnknownNameError("setting", name, names, where)
