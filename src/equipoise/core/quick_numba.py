"""Numba finds the same things out again and again; here it remembers them.

Which of fifty additions one of two floats is, it looks for at each ``+`` of each
kernel, and whether two compilations have the same settings, by thirty properties. What
is remembered holds for compilations with ``Flags``, those of our kernels: others in the
same process go on as ever. A kernel's machine code is the same with and without.
"""

from typing import Any, cast

from numba.core import compiler, ir, registry, targetconfig, types

__all__ = ["Flags", "remember"]

_NumbaFlags = cast(Any, compiler).Flags
_ir, _target = cast(Any, ir), cast(Any, registry).cpu_target
_settings = cast(Any, targetconfig).ConfigStack.top_or_none
_slow_variables = _ir.Inst._rec_list_vars
_NOTHING = frozenset((str, int, float, bool, type(None), _ir.Loc))


class Flags(_NumbaFlags):
    """Numba's settings of one compilation, told apart by what is not as usual."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(frozenset(k for k, value in self._values.items() if value is True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flags) and self._values == other._values


def remember() -> None:
    """Let Numba remember, from now on."""
    _remember_calls(_target.typing_context)
    _ir.Inst._rec_list_vars = variables


def _remember_calls(context: Any) -> None:
    """Keep what a function of Numba's own returns for some types of arguments.

    Args:
        context: which finds it out.
    """
    find = context.resolve_function_type
    known: dict[Any, Any] = {}

    def found(func: Any, args: Any, kws: Any) -> Any:
        settings = _settings()
        if type(settings) is not Flags:
            return find(func, args, kws)
        kind = context._lookup_global(func) or func
        if type(kind) is not types.Function:
            return find(func, args, kws)
        key = id(kind), tuple(args), tuple(kws.items()), settings
        if key in known:
            return known[key][1]
        result = find(func, args, kws)
        if result is not None and all(one.is_precise() for one in args):
            known[key] = kind, result  # the kind must live as long as its id counts
        return result

    context.resolve_function_type = found


def variables(instruction: Any, value: Any) -> list[Any]:
    """Return the variables in a part of an instruction, as Numba's own slower one.

    Args:
        instruction: the instruction.
        value: its part.
    """
    kind = type(value)
    if kind is dict:
        parts = cast("list[Any]", value.values())
    elif kind is list or kind is tuple:
        parts = value
    elif kind is _ir.Var:
        return [value]
    else:
        return [] if kind in _NOTHING else _slow_variables(instruction, value)
    found: list[Any] = []
    for one in parts:
        kind = type(one)
        if kind is _ir.Var:
            found.append(one)
        elif kind not in _NOTHING:
            found.extend(variables(instruction, one))
    return found
