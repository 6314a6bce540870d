"""Calling machine code by its address, fast: a few hundred nanoseconds from Python.

The address is a number that ``callable`` got from LLVM; arrays go in as they are.
"""

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled

__all__ = ["call_joined", "call_many", "call_one", "jump"]


def _jump_code(typing_context: Any, address: Any, a: Any, b: Any, c: Any) -> Any:
    """Return type and code of a call of three pointers at an address."""
    signature = types.void(types.intp, types.intp, types.intp, types.intp)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer] * 3)
        target = builder.inttoptr(args[0], kind.as_pointer())
        builder.call(target, [builder.inttoptr(x, pointer) for x in args[1:]])
        return context.get_dummy_value()

    return signature, generate


jump = cast(Callable[[int, int, int, int], None], intrinsic(_jump_code))


def _leap_code(
    typing_context: Any,
    address: Any,
    w: Any,
    a: Any,
    n: Any,
    b: Any,
    m: Any,
    c: Any,
    k: Any,
    y: Any,
) -> Any:
    """Return type and code of a call of eight whole numbers at an address."""
    signature = types.void(*[types.intp] * 9)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [args[1].type] * 8)
        target = builder.inttoptr(args[0], kind.as_pointer())
        builder.call(target, args[1:])
        return context.get_dummy_value()

    return signature, generate


leap = cast(Callable[..., None], intrinsic(_leap_code))


def _peek_code(typing_context: Any, address: Any, place: Any) -> Any:
    """Return type and code of a whole number read from an array at an address."""
    signature = types.intp(types.intp, types.intp)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = builder.inttoptr(args[0], args[0].type.as_pointer())
        return builder.load(builder.gep(array, [args[1]]))

    return signature, generate


peek = cast(Callable[[int, int], int], intrinsic(_peek_code))


@compiled(allocates=False)
def call_one(head: int, inputs: VecN, outputs: VecN) -> bool:
    """Call a function on one state; return False if the inputs are not as many.

    Args:
        head: address of whole numbers: of machine code that takes work, inputs and
            outputs; of what all calls share; how many inputs it takes.
        inputs: contiguous.
        outputs: contiguous; overwritten.
    """
    if inputs.shape[0] != peek(head, 2):
        return False
    jump(peek(head, 0), peek(head, 1), inputs.ctypes.data, outputs.ctypes.data)
    return True


@compiled(allocates=False)
def call_joined(head: int, a: VecN, b: VecN, c: VecN, outputs: VecN) -> bool:
    """Call a function on one state whose inputs come in three arrays.

    Returns False if the inputs are not as many.

    Args:
        head: address of whole numbers: of machine code that takes work, three arrays
            with their sizes, and outputs; of what all calls share; how many inputs it
            takes; how many of them must be in the first array, any if negative; and how
            many in the second.
        a: first inputs, contiguous.
        b: next inputs, contiguous.
        c: last inputs, contiguous.
        outputs: contiguous; overwritten.
    """
    n, m, k = a.shape[0], b.shape[0], c.shape[0]
    first = peek(head, 3)
    if n + m + k != peek(head, 2) or (
        first >= 0 and (n != first or m != peek(head, 4))
    ):
        return False
    leap(
        peek(head, 0),
        peek(head, 1),
        a.ctypes.data,
        n,
        b.ctypes.data,
        m,
        c.ctypes.data,
        k,
        outputs.ctypes.data,
    )
    return True


@compiled
def call_many(address: int, work: int, inputs: Array, outputs: Array) -> None:
    """Call a function for each row of inputs.

    Args:
        address: of machine code that takes work, inputs and outputs.
        work: address of what all calls share.
        inputs: (n, inputs), contiguous.
        outputs: (n, outputs), contiguous; overwritten.
    """
    for i in range(inputs.shape[0]):
        jump(address, work, inputs[i].ctypes.data, outputs[i].ctypes.data)
