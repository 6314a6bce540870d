"""What the sums are sums of, behind four small functions.

The protocol does not look into a value: it asks for the module's own contribution, adds
two values, and has them brought from a connector to the module and back. Mass
properties are one cargo, an integer per module is another.
"""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar, final

__all__ = ["AbstractCargo", "Numbers"]

B = TypeVar("B")
V = TypeVar("V")


class AbstractCargo(ABC, Generic[B, V]):
    """Kind of value that modules add up; its addition must be associative.

    ``body`` is what the module senses about itself in this round, as it stands in its
    inputs.
    """

    @abstractmethod
    def own(self, body: B) -> V:
        """Return the module's own contribution, in the module's frame."""

    @abstractmethod
    def bring_in(self, body: B, port: int, value: V) -> V:
        """Return a value from the neighbour's connector frame in the module's frame."""

    @abstractmethod
    def bring_out(self, body: B, port: int, value: V) -> V:
        """Return a value from the module's frame in its own connector frame."""

    @abstractmethod
    def add(self, a: V, b: V) -> V:
        """Return the sum of two values in the module's frame."""


@final
class Numbers(AbstractCargo[int, int]):
    """Cargo of an integer for each module, the same in every frame."""

    def own(self, body: int) -> int:
        """Return the module's number."""
        return body

    def bring_in(self, body: int, port: int, value: int) -> int:
        """Return the value."""
        return value

    def bring_out(self, body: int, port: int, value: int) -> int:
        """Return the value."""
        return value

    def add(self, a: int, b: int) -> int:
        """Return the sum."""
        return a + b
