"""Compile the inner loops, with settings that keep the numbers honest.

``compiled`` is the only place that knows Numba. Every kernel gets the same settings:
no fast-math (same seed, same numbers), NumPy's division rules instead of Python's
exceptions, the interpreter lock released, and the machine code kept on disk so that a
second start is quick. Where no folder can be written (a read-only installation without
a home) the code is compiled afresh in each process instead.
"""

from collections.abc import Callable
from typing import Any, Literal, ParamSpec, TypeVar, cast, overload

import numba

__all__ = ["compiled"]

P = ParamSpec("P")
R = TypeVar("R")
Inline = Literal["never", "always"]

_njit = cast(Callable[..., Callable[[Any], Any]], numba.njit)


@overload
def compiled(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def compiled(
    *, inline: Inline = "never", parallel: bool = False, nogil: bool = True
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def compiled(
    function: Callable[..., Any] | None = None,
    /,
    *,
    inline: Inline = "never",
    parallel: bool = False,
    nogil: bool = True,
) -> Callable[..., Any]:
    """Compile a function of numbers and arrays; ``@compiled`` or ``@compiled(...)``.

    The original stays reachable as ``.py_func``, which a test can use as an oracle.

    Args:
        function: what to compile; left out when options are given.
        inline: "always" copies the body into each compiled caller.
        parallel: allow ``numba.prange`` to use several threads; the order of a
            reduction, and so its last bits, then depends on their number.
        nogil: let other Python threads run meanwhile.
    """

    def compile_one(body: Callable[..., Any]) -> Callable[..., Any]:
        options: dict[str, Any] = {
            "inline": inline,
            "parallel": parallel,
            "nogil": nogil,
            "fastmath": False,
            "error_model": "numpy",
        }
        try:
            return _njit(cache=True, **options)(body)
        except RuntimeError as problem:
            if "cannot cache" not in str(problem):
                raise
            return _njit(cache=False, **options)(body)

    return compile_one if function is None else compile_one(function)
