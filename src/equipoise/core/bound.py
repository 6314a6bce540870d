"""Call a compiled kernel again and again with the same kinds of arrays, at little cost.

Each call of a kernel begins by finding out what its arguments are; with many arrays
that takes longer than a small kernel's work. Three ways to find out only once:
``bound`` where the arrays are always the same ones, ``cached_dispatch`` where an object
has others of the same kinds at every call, ``Settled`` where a whole file has. All of
them take ``machine_code``.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeVar, final

__all__ = ["Settled", "bound", "cached_dispatch", "machine_code"]

R = TypeVar("R")


def bound(kernel: Callable[..., R], *given: Any) -> Callable[..., R]:
    """Return a kernel with fixed arguments, but for numbers at the end.

    ``bound(keep, rows, int)`` is called with a whole number ``k`` and does
    ``keep(rows, k)``. The arrays stay the same ones, so they cannot change their kind.

    Args:
        kernel: what ``compiled`` returned; any other function works too.
        given: its arguments; ``int`` or ``float`` at the end for each number that comes
            with the call.

    Raises:
        TypeError: a number left open before an argument that is fixed.
    """
    fixed = [value for value in given if not isinstance(value, type)]
    numbers = [kind() for kind in given[len(fixed) :] if isinstance(kind, type)]
    if len(fixed) + len(numbers) < len(given):
        raise TypeError("numbers that are left open must be a kernel's last arguments")
    return partial(machine_code(kernel, *fixed, *numbers), *fixed)


@final
class Settled(Generic[R]):
    """A kernel whose arguments are of the same kinds at every call, whoever calls it.

    The first call finds the kinds out; later ones trust it. Wrong kinds are not
    noticed then: use it only where one place calls, always with the same objects.
    """

    __slots__ = ("_code", "kernel")

    def __init__(self, kernel: Callable[..., R]) -> None:
        """Keep the kernel.

        Args:
            kernel: what ``compiled`` returned; any other function works too.
        """
        self.kernel = kernel
        self._code: Callable[..., R] | None = None

    def __call__(self, *given: Any) -> R:
        """Call the kernel."""
        if self._code is None:
            self._code = machine_code(self.kernel, *given)
        return self._code(*given)


@final
class cached_dispatch(Generic[R]):
    """A kernel that an object calls with the same kinds of arguments at every call.

    ``_turn = settled(lambda: turn)`` in a class lets its objects call ``self._turn``;
    each finds the kinds out at its first call, for itself, and trusts them later, as
    ``Settled`` does. The file may define the kernel further down. The object must not
    have slots. A copy, and what is pickled, finds out for itself again.
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
        kind: Any = owner
        kind.__getstate__ = _without_machine_code

    def __get__(self, one: object, owner: type | None = None) -> Callable[..., R]:
        """Return the kernel; its call leaves the machine code in the object."""

        def first(*given: Any) -> R:
            vars(one)[self._name] = code = machine_code(self._kernel(), *given)
            return code(*given)

        return first


def _without_machine_code(one: object) -> dict[str, Any]:
    """Return what an object keeps, but for the machine code of its kernels."""
    kernels = {
        name
        for kind in type(one).__mro__
        for name, value in vars(kind).items()
        if isinstance(value, cached_dispatch)
    }
    return {name: value for name, value in vars(one).items() if name not in kernels}


def machine_code(kernel: Any, *like: Any) -> Callable[..., Any]:
    """Return the machine code of a kernel, which does not look at arguments' kinds.

    Args:
        kernel: what ``compiled`` returned; any other function is returned as it is.
        like: arguments of the kinds that it will be called with. Code for arrays whose
            numbers are apart in memory takes others too, not the other way round.
    """
    try:
        return kernel.compile(tuple(kernel.typeof_pyval(value) for value in like))
    except AttributeError:  # not compiled, or another Numba: slow, right
        return kernel
