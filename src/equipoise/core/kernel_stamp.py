"""What can flow into a kernel's machine code, as a short word: its stamp.

Stored code is good as long as everything is the same that the compiler saw: the
kernel's instructions, and the values and kernels that they name, however far away. So
a stamp is made of these and of nothing else; a comment, a docstring, or another
function of the same file leaves it as it is.

Names are looked up when the stamp is asked for, at the first call: a kernel may name
another one that its file defines further down.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np

__all__ = ["fields_of", "stamp_of"]

_PLAIN = (int, float, complex, bool, str, bytes, type(None), np.generic, np.dtype)
_own: dict[FunctionType, tuple[bytes, tuple[FunctionType, ...]]] = {}


def stamp_of(function: Callable[..., Any], options: object = None) -> str:
    """Return a word that changes with what a kernel is compiled from.

    Args:
        function: the kernel's Python function.
        options: what else its machine code depends on.
    """
    seen: dict[FunctionType, bytes] = {}
    todo = [cast(FunctionType, function)]
    while todo:
        one = todo.pop()
        if one not in seen:
            seen[one], named = _own_stamp(one)
            todo += named
    first = seen.pop(cast(FunctionType, function))
    rest = b"".join(sorted(seen.values()))
    return sha256(first + rest + repr(options).encode()).hexdigest()


def fields_of(kind: Any) -> tuple[Any, ...]:
    """Return the names in a compiler's type, which it knows by their places only.

    Args:
        kind: a type of the compiler's, or a tuple of them.
    """
    names = getattr(kind, "fields", ())
    inner = kind if isinstance(kind, tuple) else getattr(kind, "types", ())
    inside = tuple(fields_of(one) for one in cast("tuple[Any, ...]", inner))
    return (tuple(names) if isinstance(names, tuple | list) else (), inside)


def _own_stamp(function: FunctionType) -> tuple[bytes, tuple[FunctionType, ...]]:
    """Return what a function is by itself, and the functions that it names."""
    if function not in _own:
        named: list[FunctionType] = []
        parts = [f"{function.__module__}.{function.__qualname__}"]
        parts += _code_parts(function.__code__, function.__doc__)
        for value in _values(function):
            parts.append(_described(value, named, function))
        _own[function] = sha256("\0".join(parts).encode()).digest(), tuple(named)
    return _own[function]


def _code_parts(code: CodeType, docstring: str | None) -> Iterator[str]:
    """Yield the instructions of a function and of those written inside it."""
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount))
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _code_parts(const, None)
        elif const is not docstring or docstring is None:
            yield repr(const)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _names(const)


def _values(function: FunctionType) -> Iterator[Any]:
    """Yield what a function names outside itself: globals, closures, defaults."""
    names = sorted(set(_names(function.__code__)))
    for name in names:
        value = function.__globals__.get(name, _values)
        if value is _values:
            continue
        if isinstance(value, ModuleType):
            yield f"module {value.__name__}"
            if value.__name__.startswith(("equipoise", "__main__")):
                for inner in names:
                    if hasattr(value, inner):
                        yield inner
                        yield getattr(value, inner)
        else:
            yield name
            yield value
    yield from (cell.cell_contents for cell in function.__closure__ or ())
    yield from function.__defaults__ or ()


def _described(value: Any, named: list[FunctionType], at: FunctionType) -> str:
    """Return a value in words; functions are named and looked at by themselves."""
    body = getattr(value, "py_func", value)
    if isinstance(body, FunctionType):
        named.append(body)
        options = repr(getattr(value, "targetoptions", None))
        return f"{body.__module__}.{body.__qualname__} {options}"
    if isinstance(value, _PLAIN):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, np.ndarray):
        content = sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"array {value.dtype!r} {value.shape} {content}"
    if isinstance(value, tuple | list | frozenset | set):
        items = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
        inside = (_described(one, named, at) for one in cast("list[Any]", items))
        return f"{type(value).__name__}({', '.join(inside)})"
    if isinstance(value, type):
        return f"class {value.__qualname__} {getattr(value, '_fields', ())}"
    if callable(value) and not type(value).__module__.startswith("equipoise"):
        return repr(getattr(value, "__qualname__", type(value)))
    try:  # what is not understood: the whole file counts
        text = Path(at.__code__.co_filename).read_bytes()
    except OSError:
        text = b""
    return f"{type(value).__qualname__} {sha256(text).hexdigest()}"
