"""Compile the inner loops, with settings that keep the numbers honest.

``compiled`` is the only place that knows Numba. Every kernel gets the same settings:
no fast-math (same seed, same numbers), NumPy's division rules instead of Python's
exceptions, the interpreter lock released, and the machine code kept on disk so that a
second start is quick. Where no folder can be written (a read-only installation without
a home) the code is compiled afresh in each process instead.

Stored code is used as long as nothing has changed that it was made from, see
``core/kernel_stamp.py``. A stored file that is damaged is made anew, see
``core/stored_code.py``.
"""

import gc
from collections.abc import Callable
from typing import Any, Literal, ParamSpec, TypeVar, cast, overload

import numba
from numba.core import event

from equipoise.core.kernel import KNOWN, Kernel
from equipoise.core.stored_code import guard

__all__ = ["compiled"]

P = ParamSpec("P")
R = TypeVar("R")
Inline = Literal["never", "always"]

_njit = cast(Callable[..., Callable[[Any], Any]], numba.njit)


def _kernel(*, cache: bool, **options: Any) -> Callable[[Any], Any]:
    """Return what makes a kernel of a function, as Numba's own ``njit`` does."""

    def make(body: Any) -> Any:
        if cast(Any, numba).config.DISABLE_JIT:
            return body
        own = {**options, "nopython": True, "boundscheck": None}
        kernel = Kernel(body, targetoptions=own)
        if cache:
            kernel.enable_caching()
        return kernel

    return make


class _NoCollecting(event.Listener):
    """Keeps the garbage collector still while a kernel is being compiled.

    A compiler makes many objects that all live until it is done, so that looking
    through them again and again finds nothing.
    """

    def __init__(self) -> None:
        self.depth, self.was_on = 0, False

    def on_start(self, event: Any) -> None:
        """Stop collecting; a kernel's compiling begins that of what it calls."""
        if self.depth == 0:
            self.was_on = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        """Collect again after the outermost kernel."""
        self.depth -= 1
        if self.depth == 0 and self.was_on:
            gc.enable()


event.register("numba:compile", _NoCollecting())


@overload
def compiled(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def compiled(
    *,
    inline: Inline = "never",
    parallel: bool = False,
    nogil: bool = True,
    allocates: bool = True,
    force_inline: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def compiled(
    function: Callable[..., Any] | None = None,
    /,
    *,
    inline: Inline = "never",
    parallel: bool = False,
    nogil: bool = True,
    allocates: bool = True,
    force_inline: bool = False,
) -> Callable[..., Any]:
    """Compile a function of numbers and arrays; ``@compiled`` or ``@compiled(...)``.

    The original stays reachable as ``.py_func``, which a test can use as an oracle.

    Args:
        function: what to compile; left out when options are given.
        inline: "always" copies the body into each compiled caller.
        parallel: allow ``numba.prange`` to use several threads; the order of a
            reduction, and so its last bits, then depends on their number.
        nogil: let other Python threads run meanwhile.
        allocates: False for a function that makes no array: its arguments are then not
            counted in and out at every use, which doubles the speed of small kernels.
        force_inline: True for a small function that the machine code of its compiled
            callers shall contain, so that its arguments need not be passed.
    """

    def compile_one(body: Callable[..., Any]) -> Callable[..., Any]:
        options: dict[str, Any] = {
            "inline": inline,
            "parallel": parallel,
            "nogil": nogil,
            "fastmath": False,
            "error_model": "numpy",
            "_nrt": allocates,
            "forceinline": force_inline,
            "no_cfunc_wrapper": True,  # none is handed to C
        }
        make = _kernel if KNOWN and not parallel else _njit
        try:
            kernel = make(cache=True, **options)(body)
            guard(kernel, (options, make is _kernel))
        except RuntimeError as problem:
            if "cannot cache" not in str(problem):
                raise
            return make(cache=False, **options)(body)
        except (
            AttributeError
        ):  # a Numba that keeps its stamp elsewhere: slow, not wrong
            return _njit(cache=False, **options)(body)
        return kernel

    return compile_one if function is None else compile_one(function)
