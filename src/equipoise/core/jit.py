"""Compile the inner loops, with settings that keep the numbers honest.

``compiled`` is the only place that knows Numba. Every kernel gets the same settings:
no fast-math (same seed, same numbers), NumPy's division rules instead of Python's
exceptions, the interpreter lock released, and the machine code kept on disk so that a
second start is quick. Where no folder can be written (a read-only installation without
a home) the code is compiled afresh in each process instead.

Numba alone looks only at a kernel's own file to tell whether stored code is still
good, so a change in a kernel that it calls from another file would go unnoticed. Here
the files that it imports from this library count too. A stored file that is damaged is
made anew, see ``core/stored_code.py``.
"""

import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, cast, overload

import numba

from equipoise.core.stored_code import guard

__all__ = ["compiled"]

P = ParamSpec("P")
R = TypeVar("R")
Inline = Literal["never", "always"]

_njit = cast(Callable[..., Callable[[Any], Any]], numba.njit)
_ROOTS = {  # where the packages that keep kernels are
    "equipoise": Path(__file__).parents[1],
    "equipoise_lab": Path(__file__).parents[3] / "lab" / "equipoise_lab",
}
_IMPORT = re.compile(
    r"^\s*(?:from|import) (equipoise|equipoise_lab)\.([\w.]+)"
    r"(?: import (\([^)]*\)|[^\n]*))?",
    re.MULTILINE,
)


@overload
def compiled(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def compiled(
    *,
    inline: Inline = "never",
    parallel: bool = False,
    nogil: bool = True,
    allocates: bool = True,
    melts: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def compiled(
    function: Callable[..., Any] | None = None,
    /,
    *,
    inline: Inline = "never",
    parallel: bool = False,
    nogil: bool = True,
    allocates: bool = True,
    melts: bool = False,
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
        melts: True for a small function that the machine code of its compiled callers
            shall contain, so that its arguments need not be passed.
    """

    def compile_one(body: Callable[..., Any]) -> Callable[..., Any]:
        options: dict[str, Any] = {
            "inline": inline,
            "parallel": parallel,
            "nogil": nogil,
            "fastmath": False,
            "error_model": "numpy",
            "_nrt": allocates,
            "forceinline": melts,
        }
        try:
            kernel = _njit(cache=True, **options)(body)
            _stamp(kernel, Path(body.__code__.co_filename))
        except RuntimeError as problem:
            if "cannot cache" not in str(problem):
                raise
            return _njit(cache=False, **options)(body)
        except (
            AttributeError
        ):  # a Numba that keeps its stamp elsewhere: slow, not wrong
            return _njit(cache=False, **options)(body)
        return kernel

    return compile_one if function is None else compile_one(function)


def _stamp(kernel: Any, file: Path) -> None:
    """Make stored code depend on all sources that can flow into a kernel."""
    index = guard(kernel)
    index._source_stamp = (index._source_stamp, _digest(file))


@cache
def _digest(file: Path) -> str:
    sources = sorted(_sources(file, frozenset()))
    return sha256(b"".join(_content(source) for source in sources)).hexdigest()


def _sources(file: Path, seen: frozenset[Path]) -> frozenset[Path]:
    """Return a file and what it imports from this library, directly or not."""
    seen |= {file}
    for package, room, names in _IMPORT.findall(
        _content(file).decode(errors="replace")
    ):
        stem = _ROOTS[package].joinpath(*room.split("."))
        inside = [stem / f"{name}.py" for name in re.findall(r"\w+", names)]
        for source in (stem.with_suffix(".py"), stem / "__init__.py", *inside):
            if source not in seen and source.is_file():
                seen = _sources(source, seen)
    return seen


@cache
def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # inside a zip archive, or typed at a prompt
        return b""
