"""Call a compiled kernel again and again with the same arrays, at little cost.

Each call of a kernel begins by finding out what its arguments are; with many arrays
that takes longer than a small kernel's work. A bound kernel has found out once. Its
arrays are fixed, so they cannot change their kind; what is left open, written ``...``,
are whole numbers or floats, always the same kind at the same place.
"""

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar, final

__all__ = ["Bound", "Settled", "settled"]

R = TypeVar("R")


@final
class Bound(Generic[R]):
    """A kernel and its arguments, some of them left open: ``Bound(f, a, ..., b)``."""

    __slots__ = ("_entry", "_given", "_holes", "kernel")

    def __init__(self, kernel: Callable[..., R], *given: Any) -> None:
        """Keep a kernel and what it is called with.

        Args:
            kernel: what ``compiled`` returned; any other function works too.
            given: its arguments, ``...`` for each that comes with the call.
        """
        self.kernel, self._given = kernel, list(given)
        self._holes = [k for k, value in enumerate(given) if value is ...]
        self._entry: Callable[..., R] | None = None

    def __call__(self, *numbers: float) -> R:
        """Call the kernel, the open arguments being these numbers."""
        given = self._given
        if len(numbers) == 1 == len(self._holes):  # by far the most calls
            given[self._holes[0]] = numbers[0]
        else:
            for hole, number in zip(self._holes, numbers, strict=True):
                given[hole] = number
        if self._entry is not None:
            return self._entry(*given)
        result = self.kernel(*given)
        self._entry = _entry_of(self.kernel, given)
        return result


@final
class Settled(Generic[R]):
    """A kernel whose arguments are of the same kinds at every call, whoever calls it.

    The first call finds the kinds out; later ones trust it. Wrong kinds are not
    noticed then: use it only where one place calls, always with the same objects.
    """

    __slots__ = ("_entry", "kernel")

    def __init__(self, kernel: Callable[..., R]) -> None:
        """Keep the kernel.

        Args:
            kernel: what ``compiled`` returned; any other function works too.
        """
        self.kernel = kernel
        self._entry: Callable[..., R] | None = None

    def __call__(self, *given: Any) -> R:
        """Call the kernel."""
        if self._entry is not None:
            return self._entry(*given)
        result = self.kernel(*given)
        self._entry = _entry_of(self.kernel, given)
        return result


@final
class settled(Generic[R]):
    """A kernel that an object calls with the same kinds of arguments at every call.

    ``_turn = settled(lambda: turn)`` in a class lets its objects call ``self._turn``;
    each finds the kinds out at its first call, for itself, and trusts them later, as
    ``Settled`` does. The file may define the kernel further down. The object must not
    have slots.
    """

    def __init__(self, kernel: Callable[[], Callable[..., R]]) -> None:
        """Keep where the kernel comes from.

        Args:
            kernel: returns it.
        """
        self._kernel, self._name = kernel, ""

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the name under which objects keep the machine code."""
        self._name = name

    def __get__(self, one: object, owner: type | None = None) -> Callable[..., R]:
        """Return the kernel; its call leaves the machine code in the object."""
        kernel = self._kernel()

        def first(*given: Any) -> R:
            result = kernel(*given)
            vars(one)[self._name] = _entry_of(kernel, given)
            return result

        return first


def _entry_of(kernel: Any, given: Iterable[Any]) -> Callable[..., Any]:
    """Return the machine code for arguments of these kinds; the kernel if unknown."""
    try:
        kinds = tuple(kernel.typeof_pyval(value) for value in given)
        return kernel.overloads[kinds].entry_point
    except (AttributeError, KeyError):  # not compiled, or another Numba: slow, right
        return kernel
