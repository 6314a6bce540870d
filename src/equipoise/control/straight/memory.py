"""What a controller remembers from tick to tick, by name."""

from typing import final

from equipoise.equations.tape.named import NamedNumber, NamedSymbols
from equipoise.equations.tape.tape import Expr, Value

__all__ = ["TickMemory"]


@final
class TickMemory:
    """Numbers that a tick reads as the last one left them, and writes for the next.

    Args:
        given: where their symbols are made.
    """

    def __init__(self, given: NamedSymbols) -> None:
        self.given = given
        self.numbers: list[NamedNumber] = []
        self._after: dict[str, Expr] = {}

    def read(self, name: str, unit: str = "", start: float = 0.0) -> Expr:
        """Return a number as the last tick left it.

        Args:
            name: of its own.
            unit: of it.
            start: before the first tick.
        """
        self.numbers.append(NamedNumber(name, unit, start))
        return self.given.symbol(name)

    def write(self, name: str, value: Value) -> None:
        """Set the value of a number from this tick on.

        Args:
            name: of one that was read.
            value: of it.
        """
        tape = self.given.tape
        self._after[name] = value if isinstance(value, Expr) else tape.constant(value)

    @property
    def after(self) -> list[Expr]:
        """Values of all numbers from this tick on, in the order of ``numbers``."""
        return [self._after[one.name] for one in self.numbers]
